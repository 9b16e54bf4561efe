// SPDX-License-Identifier: MIT
// Any bytes as a process file: refused with BadData, or a process.
#include <cstdint>
#include <string_view>

#include "simulators/markov/process_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)gammascope::markov::parse_process(
        std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  } catch (const gammascope::BadData&) {
    return 0;
  }
  return 0;
}
