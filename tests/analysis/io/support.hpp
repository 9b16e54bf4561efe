// SPDX-License-Identifier: MIT
// A folder that goes away, whole logs in memory, records that use every field, and records compared
// bit by bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/io/log_reader.hpp"
#include "analysis/io/log_writer.hpp"
#include "analysis/io/prompt_hash.hpp"
#include "analysis/io/store_columns.hpp"
#include "tests/analysis/io/draw.hpp"

namespace gammascope::io::test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gammascope-io-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string file(const std::string& name, const std::string& bytes) const {
    std::ofstream out(path_ / name, std::ios::binary);
    out << bytes;
    if (!out.flush()) throw std::runtime_error("cannot write " + name);
    return *this / name;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
      all.push_back(std::filesystem::relative(entry.path(), path_).string());
    return all;
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Read {
  std::vector<RolloutRecord> rollouts;
  LogHeader header;
  ReadReport report;
};

inline Read read_all(LogReader& reader) {
  Read read;
  RolloutRecord rollout;
  while (reader.next(rollout)) read.rollouts.push_back(rollout);
  read.header = reader.header();
  read.report = reader.report();
  return read;
}
inline Read read_all(const std::string& path, const ReadOptions& options = {}) {
  return read_all(*open_log(path, options));
}
/// Reads JSONL given as text.
inline Read read_text(const std::string& jsonl, const ReadOptions& options = {}) {
  const Folder folder;
  return read_all(folder.file("log.jsonl", jsonl), options);
}
/// The message of the BadData that reading ends with, without the folder; "" if it does not.
inline std::string refusal(const std::string& jsonl, const ReadOptions& options = {}) {
  try {
    (void)read_text(jsonl, options);
  } catch (const BadData& error) {
    const std::string text = error.what();
    return text.substr(text.find("log.jsonl"));
  }
  return "";
}
inline ReadOptions with(NonFinitePolicy::Kind kind, double clip = 0) {
  ReadOptions options;
  options.nonfinite = {kind, clip};
  return options;
}
inline ReadOptions skipping() {
  ReadOptions options;
  options.on_error = OnError::skip;
  return options;
}

/// "[a,b,…]" with enough digits.
template <class T>
std::string list(const std::vector<T>& values) {
  std::ostringstream text;
  text.precision(17);
  text << '[';
  for (std::size_t i = 0; i < values.size(); ++i) text << (i > 0 ? "," : "") << values[i];
  text << ']';
  return text.str();
}

/// A record that uses every field, or, with less luck, only some; T from 0 to `longest`.
inline RolloutRecord random_record(Draw& draw, int longest, bool every_field) {
  const auto maybe = [&] { return every_field || draw() % 3 != 0; };
  const auto real = [&] { return -std::ldexp(double(draw() % 1000003), -int(draw() % 24)) * 1e-3; };
  const auto text = [&] {
    static const std::vector<std::string> pieces{
        "a", "\"", "\\", "\n", "\t", "\x01", "é", "漢", "😀", "}{[],:", "-inf", "null", "\x7f"};
    std::string out;
    for (unsigned n = 1 + draw() % 6; n > 0; --n) out += pieces[draw() % pieces.size()];
    return out;
  };
  const std::size_t t_all = draw() % static_cast<unsigned>(longest + 1);
  RolloutRecord r;
  const auto floats = [&] {
    std::vector<float> out;
    for (std::size_t t = 0; t < t_all; ++t) out.push_back(static_cast<float>(real()));
    return out;
  };
  r.student_logprob = floats();
  r.teacher_logprob = floats();
  for (auto* column : {&r.student_logprob, &r.teacher_logprob})
    for (float& value : *column)
      if (value <= -99.0f) value = -98.5f;  // clear of the sentinels
  if (maybe())
    for (std::size_t t = 0; t < t_all; ++t) r.mask.push_back(draw() % 4 != 0 ? 1 : 0);
  if (maybe())
    for (std::size_t t = 0; t < t_all; ++t)
      r.turn.push_back(t == 0 ? 0 : r.turn[t - 1] + (draw() % 5 == 0 ? 1 : 0));
  if (maybe())
    for (std::size_t t = 0; t < t_all; ++t)
      r.token_id.push_back(std::int64_t(draw()) * (draw() % 9 == 0 ? 1000003 : 1));
  if (maybe()) r.rollout_logprob = r.student_logprob;
  if (maybe()) r.ref_logprob = r.teacher_logprob;
  if (maybe()) r.entropy = floats();
  if (maybe()) r.prefix_kl = floats();
  if (maybe())
    for (std::size_t t = 0; t < t_all; ++t)
      r.advantage.push_back(!r.mask.empty() && r.mask[t] == 0 ? std::nan("") : real() * 0.1);
  if (maybe())
    for (std::size_t t = 0; t < 3 * t_all; ++t)
      r.score_sketch.push_back(static_cast<float>(real()));
  if (maybe()) r.topk = R"([[1, 2], {"a": -0.5}])";
  for (auto* field :
       {&r.run, &r.teacher, &r.domain, &r.teacher_version, &r.text, &r.logprobs_kind, &r.estimator})
    if (maybe()) *field = text();
  if (maybe()) r.weight_version_sampled = "41";
  if (maybe()) r.weight_version_scored = "[[0,41],[7,42]]";
  if (maybe()) r.prompt_id = text();
  if (maybe()) r.step = draw();
  if (maybe()) r.sample_id = -std::int64_t(draw());
  if (maybe()) r.top_k = -1;
  if (maybe()) r.reward = real() / 3;
  if (maybe()) r.temperature = real();
  if (maybe()) r.top_p = 1;
  r.finish = static_cast<FinishReason>(draw() % 4);
  if (every_field) {
    r.masked_bad = 1 + draw() % 7;
    r.clipped = 1 + draw() % 7;
  }
  r.prompt_hash = prompt_hash(r);
  return r;
}

template <class T>
bool same_value(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  else
    return a == b;
}
/// The first field in which two records differ; "" if there is none. Floats bit by bit, but every
/// NaN is alike.
inline std::string difference(const RolloutRecord& a, const RolloutRecord& b) {
  std::vector<std::string> differ;
  for_each_column(a, [&](const char* name, const auto& field) {
    using T = std::remove_cvref_t<decltype(field)>;
    for_each_column(b, [&](const std::string& other_name, const auto& other) {
      if constexpr (std::is_same_v<T, std::remove_cvref_t<decltype(other)>>) {
        if (other_name != name) return;
        bool same = true;
        if constexpr (IsVector<T>::value) {
          same = field.size() == other.size();
          for (std::size_t i = 0; same && i < field.size(); ++i)
            same = same_value(field[i], other[i]);
        } else {
          same = field == other;
        }
        if (!same) differ.emplace_back(name);
      }
    });
  });
  return differ.empty() ? "" : differ.front();
}

inline std::vector<RolloutRecord> random_log(unsigned seed, int size, int longest) {
  Draw draw(seed);
  std::vector<RolloutRecord> log;
  for (int i = 0; i < size; ++i) log.push_back(random_record(draw, longest, i % 3 == 0));
  return log;
}

inline void write_all(LogWriter& writer, const std::vector<RolloutRecord>& log) {
  for (const RolloutRecord& rollout : log) writer.write(rollout);
  writer.close();
}

}  // namespace gammascope::io::test
