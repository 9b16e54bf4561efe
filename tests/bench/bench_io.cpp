// SPDX-License-Identifier: MIT
// Reading canonical JSONL beside simdjson walking over the same bytes, and reading it into a store.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <benchmark/benchmark.h>
#include <simdjson.h>
#include <unistd.h>

#include "analysis/io/jsonl_writer.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/io/store_writer.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {
namespace {

/// A log of 64 responses of 4096 tokens with ids and mask, in a folder that is removed at the end.
struct Log {
  static constexpr std::size_t rows = 64, length = 4096;
  std::filesystem::path folder, file, store;
  std::string text;

  Log() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gammascope-bench-XXXXXX");
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = pattern;
    file = folder / "log.jsonl";
    store = folder / "store";
    RolloutRecord row;
    for (std::size_t r = 0; r < rows; ++r) {
      row.clear();
      const auto from = columns().student.begin() + static_cast<std::ptrdiff_t>(r * length);
      row.student_logprob.assign(from, from + length);
      const auto other = columns().teacher.begin() + static_cast<std::ptrdiff_t>(r * length);
      row.teacher_logprob.assign(other, other + length);
      for (std::size_t t = 0; t < length; ++t) {
        row.mask.push_back(t % 128 < 96);
        row.token_id.push_back(static_cast<std::int64_t>((t * 7919 + r) % 151936));
      }
      row.prompt_id = "prompt " + std::to_string(r / 4);
      row.sample_id = static_cast<std::int64_t>(r % 4);
      row.finish = FinishReason::stop;
      io::append_jsonl(text, row);
    }
    std::ofstream(file, std::ios::binary) << text;
  }
  ~Log() { std::filesystem::remove_all(folder); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
};

std::uint64_t walk(simdjson::ondemand::value value) {
  switch (value.type()) {
    case simdjson::ondemand::json_type::array: {
      std::uint64_t seen = 0;
      for (auto element : value.get_array()) seen += walk(element.value());
      return seen;
    }
    case simdjson::ondemand::json_type::number: {
      double number = value.get_double();
      benchmark::DoNotOptimize(number);
      return 1;
    }
    default:
      return value.raw_json_token().size();
  }
}

}  // namespace

void add_io(Suite& suite) {
  const auto log = std::make_shared<Log>();
  const auto bytes = static_cast<double>(log->text.size());
  const std::string ceiling = "ceiling: simdjson walks the same bytes", read = "JSONL read",
                    store = "JSONL read, store written";
  suite.timed.push_back({ceiling,
                         "byte",
                         bytes,
                         [padded = std::make_shared<simdjson::padded_string>(log->text),
                          parser = std::make_shared<simdjson::ondemand::parser>()] {
                           simdjson::ondemand::document_stream lines =
                               parser->iterate_many(*padded, std::size_t{1} << 22);
                           std::uint64_t seen = 0;
                           for (auto line : lines)
                             for (auto field : line.get_object()) seen += walk(field.value());
                           benchmark::DoNotOptimize(seen);
                         }});
  suite.timed.push_back({read, "byte", bytes, [log, row = RolloutRecord{}]() mutable {
                           const auto reader = io::open_log(log->file.string(), {});
                           while (reader->next(row)) benchmark::DoNotOptimize(row.student_logprob);
                         }});
  suite.timed.push_back({store, "byte", bytes, [log, row = RolloutRecord{}]() mutable {
                           const auto reader = io::open_log(log->file.string(), {});
                           io::StoreWriter writer(
                               log->store.string(), LogHeader{}, io::StoreMode::replace);
                           while (reader->next(row)) writer.write(row);
                           writer.close();
                         }});
  suite.rows.push_back({read, ceiling, {Target::Kind::share_at_least, 0.40}});
  // 6 of 8 Mtok/s: what the store may cost on top.
  suite.rows.push_back({store, ceiling, {Target::Kind::share_at_least, 0.30}});
}

}  // namespace gammascope::bench
