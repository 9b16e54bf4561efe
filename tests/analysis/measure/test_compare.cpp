// SPDX-License-Identifier: MIT
// Changes between two measurements, against brute force, case N37, and their error rates.
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/compare.hpp"
#include "analysis/measure/estimate.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;

namespace {

/// Rows by prompt; one-token responses, so that at gamma 0 A = -Delta is the row.
using Rows = std::map<std::uint64_t, std::vector<double>>;

const CellSpec first_token{Alignment::window, 0, 1, 0};

Sweep swept(const Rows& rows) {
  Sweep sweep(Plan({}, {first_token}));
  for (const auto& [prompt, values] : rows)
    for (const double a : values) sweep.add(test::response({-a}, prompt));
  return sweep;
}

const Rows golden{{1, {1, 3, -2, 0}},
                  {2, {5, 4, 7}},
                  {3, {-1, -3}},
                  {4, {0, 2, 1, -4}},
                  {5, {-6, -2, -5}},
                  {6, {2, 2, 3, 1}}};
const Rows other{{1, {2, 3.5, -2.5}},
                 {2, {6, 4}},
                 {3, {-1, -4, 1}},
                 {4, {0.5, 2, -5}},
                 {5, {-7, -2.5, -5}},
                 {6, {3, 2, 1}}};

/// Mean of (a - b)^2 / 2 over all pairs of rows of different prompts, one of them left out.
double pairs(const Rows& rows, std::optional<std::uint64_t> without = std::nullopt) {
  double sum = 0, count = 0;
  for (const auto& [p, mine] : rows)
    for (const auto& [q, theirs] : rows) {
      if (p == q || p == without || q == without) continue;
      for (const double a : mine)
        for (const double b : theirs) {
          sum += (a - b) * (a - b) / 2;
          ++count;
        }
    }
  return sum / count;
}

double mean(const Rows& rows, std::optional<std::uint64_t> without = std::nullopt) {
  double sum = 0, count = 0;
  for (const auto& [p, mine] : rows)
    if (p != without)
      for (const double a : mine) {
        sum += a;
        ++count;
      }
  return sum / count;
}

void require_limits(const Change& change, double lower, double upper) {
  const auto limits = change.limits(0.95);
  REQUIRE(limits);
  CHECK(limits->lower == Approx(lower).epsilon(1e-7));
  CHECK(limits->upper == Approx(upper).epsilon(1e-7));
}

Rows drawn(std::mt19937_64& random,
           int prompts,
           int rows,
           double between,
           double within,
           double scale,
           std::vector<double>& effects) {
  std::normal_distribution<double> normal;
  Rows all;
  for (int p = 0; p < prompts; ++p) {
    if (effects.size() <= static_cast<std::size_t>(p)) effects.push_back(normal(random));
    for (int j = 0; j < rows; ++j)
      all[static_cast<std::uint64_t>(p)].push_back(
          scale * (between * effects[static_cast<std::size_t>(p)] + within * normal(random)));
  }
  return all;
}

}  // namespace

TEST_CASE("changes in pairs are the jackknife over prompts of the definition") {
  const double ratio = std::log(pairs(other) / pairs(golden));
  std::vector<double> logs, means;
  for (std::uint64_t p = 1; p <= 6; ++p) {
    logs.push_back(std::log(pairs(other, p) / pairs(golden, p)));
    means.push_back(mean(other, p) - mean(golden, p));
  }
  const auto right = stats::hjs2(ratio, logs),
             right_mean = stats::hjs2(mean(other) - mean(golden), means);
  for (const Pairs how : {Pairs::groups, Pairs::prompts}) {
    const auto changes = changes_of(swept(golden), swept(other), first_token, how);
    REQUIRE(changes.size() == 2);
    const Change &variance = changes[0], &means_change = changes[1];
    CHECK(*variance.one == Approx(12.4515151515).epsilon(1e-7));  // calibration 2
    CHECK(*variance.two == Approx(pairs(other)).epsilon(1e-7));
    CHECK(std::log(*variance.value) == Approx(ratio).epsilon(1e-7));
    require_limits(
        variance, std::exp(*right.lower_limit(0.025)), std::exp(*right.upper_limit(0.025)));
    CHECK(variance.p_above(1.5) == Approx(right.p_above(std::log(1.5))).epsilon(1e-6));
    CHECK(variance.p_below(0.5) == Approx(right.p_below(std::log(0.5))).epsilon(1e-6));
    CHECK(*means_change.value == Approx(mean(other) - mean(golden)).epsilon(1e-7));
    require_limits(means_change, *right_mean.lower_limit(0.025), *right_mean.upper_limit(0.025));
    CHECK(variance.method == "HJS2");
    CHECK(variance.clusters == 6);
    CHECK(*variance.gain > 1);
  }
}

