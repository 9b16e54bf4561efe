// SPDX-License-Identifier: MIT
// A Markov token process: states s, tokens a, student pi(a|s), log-ratio X(s, a) = log pi*(a|s) -
// log pi(a|s), next state by a function or a transition kernel, initial distribution, optional
// absorbing end (theory section 4). Everything exact is computed from this and from nothing else.
// Tests: tests/simulators/markov/test_process.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gammascope::markov {

/// One way to leave a state: the student emits `token` and the process moves to `next`.
template <class Real>
struct Edge {
  Real probability;  ///< pi(token | s) * kernel(next | s, token), in (0, 1]
  Real log_ratio;    ///< X = log pi*(token | s) - log pi(token | s), nats: minus Delta; -inf where
                     ///< the teacher never emits the token
  std::uint32_t next;
  std::uint32_t token;  ///< 0-based id
};

/// Minus infinity, in the number types that have one (rationals do not).
template <class Real>
[[nodiscard]] bool is_minus_infinity(const Real& x) {
  if constexpr (std::numeric_limits<Real>::has_infinity)
    return x == -std::numeric_limits<Real>::infinity();
  else
    return false;
}

/// States and tokens are 0-based. Edges are stored in one array, those of a state side by side and
/// in the order of their tokens; only edges of positive probability exist. Real: double, long
/// double, a multiprecision float, or a rational (the log-ratios are then claimed to be rational).
template <class Real>
class Process {
 public:
  /// @param initial (states) distribution of the state before token 0; sums to 1, 0 at the end
  /// state
  /// @param rows (states) edges of each state, any order; the end state's are ignored
  /// @param end_state absorbing; the token that leads into it is the response's last and counts
  /// @param vocabulary number of token ids; every edge's token is below it
  /// @param tolerance how far a sum of probabilities may lie from 1
  /// @throws std::invalid_argument naming state and rule. Cost: O(states + edges log)
  Process(std::vector<Real> initial,
          std::vector<std::vector<Edge<Real>>> rows,
          std::optional<std::uint32_t> end_state,
          std::size_t vocabulary,
          const Real& tolerance = Real(1) / Real(1000000000000LL))
      : initial_(std::move(initial)), end_(end_state), vocabulary_(vocabulary) {
    if (rows.empty()) throw std::invalid_argument("a process needs at least one state");
    if (rows.size() >= std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("a process has fewer than 2^32 - 1 states");
    if (initial_.size() != rows.size())
      throw std::invalid_argument("the initial distribution has one entry for each state");
    if (end_ && *end_ >= rows.size()) throw std::invalid_argument("the end state does not exist");
    Sum total{0};
    for (const Real& p : initial_) {
      if (!(p >= Real{0})) throw std::invalid_argument("an initial probability is negative");
      total += Sum(p);
    }
    if (!near_one(total, tolerance))
      throw std::invalid_argument("the initial distribution does not sum to 1");
    if (end_ && initial_[*end_] != Real{0})
      throw std::invalid_argument("a response cannot begin in the end state");
    first_.reserve(rows.size() + 1);
    first_.push_back(0);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      if (!is_end(s)) take_row(s, rows[s], tolerance);
      first_.push_back(edges_.size());
    }
  }

  [[nodiscard]] std::size_t states() const noexcept { return initial_.size(); }
  [[nodiscard]] std::size_t vocabulary() const noexcept { return vocabulary_; }
  /// Edges of all states together: the "nonzeros" of every cost.
  [[nodiscard]] std::size_t nonzeros() const noexcept { return edges_.size(); }
  /// Edges out of state s; empty for the end state. Precondition: s < states().
  [[nodiscard]] std::span<const Edge<Real>> row(std::size_t s) const noexcept {
    return std::span(edges_).subspan(first_[s], first_[s + 1] - first_[s]);
  }
  /// Index of the first edge of state s in the array of all edges.
  [[nodiscard]] std::size_t first_edge(std::size_t s) const noexcept { return first_[s]; }
  [[nodiscard]] const std::vector<Real>& initial() const noexcept { return initial_; }
  [[nodiscard]] std::optional<std::uint32_t> end_state() const noexcept { return end_; }
  [[nodiscard]] bool is_end(std::size_t s) const noexcept { return end_ && *end_ == s; }

