// SPDX-License-Identifier: MIT
// States of parts add up to the state of the whole, bit for bit; what must not be added is refused.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>

#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/io/prompt_hash.hpp"
#include "analysis/measure/state.hpp"
#include "analysis/measure/state_file.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;
namespace fs = std::filesystem;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// A folder that goes away.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gammascope-state-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Plan plan_of(Clock clock = Clock::skip) {
  Settings settings;
  settings.clock = clock;
  settings.start = Start::all;
  settings.weight = Weight::response;
  settings.max_length = 40;
  settings.noise_floor = 2e-6;
  const std::vector<Alignment> alignments{
      Alignment::position, Alignment::horizon, Alignment::window, Alignment::infinite};
  const std::vector<double> gammas{0, 0.9, 1};
  const std::vector<std::int64_t> at{1, 4, 17};
  return Plan(settings, cell_grid(alignments, gammas, at));
}

State empty_state(const Plan& plan) {
  return {{{"nonfinite", "error"}}, {{"dtype", "bf16"}}, {}, {}, {}, Sweep(plan)};
}

void add(State& state, const RolloutRecord& r) {
  state.survey.add(r);
  state.responses.add(io::response_hash(r));
  state.sweep.add(r);
  if (r.student_logprob.empty()) ++state.dropped["empty_rollouts"];
}

State state_of(const Log& log, const Plan& plan) {
  State state = empty_state(plan);
  for (const RolloutRecord& r : log) add(state, r);
  return state;
}

/// Everything but the last bytes of a file, or with one bit turned over.
void cut(const std::string& file, std::size_t size) { fs::resize_file(file, size); }
void flip(const std::string& file, std::size_t at) {
  std::string all = bytes(file);
  all[at] = static_cast<char>(all[at] ^ 4);
  std::ofstream(file, std::ios::binary) << all;
}

