// SPDX-License-Identifier: MIT
// What the bounds take, from the distribution of the state before each token: sigma2, c, v, d2, L,
// C (theory sections 3 to 3e). No responses are enumerated here.
#pragma once

#include <cstddef>
#include <vector>

#include "proofs_check/tiny_process.hpp"

namespace gammascope::proofs {

/// Index t, 0-based; T the number of tokens of the longest response.
struct PrefixFacts {
  std::vector<Ball> alive;         ///< P(T > t)
  std::vector<Ball> second;        ///< E[X_t^2 | T > t]
  std::vector<Ball> kl;            ///< E[KL(h_t) | T > t]
  std::vector<Ball> kl_square;     ///< E[KL(h_t)^2 | T > t]
  std::vector<Ball> largest_loss;  ///< c: the largest Delta that can occur at t

  [[nodiscard]] std::size_t size() const noexcept { return alive.size(); }
};

[[nodiscard]] PrefixFacts prefix_facts(const TinyProcess& process, const Table<Ball>& x);

/// The numbers for A = sum_{k<n} gamma^k X_{t+k} among responses with T > t.
struct BoundInputs {
  Ball sigma2;           ///< max_tau E[X_tau^2 | T > tau]
  Ball c;                ///< Delta <= c, >= 0
  Ball v;                ///< max_tau Var(M_tau 1[T > tau] | T > t)
  Ball d2;               ///< max_tau Var(D_tau 1[T > tau] | T > t)
  Ball g, g2;            ///< sum of gamma^k, and of gamma^2k
  Ball l;                ///< L = sum_k gamma^k E[KL(h_{t+k}) 1[T > t+k] | T > t]
  Ball noise_kl;         ///< the same with gamma^2k
  Ball noise_kl_square;  ///< sum_k gamma^2k E[KL(h_{t+k})^2 1[T > t+k] | T > t]
};
/// Precondition: t < facts.size(), n >= 1.
[[nodiscard]] BoundInputs bound_inputs(const PrefixFacts& facts,
                                       std::size_t t,
                                       std::size_t n,
                                       const Ball& gamma);

/// phi(c) = (c - 1 + exp(-c)) / c^2, phi(0) = 1/2; any real c, psi(x) = phi(-x). Where the ball of
/// c holds 0 a Taylor bound is used.
[[nodiscard]] Ball phi(const Ball& c);

}  // namespace gammascope::proofs
