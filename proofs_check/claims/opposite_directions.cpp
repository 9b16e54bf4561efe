// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/score_sums.hpp"
#include "simulators/markov/gradient_variance.hpp"

namespace gammascope::proofs {
namespace {

/// First token 1 with probability 1/4 (teacher 9/10); after 1 come n fair binary tokens of teacher
/// (1/8, 7/8), after 0 the teacher equals the student, so nothing follows that counts. Tail logits
/// by prefix (a binary tree of states) or by position (a chain).
TinyProcess two_branches(std::size_t n, bool by_prefix) {
  TinyProcess p;
  const std::size_t tail = by_prefix ? (std::size_t{1} << n) - 1 : n;
  const auto end = static_cast<std::uint32_t>(1 + tail);
  p.initial.assign(1 + tail, Q(0));
  p.initial[0] = 1;
  p.student.push_back({q(3, 4), q(1, 4)});
  p.teacher.push_back({q(1, 10), q(9, 10)});
  p.next.push_back({end, 1});
  for (std::size_t i = 0; i < tail; ++i) {
    p.student.push_back({q(1, 2), q(1, 2)});
    p.teacher.push_back({q(1, 8), q(7, 8)});
    const auto child = [&](std::size_t a) {
      const std::size_t next = by_prefix ? 2 * i + 1 + a : i + 1;
      return next < tail ? static_cast<std::uint32_t>(1 + next) : end;
    };
    p.next.push_back({child(0), child(1)});
  }
  p.length = n + 1;
  return p;
}

std::vector<Ball> by_enumeration(const TinyProcess& p, const Q& gamma) {
  const auto sum =
      score_sum(p, responses(p), log_ratios(p), [&](const std::vector<LogPrime>& x, std::size_t t) {
        LogPrime a;
        for (std::size_t k = x.size(); k-- > t;) a = x[k] + gamma * a;
        return a;
      });
  std::vector<Ball> balls;
  for (const LogPrime& x : sum) balls.emplace_back(x);
  return balls;
}

std::vector<Ball> by_recursion(const TinyProcess& p, const Q& gamma) {
  const auto process = as_markov<Ball>(p, log_ratio_balls(p));
  return markov::gradient_moments(process,
                                  Ball(gamma),
                                  static_cast<std::int64_t>(p.length),
                                  markov::GradientBaseline::none)
      .mean;
}

Ball inner(const std::vector<Ball>& a, const std::vector<Ball>& b) {
  Ball sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add_product(a[i], b[i]);
  return sum;
}

Ball cosine(const std::vector<Ball>& a, const std::vector<Ball>& b) {
  return inner(a, b) / sqrt(inner(a, a) * inner(b, b));
}

Outcome check(const Run& run) {
  Outcome outcome;
  outcome.domain = "logits by prefix n = 4, 6, 8, 10 (enumerated), by position n = 16 (recursion)";
  const auto expect = [&](const std::string& what, const Ball& value, const Q& low, const Q& high) {
    ++outcome.checked;
    outcome.notes.push_back(what + " = " + value.text());
    if (!(value > Ball(low) && value < Ball(high)) && !outcome.counterexample)
      outcome.counterexample = what + " = " + value.text() + ", stated to lie in (" + text(low) +
                               ", " + text(high) + ")\n";
  };
  const Precision bits(128);
  struct Stated {
    std::size_t n;
    Q low, high;
  };
  const Stated stated[] = {
      {4, q(965, 1000), q(975, 1000)},
      {6, q(835, 1000), q(845, 1000)},
      {8, q(255, 1000), q(265, 1000)},
      {10, run.mutant == 1 ? q(0) : q(-455, 1000), run.mutant == 1 ? q(1) : q(-445, 1000)}};
  for (const auto& [n, low, high] : stated) {
    const TinyProcess p = two_branches(n, true);
    expect("cos(g_0, g_1), logits by prefix, n = " + std::to_string(n),
           cosine(by_enumeration(p, Q(0)), by_enumeration(p, Q(1))),
           low,
           high);
  }
  const TinyProcess chain = two_branches(16, false);
  const std::vector<Ball> one = by_recursion(chain, Q(1));
  expect("cos(g_0, g_1), logits by position, n = 16",
         cosine(by_recursion(chain, Q(0)), one),
         q(-2385, 10000),
         q(-2375, 10000));
  expect("cos(g_1/2, g_1), logits by position, n = 16",
         cosine(by_recursion(chain, run.mutant == 2 ? q(4, 5) : q(1, 2)), one),
         q(-1735, 10000),
         q(-1725, 10000));
  expect("<g_4/5, g_1>, logits by position, n = 16",
         inner(by_recursion(chain, q(4, 5)), one),
         q(0),
         q(10));
  return outcome;
}

}  // namespace

Claim opposite_directions() {
  return {"opposite_directions",
          "theory-2 8c",
          "away from the optimum, realizable or not, the angle between g_0 and g_1 can exceed 90 "
          "degrees: a token-level step then increases the sequence KL to first order",
          Method::certified,
          {"the angle is below 90 degrees at n = 10", "gamma = 4/5 for 1/2"},
          check};
}

}  // namespace gammascope::proofs
