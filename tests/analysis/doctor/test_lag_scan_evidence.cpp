// SPDX-License-Identifier: MIT
// The evidence behind the rule of the lag scan: clean logs of every family and the shipped real log
// are not accused, their shifted twins are found where a shift can be seen at all.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/doctor/lag_scan.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/io/prompt_hash.hpp"
#include "simulators/families/registry.hpp"
#include "simulators/markov/sampler.hpp"

using namespace gammascope;
using doctor::Aligned;
using doctor::LagScan;

namespace {

using Log = std::vector<RolloutRecord>;

Log draw(const std::string& family, const std::string& values, std::uint64_t seed) {
  const families::Family& f = families::find_family(family);
  const markov::Sampler sampler(families::build(f, families::read_values(f, values)), 96, seed);
  Log log;
  for (int prompt = 0; prompt < 24; ++prompt)
    for (std::uint32_t sample = 0; sample < 2; ++sample) {
      const std::string id = "p" + std::to_string(prompt);
      log.emplace_back();
      sampler.sample({id, io::prompt_hash(id), sample}, log.back());
    }
  return log;
}

/// Teacher entry t now holds what belongs to token t - k; entries without a token hold 0.
Log shifted(Log log, int k) {
  for (RolloutRecord& r : log) {
    std::vector<float> moved(r.teacher_logprob.size(), 0.0f);
    for (std::size_t t = 0; t < moved.size(); ++t) {
      const auto from = static_cast<std::int64_t>(t) - k;
      if (from >= 0 && from < static_cast<std::int64_t>(moved.size()))
        moved[t] = r.teacher_logprob[static_cast<std::size_t>(from)];
    }
    r.teacher_logprob = moved;
  }
  return log;
}

LagScan::Answer scan(const Log& log) {
  LagScan s;
  for (const RolloutRecord& r : log) s.add(r.view());
  return s.answer();
}

bool accused(Aligned word) { return word == Aligned::shifted || word == Aligned::chunks; }

}  // namespace

TEST_CASE("clean logs of every family are never accused of a shift") {
  // 20 seeds of each; the rule "lag 0 must be the best in the sample" accuses near_attaining,
  // frozen, ragged, clustered and branching at most seeds.
  for (const std::string family :
       {"near_attaining", "frozen", "ragged", "ergodic", "heavy_tailed", "clustered", "branching"})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(family, seed);
      CHECK_FALSE(accused(scan(draw(family, family == "frozen" ? "sigma=.05" : "", seed)).aligned));
    }
}

TEST_CASE("B01 shifted twins of families whose tokens differ are found with their lag") {
  for (const std::string family : {"ergodic", "heavy_tailed"})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Log clean = draw(family, "", seed);
      CHECK(scan(clean).aligned == Aligned::ok);
      for (const int lag : {-2, -1, 1, 2, 3}) {
        CAPTURE(family, seed, lag);
        const auto bad = scan(shifted(clean, lag));
        CHECK(bad.aligned == Aligned::shifted);
        CHECK(bad.best == lag);
      }
    }
}

TEST_CASE("B01 the shipped real log is aligned and its shifted twins are found") {
  const auto reader = io::open_log(GAMMASCOPE_SOURCE_DIR "/examples/data/sums.jsonl.zst", {});
  Log log;
  for (RolloutRecord r; reader->next(r);) log.push_back(r);
  CHECK(scan(log).aligned == Aligned::ok);
  const Log few(log.begin(), log.begin() + 8);
  CHECK(scan(few).aligned == Aligned::ok);
  for (const int lag : {-3, -1, 1, 2}) {
    CAPTURE(lag);
    for (const Log& twin : {shifted(log, lag), shifted(few, lag)}) {
      const auto bad = scan(twin);
      CHECK(bad.aligned == Aligned::shifted);
      CHECK(bad.best == lag);
    }
  }
}

TEST_CASE("sides that hardly depend on each other are not taken for chunks in another order") {
  // Lag 0 wins in the whole log, and by chance not in some eighths: correlation .1 at lag 0.
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 rng(seed);
    std::normal_distribution<double> normal;
    RolloutRecord r;
    for (int t = 0; t < 8000; ++t) {
      const double s = normal(rng);
      r.student_logprob.push_back(static_cast<float>(s - 8));
      r.teacher_logprob.push_back(static_cast<float>(0.1 * s + normal(rng) - 8));
    }
    CAPTURE(seed);
    CHECK_FALSE(accused(scan({r}).aligned));
  }
}

TEST_CASE("independent tokens whose sides are ordered against each other are no shift") {
  // Student .6 and .4 and teacher .45 and .55 of the same two tokens: correlation -1 at lag 0, and
  // every other lag beats it alike.
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 rng(seed);
    Log log(512);
    for (RolloutRecord& r : log)
      for (int t = 0; t < 40; ++t) {
        const bool first = rng() % 10 < 6;
        r.student_logprob.push_back(std::log(first ? 0.6f : 0.4f));
        r.teacher_logprob.push_back(std::log(first ? 0.45f : 0.55f));
      }
    CAPTURE(seed);
    CHECK_FALSE(accused(scan(log).aligned));
  }
}

TEST_CASE("the scan is the same bits in every order of the responses") {
  Log log = draw("heavy_tailed", "", 3);
  const auto first = scan(log);
  std::mt19937 rng(1);
  for (int k = 0; k < 5; ++k) {
    std::shuffle(log.begin(), log.end(), rng);
    const auto again = scan(log);
    CHECK(again.mean_abs == first.mean_abs);
    CHECK(again.correlation == first.correlation);
    CHECK(again.sentence == first.sentence);
  }
}
