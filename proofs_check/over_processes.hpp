// SPDX-License-Identifier: MIT
// One question about every process of several families.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proofs_check/families.hpp"
#include "proofs_check/sweep.hpp"

namespace gammascope::proofs {

struct Domain {
  Family family;
  std::uint64_t quick;  ///< members that a quick run looks at
};

/// Asks `decide` about every process; a counterexample is printed with its process in front.
[[nodiscard]] inline Outcome over_processes(
    const Run& run,
    const std::vector<Domain>& domains,
    const std::function<Verdict(const TinyProcess&)>& decide) {
  Outcome outcome;
  for (std::size_t i = 0; i < domains.size() && !outcome.counterexample; ++i) {
    const Family& family = domains[i].family;
    const Sample sample = Sample::of(run, family.size, domains[i].quick);
    outcome.domain += (i == 0 ? "" : "; ") + family.description + " (" + sample.text() + ")";
    Run part = run;
    if (run.progress)
      part.progress = [&run, i, n = double(domains.size())](double share) {
        run.progress((double(i) + share) / n);
      };
    sweep(
        part,
        sample,
        [&](std::uint64_t member) {
          const TinyProcess process = family.at(member);
          Verdict verdict = decide(process);
          if (verdict.counterexample)
            verdict.counterexample = process.text() + *verdict.counterexample;
          return verdict;
        },
        outcome);
  }
  return outcome;
}

/// The domain of the gradient identities: T = 1, 2, 3 exhaustively, and larger ones at random.
[[nodiscard]] inline std::vector<Domain> identity_domains() {
  return {{sixths({1, 2, 3}), 1200}, {random_larger(1500), 30}};
}

/// The domain of the inequalities: T = 3 exhaustively (windows and later positions cover the
/// shorter ones), larger ones at random, and those that come near a bound.
[[nodiscard]] inline std::vector<Domain> inequality_domains() {
  return {{extremal(), 1000}, {random_larger(1500), 25}, {sixths({3}), 250}};
}

}  // namespace gammascope::proofs
