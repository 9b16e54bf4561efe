// SPDX-License-Identifier: MIT
// sigma2 from other prompts: the halves of the prompts by the top bit of their hash judge each
// other (theory 5.2). Tests: tests/analysis/verdict/test_split_halves.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/measure/grouped_state.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/mover.hpp"

namespace gammascope::check {

/// Positions (or tokens left) first … last, all of them when there are at most 64, else 64
/// log-spaced ones counted from `first`, both ends included: a function of first and last only,
/// fixed before any data. Empty if last < first.
[[nodiscard]] std::vector<std::int64_t> candidates(std::int64_t first, std::int64_t last);

/// A bound as a function of sigma2, nats^2 to nats^2: increasing, zero at zero.
using BoundOfSigma2 = std::function<double(double)>;

/// One-sided p-values of theta_1 against bound(theta_2), the two independent: MOVER on the log
/// scale from their HJS limits, those of bound(theta_2) being the bounds of theta_2's. The p is the
/// error level at which the limit reaches 0, by bisection between 1e-16 and 1/2. For bound(s) = k s
/// this is stats::mover_p. Both 1 unless both fits have limits. Cost about 0.1 ms.
[[nodiscard]] stats::MoverP mover_p(const stats::HjsFit& one,
                                    const stats::HjsFit& two,
                                    const BoundOfSigma2& bound);

/// The same rows in the two halves.
struct Halves {
  stats::HjsFit first, second;
};

struct SplitEvidence {
  double p_pass = 1, p_fail = 1;  ///< the larger of the two exchanges
  /// Of the exchange that decides about passing; absent when no position has enough prompts.
  std::optional<double> sigma2;                  ///< nats^2, of the half that was not judged
  std::size_t chosen = 0;                        ///< index into the candidates
  measure::Half half = measure::Half::first;     ///< the half judged
  const stats::HjsFit* variance = nullptr;       ///< of the half judged; points into the arguments
  const stats::HjsFit* second_moment = nullptr;  ///< of the other half at the chosen position
  std::string cannot_fail;  ///< why p_fail is 1 whatever the data; empty if it could be small
  /// What p_fail is of: the variance of the half judged, and the second moment that is hardest to
  /// beat. Null without a position.
  const stats::HjsFit* variance_to_fail = nullptr;
  const stats::HjsFit* hardest = nullptr;
  std::size_t hardest_place = 0;  ///< index into the candidates
};

/// Positions with fewer prompts than this in either half are no candidates.
inline constexpr std::int64_t least_prompts = 8;

/// Judges Var(A) against bound(sigma2) (theory 5.2). Of the positions with at least 8 prompts in
/// each half, t* has the largest second moment in the one half H1 (of those whose second moment is
/// not labelled unreliable there, if there are any: a choice by H1 alone); sigma2 is the second
/// moment at t* in the other half H2; the variance is that of H1; MOVER gives p_pass. Since E
/// X_t*^2 is at most the true maximum, a pass is conservative; a fail must beat every position of
/// the sum: p_fail is the largest over positions, and 1 when one of them is no candidate
/// (`every_position` false) or has too few prompts. The halves are exchanged and the larger p
/// counts.
/// @param variance of A, in the two halves
/// @param positions second moments of A^(0), one per candidate
/// @param every_position the candidates are all positions of the sum
[[nodiscard]] SplitEvidence split_halves(const Halves& variance,
                                         std::span<const Halves> positions,
                                         bool every_position,
                                         const BoundOfSigma2& bound);

}  // namespace gammascope::check
