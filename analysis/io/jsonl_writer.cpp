// SPDX-License-Identifier: MIT
#include "analysis/io/jsonl_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "analysis/io/byte_sink.hpp"
#include "analysis/io/log_header.hpp"
#include "analysis/io/rollout_length.hpp"

namespace gammascope::io {
namespace {

template <class Number>
void append_plain(std::string& text, Number number) {
  std::array<char, 32> digits{};  // the longest double has 24
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), result.ptr);
}

/// The shortest text that reads back to the same float for a reader that parses a double and then
/// narrows it. The shortest text of the float nearly always does.
void append_float(std::string& text, float number) {
  const std::size_t before = text.size();
  append_plain(text, number);
  double back = 0;
  std::from_chars(text.data() + before, text.data() + text.size(), back);
  if (static_cast<float>(back) == number) return;
  text.resize(before);
  append_plain(text, double(number));
}

void append_number(std::string& text, float number) { append_float(text, number); }
void append_number(std::string& text, double number) { append_plain(text, number); }

template <class Real>
void append_real(std::string& text, Real number, bool counts) {
  if (std::isfinite(number)) return append_number(text, number);
  // JSON has no word for these; a reader of version 1 knows the strings.
  text += std::isnan(number) || !counts ? "null" : number > 0 ? R"("inf")" : R"("-inf")";
}

void append_string(std::string& text, std::string_view string) {
  constexpr std::string_view hex = "0123456789abcdef";
  text += '"';
  for (const char c : string) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += "\\u00";
      text += hex[static_cast<unsigned char>(c) >> 4];
      text += hex[static_cast<unsigned char>(c) & 15];
    } else {
      text += c;
    }
  }
  text += '"';
}

/// Appends members to a line that is under way.
class LineText {
 public:
  LineText(std::string& text, const RolloutRecord& r) : text_(text), r_(r) {}

  void raw(std::string_view name, const std::string& json) {
    if (json.empty()) return;
    key(name);
    text_ += json;
  }
  void string(std::string_view name, const std::string& string) {
    if (string.empty()) return;
    key(name);
    append_string(text_, string);
  }
  void scalar(std::string_view name, const std::optional<std::string>& string) {
    if (!string) return;
    key(name);
    append_string(text_, *string);
  }
  void scalar(std::string_view name, const std::optional<std::int64_t>& number) {
    if (!number) return;
    key(name);
    append_plain(text_, *number);
  }
  void scalar(std::string_view name, const std::optional<double>& number) {
    if (!number) return;
    key(name);
    append_real(text_, *number, true);
  }
  void count(std::string_view name, std::int64_t number) {
    if (number != 0) scalar(name, std::optional(number));
  }
  template <class Integer>
  void integers(std::string_view name, const std::vector<Integer>& column) {
    array(name, column.size(), [&](std::size_t t) { append_plain(text_, column[t]); });
  }
  template <class Real>
  void reals(std::string_view name, const std::vector<Real>& column) {
    array(name, column.size(), [&](std::size_t t) { append_real(text_, column[t], counts(t)); });
  }
  void matrix(std::string_view name, const std::vector<float>& values, std::size_t rows) {
    if (values.empty()) return;
    const std::size_t width = values.size() / rows;
    array(name, rows, [&](std::size_t t) {
      text_ += '[';
      for (std::size_t k = 0; k < width; ++k) {
        if (k > 0) text_ += ',';
        append_real(text_, values[t * width + k], counts(t));
      }
      text_ += ']';
    });
  }

 private:
  [[nodiscard]] bool counts(std::size_t t) const { return r_.mask.empty() || r_.mask[t] != 0; }
  void key(std::string_view name) {
    text_ += ",\"";
    text_ += name;
    text_ += "\":";
  }
  template <class Append>
  void array(std::string_view name, std::size_t size, const Append& append) {
    if (size == 0) return;
    key(name);
    text_ += '[';
    for (std::size_t t = 0; t < size; ++t) {
      if (t > 0) text_ += ',';
      append(t);
    }
    text_ += ']';
  }

  std::string& text_;
  const RolloutRecord& r_;
};

std::unique_ptr<ByteSink> open_packed(const std::string& path, bool overwrite) {
  auto sink = open_sink(path, overwrite);
  if (path.ends_with(".gz")) return gzip(std::move(sink));
  if (path.ends_with(".zst")) return zstd(std::move(sink));
  return sink;
}

}  // namespace

void append_jsonl(std::string& text, const RolloutRecord& r) {
  check_lengths(r);
  text += R"({"v":1)";
  LineText line(text, r);
  line.string("run", r.run);
  line.scalar("step", r.step);
  line.scalar("prompt_id", r.prompt_id);
  line.scalar("sample_id", r.sample_id);
  line.string("teacher", r.teacher);
  line.string("domain", r.domain);
  line.scalar("temperature", r.temperature);
  line.scalar("top_p", r.top_p);
  line.scalar("top_k", r.top_k);
  line.string("logprobs_kind", r.logprobs_kind);
  line.string("estimator", r.estimator);
  if (r.finish != FinishReason::unknown) line.string("finish_reason", std::string(name(r.finish)));
  line.scalar("reward", r.reward);
  line.raw("weight_version_sampled", r.weight_version_sampled);
  line.raw("weight_version_scored", r.weight_version_scored);
  line.string("teacher_version", r.teacher_version);
  line.count("masked_bad", r.masked_bad);
  line.count("clipped", r.clipped);
  line.integers("token_ids", r.token_id);
  line.integers("mask", r.mask);
  line.integers("turn", r.turn);
  line.reals("student_logprobs", r.student_logprob);
  line.reals("teacher_logprobs", r.teacher_logprob);
  line.reals("rollout_logprobs", r.rollout_logprob);
  line.reals("ref_logprobs", r.ref_logprob);
  line.reals("entropy", r.entropy);
  line.reals("prefix_kl", r.prefix_kl);
  line.reals("advantages", r.advantage);
  line.matrix("score_sketch", r.score_sketch, rollout_length(r));
  line.raw("topk", r.topk);
  line.string("text", r.text);
  text += "}\n";
}

void append_jsonl_header(std::string& text, const LogHeader& header) {
  if (!header.present) return;
  text += R"({"v":1,"header":)";
  text += header_text(header);
  text += "}\n";
}

struct JsonlWriter::Impl {
  std::unique_ptr<ByteSink> sink;
  std::string line;
};

JsonlWriter::JsonlWriter(const std::string& path,
                         const LogHeader& header,
                         const WriteOptions& options)
    : impl_(std::make_unique<Impl>()) {
  append_jsonl_header(impl_->line, header);
  impl_->sink = open_packed(path, options.overwrite);
  impl_->sink->write(impl_->line);
}

JsonlWriter::~JsonlWriter() = default;

void JsonlWriter::write(const RolloutRecord& rollout) {
  impl_->line.clear();
  append_jsonl(impl_->line, rollout);
  impl_->sink->write(impl_->line);
}

void JsonlWriter::close() { impl_->sink->close(); }

}  // namespace gammascope::io
