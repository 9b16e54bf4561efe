// SPDX-License-Identifier: MIT
// Case B12: sentinels and numbers that are none, how they are spelled, and the four policies.
#include <limits>

#include "analysis/io/apply_nonfinite.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;
using Kind = io::NonFinitePolicy::Kind;

namespace {

using Member = std::int64_t io::NonFiniteCounts::*;
struct Spelling {
  std::string json;
  Member count;
};
const std::vector<Spelling> spellings{{"NaN", &io::NonFiniteCounts::nan},
                                      {"nan", &io::NonFiniteCounts::nan},
                                      {"\"NaN\"", &io::NonFiniteCounts::nan},
                                      {"\"nan\"", &io::NonFiniteCounts::nan},
                                      {"-Infinity", &io::NonFiniteCounts::minus_inf},
                                      {"\"-Infinity\"", &io::NonFiniteCounts::minus_inf},
                                      {"\"-inf\"", &io::NonFiniteCounts::minus_inf},
                                      {"-inf", &io::NonFiniteCounts::minus_inf},
                                      {"-1e400", &io::NonFiniteCounts::minus_inf},
                                      {"-1e39", &io::NonFiniteCounts::minus_inf},
                                      {"Infinity", &io::NonFiniteCounts::plus_inf},
                                      {"\"inf\"", &io::NonFiniteCounts::plus_inf},
                                      {"\"+inf\"", &io::NonFiniteCounts::plus_inf},
                                      {"1e400", &io::NonFiniteCounts::plus_inf},
                                      {"null", &io::NonFiniteCounts::null},
                                      {"-9999", &io::NonFiniteCounts::sentinel_9999},
                                      {"-9999.0", &io::NonFiniteCounts::sentinel_9999},
                                      {"-1e4", &io::NonFiniteCounts::sentinel_10000},
                                      {"-10000", &io::NonFiniteCounts::sentinel_10000},
                                      {"-1000", &io::NonFiniteCounts::sentinel_1000},
                                      {"-100", &io::NonFiniteCounts::sentinel_100},
                                      {"-100.0", &io::NonFiniteCounts::sentinel_100},
                                      {"1.0", &io::NonFiniteCounts::sentinel_plus_1},
                                      {"1", &io::NonFiniteCounts::sentinel_plus_1},
                                      {"0.5", &io::NonFiniteCounts::positive},
                                      {"2e-6", &io::NonFiniteCounts::positive}};
/// Numbers that look odd and are log-probabilities all the same.
const std::vector<std::string> harmless{"0",
                                        "-0",
                                        "0.0",
                                        "1e-6",
                                        "1e-7",
                                        "-1e-400",
                                        "-99.99",
                                        "-100.5",
                                        "-999",
                                        "-1001",
                                        "-9998.5",
                                        "-88"};

/// `size` tokens with student -0.4 and teacher -0.5, so Delta = 0.1; token `at` of a column is odd.
std::string line(std::size_t size, std::size_t at, const std::string& odd, bool in_student) {
  std::string student, teacher;
  for (std::size_t t = 0; t < size; ++t) {
    const std::string comma = t > 0 ? "," : "";
    student += comma + (in_student && t == at ? odd : "-0.4");
    teacher += comma + (!in_student && t == at ? odd : "-0.5");
  }
  return R"({"prompt_id":"p","student_logprobs":[)" + student + R"(],"teacher_logprobs":[)" +
         teacher + "]}\n";
}

struct Summary {
  double mean = 0, variance = 0;
  int n = 0;
};
Summary delta_of(const RolloutRecord& r) {
  Summary s;
  for (std::size_t t = 0; t < r.view().length(); ++t)
    if (r.view().counts(t)) {
      s.mean += r.view().delta(t);
      ++s.n;
    }
  s.mean /= s.n;
  for (std::size_t t = 0; t < r.view().length(); ++t)
    if (r.view().counts(t)) s.variance += std::pow(r.view().delta(t) - s.mean, 2) / s.n;
  return s;
}

}  // namespace

TEST_CASE("B12 every spelling is counted under its own name and refused by default") {
  const auto spelling = GENERATE(from_range(spellings));
  const bool in_student = GENERATE(false, true);
  INFO(spelling.json);
  const std::string log = line(5, 2, spelling.json, in_student);
  const std::string message = refusal(log);
  CHECK(message.find(in_student ? "log.jsonl:1: student_logprobs[2]: 1 bad"
                                : "log.jsonl:1: teacher_logprobs[2]: 1 bad") == 0);
  CHECK(message.find("among 5 sampled tokens") != std::string::npos);
  CHECK(message.find("--nonfinite drop-rollout, mask-token or clip C") != std::string::npos);

  const Read read = read_text(log, with(Kind::mask_token));
  CHECK(read.report.nonfinite.*spelling.count == 1);
  CHECK(read.report.nonfinite.total() == 1);
  CHECK(read.report.masked_tokens == 1);
  REQUIRE(read.rollouts.size() == 1);
  CHECK(read.rollouts[0].mask == std::vector<std::uint8_t>{1, 1, 0, 1, 1});
  CHECK(read.rollouts[0].masked_bad == 1);
  CHECK(read.rollouts[0].view().damaged);
}

TEST_CASE("B12 a log with odd but possible numbers is read as it is") {
  const auto number = GENERATE(from_range(harmless));
  INFO(number);
  const Read read = read_text(line(5, 2, number, GENERATE(false, true)));
  CHECK(read.report.nonfinite.total() == 0);
  REQUIRE(read.rollouts.size() == 1);
  CHECK(read.rollouts[0].mask.empty());
  CHECK_FALSE(read.rollouts[0].view().damaged);
}

