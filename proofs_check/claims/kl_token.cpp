// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

std::vector<Inequality> inequalities(const std::vector<Q>& student,
                                     const std::vector<Q>& teacher,
                                     std::size_t mutant) {
  Ball kl, second, positive, loss, gain;
  Q mass;
  for (std::size_t a = 0; a < student.size(); ++a) {
    mass += teacher[a];
    const Ball p(student[a]), x(LogPrime::log(teacher[a]) - LogPrime::log(student[a]));
    kl -= p * x;
    second += p * square(x);
    if (x > Ball(0)) positive += p * square(x);
    loss = max(loss, -x);
    gain = max(gain, x);
  }
  if (second == Ball(0)) return {};
  const Ball k = mutant == 1 ? Ball(2) : Ball(1) / phi(loss);
  std::vector<Inequality> claims{
      {"E X^2 against K(c) KL", second, k * kl, true},
      {"K(c) against 2 + c", k, Ball(2) + loss},
      {"E (X+)^2 against 2 KL", positive, (mutant == 2 ? Ball(q(1, 5)) : Ball(2)) * kl}};
  if (mass == 1)
    claims.push_back(
        {"KL / psi(c') against E X^2", kl / phi(mutant == 3 ? Ball(0) : -gain), second, true});
  return claims;
}

}  // namespace

Claim kl_token() {
  return {"kl_token",
          "theory-2 3A",
          "at one prefix with X >= -c: E X^2 <= K(c) KL <= (2 + c) KL; E (X+)^2 <= 2 KL; and E X^2 "
          ">= KL / psi(c') if X <= c' and E exp(X) = 1",
          Method::certified,
          {"2 for K(c)", "1/5 for 2", "psi(0) for psi(c')"},
          [](const Run& run) {
            const auto rows = all_rows(3, 12, 1);
            const std::uint64_t size = rows.size() * rows.size() * 2;
            const Sample sample = Sample::of(run, size, 1500);
            Outcome outcome;
            outcome.domain = "pairs of rows k/12 on 3 tokens, the teacher's also times 3/4 (" +
                             sample.text() + ")";
            sweep(
                run,
                sample,
                [&](std::uint64_t i) {
                  const auto& student = rows[i / 2 % rows.size()];
                  auto teacher = rows[i / 2 / rows.size()];
                  if (i % 2 == 1)
                    for (Q& x : teacher) x *= q(3, 4);
                  Verdict verdict = decide_inequalities(
                      [&] { return inequalities(student, teacher, run.mutant); });
                  if (verdict.counterexample) {
                    std::string text = "student";
                    for (const Q& x : student) text += " " + x.str();
                    text += ", teacher";
                    for (const Q& x : teacher) text += " " + x.str();
                    verdict.counterexample = text + "\n" + *verdict.counterexample;
                  }
                  return verdict;
                },
                outcome);
            return outcome;
          }};
}

}  // namespace gammascope::proofs
