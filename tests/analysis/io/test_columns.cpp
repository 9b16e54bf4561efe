// SPDX-License-Identifier: MIT
// Case N38: a column that is absent is not a column of zeros. Case B19: responses without a token.
#include <iterator>

#include "analysis/io/column_states.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;
using io::Column;
using io::ColumnState;

namespace {

constexpr int rows = 512;

/// 512 responses of random lengths whose teacher column is made by `teacher(draw)`; "" leaves it
/// out.
template <class Teacher>
std::string log_with(unsigned seed, const Teacher& teacher) {
  Draw draw(seed);
  std::string text;
  for (int row = 0; row < rows; ++row) {
    std::string s, u;
    for (unsigned n = 1 + draw() % 40; n > 0; --n) {
      if (!s.empty()) s += ',', u += ',';
      s += std::to_string(-double(1 + draw() % 2000) / 997);
      u += teacher(draw);
    }
    text += R"({"prompt_id":)" + std::to_string(row / 4) + R"(,"student_logprobs":[)" + s + "]";
    if (u.back() != ',' && !u.empty()) text += R"(,"teacher_logprobs":[)" + u + "]";
    text += "}\n";
  }
  return text;
}

io::ColumnStates states_of(const std::vector<RolloutRecord>& rollouts) {
  io::ColumnStates states;
  for (const RolloutRecord& rollout : rollouts) states.add(rollout);
  return states;
}

}  // namespace

TEST_CASE("N38 a teacher that is null everywhere is not recorded and gives no number") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Read read = read_text(log_with(seed, [](auto&) { return "null"; }));
    REQUIRE(read.rollouts.size() == rows);
    for (const RolloutRecord& r : read.rollouts) CHECK(r.teacher_logprob.empty());
    CHECK(read.report.nonfinite.total() == 0);
    const auto states = states_of(read.rollouts);
    CHECK(states[Column::teacher_logprob].state == ColumnState::not_recorded);
    CHECK_FALSE(states.usable(Column::teacher_logprob));
    CHECK(states.usable(Column::student_logprob));
  }
}

TEST_CASE("N38 a teacher that is zero everywhere is constant and so not usable") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Read read = read_text(log_with(seed, [](auto&) { return "0.0"; }));
    const auto states = states_of(read.rollouts);
    CHECK(states[Column::teacher_logprob].state == ColumnState::constant);
    CHECK(states[Column::teacher_logprob].first == 0);
    CHECK(states[Column::teacher_logprob].rollouts == rows);
    CHECK_FALSE(states.usable(Column::teacher_logprob));
  }
}

TEST_CASE("N38 a recorded teacher is recorded") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Read read = read_text(
        log_with(seed, [](auto& draw) { return std::to_string(-double(draw() % 2000) / 997); }));
    const auto states = states_of(read.rollouts);
    CHECK(states[Column::teacher_logprob].state == ColumnState::recorded);
    CHECK(states[Column::teacher_logprob].values == states[Column::student_logprob].values);
    CHECK(states[Column::rollout_logprob].state == ColumnState::not_recorded);
    CHECK(states[Column::prompt_id].rollouts == rows);
    CHECK(states[Column::reward].state == ColumnState::not_recorded);
  }
}

TEST_CASE("a log says in every response alike whether a column is recorded") {
  const std::string both = R"({"student_logprobs":[-1],"teacher_logprobs":[-2]})"
                           "\n";
  const std::string absent = R"({"student_logprobs":[-1]})"
                             "\n";
  const std::string null = R"({"student_logprobs":[-1],"teacher_logprobs":[null]})"
                           "\n";
  CHECK(refusal(both + absent)
            .find("log.jsonl:2: teacher_logprobs: is absent here, but recorded in line 1") == 0);
  CHECK(refusal(absent + both)
            .find("log.jsonl:2: teacher_logprobs: is recorded here, but not in line 1") == 0);
  // A value that could not be had in a log that has the others is damage.
  CHECK(refusal(both + null).find("log.jsonl:2: teacher_logprobs[0]: 1 bad") == 0);
  CHECK(refusal(absent + null + absent).empty());
  CHECK(refusal(both + both).empty());
}

