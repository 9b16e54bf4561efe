// SPDX-License-Identifier: MIT
// Any bytes as a tokenizer.json: refused with BadData, or a tokenizer that takes texts and gives
// back ids that it knows.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/core/errors.hpp"
#include "lab/models/tokenizer/tokenizer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = gammascope::lab::Tokenizer::parse(json, "fuzz");
    for (const std::string_view text :
         {"", "a", " ab  abc<s>\n12'S", "e\xCC\x81\xE2\x96\x81\xF0\x9F\x98\x80 \xEF\xAC\x81"}) {
      const auto ids = tokenizer.encode(text, false);
      for (const std::int64_t id : ids)
        if (!tokenizer.token_of(id)) std::abort();
      (void)tokenizer.decode(ids, true);
    }
  } catch (const gammascope::BadData&) {
    return 0;
  }
  return 0;
}
