// SPDX-License-Identifier: MIT
#include "analysis/report/claims_toml.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "analysis/core/errors.hpp"
#include "analysis/report/toml_tree.hpp"

namespace gammascope::report {
namespace {

using claims::At;
using claims::Limit;
using claims::Spec;

[[noreturn]] void bad(const std::string& file,
                      std::int64_t line,
                      const std::string& field,
                      const std::string& rule) {
  throw BadData({file, line, field, rule});
}

std::optional<double> number_of(const TomlNode& node) {
  std::optional<double> x;
  if (const auto* whole = node.as<std::int64_t>()) x = static_cast<double>(*whole);
  if (const auto* real = node.as<double>()) x = *real;
  return x && std::isfinite(*x) ? x : std::nullopt;
}

/// One [[claim]].
class Reader {
 public:
  Reader(const TomlTable& table, std::string file, std::int64_t line)
      : table_(table), file_(std::move(file)), line_(line) {}

  std::vector<Spec> specs() {
    std::vector<Spec> specs;
    if (const TomlNode* typed = find("claim")) {
      for (const auto& [key, node] : members(table_))
        if (key != "claim" && key != "name")
          bad(file_,
              node.key_line,
              key,
              "a typed claim says it all: only name stands beside claim");
      specs = claims::parse_claims(text(*typed, "claim"), at("claim", *typed));
    } else {
      specs.push_back(structured());
    }
    for (Spec& spec : specs) {
      spec.at = {file_, line_, spec.at.field, 0};
      if (const TomlNode* name = find("name")) spec.name = text(*name, "name");
    }
    if (specs.size() > 1 && find("name") != nullptr)
      bad(file_, line_, "name", "one name for several claims");
    return specs;
  }

 private:
  static constexpr std::array<std::string_view, 9> own{
      "name", "quantity", "at_most", "at_least", "within", "of", "band", "value", "spread"};

  [[nodiscard]] const TomlNode* find(std::string_view key) const {
    return find_member(table_, key);
  }
  [[nodiscard]] At at(const std::string& field, const TomlNode& node) const {
    return {file_, node.key_line, field, 0};
  }
  [[nodiscard]] std::string text(const TomlNode& node, const std::string& field) const {
    if (const auto* word = node.as<std::string>(); word != nullptr && !word->empty()) return *word;
    bad(file_, node.key_line, field, "must be a text that is not empty");
  }

  Spec structured() {
    Spec spec;
    const TomlNode* const quantity = find("quantity");
    if (quantity == nullptr) {
      for (const auto& [key, node] : members(table_))
        if (key.rfind("quant", 0) == 0)
          bad(file_, node.key_line, key, "no such key: quantity is meant?");
      bad(file_, line_, "quantity", "missing (or claim = \"…\", as it is typed)");
    }
    spec.quantity = text(*quantity, "quantity");
    spec.at = {file_, line_, "", 0};
    for (const auto& [key, node] : members(table_))
      if (std::ranges::find(own, key) == own.end())
        spec.arguments.push_back({key, numbers(node, key), at(key, node)});
    relation(spec);
    spec.name = typed_text(spec);
    return spec;
  }

  std::vector<double> numbers(const TomlNode& node, const std::string& key) const {
    if (const auto x = number_of(node)) return {*x};
    if (const auto* yes = node.as<bool>(); yes != nullptr && *yes) return {1.0};
    if (const auto* list = node.as<TomlList>(); list != nullptr && !list->empty()) {
      std::vector<double> all;
      for (const TomlNode& item : *list) {
        const auto x = number_of(item);
        if (!x) bad(file_, item.line, key, "must be finite numbers");
        all.push_back(*x);
      }
      return all;
    }
    bad(file_, node.key_line, key, "must be a number, a list of numbers, or true");
  }

  claims::Band band(const TomlNode& node, const std::string& key) const {
    if (const auto x = number_of(node)) {
      if (!(*x >= 0.0)) bad(file_, node.key_line, key, "a band is not below 0");
      return {*x, false};
    }
    return claims::parse_band(text(node, key), at(key, node));
  }

