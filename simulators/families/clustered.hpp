// SPDX-License-Identifier: MIT
// Prompts of several kinds: responses to one prompt are alike, so they are no independent sample
// (theory 5.3). Realisable: yes. By the general solver (unite).
// Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "simulators/families/family.hpp"
#include "simulators/families/ragged.hpp"

namespace gammascope::families {

/// Each prompt is of one of `kinds` kinds with equal probability; kind i is Ragged with student 1/2
/// and teacher 1/2 + spread (i + 1/2) / kinds, so its KL grows with i.
struct Clustered {
  int kinds;
  double spread, stop;

  [[nodiscard]] Ragged kind(int i) const { return {stop, 0.5, 0.5 + spread * (i + 0.5) / kinds}; }

  [[nodiscard]] markov::Mixture build() const {
    std::vector<markov::Process<double>> parts;
    for (int i = 0; i < kinds; ++i) parts.push_back(kind(i).process());
    return {std::move(parts), std::vector<double>(static_cast<std::size_t>(kinds), 1.0 / kinds)};
  }

  [[nodiscard]] static Family family() {
    return {
        "clustered",
        "each prompt draws one of several processes: responses to it are alike",
        {{"kinds", 4, 0, 1000, true, "kinds of prompt, equally likely"},
         {"spread", 0.45, 0, 0.5, false, "largest distance of the teacher from the student"},
         {"stop", 0.01, 0, 1, false, "probability that a token is the last"}},
        true,
        [](const Values& v) {
          return Clustered{static_cast<int>(v.at("kinds")), v.at("spread"), v.at("stop")}.build();
        }};
  }
};

}  // namespace gammascope::families
