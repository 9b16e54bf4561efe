// SPDX-License-Identifier: MIT
// Enums to and from text in one place: CLI, JSON, tables and plot labels share the words.
// Specialise EnumName<E> with `names`, in the order of the enumerators. Tests:
// tests/analysis/core/test_enum_name.cpp
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gammascope {

template <class E>
struct EnumName;

/// The word of `e` as it stands in files and options.
template <class E>
[[nodiscard]] constexpr std::string_view name(E e) {
  return EnumName<E>::names.at(static_cast<std::size_t>(e));
}

/// The enumerator spelled `text`; absent if there is none.
template <class E>
[[nodiscard]] constexpr std::optional<E> parse(std::string_view text) {
  for (std::size_t i = 0; i < EnumName<E>::names.size(); ++i)
    if (EnumName<E>::names[i] == text) return static_cast<E>(i);
  return std::nullopt;
}

/// "a | b | c", for error messages and --help.
template <class E>
[[nodiscard]] std::string all_names() {
  std::string text;
  for (const std::string_view n : EnumName<E>::names)
    text.append(text.empty() ? "" : " | ").append(n);
  return text;
}

}  // namespace gammascope
