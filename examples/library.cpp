// SPDX-License-Identifier: MIT
// The library in 30 lines: the variance of the credit over the first 64 tokens of a log, gamma
// 0.99, with its 95 % limits.   library LOG
#include <cstdio>
#include <exception>

#include "analysis/io/log_reader.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/measure/sweep.hpp"

namespace gs = gammascope;

int main(int argc, char** argv) try {
  if (argc != 2) throw gs::UsageError("usage: library LOG");
  const gs::measure::CellSpec window{gs::Alignment::window, 0.99, 64};  // gamma, tokens
  const auto log = gs::io::open_log(argv[1], {});
  const auto sweep = gs::measure::sweep({gs::measure::Settings{}, {window}},
                                        [&](gs::RolloutRecord& row) { return log->next(row); });
  const gs::Cell var = gs::measure::estimate(sweep, 0, 2e-6).variance;  // float32 noise floor
  if (!var.value) throw gs::UsageError("no variance: " + var.reason);
  std::printf("Var(A) over 64 tokens at gamma 0.99: %.4g nats^2", *var.value);
  if (var.lower) std::printf(", 95 %% limits [%.4g, %.4g]", *var.lower, *var.upper);
  std::printf(
      " (%s, %lld prompts)\n", gs::name(var.status).data(), static_cast<long long>(var.prompts));
  return 0;
} catch (const gs::Error& error) {
  std::fprintf(stderr, "library: %s\n", error.what());
  return static_cast<int>(error.status());
} catch (const std::exception& error) {
  std::fprintf(stderr, "library: %s\n", error.what());
  return 70;
}
