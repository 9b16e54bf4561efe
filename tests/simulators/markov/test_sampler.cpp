// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/core/random.hpp"
#include "simulators/families/registry.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/sampler.hpp"
#include "simulators/markov/token_profile.hpp"
#include "tests/simulators/support/random_process.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::markov;

/// Stands in for the hash of a prompt id; any well-mixed function will do here.
SampleKey key(std::uint64_t prompt, std::uint32_t sample) {
  std::uint64_t h = (prompt + 1) * 0x9E3779B97F4A7C15u;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  return {"p" + std::to_string(prompt), h ^ h >> 32, sample};
}

bool same(const RolloutRecord& a, const RolloutRecord& b) {
  return a.student_logprob == b.student_logprob && a.teacher_logprob == b.teacher_logprob &&
         a.token_id == b.token_id && a.entropy == b.entropy && a.prefix_kl == b.prefix_kl &&
         a.finish == b.finish && a.prompt_id == b.prompt_id && a.sample_id == b.sample_id;
}

Mixture family(const std::string& name, const std::string& values = "") {
  const auto& f = families::find_family(name);
  return families::build(f, families::read_values(f, values));
}

}  // namespace

TEST_CASE("a rollout is the same in every order and in every thread") {
  const Mixture mixture = family("clustered");
  const Sampler sampler(mixture, 200, 42);
  std::vector<RolloutRecord> forward(64), backward(64), threaded(64);
  for (std::uint32_t i = 0; i < 64; ++i) sampler.sample(key(i / 4, i % 4), forward[i]);
  RolloutRecord reused;
  for (std::uint32_t i = 64; i-- > 0;) {
    sampler.sample(key(i / 4, i % 4), reused);
    backward[i] = reused;
  }
  {
    const auto work = [&](std::uint32_t first) {
      for (std::uint32_t i = first; i < 64; i += 4) sampler.sample(key(i / 4, i % 4), threaded[i]);
    };
    std::vector<std::thread> threads;
    for (std::uint32_t k = 0; k < 4; ++k) threads.emplace_back(work, k);
    for (std::thread& t : threads) t.join();
  }
  const Sampler other(mixture, 200, 43);
  int different = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    CHECK(same(forward[i], backward[i]));
    CHECK(same(forward[i], threaded[i]));
    other.sample(key(i / 4, i % 4), reused);
    different += same(forward[i], reused) ? 0 : 1;
  }
  CHECK(different == 64);  // another seed gives other rollouts
}

TEST_CASE("a longer cut only adds tokens") {
  const Mixture mixture = family("ragged");
  const Sampler brief(mixture, 7, 1), full(mixture, 500, 1);
  RolloutRecord a, b;
  for (std::uint32_t i = 0; i < 200; ++i) {
    brief.sample(key(i, 0), a);
    full.sample(key(i, 0), b);
    CHECK(a.token_id.size() == std::min<std::size_t>(7, b.token_id.size()));
    CHECK(std::equal(a.token_id.begin(), a.token_id.end(), b.token_id.begin()));
    CHECK(a.finish == (b.token_id.size() > 7 ? FinishReason::length : FinishReason::stop));
  }
}

