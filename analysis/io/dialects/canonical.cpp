// SPDX-License-Identifier: MIT
#include "analysis/io/dialects/canonical.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/io/apply_nonfinite.hpp"
#include "analysis/io/json_scan.hpp"
#include "analysis/io/log_header.hpp"
#include "analysis/io/ondemand.hpp"
#include "analysis/io/rollout_length.hpp"

namespace gammascope::io {
namespace {

/// A line from which huge unused fields are taken out before it is parsed.
constexpr std::size_t huge_line = std::size_t{1} << 22, huge_field = std::size_t{1} << 16;
/// Names of unknown fields that are told apart; a log of hostile names must not fill the memory.
constexpr std::size_t most_names = 1000;

enum class Field : std::uint8_t {
  v,
  header,
  run,
  step,
  prompt_id,
  sample_id,
  teacher,
  domain,
  temperature,
  top_p,
  top_k,
  logprobs_kind,
  estimator,
  finish_reason,
  reward,
  weight_version_sampled,
  weight_version_scored,
  teacher_version,
  masked_bad,
  clipped,
  token_ids,
  mask,
  turn,
  student_logprobs,
  teacher_logprobs,
  rollout_logprobs,
  ref_logprobs,
  entropy,
  prefix_kl,
  advantages,
  score_sketch,
  topk,
  text,
  none,
};
constexpr std::array<std::string_view, static_cast<std::size_t>(Field::none)> names{
    "v",
    "header",
    "run",
    "step",
    "prompt_id",
    "sample_id",
    "teacher",
    "domain",
    "temperature",
    "top_p",
    "top_k",
    "logprobs_kind",
    "estimator",
    "finish_reason",
    "reward",
    "weight_version_sampled",
    "weight_version_scored",
    "teacher_version",
    "masked_bad",
    "clipped",
    "token_ids",
    "mask",
    "turn",
    "student_logprobs",
    "teacher_logprobs",
    "rollout_logprobs",
    "ref_logprobs",
    "entropy",
    "prefix_kl",
    "advantages",
    "score_sketch",
    "topk",
    "text"};

Field field_of(std::string_view name) noexcept {
  const auto found = std::ranges::find(names, name);
  return static_cast<Field>(found - names.begin());
}

class CanonicalParser final : public LineParser {
 public:
  Got parse(Line& line, RolloutRecord& rollout, LogHeader& header, ReadReport& report) override {
    if (line.size > huge_line) {
      line.size = drop_unused_fields(line.data, line.size, huge_field, [](std::string_view key) {
        return field_of(key) != Field::none;
      });
    }
    seen_ = 0;
    arrays_ = 0;
    unknown_.clear();
    sketch_rows_ = 0;
    namespace ondemand = simdjson::ondemand;
    ondemand::document document;
    check_json(parser_.iterate(line.data, line.size, line.size + LineReader::padding).get(document),
               "");
    ondemand::object object;
    const auto code = document.get_object().get(object);
    if (code == simdjson::INCORRECT_TYPE) throw LineError("", "the line must be a JSON object");
    check_json(code, "");
    for (auto member : object) {
      std::string_view name;
      check_json(member.unescaped_key().get(name), "");
      JsonValue value;
      check_json(member.value().get(value), name);
      const Field field = field_of(name);
      if (field == Field::none) {
        unknown_.push_back(name);
        continue;
      }
      if (has(field)) throw LineError(std::string(name), "stands twice in one line");
      seen_ |= bit_of(field);
      if (field == Field::header)
        header_text_ = read_raw(value, name);
      else
        read(field, name, value, rollout, report);
    }
    if (document.current_location().error() == simdjson::SUCCESS)
      throw LineError("", "is not valid JSON: something follows the object");
    count_unknown(report);
    if (has(Field::header)) return take_header(header);
    check_columns(rollout, report);
    return Got::rollout;
  }

 private:
  static constexpr std::uint64_t bit_of(Field field) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(field);
  }
  [[nodiscard]] bool has(Field field) const noexcept { return (seen_ & bit_of(field)) != 0; }

