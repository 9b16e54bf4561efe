// SPDX-License-Identifier: MIT
#include <cstdint>

#include <Random123/philox.h>
#include <catch2/catch.hpp>

#include "analysis/core/random.hpp"

using namespace gammascope;

TEST_CASE("philox4x32 gives the published known answers") {
  CHECK(philox_block({0, 0, 0, 0}, {0, 0}) ==
        PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox_block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox_block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("philox4x32 equals Random123 on a thousand counters") {
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const PhiloxBlock counter{i * 2654435761u, i, ~i, i << 16};
    const r123::Philox4x32::ctr_type theirs =
        r123::Philox4x32()({{counter[0], counter[1], counter[2], counter[3]}}, {{i, 7u}});
    const PhiloxBlock ours = philox_block(counter, {i, 7u});
    for (std::size_t k = 0; k < 4; ++k) REQUIRE(ours[k] == theirs[k]);
  }
}

TEST_CASE("uniforms lie in the half-open unit interval and depend on every part of the draw") {
  const auto base = uniform_pair(1, 2, 3, 4);
  for (const double u : base) CHECK((u >= 0.0 && u < 1.0));
  CHECK(uniform_pair(1, 2, 3, 4) == base);
  CHECK(uniform_pair(2, 2, 3, 4) != base);
  CHECK(uniform_pair(1ull << 40, 2, 3, 4) != uniform_pair(0, 2, 3, 4));
  CHECK(uniform_pair(1, 2 + (1ull << 40), 3, 4) != base);
  CHECK(uniform_pair(1, 2, 4, 4) != base);
  CHECK(uniform_pair(1, 2, 3, 5) != base);
}
