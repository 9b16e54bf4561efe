// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include "proofs_check/sweep.hpp"

namespace gammascope::proofs {
namespace {

TEST_CASE("a sample looks at different members spread over the domain") {
  for (const std::uint64_t size : {1ULL, 2ULL, 7ULL, 1000ULL, 303750ULL}) {
    const Sample sample{size, std::min<std::uint64_t>(size, 500)};
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < sample.take; ++i) seen.insert(sample.member(i));
    CHECK(seen.size() == sample.take);
    CHECK(*seen.rbegin() < size);
    if (size == 303750) CHECK(*seen.rbegin() > size - 2000);
  }
}

TEST_CASE("the first counterexample is the same whatever the number of threads") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    Run run;
    run.threads = threads;
    Outcome outcome;
    sweep(
        run,
        {10000, 10000},
        [](std::uint64_t i) {
          if (i == 4321 || i % 5000 == 4999) return Verdict{0, std::to_string(i)};
          return Verdict{1, {}};
        },
        outcome);
    REQUIRE(outcome.counterexample);
    CHECK(*outcome.counterexample == "4321");
  }
}

TEST_CASE("a domain without a counterexample is counted whole") {
  Run run;
  run.threads = 3;
  double last = -1;
  bool ascending = true;
  run.progress = [&](double share) {
    ascending = ascending && share >= last && share <= 1;
    last = share;
  };
  Outcome outcome;
  sweep(
      run,
      {12345, 12345},
      [](std::uint64_t) {
        return Verdict{2, {}};
      },
      outcome);
  CHECK(outcome.checked == 24690);
  CHECK_FALSE(outcome.counterexample);
  CHECK(ascending);
}

TEST_CASE("an exception in one thread stops the sweep and is thrown on") {
  Run run;
  run.threads = 2;
  Outcome outcome;
  CHECK_THROWS_AS(sweep(
                      run,
                      {100000, 100000},
                      [](std::uint64_t i) -> Verdict {
                        if (i == 777) throw std::runtime_error("stop");
                        return {1, {}};
                      },
                      outcome),
                  std::runtime_error);
}

}  // namespace
}  // namespace gammascope::proofs