  void relation(Spec& spec) {
    const TomlNode* given = nullptr;
    for (const auto relation : {Relation::at_most, Relation::at_least, Relation::within}) {
      const TomlNode* const node = find(name(relation));
      if (node == nullptr) continue;
      if (given != nullptr)
        bad(file_,
            node->key_line,
            std::string(name(relation)),
            "one of at_most, at_least and within, not two");
      given = node;
      spec.relation = relation;
    }
    const std::string key(name(spec.relation));
    const bool within = given != nullptr && spec.relation == Relation::within;
    if (within) spec.limit = limit_after_of(*given);
    if (given != nullptr && !within) {
      spec.limit = limit(*given, key);
      if (const TomlNode* width = find("band")) spec.limit.band = band(*width, "band");
      if (const TomlNode* of = find("of")) bad(file_, of->key_line, "of", "belongs to within");
    }
    if (given == nullptr)
      for (const char* const stray : {"of", "band", "value", "spread"})
        if (const TomlNode* node = find(stray))
          bad(file_,
              node->key_line,
              stray,
              "belongs to at_most, at_least or within, none is given");
    baseline(spec);
  }

  Limit limit_after_of(const TomlNode& width) const {
    const TomlNode* const of = find("of");
    if (of == nullptr)
      bad(file_, width.key_line, "within", "needs of = NUMBER, \"FILE.json\" or \"baseline\"");
    if (const TomlNode* stray = find("band"))
      bad(file_, stray->key_line, "band", "within is the band already");
    Limit l = limit(*of, "of");
    l.band = band(width, "within");
    return l;
  }

  Limit limit(const TomlNode& node, const std::string& key) const {
    Limit l;
    l.at = at(key, node);
    if (const auto x = number_of(node)) {
      l.kind = Limit::Kind::number;
      l.number = *x;
      return l;
    }
    const std::string word = text(node, key);
    if (word != "baseline") return claims::parse_limit(word, false, l.at);
    l.kind = Limit::Kind::baseline;
    return l;
  }

  void baseline(Spec& spec) {
    const TomlNode* const value = find("value");
    const TomlNode* const spread = find("spread");
    if (spec.limit.kind != Limit::Kind::baseline) {
      for (const TomlNode* node : {value, spread})
        if (node != nullptr)
          bad(file_,
              node->key_line,
              node == value ? "value" : "spread",
              "belongs to a limit of \"baseline\"");
      return;
    }
    const auto x = value == nullptr ? std::nullopt : number_of(*value);
    if (!x)
      bad(file_,
          value == nullptr ? line_ : value->key_line,
          "value",
          "a limit of \"baseline\" needs value = NUMBER");
    spec.limit.number = *x;
    if (spread == nullptr) return;
    const std::vector<double> s = numbers(*spread, "spread");
    if (s.size() != 5 || !(s[0] > 0.0 && s[3] > 0.0 && s[4] > 0.0))
      bad(file_,
          spread->key_line,
          "spread",
          "must be five numbers: scale > 0, skewness below and above, df > 0 below and above");
    spec.limit.spread = Spread{s[0], s[1], s[2], s[3], s[4]};
  }

