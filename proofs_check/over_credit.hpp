// SPDX-License-Identifier: MIT
// A certified inequality about the credit of every position, window and discount of a process.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "proofs_check/credit_cases.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/prefix_facts.hpp"

namespace gammascope::proofs {

/// left <= right, or <.
struct Inequality {
  std::string what;
  Ball left, right;
  bool strict = false;
};

/// A = sum_{k<n} gamma^k X_{t+k} among responses with T > t: t 0-based, n >= 1.
struct CreditCase {
  const TinyProcess& process;
  const BallPaths& paths;
  const PrefixFacts& facts;
  std::size_t t, n;
  Q gamma;
  Law law;
  BoundInputs in;
};

/// 1e-30. No precision decides a <= between irrational numbers that are equal; statements whose two
/// sides can be are decided up to this.
[[nodiscard]] Ball margin();

/// The library's value of a bound, computed at the middle of its inputs, lies within `tolerance`
/// relative of the certified one: what is proved of the formula is then true of the function.
[[nodiscard]] Inequality agrees(const char* function,
                                double value,
                                const Ball& exact,
                                double tolerance);

using Statement = std::function<std::vector<Inequality>(const CreditCase&)>;

/// Decides the statement for every t, every n <= length - t and gamma = 1/2, 9/10, 1 (one gamma at
/// n = 1), at rising precision.
[[nodiscard]] Verdict decide_credit(const TinyProcess& process, const Statement& statement);

/// decide_credit over inequality_domains().
[[nodiscard]] Outcome over_credit(const Run& run, const Statement& statement);

/// Decides inequalities made anew at each precision by `make`.
[[nodiscard]] Verdict decide_inequalities(const std::function<std::vector<Inequality>()>& make);

}  // namespace gammascope::proofs