TEST_CASE("a record carries what a log must carry") {
  const Mixture mixture = family("ragged", "stop=0.2,student=0.3,teacher=0.6");
  const auto process = unite(mixture);
  const Sampler sampler(mixture, 50, 9);
  CHECK_FALSE(sampler.meets_minus_infinity());
  CHECK(sampler.header().present);
  CHECK(sampler.header().vocab_size == 4);
  CHECK(sampler.header().max_response == 50);
  CHECK(sampler.header().seed == 9);
  CHECK(sampler.header().eos_ids == std::vector<std::int64_t>{2, 3});
  RolloutRecord r;
  for (std::uint32_t i = 0; i < 100; ++i) {
    sampler.sample(key(i, i % 3), r);
    const std::size_t n = r.token_id.size();
    CHECK(r.prompt_id == "p" + std::to_string(i));
    CHECK(r.prompt_hash == key(i, 0).prompt_hash);
    CHECK(r.sample_id == i % 3);
    REQUIRE(r.student_logprob.size() == n);
    CHECK(r.rollout_logprob == r.student_logprob);
    for (std::size_t t = 0; t < n; ++t) {
      const bool first = r.token_id[t] % 2 == 0, last = r.token_id[t] >= 2;
      const double stop = last ? 0.2 : 0.8;
      CHECK(r.student_logprob[t] == static_cast<float>(std::log(stop * (first ? 0.3 : 0.7))));
      CHECK(r.teacher_logprob[t] == Approx(std::log(stop * (first ? 0.6 : 0.4))).epsilon(1e-6));
      CHECK(r.prefix_kl[t] ==
            Approx(0.3 * std::log(0.3 / 0.6) + 0.7 * std::log(0.7 / 0.4)).epsilon(1e-6));
      CHECK(r.entropy[t] == Approx(-(0.3 * std::log(0.3) + 0.7 * std::log(0.7)) -
                                   (0.2 * std::log(0.2) + 0.8 * std::log(0.8)))
                                .epsilon(1e-6));
      CHECK(last == (t + 1 == n && r.finish == FinishReason::stop));
    }
  }
}

TEST_CASE("the draws are those of the documented counters") {
  const Mixture mixture = family("near_attaining", "p=0.4");
  const Mixture tokens = family("heavy_tailed");
  RolloutRecord r;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const SampleKey k = key(i, i);
    const auto word = [&](std::uint32_t t, std::size_t half) {
      const auto block = philox_block({t,
                                       i,
                                       static_cast<std::uint32_t>(k.prompt_hash),
                                       static_cast<std::uint32_t>(k.prompt_hash >> 32)},
                                      {5, 1});
      return std::uint64_t{block[2 * half]} << 32 | block[2 * half + 1];
    };
    const std::uint64_t seed = (std::uint64_t{1} << 32) + 5;
    Sampler(tokens, 9, seed).sample(k, r);
    std::vector<double> p;
    for (const auto& e : tokens.components[0].row(0)) p.push_back(e.probability);
    const auto columns = alias_columns(p);
    for (std::uint32_t t = 0; t < 9; ++t) CHECK(r.token_id[t] == draw(columns, word(t / 2, t % 2)));
    Sampler(mixture, 1, seed).sample(k, r);
    const auto start = draw(alias_columns(std::vector<double>{0.4, 0.6}), word(0xFFFFFFFFu, 0));
    CHECK((r.prefix_kl[0] > 0) == (start == 0));
  }
}

TEST_CASE("a kernel is hidden from the log") {
  // Both edges of a token show the token's probability, not that of the edge.
  const Process<double> process(
      {1, 0},
      {{{0.1, -0.2, 0, 0}, {0.4, -0.2, 1, 0}, {0.5, 0.1, 1, 1}}, {{1, 0, 0, 0}}},
      std::nullopt,
      2);
  const Sampler sampler(Mixture(process), 1, 3);
  RolloutRecord r;
  for (std::uint32_t i = 0; i < 50; ++i) {
    sampler.sample(key(i, 0), r);
    CHECK(r.student_logprob[0] == static_cast<float>(std::log(0.5)));
    CHECK(r.finish == FinishReason::length);
  }
  CHECK(sampler.header().eos_ids.empty());
}

TEST_CASE("a teacher that never emits a token gives minus infinity") {
  const double inf = std::numeric_limits<double>::infinity();
  const Process<double> process(
      {1}, {{{0.5, -inf, 0, 0}, {0.5, std::log(2), 0, 1}}}, std::nullopt, 2);
  const Sampler sampler(Mixture(process), 64, 5);
  CHECK(sampler.meets_minus_infinity());
  RolloutRecord r;
  sampler.sample(key(0, 0), r);
  for (std::size_t t = 0; t < 64; ++t)
    CHECK((r.teacher_logprob[t] == -std::numeric_limits<float>::infinity()) ==
          (r.token_id[t] == 0));
}

