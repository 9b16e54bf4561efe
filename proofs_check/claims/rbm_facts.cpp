// SPDX-License-Identifier: MIT
#include "analysis/credit/rbm_advantage.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/rational.hpp"
#include "proofs_check/sweep.hpp"

namespace gammascope::proofs {
namespace {

Q size(const Q& x) { return x < 0 ? Q(-x) : x; }

Q mean_size(const std::vector<Q>& a) {
  Q sum;
  for (const Q& x : a) sum += size(x);
  return sum / Q(a.size());
}

/// b_t of Eq. (8).
std::vector<Q> teacher_term(const std::vector<Q>& a) {
  const Q m = mean_size(a);
  std::vector<Q> b;
  for (const Q& x : a) b.push_back(m == 0 ? Q(0) : Q(x / (m + size(x))));
  return b;
}

/// A in {-3, …, 3}^T, T = 1..5, numbered.
std::vector<Q> credit(std::uint64_t index) {
  std::size_t length = 1;
  for (std::uint64_t count = 7; index >= count; ++length, count *= 7) index -= count;
  std::vector<Q> a;
  for (std::size_t t = 0; t < length; ++t, index /= 7)
    a.push_back(q(static_cast<long>(index % 7) - 3));
  return a;
}
constexpr std::uint64_t credits = 7 + 49 + 343 + 2401 + 16807;

struct Facts {
  Q mean, mean_square, mean_cube, largest;
  bool equal_sizes = true;
  std::size_t nonzero = 0;
};

Facts facts(const std::vector<Q>& a, const std::vector<Q>& b) {
  Facts f;
  const Q t(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Q s = size(b[i]);
    f.mean += s / t;
    f.mean_square += s * s / t;
    f.mean_cube += s * s * s / t;
    if (s > f.largest) f.largest = s;
    f.equal_sizes = f.equal_sizes && size(a[i]) == size(a[0]);
    if (a[i] != 0) ++f.nonzero;
  }
  return f;
}

/// The first rule broken; empty if none.
std::string broken(const std::vector<Q>& a, std::size_t mutant) {
  const std::vector<Q> b = teacher_term(a);
  const bool zero = mean_size(a) == 0;
  const Facts f = facts(a, b);
  const Q length(a.size());
  if (!(f.largest < (mutant == 1 ? q(1, 2) : q(1)))) return "|b_t| < 1";
  if (f.mean > (mutant == 2 ? q(1, 3) : q(1, 2)) || (mutant == 8 && f.mean == q(1, 2)) ||
      (f.mean == q(1, 2)) != (!zero && f.equal_sizes))
    return "mean |b_t| <= 1/2, with equality only for equal |A_t|";
  if (f.mean_square > (mutant == 3 ? q(1, 5) : q(1, 4)) ||
      (f.mean_square == q(1, 4)) != (!zero && f.equal_sizes))
    return "mean b_t^2 <= 1/4, with equality only for equal |A_t|";
  if (f.mean_cube > (mutant == 4 ? q(1, 8) : q(4, 27))) return "mean |b_t|^3 <= 4/27";
  const Q top = mutant == 5 ? Q((length - 1) / length) : Q(length / (length + 1));
  if (f.largest > top || (f.largest == top) != (f.nonzero == 1))
    return "|b_t| <= T/(T+1), with equality only for the one A_t that is not 0";
  const std::vector<Q> scaled = teacher_term([&] {
    std::vector<Q> c = a;
    for (Q& x : c) x *= mutant == 6 ? q(-5, 7) : q(5, 7);
    return c;
  }());
  if (scaled != b) return "b is unchanged when A is scaled by c > 0";
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      if (!zero && (a[i] < a[j]) != (b[i] < b[j])) return "b_t is strictly monotone in A_t";
  for (const int reward : {-1, 1}) {
    Q mean;
    std::vector<double> shipped;
    for (const Q& x : a) shipped.push_back(x.convert_to<double>());
    rbm_advantage(shipped, reward);
    for (std::size_t t = 0; t < b.size(); ++t) {
      const Q mixed = b[t] + reward;
      if (mixed * reward <= 0) return "sign(Ahat_t) = R";
      mean += reward * mixed / length;
      if (size(Q(shipped[t]) - mixed) > q(1, 1L << 50)) return "rbm_advantage agrees with Eq. (8)";
    }
    if (mean < q(1, 2) || mean > (mutant == 7 ? q(5, 4) : q(3, 2)))
      return "mean R Ahat_t in [1/2, 3/2]";
  }
  return {};
}

}  // namespace

Claim rbm_facts() {
  return {"rbm_facts",
          "Eq. (8); theory 1; theory-2 7a",
          "|b_t| < 1; sign(Ahat_t) = R; b strictly monotone in A and unchanged by scaling; mean "
          "|b_t| <= 1/2, mean "
          "b_t^2 <= 1/4, mean |b_t|^3 <= 4/27, |b_t| <= T/(T+1), each with its case of equality; "
          "mean R Ahat_t in [1/2, 3/2]",
          Method::exact,
          {"|b_t| < 1/2",
           "1/3 for 1/2",
           "1/5 for 1/4",
           "1/8 for 4/27",
           "(T-1)/T for T/(T+1)",
           "scaling by c < 0",
           "5/4 for 3/2",
           "mean |b_t| < 1/2 for <="},
          [](const Run& run) {
            Outcome outcome;
            const Sample sample = Sample::of(run, credits, 3000);
            outcome.domain = "A in {-3..3}^T, T = 1..5, R = -1 and 1 (" + sample.text() + ")";
            sweep(
                run,
                sample,
                [&](std::uint64_t i) {
                  const std::vector<Q> a = credit(i);
                  const std::string rule = broken(a, run.mutant);
                  if (rule.empty()) return Verdict{10, {}};
                  std::string values, terms;
                  for (const Q& x : a) values += " " + text(x);
                  for (const Q& x : teacher_term(a)) terms += " " + text(x);
                  return Verdict{0, rule + ": A =" + values + ", b =" + terms + "\n"};
                },
                outcome);
            return outcome;
          }};
}

}  // namespace gammascope::proofs
