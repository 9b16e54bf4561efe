// SPDX-License-Identifier: MIT
// A writer that is killed at any moment loses at most the shard in hand.
#include <chrono>
#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "analysis/io/store_writer.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

constexpr std::size_t shard_bytes = 6000;

/// Response number i of the log that is being written: it says which one it is.
RolloutRecord numbered(std::int64_t i) {
  RolloutRecord r;
  r.sample_id = i;
  r.prompt_id = "p" + std::to_string(i);
  r.student_logprob.assign(20, -1.0f - float(i % 7));
  r.teacher_logprob.assign(20, -2.0f);
  r.text = std::string(static_cast<std::size_t>(i % 50), 'x');
  return r;
}

/// Writes until it is killed; says through the pipe after every response that it was taken.
[[noreturn]] void victim(const std::string& store, int pipe_end) {
  io::StoreWriter writer(store, {}, io::StoreMode::append, shard_bytes);
  for (std::int64_t i = 0;; ++i) {
    writer.write(numbered(i));
    if (::write(pipe_end, &i, sizeof i) != sizeof i) _exit(1);
  }
}

}  // namespace

TEST_CASE("a writer killed at 200 random points loses at most the shard in hand") {
  const Folder folder;
  Draw draw(1);
  std::int64_t stored_in_all = 0;
  int leftovers = 0;
  for (int point = 0; point < 200; ++point) {
    const std::string store = folder / ("store" + std::to_string(point));
    std::filesystem::create_directory(store);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      close(ends[0]);
      victim(store, ends[1]);
    }
    close(ends[1]);
    std::int64_t taken = -1, number = 0;
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::microseconds(2000 + draw() % 30000);
    while (std::chrono::steady_clock::now() < end &&
           ::read(ends[0], &number, sizeof number) == sizeof number)
      taken = number;
    REQUIRE(kill(child, SIGKILL) == 0);
    while (::read(ends[0], &number, sizeof number) == sizeof number) taken = number;
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));

    for (const auto& entry : std::filesystem::directory_iterator(store))
      leftovers += entry.path().extension() == ".tmp" ? 1 : 0;
    std::vector<RolloutRecord> rollouts;
    try {
      Read read = read_all(store);
      CHECK(read.report.unfinished_stores == 1);
      rollouts = std::move(read.rollouts);
    } catch (const BadData& error) {
      // Killed before the first shard was whole.
      REQUIRE(error.error().rule.find("is a folder without a shard") == 0);
    }
    for (std::size_t i = 0; i < rollouts.size(); ++i)
      REQUIRE(difference(rollouts[i], [&] {
                RolloutRecord expected = numbered(std::int64_t(i));
                expected.prompt_hash = io::prompt_hash(expected);
                return expected;
              }()) == "");
    // A shard of 6000 bytes holds fewer than 40 of these responses.
    CHECK(taken + 1 - std::int64_t(rollouts.size()) <= 40);
    stored_in_all += std::int64_t(rollouts.size());
    std::filesystem::remove_all(store);
  }
  CHECK(stored_in_all > 200);  // the writers did get somewhere before they died
  WARN(stored_in_all << " responses stored, " << leftovers << " temporary files left by 200 kills");
}
