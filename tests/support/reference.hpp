// SPDX-License-Identifier: MIT
// Reference values of tests/data/reference (made in 60-digit arithmetic by a program that shares
// nothing with this one).
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace gammascope::test {

[[nodiscard]] inline nlohmann::json json_of(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return nlohmann::json::parse(in);
}

[[nodiscard]] inline nlohmann::json reference(const std::string& file) {
  return json_of(std::string(GAMMASCOPE_SOURCE_DIR) + "/tests/data/reference/" + file);
}

/// A number written as a decimal string, correctly rounded to double.
[[nodiscard]] inline double decimal(const nlohmann::json& value) {
  return std::stod(value.get<std::string>());
}

/// A double written as a hexadecimal float.
[[nodiscard]] inline double hexadecimal(const nlohmann::json& value) {
  return std::stod(value.get<std::string>());
}

}  // namespace gammascope::test
