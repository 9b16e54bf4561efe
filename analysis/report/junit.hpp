// SPDX-License-Identifier: MIT
// Verdicts for machines that run tests: a JUnit file, and annotations of GitHub. Tests:
// tests/analysis/report/test_junit.cpp; the file against tests/data/junit.xsd
#pragma once

#include <string>

#include "analysis/report/result.hpp"

namespace gammascope::report {

/// --junit-inconclusive
enum class JunitInconclusive : std::uint8_t { skipped, failure };

/// One test suite; a test case is a claim by one alignment, its cells together ("cell family"), in
/// the order of the verdicts. Any cell that failed makes a failure; else any that showed nothing
/// (inconclusive, identity, degenerate) is skipped, or a failure as `inconclusive` says. The text
/// is what a person would say, worst cell first. Errors of the doctor are a test case of their own,
/// "the log can be trusted". Times are 0: equal runs give equal bytes.
[[nodiscard]] std::string to_junit(const Result& result, JunitInconclusive inconclusive);

/// One line a test case that did not pass: ::error for a failure, ::warning for one that showed
/// nothing; file and line of the claim, or the log. Escaped as the workflow commands want it.
[[nodiscard]] std::string to_github(const Result& result);

}  // namespace gammascope::report

namespace gammascope {
template <>
struct EnumName<report::JunitInconclusive> {
  static constexpr std::array<std::string_view, 2> names{"skipped", "failure"};
};
}  // namespace gammascope
