// SPDX-License-Identifier: MIT
// The list of bounds: the word a user says, what it assumes, where it may be claimed, what it
// takes. A new bound is one file and one line in registry.cpp. Tests:
// tests/analysis/bounds/test_registry.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/bounds/sigma2.hpp"

namespace gammascope::bounds {

/// A number that a bound takes, besides gamma and the weights. Names as in files and options.
enum class Input : std::uint8_t {
  sigma2,  ///< E[X^2] <= sigma2, nats^2
  c,       ///< Delta <= c almost surely, nats
  v,       ///< noise variance of 3c, nats^2
  d2,      ///< drift variance of 3c, nats^2
  big_c,   ///< -A <= C almost surely, nats
  l,       ///< L = -E A, nats
};

/// "sigma2", "c", "v", "d2", "C", "L".
[[nodiscard]] std::string_view name(Input input) noexcept;

/// The numbers, as far as they are known.
struct Inputs {
  WeightSums weights;
  std::optional<double> sigma2, c, v, d2, big_c, l;

  /// The number called `input`. @throws std::domain_error naming it if it is absent
  [[nodiscard]] double at(Input input) const;
};

/// One bound. `position` and `window` are allowed for every bound.
struct Bound {
  std::string_view claim;        ///< as in result.json: "theorem_3_3.finite"
  std::string_view source;       ///< "Theorem 3.3", "theory 3b"
  std::string_view formula;      ///< for people
  std::string_view assumptions;  ///< one sentence
  std::span<const Input> inputs;
  bool prefix_rows_only;  ///< uses (OP) or the martingale property: never by horizon, without a cut
                          ///< on data, or with truncated responses dropped (theory 5.4)
  bool horizon_free;      ///< the weights are those of an infinite sum: gamma < 1, any horizon
  double (*function)(const Inputs&);  ///< use evaluate()
};

/// The bound's value, nats^2. @throws std::domain_error naming the first input that is absent, or
/// one that is negative or NaN
[[nodiscard]] double evaluate(const Bound& bound, const Inputs& inputs);

/// All bounds, in the order of results.md.
[[nodiscard]] std::span<const Bound> all();

/// The bound called `claim`; null if there is none.
[[nodiscard]] const Bound* find(std::string_view claim) noexcept;

/// The bounds that a word of --bound means: a claim ("sharp_d") or the family before its dot or
/// underscore form ("theorem_3_3": finite and infinite; "sharp": sharp_v1 and sharp_d). Empty if
/// unknown.
[[nodiscard]] std::vector<const Bound*> select(std::string_view word);

}  // namespace gammascope::bounds
