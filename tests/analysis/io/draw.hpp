// SPDX-License-Identifier: MIT
// Reproducible draws of 32 bits, the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace gammascope::io::test {

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

}  // namespace gammascope::io::test