  void read(
      Field field, std::string_view name, JsonValue& value, RolloutRecord& r, ReadReport& report) {
    if (field >= Field::token_ids && field <= Field::score_sketch) {
      if (take_null(value, name)) return;  // a column that is null as a whole is not recorded
      arrays_ |= bit_of(field);
    }
    const auto text = [&](std::string& out) { out = read_text(value, name).value_or(""); };
    switch (field) {
      case Field::v:
        return check_version(read_integer(value, name));
      case Field::run:
        return text(r.run);
      case Field::step:
        r.step = read_integer(value, name);
        return;
      case Field::prompt_id:
        r.prompt_id = read_text_or_integer(value, name);
        return;
      case Field::sample_id:
        r.sample_id = read_integer(value, name);
        return;
      case Field::teacher:
        return text(r.teacher);
      case Field::domain:
        return text(r.domain);
      case Field::temperature:
        r.temperature = read_real(value, name);
        return;
      case Field::top_p:
        r.top_p = read_real(value, name);
        return;
      case Field::top_k:
        r.top_k = read_integer(value, name);
        return;
      case Field::logprobs_kind:
        return text(r.logprobs_kind);
      case Field::estimator:
        return text(r.estimator);
      case Field::finish_reason:
        return read_finish(value, name, r);
      case Field::reward:
        return read_reward(value, name, r, report);
      case Field::weight_version_sampled:
        r.weight_version_sampled = read_raw(value, name);
        return;
      case Field::weight_version_scored:
        r.weight_version_scored = read_raw(value, name);
        return;
      case Field::teacher_version:
        r.teacher_version = read_text_or_integer(value, name).value_or("");
        return;
      case Field::masked_bad:
        r.masked_bad = read_count(value, name);
        return;
      case Field::clipped:
        r.clipped = read_count(value, name);
        return;
      case Field::token_ids:
        return read_integers(value, name, r.token_id);
      case Field::mask:
        return read_mask(value, name, r.mask);
      case Field::turn:
        return read_integers(value, name, r.turn);
      case Field::student_logprobs:
        return read_floats(value, name, scale_, true, r.student_logprob);
      case Field::teacher_logprobs:
        return read_floats(value, name, scale_, true, r.teacher_logprob);
      case Field::rollout_logprobs:
        return read_floats(value, name, scale_, true, r.rollout_logprob);
      case Field::ref_logprobs:
        return read_floats(value, name, scale_, true, r.ref_logprob);
      case Field::entropy:
        return read_floats(value, name, scale_, false, r.entropy);
      case Field::prefix_kl:
        return read_floats(value, name, scale_, false, r.prefix_kl);
      case Field::advantages:
        return read_doubles(value, name, r.advantage);
      case Field::score_sketch:
        sketch_rows_ = read_matrix(value, name, r.score_sketch);
        return;
      case Field::topk:
        r.topk = read_raw(value, name);
        return;
      case Field::text:
        return text(r.text);
      case Field::header:
      case Field::none:
        return;
    }
  }

  static void check_version(std::optional<std::int64_t> version) {
    if (version && *version != 1)
      throw LineError(
          "v",
          "version " + std::to_string(*version) +
              " of this format is not known here, only 1; a newer gammascope may read it");
  }
  static std::int64_t read_count(JsonValue& value, std::string_view name) {
    const std::int64_t count = read_integer(value, name).value_or(0);
    if (count < 0) throw LineError(std::string(name), "must not be negative");
    return count;
  }
  static void read_finish(JsonValue& value, std::string_view name, RolloutRecord& r) {
    const auto word = read_text(value, name);
    if (!word) return;
    const auto finish = gammascope::parse<FinishReason>(*word);
    if (!finish)
      throw LineError(std::string(name),
                      "must be " + all_names<FinishReason>() + ", is \"" + *word + "\"");
    r.finish = *finish;
  }
  /// A reward that is not finite is one that could not be had.
  static void read_reward(JsonValue& value,
                          std::string_view name,
                          RolloutRecord& r,
                          ReadReport& report) {
    const double reward = read_number(value, name);
    if (std::isfinite(reward))
      r.reward = reward;
    else if (!is_null(static_cast<float>(reward)))
      ++report.odd_numbers[std::string(name)];
  }

  void count_unknown(ReadReport& report) {
    std::ranges::sort(unknown_);
    if (const auto twice = std::ranges::adjacent_find(unknown_); twice != unknown_.end())
      throw LineError(std::string(*twice), "stands twice in one line");
    for (const std::string_view name : unknown_) {
      std::string key(name);
      if (report.unknown_fields.size() >= most_names && !report.unknown_fields.contains(key))
        key = "(other names)";
      ++report.unknown_fields[key];
    }
  }

  Got take_header(LogHeader& header) {
    if ((seen_ & ~(bit_of(Field::v) | bit_of(Field::header))) != 0)
      throw LineError("header", "must stand in a line of its own, with v and nothing else");
    header = parse_header(header_text_);
    scale_ = nats_per_unit(header);
    if (scale_ != 1) set_nats(header);
    return Got::header;
  }