  const TomlTable& table_;
  std::string file_;
  std::int64_t line_;
};

std::string text_member(const std::string& file, const std::string& path, const TomlNode& node) {
  if (const auto* word = node.as<std::string>()) return *word;
  bad(file, node.key_line, path, "must be a text");
}

const TomlTable& table_member(const std::string& file,
                              const std::string& key,
                              const TomlNode& node) {
  if (const auto* table = node.as<TomlTable>()) return *table;
  bad(file, node.key_line, key, "must be a table: [" + key + "]");
}

void read_baseline(ClaimsFile& claims, const TomlTable& table) {
  for (const auto& [key, node] : members(table)) {
    const std::string path = "baseline." + key;
    if (key == "hash") {
      claims.baseline_hash = text_member(claims.file, path, node);
    } else if (key == "files") {
      const auto* list = node.as<TomlList>();
      if (list == nullptr) bad(claims.file, node.key_line, path, "must be a list of texts");
      for (const TomlNode& item : *list)
        claims.baseline_files.push_back(text_member(claims.file, path, item));
    } else if (key == "rollouts" || key == "prompts") {
      const auto* count = node.as<std::int64_t>();
      if (count == nullptr || *count < 0)
        bad(claims.file, node.key_line, path, "must be a whole number, not below 0");
      (key == "prompts" ? claims.baseline_prompts : claims.baseline_rollouts) = *count;
    } else {
      bad(claims.file, node.key_line, path, "no such key: hash, files, rollouts, prompts");
    }
  }
}

std::string list_text(const std::vector<double>& numbers, bool whole) {
  std::string text;
  for (const double x : numbers)
    text += (text.empty() ? "" : ", ") +
            (whole ? std::to_string(static_cast<std::int64_t>(x)) : toml_number(x));
  return numbers.size() == 1 ? text : "[" + text + "]";
}

}  // namespace

ClaimsFile from_claims_toml(std::string_view text, const std::string& file) {
  ClaimsFile claims;
  claims.file = file;
  const TomlTable table = parse_toml(text, file);
  if (find_member(table, "claims") == nullptr)
    bad(file,
        0,
        "claims",
        "missing: the first line is claims = \"" + std::string(claims_schema) + "\"");
  for (const auto& [key, node] : members(table)) {
    if (key == "claims") {
      if (text_member(file, key, node) != claims_schema)
        bad(file, node.key_line, key, "must be \"" + std::string(claims_schema) + "\"");
    } else if (key == "settings") {
      for (const auto& [name, value] : members(table_member(file, key, node)))
        claims.settings.push_back(
            {name, text_member(file, "settings." + name, value), value.key_line});
    } else if (key == "baseline") {
      read_baseline(claims, table_member(file, key, node));
    } else if (key == "claim") {
      const auto* list = node.as<TomlList>();
      if (list == nullptr) bad(file, node.key_line, key, "must be tables: [[claim]]");
      for (const TomlNode& item : *list) {
        const auto* one = item.as<TomlTable>();
        if (one == nullptr) bad(file, item.line, key, "must be tables: [[claim]]");
        for (Spec& spec : Reader(*one, file, item.line).specs())
          claims.claims.push_back(std::move(spec));
      }
    } else {
      bad(file, node.key_line, key, "no such key: claims, [settings], [baseline], [[claim]]");
    }
  }
  if (claims.claims.empty()) bad(file, 0, "claim", "no [[claim]] is in this file");
  return claims;
}

std::string to_claims_toml(const ClaimsFile& head,
                           const std::vector<DraftClaim>& claims,
                           const std::vector<std::string>& notes) {
  std::string text = "claims = " + toml_quoted(claims_schema) + "\n";
  for (const std::string& note : notes) text += "# " + note + "\n";
  text += "\n[settings]\n";
  for (const ClaimsSetting& s : head.settings) text += s.name + " = " + toml_quoted(s.value) + "\n";
  text += "\n[baseline]\nhash = " + toml_quoted(head.baseline_hash) + "\nfiles = [";
  for (std::size_t i = 0; i < head.baseline_files.size(); ++i)
    text += (i > 0 ? ", " : "") + toml_quoted(head.baseline_files[i]);
  text += "]\nrollouts = " + std::to_string(head.baseline_rollouts) +
          "\nprompts = " + std::to_string(head.baseline_prompts) + "\n";
  for (const auto& [spec, comment] : claims) {
    text += "\n[[claim]]";
    if (!comment.empty()) text += "  # " + comment;
    text +=
        "\nname = " + toml_quoted(spec.name) + "\nquantity = " + toml_quoted(spec.quantity) + "\n";
    for (const claims::Argument& a : spec.arguments) {
      const bool place = a.name == "window" || a.name == "position" || a.name == "horizon";
      text += a.name + " = " + (a.name == "infinite" ? "true" : list_text(a.numbers, place)) + "\n";
    }
    const Limit& limit = spec.limit;
    const claims::Band band = limit.band.value_or(claims::Band{});
    const std::string width = band.percent
                                  ? toml_quoted(std::to_string(std::llround(band.size)) + "%")
                                  : toml_number(band.size);
    text +=
        "within = " + width + "\nof = \"baseline\"\nvalue = " + toml_number(limit.number) + "\n";
    if (limit.spread) {
      const Spread& s = *limit.spread;
      text +=
          "spread = " +
          list_text({s.scale, s.skewness_lower, s.skewness_upper, s.df_lower, s.df_upper}, false) +
          "\n";
    }
  }
  return text;
}

}  // namespace gammascope::report
