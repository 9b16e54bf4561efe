// SPDX-License-Identifier: MIT
// Label `proofs`: minutes.
#include <algorithm>
#include <thread>

#include <catch2/catch.hpp>

#include "proofs_check/claim.hpp"

namespace gammascope::proofs {
namespace {

TEST_CASE("every statement holds on its full domain") {
  for (const Claim& claim : claims()) {
    Run run;
    run.threads = std::max(1U, std::thread::hardware_concurrency());
    const Outcome outcome = claim.check(run);
    INFO(claim.name << ": " << claim.statement);
    CHECK(outcome.counterexample.value_or("") == "");
    CHECK(outcome.checked > 0);
    // Every process of the exhaustive family, every logit.
    if (claim.name == "proposition_3_1" || claim.name == "proposition_3_2")
      CHECK(outcome.checked > 4 * 303750);
  }
}

}  // namespace
}  // namespace gammascope::proofs
