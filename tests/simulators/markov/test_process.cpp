// SPDX-License-Identifier: MIT
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>

#include "simulators/markov/enumerate.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"
#include "simulators/markov/process.hpp"
#include "simulators/markov/token_profile.hpp"
#include "tests/simulators/support/random_process.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::markov;
using Rows = std::vector<std::vector<Edge<double>>>;

constexpr double inf = std::numeric_limits<double>::infinity();

std::string complaint(std::vector<double> initial,
                      Rows rows,
                      std::optional<std::uint32_t> end = std::nullopt) {
  try {
    const Process<double> process(std::move(initial), std::move(rows), end, 2);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a process that breaks a rule is refused with state and rule") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Rows good{{{0.5, 0.1, 0, 0}, {0.5, -0.1, 0, 1}}};
  CHECK(complaint({1}, good).empty());
  CHECK(complaint({}, {}) == "a process needs at least one state");
  CHECK(complaint({1, 0}, good) == "the initial distribution has one entry for each state");
  CHECK(complaint({0.5}, good) == "the initial distribution does not sum to 1");
  CHECK(complaint({nan}, good) == "an initial probability is negative");
  CHECK(complaint({1}, good, 0u) == "a response cannot begin in the end state");
  CHECK(complaint({1}, good, 1u) == "the end state does not exist");
  CHECK(complaint({1}, {{{0.5, 0, 0, 0}, {0.4, 0, 0, 1}}}) ==
        "state 0: the student's probabilities do not sum to 1");
  CHECK(complaint({1}, {{{1, 0, 1, 0}}}) == "state 0: the next state does not exist");
  CHECK(complaint({1}, {{{1, 0, 0, 2}}}) == "state 0: a token is outside the vocabulary");
  CHECK(complaint({1}, {{{0, 0, 0, 0}, {1, 0, 0, 1}}}) == "state 0: a probability is not positive");
  CHECK(complaint({1}, {{{1, nan, 0, 0}}}) == "state 0: a log-ratio is not a number");
  CHECK(complaint({1}, {{{1, inf, 0, 0}}}) ==
        "state 0: a log-ratio is plus infinity, but the student does emit the token");
  CHECK(complaint({1}, {{{0.5, 1, 0, 0}, {0.5, 2, 0, 0}}}) ==
        "state 0: one token has two log-ratios");
  CHECK(complaint({1, 0}, {{{1, 0, 1, 0}}, {}}).find("state 1: ") == 0);
  CHECK(complaint({1, 0}, {{{1, 0, 1, 0}}, {}}, 1u).empty());
}

TEST_CASE("the recursion is exact over the rationals") {
  using Q = boost::multiprecision::cpp_rational;
  const Process<Q> process({Q(1, 3), Q(2, 3), Q(0)},
                           {{{Q(1, 2), Q(1, 7), 1, 0}, {Q(1, 2), Q(-2, 5), 2, 1}},
                            {{Q(1, 4), Q(-3, 11), 0, 0}, {Q(3, 4), Q(1, 13), 2, 1}},
                            {}},
                           2u,
                           2);
  const std::vector<Gamma> gammas{Gamma(0.75)};
  const std::vector<std::int64_t> n{5};
  const auto table = window_moments<Q>(process, gammas, 8, n, WindowStart::zero);
  Q mean = 0, second = 0;
  enumerate<Q>(process, 5, [&](const Trajectory<Q>& y) {
    Q sum = 0, weight = 1;
    for (const Q& x : y.log_ratio) {
      sum += weight * x;
      weight *= Q(3, 4);
    }
    mean += y.probability * sum;
    second += y.probability * sum * sum;
  });
  CHECK(table[0][0]->mean == mean);
  CHECK(table[0][0]->variance == Q(second - mean * mean));
}

TEST_CASE("states that no response reaches change nothing") {
  const Process<double> small({1}, {{{0.5, 0.1, 0, 0}, {0.5, -0.2, 0, 1}}}, std::nullopt, 2);
  const Process<double> large(
      {1, 0}, {{{0.5, 0.1, 0, 0}, {0.5, -0.2, 0, 1}}, {{1, -inf, 0, 0}}}, std::nullopt, 2);
  CHECK(reachable_states(large) == std::vector<bool>{true, false});
  CHECK_FALSE(meets_minus_infinity(large));
  const std::vector<Gamma> gammas{Gamma(0.9)};
  const std::vector<std::int64_t> n{4};
  const auto a = window_moments<double>(small, gammas, 8, n, WindowStart::all)[0][0];
  const auto b = window_moments<double>(large, gammas, 8, n, WindowStart::all)[0][0];
  CHECK(a->variance == b->variance);
  CHECK(infinite_moments(small, gammas[0]).variance ==
        Approx(infinite_moments(large, gammas[0]).variance).epsilon(1e-15));
  CHECK(token_profile(large, 5).max_log_ratio[0] == 0.2);
}

TEST_CASE("a token that the teacher never emits makes the exact answer infinite") {
  // State 0 leads to state 1, whose token the teacher never emits; then the end.
  const Process<double> process(
      {1, 0, 0}, {{{1, -0.5, 1, 0}}, {{0.5, -inf, 2, 1}, {0.5, 0.1, 2, 0}}, {}}, 2u, 2);
  CHECK(meets_minus_infinity(process));
  const std::vector<Gamma> gammas{Gamma(0.0), Gamma(0.5)};
  const std::vector<std::int64_t> n{1, 2, 3};
  const auto table = window_moments<double>(process, gammas, 8, n, WindowStart::zero);
  CHECK(table[0][2]->mean == -0.5);  // gamma = 0 does not look ahead
  CHECK(table[0][2]->variance == 0);
  CHECK(table[1][0]->mean == -0.5);  // one token does not reach state 1
  CHECK(table[1][1]->infinite());
  CHECK(table[1][1]->mean == -inf);
  CHECK(table[1][1]->variance == inf);
  CHECK(table[1][1]->second_moment() == inf);
  CHECK(infinite_moments(process, Gamma(0.5)).infinite());
  CHECK(infinite_moments(process, Gamma(0.0)).mean == -0.5);
  const auto horizon = horizon_moments<double>(process, gammas, 8, n);
  CHECK(horizon.moments[0][1]->mean == -0.5);
  CHECK(horizon.moments[1][1]->infinite());
  CHECK(horizon_second_moments<double>(process, 8, 2)[0] == inf);
  const auto profile = token_profile(process, 8);
  CHECK(profile.size() == 2);
  CHECK(profile.alive[2] == 0);
  CHECK(profile.second_moment[1] == inf);
  CHECK(profile.max_log_ratio[1] == inf);
  CHECK(mean_token_log_ratio(profile) == -inf);
  CHECK(stopped_drift_variance_max(profile) == inf);
}

TEST_CASE("a change of number type keeps the process") {
  std::mt19937_64 engine(3);
  const Process<double> process =
      gammascope::test::random_process(engine, {.max_states = 4, .max_tokens = 3, .kernel = true});
  const auto there = convert_process<long double>(process);
  const auto back = convert_process<double>(there);
  REQUIRE(back.nonzeros() == process.nonzeros());
  const std::vector<Gamma> gammas{Gamma(0.99)};
  const std::vector<std::int64_t> n{40};
  CHECK(window_moments<double>(back, gammas, 64, n, WindowStart::all)[0][0]->variance ==
        window_moments<double>(process, gammas, 64, n, WindowStart::all)[0][0]->variance);
  CHECK(static_cast<double>(
            window_moments<long double>(there, gammas, 64, n, WindowStart::all)[0][0]->variance) ==
        Approx(window_moments<double>(process, gammas, 64, n, WindowStart::all)[0][0]->variance)
            .epsilon(1e-13));
}

TEST_CASE("positions windows and horizons outside the process are refused or absent") {
  const Process<double> process({1}, {{{1, -0.1, 0, 0}}}, std::nullopt, 1);
  const std::vector<Gamma> gammas{Gamma(1.0)};
  const auto at = [](std::int64_t n) { return std::vector<std::int64_t>{n}; };
  CHECK_THROWS_AS(position_moments<double>(process, gammas, 4, at(4)), std::invalid_argument);
  CHECK_THROWS_AS(position_moments<double>(process, gammas, 4, at(-1)), std::invalid_argument);
  CHECK_THROWS_AS(window_moments<double>(process, gammas, 4, at(0), WindowStart::zero),
                  std::invalid_argument);
  CHECK_THROWS_AS(window_moments<double>(process, gammas, std::nullopt, at(1), WindowStart::all),
                  std::invalid_argument);
  CHECK_THROWS_AS(horizon_moments<double>(process, gammas, 4, at(0)), std::invalid_argument);
  CHECK_FALSE(window_moments<double>(process, gammas, 4, at(5), WindowStart::zero)[0][0]);
  CHECK(
      window_moments<double>(process, gammas, std::nullopt, at(5), WindowStart::zero)[0][0]->mean ==
      Approx(-0.5));
  const auto horizon = horizon_moments<double>(process, gammas, 4, at(1));
  CHECK(horizon.probability[0] == 0);  // it never ends
  CHECK_FALSE(horizon.moments[0][0]);
  CHECK(horizon_second_moments<double>(process, 4, 1).empty());
}
