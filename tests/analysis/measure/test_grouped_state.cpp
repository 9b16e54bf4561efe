// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/grouped_state.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::spread;

namespace {

struct Row {
  std::uint64_t prompt;
  std::size_t cell;
  double value;
};

std::vector<Row> random_rows(std::uint64_t seed, std::size_t count, std::uint64_t prompts) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(1000, 3);
  std::vector<Row> rows(count);
  for (Row& r : rows) r = {spread(random() % prompts), random() % 3, normal(random)};
  return rows;
}

GroupedState of(const std::vector<Row>& rows, std::size_t max_groups = 64) {
  GroupedState state(3, max_groups);
  for (const Row& r : rows) state.block(r.prompt)[r.cell].add(r.value);
  return state;
}

std::size_t prefixes(const std::vector<Row>& rows, int bits) {
  std::set<std::uint64_t> seen;
  for (const Row& r : rows) seen.insert(bits == 64 ? r.prompt : r.prompt >> (64 - bits));
  return seen.size();
}

}  // namespace

TEST_CASE("the number of bits is the largest that keeps the groups within their limit") {
  for (const std::uint64_t prompts : {10u, 64u, 65u, 200u, 1000u, 20000u}) {
    const auto rows = random_rows(prompts, 30000, prompts);
    const GroupedState state = of(rows);
    CHECK(state.groups() <= 64);
    CHECK(state.groups() == prefixes(rows, state.bits()));
    if (state.bits() < 64) CHECK(prefixes(rows, state.bits() + 1) > 64);
  }
}

TEST_CASE("the state does not see order or sharding") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto rows = random_rows(seed, 2000, 30 + 40 * seed);
    const GroupedState whole = of(rows);
    std::mt19937_64 random(seed + 100);
    std::shuffle(rows.begin(), rows.end(), random);
    CHECK(of(rows) == whole);
    std::vector<GroupedState> shards(3, GroupedState(3, 64));
    for (const Row& r : rows) shards[random() % 3].block(r.prompt)[r.cell].add(r.value);
    std::shuffle(shards.begin(), shards.end(), random);
    GroupedState merged = shards[0];
    merged.merge(shards[1]);
    merged.merge(shards[2]);
    CHECK(merged == whole);
    GroupedState other = shards[2];
    GroupedState pair = shards[1];
    pair.merge(shards[0]);
    other.merge(pair);
    CHECK(other == whole);
    rows[0].value += 1e-6;  // a planted fault is seen
    CHECK_FALSE(of(rows) == whole);
  }
}

TEST_CASE("groups are whole prompts and add up to the sample") {
  const auto rows = random_rows(7, 3000, 500);
  const GroupedState state = of(rows);
  for (std::size_t cell = 0; cell < 3; ++cell) {
    stats::ExactMoments direct, first, second;
    for (const Row& r : rows)
      if (r.cell == cell) {
        direct.add(r.value);
        (r.prompt >> 63 != 0 ? second : first).add(r.value);
      }
    CHECK(state.total(cell) == direct);
    CHECK(state.total(cell, Half::first) == first);
    CHECK(state.total(cell, Half::second) == second);
    const auto [clusters, origin] = state.clusters(cell, About::mean);
    CHECK(origin == static_cast<double>(direct.centre()) * 0x1p-32);
    std::map<std::uint64_t, stats::ClusterSums> expected;
    for (const Row& r : rows)
      if (r.cell == cell) {
        auto& c = expected[r.prompt >> (64 - state.bits())];
        c.rows += 1;
        c.s1 += r.value - origin;
        c.s2 += (r.value - origin) * (r.value - origin);
      }
    REQUIRE(clusters.size() == expected.size());
    std::size_t i = 0;
    for (const auto& [key, c] : expected) {
      CHECK(clusters[i].rows == c.rows);
      CHECK(clusters[i].s1 == Approx(c.s1).margin(1e-7));
      CHECK(clusters[i].s2 == Approx(c.s2).epsilon(1e-6));
      ++i;
    }
  }
  const auto zero = state.clusters(0, About::zero);
  CHECK(zero.second == 0.0);
}

TEST_CASE("states of different shape are not merged and cells are checked") {
  GroupedState a(3, 64), b(2, 64), c(3, 128);
  CHECK_THROWS_AS(a.merge(b), std::invalid_argument);
  CHECK_THROWS_AS(a.merge(c), std::invalid_argument);
  CHECK_THROWS_AS(a.total(3), std::out_of_range);
  CHECK_THROWS_AS(GroupedState(3, 31), std::invalid_argument);
  PromptSample p(3), q(2);
  CHECK_THROWS_AS(p.merge(q), std::invalid_argument);
  CHECK_THROWS_AS(p.clusters(3), std::out_of_range);
}

TEST_CASE("the prompt sample keeps the smallest hashes whatever the order and sharding") {
  for (const std::uint64_t prompts : {100u, 1024u, 3000u}) {
    auto rows = random_rows(prompts, 12000, prompts);
    std::set<std::uint64_t> all;
    for (const Row& r : rows) all.insert(r.prompt);
    std::vector<std::uint64_t> kept(all.begin(), all.end());
    kept.resize(std::min<std::size_t>(kept.size(), PromptSample::capacity));
    std::map<std::uint64_t, stats::ExactMoments> expected;
    for (const Row& r : rows)
      if (r.cell == 1 && r.prompt <= kept.back()) expected[r.prompt].add(r.value);

    std::mt19937_64 random(1);
    std::optional<PromptSample> before;
    for (int trial = 0; trial < 3; ++trial) {
      std::shuffle(rows.begin(), rows.end(), random);
      std::vector<PromptSample> shards(3, PromptSample(3));
      for (const Row& r : rows)
        if (const auto block = shards[random() % 3].block(r.prompt); !block.empty())
          block[r.cell].add(r.value);
      shards[2].merge(shards[0]);
      shards[2].merge(shards[1]);
      CHECK(shards[2].prompts() == kept.size());
      CHECK(shards[2].complete() == (all.size() <= PromptSample::capacity));
      if (before) CHECK(*before == shards[2]);
      before = shards[2];
      const auto clusters = shards[2].clusters(1).first;
      REQUIRE(clusters.size() == expected.size());
      std::size_t i = 0;
      for (const auto& [prompt, moments] : expected)
        CHECK(clusters[i++].rows == static_cast<double>(moments.count()));
    }
  }
}

TEST_CASE("aligned clusters are the same prompts in every cell and give the same numbers") {
  const auto rows = random_rows(7, 300, 120);  // some groups have no row in some cell
  const GroupedState state = of(rows, 512);
  for (const About about : {About::mean, About::zero})
    for (std::size_t cell = 0; cell < 3; ++cell) {
      const auto [some, origin] = state.clusters(cell, about);
      auto [all, same_origin] = state.aligned_clusters(cell, about);
      CHECK(all.size() == state.groups());
      CHECK(origin == same_origin);
      CHECK(some.size() < all.size());
      std::erase_if(all, [](const stats::ClusterSums& c) { return c.rows == 0; });
      CHECK(all == some);
    }
  CHECK_THROWS_AS(state.aligned_clusters(3, About::mean), std::out_of_range);
}
