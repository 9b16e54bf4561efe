// SPDX-License-Identifier: MIT
#include "analysis/cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include <CLI/CLI.hpp>

namespace gammascope::cli {

namespace {

[[noreturn]] void refuse(const std::string& option,
                         const std::string& text,
                         const std::string& rule) {
  throw UsageError(option + ": '" + shortened(text) + "' " + rule);
}

io::NonFinitePolicy parsed_policy(const std::string& text) {
  using Kind = io::NonFinitePolicy::Kind;
  io::NonFinitePolicy policy;
  if (text.rfind("clip", 0) == 0) {
    const std::size_t at = text.find_first_not_of(" =:", 4);
    if (at == std::string::npos || at == 4)
      refuse("--nonfinite", text, "needs a number: clip C, C > 0 nats");
    policy.kind = Kind::clip;
    policy.clip = number("--nonfinite clip", text.substr(at));
    if (!(policy.clip > 0.0)) refuse("--nonfinite", text, "is not above 0 nats");
    return policy;
  }
  policy.kind = word<Kind>("--nonfinite", text);
  return policy;
}

/// "1GiB", "64 MiB", "4096": bytes.
std::size_t parsed_bytes(const std::string& option, const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string unit = text.substr(digits);
  unit.erase(
      0,
      unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
  const std::vector<std::pair<std::string, int>> units{
      {"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  for (const auto& [name, shift] : units)
    if (name == unit && digits > 0 && digits < 10)
      if (const auto n = static_cast<std::size_t>(integer(option, text.substr(0, digits), 1)); true)
        return n << shift;
  refuse(option, text, "is no size (bytes, or with KiB, MiB, GiB)");
}

}  // namespace

double number(const std::string& option, const std::string& text) {
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc{} || at != end || !std::isfinite(x))
    refuse(option, text, "is not a finite number");
  return x;
}

std::int64_t integer(const std::string& option, const std::string& text, std::int64_t least) {
  std::int64_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, n);
  if (error != std::errc{} || at != end) refuse(option, text, "is not a whole number");
  if (n < least) refuse(option, text, "is below " + std::to_string(least));
  return n;
}

std::vector<std::string> split_list(const std::string& option, const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (;;) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, comma - from));
    if (parts.back().empty()) refuse(option, text, "has an empty part");
    if (comma == text.size()) return parts;
    from = comma + 1;
  }
}

std::vector<double> numbers(const std::string& option, const std::string& text) {
  std::vector<double> all;
  for (const std::string& part : split_list(option, text)) all.push_back(number(option, part));
  return all;
}

io::ReadOptions LogOptions::read_options() const {
  io::ReadOptions o;
  o.nonfinite = parsed_policy(nonfinite);
  if (on_error != "stop" && on_error != "skip")
    refuse("--on-error", on_error, "is not one of: stop | skip");
  o.on_error = on_error == "skip" ? io::OnError::skip : io::OnError::stop;
  o.max_line = parsed_bytes("--max-line", max_line);
  o.dialect = from;
  return o;
}

double LogOptions::sample_share() const {
  const bool percent = !sample.empty() && sample.back() == '%';
  const double x = number("--sample", percent ? sample.substr(0, sample.size() - 1) : sample);
  const double share = percent ? x / 100.0 : x;
  if (!(share > 0.0 && share <= 1.0))
    refuse("--sample", sample, "is not a share above 0 and at most 100% (of prompts)");
  return share;
}

void LogOptions::describe(SettingList& settings) const {
  (void)read_options();
  settings.emplace_back("from", from);
  settings.emplace_back("nonfinite", nonfinite);
  settings.emplace_back("on-error", on_error);
  settings.emplace_back("max-line", max_line);
  settings.emplace_back("sample", sample);
}

