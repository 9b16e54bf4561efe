// SPDX-License-Identifier: MIT
// Every response of a small process, with its probability. Used by right sides and by the
// definition of a variance; the left sides of the gradient identities have their own enumeration
// (objectives.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "proofs_check/tiny_process.hpp"

namespace gammascope::proofs {

/// One response: T tokens. Index base 0.
struct Response {
  Q probability{1};                  ///< of the student, the prompt's included
  std::vector<std::uint32_t> state;  ///< (T) before token t
  std::vector<std::uint32_t> token;  ///< (T)
  bool ended = false;                ///< by the end token, not by the cut

  [[nodiscard]] std::size_t size() const noexcept { return token.size(); }
};

/// All responses of positive probability. Cost: tokens^length
[[nodiscard]] inline std::vector<Response> responses(const TinyProcess& p) {
  std::vector<Response> all;
  Response now;
  const auto extend = [&](const auto& self, std::uint32_t s) -> void {
    now.ended = s == p.states();
    if (now.ended || now.size() == p.length) {
      all.push_back(now);
      return;
    }
    const Q before = now.probability;
    now.state.push_back(s);
    for (std::uint32_t a = 0; a < p.tokens(); ++a) {
      if (p.student[s][a] == 0) continue;
      now.probability = before * p.student[s][a];
      now.token.push_back(a);
      self(self, p.next[s][a]);
      now.token.pop_back();
    }
    now.state.pop_back();
    now.probability = before;
  };
  for (std::uint32_t s = 0; s < p.states(); ++s) {
    if (p.initial[s] == 0) continue;
    now.probability = p.initial[s];
    extend(extend, s);
  }
  return all;
}

}  // namespace gammascope::proofs
