// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "analysis/core/enum_name.hpp"
#include "analysis/core/rollout.hpp"

using namespace gammascope;

TEST_CASE("an enum goes to its word and back and unknown words are absent") {
  for (const FinishReason reason :
       {FinishReason::stop, FinishReason::length, FinishReason::abort, FinishReason::unknown})
    CHECK(parse<FinishReason>(name(reason)) == reason);
  CHECK_FALSE(parse<FinishReason>("Stop").has_value());
  CHECK_FALSE(parse<FinishReason>("").has_value());
  CHECK(all_names<FinishReason>() == "stop | length | abort | unknown");
}
