// SPDX-License-Identifier: MIT
// The strict reader of result.json; the writer is result_json.cpp.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>

#include "analysis/report/json.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::report {
namespace {

/// A value and how one gets to it, for messages.
class Node {
 public:
  Node(const Json& json, const std::string& file, std::string path)
      : json_(&json), file_(&file), path_(std::move(path)) {}

  [[noreturn]] void bad(const std::string& rule) const { throw BadData({*file_, 0, path_, rule}); }

  /// An object with exactly these keys, and perhaps some of `also`.
  void expect_keys(std::initializer_list<std::string_view> keys,
                   std::initializer_list<std::string_view> also = {}) const {
    expect_object();
    for (const auto& [key, value] : json_->items())
      if (std::ranges::find(keys, key) == keys.end() && std::ranges::find(also, key) == also.end())
        child(key, value).bad("no such field in " + std::string(result_schema));
    for (const std::string_view key : keys)
      if (!json_->contains(key)) child(key, *json_).bad("missing");
  }
  [[nodiscard]] bool has(std::string_view key) const { return json_->contains(std::string(key)); }
  void expect_object() const {
    if (!json_->is_object()) bad("must be an object");
  }

  [[nodiscard]] Node operator[](std::string_view key) const {
    return child(key, json_->at(std::string(key)));
  }

  template <class F>
  void each_item(F&& f) const {
    if (!json_->is_array()) bad("must be a list");
    for (std::size_t i = 0; i < json_->size(); ++i)
      f(Node((*json_)[i], *file_, path_ + "[" + std::to_string(i) + "]"));
  }
  template <class F>
  void each_field(F&& f) const {
    expect_object();
    for (const auto& [key, value] : json_->items()) f(key, child(key, value));
  }

  [[nodiscard]] const Json& json() const { return *json_; }
  [[nodiscard]] bool is_null() const { return json_->is_null(); }

