// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/families.hpp"
#include "proofs_check/sweep.hpp"

namespace gammascope::proofs {
namespace {

Verdict decide(const std::vector<Q>& student, const std::vector<Q>& teacher, std::size_t mutant) {
  Q mean_exp, mass_on_support;
  bool inside = true, equal = true;
  LogPrime mean;  // E X, where the teacher is positive on the student's support
  bool finite = true;
  for (std::size_t a = 0; a < student.size(); ++a) {
    equal = equal && (student[a] == 0 || student[a] == teacher[a]);
    if (student[a] == 0) {
      inside = inside && teacher[a] == 0;
      continue;
    }
    const Q ratio =
        mutant == 1 ? Q(student[a] / (teacher[a] + q(1, 100))) : Q(teacher[a] / student[a]);
    mean_exp += student[a] * ratio;
    mass_on_support += teacher[a];
    if (teacher[a] == 0)
      finite = false;
    else
      mean.add(LogPrime::log(teacher[a] / student[a]), student[a]);
  }
  const auto fail = [&](const std::string& rule) {
    std::string rows = "student";
    for (const Q& x : student) rows += " " + text(x);
    rows += ", teacher";
    for (const Q& x : teacher) rows += " " + text(x);
    return Verdict{0, rows + ": " + rule + "\n"};
  };
  if (mean_exp > 1 || (mutant != 1 && mean_exp != mass_on_support))
    return fail("E exp(X) = " + text(mean_exp) + ", teacher on the student's support " +
                text(mass_on_support));
  if (mutant == 2) inside = true;
  if ((mean_exp == 1) != inside)
    return fail("E exp(X) = 1 was to hold iff the teacher's support lies in the student's");
  if (finite && (!equal || mutant == 3)) {
    const Truth negative = certify([&] { return less(Ball(mean), Ball(0)); });
    if (negative != Truth::yes) return fail("E X = " + mean.text() + " was to be negative");
  }
  if (finite && equal && !mean.is_zero()) return fail("E X = " + mean.text() + " was to be 0");
  return {3, {}};
}

}  // namespace

Claim on_policy_identity() {
  return {
      "on_policy_identity",
      "theory 3a (OP)",
      "E[exp(X) | h] = teacher mass on the student's support <= 1, = 1 iff the teacher's "
      "support lies in it; so E[X | h] < 0 unless X = 0",
      Method::exact,
      {"student over teacher for teacher over student", "= 1 always", "E X < 0 also where X = 0"},
      [](const Run& run) {
        const auto students = all_rows(3, 8, 0), teachers = all_rows(3, 8, 0);
        const std::uint64_t size = students.size() * teachers.size();
        Outcome outcome;
        outcome.domain =
            "all pairs of rows k/8 on 3 tokens, zeros included (all " + std::to_string(size) + ")";
        sweep(
            run,
            {size, size},
            [&](std::uint64_t i) {
              return decide(
                  students[i % students.size()], teachers[i / students.size()], run.mutant);
            },
            outcome);
        return outcome;
      }};
}

}  // namespace gammascope::proofs
