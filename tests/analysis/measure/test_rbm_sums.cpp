// SPDX-License-Identifier: MIT
// |b| of reward-bounded mixing against its definition and the facts of theory-2, 7a.
#include <cmath>
#include <numeric>
#include <vector>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/rbm_sums.hpp"

using namespace gammascope;
using namespace gammascope::measure;

namespace {

double mean_of(const std::pair<std::vector<stats::ClusterSums>, double>& sums) {
  double rows = 0, s1 = 0;
  for (const auto& c : sums.first) rows += c.rows, s1 += c.s1;
  return sums.second + s1 / rows;
}

}  // namespace

TEST_CASE("equal credits take half of the reward and a lone one T over T plus 1") {
  // Delta = (1, 0, 0, …) at gamma 0: A = (-1, 0, …), b_0 = -1 / (1/T + 1).
  RbmSums lone({0.0}, {0.7, 0.75}, {});
  lone.add(test::response({1, 0, 0}, 1));
  CHECK(mean_of(lone.share(0)) == Approx(0.75 / 3));
  CHECK(mean_of(lone.above(0, 0)) == Approx(1.0 / 3));
  CHECK(mean_of(lone.above(0, 1)) == 0);  // above, not at
  RbmSums equal({0.0}, {}, {});
  equal.add(test::response(std::vector<double>(7, -0.25), 1));
  CHECK(mean_of(equal.share(0)) == Approx(0.5));
  RbmSums nothing({1.0}, {0.0}, {});
  nothing.add(test::response(std::vector<double>(7, 0.0), 1));
  CHECK(mean_of(nothing.share(0)) == 0);
  CHECK(mean_of(nothing.above(0, 0)) == 0);
}

TEST_CASE("no response takes more than half of the reward and no token more than T over T plus 1") {
  const auto log = test::random_log(3, 200, 30);
  for (const double gamma : {0.0, 0.9, 1.0})
    for (const RolloutRecord& r : log) {
      std::size_t length = 0;
      for (std::size_t t = 0; t < r.view().length(); ++t) length += r.view().counts(t) ? 1u : 0u;
      if (length == 0) continue;
      const double most = double(length) / double(length + 1);
      RbmSums one({gamma}, {most + 1e-12}, {});
      one.add(r);
      CHECK(mean_of(one.share(0)) <= 0.5 + 1e-9);
      CHECK(mean_of(one.above(0, 0)) == 0);
    }
}

TEST_CASE("rows are responses and tokens and neither order nor parts matter") {
  const auto log = test::random_log(4, 120, 20);
  Settings drop;
  drop.truncated = Truncated::drop;
  for (const Settings& how : {Settings{}, drop}) {
    RbmSums whole({0.5, 1.0}, {0.5}, how), first({0.5, 1.0}, {0.5}, how),
        second({0.5, 1.0}, {0.5}, how);
    std::int64_t responses = 0, tokens = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
      whole.add(log[i]);
      (i % 2 == 0 ? first : second).add(log[log.size() - 1 - i]);
      if (how.truncated == Truncated::drop && log[i].view().cut()) continue;
      std::int64_t length = 0;
      for (std::size_t t = 0; t < log[i].view().length(); ++t)
        length += log[i].view().counts(t) ? 1 : 0;
      responses += length > 0 ? 1 : 0;
      tokens += length;
    }
    first.merge(second);
    CHECK(whole.responses() == responses);
    CHECK(whole.tokens() == tokens);
    for (std::size_t g = 0; g < 2; ++g) {
      CHECK(first.share(g).first == whole.share(g).first);
      CHECK(first.above(g, 0).first == whole.above(g, 0).first);
    }
  }
  RbmSums other({0.5}, {0.5}, {}), one({1.0}, {0.5}, {});
  CHECK_THROWS_AS(one.merge(other), std::invalid_argument);
}
