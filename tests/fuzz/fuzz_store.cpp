// SPDX-License-Identifier: MIT
// Any bytes as a shard of a store: refused, or read into responses that keep what LogReader
// promises.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "analysis/io/log_reader.hpp"
#include "analysis/io/rollout_length.hpp"
#include "analysis/io/safetensors.hpp"

namespace io = gammascope::io;
using gammascope::RolloutRecord;

namespace {

/// One folder a process, on the memory disk where there is one.
const std::string& folder() {
  static const std::string path = [] {
    std::string name = std::filesystem::exists("/dev/shm") ? "/dev/shm/gammascope-fuzz-XXXXXX"
                                                           : "/tmp/gammascope-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    static std::string made;
    made = name;
    std::atexit([] {
      std::error_code ignored;
      std::filesystem::remove_all(made, ignored);
    });
    return name;
  }();
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string shard = folder() + "/shard-000000.safetensors";
  std::FILE* const file = std::fopen(shard.c_str(), "wb");
  if (file == nullptr || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0)
    std::abort();
  try {
    io::ReadOptions options;
    options.on_error = io::OnError::skip;
    options.nonfinite.kind = io::NonFinitePolicy::Kind::drop_rollout;
    const auto reader = io::open_log(folder(), options);
    RolloutRecord r;
    while (reader->next(r)) {
      io::check_lengths(r);
      if (r.student_logprob.empty() || r.teacher_logprob.empty()) continue;
      for (std::size_t t = 0; t < r.view().length(); ++t)
        if (r.view().counts(t) && !std::isfinite(r.view().delta(t))) std::abort();
    }
  } catch (const gammascope::Error&) {
    return 0;
  }
  return 0;
}
