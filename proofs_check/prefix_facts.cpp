// SPDX-License-Identifier: MIT
#include "proofs_check/prefix_facts.hpp"

#include <algorithm>

namespace gammascope::proofs {
namespace {

struct StateFacts {
  Ball kl, second, loss;
  bool any = false;
};

StateFacts state_facts(const TinyProcess& p, std::size_t s, const Table<Ball>& x) {
  StateFacts f;
  for (std::size_t a = 0; a < p.tokens(); ++a) {
    if (p.student[s][a] == 0) continue;
    const Ball probability(p.student[s][a]);
    f.kl -= probability * x[s][a];
    f.second += probability * square(x[s][a]);
    f.loss = f.any ? max(f.loss, -x[s][a]) : -x[s][a];
    f.any = true;
  }
  return f;
}

}  // namespace

PrefixFacts prefix_facts(const TinyProcess& p, const Table<Ball>& x) {
  std::vector<StateFacts> states;
  for (std::size_t s = 0; s < p.states(); ++s) states.push_back(state_facts(p, s, x));
  PrefixFacts facts;
  std::vector<Q> now = p.initial;
  for (std::size_t t = 0; t < p.length; ++t) {
    Q alive;
    for (const Q& w : now) alive += w;
    if (alive == 0) break;
    Ball second, kl, kl_square, loss;
    bool any = false;
    for (std::size_t s = 0; s < p.states(); ++s) {
      if (now[s] == 0) continue;
      const Ball w(Q(now[s] / alive));
      second.add_product(w, states[s].second);
      kl.add_product(w, states[s].kl);
      kl_square.add_product(w, square(states[s].kl));
      loss = any ? max(loss, states[s].loss) : states[s].loss;
      any = true;
    }
    facts.alive.emplace_back(alive);
    facts.second.push_back(second);
    facts.kl.push_back(kl);
    facts.kl_square.push_back(kl_square);
    facts.largest_loss.push_back(max(loss, Ball(0)));
    std::vector<Q> after(p.states());
    for (std::size_t s = 0; s < p.states(); ++s)
      for (std::size_t a = 0; a < p.tokens(); ++a)
        if (p.next[s][a] < p.states()) after[p.next[s][a]] += now[s] * p.student[s][a];
    now = after;
  }
  return facts;
}

BoundInputs bound_inputs(const PrefixFacts& facts,
                         std::size_t t,
                         std::size_t n,
                         const Ball& gamma) {
  BoundInputs in;
  Ball weight(1);
  for (std::size_t k = 0; k < n; ++k, weight *= gamma) {
    const Ball weight2 = square(weight);
    in.g += weight;
    in.g2 += weight2;
    if (t + k >= facts.size()) continue;
    const std::size_t tau = t + k;
    const Ball a = facts.alive[tau] / facts.alive[t];
    in.sigma2 = max(in.sigma2, facts.second[tau]);
    in.c = max(in.c, facts.largest_loss[tau]);
    in.v = max(in.v, a * (facts.second[tau] - facts.kl_square[tau]));
    in.d2 = max(in.d2, a * facts.kl_square[tau] - square(a * facts.kl[tau]));
    in.l += weight * a * facts.kl[tau];
    in.noise_kl += weight2 * a * facts.kl[tau];
    in.noise_kl_square += weight2 * a * facts.kl_square[tau];
  }
  return in;
}

Ball phi(const Ball& c) {
  const Ball zero(0);
  if (c > zero || c < zero) return (c - Ball(1) + exp(-c)) / square(c);
  // phi(c) = sum_k (-c)^k / (k + 2)!; the rest after k = 29 is below |c|^30 for |c| < 1.
  Ball sum, term = Ball(q(1, 2));
  for (int k = 0; k < 30; ++k) {
    sum += term;
    term = term * -c / Ball(k + 3);
  }
  const Ball rest = max(term, -term) * Ball(2);
  return sum + Ball::hull(-rest, rest);
}

}  // namespace gammascope::proofs
