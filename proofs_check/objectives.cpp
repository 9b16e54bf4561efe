// SPDX-License-Identifier: MIT
#include "proofs_check/objectives.hpp"

namespace gammascope::proofs {
namespace {

/// d pi(a|s) / d logit(s, b).
Q policy_derivative(const TinyProcess& p, std::size_t s, std::size_t a, std::size_t b) {
  return p.student[s][a] * ((a == b ? 1 : 0) - p.student[s][b]);
}

/// A response under construction: P and P* as products, and dP for every logit.
struct Product {
  Q student, teacher;
  std::vector<Q> derivative;  // of the student's
};

Product times_token(const TinyProcess& p, const Product& before, std::size_t s, std::size_t a) {
  Product after{
      before.student * p.student[s][a], before.teacher * p.teacher[s][a], before.derivative};
  for (Q& d : after.derivative) d *= p.student[s][a];
  for (std::size_t b = 0; b < p.tokens(); ++b)
    after.derivative[s * p.tokens() + b] += before.student * policy_derivative(p, s, a, b);
  return after;
}

void add_sequences(const TinyProcess& p,
                   const Product& so_far,
                   std::size_t s,
                   std::size_t tokens_left,
                   Gradient& gradient) {
  if (s == p.states() || tokens_left == 0) {
    const LogPrime difference = LogPrime::log(so_far.student) - LogPrime::log(so_far.teacher);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      gradient[i].add(difference, so_far.derivative[i]);
      gradient[i] += LogPrime(Q(so_far.student * (so_far.derivative[i] / so_far.student)));
    }
    return;
  }
  for (std::size_t a = 0; a < p.tokens(); ++a)
    if (p.student[s][a] != 0)
      add_sequences(p, times_token(p, so_far, s, a), p.next[s][a], tokens_left - 1, gradient);
}

void add_prefixes(const TinyProcess& p,
                  const Q& weight,
                  std::size_t s,
                  std::size_t tokens_left,
                  Gradient& gradient) {
  if (s == p.states() || tokens_left == 0) return;
  for (std::size_t a = 0; a < p.tokens(); ++a) {
    if (p.student[s][a] == 0) continue;
    const LogPrime difference = LogPrime::log(p.student[s][a]) - LogPrime::log(p.teacher[s][a]);
    for (std::size_t b = 0; b < p.tokens(); ++b) {
      const Q d = policy_derivative(p, s, a, b);
      // d (pi log(pi / pi*)) = d pi * log(pi / pi*) + pi * d pi / pi
      gradient[s * p.tokens() + b].add(difference, weight * d);
      gradient[s * p.tokens() + b] += LogPrime(Q(weight * d));
    }
    add_prefixes(p, weight * p.student[s][a], p.next[s][a], tokens_left - 1, gradient);
  }
}

}  // namespace

Gradient sequence_objective_gradient(const TinyProcess& p) {
  Gradient gradient(p.states() * p.tokens());
  for (std::size_t s = 0; s < p.states(); ++s)
    if (p.initial[s] != 0)
      add_sequences(
          p, {p.initial[s], p.initial[s], std::vector<Q>(gradient.size())}, s, p.length, gradient);
  return gradient;
}

Gradient token_objective_gradient(const TinyProcess& p) {
  Gradient gradient(p.states() * p.tokens());
  for (std::size_t s = 0; s < p.states(); ++s)
    if (p.initial[s] != 0) add_prefixes(p, p.initial[s], s, p.length, gradient);
  return gradient;
}

}  // namespace gammascope::proofs
