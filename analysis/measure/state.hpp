// SPDX-License-Identifier: MIT
// All that a measurement keeps: with it the result can be had again, and measurements of parts of
// the responses, made anywhere, add up to that of all (docs/formats.md, "State"). A function of the
// set of responses and of the settings only. Tests: tests/analysis/measure/test_state.cpp
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "analysis/core/rollout.hpp"
#include "analysis/measure/response_set.hpp"
#include "analysis/measure/survey.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::measure {

/// Why two states cannot be added up.
struct Mismatch {
  std::string setting;        ///< as spelled on the command line, or "header.dtype"
  std::string first, second;  ///< its values
};

struct State {
  /// How the logs were read, by option: what the plan does not say and yet decides numbers.
  std::map<std::string, std::string> reading;
  /// Fields of headers that must agree wherever they are stated.
  std::map<std::string, std::string> header;
  Survey survey;
  ResponseSet responses;
  std::map<std::string, std::int64_t> dropped;  ///< reason -> count
  Sweep sweep;

  /// The first setting in which the two differ; absent if they can be merged.
  [[nodiscard]] std::optional<Mismatch> mismatch(const State& other) const;

  /// @throws std::invalid_argument if there is a mismatch
  void merge(const State& other);

  friend bool operator==(const State&, const State&) = default;
};

/// The fields that io::open_logs holds to agree, as text.
[[nodiscard]] std::map<std::string, std::string> header_facts(const LogHeader& header);

/// n of the cells of one alignment, ascending; gammas, ascending; alignments in order of first
/// appearance: the options that made the plan.
[[nodiscard]] std::vector<std::int64_t> places_of(const Plan& plan);
[[nodiscard]] std::vector<double> gammas_of(const Plan& plan);
[[nodiscard]] std::vector<Alignment> alignments_of(const Plan& plan);

}  // namespace gammascope::measure
