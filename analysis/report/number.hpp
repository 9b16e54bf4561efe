// SPDX-License-Identifier: MIT
// Numbers as people read them: in tables, sentences and on axes. Files get all digits instead
// (result_json.hpp). No locale is asked. Tests: tests/analysis/report/test_number.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gammascope::report {

/// Four significant digits, trailing zeros cut: 0.0888, 0.739, 19.98, 134.9, 1360.5 (one decimal
/// from 1000 on), 10450 (none from 10000 on), 1.234e7 (from 1e6 on, and below 1e-4). Zero of either
/// sign: "0"; NaN: "-"; infinity: "inf", "-inf".
[[nodiscard]] std::string number(double x);
/// "-" when absent.
[[nodiscard]] std::string number(const std::optional<double>& x);

/// Limits, "[0.071, 0.108]": three significant digits of the larger in size, more (up to six) while
/// the two would show fewer than two digits of their distance; "-" when both are absent, "[-,
/// 0.108]" when one is.
[[nodiscard]] std::string limits(const std::optional<double>& lower,
                                 const std::optional<double>& upper);

/// A gamma, or another setting that someone typed: all digits needed to read the same double back,
/// no more ("0.99", "1").
[[nodiscard]] std::string exact_number(double x);

/// A count, digits in threes from 10 000 on: "9999", "201 084".
/// @param gap what stands between the threes
[[nodiscard]] std::string count(std::int64_t n, std::string_view gap = " ");

/// A share of one as per cent, two significant digits: "56 %", "4.6 %", "0.013 %", "120 %".
[[nodiscard]] std::string percent(double share);

/// A p-value: two significant digits, "<1e-9" below that.
[[nodiscard]] std::string p_value(double p);

}  // namespace gammascope::report