  /// Every column that is there has T entries: those of student_logprobs, else of the first there
  /// is.
  void check_columns(RolloutRecord& r, ReadReport& report) {
    struct Column {
      Field field;
      std::size_t size;
    };
    const std::array<Column, 11> columns{{{Field::student_logprobs, r.student_logprob.size()},
                                          {Field::teacher_logprobs, r.teacher_logprob.size()},
                                          {Field::mask, r.mask.size()},
                                          {Field::token_ids, r.token_id.size()},
                                          {Field::turn, r.turn.size()},
                                          {Field::rollout_logprobs, r.rollout_logprob.size()},
                                          {Field::ref_logprobs, r.ref_logprob.size()},
                                          {Field::entropy, r.entropy.size()},
                                          {Field::prefix_kl, r.prefix_kl.size()},
                                          {Field::advantages, r.advantage.size()},
                                          {Field::score_sketch, sketch_rows_}}};
    const auto is_there = [&](const Column& c) { return (arrays_ & bit_of(c.field)) != 0; };
    const auto first = std::ranges::find_if(columns, is_there);
    if (first == columns.end()) return;
    for (const Column& column : columns)
      if (is_there(column) && column.size != first->size)
        throw LineError(std::string(name_of(column.field)),
                        "has " + std::to_string(column.size) + " values, " +
                            std::string(name_of(first->field)) + " has " +
                            std::to_string(first->size));
    for (std::size_t t = 0; t < r.turn.size(); ++t)
      if (r.turn[t] < (t == 0 ? 0 : r.turn[t - 1]))
        throw LineError("turn[" + std::to_string(t) + "]",
                        "turns must count upwards from 0 or more, is " + std::to_string(r.turn[t]));
    if (sketch_rows_ > 0) {
      const std::size_t width = r.score_sketch.size() / sketch_rows_;
      if (sketch_width_ != 0 && width != sketch_width_)
        throw LineError("score_sketch",
                        "has " + std::to_string(width) + " numbers a token, in the lines before " +
                            std::to_string(sketch_width_));
      sketch_width_ = width;
    }
    settle(r.rollout_logprob, Field::rollout_logprobs, true, r, report);
    settle(r.ref_logprob, Field::ref_logprobs, true, r, report);
    settle(r.entropy, Field::entropy, false, r, report);
    settle(r.prefix_kl, Field::prefix_kl, false, r, report);
    settle(r.advantage, Field::advantages, false, r, report);
    if (!r.score_sketch.empty() && rollout_length(r) == 0)
      throw LineError("score_sketch", "no other column says how many tokens there are");
  }

  /// A column beside the two that every result needs: a bad number becomes NaN and is counted; with
  /// no number at all the column is not recorded.
  template <class T>
  static void settle(std::vector<T>& column,
                     Field field,
                     bool log_probability,
                     const RolloutRecord& r,
                     ReadReport& report) {
    std::int64_t bad = 0, good = 0, sampled = 0;
    for (std::size_t t = 0; t < column.size(); ++t) {
      const bool counts = r.mask.empty() || r.mask[t] != 0;
      sampled += counts ? 1 : 0;
      const bool is_bad =
          !std::isfinite(column[t]) ||
          (counts && log_probability && is_bad_log_probability(static_cast<float>(column[t])));
      if (is_bad) column[t] = std::numeric_limits<T>::quiet_NaN();
      bad += is_bad && counts ? 1 : 0;
      good += is_bad ? 0 : 1;
    }
    if (good == 0 && sampled > 0) {
      column.clear();
    } else if (bad > 0) {
      report.odd_numbers[std::string(name_of(field))] += bad;
    }
  }

  static std::string_view name_of(Field field) noexcept {
    return names[static_cast<std::size_t>(field)];
  }

  simdjson::ondemand::parser parser_;
  double scale_ = 1;
  std::uint64_t seen_ = 0, arrays_ = 0;  // sets of Field
  std::vector<std::string_view> unknown_;
  std::string header_text_;
  std::size_t sketch_rows_ = 0, sketch_width_ = 0;
};

double recognise(std::string_view head) {
  for (const char* marker : {"\"student_logprobs\"", "\"teacher_logprobs\"", "\"header\""})
    if (head.find(marker) != std::string_view::npos) return 1;
  // The first line may be longer than what was looked at.
  const bool object =
      head.substr(0, head.find('\n')).find_first_not_of(" \t\r") != std::string_view::npos &&
      head[head.find_first_not_of(" \t\r\n")] == '{';
  return object && head.find('\n') == std::string_view::npos ? 0.1 : 0;
}

std::unique_ptr<LineParser> make_parser() { return std::make_unique<CanonicalParser>(); }

}  // namespace

constinit const Dialect canonical_dialect{
    "canonical", "canonical v1", "student_logprobs", "teacher_logprobs", recognise, make_parser};

}  // namespace gammascope::io
