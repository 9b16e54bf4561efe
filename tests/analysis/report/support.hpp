// SPDX-License-Identifier: MIT
// Folders to write in, doubles compared by their bits, random results with hostile texts.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <stdlib.h>

#include "analysis/report/result.hpp"

namespace gammascope::report::test {

/// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "gammascope-report-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Names in it, hidden ones too.
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_bits(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same_bits(*a, *b));
}

/// Random results: every field takes every kind of value, texts are hostile to terminals, HTML,
/// JSON, TOML and gnuplot.
class RandomResults {
 public:
  explicit RandomResults(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool coin() { return below(2) == 0; }

  /// Any finite double: random bits, or a size that people meet.
  double any_double() {
    if (coin()) return std::ldexp(static_cast<double>(random_()), -static_cast<int>(below(80)));
    for (;;)
      if (const double x = std::bit_cast<double>(random_()); std::isfinite(x)) return x;
  }
  std::optional<double> maybe(double x) { return below(4) == 0 ? std::nullopt : std::optional(x); }
  std::optional<std::int64_t> maybe_count() {
    return below(4) == 0 ? std::nullopt
                         : std::optional(static_cast<std::int64_t>(random_() >> (1 + below(62))));
  }
  double share() {
    constexpr double often[] = {0.0, 0.9, 0.99, 1.0};
    return coin() ? often[below(4)] : static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  std::string text() {
    static const std::vector<std::string> pieces{
        "log",
        " ",
        "/",
        "<script>alert(1)</script>",
        "\"",
        "'",
        "&amp;",
        "\\",
        "\n",
        "\t",
        "\x1b[31m",
        "`date`",
        "$(id)",
        "\x7f",
        "\xC3\xA9",
        "\xE4\xBD\xA0",
        "\xF0\x9F\x98\x80",
        "\u202E",
        "]]>",
        "-->",
        "#",
        "=",
        "%s",
        std::string(1, '\0'),
        "averyveryveryveryveryverylongwordwithoutanyblankinitatallthatmustbecutsomewhere"};
    std::string result;
    for (std::size_t n = below(9); n > 0; --n) result += pieces[below(pieces.size())];
    return result;
  }
  std::string word() {
    return "key" + std::to_string(random_() % 1000000) + (coin() ? text() : "");
  }

  template <class E>
  E any() {
    return static_cast<E>(below(EnumName<E>::names.size()));
  }

  Cell cell() {
    Cell c;
    c.quantity = any<Quantity>();
    if (coin()) c.alignment = any<Alignment>();
    if (coin()) c.gamma = share();
    c.n = maybe_count();
    c.value = maybe(any_double());
    c.lower = maybe(any_double());
    c.upper = maybe(any_double());
    if (coin()) c.confidence = share();
    c.method = text();
    c.prompts = static_cast<std::int64_t>(random_() >> (1 + below(62)));
    c.rollouts = static_cast<std::int64_t>(random_() >> (1 + below(62)));
    c.status = any<CellStatus>();
    c.reason = "r" + text();
    c.blind_spot = maybe(std::fabs(any_double()));
    if (coin()) c.baseline = "b" + text();
    c.batch = maybe_count();
    if (coin())
      c.spread = Spread{share() + 1e-300, share() - 0.5, share(), 1 + share(), 1e9 * (1 + share())};
    return c;
  }
  Verdict verdict() {
    Verdict v;
    v.claim = "c" + text();
    v.outcome = any<Outcome>();
    v.quantity = any<Quantity>();
    v.relation = any<Relation>();
    if (coin()) v.alignment = any<Alignment>();
    if (coin()) v.gamma = share();
    v.n = maybe_count();
    v.bound = maybe(any_double());
    if (coin()) v.bound_low = share();
    v.detect_pass = maybe(any_double());
    v.detect_fail = maybe(any_double());
    if (coin()) v.where = "w" + text();
    for (std::size_t n = below(3); n > 0; --n)
      v.inputs.push_back({word(), maybe(any_double()), any<Origin>()});
    v.value = maybe(any_double());
    v.lower = maybe(any_double());
    v.upper = maybe(any_double());
    v.p_pass = share();
    v.p_fail = share();
    v.p_pass_adjusted = share();
    v.p_fail_adjusted = share();
    v.prompts_needed = maybe_count();
    v.cell_status = any<CellStatus>();
    v.reason = "r" + text();
    return v;
  }
  Finding finding(std::size_t i) {
    Finding f;
    f.rule = "rule" + text();
    f.severity = any<Severity>();
    f.message = text();
    f.evidence = {{"e" + std::to_string(i), any_double()}, {text() + "!", any_double()}};
    f.where = {{"w", text()}};
    return f;
  }
  Setting setting() {
    switch (below(7)) {
      case 0:
        return coin();
      case 1:
        return static_cast<std::int64_t>(random_());
      case 2:
        return any_double();
      case 3:
        return text();
      case 4:
        return std::vector<double>{any_double(), share(), 0.0};
      case 5:
        return std::vector<std::int64_t>{static_cast<std::int64_t>(random_()), -1};
      default:
        return std::vector<std::string>{text(), "x"};
    }
  }
  Result result() {
    Result r;
    r.verb = "measure" + text();
    r.version = "0.1.0";
    for (std::size_t n = below(6); n > 0; --n)
      r.settings.emplace_back("s" + std::to_string(n) + text(), setting());
    for (std::size_t n = below(3); n > 0; --n) r.source.files.push_back(text());
    r.source.dialect = text();
    r.source.rollouts = static_cast<std::int64_t>(random_() >> (1 + below(62)));
    r.source.prompts = r.source.rollouts / 4;
    r.source.tokens = static_cast<std::int64_t>(random_() >> (1 + below(62)));
    r.source.truncated = r.source.rollouts / 3;
    if (coin()) r.source.dropped[text()] = 3;
    for (std::size_t n = below(12); n > 0; --n) r.cells.push_back(cell());
    for (std::size_t n = below(12); n > 0; --n) r.verdicts.push_back(verdict());
    for (std::size_t n = below(4); n > 0; --n) r.findings.push_back(finding(n));
    r.summary = text();
    return r;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace gammascope::report::test
