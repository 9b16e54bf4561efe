// SPDX-License-Identifier: MIT
// Case B25: logs larger than memory, huge fields, cut files, packed files. Memory is limited with
// RLIMIT_AS in a child process, which AddressSanitizer cannot bear.
#include <cstdio>
#include <functional>
#include <new>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// Runs `work` in a child that may map `bytes` more than it has now; true if it returned true.
bool within_memory(std::size_t bytes, const std::function<bool()>& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::size_t pages = 0;
    if (std::FILE* statm = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(statm, "%zu", &pages) != 1) pages = 0;
      std::fclose(statm);
    }
    const rlim_t limit = pages * 4096 + bytes;
    const rlimit limits{limit, limit};
    bool good = setrlimit(RLIMIT_AS, &limits) == 0;
    try {
      good = good && work();
    } catch (const std::bad_alloc&) {
      good = false;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      good = false;
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string row(unsigned seed, int length, const std::string& extra = "") {
  Draw draw(seed);
  std::vector<double> s, u;
  std::vector<int> ids;
  for (int t = 0; t < length; ++t) {
    s.push_back(-double(draw() % 100003) / 7919);
    u.push_back(-double(draw() % 100003) / 7919);
    ids.push_back(int(draw() % 50000));
  }
  return R"({"v":1,"prompt_id":"p)" + std::to_string(seed / 4) + R"(",)" + extra +
         R"("token_ids":)" + list(ids) + R"(,"student_logprobs":)" + list(s) +
         R"(,"teacher_logprobs":)" + list(u) + "}\n";
}

std::int64_t count(const std::string& path, const io::ReadOptions& options = {}) {
  const auto reader = io::open_log(path, options);
  RolloutRecord rollout;
  std::int64_t n = 0;
  while (reader->next(rollout)) ++n;
  return n;
}

}  // namespace

TEST_CASE("B25 memory does not grow with the number of rows") {
  if (sanitized) return;
  const Folder folder;
  const std::string path = folder / "log.jsonl";
  {
    std::ofstream out(path);
    for (unsigned r = 0; r < 2000; ++r) out << row(r % 17, 1000);
  }
  const std::size_t size = std::filesystem::file_size(path);
  REQUIRE(size > 80 * mib);
  // One row is 50 kB; with everything held it would take the file's size and more.
  CHECK(within_memory(16 * mib, [&] { return count(path) == 2000; }));
  const std::string store = folder / "store";
  const auto reader = io::open_log(path, {});
  const auto writer = io::open_writer(store, {}, {});
  RolloutRecord rollout;
  while (reader->next(rollout)) writer->write(rollout);
  writer->close();
  CHECK(within_memory(24 * mib, [&] { return count(store) == 2000; }));
}

TEST_CASE("B25 a field of 200 MB that nobody reads costs little more than its line") {
  if (sanitized) return;
  const Folder folder;
  const std::string path = folder / "log.jsonl";
  {
    std::ofstream out(path);
    out << row(1, 100);
    out << R"({"images":")" << std::string(200 * mib, 'x') << R"(",)" << row(2, 100).substr(1);
    out << row(3, 100);
  }
  const auto reads_all = [&] {
    const Read read = read_all(path);
    return read.rollouts.size() == 3 && read.rollouts[1].token_id.size() == 100 &&
           read.report.unknown_fields.at("images") == 1;
  };
  CHECK(within_memory(450 * mib, reads_all));
  CHECK_FALSE(within_memory(150 * mib, reads_all));  // the limit does bite

  // Nested and full of brackets, not only one long string.
  {
    std::ofstream out(path);
    out << row(1, 100);
    out << R"({"images":[)";
    for (int i = 0; i < 2000000; ++i) out << R"({"a":[1,2,"]}"]},)";
    out << R"(0],)" << row(2, 100).substr(1);
    out << row(3, 100);
  }
  CHECK(within_memory(200 * mib, reads_all));
}

TEST_CASE("B25 a line above max-line is named and can be skipped") {
  io::ReadOptions options;
  options.max_line = 5000;
  const std::string log = row(1, 50) + row(2, 5000) + row(3, 50) + row(4, 9000);
  CHECK(refusal(log, options) == "log.jsonl:2: the line is longer than --max-line, 5000 bytes");
  options.on_error = io::OnError::skip;
  const Read read = read_text(log, options);
  CHECK(read.rollouts.size() == 2);
  CHECK(read.report.bad_lines == 2);
  CHECK(read.report.first_bad.line == 2);
  options.max_line = std::size_t{1} << 30;
  CHECK(read_text(log, options).rollouts.size() == 4);
}

