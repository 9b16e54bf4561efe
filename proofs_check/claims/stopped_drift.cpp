// SPDX-License-Identifier: MIT
// The same KL at every prefix, random end: log-ratios in units of kappa, so all is rational.
#include "proofs_check/claims/all.hpp"
#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {
namespace {

Outcome check(const Run& run) {
  Outcome outcome;
  outcome.domain =
      "end probability h = k/10, T <= 8, every t, gamma = 1; every Delta = kappa (the teacher "
      "keeps the rest of its mass elsewhere)";
  for (long k = 1; k < 10 && !outcome.counterexample; ++k) {
    const Q h = q(k, 10);
    const TinyProcess p{{Q(1)}, {{1 - h, h}}, {{(1 - h) / 2, h / 2}}, {{0, 1}}, 8};
    const auto all = responses(p);
    for (std::size_t t = 0; t < 8; ++t) {
      Q total, mean, square;
      for (const Response& y : all) {
        if (y.size() <= t) continue;
        const Q a(-static_cast<long>(y.size() - t));  // A_t = -kappa (T - t)
        total += y.probability;
        mean += y.probability * a;
        square += y.probability * a * a;
      }
      const Q variance = square / total - (mean / total) * (mean / total);
      // Given T > tau the drift is -kappa, always: no variance, and no noise. The bound would be 0.
      const Q bound_of_alive(0);
      // Stopped: D 1[T > tau] has variance q (1 - q) with q = P(T > tau | T > t) = (1 - h)^(tau-t).
      Q d2;
      for (std::size_t j = 0; t + j < 8; ++j) {
        const Q alive = power(1 - h, j);
        const Q v = alive * (1 - alive);
        if (v > d2) d2 = v;
      }
      const auto n = static_cast<long>(8 - t);
      const Q bound = d2 * (run.mutant == 2 ? q(1, 4) : q(1)) * q(n) * q(n);
      ++outcome.checked;
      const bool exceeded = variance > bound_of_alive || t == 7;
      if ((run.mutant == 1 ? variance > bound_of_alive : !exceeded || variance > bound) &&
          !outcome.counterexample)
        outcome.counterexample =
            p.text() + "t = " + std::to_string(t) + ": Var(A)/kappa^2 = " + text(variance) +
            ", d2 among those alive gives 0, the stopped d2 gives " + text(bound) + "\n";
    }
  }
  return outcome;
}

}  // namespace

Claim stopped_drift() {
  return {
      "stopped_drift",
      "theory 3c",
      "with the same KL at every prefix and a random end, 3c with the drift variance among those "
      "still alive gives 0 while Var(A) = kappa^2 Var(T) > 0; the stopped drift variance serves",
      Method::exact,
      {"the drift among those alive is enough",
       "a quarter of the stopped drift variance is enough"},
      check};
}

}  // namespace gammascope::proofs
