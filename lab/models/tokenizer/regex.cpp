// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/regex.hpp"

#include <array>
#include <utility>

#include <oniguruma.h>

#include "analysis/core/errors.hpp"

namespace gammascope::lab {
namespace {

const OnigUChar* bytes(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

void start_library() {
  [[maybe_unused]] static const bool started = [] {
    OnigEncoding encoding = ONIG_ENCODING_UTF8;
    // Deep nesting is recursion in the library's parser.
    onig_set_parse_depth_limit(200);
    return onig_initialize(&encoding, 1) == ONIG_NORMAL;
  }();
}

constexpr unsigned long most_retries = 10'000'000;  // the library's default for one position
constexpr unsigned most_stack = 10'000'000;         // entries; the library has no default

std::string why(int code, OnigErrorInfo* info) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> text{};
  const int size = info != nullptr ? onig_error_code_to_str(text.data(), code, info)
                                   : onig_error_code_to_str(text.data(), code);
  return {reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(size)};
}

/// In pieces of `text`, the length of the character at `at`.
std::size_t step(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 1;
  std::size_t size = 1;
  while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0) == 0x80)
    ++size;
  return size;
}

}  // namespace

struct Regex::Compiled {
  Compiled(const std::string& pattern, std::string file_, std::string field_)
      : file(std::move(file_)), field(std::move(field_)) {
    start_library();
    OnigErrorInfo info{};
    const int code = onig_new(&regex,
                              bytes(pattern),
                              bytes(pattern) + pattern.size(),
                              ONIG_OPTION_NONE,
                              ONIG_ENCODING_UTF8,
                              ONIG_SYNTAX_ONIGURUMA,
                              &info);
    if (code != ONIG_NORMAL) throw BadData({file, 0, field, "is no pattern: " + why(code, &info)});
  }
  ~Compiled() { onig_free(regex); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  OnigRegex regex = nullptr;
  std::string file, field;
};

Regex::Regex(const std::string& pattern, std::string file, std::string field)
    : compiled_(std::make_shared<const Compiled>(pattern, std::move(file), std::move(field))) {}

std::vector<Found> Regex::find_all(std::string_view text) const {
  struct Free {
    void operator()(OnigRegion* region) const noexcept { onig_region_free(region, 1); }
    void operator()(OnigMatchParam* param) const noexcept { onig_free_match_param(param); }
  };
  const std::unique_ptr<OnigRegion, Free> region(onig_region_new());
  const std::unique_ptr<OnigMatchParam, Free> param(onig_new_match_param());
  if (region == nullptr || param == nullptr) throw std::bad_alloc();
  onig_initialize_match_param(param.get());
  onig_set_retry_limit_in_match_of_match_param(param.get(), most_retries);
  onig_set_retry_limit_in_search_of_match_param(param.get(), most_retries);
  onig_set_match_stack_limit_size_of_match_param(param.get(), most_stack);

  std::vector<Found> found;
  const OnigUChar* const begin = bytes(text);
  const OnigUChar* const end = begin + text.size();
  std::size_t from = 0;
  while (from <= text.size()) {
    const int at = onig_search_with_param(compiled_->regex,
                                          begin,
                                          end,
                                          begin + from,
                                          end,
                                          region.get(),
                                          ONIG_OPTION_NONE,
                                          param.get());
    if (at == ONIG_MISMATCH) break;
    if (at < 0)
      throw BadData({compiled_->file,
                     0,
                     compiled_->field,
                     "the pattern gives up on a text of " + std::to_string(text.size()) +
                         " bytes: " + why(at, nullptr)});
    const Found match{static_cast<std::size_t>(region->beg[0]),
                      static_cast<std::size_t>(region->end[0])};
    if (match.begin == match.end && !found.empty() && found.back().end == match.end) {
      from += step(text, from);
      continue;
    }
    from = match.end;
    found.push_back(match);
  }
  return found;
}

}  // namespace gammascope::lab
