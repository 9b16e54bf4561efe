// SPDX-License-Identifier: MIT
// Several logs as one, and standard input.
#include <unistd.h>

#include "analysis/core/interrupt.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

const std::string line = R"({"student_logprobs":[-1],"teacher_logprobs":[-2],"odd":1})"
                         "\n";
std::string header(const std::string& members) { return R"({"v":1,"header":{)" + members + "}}\n"; }

std::string message(const std::vector<std::string>& paths) {
  try {
    (void)read_all(*io::open_logs(paths, {}));
  } catch (const BadData& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("several logs are read one after the other and their reports add up") {
  const Folder folder;
  const std::string a = folder.file("a", header(R"("vocab_size":10)") + line + line + R"({"stu)");
  const std::string b = folder.file("b", line + line + line);
  const std::string c = folder / "c";
  write_all(*io::open_writer(c, {}, {}), read_all(b).rollouts);
  const Read read = read_all(*io::open_logs({a, b, c}, {}));
  CHECK(read.rollouts.size() == 8);
  CHECK(read.report.rollouts == 8);
  CHECK(read.report.files == std::vector<std::string>{a, b, c});
  CHECK(read.report.unknown_fields.at("odd") == 5);
  CHECK(read.report.cut_last_line == 1);
  CHECK(read.report.dialect == "canonical v1, store v1");
  CHECK(read.header.vocab_size == 10);
}

TEST_CASE("headers that disagree in a number that matters are refused") {
  const Folder folder;
  const auto [one, other, field] = GENERATE(table<std::string, std::string, std::string>({
      {R"("vocab_size":10)", R"("vocab_size":11)", "vocab_size is 10 in one and 11 in the other"},
      {R"("eos_ids":[1])", R"("eos_ids":[1,2])", "eos_ids is [1] in one and [1,2] in the other"},
      {R"("max_response":10)", R"("max_response":20)", "max_response"},
      {R"("dtype":"float32")", R"("dtype":"bfloat16")", "dtype is \"float32\""},
      {R"("temperature":1.0)", R"("temperature":0.7)", "student_temperature"},
      {R"("student_temperature":1.0)", R"("student_temperature":0.7)", "student_temperature"},
      {R"("temperature":1)", R"("temperature":1,"teacher_temperature":2)", "teacher_temperature"},
  }));
  const std::string a = folder.file("a", header(one) + line),
                    b = folder.file("b", header(other) + line);
  const std::string text = message({a, b});
  INFO(text);
  CHECK(text.find(b + ": header: says otherwise than that of " + a + ": " + field) == 0);
  CHECK(message({a, a}).empty());
  CHECK(message({b, b}).empty());
}

TEST_CASE("headers that disagree elsewhere or say nothing are joined") {
  const Folder folder;
  const std::string a = folder.file("a", header(R"("vocab_size":10,"seed":1,"model":"x")") + line);
  const std::string b = folder.file("b", header(R"("seed":2,"model":"y")") + line);
  const std::string c = folder.file("c", line);
  // Both arrive as nats, so there is nothing to disagree about.
  const std::string d = folder.file("d", header(R"("log_base":2)") + line);
  const std::string e = folder.file("e", header(R"("log_base":10)") + line);
  CHECK(message({a, b, c, d, e}).empty());
}

TEST_CASE("a later log that is missing is said before anything is read") {
  const Folder folder;
  const std::string a = folder.file("a", line);
  CHECK_THROWS_AS(io::open_logs({a, folder / "missing"}, {}), NoInput);
  CHECK_THROWS_AS(io::open_logs({}, {}), UsageError);
}

TEST_CASE("a dash is standard input") {
  const Folder folder;
  const std::string path = folder.file("a", line + line);
  const int before = dup(STDIN_FILENO);
  REQUIRE(freopen(path.c_str(), "r", stdin) != nullptr);
  const Read read = read_all("-");
  REQUIRE(dup2(before, STDIN_FILENO) == STDIN_FILENO);
  close(before);
  CHECK(read.rollouts.size() == 2);
  CHECK(read.report.files == std::vector<std::string>{"-"});
}

TEST_CASE("an interrupt stops reading at the next response") {
  const Folder folder;
  const auto reader = io::open_log(folder.file("a", line + line), {});
  RolloutRecord rollout;
  REQUIRE(reader->next(rollout));
  interrupt_flag() = true;
  CHECK_THROWS_AS(reader->next(rollout), Interrupted);
  interrupt_flag() = false;
  CHECK(reader->next(rollout));
}
