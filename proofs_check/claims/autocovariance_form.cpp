// SPDX-License-Identifier: MIT
// The variance as a double sum of covariances (3d), and its split into noise and drift (3c).
#include "proofs_check/claims/all.hpp"
#include "proofs_check/rational_credit.hpp"

namespace gammascope::proofs {
namespace {

/// Means over the responses with T > t of functions of the response.
struct Population {
  const std::vector<Response>& all;
  std::size_t t;

  template <class F>
  [[nodiscard]] Q mean(const F& f) const {
    Q sum, total;
    for (const Response& y : all) {
      if (y.size() <= t) continue;
      sum += y.probability * f(y);
      total += y.probability;
    }
    return sum / total;
  }
  template <class F, class G>
  [[nodiscard]] Q covariance(const F& f, const G& g) const {
    return mean([&](const Response& y) { return Q(f(y) * g(y)); }) - mean(f) * mean(g);
  }
};

Verdict decide(const TinyProcess& p, const Table<Q>& x, std::size_t mutant) {
  const auto all = responses(p);
  std::vector<Q> drift(p.states());
  for (std::size_t s = 0; s < p.states(); ++s)
    for (std::size_t a = 0; a < p.tokens(); ++a) drift[s] += p.student[s][a] * x[s][a];
  std::uint64_t cases = 0;
  for (std::size_t t = 0; t < 2; ++t) {
    const Population among{all, t};
    const std::size_t n = p.length - t;
    if (std::none_of(all.begin(), all.end(), [&](const Response& y) { return y.size() > t; }))
      break;
    // 0 after the end.
    const auto ratio = [&](std::size_t k) {
      return [&, k](const Response& y) {
        return t + k < y.size() ? x[y.state[t + k]][y.token[t + k]] : Q(0);
      };
    };
    const auto drift_at = [&](std::size_t k) {
      return [&, k](const Response& y) { return t + k < y.size() ? drift[y.state[t + k]] : Q(0); };
    };
    const auto sum = [&](const auto& part, const Q& gamma) {
      return [&, gamma](const Response& y) {
        Q a, weight(1);
        for (std::size_t k = 0; k < n; ++k, weight *= gamma) a += weight * part(k)(y);
        return a;
      };
    };
    const auto noise_at = [&](std::size_t k) {
      return [&, k](const Response& y) { return Q(ratio(k)(y) - drift_at(k)(y)); };
    };
    for (const Q& gamma : {q(1, 2), q(1)}) {
      const auto a = sum(ratio, gamma);
      const Q variance = among.covariance(a, a);
      Q by_covariance, noise_by_terms;
      for (std::size_t j = 0; j < n; ++j) {
        noise_by_terms +=
            power(mutant == 3 ? gamma : Q(gamma * gamma), j) *
            among.mean([&](const Response& y) { return Q(noise_at(j)(y) * noise_at(j)(y)); });
        for (std::size_t k = 0; k < n; ++k)
          if (mutant != 1 || j == k)
            by_covariance += power(gamma, j + k) * among.covariance(ratio(j), ratio(k));
      }
      const auto noise = sum(noise_at, gamma);
      const auto drifts = sum(drift_at, gamma);
      const Q noise_variance = among.covariance(noise, noise);
      const Q split = noise_variance + among.covariance(drifts, drifts) +
                      (mutant == 2 ? Q(0) : Q(2 * among.covariance(noise, drifts)));
      const std::string at = "t = " + std::to_string(t) + ", gamma = " + text(gamma) + ": ";
      if (variance != by_covariance)
        return {0,
                at + "Var(A) = " + text(variance) + ", sum of covariances " + text(by_covariance) +
                    "\n"};
      if (variance != split)
        return {
            0, at + "Var(A) = " + text(variance) + ", noise + drift + 2 Cov " + text(split) + "\n"};
      if (noise_variance != noise_by_terms)
        return {0,
                at + "Var(noise) = " + text(noise_variance) + ", sum of conditional variances " +
                    text(noise_by_terms) + "\n"};
      cases += 3;
    }
  }
  return {cases, {}};
}

}  // namespace

Claim autocovariance_form() {
  return {
      "autocovariance_form",
      "theory 3c, 3d; theory-2 3B",
      "Var(A) = sum_{j,k} gamma^(j+k) Cov(X_{t+j}, X_{t+k}) = Var(noise) + Var(drift) + 2 "
      "Cov(noise, drift), and Var(noise) = sum_k gamma^2k E[Var(X_{t+k} | h)], X = 0 after the end",
      Method::exact,
      {"the variances alone", "the covariance of noise and drift left out", "gamma^k for gamma^2k"},
      [](const Run& run) {
        Outcome outcome =
            over_rational(run, 400, 10000, [&](const TinyProcess& p, const Table<Q>& x) {
              return decide(p, x, run.mutant);
            });
        outcome.domain += "; t = 0, 1; gamma = 1/2, 1";
        return outcome;
      }};
}

}  // namespace gammascope::proofs
