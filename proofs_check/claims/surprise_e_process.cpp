// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

std::vector<Inequality> inequalities(const std::vector<Q>& row, std::size_t mutant) {
  std::vector<Inequality> claims;
  for (const Q& level : {q(1, 2), q(1), q(2), q(4)}) {
    const Ball l(level);
    Ball entropy, clipped;
    std::size_t vocabulary = 0;
    for (const Q& p : row) {
      ++vocabulary;
      if (p == 0) continue;
      const Ball surprise(LogPrime{} - LogPrime::log(p));
      entropy += Ball(p) * surprise;
      clipped += Ball(p) * min(surprise, l);
    }
    const Ball correction = Ball(vocabulary) * exp(mutant == 1 ? -Ball(3) * l : -l);
    const std::string at = "L = " + text(level) + ": ";
    claims.push_back({at + "E min(-s, L) against H",
                      clipped,
                      mutant == 2 ? entropy * Ball(q(1, 2)) : entropy + margin()});
    claims.push_back({at + "H - E min(-s, L) against W exp(-L)", entropy - clipped, correction});
    // L + W exp(-L) >= 1 + log W > H, so both largest lambda are finite (the second if H > 0).
    const Ball room = l - entropy + correction;
    claims.push_back({at + "0 against L - H + W exp(-L)", Ball(0), room, true});
    for (const Q& p : row) {
      if (p == 0) continue;
      const Ball seen = min(Ball(LogPrime{} - LogPrime::log(p)), l);
      claims.push_back({at + "the first e-value at its largest lambda, with a margin",
                        -margin(),
                        Ball(1) + (entropy - seen - correction) / room});
      if (entropy > Ball(0))
        claims.push_back({at + "the second e-value at its largest lambda, with a margin",
                          -margin(),
                          Ball(1) + Ball(mutant == 3 ? 2 : 1) * (seen - entropy) / entropy});
    }
  }
  return claims;
}

}  // namespace

Claim surprise_e_process() {
  return {"surprise_e_process",
          "theory-2 4c",
          "0 <= H - E min(-s, L) <= W exp(-L) for every L > 0, so both factors have mean <= 1; and "
          "they are >= 0 up to lambda = 1/(L - H + W exp(-L)) and 1/H",
          Method::certified,
          {"W exp(-3L)", "H/2 for H", "2/H for 1/H"},
          [](const Run& run) {
            std::vector<std::vector<Q>> rows = all_rows(3, 24, 0);
            for (auto& row : all_rows(5, 12, 0)) rows.push_back(row);
            const Sample sample = Sample::of(run, rows.size(), 300);
            Outcome outcome;
            outcome.domain = "rows k/24 on 3 tokens and k/12 on 5, zeros included (" +
                             sample.text() + "); L = 1/2, 1, 2, 4";
            sweep(
                run,
                sample,
                [&](std::uint64_t i) {
                  Verdict verdict =
                      decide_inequalities([&] { return inequalities(rows[i], run.mutant); });
                  if (verdict.counterexample) {
                    std::string text = "row";
                    for (const Q& x : rows[i]) text += " " + x.str();
                    verdict.counterexample = text + "\n" + *verdict.counterexample;
                  }
                  return verdict;
                },
                outcome);
            return outcome;
          }};
}

}  // namespace gammascope::proofs
