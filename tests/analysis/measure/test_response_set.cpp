// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/distinct_hashes.hpp"
#include "analysis/measure/response_set.hpp"

using namespace gammascope::measure;
using gammascope::test::spread;

namespace {

ResponseSet set_of(std::uint64_t first, std::uint64_t last) {
  ResponseSet set;
  for (std::uint64_t i = first; i < last; ++i) set.add(spread(i));
  return set;
}

}  // namespace

TEST_CASE("distinct hashes are a set in any order and in any parts") {
  std::mt19937_64 random(1);
  std::set<std::uint64_t> right;
  DistinctHashes whole, first, second;
  for (int i = 0; i < 50000; ++i) {
    const std::uint64_t hash = spread(random() % 9000);
    right.insert(hash);
    whole.add(hash);
    (random() % 2 == 0 ? first : second).add(hash);
  }
  CHECK(std::ranges::equal(whole.sorted(), right));
  CHECK(whole.contains(*right.begin()));
  CHECK_FALSE(whole.contains(spread(9001)));
  DistinctHashes merged = second;
  merged.merge(first);
  CHECK(merged == whole);
  CHECK(DistinctHashes::from_sorted({right.begin(), right.end()}, true) == whole);
  CHECK(shared(whole, whole).size() == right.size());
  DistinctHashes other;
  other.add(*right.begin());
  other.add(spread(9001));
  CHECK(shared(whole, other) == std::vector<std::uint64_t>{*right.begin()});
}

TEST_CASE("more distinct hashes than are kept are none and said to be more") {
  DistinctHashes half, rest, all;
  for (std::uint64_t i = 0; i < DistinctHashes::most + 2000; ++i) {
    all.add(spread(i));
    (i % 2 == 0 ? half : rest).add(spread(i));
  }
  CHECK_FALSE(all.exact());
  CHECK(all.size() == 0);
  CHECK(half.exact());
  half.merge(rest);
  CHECK(half == all);
}

TEST_CASE("a response set does not depend on order or parts and counts repeats") {
  const std::uint64_t many = 3 * ResponseSet::capacity;
  const ResponseSet whole = set_of(0, many);
  ResponseSet parts = set_of(many / 3, many);
  parts.merge(set_of(0, many / 3));
  CHECK(parts == whole);
  CHECK(parts.text() == whole.text());
  CHECK(whole.smallest().size() == ResponseSet::capacity);
  CHECK(ResponseSet::from_parts(whole.count(),
                                whole.sum(),
                                {whole.smallest().begin(), whole.smallest().end()}) == whole);
  ResponseSet twice = set_of(0, 10);
  twice.merge(set_of(0, 10));
  CHECK(twice.count() == 20);
  CHECK_FALSE(twice == set_of(0, 20));
  CHECK(overlap(twice, set_of(0, 10)).both == 10);
  CHECK(overlap(twice, twice).both == 20);
}

TEST_CASE("what two sets of responses share is found exactly while all are kept") {
  const Overlap o = overlap(set_of(0, 1000), set_of(900, 1500));
  CHECK(o.first == 1000);
  CHECK(o.second == 600);
  CHECK(o.both == 100);
  CHECK(o.complete);
  CHECK(overlap(set_of(0, 1000), set_of(1000, 2000)).both == 0);
  CHECK(overlap(ResponseSet(), set_of(0, 10)).both == 0);
}

TEST_CASE("a part of a large set is found by those of its responses that both would keep") {
  const std::uint64_t many = 20 * ResponseSet::capacity;
  const ResponseSet whole = set_of(0, many);
  const Overlap inside = overlap(whole, set_of(5000, 5000 + many / 300));
  CHECK(inside.both == inside.second);
  CHECK(inside.both > 100);
  CHECK_FALSE(inside.complete);
  CHECK(overlap(whole, set_of(many, many + 1000)).both == 0);
}
