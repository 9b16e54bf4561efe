// SPDX-License-Identifier: MIT
// From a measured claim to its cases, one a cell: what it is held against, the one-sided p-values,
// what this log can detect, and the sentences a person would say. Tests:
// tests/analysis/verdict/claims/test_judge_claims.cpp
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/verdict/case.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

/// A number that stands on its own: of an earlier result, or kept in a claims file.
struct Reference {
  double value = 0;
  std::optional<Fit> fit;  ///< its own limits; absent: taken as it is
  std::string words;       ///< "of base.json"
  bool same_log = false;   ///< measured on the very responses under test
};

/// The reference of a limit of kind `result` for a cell like this one.
using FindReference = std::function<Reference(const Limit&, const Cell&)>;

/// What the judge needs besides the claim.
struct Setting {
  double noise_floor = 0;        ///< nats
  double prompts_per_group = 1;  ///< prompts that a cluster stands for
  std::string baseline_hash;     ///< of the log that `baseline` numbers came from; may be empty
  std::string log_hash;          ///< of the log under test; may be empty
  FindReference find;            ///< for limits of kind `result`
};

/// The cases of one claim, in the order of its grid, and the numbers they are about.
struct Opened {
  std::vector<check::Case> cases;
  std::vector<Cell> cells;
};

/// @param claim index of the claim in the run
/// @throws as refuse() for a limit that this quantity cannot have
[[nodiscard]] Opened open_claim(const Spec& spec,
                                const Measurement& measurement,
                                const measure::Sweep& sweep,
                                const Setting& setting,
                                std::size_t claim);

}  // namespace gammascope::claims
