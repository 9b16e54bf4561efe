// SPDX-License-Identifier: MIT
#include "tests/calibration/coverage.hpp"

#include <charconv>

namespace gammascope::calibration {

std::string fixed(double x, int decimals) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::fixed, decimals);
  return {text, end.ptr};
}

Outcome outcome(const std::optional<stats::Limits>& limits, double truth) {
  if (!limits) return {};
  const bool low = limits->lower > truth, high = limits->upper < truth;
  return {static_cast<unsigned char>(low ? 1 : high ? 2 : 0), limits->upper - limits->lower};
}

Coverage coverage(const std::vector<Outcome>& outcomes) {
  Coverage c;
  c.replicates = static_cast<double>(outcomes.size());
  std::vector<double> lengths;
  double count[4] = {};
  for (const Outcome& o : outcomes) {
    count[o.where] += 1;
    if (o.where != 3) lengths.push_back(o.length);
  }
  c.covered = 100 * count[0] / c.replicates;
  c.lower = 100 * count[1] / c.replicates;
  c.upper = 100 * count[2] / c.replicates;
  c.without = 100 * count[3] / c.replicates;
  c.length = median(lengths);
  return c;
}

std::string Coverage::text(int decimals) const {
  std::string s = fixed(covered, 1) + " (" + fixed(lower, 1) + "/" + fixed(upper, 1) + ")";
  if (decimals >= 0) s += " " + fixed(length, decimals);
  if (without >= 0.05) s += ", none " + fixed(without, 1);
  return s;
}

void gate(std::vector<Gate>& gates, const std::string& what, const Coverage& c, const Band& band) {
  const auto wide = [&](double percent) { return three_errors(percent, c.replicates); };
  gates.push_back(
      {what + ", coverage", c.covered, band.low - wide(band.low), band.high + wide(band.high)});
  gates.push_back({what + ", lower error", c.lower, 0, band.lower + wide(band.lower)});
  gates.push_back({what + ", upper error", c.upper, 0, band.upper + wide(band.upper)});
}

}  // namespace gammascope::calibration
