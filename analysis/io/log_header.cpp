// SPDX-License-Identifier: MIT
#include "analysis/io/log_header.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "analysis/core/errors.hpp"
#include "analysis/io/json.hpp"
#include "analysis/io/line_error.hpp"

namespace gammascope::io {
namespace {

constexpr double same_base = 1e-6;  // 2.71828 is meant to be e

[[noreturn]] void wrong(const std::string& key, const std::string& rule) {
  throw LineError("header." + key, rule);
}

/// A member by name; null and absent are the same.
const Json* member(const Json& header, const std::string& key) {
  const auto found = header.find(key);
  return found == header.end() || found->is_null() ? nullptr : &*found;
}

void read(const Json& header, const std::string& key, std::optional<std::string>& out) {
  if (const Json* value = member(header, key))
    out = value->is_string() ? value->get<std::string>() : value->dump();
}
void read(const Json& header, const std::string& key, std::optional<std::int64_t>& out) {
  if (const Json* value = member(header, key)) {
    if (!value->is_number_integer()) wrong(key, "must be an integer, is " + value->dump());
    out = value->get<std::int64_t>();
  }
}
void read(const Json& header, const std::string& key, std::optional<double>& out) {
  if (const Json* value = member(header, key)) {
    if (!value->is_number()) wrong(key, "must be a number, is " + value->dump());
    out = value->get<double>();
  }
}
void read(const Json& header, const std::string& key, std::vector<std::int64_t>& out) {
  const Json* value = member(header, key);
  if (value == nullptr) return;
  for (const Json& item : value->is_array() ? *value : Json::array({*value})) {
    if (!item.is_number_integer()) wrong(key, "must be a list of integers, is " + value->dump());
    out.push_back(item.get<std::int64_t>());
  }
}

template <class T>
std::string shown(const T& value) {
  return Json(value).dump();
}

}  // namespace

LogHeader parse_header(std::string_view text) {
  Json json;
  try {
    json = parse_json(text, "");
  } catch (const BadData& error) {
    throw LineError("header" + (error.error().field.empty() ? "" : "." + error.error().field),
                    error.error().rule);
  }
  if (!json.is_object()) throw LineError("header", "must be an object");
  LogHeader header;
  header.present = true;
  read(json, "model", header.model);
  read(json, "student", header.student);
  read(json, "teacher", header.teacher);
  read(json, "dtype", header.dtype);
  read(json, "engine", header.engine);
  read(json, "task", header.task);
  read(json, "vocab_size", header.vocab_size);
  read(json, "max_response", header.max_response);
  read(json, "top_k", header.top_k);
  read(json, "seed", header.seed);
  read(json, "temperature", header.student_temperature);
  header.teacher_temperature = header.student_temperature;
  read(json, "student_temperature", header.student_temperature);
  read(json, "teacher_temperature", header.teacher_temperature);
  read(json, "top_p", header.top_p);
  read(json, "eos_ids", header.eos_ids);
  const Json* base = member(json, "log_base");
  if (base != nullptr && *base == "e")
    header.log_base = std::numbers::e;
  else
    read(json, "log_base", header.log_base);
  if (header.log_base && !(*header.log_base > 0 && *header.log_base != 1))
    wrong("log_base", "must be above 0 and not 1, is " + base->dump());
  for (const auto& [key, value] :
       {std::pair("vocab_size", header.vocab_size), std::pair("max_response", header.max_response)})
    if (value && *value < 1) wrong(key, "must be at least 1, is " + std::to_string(*value));
  for (const auto& [key, value] : {std::pair("student_temperature", header.student_temperature),
                                   std::pair("teacher_temperature", header.teacher_temperature)})
    if (value && *value < 0) wrong(key, "must not be negative");
  if (header.top_p && !(*header.top_p > 0 && *header.top_p <= 1))
    wrong("top_p", "must be above 0 and at most 1, is " + shown(*header.top_p));
  if (header.top_k && *header.top_k < -1)
    wrong("top_k", "must be at least 1, or 0 or -1 for none, is " + std::to_string(*header.top_k));
  for (const std::int64_t id : header.eos_ids)
    if (id < 0 || (header.vocab_size && id >= *header.vocab_size))
      wrong("eos_ids", "must be token ids from 0, below vocab_size, not " + std::to_string(id));
  header.raw =
      text.find_first_of("\r\n") == std::string_view::npos ? std::string(text) : json.dump();
  return header;
}

double nats_per_unit(const LogHeader& header) {
  if (!header.log_base || std::abs(*header.log_base - std::numbers::e) < same_base) return 1;
  return std::log(*header.log_base);
}

void set_nats(LogHeader& header) {
  Json json = parse_json(header.raw, "");
  json["log_base"] = std::numbers::e;
  header.log_base = std::numbers::e;
  header.raw = json.dump();
}

std::string header_text(const LogHeader& header) {
  Json json;
  LogHeader said;
  try {
    said = parse_header(header.raw);
    json = parse_json(header.raw, "");
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument(std::string("LogHeader::raw: ") + error.what());
  }
  bool changed = said.raw != header.raw;
  const auto state = [&](const char* key, const auto& before, const auto& now) {
    if (!now || before == now) return;
    json[key] = *now;
    changed = true;
  };
  state("model", said.model, header.model);
  state("student", said.student, header.student);
  state("teacher", said.teacher, header.teacher);
  state("dtype", said.dtype, header.dtype);
  state("engine", said.engine, header.engine);
  state("task", said.task, header.task);
  state("vocab_size", said.vocab_size, header.vocab_size);
  if (header.eos_ids != said.eos_ids) {
    json["eos_ids"] = header.eos_ids;
    changed = true;
  }
  state("max_response", said.max_response, header.max_response);
  state("student_temperature", said.student_temperature, header.student_temperature);
  state("teacher_temperature", said.teacher_temperature, header.teacher_temperature);
  state("top_p", said.top_p, header.top_p);
  state("top_k", said.top_k, header.top_k);
  state("seed", said.seed, header.seed);
  state("log_base", said.log_base, header.log_base);
  if (nats_per_unit(said) != 1 || nats_per_unit(header) != 1) {
    json["log_base"] = std::numbers::e;
    changed = true;
  }
  return changed ? json.dump() : header.raw;
}

std::string disagreement(const LogHeader& a, const LogHeader& b) {
  std::string text;
  const auto compare = [&](const char* key, const auto& x, const auto& y) {
    if (text.empty() && x && y && *x != *y)
      text = std::string(key) + " is " + shown(*x) + " in one and " + shown(*y) + " in the other";
  };
  const auto ids = [](const LogHeader& header) {
    return header.eos_ids.empty() ? std::optional<std::vector<std::int64_t>>() : header.eos_ids;
  };
  compare("vocab_size", a.vocab_size, b.vocab_size);
  compare("eos_ids", ids(a), ids(b));
  compare("max_response", a.max_response, b.max_response);
  compare("dtype", a.dtype, b.dtype);
  compare("student_temperature", a.student_temperature, b.student_temperature);
  compare("teacher_temperature", a.teacher_temperature, b.teacher_temperature);
  if (nats_per_unit(a) != nats_per_unit(b)) compare("log_base", a.log_base, b.log_base);
  return text;
}

}  // namespace gammascope::io
