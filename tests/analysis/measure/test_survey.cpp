// SPDX-License-Identifier: MIT
#include <limits>
#include <set>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/parallel.hpp"
#include "analysis/measure/survey.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;
using test::response;

namespace {

Survey survey_of(const Log& log, unsigned threads = 1) {
  return consume(test::source(log), threads, Survey{});
}

}  // namespace

TEST_CASE("a survey says what is in a log") {
  Log log;
  log.push_back(response({0.25, 0.5}, 1));
  log.push_back(response({}, 1));
  log.push_back(response({1, 1, 1, 1}, 2, FinishReason::length));
  log.push_back(response({0.25}, 3, FinishReason::abort));
  log.push_back(response({0.5, 9, 0.5}, 3, FinishReason::unknown));
  log.back().mask = {1, 0, 1};
  log.back().masked_bad = 1;
  log.push_back(response({9, 0.5, 9}, 4));
  log.back().mask = {0, 1, 0};  // not interior
  log.back().prompt_id.reset();
  log.back().turn = {0, 0, 0};
  const Survey s = survey_of(log);
  CHECK(s.rollouts() == 6);
  CHECK(s.tokens() == 2 + 4 + 1 + 2 + 1);
  CHECK(s.prompts() == 4);
  CHECK(s.prompts_exact());
  CHECK_FALSE(s.has_prompt_ids());
  CHECK(s.without_prompt_id() == 1);
  CHECK(s.empty() == 1);
  CHECK(s.cut() == 2);
  CHECK(s.ended() == 3);
  CHECK(s.damaged() == 1);
  CHECK(s.interior_masks() == 1);
  CHECK(s.without_turn() == 4);
  CHECK(s.longest() == 4);
  CHECK(s.median_length() == 2);  // of 1 1 2 2 4
  CHECK(s.lengths().at(1) == 2);
  CHECK(*s.mean_delta() == Approx((0.75 + 4 + 0.25 + 1 + 0.5) / 10));
}

TEST_CASE("the median length is the lower of two middles and absent without responses") {
  Log log{response({1}, 1), response({1, 1}, 1), response({1, 1, 1}, 1), response({1, 1, 1, 1}, 1)};
  CHECK(survey_of(log).median_length() == 2);
  log = {response({}, 1)};
  const Survey none = survey_of(log);
  CHECK_FALSE(none.median_length());
  CHECK_FALSE(none.mean_delta());
  CHECK(none.longest() == 0);
  CHECK(survey_of(Log{}).rollouts() == 0);
}

TEST_CASE("a survey is the same for any number of threads and any sharding") {
  const Log log = test::random_log(1, 2000, 30);
  const Survey one = survey_of(log);
  CHECK(one == survey_of(log, 2));
  CHECK(one == survey_of(log, 8));
  std::vector<Survey> shards(3);
  for (std::size_t i = 0; i < log.size(); ++i) shards[i * 7 % 3].add(log[i]);
  shards[1].merge(shards[2]);
  shards[1].merge(shards[0]);
  CHECK(one == shards[1]);
  std::set<std::uint64_t> prompts;
  for (const RolloutRecord& r : log) prompts.insert(r.prompt_hash);
  CHECK(one.prompts() == static_cast<std::int64_t>(prompts.size()));
}

TEST_CASE("more prompts than can be counted are said to be more") {
  Survey s;
  RolloutRecord r = response({1}, 1);
  for (std::uint64_t p = 0; p < Survey::max_prompts; ++p) {
    r.prompt_hash = test::spread(p);
    s.add(r);
  }
  CHECK(s.prompts_exact());
  CHECK(s.prompts() == static_cast<std::int64_t>(Survey::max_prompts));
  r.prompt_hash = test::spread(Survey::max_prompts);
  Survey other;
  other.add(r);
  Survey merged = other;
  merged.merge(s);
  s.merge(other);
  CHECK_FALSE(s.prompts_exact());
  CHECK(merged == s);
  CHECK(s.prompts() == static_cast<std::int64_t>(Survey::max_prompts));
}

TEST_CASE("log-ratios beyond the range leave no mean instead of a wrong one") {
  const Log log{response({1, 1e7}, 1)};
  CHECK_FALSE(survey_of(log).mean_delta());
  Log nan{response({1, 2}, 1)};
  nan[0].student_logprob[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(survey_of(nan).mean_delta());
}