std::vector<double> CellOptions::gammas() const {
  std::vector<double> all = numbers("--gamma", gamma);
  for (const double g : all)
    if (!(g >= 0.0 && g <= 1.0)) refuse("--gamma", gamma, "holds a value outside [0, 1]");
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Alignment> CellOptions::alignments() const {
  std::vector<Alignment> all;
  for (const std::string& part : split_list("--alignment", alignment)) {
    const auto a = word<Alignment>("--alignment", part);
    if (std::find(all.begin(), all.end(), a) == all.end()) all.push_back(a);
  }
  return all;
}

std::vector<std::int64_t> CellOptions::places(Alignment where,
                                              std::int64_t median,
                                              std::int64_t longest) const {
  const bool position = where == Alignment::position;
  if (at.empty()) return {position ? 0 : median};
  if (at == "log")
    return position ? measure::log_positions(longest - 1) : measure::log_grid(longest);
  if (at == "all") {
    std::vector<std::int64_t> all(static_cast<std::size_t>(longest));
    std::iota(all.begin(), all.end(), position ? 0 : 1);
    return all;
  }
  std::vector<std::int64_t> all;
  for (const std::string& part : split_list("--at", at)) all.push_back(integer("--at", part, 0));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (!position && all.front() == 0) {
    // One list serves several alignments: 0 is a position only.
    if (alignments().size() == 1)
      refuse(
          "--at", at, "holds 0, which is no " + std::string(name(where)) + " (at least 1 token)");
    all.erase(all.begin());
    if (all.empty()) all.push_back(median);
  }
  return all;
}

std::optional<std::int64_t> CellOptions::given_max_length() const {
  if (max_length.empty()) return std::nullopt;
  return integer("--max-length", max_length, 1);
}

std::optional<double> CellOptions::given_noise_floor() const {
  if (noise_floor.empty()) return std::nullopt;
  const double x = number("--noise-floor", noise_floor);
  if (x < 0.0) refuse("--noise-floor", noise_floor, "is below 0 nats");
  return x;
}

double CellOptions::confidence_level() const {
  const double x = number("--confidence", confidence);
  if (!(x > 0.0 && x < 1.0))
    refuse("--confidence", confidence, "is not between 0 and 1, such as 0.95");
  return x;
}

unsigned CellOptions::thread_count() const {
  const std::int64_t n = integer("--threads", threads, 0);
  if (n > 1024) refuse("--threads", threads, "is above 1024");
  return static_cast<unsigned>(n);
}

void CellOptions::describe(SettingList& settings) const {
  settings.emplace_back("gamma", gammas());
  settings.emplace_back("alignment", alignment);
  settings.emplace_back("at", at);
  settings.emplace_back("start", std::string(name(word<measure::Start>("--start", start))));
  settings.emplace_back("clock", std::string(name(word<Clock>("--clock", clock))));
  settings.emplace_back("truncated",
                        std::string(name(word<measure::Truncated>("--truncated", truncated))));
  settings.emplace_back("weight", std::string(name(word<measure::Weight>("--weight", weight))));
  settings.emplace_back("max-length", max_length);
  settings.emplace_back("noise-floor", noise_floor);
  settings.emplace_back("confidence", confidence_level());
}

void add_log_options(CLI::App& app, LogOptions& o) {
  app.add_option(
         "LOG",
         o.logs,
         "logs: canonical JSONL (plain, gzip, zstd) or store directories; - is standard input")
      ->required()
      ->group("what is read");
  const std::string group = "what is read";
  app.add_option("--from", o.from, "dialect of the log (recognised by default)")->group(group);
  app.add_option(
         "--nonfinite", o.nonfinite, "bad numbers: error | drop-rollout | mask-token | \"clip C\"")
      ->group(group)
      ->capture_default_str();
  app.add_option("--on-error", o.on_error, "bad lines: stop | skip")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-line", o.max_line, "longest line accepted")
      ->group(group)
      ->capture_default_str();
  app.add_option("--sample", o.sample, "share of the prompts to use, such as 10%")
      ->group(group)
      ->capture_default_str();
}

void add_cell_options(CLI::App& app, CellOptions& o) {
  const std::string group = "what is measured";
  app.add_option("--gamma", o.gamma, "discounts")->group(group)->capture_default_str();
  app.add_option(
         "--alignment", o.alignment, "position | horizon | window | infinite, one or a list")
      ->group(group)
      ->capture_default_str();
  app.add_option("--at",
                 o.at,
                 "positions, horizons or windows: a list, log or all (measure: in several readings "
                 "above 1024 cells) (default: the median length; "
                 "position: 0)")
      ->group(group);
  app.add_option(
         "--start", o.start, "windows start at 0 or at all positions a stride apart: 0 | all")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-length",
                 o.max_length,
                 "limit of the response length (default: the header's, else the longest)")
      ->group(group);
  app.add_option("--clock", o.clock, "gamma at masked tokens: skip | count | reset | turn")
      ->group(group)
      ->capture_default_str();
  app.add_option("--truncated", o.truncated, "cut responses: keep | drop")
      ->group(group)
      ->capture_default_str();
  app.add_option("--weight", o.weight, "of means: row | response | prompt")
      ->group(group)
      ->capture_default_str();
  app.add_option("--noise-floor",
                 o.noise_floor,
                 "sd of a log-ratio's engine error, nats (default: from the header's dtype)")
      ->group(group);
  app.add_option("--confidence", o.confidence, "of two-sided limits")
      ->group(group)
      ->capture_default_str();
  app.add_option("--threads", o.threads, "0: one per core; changes no result")
      ->group(group)
      ->capture_default_str();
}

void add_json_option(CLI::App& app, OutputOptions& o) {
  app.add_option_function<std::string>(
         "--json",
         [&o](const std::string& file) {
           o.json_given = true;
           o.json = file;
         },
         "result as JSON to FILE, or to standard output without FILE")
      ->expected(0, 1)
      ->default_str("-")
      ->type_name("[FILE]")
      ->group("where the answer goes")
      ->trigger_on_parse();
}

void add_output_options(CLI::App& app, OutputOptions& o) {
  const std::string group = "where the answer goes";
  add_json_option(app, o);
  app.add_option("--out", o.out, "folder for result.json, config.toml, report.html and plots")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--force", o.force, "go on after an error of the doctor; overwrite")->group(group);
  app.add_flag("--quiet", o.quiet, "no progress, no table")->group(group);
}

}  // namespace gammascope::cli
