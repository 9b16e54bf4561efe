// SPDX-License-Identifier: MIT
// Real numbers as midpoint and radius: the true value always lies in the ball, whatever the
// rounding, so a decided inequality is proved. Arb enters through this file.
// Tests: tests/proofs_check/test_ball.cpp
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include <arb.h>

#include "proofs_check/log_prime.hpp"
#include "proofs_check/rational.hpp"

namespace gammascope::proofs {

/// Whether a statement about balls holds for all, for none, or only for some points of them.
enum class Truth : std::uint8_t { yes, no, unknown };

class Ball {
 public:
  /// Bits of the midpoints made from now on in this thread; set by certify().
  static thread_local slong precision;

  Ball() { arb_init(x_); }
  template <std::integral Integer>
  Ball(Integer n) {  // NOLINT(google-explicit-constructor): a number type in templates
    arb_init(x_);
    arb_set_si(x_, static_cast<slong>(n));
  }
  explicit Ball(double x) {
    arb_init(x_);
    arb_set_d(x_, x);
  }
  explicit Ball(const Q& x);
  /// The real number that the element stands for.
  explicit Ball(const LogPrime& x);
  Ball(const Ball& other) {
    arb_init(x_);
    arb_set(x_, other.x_);
  }
  Ball(Ball&& other) noexcept {
    arb_init(x_);
    arb_swap(x_, other.x_);
  }
  Ball& operator=(const Ball& other) {
    arb_set(x_, other.x_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(x_, other.x_);
    return *this;
  }
  ~Ball() { arb_clear(x_); }

  Ball& operator+=(const Ball& b) {
    arb_add(x_, x_, b.x_, precision);
    return *this;
  }
  Ball& operator-=(const Ball& b) {
    arb_sub(x_, x_, b.x_, precision);
    return *this;
  }
  Ball& operator*=(const Ball& b) {
    arb_mul(x_, x_, b.x_, precision);
    return *this;
  }
  Ball& operator/=(const Ball& b) {
    arb_div(x_, x_, b.x_, precision);
    return *this;
  }
  /// += a * b
  Ball& add_product(const Ball& a, const Ball& b) {
    arb_addmul(x_, a.x_, b.x_, precision);
    return *this;
  }
  friend Ball operator+(Ball a, const Ball& b) { return a += b; }
  friend Ball operator-(Ball a, const Ball& b) { return a -= b; }
  friend Ball operator*(Ball a, const Ball& b) { return a *= b; }
  friend Ball operator/(Ball a, const Ball& b) { return a /= b; }
  friend Ball operator-(Ball a) {
    arb_neg(a.x_, a.x_);
    return a;
  }

  /// Certainly less, for every point of either ball; and so on.
  friend bool operator<(const Ball& a, const Ball& b) { return arb_lt(a.x_, b.x_) != 0; }
  friend bool operator>(const Ball& a, const Ball& b) { return b < a; }
  friend bool operator<=(const Ball& a, const Ball& b) { return arb_le(a.x_, b.x_) != 0; }
  friend bool operator>=(const Ball& a, const Ball& b) { return b <= a; }
  /// The same ball (so == 0 means exactly zero): what number templates ask.
  friend bool operator==(const Ball& a, const Ball& b) { return arb_equal(a.x_, b.x_) != 0; }

  friend Ball exp(const Ball& x) { return map(arb_exp, x); }
  friend Ball log(const Ball& x) { return map(arb_log, x); }
  friend Ball expm1(const Ball& x) { return map(arb_expm1, x); }
  /// The part of the ball below 0 is cut off: for numbers known not to be negative.
  friend Ball sqrt(const Ball& x) { return map(arb_sqrtpos, x); }
  friend Ball square(const Ball& x) { return map(arb_sqr, x); }
  friend Ball max(const Ball& a, const Ball& b) {
    Ball result;
    arb_max(result.x_, a.x_, b.x_, precision);
    return result;
  }
  friend Ball min(const Ball& a, const Ball& b) {
    Ball result;
    arb_min(result.x_, a.x_, b.x_, precision);
    return result;
  }
  /// All points between the two.
  [[nodiscard]] static Ball hull(const Ball& a, const Ball& b);

  [[nodiscard]] bool overlaps(const Ball& b) const { return arb_overlaps(x_, b.x_) != 0; }
  [[nodiscard]] bool contains(double x) const;
  [[nodiscard]] double midpoint() const { return arf_get_d(arb_midref(x_), ARF_RND_NEAR); }
  /// An upper bound of the radius.
  [[nodiscard]] double radius() const { return mag_get_d(arb_radref(x_)); }
  /// "0.28661 +/- 1.2e-19", at most 18 digits.
  [[nodiscard]] std::string text() const;

  /// Frees what Arb keeps for this thread; call it last in a thread that used balls.
  static void release_thread();

 private:
  static Ball map(void (*function)(arb_t, const arb_t, slong), const Ball& x) {
    Ball result;
    function(result.x_, x.x_, precision);
    return result;
  }
  arb_t x_;
};

/// a <= b and a < b.
[[nodiscard]] inline Truth less_equal(const Ball& a, const Ball& b) {
  return a <= b ? Truth::yes : b < a ? Truth::no : Truth::unknown;
}
[[nodiscard]] inline Truth less(const Ball& a, const Ball& b) {
  return a < b ? Truth::yes : b <= a ? Truth::no : Truth::unknown;
}
[[nodiscard]] inline Truth operator&&(Truth a, Truth b) {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::unknown;
}

/// Sets Ball::precision, and back at the end of the scope.
class Precision {
 public:
  explicit Precision(slong bits) : before_(Ball::precision) { Ball::precision = bits; }
  ~Precision() { Ball::precision = before_; }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

 private:
  slong before_;
};

/// Asks `statement` again with more bits until it is decided; unknown if 2048 do not decide it
/// (which is what exact equality of irrational numbers looks like).
template <class Statement>
[[nodiscard]] Truth certify(const Statement& statement) {
  for (const slong bits : {64, 128, 512, 2048}) {
    const Precision precision(bits);
    if (const Truth truth = statement(); truth != Truth::unknown) return truth;
  }
  return Truth::unknown;
}

}  // namespace gammascope::proofs
