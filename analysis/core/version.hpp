// SPDX-License-Identifier: MIT
// Which build this is: for --version and for every written result. Tests: tests/install/ and
// tests/analysis/core/test_version.cpp
#pragma once

#include <string>
#include <string_view>

namespace gammascope {

/// Facts of the build, fixed when it was configured (version.cpp is made from version.cpp.in).
struct BuildFacts {
  std::string_view version;   ///< "0.1.0"
  std::string_view revision;  ///< `git describe --always --dirty`, or "unknown" outside a checkout
  std::string_view compiler;  ///< "GNU 12.2.0"
  std::string_view build_type;  ///< "Release"
  std::string_view system;      ///< "Linux x86_64"
  std::string_view sanitizers;  ///< "address,undefined"; empty in a normal build
};

[[nodiscard]] const BuildFacts& build_facts() noexcept;

/// "gammascope 0.1.0 (revision 0b46687, GNU 12.2.0, Release, Linux x86_64)"
[[nodiscard]] std::string version_line();

}  // namespace gammascope
