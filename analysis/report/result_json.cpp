// SPDX-License-Identifier: MIT
// The writer; the reader is result_json_read.cpp.
#include "analysis/report/result_json.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <variant>

#include "analysis/core/version.hpp"
#include "analysis/report/json.hpp"

namespace gammascope::report {
namespace {

Json optional_number(const std::optional<double>& x) {
  return x && std::isfinite(*x) ? Json(*x) : Json(nullptr);
}

Json finite(double x, const std::string& path) {
  if (!std::isfinite(x)) throw std::invalid_argument("result: " + path + " is not a finite number");
  return x;
}

Json share(double x, const std::string& path) {
  if (!(x >= 0.0 && x <= 1.0)) throw std::invalid_argument("result: " + path + " is not in [0, 1]");
  return x;
}

template <class T>
Json or_null(const std::optional<T>& x) {
  return x ? Json(*x) : Json(nullptr);
}

template <class E>
Json word(const std::optional<E>& e) {
  return e ? Json(std::string(name(*e))) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// Adds a key that must be new: two settings of one name would silently lose one.
void add(Json& object, const std::string& path, const std::string& key, Json value) {
  if (object.contains(key)) throw std::invalid_argument("result: " + path + "." + key + " twice");
  object[key] = std::move(value);
}

Json setting(const Setting& value, const std::string& path) {
  return std::visit(
      [&](const auto& v) -> Json {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, double>) {
          return finite(v, path);
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          Json list = Json::array();
          for (const double x : v) list.push_back(finite(x, path));
          return list;
        } else {
          return v;
        }
      },
      value);
}

Json cell_json(const Cell& cell, const std::string& path) {
  Json j;
  j["quantity"] = name(cell.quantity);
  j["alignment"] = word(cell.alignment);
  j["gamma"] = cell.gamma ? share(*cell.gamma, path + ".gamma") : Json(nullptr);
  j["n"] = or_null(cell.n);
  j["value"] = optional_number(cell.value);
  j["lower"] = optional_number(cell.lower);
  j["upper"] = optional_number(cell.upper);
  j["confidence"] = optional_number(cell.confidence);
  j["method"] = cell.method;
  j["prompts"] = cell.prompts;
  j["rollouts"] = cell.rollouts;
  j["status"] = name(cell.status);
  j["reason"] = text_or_null(cell.reason);
  j["blind_spot"] = optional_number(cell.blind_spot);
  if (cell.baseline) j["baseline"] = *cell.baseline;
  if (cell.batch) j["batch"] = *cell.batch;
  if (cell.spread) {
    const Spread& s = *cell.spread;
    j["spread"]["scale"] = finite(s.scale, path + ".spread.scale");
    j["spread"]["skewness"] = {finite(s.skewness_lower, path + ".spread.skewness"),
                               finite(s.skewness_upper, path + ".spread.skewness")};
    j["spread"]["df"] = {finite(s.df_lower, path + ".spread.df"),
                         finite(s.df_upper, path + ".spread.df")};
  }
  if (cell.group) j["group"] = *cell.group;
  if (cell.change) {
    Json& change = j["change"];
    change["word"] = name(cell.change->word);
    change["p_changed"] = optional_number(cell.change->p_changed);
    change["p_same"] = optional_number(cell.change->p_same);
    change["gain"] = optional_number(cell.change->gain);
    change["correlation"] = optional_number(cell.change->correlation);
  }
  return j;
}

Json verdict_json(const Verdict& v, const std::string& path) {
  Json j;
  j["claim"] = v.claim;
  j["verdict"] = name(v.outcome);
  j["quantity"] = name(v.quantity);
  j["relation"] = name(v.relation);
  j["alignment"] = word(v.alignment);
  j["gamma"] = v.gamma ? share(*v.gamma, path + ".gamma") : Json(nullptr);
  j["n"] = or_null(v.n);
  j["bound"] = optional_number(v.bound);
  if (v.bound_low) j["bound_low"] = optional_number(v.bound_low);
  j["inputs"] = Json::array();
  for (const BoundInput& input : v.inputs) {
    Json i;
    i["name"] = input.name;
    i["value"] = optional_number(input.value);
    i["origin"] = name(input.origin);
    j["inputs"].push_back(std::move(i));
  }
  j["value"] = optional_number(v.value);
  j["lower"] = optional_number(v.lower);
  j["upper"] = optional_number(v.upper);
  j["p_pass"] = share(v.p_pass, path + ".p_pass");
  j["p_fail"] = share(v.p_fail, path + ".p_fail");
  j["p_pass_adjusted"] = share(v.p_pass_adjusted, path + ".p_pass_adjusted");
  j["p_fail_adjusted"] = share(v.p_fail_adjusted, path + ".p_fail_adjusted");
  j["prompts_needed"] = or_null(v.prompts_needed);
  j["detect_pass"] = optional_number(v.detect_pass);
  j["detect_fail"] = optional_number(v.detect_fail);
  if (!v.where.empty()) j["where"] = v.where;
  j["status"] = name(v.cell_status);
  j["reason"] = text_or_null(v.reason);
  return j;
}

Json finding_json(const Finding& f, const std::string& path) {
  Json j;
  j["rule"] = f.rule;
  j["severity"] = name(f.severity);
  j["message"] = f.message;
  j["evidence"] = Json::object();
  for (const auto& [key, value] : f.evidence)
    add(j["evidence"], path + ".evidence", key, optional_number(value));
  j["where"] = Json::object();
  for (const auto& [key, value] : f.where) add(j["where"], path + ".where", key, value);
  return j;
}

template <class Item, class Write>
Json list(const std::vector<Item>& items, const std::string& name, Write write) {
  Json all = Json::array();
  for (const Item& item : items)
    all.push_back(write(item, name + "[" + std::to_string(all.size()) + "]"));
  return all;
}

}  // namespace

std::string to_json(const Result& result) {
  Json j;
  j["schema"] = result_schema;
  j["version"] = result.version.empty() ? std::string(build_facts().version) : result.version;
  j["verb"] = result.verb;
  j["settings"] = Json::object();
  for (const auto& [key, value] : result.settings)
    add(j["settings"], "settings", key, setting(value, "settings." + key));
  Json& source = j["source"];
  source["files"] = result.source.files;
  source["dialect"] = result.source.dialect;
  source["rollouts"] = result.source.rollouts;
  source["prompts"] = result.source.prompts;
  source["tokens"] = result.source.tokens;
  source["truncated"] = result.source.truncated;
  source["hash"] = text_or_null(result.source.hash);
  source["dropped"] = Json::object();
  for (const auto& [reason, times] : result.source.dropped) source["dropped"][reason] = times;
  j["cells"] = list(result.cells, "cells", cell_json);
  j["verdicts"] = list(result.verdicts, "verdicts", verdict_json);
  j["findings"] = list(result.findings, "findings", finding_json);
  j["summary"] = result.summary;
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gammascope::report
