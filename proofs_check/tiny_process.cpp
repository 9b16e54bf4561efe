// SPDX-License-Identifier: MIT
#include "proofs_check/tiny_process.hpp"

namespace gammascope::proofs {
namespace {

std::string row(const std::vector<Q>& values) {
  std::string result;
  for (const Q& x : values) result += (result.empty() ? "" : ", ") + text(x);
  return "(" + result + ")";
}

}  // namespace

std::string TinyProcess::text() const {
  std::string result =
      "process: initial " + row(initial) + ", at most " + std::to_string(length) + " tokens\n";
  for (std::size_t s = 0; s < states(); ++s) {
    result += "  state " + std::to_string(s) + ": student " + row(student[s]) + ", teacher " +
              row(teacher[s]) + ", next (";
    for (std::size_t a = 0; a < tokens(); ++a)
      result += (a == 0 ? "" : ", ") +
                (next[s][a] == states() ? std::string("end") : std::to_string(next[s][a]));
    result += ")\n";
  }
  return result;
}

Table<LogPrime> log_ratios(const TinyProcess& process) {
  Table<LogPrime> x(process.states(), std::vector<LogPrime>(process.tokens()));
  for (std::size_t s = 0; s < process.states(); ++s)
    for (std::size_t a = 0; a < process.tokens(); ++a)
      if (process.student[s][a] != 0)
        x[s][a] = LogPrime::log(process.teacher[s][a]) - LogPrime::log(process.student[s][a]);
  return x;
}

Table<Ball> log_ratio_balls(const TinyProcess& process) {
  Table<Ball> balls(process.states());
  const Table<LogPrime> x = log_ratios(process);
  for (std::size_t s = 0; s < x.size(); ++s)
    for (const LogPrime& value : x[s]) balls[s].emplace_back(value);
  return balls;
}

}  // namespace gammascope::proofs
