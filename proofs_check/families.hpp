// SPDX-License-Identifier: MIT
// The domains: numbered families of small processes. Tests: tests/proofs_check/test_families.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "proofs_check/tiny_process.hpp"

namespace gammascope::proofs {

struct Family {
  std::string description;
  std::uint64_t size;
  std::function<TinyProcess(std::uint64_t)> at;  ///< index base 0; the same process every time
};

/// Every process of 2 states and 2 tokens with student and teacher probabilities k/6 (k = 1..5),
/// every next map into {0, 1, end} (so a random length where the end is used), started in state 0
/// or, as two prompts, in states 0 and 1 with probabilities 1/3 and 2/3, cut at T tokens, for every
/// T in `lengths`: 101 250 processes a length.
[[nodiscard]] Family sixths(std::vector<std::size_t> lengths);

/// `size` random processes, larger: 2 or 3 states, 2 or 3 tokens, T = 3 or 4, probabilities with
/// denominators up to 40, some with several prompts, an end, or teacher mass on tokens that the
/// student never emits. Index i alone decides process i.
[[nodiscard]] Family random_larger(std::uint64_t size);

/// Processes that come near one bound each (theory 3a; theory-2 1b, 2b, 3C): a student that with
/// probability p loses log r at every token; independent two-point log-ratios {-log r, e(p)}; the
/// same KL at every prefix with a random end; and a large log-ratio of probability about exp(-2).
/// T = 3.
[[nodiscard]] Family extremal();

/// A distribution over n tokens, every probability a positive multiple of 1/d, at random.
[[nodiscard]] std::vector<Q> random_row(std::mt19937_64& bits, std::size_t n, std::uint64_t d);

/// All rows (k_1, …, k_n)/d with sum d, every k_i >= least.
[[nodiscard]] std::vector<std::vector<Q>> all_rows(std::size_t n, long d, long least);

}  // namespace gammascope::proofs
