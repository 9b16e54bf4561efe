// SPDX-License-Identifier: MIT
// Every dialect that is built, one line each.
#include <array>

#include "analysis/io/dialects/canonical.hpp"
#include "analysis/io/dialects/dialect.hpp"

namespace gammascope::io {

std::span<const Dialect> dialects() noexcept {
  static const std::array<Dialect, 1> all{
      canonical_dialect,
  };
  return all;
}

}  // namespace gammascope::io
