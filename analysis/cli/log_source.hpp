// SPDX-License-Identifier: MIT
// The logs of a command, read as often as a verb needs: a first pass that says what is there, a
// second that measures. Standard input is kept in a nameless file for the second pass. Tests:
// tests/analysis/cli/
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/cli/bound_inputs.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/doctor/identities.hpp"
#include "analysis/doctor/lag_scan.hpp"
#include "analysis/doctor/repeated_rows.hpp"
#include "analysis/doctor/temperatures.hpp"
#include "analysis/doctor/token_shares.hpp"
#include "analysis/io/column_states.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/measure/response_set.hpp"
#include "analysis/measure/survey.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::cli {

/// All that one reading without measuring can tell.
struct FirstPass {
  LogHeader header;
  io::ReadReport read;
  io::ColumnStates columns;
  measure::Survey survey;
  measure::ResponseSet responses;  ///< of both sides: what is measured
  std::int64_t one_sided = 0;      ///< responses that lack student or teacher log-probs
  doctor::LagScan lag;
  doctor::Identities identities;
  doctor::RepeatedRows repeated;
  doctor::Temperatures temperatures;
  doctor::TokenShares token_shares;
  report::Tails tails;
  BoundInputs inputs;

  /// Both log-prob columns are recorded and vary.
  [[nodiscard]] bool both_sides() const;
  /// Why not, a sentence; empty if they are.
  [[nodiscard]] std::string missing_side() const;
};

class LogSource {
 public:
  /// @throws UsageError for bad options; NoInput if standard input cannot be kept
  LogSource(LogOptions options, bool quiet);
  ~LogSource();
  LogSource(const LogSource&) = delete;
  LogSource& operator=(const LogSource&) = delete;

  /// @throws as io::open_logs and its reader
  [[nodiscard]] FirstPass first_pass() const;

  /// Measures; responses that lack one side are left out (they were refused or counted before).
  /// @param keep which of the others; empty: all
  [[nodiscard]] measure::Sweep measure(
      const measure::Plan& plan,
      unsigned threads,
      const FirstPass& first,
      const std::function<bool(const RolloutRecord&)>& keep = {}) const;

  /// The same responses as a source, for other sums than a sweep. The LogSource must outlive it.
  [[nodiscard]] std::function<bool(RolloutRecord&)> rows(
      const FirstPass& first, const std::function<bool(const RolloutRecord&)>& keep = {}) const;

  /// The same responses one by one, for what a sweep does not keep.
  void each(const std::function<void(const RolloutRecord&)>& use) const;

  [[nodiscard]] const LogOptions& options() const noexcept { return options_; }

 private:
  [[nodiscard]] std::unique_ptr<io::LogReader> open() const;
  [[nodiscard]] bool sampled(const RolloutRecord& rollout) const;

  LogOptions options_;
  io::ReadOptions read_options_;
  double share_ = 1;
  bool quiet_;
  int spool_ = -1;  ///< descriptor of the copy of standard input
};

/// What the result says about its source.
[[nodiscard]] report::Source source_of(const LogSource& source, const FirstPass& first);

/// Rules of the first look that stop `measure` and `check` unless --force: a suspected shift; one
/// side missing.
/// @throws BadData naming the rule and the option that goes on
void refuse_untrusted(const LogSource& source, const FirstPass& first, bool force);

/// Everything the first pass found, worst first: shift, identities, repeated rows, and what is
/// assumed where the log is silent.
[[nodiscard]] std::vector<Finding> findings_of(const FirstPass& first, const CellOptions& cells);

/// Replaces options that were left to the log (at, max-length, noise-floor) by the values used, so
/// that a result says them. `at` stays as it was when one list cannot say it: log, all, several
/// alignments.
void settle(SettingList& settings, const CellOptions& cells, const FirstPass& first);

/// The header's dtype decides the noise floor unless one is given; max_length: the option, the
/// header's, the longest response.
[[nodiscard]] double noise_floor(const CellOptions& cells, const FirstPass& first);
[[nodiscard]] std::int64_t max_length(const CellOptions& cells, const FirstPass& first);
/// The settings of a sweep.
[[nodiscard]] measure::Settings settings_of(const CellOptions& cells, const FirstPass& first);
/// The cells that the options ask for on this log. @throws UsageError when there is nothing to
/// measure
[[nodiscard]] std::vector<measure::CellSpec> cells_of(const CellOptions& cells,
                                                      const FirstPass& first);

}  // namespace gammascope::cli
