// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/families.hpp"
#include "proofs_check/sweep.hpp"
#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {
namespace {

/// Tokens come from mu, the scores and X are of the student pi.
struct OffPolicy {
  TinyProcess sampler;  ///< its `student` is mu
  Table<Q> pi;
  Table<LogPrime> x;
  std::vector<LogPrime> baseline;  ///< [state] B
};

OffPolicy member(std::uint64_t index) {
  OffPolicy result{sixths({2, 3}).at(index), {}, {}, {}};
  std::mt19937_64 bits(index);
  for (int s = 0; s < 2; ++s) result.pi.push_back(random_row(bits, 2, 6));
  TinyProcess pair = result.sampler;
  pair.student = result.pi;
  result.x = log_ratios(pair);
  for (int s = 0; s < 2; ++s)
    result.baseline.push_back(
        LogPrime::log(q(1 + static_cast<long>(bits() % 6), 1 + static_cast<long>(bits() % 6))));
  return result;
}

/// E_mu[sum_t (A_t - B(h_t)) grad log pi], all responses.
std::vector<LogPrime> estimator(const OffPolicy& o, const Q& gamma) {
  const TinyProcess& p = o.sampler;
  std::vector<LogPrime> sum(p.states() * p.tokens());
  for (const Response& y : responses(p)) {
    LogPrime a;
    for (std::size_t t = y.size(); t-- > 0;) {
      const std::uint32_t s = y.state[t];
      a = o.x[s][y.token[t]] + gamma * a;
      const LogPrime credit = a - o.baseline[s];
      for (std::size_t b = 0; b < p.tokens(); ++b)
        sum[s * p.tokens() + b].add(credit,
                                    y.probability * ((y.token[t] == b ? 1 : 0) - o.pi[s][b]));
    }
  }
  return sum;
}

/// sum_t E Cov_mu(Q, grad log pi) + sum_t E[(V - B) b], through the state distribution and V.
std::vector<LogPrime> decomposition(const OffPolicy& o, const Q& gamma, std::size_t mutant) {
  const TinyProcess& p = o.sampler;
  const std::size_t n = p.length;
  std::vector<std::vector<LogPrime>> v(n + 1,
                                       std::vector<LogPrime>(p.states() + 1));  // [left][state]
  const auto action_value = [&](std::size_t s, std::size_t a, std::size_t left) {
    return o.x[s][a] + gamma * v[left - 1][p.next[s][a]];
  };
  for (std::size_t left = 1; left <= n; ++left)
    for (std::size_t s = 0; s < p.states(); ++s)
      for (std::size_t a = 0; a < p.tokens(); ++a)
        v[left][s].add(action_value(s, a, left), p.student[s][a]);
  std::vector<LogPrime> sum(p.states() * p.tokens());
  std::vector<Q> now = p.initial;
  now.emplace_back(0);
  for (std::size_t t = 0; t < n; ++t) {
    std::vector<Q> after(now.size());
    for (std::size_t s = 0; s < p.states(); ++s) {
      if (now[s] == 0) continue;
      for (std::size_t b = 0; b < p.tokens(); ++b) {
        const Q mean_score = p.student[s][b] - o.pi[s][b];  // b(h) = mu - pi
        LogPrime& here = sum[s * p.tokens() + b];
        for (std::size_t a = 0; a < p.tokens(); ++a) {
          const Q z = (a == b ? 1 : 0) - o.pi[s][b];
          here.add(action_value(s, a, n - t), now[s] * p.student[s][a] * (z - mean_score));
        }
        const LogPrime rest = mutant == 2 ? v[n - t][s] : v[n - t][s] - o.baseline[s];
        if (mutant != 1) here.add(rest, now[s] * mean_score);
      }
      for (std::size_t a = 0; a < p.tokens(); ++a) after[p.next[s][a]] += now[s] * p.student[s][a];
    }
    now = after;
  }
  return sum;
}

}  // namespace

Claim mismatch() {
  return {
      "mismatch",
      "theory-2 5a",
      "tokens from mu, A and scores of pi: E_mu[sum_t (A_t - B_t) grad log pi] = sum_t E "
      "Cov_mu(Q, grad log pi) + sum_t E[(V - B_t) b], b = mu - pi in logits",
      Method::exact,
      {"the second sum left out", "V for V - B"},
      [](const Run& run) {
        const Sample sample = Sample::of(run, 202500, 800);
        Outcome outcome;
        outcome.domain =
            "mu, teacher, map and prompts of the sixths, T = 2, 3, pi k/6 and B = log(j/k) at "
            "random (" +
            sample.text() + "); gamma = 0, 1/2, 1 in turn";
        sweep(
            run,
            sample,
            [&](std::uint64_t i) {
              const OffPolicy o = member(i);
              const Q gamma = q(static_cast<long>(i / 2 % 3), 2);  // i % 2 is the length
              const auto left = estimator(o, gamma), right = decomposition(o, gamma, run.mutant);
              if (left == right) return Verdict{left.size(), {}};
              std::string text = o.sampler.text() +
                                 "  (its student is mu); gamma = " + proofs::text(gamma) + ", pi";
              for (const auto& row : o.pi)
                for (const Q& one : row) text += " " + proofs::text(one);
              for (std::size_t k = 0; k < left.size(); ++k)
                if (left[k] != right[k])
                  text += "\n  logit " + std::to_string(k) + ": " + left[k].text() + " against " +
                          right[k].text();
              return Verdict{0, text + "\n"};
            },
            outcome);
        return outcome;
      }};
}

}  // namespace gammascope::proofs