// Each count below is binomial; |z| < 5.5 fails with probability 4e-8 a count, below 1e-4 for all
// of a test together.
TEST_CASE("every edge is taken as often as its probability says") {
  std::mt19937_64 engine(41);
  for (int k = 0; k < 20; ++k) {
    const auto process = gammascope::test::random_process(
        engine, {.max_states = 4, .max_tokens = 4, .kernel = k % 2 == 0});
    const std::int64_t length = 16;
    const Sampler sampler(Mixture(process), length, 77);
    const auto profile = token_profile(process, length);
    const int samples = 4000;
    std::vector<int> alive(16, 0);
    std::map<std::pair<std::size_t, std::int64_t>, int> tokens;
    RolloutRecord r;
    for (std::uint32_t i = 0; i < samples; ++i) {
      sampler.sample(key(static_cast<std::uint64_t>(k), i), r);
      for (std::size_t t = 0; t < r.token_id.size(); ++t) {
        ++alive[t];
        ++tokens[{t, r.token_id[t]}];
      }
    }
    StateFlow<double> flow(process);
    for (std::size_t t = 0; t < 16; ++t, flow.advance()) {
      const auto z = [&](int count, double p) {
        const double sd = std::sqrt(samples * p * (1 - p));
        const double gap = std::abs(count - samples * p);
        return sd > 1e-6 ? gap / sd : (gap < 1e-6 ? 0.0 : 1e9);
      };
      CHECK(z(alive[t], profile.alive[t]) < 5.5);
      if (!flow.any()) continue;
      std::vector<double> p(process.vocabulary(), 0.0);
      for (std::size_t s = 0; s < process.states(); ++s)
        for (const auto& e : process.row(s))
          p[e.token] += flow.alive() * flow.distribution()[s] * e.probability;
      for (std::size_t a = 0; a < p.size(); ++a)
        CHECK(z(tokens[{t, static_cast<std::int64_t>(a)}], std::min(1.0, p[a])) < 5.5);
    }
  }
}

TEST_CASE("prompts of a mixture draw components by their weights and keep them") {
  const Mixture mixture = family("clustered", "kinds=3,stop=0.05");
  const Sampler sampler(mixture, 10, 11);
  std::vector<int> count(3, 0);
  RolloutRecord r;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const std::size_t c = sampler.component(key(i, 0).prompt_hash);
    ++count[c];
    for (std::uint32_t sample = 0; sample < 3; ++sample) {
      sampler.sample(key(i, sample), r);
      // The KL of the prefix tells the component.
      CHECK(r.prefix_kl[0] ==
            Approx(-token_profile(mixture.components[c], 1).mean_log_ratio[0]).epsilon(1e-6));
    }
  }
  // sd of each count is sqrt(3000 * 2 / 9) = 26: 5 of them fail with probability 2e-6.
  for (const int n : count) CHECK(std::abs(n - 1000) < 130);
}

TEST_CASE("sampled credit has the exact mean and variance") {
  // 20000 responses: the mean within 5 standard errors (6e-7), the variance within 8 %, 5 or more
  // standard errors of these nearly normal sums (1e-6).
  const Mixture mixture = family("ergodic");
  const Sampler sampler(mixture, 32, 1234);
  const std::vector<Gamma> gammas{Gamma(0.9)};
  const auto exact = window_moments<double>(
      unite(mixture), gammas, 32, std::vector<std::int64_t>{32}, WindowStart::zero)[0][0];
  const int samples = 20000;
  std::vector<double> a;
  RolloutRecord r;
  for (std::uint32_t i = 0; i < samples; ++i) {
    sampler.sample(key(i, 0), r);
    double sum = 0;
    for (std::size_t t = 32; t-- > 0;)
      sum = static_cast<double>(r.teacher_logprob[t]) - static_cast<double>(r.student_logprob[t]) +
            0.9 * sum;
    a.push_back(sum);
  }
  double mean = 0, variance = 0;
  for (const double x : a) mean += x / samples;
  for (const double x : a) variance += (x - mean) * (x - mean) / samples;
  CHECK(std::abs(mean - exact->mean) < 5 * std::sqrt(exact->variance / samples));
  CHECK(variance == Approx(exact->variance).epsilon(0.08));
}

TEST_CASE("a cut that cannot be is refused") {
  const Mixture mixture = family("frozen");
  CHECK_THROWS_AS(Sampler(mixture, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(Sampler(mixture, std::int64_t{1} << 31, 1), std::invalid_argument);
}
