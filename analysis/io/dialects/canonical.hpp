// SPDX-License-Identifier: MIT
// GammaScope's own JSON lines, version 1 (docs/formats.md). Private to io.
// Tests: tests/analysis/io/test_canonical.cpp
#pragma once

#include "analysis/io/dialects/dialect.hpp"

namespace gammascope::io {

extern const Dialect canonical_dialect;

}  // namespace gammascope::io
