// SPDX-License-Identifier: MIT
// Any bytes as JSON lines: refused by an error of core/errors.hpp, or read into responses that keep
// what LogReader promises and that come back the same after they were written.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/io/jsonl_reader.hpp"
#include "analysis/io/jsonl_writer.hpp"
#include "analysis/io/rollout_length.hpp"

namespace io = gammascope::io;
using gammascope::RolloutRecord;

namespace {

class Bytes final : public io::ByteSource {
 public:
  explicit Bytes(std::string_view text) : text_(text) {}
  std::size_t read(char* data, std::size_t size) override {
    const std::size_t n = std::min(size, text_.size());
    std::memcpy(data, text_.data(), n);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
};

std::unique_ptr<io::LogReader> open(std::string_view text) {
  io::ReadOptions options;
  options.dialect = "canonical";
  options.on_error = io::OnError::skip;
  options.nonfinite.kind = io::NonFinitePolicy::Kind::mask_token;
  return io::open_jsonl(std::make_unique<Bytes>(text), "fuzz", options);
}

void require(bool promise) {
  if (!promise) std::abort();
}

void judge(const RolloutRecord& r) {
  io::check_lengths(r);
  if (r.student_logprob.empty() || r.teacher_logprob.empty()) return;
  for (std::size_t t = 0; t < r.view().length(); ++t)
    if (r.view().counts(t)) require(std::isfinite(r.view().delta(t)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    const auto reader = open({reinterpret_cast<const char*>(data), size});
    RolloutRecord rollout;
    while (reader->next(rollout)) {
      judge(rollout);
      std::string line;
      io::append_jsonl(line, rollout);
      written += line;
    }
  } catch (const gammascope::Error&) {
    return 0;
  }
  if (written.empty()) return 0;
  // What was written is canonical: writing it again changes no byte. Masks may have made a column
  // vanish, which ends a log, but never changes a line.
  std::string again;
  for (std::string_view rest = written; !rest.empty();) {
    const std::size_t end = rest.find('\n') + 1;
    const auto reader = open(rest.substr(0, end));
    RolloutRecord rollout;
    require(reader->next(rollout));
    io::append_jsonl(again, rollout);
    rest.remove_prefix(end);
  }
  require(again == written);
  return 0;
}
