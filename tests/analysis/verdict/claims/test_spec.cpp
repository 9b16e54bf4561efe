// SPDX-License-Identifier: MIT
// The grammar of claims and its errors, and the arguments.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"
#include "analysis/verdict/claims/spec.hpp"

using namespace gammascope;
using claims::At;
using claims::Limit;
using claims::parse_claims;
using claims::Spec;

namespace {

std::string refusal(const std::string& text, const At& origin = {}) {
  try {
    for (const Spec& spec : parse_claims(text, origin)) {
      const claims::Kind& kind = claims::find_kind(spec);
      (void)kind.make(spec, {});
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part, const std::string& column) {
  const std::string what = refusal(text);
  CAPTURE(text, what);
  return what.find(part) != std::string::npos &&
         what.rfind("--claim: column " + column + ":", 0) == 0;
}

}  // namespace

TEST_CASE("a claim is read with its arguments and its limit") {
  const auto all = parse_claims(
      "variance(gamma=0.99, window=256) <= 25; mean( gamma = [0,1] , position=[0,16])>=-3.5");
  REQUIRE(all.size() == 2);
  CHECK(all[0].quantity == "variance");
  CHECK(all[0].relation == Relation::at_most);
  CHECK(all[0].limit.kind == Limit::Kind::number);
  CHECK(all[0].limit.number == 25);
  CHECK_FALSE(all[0].limit.band);
  REQUIRE(all[0].arguments.size() == 2);
  CHECK(all[0].arguments[1].numbers == std::vector<double>{256});
  CHECK(all[1].relation == Relation::at_least);
  CHECK(all[1].limit.number == -3.5);
  CHECK(all[1].arguments[0].numbers == std::vector<double>{0, 1});
  CHECK(all[1].name == "mean(gamma=[0,1], position=[0,16]) >= -3.5");
}

TEST_CASE("limits are numbers bounds or results with a band") {
  const auto limit = [](const std::string& relation) {
    return parse_claims("variance(gamma=0.9, window=8) " + relation)[0];
  };
  CHECK(limit("<= theorem_3_3.finite").limit.kind == Limit::Kind::bound);
  CHECK(limit("<= sharp").limit.kind == Limit::Kind::bound);
  CHECK(limit("<= runs/base.json").limit.kind == Limit::Kind::result);
  CHECK(limit("<= runs/base.json").limit.name == "runs/base.json");
  CHECK(limit("<= \"my base\"").limit.name == "my base");
  const Spec more = limit("<= base.json + 10%");
  CHECK(more.limit.band->size == 10);
  CHECK(more.limit.band->percent);
  CHECK(more.limit.band->reach(-50) == 5);
  const Spec within = limit("within 0.5 of 8.6");
  CHECK(within.relation == Relation::within);
  CHECK_FALSE(within.limit.band->percent);
  CHECK(within.limit.band->reach(8.6) == 0.5);
  CHECK(limit("").limit.kind == Limit::Kind::none);
}

TEST_CASE("a claim is typed as it was read") {
  for (const std::string text : {"variance(gamma=0.99, window=256) <= 25",
                                 "variance(gamma=0.9, infinite) >= 1e-05 - 7%",
                                 "ratio(gamma=1, over=0.9, window=[16,64]) within 30% of base.json",
                                 "growth_exponent(gamma=1, window=[16,64,256]) within 0.5 of 1.5",
                                 "variance(gamma=0.9, position=0) <= theorem_3_3",
                                 "rbm_above(gamma=0.99, size=0.8) <= 0.1",
                                 "equal_at_step(step=0)"})
    CHECK(typed_text(parse_claims(text)[0]) == text);
}

TEST_CASE("errors of a typed claim name the column") {
  CHECK(says("variance(gama=0.99, window=256) <= 25", "no argument 'gama'", "10"));
  CHECK(says("varianc(gamma=0.99, window=256) <= 25", "no quantity 'varianc'", "1"));
  CHECK(says("variance gamma=0.99", "'(' is expected", "10"));
  CHECK(says("variance(gamma=0.99 window=256) <= 25", "')' is expected", "21"));
  CHECK(says("variance(gamma=x, window=256) <= 25", "'x' is not a finite number", "16"));
  CHECK(says("variance(gamma=1.5, window=256) <= 25", "not between 0 and 1", "10"));
  CHECK(says("variance(gamma=0.9, window=2.5) <= 25", "whole numbers", "21"));
  CHECK(says("variance(gamma=0.9, window=0) <= 25", "not between 1", "21"));
  CHECK(says("variance(gamma=0.9, window=8, position=0) <= 25", "not two", "31"));
  CHECK(says("variance(gamma=0.9, window=8, window=9) <= 25", "twice", "31"));
  CHECK(says("variance(gamma=0.9) <= 25", "needs a place", "1"));
  CHECK(says("variance(window=8) <= 25", "needs gamma", "1"));
  CHECK(says("variance(gamma=1, infinite) <= 25", "below 1", "10"));
  CHECK(says("variance(gamma=0.9, window=8) < 25", "'<=', '>=' or 'within' is expected", "31"));
  CHECK(says("variance(gamma=0.9, window=8) <=", "is expected here", "33"));
  CHECK(says("variance(gamma=0.9, window=8) <= theorem", "no bound", "34"));
  CHECK(says("variance(gamma=0.9, window=8) <= 25 - 10%", "a band widens", "37"));
  CHECK(says("variance(gamma=0.9, window=8) within 10% 25", "'of' is expected", "42"));
  CHECK(says("variance(gamma=0.9, window=8) <= 25 extra", "';' or the end", "37"));
  CHECK(says("variance(gamma=0.9, window=8) <= \"base", "has no end", "34"));
  CHECK(says("ratio(gamma=0.9, over=0.9, window=8) <= 2", "is 1", "18"));
  CHECK(says("growth_exponent(gamma=1, window=64) <= 2", "two lengths", "26"));
  CHECK(says("equal_at_step(step=0.5)", "whole number", "15"));
  CHECK(says("rbm_above(gamma=0.9, size=[0.1,0.2]) <= 1", "not a list", "22"));
}

TEST_CASE("errors of a claim in a file name file line and field") {
  const std::string what =
      refusal("variance(gama=0.99, window=8) <= 25", {"claims.toml", 7, "claim", 0});
  CHECK(what.rfind("claims.toml:7: claim: column 10: variance has no argument 'gama'", 0) == 0);
}

TEST_CASE("the grid of a claim is gammas by places") {
  const Spec spec = parse_claims("variance(gamma=[0.9,1], window=[8,16])")[0];
  const auto cells = claims::grid_of(spec);
  REQUIRE(cells.size() == 4);
  CHECK(cells[1] == measure::CellSpec{Alignment::window, 0.9, 16});
  CHECK(cells[2] == measure::CellSpec{Alignment::window, 1.0, 8});
  const auto whole = claims::grid_of(parse_claims("variance(gamma=0.9, infinite)")[0]);
  CHECK(whole[0] == measure::CellSpec{Alignment::infinite, 0.9, std::nullopt});
}
