// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "analysis/core/hash_prefix.hpp"
#include "analysis/core/rollout.hpp"

using namespace gammascope;

TEST_CASE("delta is the exact difference of the two floats in double") {
  RolloutRecord record;
  record.student_logprob = {-0.1f, -1.0f};
  record.teacher_logprob = {-0.3f, -0.5f};
  const Rollout view = record.view();
  CHECK(view.delta(0) == double(-0.1f) - double(-0.3f));
  CHECK(view.delta(1) == -0.5);
  CHECK(view.counts(1));
}

TEST_CASE("a cleared record holds nothing of the last response") {
  RolloutRecord record;
  record.student_logprob = {-1.0f};
  record.mask = {0};
  record.turn = {3};
  record.token_id = {7};
  record.advantage = {1.0};
  record.prompt_id = "p";
  record.reward = 1;
  record.text = "x";
  record.finish = FinishReason::abort;
  record.masked_bad = 2;
  record.clear();
  CHECK(record.view().length() == 0);
  CHECK((record.mask.empty() && record.turn.empty() && record.token_id.empty() &&
         record.advantage.empty()));
  CHECK_FALSE(record.prompt_id.has_value());
  CHECK_FALSE(record.reward.has_value());
  CHECK(record.text.empty());
  CHECK(record.finish == FinishReason::unknown);
  CHECK_FALSE(record.view().damaged);
}

TEST_CASE("only stop is ended and only length and abort are cut") {
  Rollout r;
  r.finish = FinishReason::stop;
  CHECK((r.ended() && !r.cut()));
  r.finish = FinishReason::length;
  CHECK((!r.ended() && r.cut()));
  r.finish = FinishReason::abort;
  CHECK((!r.ended() && r.cut()));
  r.finish = FinishReason::unknown;
  CHECK((!r.ended() && !r.cut()));
}

TEST_CASE("fewer bits of a hash join whole groups") {
  constexpr std::uint64_t hash = 0xfedcba9876543210U;
  CHECK(hash_prefix(hash, 64) == hash);
  CHECK(hash_prefix(hash, 0) == 0);
  CHECK(hash_prefix(hash, 8) == 0xfe00000000000000U);
  CHECK(hash_prefix(hash, 1) == 0x8000000000000000U);
  for (int bits = 1; bits <= 64; ++bits)
    CHECK(hash_prefix(hash_prefix(hash, bits), bits - 1) == hash_prefix(hash, bits - 1));
}