 private:
  // A plain sum of 1e5 doubles is off by more than the tolerance.
  using Sum = std::conditional_t<std::is_floating_point_v<Real>, long double, Real>;

  static bool near_one(const Sum& sum, const Real& tolerance) {
    return sum - Sum{1} <= Sum(tolerance) && Sum{1} - sum <= Sum(tolerance);
  }

  void take_row(std::size_t s, std::vector<Edge<Real>>& row, const Real& tolerance) {
    const auto fail = [&](const std::string& rule) {
      throw std::invalid_argument("state " + std::to_string(s) + ": " + rule);
    };
    std::ranges::stable_sort(row, {}, &Edge<Real>::token);
    Sum sum{0};
    for (const Edge<Real>& e : row) {
      if (!(e.probability > Real{0})) fail("a probability is not positive");
      if (e.next >= initial_.size()) fail("the next state does not exist");
      if (e.token >= vocabulary_) fail("a token is outside the vocabulary");
      if (!(e.log_ratio == e.log_ratio)) fail("a log-ratio is not a number");
      if (std::numeric_limits<Real>::has_infinity &&
          e.log_ratio == std::numeric_limits<Real>::infinity())
        fail("a log-ratio is plus infinity, but the student does emit the token");
      if (!edges_.empty() && edges_.size() > first_.back() && edges_.back().token == e.token &&
          edges_.back().log_ratio != e.log_ratio)
        fail("one token has two log-ratios");
      sum += Sum(e.probability);
      edges_.push_back(e);
    }
    if (!near_one(sum, tolerance)) fail("the student's probabilities do not sum to 1");
  }

  std::vector<Real> initial_;
  std::vector<Edge<Real>> edges_;
  std::vector<std::size_t> first_;
  std::optional<std::uint32_t> end_;
  std::size_t vocabulary_;
};

/// The same process in another floating type (every number rounded once).
template <class To, class From>
[[nodiscard]] Process<To> convert_process(const Process<From>& process) {
  std::vector<To> initial;
  for (const From& p : process.initial()) initial.push_back(static_cast<To>(p));
  std::vector<std::vector<Edge<To>>> rows(process.states());
  for (std::size_t s = 0; s < process.states(); ++s)
    for (const Edge<From>& e : process.row(s))
      rows[s].push_back(
          {static_cast<To>(e.probability), static_cast<To>(e.log_ratio), e.next, e.token});
  return Process<To>(
      std::move(initial), std::move(rows), process.end_state(), process.vocabulary());
}

/// Which states a response can be in before some token; the end state is never one of them.
/// Cost: O(states + nonzeros)
template <class Real>
[[nodiscard]] std::vector<bool> reachable_states(const Process<Real>& process) {
  std::vector<bool> seen(process.states(), false);
  std::vector<std::size_t> open;
  const auto visit = [&](std::size_t s) {
    if (seen[s] || process.is_end(s)) return;
    seen[s] = true;
    open.push_back(s);
  };
  for (std::size_t s = 0; s < process.states(); ++s)
    if (process.initial()[s] > Real{0}) visit(s);
  while (!open.empty()) {
    const std::size_t s = open.back();
    open.pop_back();
    for (const Edge<Real>& e : process.row(s)) visit(e.next);
  }
  return seen;
}

/// Whether a response can meet a token that the teacher never emits: its credit is then minus
/// infinity with positive probability, and no variance exists.
template <class Real>
[[nodiscard]] bool meets_minus_infinity(const Process<Real>& process) {
  const std::vector<bool> reachable = reachable_states(process);
  for (std::size_t s = 0; s < process.states(); ++s)
    if (reachable[s] && std::ranges::any_of(process.row(s), [](const Edge<Real>& e) {
          return is_minus_infinity(e.log_ratio);
        }))
      return true;
  return false;
}

}  // namespace gammascope::markov