TEST_CASE("a prompt that only one side has is left out or stands alone as asked") {
  Rows more = other;
  more[7] = {4, -6};
  const auto left_out = changes_of(swept(golden), swept(more), first_token, Pairs::prompts);
  const auto without = changes_of(swept(golden), swept(other), first_token, Pairs::prompts);
  CHECK(*left_out[0].value == *without[0].value);
  REQUIRE(left_out[0].limits(0.95));
  CHECK(left_out[0].limits(0.95)->lower == without[0].limits(0.95)->lower);
  const auto kept = changes_of(swept(golden), swept(more), first_token, Pairs::groups);
  CHECK(*kept[0].two == Approx(pairs(more)).epsilon(1e-7));
  CHECK(kept[0].clusters == 7);
  // One that carries the variance is no pair, so it spoils nothing.
  more[7] = {300, -300};
  const auto spared = changes_of(swept(golden), swept(more), first_token, Pairs::prompts);
  REQUIRE(spared[0].limits(0.95));
  CHECK(spared[0].limits(0.95)->lower == without[0].limits(0.95)->lower);
}

TEST_CASE("strangers are compared by the limits of each and results give the same limits") {
  const Sweep one = swept(golden), two = swept(other);
  const auto changes = changes_of(one, two, first_token, Pairs::none);
  const Estimate a = estimate(one, 0, 0), b = estimate(two, 0, 0);
  // Calibration 6.2, on the log scale.
  const auto distance = [](double x, double y) { return std::log(x / y); };
  const double d = distance(*b.variance.value, *a.variance.value);
  const double down = std::hypot(distance(*b.variance.value, *b.variance.lower),
                                 distance(*a.variance.upper, *a.variance.value));
  const double up = std::hypot(distance(*b.variance.upper, *b.variance.value),
                               distance(*a.variance.value, *a.variance.lower));
  require_limits(changes[0], std::exp(d - down), std::exp(d + up));
  const Change left = change_of(a.variance, b.variance);
  require_limits(left, std::exp(d - down), std::exp(d + up));
  CHECK_FALSE(left.has_p());
  CHECK_FALSE(left.limits(0.9));
  const Change means = change_of(a.mean, b.mean);
  CHECK(*means.value == Approx(*changes[1].value));
  CHECK(changes[1].method == "Welch");
}

TEST_CASE("pairs gain what case N37 says") {
  std::mt19937_64 random(37);
  std::vector<double> effects;
  const Sweep one = swept(drawn(random, 64, 4, 0.3, 0.1, 1, effects));
  const Sweep two = swept(drawn(random, 64, 4, 0.3, 0.1, 1, effects));
  const Change mean = changes_of(one, two, first_token, Pairs::groups)[1];
  // Standard errors of standard errors from 64 prompts are 9 %: four of them each way.
  CHECK(std::get<stats::SmoothFit>(mean.fit).jackknife_scale == Approx(0.00884).epsilon(0.36));
  const Change strangers = changes_of(one, two, first_token, Pairs::none)[1];
  CHECK(std::get<WelchFit>(strangers.fit).se == Approx(0.0538).epsilon(0.36));
  CHECK(*mean.gain == Approx(6.08).epsilon(0.5));
  CHECK(*mean.correlation > 0.9);
}

TEST_CASE("the same responses on both sides are no evidence") {
  const Sweep one = swept(golden);
  for (const Change& change : changes_of(one, one, first_token, Pairs::groups)) {
    CHECK(change.status == CellStatus::degenerate);
    CHECK_FALSE(change.limits(0.95));
    CHECK(change.missing.find("no prompt changes this") == 0);
    CHECK(decide(std::vector{change}, 0.05, 0.1)[0].word == ChangeWord::cannot_tell);
  }
}

