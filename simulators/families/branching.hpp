// SPDX-License-Identifier: MIT
// One token decides what the following ones cost: the example where token-level and sequence-level
// credit disagree (T2.8c), made recurrent. Realisable: yes. By the general solver.
// Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include <cmath>

#include "simulators/families/family.hpp"

namespace gammascope::families {

/// At the root the student takes branch 1 with probability `student`, the teacher with `teacher`.
/// In branch 1 both tokens are equally likely for the student, (tail, 1 - tail) for the teacher; in
/// branch 0 both agree. After each token of a branch the root comes back with probability `rejoin`,
/// which no token shows: a transition kernel.
struct Branching {
  double student, teacher, tail, rejoin;

  [[nodiscard]] markov::Mixture build() const {
    const double low = std::log(2 * tail), high = std::log(2 * (1 - tail));
    const double back = rejoin / 2, on = (1 - rejoin) / 2;
    return markov::Mixture(markov::Process<double>(
        {1.0, 0.0, 0.0},
        {{{1 - student, std::log1p((student - teacher) / (1 - student)), 1, 0},
          {student, std::log1p((teacher - student) / student), 2, 1}},
         {{on, 0.0, 1, 0}, {back, 0.0, 0, 0}, {on, 0.0, 1, 1}, {back, 0.0, 0, 1}},
         {{on, low, 2, 0}, {back, low, 0, 0}, {on, high, 2, 1}, {back, high, 0, 1}}},
        std::nullopt,
        2));
  }

  [[nodiscard]] static Family family() {
    return {
        "branching",
        "one token decides what the following ones cost",
        {{"student", 0.25, 0, 1, false, "student's probability of the costly branch"},
         {"teacher", 0.9, 0, 1, false, "teacher's"},
         {"tail", 0.125, 0, 1, false, "teacher's probability of token 0 in the costly branch"},
         {"rejoin", 0.1, 0, 1, false, "probability that a branch ends after a token"}},
        true,
        [](const Values& v) {
          return Branching{v.at("student"), v.at("teacher"), v.at("tail"), v.at("rejoin")}.build();
        }};
  }
};

}  // namespace gammascope::families