TEST_CASE("N38 column states count sampled tokens only") {
  const Read read = read_text(
      R"({"mask":[1,0,1],"student_logprobs":[-1,-5,-1],"teacher_logprobs":[-2,null,-3],"entropy":[1,7,null]})"
      "\n");
  const auto states = states_of(read.rollouts);
  CHECK(states[Column::student_logprob].state == ColumnState::constant);
  CHECK(states[Column::student_logprob].values == 2);
  CHECK(states[Column::teacher_logprob].state == ColumnState::recorded);
  CHECK(states[Column::entropy].values == 1);
  CHECK(states[Column::entropy].state == ColumnState::recorded);
  CHECK(states[Column::mask].values == 3);
}

TEST_CASE("B19 an empty response is handed out and counted and has no first token") {
  // Lengths 0, 3, 5 with Delta 0.1: A_0 at gamma 0.9 is none, -0.271, -0.40951.
  const auto response = [](int length) {
    const std::vector<double> s(static_cast<std::size_t>(length), -0.4),
        u(static_cast<std::size_t>(length), -0.5);
    return R"({"prompt_id":"p","student_logprobs":)" + list(s) + R"(,"teacher_logprobs":)" +
           list(u) + "}\n";
  };
  const auto first_advantages = [](const Read& read) {
    std::vector<double> out;
    for (const RolloutRecord& r : read.rollouts) {
      double a = 0, weight = 1;
      bool any = false;
      for (std::size_t t = 0; t < r.view().length(); ++t)
        if (r.view().counts(t)) {
          a -= weight * r.view().delta(t);
          weight *= 0.9;
          any = true;
        }
      if (any) out.push_back(a);
    }
    return out;
  };
  const Read read = read_text(response(0) + response(3) + response(5));
  CHECK(read.rollouts.size() == 3);
  CHECK(read.report.empty_rollouts == 1);
  const auto a = first_advantages(read);
  REQUIRE(a.size() == 2);
  CHECK(a[0] == Approx(-0.271).epsilon(1e-6));
  CHECK(a[1] == Approx(-0.40951).epsilon(1e-6));
  CHECK(std::pow(a[1] - a[0], 2) / 2 ==
        Approx(0.0095925).epsilon(1e-3));  // with a false 0: 0.0433874

  CHECK(read_text(response(3) + response(5)).report.empty_rollouts == 0);
}

TEST_CASE("B19 fully masked responses are empty ones whatever they hold") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Draw draw(seed);
    std::string text;
    int empty = 0;
    for (int row = 0; row < 50; ++row) {
      std::string s, mask;
      bool any = false;
      for (unsigned n = draw() % 4, t = 0; t < n; ++t) {
        const bool counts = draw() % 3 == 0;
        any |= counts;
        s += (t > 0 ? "," : "") + std::string(counts ? "-0.5" : "null");
        mask += std::string(t > 0 ? "," : "") + (counts ? "1" : "0");
      }
      empty += any ? 0 : 1;
      text += R"({"mask":[)" + mask + R"(],"student_logprobs":[)" + s +
              R"(],"teacher_logprobs":[)" + s + "]}\n";
    }
    const Read read = read_text(text);
    CHECK(read.rollouts.size() == 50);
    CHECK(read.report.empty_rollouts == empty);
    CHECK(read.report.nonfinite.total() == 0);
  }
}

TEST_CASE("B19 a log with empty responses only is read and an empty log is not") {
  const std::string empty = R"({"student_logprobs":[],"teacher_logprobs":[]})"
                            "\n";
  const Read read = read_text(empty + empty);
  CHECK(read.rollouts.size() == 2);
  CHECK(read.report.empty_rollouts == 2);
  CHECK(refusal("") == "log.jsonl: is empty");
  CHECK(refusal(" \r\n\n") == "log.jsonl: holds nothing but spaces");
  CHECK(refusal(R"({"v":1,"header":{}})"
                "\n") == "log.jsonl: holds no response");
}