  [[nodiscard]] std::string text() const {
    if (!json_->is_string()) bad("must be a text");
    return json_->get<std::string>();
  }
  [[nodiscard]] std::string text_or_null() const { return is_null() ? std::string() : text(); }
  [[nodiscard]] double number() const {
    if (!json_->is_number()) bad("must be a number");
    return json_->get<double>();
  }
  [[nodiscard]] std::optional<double> number_or_null() const {
    return is_null() ? std::nullopt : std::optional(number());
  }
  [[nodiscard]] std::int64_t integer() const {
    if (!json_->is_number_integer()) bad("must be an integer");
    if (json_->is_number_unsigned() &&
        json_->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      bad("too large");
    return json_->get<std::int64_t>();
  }
  [[nodiscard]] std::int64_t a_count() const {
    const std::int64_t n = integer();
    if (n < 0) bad("must not be negative");
    return n;
  }
  [[nodiscard]] double share() const {
    const double x = number();
    if (!(x >= 0.0 && x <= 1.0)) bad("must lie in [0, 1]");
    return x;
  }
  template <class E>
  [[nodiscard]] E word() const {
    const std::string spelled = text();
    const auto e = parse<E>(spelled);
    if (!e) bad("\"" + spelled + "\" is none of " + all_names<E>());
    return *e;
  }

 private:
  [[nodiscard]] Node child(std::string_view key, const Json& value) const {
    return {value, *file_, path_.empty() ? std::string(key) : path_ + "." + std::string(key)};
  }
  const Json* json_;
  const std::string* file_;
  std::string path_;
};

Setting read_setting(const Node& node) {
  const Json& j = node.json();
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return node.integer();
  if (j.is_number()) return node.number();
  if (j.is_string()) return node.text();
  if (!j.is_array())
    node.bad("a setting is true, false, a number, a text, or a list of one of these");
  const auto all = [&](auto is) { return std::ranges::all_of(j, is); };
  if (j.empty()) return std::vector<double>{};
  if (all([](const Json& x) { return x.is_number_integer(); })) {
    std::vector<std::int64_t> list;
    node.each_item([&](const Node& item) { list.push_back(item.integer()); });
    return list;
  }
  if (all([](const Json& x) { return x.is_number(); })) return j.get<std::vector<double>>();
  if (all([](const Json& x) { return x.is_string(); })) return j.get<std::vector<std::string>>();
  node.bad("a list in the settings holds numbers or texts, not both");
}

Source read_source(const Node& node) {
  node.expect_keys({"files", "dialect", "rollouts", "prompts", "tokens", "truncated", "dropped"},
                   {"hash"});
  Source source;
  if (node.has("hash")) source.hash = node["hash"].text_or_null();
  node["files"].each_item([&](const Node& item) { source.files.push_back(item.text()); });
  source.dialect = node["dialect"].text();
  source.rollouts = node["rollouts"].a_count();
  source.prompts = node["prompts"].a_count();
  source.tokens = node["tokens"].a_count();
  source.truncated = node["truncated"].a_count();
  node["dropped"].each_field([&](const std::string& reason, const Node& times) {
    source.dropped[reason] = times.a_count();
  });
  return source;
}

Spread read_spread(const Node& node) {
  node.expect_keys({"scale", "skewness", "df"});
  const auto pair = [](const Node& list) {
    std::vector<double> both;
    list.each_item([&](const Node& item) { both.push_back(item.number()); });
    if (both.size() != 2) list.bad("must be a list of two numbers: lower side, upper side");
    return both;
  };
  const auto skewness = pair(node["skewness"]), df = pair(node["df"]);
  const double scale = node["scale"].number();
  if (!(scale > 0.0 && df[0] > 0.0 && df[1] > 0.0)) node.bad("scale and df must be positive");
  return {scale, skewness[0], skewness[1], df[0], df[1]};
}

CellChange read_change(const Node& node) {
  node.expect_keys({"word", "p_changed", "p_same", "gain", "correlation"});
  CellChange change;
  change.word = node["word"].word<ChangeWord>();
  change.p_changed = node["p_changed"].number_or_null();
  change.p_same = node["p_same"].number_or_null();
  change.gain = node["gain"].number_or_null();
  change.correlation = node["correlation"].number_or_null();
  return change;
}

Cell read_cell(const Node& node) {
  node.expect_keys({"quantity",
                    "alignment",
                    "gamma",
                    "n",
                    "value",
                    "lower",
                    "upper",
                    "confidence",
                    "method",
                    "prompts",
                    "rollouts",
                    "status",
                    "reason",
                    "blind_spot"},
                   {"baseline", "batch", "spread", "group", "change"});
  Cell cell;
  cell.quantity = node["quantity"].word<Quantity>();
  if (!node["alignment"].is_null()) cell.alignment = node["alignment"].word<Alignment>();
  if (!node["gamma"].is_null()) cell.gamma = node["gamma"].share();
  if (!node["n"].is_null()) cell.n = node["n"].a_count();
  cell.value = node["value"].number_or_null();
  cell.lower = node["lower"].number_or_null();
  cell.upper = node["upper"].number_or_null();
  cell.confidence = node["confidence"].number_or_null();
  cell.method = node["method"].text();
  cell.prompts = node["prompts"].a_count();
  cell.rollouts = node["rollouts"].a_count();
  cell.status = node["status"].word<CellStatus>();
  cell.reason = node["reason"].text_or_null();
  cell.blind_spot = node["blind_spot"].number_or_null();
  if (node.has("baseline")) cell.baseline = node["baseline"].text();
  if (node.has("batch")) cell.batch = node["batch"].a_count();
  if (node.has("spread")) cell.spread = read_spread(node["spread"]);
  if (node.has("group")) cell.group = node["group"].text();
  if (node.has("change")) cell.change = read_change(node["change"]);
  return cell;
}

Verdict read_verdict(const Node& node) {
  node.expect_keys({"claim",
                    "verdict",
                    "alignment",
                    "gamma",
                    "n",
                    "bound",
                    "inputs",
                    "value",
                    "lower",
                    "upper",
                    "p_pass",
                    "p_fail",
                    "p_pass_adjusted",
                    "p_fail_adjusted",
                    "prompts_needed",
                    "status",
                    "reason"},
                   {"quantity", "relation", "bound_low", "detect_pass", "detect_fail", "where"});
  Verdict v;
  v.claim = node["claim"].text();
  v.outcome = node["verdict"].word<Outcome>();
  if (node.has("quantity")) v.quantity = node["quantity"].word<Quantity>();
  if (node.has("relation")) v.relation = node["relation"].word<Relation>();
  if (!node["alignment"].is_null()) v.alignment = node["alignment"].word<Alignment>();
  if (!node["gamma"].is_null()) v.gamma = node["gamma"].share();
  if (!node["n"].is_null()) v.n = node["n"].a_count();
  v.bound = node["bound"].number_or_null();
  if (node.has("bound_low")) v.bound_low = node["bound_low"].number_or_null();
  node["inputs"].each_item([&](const Node& item) {
    item.expect_keys({"name", "value", "origin"});
    v.inputs.push_back(
        {item["name"].text(), item["value"].number_or_null(), item["origin"].word<Origin>()});
  });
  v.value = node["value"].number_or_null();
  v.lower = node["lower"].number_or_null();
  v.upper = node["upper"].number_or_null();
  v.p_pass = node["p_pass"].share();
  v.p_fail = node["p_fail"].share();
  v.p_pass_adjusted = node["p_pass_adjusted"].share();
  v.p_fail_adjusted = node["p_fail_adjusted"].share();
  if (!node["prompts_needed"].is_null()) v.prompts_needed = node["prompts_needed"].a_count();
  if (node.has("detect_pass")) v.detect_pass = node["detect_pass"].number_or_null();
  if (node.has("detect_fail")) v.detect_fail = node["detect_fail"].number_or_null();
  if (node.has("where")) v.where = node["where"].text();
  v.cell_status = node["status"].word<CellStatus>();
  v.reason = node["reason"].text_or_null();
  return v;
}

Finding read_finding(const Node& node) {
  node.expect_keys({"rule", "severity", "message", "evidence", "where"});
  Finding f;
  f.rule = node["rule"].text();
  f.severity = node["severity"].word<Severity>();
  f.message = node["message"].text();
  node["evidence"].each_field([&](const std::string& key, const Node& value) {
    f.evidence.emplace_back(
        key, value.number_or_null().value_or(std::numeric_limits<double>::quiet_NaN()));
  });
  node["where"].each_field(
      [&](const std::string& key, const Node& value) { f.where.emplace_back(key, value.text()); });
  return f;
}

}  // namespace

Result from_json(std::string_view text, const std::string& file) {
  const Json json = parse_json(text, file);
  const Node root(json, file, "");
  root.expect_object();
  // The schema first: of a file of another kind, any other complaint would mislead.
  if (!json.contains("schema") || json["schema"] != result_schema)
    throw BadData({file,
                   0,
                   "schema",
                   "must be \"" + std::string(result_schema) + "\": not a result of this program"});
  root.expect_keys({"schema",
                    "version",
                    "verb",
                    "settings",
                    "source",
                    "cells",
                    "verdicts",
                    "findings",
                    "summary"});
  Result result;
  result.version = root["version"].text();
  result.verb = root["verb"].text();
  root["settings"].each_field([&](const std::string& key, const Node& value) {
    result.settings.emplace_back(key, read_setting(value));
  });
  result.source = read_source(root["source"]);
  root["cells"].each_item([&](const Node& item) { result.cells.push_back(read_cell(item)); });
  root["verdicts"].each_item(
      [&](const Node& item) { result.verdicts.push_back(read_verdict(item)); });
  root["findings"].each_item(
      [&](const Node& item) { result.findings.push_back(read_finding(item)); });
  result.summary = root["summary"].text();
  return result;
}

}  // namespace gammascope::report
