// SPDX-License-Identifier: MIT
// Quick domains here; the full ones in test_full_domain.cpp, label `proofs`.
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "proofs_check/claim.hpp"

namespace gammascope::proofs {
namespace {

TEST_CASE("every statement holds on the quick domain") {
  for (const Claim& claim : claims()) {
    Run run;
    run.quick = true;
    const Outcome outcome = claim.check(run);
    INFO(claim.name << ": " << claim.statement);
    CHECK(outcome.counterexample.value_or("") == "");
    CHECK(outcome.checked > 0);
    CHECK_FALSE(outcome.domain.empty());
  }
}

TEST_CASE("every mutant of every statement is refused with a counterexample in full") {
  for (const Claim& claim : claims()) {
    CHECK_FALSE(claim.mutants.empty());
    for (std::size_t k = 1; k <= claim.mutants.size(); ++k) {
      Run run;
      run.quick = true;
      run.mutant = k;
      const Outcome outcome = claim.check(run);
      INFO(claim.name << ", mutant: " << claim.mutants[k - 1]);
      CHECK(outcome.counterexample.value_or("").size() > 20);
      // Refused because false, not because precision ran out.
      CHECK(outcome.counterexample.value_or("").find("not decided") == std::string::npos);
    }
  }
}

TEST_CASE("a statement gives the same answer on two threads") {
  for (const char* name : {"proposition_3_2", "on_policy_bound"}) {
    const Claim* const claim = find_claim(name);
    REQUIRE(claim != nullptr);
    for (const std::size_t mutant : {std::size_t{0}, std::size_t{1}}) {
      Run one, two;
      one.quick = two.quick = true;
      one.mutant = two.mutant = mutant;
      two.threads = 2;
      const Outcome a = claim->check(one), b = claim->check(two);
      CHECK(a.counterexample == b.counterexample);
      if (mutant == 0) CHECK(a.checked == b.checked);
    }
  }
}

TEST_CASE("statements have names of their own and say what they claim") {
  std::set<std::string_view> names;
  for (const Claim& claim : claims()) {
    names.insert(claim.name);
    CHECK_FALSE(claim.statement.empty());
    CHECK_FALSE(claim.source.empty());
    CHECK(find_claim(claim.name) == &claim);
  }
  CHECK(names.size() == claims().size());
  CHECK(find_claim("no_such_claim") == nullptr);
}

}  // namespace
}  // namespace gammascope::proofs
