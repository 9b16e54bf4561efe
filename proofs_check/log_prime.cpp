// SPDX-License-Identifier: MIT
#include "proofs_check/log_prime.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace gammascope::proofs {
namespace {

using Integer = boost::multiprecision::mpz_int;

/// Adds sign * (the exponent of each prime of n).
void factor(Integer n, int sign, std::vector<LogPrime::Term>& terms) {
  const auto take = [&](std::uint64_t prime, int exponent) {
    terms.push_back({prime, Q(sign * exponent)});
  };
  for (std::uint64_t p = 2; n > 1; p += p == 2 ? 1 : 2) {
    if (p > 0xffffffffULL) throw std::domain_error("a prime factor beyond 2^32");
    if (Integer(p) * p > n) {
      if (n > Integer(0xffffffffffffffffULL)) throw std::domain_error("a prime factor beyond 2^64");
      take(static_cast<std::uint64_t>(n), 1);
      return;
    }
    int exponent = 0;
    while (n % p == 0) {
      n /= p;
      ++exponent;
    }
    if (exponent > 0) take(p, exponent);
  }
}

}  // namespace

LogPrime LogPrime::log(const Q& x) {
  if (!(x > 0)) throw std::domain_error("log of a number that is not positive");
  LogPrime result;
  factor(Integer(boost::multiprecision::numerator(x)), 1, result.terms_);
  factor(Integer(boost::multiprecision::denominator(x)), -1, result.terms_);
  std::ranges::sort(result.terms_, {}, &Term::base);  // lowest terms: no prime stands twice
  return result;
}

LogPrime& LogPrime::operator*=(const Q& factor) {
  if (factor == 0) {
    terms_.clear();
  } else {
    for (Term& term : terms_) term.coefficient *= factor;
  }
  return *this;
}

LogPrime& LogPrime::add(const LogPrime& other, const Q& factor) {
  if (factor == 0) return *this;
  std::size_t i = 0;
  for (const Term& term : other.terms_) {
    while (i < terms_.size() && terms_[i].base < term.base) ++i;
    if (i < terms_.size() && terms_[i].base == term.base) {
      terms_[i].coefficient += factor * term.coefficient;
      if (terms_[i].coefficient == 0)
        terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    } else {
      terms_.insert(terms_.begin() + static_cast<std::ptrdiff_t>(i),
                    {term.base, factor * term.coefficient});
      ++i;
    }
  }
  return *this;
}

LogPrime operator*(const LogPrime& a, const LogPrime& b) {
  if (!a.is_number()) {
    if (!b.is_number())
      throw std::domain_error("a product of logarithms is no element of the space");
    return b * a;
  }
  return a.is_zero() ? LogPrime{} : a.terms_[0].coefficient * b;
}

std::string LogPrime::text() const {
  std::string result;
  for (const Term& term : terms_) {
    const bool minus = term.coefficient < 0;
    result += result.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    result += proofs::text(minus ? Q(-term.coefficient) : term.coefficient);
    if (term.base != 1) result += " log " + std::to_string(term.base);
  }
  return result.empty() ? "0" : result;
}

}  // namespace gammascope::proofs
