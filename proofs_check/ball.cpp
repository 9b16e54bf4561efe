// SPDX-License-Identifier: MIT
#include "proofs_check/ball.hpp"

#include <flint/fmpq.h>

namespace gammascope::proofs {

thread_local slong Ball::precision = 64;

Ball::Ball(const Q& x) {
  arb_init(x_);
  fmpq_t fraction;
  fmpq_init(fraction);
  fmpq_set_mpq(fraction, x.backend().data());
  arb_set_fmpq(x_, fraction, precision);
  fmpq_clear(fraction);
}

Ball::Ball(const LogPrime& x) {
  arb_init(x_);
  arb_t log;
  arb_init(log);
  for (const LogPrime::Term& term : x.terms()) {
    if (term.base == 1)
      arb_one(log);
    else
      arb_log_ui(log, term.base, precision);
    arb_addmul(x_, log, Ball(term.coefficient).x_, precision);
  }
  arb_clear(log);
}

Ball Ball::hull(const Ball& a, const Ball& b) {
  Ball result;
  arb_union(result.x_, a.x_, b.x_, precision);
  return result;
}

bool Ball::contains(double x) const { return arb_contains(x_, Ball(x).x_) != 0; }

std::string Ball::text() const {
  char* const digits = arb_get_str(x_, 18, 0);
  std::string result(digits);
  flint_free(digits);
  return result;
}

void Ball::release_thread() { flint_cleanup(); }

}  // namespace gammascope::proofs
