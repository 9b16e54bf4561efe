// SPDX-License-Identifier: MIT
// The claims file: what a log must hold, and the baseline that numbers came from (docs/claims.md).
// Tests: tests/analysis/report/test_claims_toml.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/verdict/claims/spec.hpp"

namespace gammascope::report {

inline constexpr std::string_view claims_schema = "gammascope.claims/1";

/// A setting that numbers of the file rest on; the run must have the same.
struct ClaimsSetting {
  std::string name, value;
  std::int64_t line = 0;
};

struct ClaimsFile {
  std::string file;
  std::vector<ClaimsSetting> settings;
  std::string baseline_hash;                ///< of the log that the numbers came from; may be empty
  std::vector<std::string> baseline_files;  ///< as they were given
  std::int64_t baseline_rollouts = 0, baseline_prompts = 0;
  std::vector<claims::Spec> claims;
};

/// @param file named in errors
/// @throws BadData naming file, line and field: not TOML, a key or quantity that is unknown, a
/// value
///   of the wrong kind, a claim without a limit or with two
[[nodiscard]] ClaimsFile from_claims_toml(std::string_view text, const std::string& file);

/// A claim of a file to be written, and what is said above it.
struct DraftClaim {
  claims::Spec spec;
  std::string comment;
};

/// The text of a claims file; every double reads back to the same bits.
/// @param head settings and baseline; its claims are not looked at
[[nodiscard]] std::string to_claims_toml(const ClaimsFile& head,
                                         const std::vector<DraftClaim>& claims,
                                         const std::vector<std::string>& notes);

}  // namespace gammascope::report
