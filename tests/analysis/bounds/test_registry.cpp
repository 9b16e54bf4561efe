// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/bounds/drift.hpp"
#include "analysis/bounds/kl.hpp"
#include "analysis/bounds/on_policy.hpp"
#include "analysis/bounds/registry.hpp"
#include "analysis/bounds/sharp.hpp"
#include "analysis/bounds/theorem_3_3.hpp"

using namespace gammascope;
using bounds::Sigma2;

TEST_CASE("The registry holds the seven claims of the result schema once each") {
  std::set<std::string> claims;
  for (const auto& bound : bounds::all()) {
    claims.emplace(bound.claim);
    CHECK_FALSE(bound.assumptions.empty());
    CHECK_FALSE(bound.inputs.empty());
    CHECK_FALSE(bound.source.empty());
    CHECK(bounds::find(bound.claim) == &bound);
  }
  CHECK(claims == std::set<std::string>{"theorem_3_3.finite",
                                        "theorem_3_3.infinite",
                                        "on_policy",
                                        "sharp_v1",
                                        "sharp_d",
                                        "drift",
                                        "kl"});
}

TEST_CASE("Only Theorem 3.3 may be claimed where the future decides which tokens count") {
  for (const auto& bound : bounds::all())
    CHECK(bound.prefix_rows_only == !bound.claim.starts_with("theorem_3_3"));
  for (const auto& bound : bounds::all())
    CHECK(bound.horizon_free == (bound.claim == "theorem_3_3.infinite"));
}

TEST_CASE("A word of the option bound means a claim or a family") {
  const auto claims = [](std::string_view word) {
    std::string text;
    for (const auto* bound : bounds::select(word)) text += std::string(bound->claim) + " ";
    return text;
  };
  CHECK(claims("theorem_3_3") == "theorem_3_3.finite theorem_3_3.infinite ");
  CHECK(claims("theorem_3_3.infinite") == "theorem_3_3.infinite ");
  CHECK(claims("sharp") == "sharp_v1 sharp_d ");
  CHECK(claims("sharp_d") == "sharp_d ");
  CHECK(claims("kl") == "kl ");
  CHECK(claims("theorem") == "");
  CHECK(claims("").empty());
}

TEST_CASE("Each line of the registry calls its own bound") {
  bounds::Inputs in;
  in.weights = bounds::weight_sums(Gamma(0.9), Horizon(20));
  in.sigma2 = 0.4, in.c = 1.5, in.v = 0.3, in.d2 = 0.02, in.big_c = 8, in.l = 0.7;
  const auto value = [&](std::string_view claim) {
    return bounds::evaluate(*bounds::find(claim), in);
  };
  const Sigma2 s(0.4);
  CHECK(value("theorem_3_3.finite") == bounds::theorem_3_3(s, in.weights));
  CHECK(value("on_policy") == bounds::on_policy(s, 1.5, in.weights));
  CHECK(value("sharp_v1") == bounds::sharp_v1(s, 1.5, in.weights));
  CHECK(value("sharp_d") == bounds::sharp_d(s, 1.5, in.weights));
  CHECK(value("drift") == bounds::drift(0.3, 0.02, in.weights));
  CHECK(value("kl") == bounds::kl(8, 0.7));
  in.weights = bounds::weight_sums_infinite(Gamma(0.9));
  CHECK(value("theorem_3_3.infinite") == bounds::theorem_3_3_infinite(s, Gamma(0.9)));
}

TEST_CASE("A bound without its number says which one it needs") {
  bounds::Inputs in;
  in.sigma2 = 1.0;
  CHECK_THROWS_WITH(bounds::evaluate(*bounds::find("sharp_d"), in), "the bound needs c");
  CHECK_THROWS_WITH(bounds::evaluate(*bounds::find("kl"), in), "the bound needs C");
}
