// SPDX-License-Identifier: MIT
// Claims files: what is read, what is refused and how the refusal reads, what is written.
#include <string>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/report/claims_toml.hpp"

using namespace gammascope;
using claims::Limit;
using report::from_claims_toml;

namespace {

const std::string first = "claims = \"gammascope.claims/1\"\n";

std::string refusal(const std::string& text) {
  try {
    (void)from_claims_toml(text, "claims.toml");
  } catch (const BadData& error) {
    return error.what();
  }
  return "";
}

bool refused(const std::string& claim, const std::string& start) {
  const std::string what = refusal(first + "[[claim]]\n" + claim);
  CAPTURE(claim, what);
  return what.rfind("claims.toml:" + start, 0) == 0;
}

}  // namespace

TEST_CASE("a claims file is read field by field") {
  const auto file =
      from_claims_toml(first +
                           "[settings]\nclock = \"skip\"\n"
                           "[baseline]\nhash = \"00ff\"\nfiles = [\"a.jsonl\"]\n"
                           "rollouts = 12\nprompts = 3\n"
                           "[[claim]]\nname = \"calm\"\nquantity = \"variance\"\n"
                           "gamma = [0.9, 1]\nwindow = 64\nat_most = 25\n"
                           "[[claim]]\nquantity = \"mean\"\ngamma = 0.9\n"
                           "infinite = true\nwithin = \"10%\"\nof = \"base.json\"\n"
                           "[[claim]]\nclaim = \"rbm_share(gamma=1) <= 0.4\"\n"
                           "[[claim]]\nquantity = \"variance\"\ngamma = 1\nwindow = 8\n"
                           "at_most = \"baseline\"\nband = 0.5\nvalue = 8.5\n"
                           "spread = [0.1, 0.2, 0.3, 95, 20.5]\n"
                           "[[claim]]\nquantity = \"equal_at_step\"\nstep = 0\n",
                       "claims.toml");
  REQUIRE(file.claims.size() == 5);
  CHECK(file.settings[0].name == "clock");
  CHECK(file.settings[0].line == 3);
  CHECK(file.baseline_hash == "00ff");
  CHECK(file.baseline_prompts == 3);
  CHECK(file.claims[0].name == "calm");
  CHECK(file.claims[0].arguments[0].numbers == std::vector<double>{0.9, 1});
  CHECK(file.claims[0].limit.number == 25);
  CHECK(file.claims[0].at.line == 9);
  CHECK(file.claims[1].relation == Relation::within);
  CHECK(file.claims[1].limit.kind == Limit::Kind::result);
  CHECK(file.claims[1].name == "mean(gamma=0.9, infinite) within 10% of base.json");
  CHECK(file.claims[2].quantity == "rbm_share");
  CHECK(file.claims[3].limit.kind == Limit::Kind::baseline);
  CHECK(file.claims[3].limit.spread->df_upper == 20.5);
  CHECK_FALSE(file.claims[3].limit.band->percent);
  CHECK(file.claims[4].limit.kind == Limit::Kind::none);
}

TEST_CASE("a fault of a claims file names line and field") {
  CHECK(refusal("[[claim]]\n").rfind("claims.toml: claims: missing", 0) == 0);
  CHECK(refusal("claims = \"gammascope.claims/2\"\n").rfind("claims.toml:1: claims: must be", 0) ==
        0);
  CHECK(refusal(first).rfind("claims.toml: claim: no [[claim]]", 0) == 0);
  CHECK(refusal(first + "[setings]\n").rfind("claims.toml:2: setings: no such key", 0) == 0);
  CHECK(refusal(first + "[baseline]\nhsah = \"1\"\n")
            .rfind("claims.toml:3: baseline.hsah: no such", 0) == 0);
  CHECK(refusal(first + "[[claim]]\nquantity = variance\n").rfind("claims.toml:3: not TOML", 0) ==
        0);
  const std::string ok = "quantity = \"variance\"\ngamma = 1\nwindow = 8\n";
  CHECK(refused("quantit = \"variance\"\n", "3: quantit: no such key: quantity"));
  CHECK(refused("gamma = 1\nat_most = 2\n", "2: quantity: missing"));
  CHECK(refused(ok + "at_most = \"theorem_3_4\"\n", "6: at_most: 'theorem_3_4' is no number"));
  CHECK(refused(ok + "at_most = 1\nat_least = 0\n", "7: at_least: one of"));
  CHECK(refused(ok + "within = \"10%\"\n", "6: within: needs of"));
  CHECK(refused(ok + "within = \"ten\"\nof = 3\n", "6: within: column 1: a band"));
  CHECK(refused(ok + "within = \"10%\"\nof = 3\nband = 2\n", "8: band: within is"));
  CHECK(refused(ok + "of = 3\n", "6: of: belongs to"));
  CHECK(refused(ok + "at_most = \"baseline\"\n", "2: value: a limit of"));
  CHECK(refused(ok + "at_most = 2\nvalue = 3\n", "7: value: belongs"));
  CHECK(refused(ok + "at_most = \"baseline\"\nvalue = 3\nspread = [1, 2]\n", "8: spread: must be"));
  CHECK(refused("quantity = \"variance\"\ngamma = \"one\"\n", "4: gamma: must be a number"));
  CHECK(refused("quantity = \"variance\"\ngamma = [1, \"x\"]\n", "4: gamma: must be finite"));
  CHECK(refused("claim = \"variance(gamma=1, window=8) << 2\"\n", "3: claim: column"));
  CHECK(refused("claim = \"rbm_share(gamma=1) <= 1\"\nat_most = 2\n", "4: at_most: a typed"));
  CHECK(refused("name = \"\"\n" + ok + "at_most = 2\n", "3: name: must be a text"));
}

TEST_CASE("a claims file that is written reads back to the same claims") {
  report::ClaimsFile head;
  head.settings = {{"clock", "turn", 0}};
  head.baseline_hash = "0011";
  head.baseline_files = {"a \"b\".jsonl"};
  head.baseline_rollouts = 8;
  head.baseline_prompts = 2;
  report::DraftClaim draft;
  draft.spec = claims::parse_claims("variance(gamma=0.99, window=64) within 30% of 1")[0];
  draft.spec.limit.kind = Limit::Kind::baseline;
  draft.spec.limit.number = 0.1 + 0.2;
  draft.spec.limit.spread = Spread{1.0 / 3, -0.1, 0.2, 63, 12.5};
  draft.comment = "now 0.3";
  const std::string text = to_claims_toml(head, {draft}, {"a note"});
  const auto file = from_claims_toml(text, "claims.toml");
  CHECK(file.settings[0].value == "turn");
  CHECK(file.baseline_files == head.baseline_files);
  CHECK(file.baseline_rollouts == 8);
  REQUIRE(file.claims.size() == 1);
  const claims::Spec& spec = file.claims[0];
  CHECK(spec.quantity == "variance");
  CHECK(spec.relation == Relation::within);
  CHECK(spec.limit.number == 0.1 + 0.2);
  CHECK(*spec.limit.spread == *draft.spec.limit.spread);
  CHECK(spec.limit.band->size == 30);
  CHECK(spec.arguments[1].numbers == std::vector<double>{64});
}