TEST_CASE("words need a band for not changed and count all numbers of the run") {
  std::mt19937_64 random(4);
  std::vector<double> effects;
  const Sweep one = swept(drawn(random, 400, 4, 1, 0.2, 1, effects));
  const Sweep two = swept(drawn(random, 400, 4, 1, 0.2, 1, effects));
  const Sweep wide = swept(drawn(random, 400, 4, 1, 0.2, 1.5, effects));
  const Change same = changes_of(one, two, first_token, Pairs::groups)[0];
  const Change changed = changes_of(one, wide, first_token, Pairs::groups)[0];
  const auto word = [](const Change& c, double band) {
    return decide(std::vector{c}, 0.05, band)[0].word;
  };
  CHECK(word(same, 0) == ChangeWord::cannot_tell);
  CHECK(word(same, 0.2) == ChangeWord::not_changed);
  CHECK(word(changed, 0) == ChangeWord::changed);
  CHECK(word(changed, 0.2) == ChangeWord::changed);
  CHECK(word(changed, 2) == ChangeWord::not_changed);  // a factor of 2.25, within one of 3
  // One alone agrees with the printed limits.
  const auto limits = *same.limits(0.95);
  CHECK((limits.lower <= 1 && 1 <= limits.upper));
  // Holm: the p-value of one of many is multiplied.
  const std::vector<Change> many(8, changed);
  CHECK(*decide(many, 0.05, 0)[3].p_changed ==
        Approx(std::min(1.0, 8 * *decide(std::vector{changed}, 0.05, 0)[0].p_changed)));
  // What is unreliable is never shown to be steady.
  Change doubtful = same;
  doubtful.status = CellStatus::unreliable;
  CHECK(word(doubtful, 0.2) == ChangeWord::cannot_tell);
  CHECK_THROWS_AS(decide(many, 0.05, -0.1), std::domain_error);
  CHECK_THROWS_AS(decide(many, 0, 0.1), std::domain_error);
}

TEST_CASE("two logs of one law are called changed in few of many pairs of logs") {
  // 5 % of 300: more than 15 + 3 * 3.8 = 26 has probability below 0.4 %, times four rows.
  std::mt19937_64 random(11);
  for (const bool paired : {true, false})
    for (const int prompts : {32, 128}) {
      int variances = 0, means = 0;
      for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> effects;
        const Sweep one = swept(drawn(random, prompts, 4, 0.7, 0.7, 1, effects));
        if (!paired) effects.clear();
        const Sweep two = swept(drawn(random, prompts, 4, 0.7, 0.7, 1, effects));
        const auto changes =
            changes_of(one, two, first_token, paired ? Pairs::groups : Pairs::none);
        variances +=
            decide(std::vector{changes[0]}, 0.05, 0)[0].word == ChangeWord::changed ? 1 : 0;
        means += decide(std::vector{changes[1]}, 0.05, 0)[0].word == ChangeWord::changed ? 1 : 0;
      }
      CAPTURE(paired, prompts, variances, means);
      CHECK(variances <= 26);
      CHECK(means <= 26);
      CHECK(variances + means >= 2);  // not a test that never rejects
    }
}

TEST_CASE("a change of the size that is said to be found is found in four of five pairs of logs") {
  // 80 % of 200 is 160; below 135 or above 185 has probability below 1e-4.
  std::mt19937_64 random(12);
  for (const bool paired : {true, false}) {
    std::vector<double> effects;
    const auto how = paired ? Pairs::groups : Pairs::none;
    const auto draw = [&](double scale) {
      if (!paired) effects.clear();
      return swept(drawn(random, 256, 4, 0.7, 0.7, scale, effects));
    };
    const Change pilot = changes_of(draw(1), draw(1), first_token, how)[0];
    const auto effect = detectable(pilot, 0.05, 1);
    REQUIRE(effect);
    int found = 0;
    for (int trial = 0; trial < 200; ++trial) {
      effects.clear();
      const Sweep one = draw(1), two = draw(std::sqrt(effect->first));
      const Change change = changes_of(one, two, first_token, how)[0];
      found += decide(std::vector{change}, 0.05, 0)[0].word == ChangeWord::changed ? 1 : 0;
    }
    CAPTURE(paired, effect->first, found);
    CHECK(found >= 135);
    CHECK(found <= 185);
  }
}