TEST_CASE("B25 a file cut anywhere keeps every whole line and counts the cut") {
  const std::string log = row(1, 40) + row(2, 40) + row(3, 40);
  const std::size_t two = (row(1, 40) + row(2, 40)).size();
  Draw draw(7);
  for (int i = 0; i < 20; ++i) {
    const std::size_t at = two + 1 + draw() % (log.size() - two - 3);
    const Read read = read_text(log.substr(0, at));
    CHECK(read.rollouts.size() == 2);
    CHECK(read.report.cut_last_line == 1);
  }
  // Only the newline is missing: nothing is.
  const Read whole = read_text(log.substr(0, log.size() - 1));
  CHECK(whole.rollouts.size() == 3);
  CHECK(whole.report.cut_last_line == 0);
  CHECK(read_text(log.substr(0, two)).report.cut_last_line == 0);
  CHECK(refusal(log.substr(0, 100))
            .find("log.jsonl: holds no response; it ends in the middle of line 1") == 0);
  // A bad line in the middle is no cut.
  CHECK(refusal(log.substr(0, 300) + "\n" + log).find("log.jsonl:1: is not valid JSON") == 0);
}

TEST_CASE("B25 packed logs read like plain ones in several members or frames") {
  const Folder folder;
  const std::string ending = GENERATE(".gz", ".zst");
  std::string plain, packed;
  for (unsigned part = 0; part < 3; ++part) {
    const std::string path = folder / ("part" + std::to_string(part) + ".jsonl" + ending);
    const auto writer = io::open_writer(path, {}, {});
    const auto log = random_log(part, 40, 60);
    write_all(*writer, log);
    packed += bytes_of(path);
    const std::string plain_path = folder / ("part" + std::to_string(part) + ".jsonl");
    write_all(*io::open_writer(plain_path, {}, {}), log);
    plain += bytes_of(plain_path);
  }
  REQUIRE(packed.size() < plain.size());
  const Read expected = read_text(plain);
  // The name says nothing; the first bytes do.
  const Read read = read_all(folder.file("all.data", packed));
  REQUIRE(read.rollouts.size() == expected.rollouts.size());
  for (std::size_t i = 0; i < read.rollouts.size(); ++i)
    CHECK(difference(read.rollouts[i], expected.rollouts[i]).empty());

  Draw draw(3);
  for (int i = 0; i < 20; ++i) {
    const std::size_t at = packed.size() / 3 + draw() % (packed.size() / 3);
    const Read cut = read_all(folder.file("cut", packed.substr(0, at)));
    CHECK(cut.rollouts.size() < expected.rollouts.size());
    CHECK(cut.rollouts.size() >= 20);
    CHECK(cut.report.cut_last_line == 1);
  }
  if (ending == ".gz") {  // tape blocks pad with zeros
    CHECK(read_all(folder.file("padded", packed + std::string(512, '\0'))).rollouts.size() == 120);
  }
  std::string damaged = packed;
  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 40; ++i) damaged[i] ^= 0x55;
  CHECK_THROWS_AS(read_all(folder.file("damaged", damaged)), BadData);
}

TEST_CASE("a mark at the start and other line ends and blank lines change nothing") {
  std::string log = row(1, 5) + row(2, 5);
  std::string windows = "\xef\xbb\xbf\r\n \t\r\n";
  for (const char c : log) windows += c == '\n' ? "\r\n\r\n" : std::string(1, c);
  CHECK(read_text(windows).rollouts.size() == 2);
  CHECK(read_text("\xef\xbb\xbf" + log).rollouts.size() == 2);
}

TEST_CASE("what is no log is refused with the reason") {
  const Folder folder;
  const auto message = [&](const std::string& bytes) {
    try {
      (void)read_all(folder.file("x", bytes));
    } catch (const BadData& error) {
      return error.error().rule;
    }
    return std::string();
  };
  CHECK(message("").find("is empty") == 0);
  CHECK(message("hello\n").find("not a log of a known kind") == 0);
  CHECK(message(R"({"a":1})"
                "\n")
            .find("not a log of a known kind") == 0);
  CHECK(message(std::string(1000, '\0')).find("not a log of a known kind") == 0);
  CHECK(message("PK\x03\x04....").find("packed as zip") == 0);
  CHECK(message("BZh91AY").find("packed as bzip2") == 0);
  CHECK(message(std::string("\xfd"
                            "7zXZ\0..",
                            8))
            .find("packed as xz") == 0);
  CHECK(message("\x1f\x8b").find("holds no") != 0);
  CHECK(message("\xff\xfe{\0\"\0v").find("not a log of a known kind") == 0);
  CHECK_THROWS_AS(io::open_log(folder / "missing", {}), NoInput);
  CHECK_THROWS_AS(io::open_log(folder / "", {}), BadData);
  io::ReadOptions options;
  options.dialect = "nonsense";
  CHECK_THROWS_AS(io::open_log(folder.file("y", row(1, 2)), options), UsageError);
}
