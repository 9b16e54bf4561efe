// SPDX-License-Identifier: MIT
// How far limits can be trusted, in one word and one sentence (calibration 4.1, 4.3). The words are
// warnings about the law, never a filter: a sample that missed the large values looks clean. Tests:
// tests/analysis/stats/test_labels.cpp
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/core/enum_name.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/hjs2.hpp"

namespace gammascope::stats {

enum class Trust : std::uint8_t { ok, tentative, unreliable };

struct Label {
  Trust trust = Trust::ok;
  std::string reason;  ///< a sentence; empty when ok
};

/// `unreliable` if neff < 2.5 or share > .35 or (k-hat > .7 and G >= 64); `tentative` if neff < 5
/// or (k-hat > .5 and G >= 64). For a fit without limits: unreliable, with the reason why there are
/// none.
[[nodiscard]] Label label(const HjsFit& fit, std::optional<double> khat);

/// The same two thresholds on neff for a mean, and for a smooth function of variances.
[[nodiscard]] Label label(const MeanFit& fit);
[[nodiscard]] Label label(const SmoothFit& fit);

/// sqrt(theta G / 3), nats: an event seen in none of G prompts has probability below 3/G (95 %) and
/// would double theta only if its credit were larger than this.
[[nodiscard]] double blind_spot(double theta, std::int64_t clusters);

}  // namespace gammascope::stats

namespace gammascope {
template <>
struct EnumName<stats::Trust> {
  static constexpr std::array<std::string_view, 3> names{"ok", "tentative", "unreliable"};
};
}  // namespace gammascope
