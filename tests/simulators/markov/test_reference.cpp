// SPDX-License-Identifier: MIT
// The solver against every number of tests/data/reference/markov.json, which was made by another
// program in 60-digit arithmetic: 1e-11 relative, 1e-15 where the value is 0.
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"
#include "simulators/markov/process_file.hpp"
#include "simulators/markov/token_profile.hpp"
#include "tests/support/reference.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::markov;
using gammascope::test::decimal;
using Json = nlohmann::json;

/// Counts what was compared, so that a key that nobody compares is noticed.
struct Comparison {
  std::map<std::string, int> seen;
  double worst = 0;
  int wrong = 0;
  std::string first_wrong;

  void check(const std::string& what, double value, const Json& expected) {
    const double truth = decimal(expected);
    ++seen[what];
    const double error =
        truth == 0.0 ? std::abs(value) / 1e-15 * 1e-11 : std::abs(value - truth) / std::abs(truth);
    worst = std::max(worst, error);
    if (error <= 1e-11) return;
    if (wrong++ == 0)
      first_wrong = what + ": " + std::to_string(value) + " against " + std::to_string(truth);
  }
};

std::vector<std::int64_t> integers(const Json& rows, const char* key) {
  std::vector<std::int64_t> result;
  for (const Json& row : rows) result.push_back(row.at(key).get<std::int64_t>());
  return result;
}

/// Numbers in the file, written as strings below a key, apart from the process itself.
int count_numbers(const Json& value) {
  if (value.is_string()) return 1;
  int count = 0;
  if (value.is_structured())
    for (const auto& [key, child] : value.items())
      if (key != "process" && key != "name" && key != "gamma") count += count_numbers(child);
  return count;
}

Comparison compare_all(const Json& file) {
  Comparison compare;
  for (const Json& test_case : file.at("cases")) {
    const Process<double> process =
        parse_process(test_case.at("process").dump(), "markov.json").process;
    const auto length = test_case.at("max_length").get<std::int64_t>();

    const auto profile = token_profile(process, length);
    for (std::size_t t = 0; t < test_case.at("alive").size(); ++t)
      compare.check("alive", profile.alive.at(t), test_case.at("alive")[t]);
    compare.check("sigma2", sigma2_max(profile), test_case.at("sigma2_max_over_t"));
    compare.check("noise_variance",
                  largest_in(profile.noise_variance, 0, profile.size()),
                  test_case.at("noise_variance_max"));
    compare.check("drift_variance",
                  largest_in(profile.drift_variance, 0, profile.size()),
                  test_case.at("drift_variance_max"));
    compare.check("max_log_ratio",
                  largest_in(profile.max_log_ratio, 0, profile.size()),
                  test_case.at("max_log_ratio"));

    std::vector<Gamma> gammas;
    for (const Json& result : test_case.at("results"))
      gammas.emplace_back(decimal(result.at("gamma")));
    const Json& first = test_case.at("results").at(0);
    const auto positions = integers(first.at("by_position"), "t");
    const auto windows = integers(first.at("window_at_0"), "window");
    const auto by_position = position_moments<double>(process, gammas, length, positions);
    const auto by_window =
        window_moments<double>(process, gammas, length, windows, WindowStart::zero);
    HorizonTable<double> by_horizon;
    if (first.contains("by_horizon_stopped"))
      by_horizon = horizon_moments<double>(
          process, gammas, length, integers(first.at("by_horizon_stopped"), "horizon"));

    for (std::size_t g = 0; g < gammas.size(); ++g) {
      const Json& result = test_case.at("results")[g];
      const auto rows = [&](const char* key, const auto& line) {
        for (std::size_t i = 0; i < result.at(key).size(); ++i) {
          REQUIRE(line.at(i).has_value());
          compare.check(std::string(key) + " mean", line[i]->mean, result[key][i].at("mean"));
          compare.check(
              std::string(key) + " variance", line[i]->variance, result[key][i].at("variance"));
        }
      };
      rows("by_position", by_position[g]);
      rows("window_at_0", by_window[g]);
      if (result.contains("by_horizon_stopped")) {
        rows("by_horizon_stopped", by_horizon.moments[g]);
        for (std::size_t i = 0; i < by_horizon.probability.size(); ++i)
          compare.check("probability",
                        by_horizon.probability[i],
                        result["by_horizon_stopped"][i].at("probability"));
      }
      if (result.contains("infinite_at_0")) {
        const auto moments = infinite_moments(process, gammas[g]);
        compare.check("infinite mean", moments.mean, result["infinite_at_0"].at("mean"));
        compare.check(
            "infinite variance", moments.variance, result["infinite_at_0"].at("variance"));
      }
    }
  }
  return compare;
}

}  // namespace

TEST_CASE("every number of the reference processes is met to eleven digits") {
  const Json file = gammascope::test::reference("markov.json");
  const Comparison compare = compare_all(file);
  INFO(compare.first_wrong);
  CHECK(compare.wrong == 0);
  CHECK(compare.worst < 1e-12);
  int compared = 0, expected = 0;
  for (const auto& [what, count] : compare.seen) compared += count;
  for (const Json& test_case : file.at("cases")) expected += count_numbers(test_case);
  CHECK(compared == expected);
  CHECK(compared == 10484);
}

TEST_CASE("the comparison with the reference goes red on planted faults") {
  const Json file = gammascope::test::reference("markov.json");
  // One number, one part in 1e10.
  Json wrong = file;
  Json& number = wrong["cases"][4]["results"][3]["by_horizon_stopped"][5]["variance"];
  std::ostringstream text;
  text << std::setprecision(17) << decimal(number) * (1 + 1e-10);
  number = text.str();
  CHECK(compare_all(wrong).wrong == 1);
  // A process that is another one.
  wrong = file;
  std::swap(wrong["cases"][6]["process"]["teacher"][0], wrong["cases"][6]["process"]["teacher"][1]);
  CHECK(compare_all(wrong).wrong > 500);
}
