// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "analysis/io/prompt_hash.hpp"

using gammascope::RolloutRecord;
using gammascope::io::content_hash;
using gammascope::io::prompt_hash;

namespace {

/// The buffer of the xxHash project's own sanity test.
std::string sanity_buffer(std::size_t size) {
  constexpr std::uint64_t step = 11400714785074694797u;
  std::uint64_t state = 2654435761u;
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes += static_cast<char>(state >> 56);
    state *= step;
  }
  return bytes;
}

}  // namespace

TEST_CASE("prompt_hash gives the known answers of XXH3 64 bits with seed 0") {
  // From the table XXH3_testdata of the xxHash distribution, tests/sanity_test.
  const auto [size, answer] =
      GENERATE(std::pair<std::size_t, std::uint64_t>{0, 0x2D06800538D394C2},
               std::pair<std::size_t, std::uint64_t>{1, 0xC44BDFF4074EECDB},
               std::pair<std::size_t, std::uint64_t>{6, 0x27B56A84CD2D7325},
               std::pair<std::size_t, std::uint64_t>{12, 0xA713DAF0DFBB77E7},
               std::pair<std::size_t, std::uint64_t>{24, 0xA3FE70BF9D3510EB},
               std::pair<std::size_t, std::uint64_t>{48, 0x397DA259ECBA1F11},
               std::pair<std::size_t, std::uint64_t>{80, 0xBCDEFBBB2C47C90A},
               std::pair<std::size_t, std::uint64_t>{195, 0xCD94217EE362EC3A});
  REQUIRE(prompt_hash(sanity_buffer(size)) == answer);
}

TEST_CASE("the hash of a response is that of its prompt_id and of nothing else") {
  RolloutRecord rollout;
  rollout.prompt_id = "p0017";
  rollout.student_logprob = {-1, -2};
  const auto hash = prompt_hash(rollout);
  REQUIRE(hash == prompt_hash("p0017"));
  rollout.student_logprob[0] = -3;
  rollout.sample_id = 5;
  REQUIRE(prompt_hash(rollout) == hash);
}

TEST_CASE("without prompt_id the hash is that of the bytes of both columns") {
  RolloutRecord rollout;
  rollout.student_logprob = {-1.5f, -2};
  rollout.teacher_logprob = {-0.25f, -8};
  std::string bytes(16, '\0');
  std::memcpy(bytes.data(), rollout.student_logprob.data(), 8);
  std::memcpy(bytes.data() + 8, rollout.teacher_logprob.data(), 8);
  REQUIRE(prompt_hash(rollout) == prompt_hash(bytes));
  rollout.teacher_logprob[1] = -8.5f;
  REQUIRE(prompt_hash(rollout) != prompt_hash(bytes));
}

TEST_CASE("content_hash gives the known answers of XXH3 128 bits with seed 0") {
  // From the table XXH128_testdata of the same file.
  CHECK(content_hash("") == "99aa06d3014798d86001c324468d497f");
  CHECK(content_hash(sanity_buffer(1)) == "a6cd5e9392000f6ac44bdff4074eecdb");
}

TEST_CASE("a response hash sees what a response is and nothing else") {
  using gammascope::io::response_hash;
  RolloutRecord r;
  r.student_logprob = {-1.0F, -0.0F, -2.0F};
  r.teacher_logprob = {-1.5F, -0.5F, -2.5F};
  r.prompt_id = "p";
  const std::uint64_t hash = response_hash(r);
  const auto changed = [&](const auto& change) {
    RolloutRecord other = r;
    change(other);
    return response_hash(other) != hash;
  };
  CHECK_FALSE(changed([](RolloutRecord& o) { o.mask = {1, 1, 1}; }));
  CHECK_FALSE(changed([](RolloutRecord& o) { o.student_logprob[1] = 0.0F; }));
  CHECK_FALSE(changed([](RolloutRecord& o) { o.text = "said"; }));
  CHECK(changed([](RolloutRecord& o) { o.student_logprob[2] = -2.0000002F; }));
  CHECK(changed([](RolloutRecord& o) { o.teacher_logprob[0] = -1.0F; }));
  CHECK(changed([](RolloutRecord& o) { o.mask = {1, 1, 0}; }));
  CHECK(changed([](RolloutRecord& o) { o.turn = {0, 0, 1}; }));
  CHECK(changed([](RolloutRecord& o) { o.prompt_id = "q"; }));
  CHECK(changed([](RolloutRecord& o) { o.prompt_id.reset(); }));
  CHECK(changed([](RolloutRecord& o) { o.sample_id = 0; }));
  CHECK(changed([](RolloutRecord& o) { o.step = 0; }));
  CHECK(changed([](RolloutRecord& o) { o.domain = "math"; }));
  CHECK(changed([](RolloutRecord& o) { o.finish = gammascope::FinishReason::stop; }));
  CHECK(changed([](RolloutRecord& o) {
    o.student_logprob.push_back(-1.0F);
    o.teacher_logprob.push_back(-1.0F);
  }));
  // What stands at a masked token is not looked at.
  r.mask = {1, 0, 1};
  RolloutRecord other = r;
  other.student_logprob[1] = -7.0F;
  CHECK(response_hash(other) == response_hash(r));
}