std::string error_of(const std::string& file) {
  try {
    (void)read_state(file);
  } catch (const BadData& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("one three and seventeen shuffled parts merge to the bytes of the whole") {
  const Folder folder;
  for (const Clock clock : {Clock::skip, Clock::reset, Clock::turn}) {
    const Log log = test::random_log(11, 2600, 40);  // 650 prompts, split over the parts
    const State whole = state_of(log, plan_of(clock));
    write_state(whole, folder / "whole", true);
    std::mt19937_64 random(5);
    for (const std::size_t count : {1u, 3u, 17u}) {
      std::vector<State> parts(count, empty_state(plan_of(clock)));
      for (const RolloutRecord& r : log) add(parts[random() % count], r);
      // By way of the disk, in some order.
      std::vector<std::size_t> order(count);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::shuffle(order.begin(), order.end(), random);
      std::optional<State> merged;
      for (const std::size_t i : order) {
        write_state(parts[i], folder / "part", true);
        State part = read_state(folder / "part");
        CHECK(part == parts[i]);
        if (merged)
          merged->merge(part);
        else
          merged = std::move(part);
      }
      CHECK(*merged == whole);
      write_state(*merged, folder / "merged", true);
      CHECK(bytes(folder / "merged") == bytes(folder / "whole"));
    }
  }
}

TEST_CASE("a state that was read gives the estimates that were measured") {
  const Folder folder;
  const State state = state_of(test::random_log(12, 900, 40), plan_of());
  write_state(state, folder / "s", false);
  CHECK(is_state_file(folder / "s"));
  const State read = read_state(folder / "s");
  CHECK(read == state);
  CHECK(read.survey.median_length() == state.survey.median_length());
  for (std::size_t c = 0; c < state.sweep.plan().cells().size(); ++c) {
    CHECK(read.sweep.weight_sum(c) == state.sweep.weight_sum(c));
    CHECK(read.sweep.groups().column(c) == state.sweep.groups().column(c));
    CHECK(read.sweep.row_powers(c, About::mean).s4 == state.sweep.row_powers(c, About::mean).s4);
  }
  CHECK_THROWS_AS(write_state(state, folder / "s", false), UsageError);
  CHECK_THROWS_AS(write_state(state, folder / "no/such/folder", false), NoInput);
}

TEST_CASE("states of other settings are told apart by the name of the setting") {
  const Log log = test::random_log(13, 50, 40);
  const State state = state_of(log, plan_of());
  const auto name_of = [&](const State& other) {
    const auto found = state.mismatch(other);
    if (found) {
      State sum = state;
      CHECK_THROWS_AS(sum.merge(other), std::invalid_argument);
    }
    return found ? found->setting : std::string();
  };
  CHECK(name_of(state).empty());
  CHECK(name_of(state_of(log, plan_of(Clock::count))) == "clock");
  const auto changed = [&](const auto& change, const std::vector<CellSpec>& cells) {
    Settings settings = state.sweep.plan().settings();
    change(settings);
    return name_of(empty_state(Plan(settings, cells)));
  };
  const auto all = state.sweep.plan().cells();
  const std::vector<CellSpec> cells(all.begin(), all.end());
  CHECK(changed([](Settings& s) { s.truncated = Truncated::drop; }, cells) == "truncated");
  CHECK(changed([](Settings& s) { s.start = Start::zero; }, cells) == "start");
  CHECK(changed([](Settings& s) { s.weight = Weight::row; }, cells) == "weight");
  CHECK(changed([](Settings& s) { s.noise_floor = 3e-3; }, cells) == "noise-floor");
  CHECK(changed([](Settings& s) { s.max_length = 41; }, cells) == "max-length");
  CHECK(changed([](Settings& s) { s.confidence = 0.9; }, cells) == "confidence");
  CHECK(changed([](Settings&) {}, {cells.begin(), cells.begin() + 3}) == "alignment");
  std::vector<CellSpec> other = cells;
  other[0].gamma = 0.5;
  CHECK(changed([](Settings&) {}, other) == "gamma");
  other = cells;
  other[0].n = 2;
  CHECK(changed([](Settings&) {}, other) == "at");
  std::swap(other[0], other[1]);
  other[1].n = cells[0].n;
  CHECK(changed([](Settings&) {}, other) == "at");
  State odd = state;
  odd.reading["nonfinite"] = "mask-token";
  CHECK(name_of(odd) == "nonfinite");
  odd = state;
  odd.header["dtype"] = "float32";
  CHECK(name_of(odd) == "header.dtype");
  odd.header.clear();  // not said is no disagreement
  CHECK(name_of(odd).empty());
}

TEST_CASE("cut damaged and foreign state files are one error each") {
  const Folder folder;
  const std::string file = folder / "s";
  write_state(state_of(test::random_log(14, 60, 40), plan_of()), file, false);
  const std::string good = bytes(file);
  const auto restore = [&] { std::ofstream(file, std::ios::binary) << good; };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
    cut(file, size);
    CAPTURE(size);
    CHECK(error_of(file).rfind(file + ": ", 0) == 0);
    restore();
  }
  CHECK(error_of(file).empty());
  // Every part of the file is guarded: no flipped bit is read as another state.
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 997) {
    flip(file, at);
    CAPTURE(at);
    CHECK_FALSE(error_of(file).empty());
    restore();
  }
  std::ofstream(file, std::ios::binary) << "{\"student_logprobs\":[-1]}\n";
  CHECK(error_of(file).find("no state of `measure --state`") != std::string::npos);
  CHECK_FALSE(is_state_file(file));
  CHECK_FALSE(is_state_file(folder / "missing"));
  CHECK_THROWS_AS(read_state(folder / "missing"), NoInput);
}

TEST_CASE("a state stays below 64 MiB for a thousand and for a million prompts") {
  const Folder folder;
  Settings settings;
  std::vector<double> gammas;
  for (int g = 0; g < 16; ++g) gammas.push_back(g / 15.0);
  std::vector<std::int64_t> at(40);
  std::iota(at.begin(), at.end(), 1);
  const std::vector<Alignment> alignments{Alignment::horizon};
  const Plan plan(settings, cell_grid(alignments, gammas, at));
  REQUIRE(plan.cells().size() == 640);
  constexpr std::size_t most = std::size_t{64} << 20;
  for (const std::uint64_t prompts : {1000u, 1000000u}) {
    if (sanitized && prompts > 1000) continue;
    State state = empty_state(plan);
    RolloutRecord r = test::response(std::vector<double>(40, 0.25), 0);
    for (std::uint64_t p = 0; p < prompts; ++p) {
      r.prompt_id = std::to_string(p);
      r.prompt_hash = test::spread(p);
      add(state, r);
    }
    CHECK(state.survey.prompts() == static_cast<std::int64_t>(prompts));
    write_state(state, folder / "s", true);
    CHECK(fs::file_size(folder / "s") <= most);
#if defined(__GLIBC__)
    if (sanitized) continue;
    const auto in_use = [] {
      const struct mallinfo2 info = mallinfo2();
      return info.uordblks + info.hblkhd;
    };
    const std::size_t before = in_use();
    const State read = read_state(folder / "s");
    const std::size_t used = in_use() - before;
    INFO(prompts << " prompts, bytes: " << used);
    CHECK(used <= most);
    CHECK(used >= std::size_t{512} * 640 * 48);
    CHECK(read == state);
#endif
  }
}
