// SPDX-License-Identifier: MIT
// A German locale, whose decimal sign is the comma, made on the spot: images of servers have none.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gammascope::test {

/// Makes de_DE.UTF-8 in `folder`, for LOCPATH. @return whether the system could (Debian package
/// locales)
[[nodiscard]] inline bool make_german_locale(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::string command =
      "localedef -i de_DE -f UTF-8 '" + (folder / "de_DE.UTF-8").string() + "' >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace gammascope::test
