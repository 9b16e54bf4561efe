// SPDX-License-Identifier: MIT
// Files that appear whole or not at all, full disks, closed pipes, foreign locales.
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <locale>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/io/json.hpp"
#include "analysis/io/jsonl_writer.hpp"
#include "analysis/io/store_writer.hpp"
#include "tests/analysis/io/support.hpp"
#include "tests/support/german.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

std::string written(const std::vector<RolloutRecord>& log, const LogHeader& header = {}) {
  std::string text;
  io::append_jsonl_header(text, header);
  for (const RolloutRecord& rollout : log) io::append_jsonl(text, rollout);
  return text;
}

}  // namespace

TEST_CASE("a file appears at close and not before and never half") {
  const Folder folder;
  const std::string path = folder / ("out.jsonl" + GENERATE(as<std::string>(), "", ".gz", ".zst"));
  const auto log = random_log(1, 30, 50);
  {
    const auto writer = io::open_writer(path, {}, {});
    for (const RolloutRecord& rollout : log) writer->write(rollout);
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(folder.names().empty());  // given up: not even the temporary file is left
  write_all(*io::open_writer(path, {}, {}), log);
  CHECK(folder.names().size() == 1);
  const std::string before = bytes_of(path);
  CHECK_THROWS_AS(io::open_writer(path, {}, {}), UsageError);
  CHECK(bytes_of(path) == before);
  write_all(*io::open_writer(path, {}, {true}), log);
  CHECK(bytes_of(path) == before);  // the same bytes on every run
}

TEST_CASE("a full disk is an error and not a short file") {
  if (::access("/dev/full", W_OK) != 0) return;
  const auto log = random_log(2, 200, 200);
  const auto writer = io::open_writer("/dev/full", {}, {});
  CHECK_THROWS_AS(write_all(*writer, log), NoInput);
  CHECK_FALSE(std::filesystem::exists("/dev/full.tmp"));
  // Everything still in the buffer until close.
  const auto small = io::open_writer("/dev/full", {}, {});
  small->write(log.front());
  CHECK_THROWS_AS(small->close(), NoInput);
}

TEST_CASE("a folder that is not there or may not be written is named") {
  CHECK_THROWS_AS(io::JsonlWriter("/no/such/folder/a.jsonl", {}), NoInput);
  CHECK_THROWS_AS(io::StoreWriter("/dev/null/store", {}), NoInput);
  const Folder folder;
  CHECK_THROWS_AS(io::JsonlWriter(folder / "", {}), UsageError);
}

TEST_CASE("a closed pipe is an error where the signal is ignored") {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  const auto log = random_log(3, 200, 200);
  const int out = dup(STDOUT_FILENO);
  REQUIRE(dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO);
  bool failed = false;
  try {
    write_all(*io::open_writer("-", {}, {}), log);
  } catch (const NoInput&) {
    failed = true;
  }
  REQUIRE(dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
  close(out);
  close(ends[1]);
  std::signal(SIGPIPE, before);
  CHECK(failed);
}

TEST_CASE("a dash writes plain JSONL to standard output") {
  const Folder folder;
  const auto log = random_log(4, 20, 20);
  const int out = dup(STDOUT_FILENO);
  const int file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(dup2(file, STDOUT_FILENO) == STDOUT_FILENO);
  close(file);
  write_all(*io::open_writer("-", {}, {}), log);
  REQUIRE(dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
  close(out);
  CHECK(bytes_of(folder / "out") == written(log));
}

TEST_CASE("a locale with a decimal comma changes no byte and no number") {
  const auto log = random_log(5, 50, 30);
  LogHeader header;
  header.present = true;
  header.student_temperature = 0.7;
  header.top_p = 0.95;
  const std::string expected = written(log, header);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const Folder folder;
  // The C library's locale too, where one can be made.
  if (test::make_german_locale(folder / "locales")) {
    ::setenv("LOCPATH", (folder / "locales").c_str(), 1);
    REQUIRE(std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr);
    REQUIRE(std::string(std::localeconv()->decimal_point) == ",");
  }
  const std::string text = written(log, header);
  const std::string store = folder / "store";
  write_all(*io::open_writer(store, header, {}), log);
  const Read read = read_text(text), from_store = read_all(store);
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
  ::unsetenv("LOCPATH");
  CHECK(text == expected);
  CHECK(read.header.student_temperature == 0.7);
  for (std::size_t i = 0; i < log.size(); ++i) {
    CHECK(difference(read.rollouts.at(i), log[i]).empty());
    CHECK(difference(from_store.rollouts.at(i), log[i]).empty());
  }
}

TEST_CASE("every line is strict JSON and follows the schema") {
  std::string text = written(random_log(6, 300, 30));
  const io::Json schema =
      io::Json::parse(bytes_of(std::string(GAMMASCOPE_SOURCE_DIR) + "/docs/log.schema.json"));
  const io::Json& fields = schema.at("$defs").at("rollout").at("properties");
  std::set<std::string> seen;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const io::Json line = io::Json::parse(text.substr(at, end - at));
    for (const auto& [key, value] : line.items()) {
      CHECK(fields.contains(key));
      seen.insert(key);
    }
    at = end + 1;
  }
  CHECK(seen.size() == fields.size());
}

TEST_CASE("a record whose columns disagree is not written") {
  RolloutRecord r;
  r.student_logprob = {-1, -2};
  r.teacher_logprob = {-1};
  std::string text;
  CHECK_THROWS_AS(io::append_jsonl(text, r), std::invalid_argument);
  r.teacher_logprob = {-1, -2};
  r.score_sketch = {1, 2, 3};
  CHECK_THROWS_AS(io::append_jsonl(text, r), std::invalid_argument);
  const Folder folder;
  io::StoreWriter store(folder / "store", {});
  CHECK_THROWS_AS(store.write(r), std::invalid_argument);
  r.score_sketch = {1, 2, 3, 4};
  io::append_jsonl(text, r);
}
