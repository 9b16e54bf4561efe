// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/bounds/sharp.hpp"
#include "analysis/verdict/split_halves.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using check::Halves;
using stats::ClusterSums;

namespace {

std::vector<ClusterSums> clusters(test::Dice& dice, std::size_t prompts, double sd) {
  std::vector<ClusterSums> all(prompts);
  for (auto& one : all)
    for (int j = 0; j < 4; ++j) {
      const double a = sd * dice.normal();
      one.rows += 1, one.s1 += a, one.s2 += a * a;
    }
  return all;
}

stats::HjsFit variance(test::Dice& dice, std::size_t prompts, double sd) {
  return stats::hjs_variance(clusters(dice, prompts, sd));
}
stats::HjsFit second(test::Dice& dice, std::size_t prompts, double sd) {
  return stats::hjs_second_moment(clusters(dice, prompts, sd));
}

check::BoundOfSigma2 times(double factor) {
  return [factor](double s) { return factor * s; };
}

}  // namespace

TEST_CASE("Up to 64 positions all are candidates and above 64 log-spaced ones with both ends") {
  CHECK(check::candidates(3, 2).empty());
  CHECK(check::candidates(5, 5) == std::vector<std::int64_t>{5});
  const auto few = check::candidates(10, 73);
  CHECK(few.size() == 64);
  CHECK(few.front() == 10);
  CHECK(few.back() == 73);
  for (const std::int64_t last : {74, 100, 1000, 32767, 1000000000}) {
    const auto many = check::candidates(10, last);
    CAPTURE(last);
    CHECK(many.size() == 64);
    CHECK(many.front() == 10);
    CHECK(many.back() == last);
    CHECK(std::is_sorted(many.begin(), many.end()));
    CHECK(std::adjacent_find(many.begin(), many.end()) == many.end());
    // Log-spaced: no gap is more than a few times the place it starts from.
    for (std::size_t i = 8; i + 1 < many.size(); ++i)
      CHECK(static_cast<double>(many[i + 1] - 9) <= 2.0 * static_cast<double>(many[i] - 9) + 1.0);
  }
}

TEST_CASE("For a bound that is a multiple of sigma2 the comparison is the calibrated MOVER") {
  test::Dice dice(1);
  for (const double factor : {0.3, 1.0, 2.0, 9.0}) {
    const auto one = variance(dice, 40, 1.0);
    const auto two = second(dice, 30, 0.8);
    const auto mine = check::mover_p(one, two, times(factor));
    const auto theirs = stats::mover_p(one, two, factor);
    CHECK(mine.below == Approx(theirs.below).epsilon(1e-6));
    CHECK(mine.above == Approx(theirs.above).epsilon(1e-6));
  }
  CHECK(check::mover_p({}, second(dice, 30, 1.0), times(1)).below == 1.0);
  CHECK(check::mover_p(variance(dice, 30, 1.0), {}, times(1)).above == 1.0);
}

TEST_CASE("A bound that saturates narrows the room of sigma2 and not that of the variance") {
  // V1* is constant from its saturation on: above it only the variance's own limits count.
  test::Dice dice(2);
  const auto one = variance(dice, 60, 0.5);
  const auto two = second(dice, 60, 30.0);
  const double c = 2.0;
  const double top = bounds::v1_star(bounds::Sigma2(1e6), c);
  const auto p =
      check::mover_p(one, two, [&](double s) { return bounds::v1_star(bounds::Sigma2(s), c); });
  CHECK(p.below == Approx(one.p_pass(top)).epsilon(1e-6).margin(1.01e-16));
}

TEST_CASE("The position with the largest second moment in one half is judged in the other") {
  // Each half has another largest position, so each exchange reads sigma2 elsewhere.
  test::Dice dice(7);
  Halves credit{variance(dice, 40, 1.0), variance(dice, 40, 1.1)};
  std::vector<Halves> positions{{second(dice, 40, 0.5), second(dice, 40, 1.4)},
                                {second(dice, 40, 2.0), second(dice, 40, 0.9)}};
  const auto bound = times(2.0);
  for (const bool exchanged : {false, true}) {
    CAPTURE(exchanged);
    const std::size_t of_first = exchanged ? 0 : 1, of_second = 1 - of_first;
    const auto forth = check::mover_p(credit.first, positions[of_first].second, bound);
    const auto back = check::mover_p(credit.second, positions[of_second].first, bound);
    REQUIRE(forth.below != back.below);
    const auto split = check::split_halves(credit, positions, true, bound);
    CHECK(split.p_pass == std::max(forth.below, back.below));
    const bool by_back = back.below > forth.below;
    CHECK(by_back != exchanged);
    CHECK(split.chosen == (by_back ? of_second : of_first));
    CHECK(split.sigma2 ==
          (by_back ? positions[of_second].first.value : positions[of_first].second.value));
    CHECK(split.variance == (by_back ? &credit.second : &credit.first));
    CHECK(split.cannot_fail.empty());
    std::swap(credit.first, credit.second);
    for (Halves& one : positions) std::swap(one.first, one.second);
  }
}

TEST_CASE("Of the two exchanges the larger p counts in both directions") {
  test::Dice dice(6);
  // The first half alone is far above the bound, the second far below: nothing is shown.
  const Halves credit{variance(dice, 60, 5.0), variance(dice, 60, 0.1)};
  const std::vector<Halves> positions{{second(dice, 60, 1.0), second(dice, 60, 1.0)}};
  const auto split = check::split_halves(credit, positions, true, times(1));
  CHECK(split.p_pass > 0.99);
  CHECK(split.p_fail > 0.99);
  CHECK(split.variance_to_fail == &credit.second);
}

TEST_CASE("A fail must beat every position of the sum") {
  test::Dice dice(8);
  const Halves credit{variance(dice, 60, 4.0), variance(dice, 60, 4.0)};
  const Halves small{second(dice, 60, 0.5), second(dice, 60, 0.5)};
  const Halves large{second(dice, 60, 4.0), second(dice, 60, 4.0)};
  std::vector<Halves> positions{small, small, small};
  CHECK(check::split_halves(credit, positions, true, times(4)).p_fail < 1e-3);
  SECTION("one that it does not beat stops it") {
    positions[2] = large;
    CHECK(check::split_halves(credit, positions, true, times(4)).p_fail > 0.5);
  }
  SECTION("positions that are no candidates stop it") {
    const auto split = check::split_halves(credit, positions, false, times(4));
    CHECK(split.p_fail == 1.0);
    CHECK_FALSE(split.cannot_fail.empty());
  }
  SECTION("a position with fewer than 8 prompts in a half stops it") {
    positions[1] = {second(dice, 60, 0.5), second(dice, 7, 0.5)};
    const auto split = check::split_halves(credit, positions, true, times(4));
    CHECK(split.p_fail == 1.0);
    CHECK(split.cannot_fail.find("8 prompts") != std::string::npos);
    CHECK(split.sigma2.has_value());
  }
}

TEST_CASE("Without a position that has 8 prompts in each half there is no sigma2") {
  test::Dice dice(9);
  const Halves credit{variance(dice, 7, 1.0), variance(dice, 9, 1.0)};
  const std::vector<Halves> positions{{second(dice, 7, 1.0), second(dice, 9, 1.0)}};
  const auto split = check::split_halves(credit, positions, true, times(1));
  CHECK_FALSE(split.sigma2.has_value());
  CHECK(split.p_pass == 1.0);
  CHECK(split.p_fail == 1.0);
  const auto none = check::split_halves(credit, {}, true, times(1));
  CHECK(none.p_fail == 1.0);
  CHECK(none.p_pass == 1.0);
}
