// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/objectives.hpp"
#include "proofs_check/score_sums.hpp"

namespace gammascope::proofs {
namespace {

/// Two binary tokens, prefixes as states; one parameter: the student gives token 1 probability p.
TinyProcess two_tokens(const Q& p, const Q& a, const Q& b0, const Q& b1) {
  TinyProcess result;
  result.initial = {Q(1), Q(0), Q(0)};
  for (const Q& b : {a, b0, b1}) {
    result.student.push_back({1 - p, p});
    result.teacher.push_back({1 - b, b});
  }
  result.next = {{1, 2}, {3, 3}, {3, 3}};
  result.length = 2;
  return result;
}

/// E[sum_t A_t d log pi / d logit p].
LogPrime direction(const TinyProcess& process, const Q& gamma) {
  const auto sum = score_sum(process,
                             responses(process),
                             log_ratios(process),
                             [&](const std::vector<LogPrime>& x, std::size_t t) {
                               LogPrime a;
                               for (std::size_t k = t; k < x.size(); ++k)
                                 a.add(x[k], power(gamma, k - t));
                               return a;
                             });
  return sum[1] + sum[3] + sum[5];
}

/// -dJ_seq / d logit p, by the product rule.
LogPrime descent(const TinyProcess& process) {
  const Gradient g = sequence_objective_gradient(process);
  return LogPrime{} - g[1] - g[3] - g[5];
}

LogPrime logit(const Q& p) { return LogPrime::log(p / (1 - p)); }

/// The closed form p (1 - p) F_gamma(p) of theory-2 8b.
LogPrime closed_form(const Q& p, const Q& gamma) {
  LogPrime f = logit(q(1, 3)) + p * logit(q(1, 2)) + Q(1 - p) * logit(q(3, 4));
  f.add(logit(p), Q(-2));
  f.add(LogPrime::log(q(2, 3)), gamma * p);
  f.add(LogPrime::log(q(2)), gamma * (1 - p));
  return Q(p * (1 - p)) * f;
}

Outcome check(const Run& run) {
  Outcome outcome;
  outcome.domain =
      "gamma = 0, 1/3, 1/2, 9/10, 1; p = k/20; every teacher a, b0 = k/12 of the recipe; signs at "
      "p = 49/100 certified";
  const auto expect = [&](const std::string& what, const LogPrime& left, const LogPrime& right) {
    ++outcome.checked;
    if (left != right && !outcome.counterexample)
      outcome.counterexample = what + ": left " + left.text() + ", right " + right.text() + "\n";
  };
  const Q a = q(1, 3), b0 = q(3, 4), b1 = q(1, 2);
  const LogPrime unit = LogPrime::log(q(3)) - (run.mutant == 1 ? q(3) : q(2)) * LogPrime::log(q(2));
  for (const Q& gamma : {q(0), q(1, 3), q(1, 2), q(9, 10), q(1)}) {
    const Q factor = run.mutant == 2 ? Q(1 - gamma * gamma) : Q(1 - gamma);
    expect("p = 1/2, gamma = " + text(gamma),
           direction(two_tokens(q(1, 2), a, b0, b1), gamma),
           Q(factor / 8) * unit);
    for (long k = 1; k < 20; ++k)
      expect("closed form, p = " + text(q(k, 20)) + ", gamma = " + text(gamma),
             direction(two_tokens(q(k, 20), a, b0, b1), gamma),
             closed_form(q(k, 20), gamma));
  }
  for (long k = 1; k < 20; ++k) {
    const TinyProcess process = two_tokens(q(k, 20), a, b0, b1);
    expect("gamma = 1 against -dJ_seq, p = " + text(q(k, 20)),
           direction(process, Q(1)),
           descent(process));
  }
  // The recipe: a b1 = (1 - a)(1 - b0) makes p = 1/2 stationary for J_seq.
  for (long i = 1; i < 12; ++i)
    for (long j = 1; j < 12; ++j) {
      const Q teacher = q(i, 12), after0 = q(j, 12);
      const Q after1 = (1 - teacher) * (run.mutant == 3 ? after0 : Q(1 - after0)) / teacher;
      if (after1 > 0 && Q(1 - after1) > 0)
        expect("recipe a = " + text(teacher) + ", b0 = " + text(after0),
               descent(two_tokens(q(1, 2), teacher, after0, after1)),
               LogPrime{});
    }
  const TinyProcess near = two_tokens(q(49, 100), a, b0, b1);
  const Truth opposite = certify([&] {
    return less(Ball(direction(near, Q(0))), Ball(0)) && less(Ball(0), Ball(direction(near, Q(1))));
  });
  ++outcome.checked;
  if (opposite != Truth::yes && !outcome.counterexample)
    outcome.counterexample = "p = 49/100: directions at gamma 0 and 1 are not opposite\n";
  outcome.notes.push_back("p = 49/100: direction " + Ball(direction(near, Q(0))).text() +
                          " at gamma 0, " + Ball(direction(near, Q(1))).text() + " at gamma 1");
  return outcome;
}

}  // namespace

Claim stationary_not_realizable() {
  return {"stationary_not_realizable",
          "theory-2 8b",
          "two binary tokens, one parameter p, teacher 1/3, 3/4, 1/2: at p = 1/2 the direction is "
          "exactly (1 - gamma)(log 3 - 2 log 2)/8, so only gamma = 1 is stationary where J_seq is; "
          "at p = 49/100 gamma = 0 and 1 point opposite ways",
          Method::exact,
          {"log 3 - 3 log 2", "1 - gamma^2 for 1 - gamma", "b0 for 1 - b0 in the recipe"},
          check};
}

}  // namespace gammascope::proofs
