// SPDX-License-Identifier: MIT
// One measured (or exact) number with how sure it is: the row of `cells` in result.json
// (results.md), and which cells a run asks for. Tests: tests/analysis/measure/test_cell.cpp
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/core/enum_name.hpp"

namespace gammascope {

/// Which rows a cell is made of, and what its n means (results.md). n, t and T count sampled
/// tokens.
enum class Alignment : std::uint8_t {
  position,  ///< n = t, 0-based: responses with T > t, summed to their end
  horizon,   ///< n = tokens left, this one included: responses that ended with T >= n
  window,    ///< n tokens from a start; shorter where the response ends before
  infinite,  ///< the whole response from token 0, nothing cut, gamma < 1; n is absent
};

enum class Quantity : std::uint8_t {
  mean,
  variance,
  second_moment,
  ratio,
  difference,  ///< of two means, second - first, nats
  growth_exponent,
  alive,
  probability,
  sigma2,
  noise_variance,
  drift_variance,
  max_log_ratio,
  between_prompts,
  within_prompts,
  t1,
  t2,
  t3,
  t4,
  trace_cov,      ///< trace of the covariance of a gradient, nats^2
  norm2,          ///< |E g|^2, nats^2
  cosine,         ///< of E g with that at gamma = 1
  bias2,          ///< |E g - that at gamma = 1|^2, nats^2
  step_share,     ///< "alignment" of theory 6: the share of a step's expected decrease that is kept
  mse,            ///< bias2 + trace_cov / batch, nats^2
  rbm_share,      ///< mean over responses of mean |b|, Eq. (8): the teacher's share of |R|
  rbm_above,      ///< share of tokens with |b| above a size that the claim names
  abs_log_ratio,  ///< mean |Delta| over sampled tokens, nats
  tokens,         ///< sampled tokens of a part of the rows
  token_share,    ///< of all sampled tokens
  variance_share,  ///< of sum (a - mean)^2 over all rows
};

/// How far a cell can be trusted (calibration.md 4). Limits are printed with their label, except
/// `not_available`.
enum class CellStatus : std::uint8_t {
  ok,
  tentative,
  unreliable,
  not_available,
  exact,
  degenerate
};

template <>
struct EnumName<Alignment> {
  static constexpr std::array<std::string_view, 4> names{
      "position", "horizon", "window", "infinite"};
};
template <>
struct EnumName<Quantity> {
  static constexpr std::array<std::string_view, 30> names{"mean",
                                                          "variance",
                                                          "second_moment",
                                                          "ratio",
                                                          "difference",
                                                          "growth_exponent",
                                                          "alive",
                                                          "probability",
                                                          "sigma2",
                                                          "noise_variance",
                                                          "drift_variance",
                                                          "max_log_ratio",
                                                          "between_prompts",
                                                          "within_prompts",
                                                          "t1",
                                                          "t2",
                                                          "t3",
                                                          "t4",
                                                          "trace_cov",
                                                          "norm2",
                                                          "cosine",
                                                          "bias2",
                                                          "alignment",
                                                          "mse",
                                                          "rbm_share",
                                                          "rbm_above",
                                                          "abs_log_ratio",
                                                          "tokens",
                                                          "token_share",
                                                          "variance_share"};
};
template <>
struct EnumName<CellStatus> {
  static constexpr std::array<std::string_view, 6> names{
      "ok", "tentative", "unreliable", "not_available", "exact", "degenerate"};
};

/// What limits at any error level are made of, beside the value: with it a number of an earlier
/// result can be compared at any level (stats::HjsFit for method HJS, SmoothFit for HJS2, Student's
/// t, whose skewness is 0, for a mean).
struct Spread {
  double scale = 0;  ///< relative standard error (HJS), of the log (HJS2 ratio), else in the unit
  double skewness_lower = 0, skewness_upper = 0, df_lower = 0, df_upper = 0;
  friend bool operator==(const Spread&, const Spread&) = default;
};

/// What a comparison of two measurements says of one number.
enum class ChangeWord : std::uint8_t { changed, not_changed, cannot_tell };
template <>
struct EnumName<ChangeWord> {
  static constexpr std::array<std::string_view, 3> names{"changed", "not_changed", "cannot_tell"};
};

/// Of the ratios and differences of a comparison.
struct CellChange {
  ChangeWord word = ChangeWord::cannot_tell;
  std::optional<double> p_changed, p_same;  ///< adjusted for all of the run
  /// In pairs: standard error as strangers over that in pairs, and the correlation of the two.
  std::optional<double> gain, correlation;
};

/// A number that could not be had is absent, never 0, never NaN.
struct Cell {
  Quantity quantity = Quantity::variance;
  std::optional<Alignment> alignment;
  std::optional<double> gamma;
  std::optional<std::int64_t> n;
  std::optional<double> value, lower,
      upper;                         ///< nats for a mean, nats^2 for a variance or second moment
  std::optional<double> confidence;  ///< two-sided, of lower and upper
  std::string method;                ///< "HJS", "t", "exact", …
  std::int64_t prompts = 0;          ///< clusters with at least one row
  std::int64_t rollouts = 0;         ///< rows: responses, or (response, start) pairs by window
  CellStatus status = CellStatus::ok;
  std::string reason;                   ///< a sentence whenever status is not ok or exact
  std::optional<std::string> baseline;  ///< of gradient cells: none | position | value | …
  std::optional<std::int64_t> batch;    ///< gradients averaged, where the quantity depends on it
  std::optional<std::string> group;  ///< the part of the rows: first | second, "domain=math", …
  std::optional<CellChange> change;
  std::optional<double> blind_spot;  ///< nats: the credit of an unseen event that would double this
                                     ///< variance (calibration.md 4.3)
  std::optional<Spread> spread;      ///< wherever there are limits of HJS, HJS2 or t
};

}  // namespace gammascope
