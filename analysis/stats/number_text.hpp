// SPDX-License-Identifier: MIT
// Numbers inside sentences, the same in every locale.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace gammascope::stats {

/// x with `digits` significant digits, trailing zeros left out: "0.99", "2e-06". digits <= 17.
[[nodiscard]] inline std::string number_text(double x, int digits = 3) {
  std::array<char, 64> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

}  // namespace gammascope::stats
