// SPDX-License-Identifier: MIT
// Claims of a run of `check`: read from files and from what was typed, measured, and made into
// cases. Tests: tests/analysis/cli/test_claims.cpp
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/cli/log_source.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/report/claims_toml.hpp"
#include "analysis/verdict/check.hpp"
#include "analysis/verdict/claims/judge_claims.hpp"

namespace gammascope::cli {

/// @param files of claims  @param typed claims, with ";" between them
/// @throws UsageError, BadData, NoInput
[[nodiscard]] std::vector<report::ClaimsFile> read_claims(const std::vector<std::string>& files,
                                                          const std::string& typed);

/// A file's numbers hold for its settings only.
/// @throws BadData naming file, line, setting and both values
void require_settings(const std::vector<report::ClaimsFile>& files, const SettingList& settings);

/// All claims of a run, from plan to cases.
class ClaimsRun {
 public:
  /// @param bound_options sigma2 and the like for claims against a named bound
  /// @throws UsageError for what was typed, BadData for what a file says
  ClaimsRun(std::vector<report::ClaimsFile> files,
            const check::Settings& bound_options,
            const measure::Settings& how,
            std::int64_t longest);

  [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
  /// Cells that the sweep must have.
  [[nodiscard]] std::vector<measure::CellSpec> cells() const;
  [[nodiscard]] bool reads_responses() const;
  /// Wants every response when reads_responses().
  void add(const RolloutRecord& rollout);
  /// Claims against a named bound, for what their judge needs besides the sweep.
  [[nodiscard]] std::vector<const check::Plan*> bound_plans() const;

  /// The cases of all claims, in the order they were given.
  /// @param kl e-values of each bound plan, in their order
  /// @param settings of this run, for references to earlier results
  /// @param cells the numbers that were judged are appended
  [[nodiscard]] std::vector<check::Case> open(
      const measure::Sweep& sweep,
      double noise_floor,
      const check::Extras& extras,
      std::vector<std::map<std::size_t, check::KlEValue>> kl,
      const SettingList& settings,
      const std::string& log_hash,
      std::vector<Cell>& cells) const;

 private:
  struct One {
    claims::Spec spec;
    std::string baseline_hash;
    const claims::Kind* kind = nullptr;
    std::unique_ptr<claims::Measurement> measurement;  ///< or
    std::unique_ptr<check::Plan> bound;                ///< a claim against a named bound
  };
  std::vector<One> runs_;
};

}  // namespace gammascope::cli
