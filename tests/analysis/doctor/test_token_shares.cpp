// SPDX-License-Identifier: MIT
#include <string>

#include <catch2/catch.hpp>

#include "analysis/doctor/token_shares.hpp"

using namespace gammascope;
using doctor::TokenShares;

namespace {

RolloutRecord response(const std::string& domain, std::size_t tokens) {
  RolloutRecord r;
  r.domain = domain;
  r.student_logprob.assign(tokens, -1.0F);
  r.teacher_logprob.assign(tokens, -1.0F);
  return r;
}

}  // namespace

TEST_CASE("the domain that owns the tokens is named with the shares of case N12") {
  TokenShares shares;
  for (int p = 0; p < 8; ++p) {
    shares.add(response("chat", 200));
    shares.add(response("math", 4000));
    shares.add(response("code", 1500));
    shares.add(response("", 100000));
  }
  const auto found = shares.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "token_shares");
  CHECK(found[0].message.find("70.2 %, 26.3 %, 3.5 % are of domain math, code, chat") !=
        std::string::npos);
  CHECK(found[0].evidence.front().second == Approx(4000.0 / 5700));
}

TEST_CASE("shares within a factor of three and a single name are no finding") {
  TokenShares even, one, masked;
  even.add(response("math", 300));
  even.add(response("code", 100));
  CHECK(even.findings().empty());
  even.add(response("math", 1));
  CHECK(even.findings().size() == 1);
  one.add(response("math", 300));
  CHECK(one.findings().empty());
  // Masked tokens are nobody's.
  RolloutRecord r = response("math", 4);
  r.mask = {1, 0, 0, 0};
  masked.add(r);
  masked.add(response("code", 1));
  CHECK(masked.findings().empty());
}

TEST_CASE("teachers are looked at as domains are") {
  TokenShares shares;
  RolloutRecord r = response("", 100);
  r.teacher = "large";
  shares.add(r);
  r = response("", 10);
  r.teacher = "small";
  shares.add(r);
  REQUIRE(shares.findings().size() == 1);
  CHECK(shares.findings()[0].message.find("--by teacher") != std::string::npos);
}
