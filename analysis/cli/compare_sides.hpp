// SPDX-License-Identifier: MIT
// The two things that `compare` holds against each other, measured the same way.
// Tests: tests/analysis/cli/test_compare.cpp
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cli/log_source.hpp"
#include "analysis/measure/compare.hpp"
#include "analysis/measure/split_sweep.hpp"
#include "analysis/measure/state.hpp"
#include "analysis/report/result.hpp"

namespace gammascope::cli {

/// A log (one file or store), a state, or the result of an earlier run.
class Side {
 public:
  /// Reads a result or a state whole, a log once.
  /// @throws as the readers, and as refuse_untrusted
  Side(const std::string& input, const LogOptions& how, bool force, bool quiet);

  [[nodiscard]] const std::string& name() const noexcept { return input_; }
  [[nodiscard]] bool is_log() const noexcept { return log_ != nullptr; }
  [[nodiscard]] bool is_result() const noexcept { return result_.has_value(); }
  /// Of a log only.
  [[nodiscard]] const FirstPass& first() const { return *first_; }
  [[nodiscard]] const LogSource& log() const { return *log_; }
  /// Of a state, or of a log once it is measured.
  [[nodiscard]] const measure::Sweep& sweep() const;
  /// Of a log or a state.
  [[nodiscard]] const measure::Survey& survey() const;
  [[nodiscard]] const measure::ResponseSet& responses() const;
  [[nodiscard]] report::Source source() const;

  /// What a result or a state says it was measured with; empty for a log.
  [[nodiscard]] SettingList settings() const;
  /// Cells of a result, of a state, or of a log once it is measured.
  [[nodiscard]] std::vector<Cell> cells() const;
  /// The second reading of a log, and a third one for its parts.
  /// @param shared only these prompts (ascending); absent: all
  void measure(const measure::Plan& plan,
               unsigned threads,
               const std::optional<std::vector<std::uint64_t>>& shared,
               std::optional<measure::By> by);
  /// Absent unless a log was measured in parts.
  [[nodiscard]] const std::optional<measure::SplitSweep>& split() const noexcept { return split_; }

 private:
  std::string input_;
  std::optional<report::Result> result_;
  std::optional<measure::State> state_;
  std::unique_ptr<LogSource> log_;
  std::optional<FirstPass> first_;
  std::optional<measure::Sweep> sweep_;
  std::optional<measure::SplitSweep> split_;
};

/// How the two were brought together.
struct Pairing {
  measure::Pairs pairs = measure::Pairs::none;
  std::int64_t shared = 0;                 ///< prompts that both have
  std::array<std::int64_t, 2> prompts{};   ///< prompts of each
  std::array<std::int64_t, 2> left_out{};  ///< of these, not used
  std::string reason;                      ///< a sentence: why in pairs, or why not
};

/// From here on in pairs.
constexpr double least_shared = 0.8;

/// Measures what is a log, in pairs when at least 80 % of the prompts of each side are shared, and
/// at least 5. @param sides the options of a state or result win over `cells`
/// @throws BadData when clock, truncated, start or weight differ; UsageError for parts of anything
/// but
///   two logs
[[nodiscard]] Pairing bring_together(Side& one,
                                     Side& two,
                                     CellOptions& cells,
                                     std::optional<measure::By> by);

struct Changes {
  std::vector<measure::Change> all;
  std::vector<std::string> groups;  ///< of each; empty: all rows
  std::vector<std::string> alone;   ///< parts that only one side has
};

/// Variance and mean of every cell that both have, in the order of the first; with --by of every
/// part that both have.
/// @throws BadData if there is none
[[nodiscard]] Changes changes_between(const Side& one, const Side& two, measure::Pairs pairs);

}  // namespace gammascope::cli
