// SPDX-License-Identifier: MIT
// Responses of a process as a log would record them. Every draw is a function of (seed, prompt
// hash, sample, t), so a rollout is the same whatever the order, the threads or how many others are
// drawn. Tests: tests/simulators/markov/test_sampler.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "simulators/markov/alias_table.hpp"
#include "simulators/markov/mixture.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::markov {

/// Which rollout.
struct SampleKey {
  std::string prompt_id;
  std::uint64_t prompt_hash = 0;  ///< XXH3-64 of prompt_id (io::prompt_hash)
  std::uint32_t sample = 0;       ///< 0-based within the prompt
};

/// Alias tables of a mixture of processes; immutable after construction, so threads may share one.
class Sampler {
 public:
  /// @param max_length a response that has not ended after that many tokens is cut
  /// @throws std::invalid_argument unless 1 <= max_length < 2^31. Cost: O(nonzeros)
  Sampler(const Mixture& mixture, std::int64_t max_length, std::uint64_t seed);

  /// Fills `record` with one response: student, teacher, rollout log-prob (float32, nats), token
  /// id, entropy of the student and KL(student || teacher) at the prefix, finish reason (stop by
  /// the end token, which is included; length if cut), prompt id and hash, sample id. A teacher
  /// that never emits the token gives -inf, and an infinite KL at that prefix.
  ///
  /// Draw: token t from half (t mod 2) of the Philox block with counter (t / 2, sample, prompt
  /// hash); the first state and the prompt's component from counters no token can have.
  /// Cost: about 12 ns a token while the tables fit in cache
  void sample(const SampleKey& key, RolloutRecord& record) const;

  /// Index of the component that a prompt draws.
  [[nodiscard]] std::size_t component(std::uint64_t prompt_hash) const;

  /// Whether some response meets a token that the teacher never emits.
  [[nodiscard]] bool meets_minus_infinity() const noexcept { return meets_minus_infinity_; }
  /// The header of a log of these responses: vocabulary, cut, seed, dtype, temperatures, and the
  /// end tokens if every response that ends does so by one that always ends it.
  [[nodiscard]] const LogHeader& header() const noexcept { return header_; }

 private:
  /// One edge as the log shows it.
  struct Arrow {
    float student, teacher;
    std::uint32_t token;
  };
  /// An alias column with where its two outcomes lead: the next state does not wait for the arrow.
  struct Column {
    std::uint64_t threshold;
    std::uint32_t own_next, alias_next, alias;
  };
  struct State {
    std::uint32_t first = 0, count = 0;
    float entropy = 0, kl = 0;
    bool end = false;
  };

  void add_component(const Process<double>& process);
  void describe(std::int64_t max_length, std::uint64_t seed, std::size_t vocabulary);

  std::vector<State> states_;    ///< of all components, one after the other
  std::vector<Arrow> arrows_;    ///< edges of all states
  std::vector<Column> columns_;  ///< beside arrows_
  struct Start {
    std::uint32_t offset;
    std::vector<AliasColumn> columns;
    std::vector<std::uint32_t> states;
  };
  std::vector<Start> starts_;  ///< [component] the state before token 0
  std::vector<AliasColumn> choice_;
  std::int64_t max_length_;
  std::uint64_t seed_;
  bool meets_minus_infinity_ = false;
  LogHeader header_;
};

}  // namespace gammascope::markov
