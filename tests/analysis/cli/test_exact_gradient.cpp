// SPDX-License-Identifier: MIT
// exact --gradient: numbers known from elsewhere, and how they come out of result.json.
#include <cmath>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;
using Json = nlohmann::json;

namespace {

Json gradient(const test::Workplace& place, const std::string& args) {
  const test::Said said = test::gammascope(place, "exact " + args + " --gradient --json");
  CAPTURE(said.err);
  REQUIRE(said.status == 0);
  return Json::parse(said.out);
}

double value(const Json& result,
             const std::string& quantity,
             double gamma,
             const std::string& baseline,
             int batch = 0) {
  for (const Json& c : result.at("cells"))
    if (c.at("quantity") == quantity && c.at("gamma") == gamma && c.at("baseline") == baseline &&
        c.value("batch", 0) == batch) {
      CHECK(c.at("status") == "exact");
      CHECK(c.at("alignment").is_null());
      return c.at("value").get<double>();
    }
  return std::nan("");
}

/// One token; the k1 estimator of a published study has trace .03203, with its value .032886.
const char* const shallow = R"({"states": 1, "actions": 3, "end_state": null, "initial": ["1"],
  "student": [["1/20", "19/40", "19/40"]], "teacher": [["1/10", "9/20", "9/20"]],
  "next": [[0, 0, 0]], "max_length": 1})";

/// Two prompts, a random end, at most 4 tokens.
const char* const ends = R"({"states": 3, "actions": 2, "end_state": 2,
  "initial": ["1/3", "2/3", "0"], "student": [["1/4", "3/4"], ["2/5", "3/5"], ["1", "0"]],
  "teacher": [["1/2", "1/2"], ["1/10", "9/10"], ["1", "0"]], "next": [[0, 1], [2, 0], [2, 2]],
  "max_length": 4})";

}  // namespace

TEST_CASE("the gradient of one token has its published noise with and without the value baseline") {
  const test::Workplace place;
  place.write("p.json", shallow);
  const Json r = gradient(place, "p.json --gamma 0,1 --batch 1,10");
  CHECK(value(r, "trace_cov", 1, "none") == Approx(0.032030).epsilon(1e-4));
  CHECK(value(r, "trace_cov", 1, "value") == Approx(0.032886).epsilon(1e-4));
  CHECK(value(r, "norm2", 1, "none") == Approx(0.0018896).epsilon(1e-4));
  CHECK(value(r, "bias2", 0, "none") == Approx(0).margin(1e-30));  // one token: no future
  CHECK(value(r, "cosine", 0, "position") == Approx(1).epsilon(1e-12));
  const double norm2 = value(r, "norm2", 1, "none"), trace = value(r, "trace_cov", 1, "none");
  CHECK(value(r, "mse", 1, "none", 10) == Approx(trace / 10).epsilon(1e-12));
  CHECK(value(r, "alignment", 1, "none", 10) ==
        Approx(norm2 / (norm2 + trace / 10)).epsilon(1e-12));
  CHECK(std::isnan(value(r, "alignment", 1, "none")));  // there is none without a batch
}

TEST_CASE("more responses a prompt average the noise within prompts and leave what is between") {
  const test::Workplace place;
  place.write("p.json", shallow);
  const double one = value(gradient(place, "p.json --gamma 1"), "trace_cov", 1, "none");
  CHECK(value(gradient(place, "p.json --gamma 1 --samples 4"), "trace_cov", 1, "none") ==
        Approx(one / 4).epsilon(1e-12));
  // trace = within / m + between.
  double trace[3];
  for (int i = 0; i < 3; ++i)
    trace[i] = value(
        gradient(place,
                 "--family clustered --max-length 8 --gamma 1 --samples " + std::to_string(1 << i)),
        "trace_cov",
        1,
        "none");
  CHECK(trace[0] - trace[1] == Approx(2 * (trace[1] - trace[2])).epsilon(1e-9));
  CHECK(2 * trace[2] - trace[1] > 0);  // between / 2 + …: what no number of responses removes
}

TEST_CASE("the gradient result goes into a folder and runs again from it") {
  const test::Workplace place;
  place.write("p.json", shallow);
  const test::Said first =
      test::gammascope(place, "exact p.json --gradient --gamma 0,1 --batch 3 --out first --quiet");
  CAPTURE(first.err);
  CHECK(first.status == 0);
  const test::Said again = test::gammascope(place, "run first/config.toml --out second --quiet");
  CAPTURE(again.err);
  CHECK(again.status == 0);
  CHECK(place.read("first/result.json") == place.read("second/result.json"));
}

TEST_CASE("a gradient without moments and a bad batch are refused") {
  const test::Workplace place;
  place.write("never.json", R"({"states": 1, "actions": 2, "end_state": null, "initial": [1],
    "student": [["1/2", "1/2"]], "teacher": [[1, 0]], "next": [[0, 0]], "max_length": 2})");
  CHECK(test::gammascope(place, "exact never.json --gradient").status == 64);
  place.write("p.json", shallow);
  CHECK(test::gammascope(place, "exact p.json --gradient --batch 0").status == 64);
  CHECK(test::gammascope(place, "exact p.json --gradient --samples 0").status == 64);
}

TEST_CASE("every number of the gradient is that of an enumeration of the responses") {
  // Found by a script of its own in another language, over all responses.
  struct Expected {
    const char* baseline;
    double trace, kept, mse;
  };
  const Expected expected[] = {{"none", 0.550043039441, 0.916292432576, 0.0696051271798},
                               {"position", 0.725098247888, 0.892570703801, 0.0914870282357},
                               {"value", 0.711818588628, 0.894327092031, 0.0898270708282}};
  const test::Workplace place;
  place.write("p.json", ends);
  const Json r = gradient(place, "p.json --gamma 0.9,1 --batch 8");
  for (const Expected& e : expected) {
    CHECK(value(r, "trace_cov", 0.9, e.baseline) == Approx(e.trace).epsilon(1e-9));
    CHECK(value(r, "norm2", 0.9, e.baseline) == Approx(0.754588652516).epsilon(1e-9));
    CHECK(value(r, "cosine", 0.9, e.baseline) == Approx(0.999890831136).epsilon(1e-9));
    CHECK(value(r, "bias2", 0.9, e.baseline) == Approx(0.000849747249671).epsilon(1e-9));
    CHECK(value(r, "alignment", 0.9, e.baseline, 8) == Approx(e.kept).epsilon(1e-9));
    CHECK(value(r, "mse", 0.9, e.baseline, 8) == Approx(e.mse).epsilon(1e-9));
  }
}

TEST_CASE("the best gamma is sought on the grid and among the gammas shown") {
  const test::Workplace place;
  place.write("p.json", ends);
  // The least error of that enumeration lies at .6855, between the grid's .68 and .7.
  for (const char* shown : {"0.6855", "0,1"}) {
    const test::Said said =
        test::gammascope(place, std::string("exact p.json --gradient --batch 8 --gamma ") + shown);
    CHECK(said.status == 0);
    const std::string best = shown[2] == '6' ? "0.6855" : "0.68";
    CHECK(said.out.find("batch 8, baseline none: least error at gamma " + best + ",") !=
          std::string::npos);
  }
}
