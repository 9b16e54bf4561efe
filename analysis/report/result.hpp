// SPDX-License-Identifier: MIT
// What a run found, before it is written anywhere: gammascope.result/1 (results.md,
// docs/result.schema.json). Tables, JSON, plots and HTML are made from this and from nothing else.
// Tests: tests/analysis/report/
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/doctor/finding.hpp"
#include "analysis/measure/cell.hpp"
#include "analysis/verdict/verdict.hpp"

namespace gammascope::report {

/// One option's final value.
using Setting = std::variant<bool,
                             std::int64_t,
                             double,
                             std::string,
                             std::vector<double>,
                             std::vector<std::int64_t>,
                             std::vector<std::string>>;

/// What was read. For an exact process: the file or family, the rest 0.
struct Source {
  std::vector<std::string> files;
  std::string dialect;
  std::int64_t rollouts = 0, prompts = 0, tokens = 0, truncated = 0;
  std::map<std::string, std::int64_t> dropped;  ///< reason -> count, zero counts left out
  std::string hash;  ///< of the set of responses (measure::ResponseSet); empty without a log
};

struct Result {
  std::string verb;
  std::vector<std::pair<std::string, Setting>>
      settings;  ///< in the order of --help; every option that can change a number
  Source source;
  std::vector<Cell> cells;
  std::vector<Verdict> verdicts;
  std::vector<Finding> findings;  ///< worst first
  std::string summary;            ///< one sentence: what was found, how sure, what to do next
  std::string version;            ///< of the program that made it; empty: this one
};

}  // namespace gammascope::report
