// SPDX-License-Identifier: MIT
// Any bytes as a config.toml: refused with BadData, or settings that are written and read back the
// same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/core/errors.hpp"
#include "analysis/report/config_toml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace report = gammascope::report;
  try {
    const auto config =
        report::from_toml(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    const std::string text = report::to_toml(config);
    if (report::to_toml(report::from_toml(text, "written")) != text) std::abort();
  } catch (const gammascope::BadData&) {
    return 0;
  }
  return 0;
}
