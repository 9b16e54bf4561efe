// SPDX-License-Identifier: MIT
// The Q-vector space with basis {1} and {log p : p prime}. With rational probabilities every
// log-ratio is an element of it, so an identity between expected log-ratios is decided exactly,
// coefficient by coefficient (theory section 2). The logs are linearly independent over Q by unique
// factorisation; that 1 is independent of them too is Lindemann's theorem (exp of a rational other
// than 0 is transcendental). Tests: tests/proofs_check/test_log_prime.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proofs_check/rational.hpp"

namespace gammascope::proofs {

class LogPrime {
 public:
  /// One coordinate: of log(base), or of the number 1 where base is 1. Never zero.
  struct Term {
    std::uint64_t base;
    Q coefficient;
    friend bool operator==(const Term&, const Term&) = default;
  };

  LogPrime() = default;
  /// The rational number itself.
  explicit LogPrime(const Q& number) {
    if (number != 0) terms_.push_back({1, number});
  }
  explicit LogPrime(int number) : LogPrime(Q(number)) {}

  /// log x, nats. @throws std::domain_error unless x > 0, or if a prime factor exceeds 2^32 (trial
  /// division). Cost: O(largest prime factor)
  [[nodiscard]] static LogPrime log(const Q& x);

  /// By base, ascending.
  [[nodiscard]] const std::vector<Term>& terms() const noexcept { return terms_; }
  [[nodiscard]] bool is_zero() const noexcept { return terms_.empty(); }

  LogPrime& operator+=(const LogPrime& other) { return add(other, Q{1}); }
  LogPrime& operator-=(const LogPrime& other) { return add(other, Q{-1}); }
  LogPrime& operator*=(const Q& factor);
  /// += factor * other. Cost: O(terms)
  LogPrime& add(const LogPrime& other, const Q& factor);

  friend bool operator==(const LogPrime&, const LogPrime&) = default;
  friend LogPrime operator+(LogPrime a, const LogPrime& b) { return a += b; }
  friend LogPrime operator-(LogPrime a, const LogPrime& b) { return a -= b; }
  friend LogPrime operator*(const Q& factor, LogPrime a) { return a *= factor; }
  /// Defined where a factor is a rational number, so that the templates of analysis/credit can run
  /// on this type. @throws std::domain_error for a product of logs
  friend LogPrime operator*(const LogPrime& a, const LogPrime& b);

  /// "1/8 log 3 - 1/4 log 2", "0".
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] bool is_number() const noexcept {
    return terms_.empty() || (terms_.size() == 1 && terms_[0].base == 1);
  }
  std::vector<Term> terms_;
};

}  // namespace gammascope::proofs
