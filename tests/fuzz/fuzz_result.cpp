// SPDX-License-Identifier: MIT
// Any bytes as a result.json: refused with BadData, or a result that is written and read back the
// same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/core/errors.hpp"
#include "analysis/report/result_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace report = gammascope::report;
  try {
    const auto result =
        report::from_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    const std::string text = report::to_json(result);
    if (report::to_json(report::from_json(text, "written")) != text) std::abort();
  } catch (const gammascope::BadData&) {
    return 0;
  }
  return 0;
}
