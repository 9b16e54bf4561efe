// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "analysis/doctor/repeated_rows.hpp"

using namespace gammascope;

namespace {

RolloutRecord row(std::uint64_t prompt,
                  std::int64_t sample,
                  std::optional<std::int64_t> step = {}) {
  RolloutRecord r;
  r.prompt_id = std::to_string(prompt);
  r.prompt_hash = prompt * 0x9E3779B97F4A7C15ull;
  r.sample_id = sample;
  r.step = step;
  return r;
}

}  // namespace

TEST_CASE("B23 rows given twice are found and siblings and later steps are not") {
  doctor::RepeatedRows rows;
  for (std::uint64_t p = 0; p < 100; ++p)
    for (std::int64_t s = 0; s < 8; ++s)
      for (std::int64_t step = 0; step < 3; ++step) rows.add(row(p, s, step));
  CHECK(rows.repeated() == 0);
  CHECK_FALSE(rows.finding());
  for (std::uint64_t p = 0; p < 100; ++p) rows.add(row(p, 0, 1));
  CHECK(rows.repeated() == 100);
  REQUIRE(rows.finding());
  CHECK(rows.finding()->severity == Severity::warning);
}

TEST_CASE("rows without prompt or sample ids are not judged") {
  doctor::RepeatedRows rows;
  RolloutRecord r = row(1, 1);
  r.sample_id.reset();
  rows.add(r);
  rows.add(r);
  r = row(1, 1);
  r.prompt_id.reset();
  rows.add(r);
  rows.add(r);
  CHECK(rows.repeated() == 0);
}