TEST_CASE("B12 one sentinel among 99 good tokens ruins mean and variance unless it is treated") {
  // What the numbers would say: mean 100.087, variance 999 740. Right: 0.1 and 0.
  const double wrong = (99 * 0.1 + 9998.6) / 100;
  REQUIRE(wrong == Approx(100.085).epsilon(1e-4));
  const std::string log = line(100, 57, "-9999", false);
  const RolloutRecord masked = read_text(log, with(Kind::mask_token)).rollouts.at(0);
  CHECK(delta_of(masked).n == 99);
  CHECK(delta_of(masked).mean == Approx(0.1).epsilon(1e-6));
  CHECK(delta_of(masked).variance < 1e-20);

  const Read dropped = read_text(log, with(Kind::drop_rollout));
  CHECK(dropped.rollouts.empty());
  CHECK(dropped.report.dropped_rollouts == 1);
  CHECK(dropped.report.nonfinite.sentinel_9999 == 1);

  const Read clipped = read_text(log, with(Kind::clip, 20));
  CHECK(delta_of(clipped.rollouts.at(0)).mean == Approx((99 * 0.1 + 20) / 100).epsilon(1e-6));
  CHECK(clipped.rollouts[0].clipped == 1);
  CHECK(clipped.report.clipped_tokens == 1);
  CHECK(clipped.report.masked_tokens == 0);

  CHECK(delta_of(read_text(line(100, 57, "-0.5", false)).rollouts.at(0)).variance < 1e-20);
}

TEST_CASE("B12 random damage is found to the last token") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    std::string student, teacher, mask;
    io::NonFiniteCounts expected;
    std::int64_t bad_tokens = 0;
    const std::size_t size = 3 + draw() % 200;
    for (std::size_t t = 0; t < size; ++t) {
      const bool counts = t == 0 || draw() % 4 != 0;
      bool bad = false;
      for (auto* column : {&student, &teacher}) {
        if (t > 0) *column += ",";
        if (t > 0 && draw() % 5 == 0) {
          const Spelling& spelling = spellings[draw() % spellings.size()];
          *column += spelling.json;
          if (counts) ++(expected.*spelling.count);
          bad = true;
        } else {
          *column += draw() % 3 == 0 ? harmless[draw() % harmless.size()]
                                     : std::to_string(-double(draw() % 900) / 13);
        }
      }
      mask += (t > 0 ? "," : "") + std::to_string(counts ? 1 : 0);
      bad_tokens += bad && counts ? 1 : 0;
    }
    const std::string log = R"({"mask":[)" + mask + R"(],"student_logprobs":[)" + student +
                            R"(],"teacher_logprobs":[)" + teacher + "]}\n";
    const Read read = read_text(log, with(Kind::mask_token));
    CHECK(io::describe(read.report.nonfinite) == io::describe(expected));
    CHECK(read.rollouts.at(0).masked_bad == bad_tokens);
    CHECK(read.report.masked_tokens == bad_tokens);
    for (std::size_t t = 0; t < size; ++t)
      if (read.rollouts[0].view().counts(t)) CHECK(std::isfinite(read.rollouts[0].view().delta(t)));
    if (bad_tokens > 0) CHECK_FALSE(refusal(log).empty());
  }
}

TEST_CASE("whatever stands at a masked token is ignored") {
  const auto spelling = GENERATE(from_range(spellings));
  INFO(spelling.json);
  const Read read = read_text(R"({"mask":[1,0,1],"student_logprobs":[-1,)" + spelling.json +
                              R"(,-1],"teacher_logprobs":[-1,)" + spelling.json + ",-1]}\n");
  CHECK(read.report.nonfinite.total() == 0);
  CHECK(read.rollouts.at(0).masked_bad == 0);
  CHECK(read.rollouts[0].mask == std::vector<std::uint8_t>{1, 0, 1});
}

TEST_CASE("clip limits every log-ratio and keeps the student") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Draw draw(seed);
    RolloutRecord r;
    for (int t = 0; t < 500; ++t) {
      r.student_logprob.push_back(-float(draw() % 100003) / 1301.0f);
      r.teacher_logprob.push_back(draw() % 7 == 0 ? -std::numeric_limits<float>::infinity()
                                                  : -float(draw() % 100003) / 1303.0f);
    }
    const RolloutRecord before = r;
    const double limit = 0.1 + double(draw() % 1000) / 37;
    io::NonFiniteCounts counts;
    (void)io::apply_nonfinite({Kind::clip, limit}, r, counts, "s", "t");
    CHECK(r.student_logprob == before.student_logprob);
    CHECK(r.mask.empty());
    std::int64_t moved = 0;
    for (std::size_t t = 0; t < 500; ++t) {
      const double was = before.view().delta(t), is = r.view().delta(t);
      CHECK(std::abs(is) <= limit);
      if (std::abs(was) <= limit)
        CHECK(is == was);
      else
        CHECK(is == Approx(was > 0 ? limit : -limit).margin(2e-5));
      moved += is != was ? 1 : 0;
    }
    CHECK(r.clipped == moved);
    CHECK(moved > 0);
  }
}

TEST_CASE("clip masks what has no sign to clip") {
  const std::string odd = GENERATE(as<std::string>(), "NaN", "null", "1.0", "0.5", "Infinity");
  const Read read = read_text(line(4, 1, odd, false), with(Kind::clip, 5));
  CHECK(read.rollouts.at(0).masked_bad == 1);
  CHECK(read.rollouts[0].clipped == 0);
  const Read student = read_text(line(4, 1, "-Infinity", true), with(Kind::clip, 5));
  CHECK(student.rollouts.at(0).masked_bad == 1);
}
