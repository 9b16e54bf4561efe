// SPDX-License-Identifier: MIT
// Claims as a user meets them: typed, in a file, against an earlier result, written by --init;
// what machines read; the page "In CI" and the examples.
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/verdict/claims/measurement.hpp"
#include "tests/support/command.hpp"

using namespace gammascope;
using Json = nlohmann::json;

namespace {

const std::string sums = "examples/data/sums.jsonl.zst";

std::string simulate(const std::string& name, int seed, const std::string& more = "") {
  return "gammascope simulate --family ragged --prompts 60 --max-length 48 --seed " +
         std::to_string(seed) + " " + more + " -o " + name + " --quiet";
}

Json verdicts(const std::string& out) { return Json::parse(out).at("verdicts"); }

std::string words_of(const Json& all) {
  std::string words;
  for (const auto& v : all)
    words += (words.empty() ? "" : " ") + v.at("verdict").get<std::string>();
  return words;
}

}  // namespace

TEST_CASE("a typed claim is judged alone and its exit status is its word") {
  const test::Workplace place;
  const std::string check = "check " + sums + " --json --claim ";
  const test::Said pass =
      test::gammascope(place, check + "'variance(gamma=0.9, window=64) <= 1000'");
  CHECK(pass.status == 0);
  REQUIRE(verdicts(pass.out).size() == 1);
  CHECK(verdicts(pass.out)[0].at("quantity") == "variance");
  CHECK(verdicts(pass.out)[0].at("bound") == 1000);
  CHECK(test::gammascope(place, check + "'variance(gamma=0.9, window=64) <= 0.01'").status == 1);
  const test::Said both =
      test::gammascope(place,
                       check +
                           "'mean(gamma=1, window=8) >= -1e6; rbm_share(gamma=0.9) <= 0.5' --claim "
                           "'variance(gamma=[0,0.9], window=[8,16]) <= 1000'");
  CHECK(both.status == 2);
  CHECK(words_of(verdicts(both.out)) == "pass identity pass pass pass pass");
  CHECK(
      test::gammascope(
          place, check + "'variance(gamma=0.9, window=64) <= 1000' --bound theorem_3_3 --gamma 0.9")
          .out.find("theorem_3_3.finite") != std::string::npos);
}

TEST_CASE("a claim against a named bound is the claim of --bound") {
  const test::Workplace place;
  const test::Said by_name = test::gammascope(
      place,
      "check " + sums +
          " --json --claim 'variance(gamma=0.9, window=64, sigma2=2) <= theorem_3_3'");
  const test::Said by_option =
      test::gammascope(place, "check " + sums + " --json --gamma 0.9 --at 64 --sigma2 2");
  const Json one = verdicts(by_name.out), other = verdicts(by_option.out);
  REQUIRE(one.size() == 2);
  REQUIRE(other.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    for (const char* key : {"bound", "value", "p_pass", "p_fail_adjusted", "verdict"})
      CHECK(one[i].at(key) == other[i].at(key));
  CHECK(one[0].at("claim").get<std::string>().find("[theorem_3_3.finite]") != std::string::npos);
  CHECK(test::gammascope(place,
                         "check " + sums + " --claim 'mean(gamma=0.9, window=64) <= theorem_3_3'")
            .status == 64);
  CHECK(test::gammascope(place, "check " + sums + " --claim 'variance(gamma=0.9, window=64) <= kl'")
            .status == 64);
}

TEST_CASE("faults of claims are one error with the place and nothing is written") {
  const test::Workplace place;
  const test::Said typed =
      test::gammascope(place, "check " + sums + " --claim 'variance(gama=0.9, window=64) <= 1'");
  CHECK(typed.status == 64);
  CHECK(typed.err.find("--claim: column 10: variance has no argument 'gama'") != std::string::npos);
  place.write("claims.toml",
              "claims = \"gammascope.claims/1\"\n[[claim]]\nquantity = \"variance\"\ngama = 0.9\n"
              "window = 64\nat_most = 1\n");
  const test::Said file = test::gammascope(
      place, "check " + sums + " claims.toml --junit out.xml --json out.json --out folder");
  CHECK(file.status == 65);
  CHECK(file.err.find("claims.toml:4: gama: variance has no argument 'gama'") != std::string::npos);
  for (const char* name : {"out.xml", "out.json", "folder"})
    CHECK_FALSE(std::filesystem::exists(place / name));
  CHECK(test::gammascope(place, "check claims.toml").status == 64);
  CHECK(test::gammascope(place, "check " + sums + " missing.toml").status == 66);
  CHECK(
      test::gammascope(place, "check " + sums + " --claim 'variance(gamma=1, window=8)'").status ==
      64);
}

TEST_CASE("init writes a baseline that is an identity on its own log and judges another") {
  const test::Workplace place;
  REQUIRE(test::shell(place, simulate("base.jsonl", 1)).status == 0);
  REQUIRE(test::shell(place, simulate("same.jsonl", 2)).status == 0);
  REQUIRE(test::shell(place, simulate("worse.jsonl", 3, "--param teacher=0.1")).status == 0);
  const test::Said init =
      test::gammascope(place, "check base.jsonl --gamma 0.5,0.9 --at 16 --init");
  REQUIRE(init.status == 0);
  CHECK(init.out.find("claims.toml: 3 claims") != std::string::npos);
  const test::Said itself = test::gammascope(place, "check base.jsonl claims.toml --json");
  CHECK(itself.status == 2);
  CHECK(words_of(verdicts(itself.out)) == "identity identity identity");
  CHECK(verdicts(itself.out)[0].at("where") == "claims.toml:18");
  // The same responses in another form and order are the same log.
  REQUIRE(test::shell(place,
                      "gammascope convert base.jsonl -o store --quiet && tac base.jsonl | "
                      "grep -v '\"header\"' > turned.jsonl")
              .status == 0);
  for (const std::string log : {"store", "turned.jsonl"})
    CHECK(words_of(verdicts(test::gammascope(place, "check " + log + " claims.toml --json").out)) ==
          "identity identity identity");
  const Json same = verdicts(test::gammascope(place, "check same.jsonl claims.toml --json").out);
  for (const auto& v : same) CHECK(v.at("verdict") != "fail");
  const test::Said worse = test::gammascope(place, "check worse.jsonl claims.toml --json");
  CHECK(worse.status == 1);
  CHECK(verdicts(worse.out)[0].at("verdict") == "fail");
  CHECK(verdicts(worse.out)[0].at("inputs")[0].at("origin") == "claimed");
  // It is not overwritten by accident.
  CHECK(test::gammascope(place, "check same.jsonl --init").status == 64);
  CHECK(test::gammascope(place, "check same.jsonl --init log.jsonl").status == 64);
  CHECK(test::gammascope(place, "check same.jsonl --init --force").status == 0);
}

TEST_CASE("numbers of other settings are refused with the setting") {
  const test::Workplace place;
  REQUIRE(test::shell(place, simulate("base.jsonl", 1)).status == 0);
  REQUIRE(test::gammascope(place, "check base.jsonl --gamma 0.9 --clock count --init").status == 0);
  const test::Said said = test::gammascope(place, "check base.jsonl claims.toml");
  CHECK(said.status == 65);
  CHECK(said.err.find("settings.clock: the numbers of this file are for clock count") !=
        std::string::npos);
  REQUIRE(test::gammascope(place,
                           "measure base.jsonl --clock count --gamma 0.9 --at 16 --quiet "
                           "--json base.json")
              .status == 0);
  const test::Said result = test::gammascope(
      place, "check base.jsonl --claim 'variance(gamma=0.9, window=16) within 50% of base.json'");
  CHECK(result.status == 64);
  CHECK(result.err.find("was measured with clock count, this run has skip") != std::string::npos);
}

TEST_CASE("an earlier result is a limit with an error of its own") {
  const test::Workplace place;
  REQUIRE(test::shell(place, simulate("base.jsonl", 1)).status == 0);
  REQUIRE(test::shell(place, simulate("new.jsonl", 2)).status == 0);
  REQUIRE(test::gammascope(
              place, "measure base.jsonl --gamma 0.9 --at 16 --quiet --json base.json --out folder")
              .status == 0);
  const auto judged = [&](const std::string& log, const std::string& claim) {
    return verdicts(
        test::gammascope(place, "check " + log + " --json --claim '" + claim + "'").out)[0];
  };
  const Json base = Json::parse(place.read("base.json"));
  double value = 0;
  for (const auto& cell : base.at("cells"))
    if (cell.at("quantity") == "variance") value = cell.at("value").get<double>();
  const Json band = judged("new.jsonl", "variance(gamma=0.9, window=16) within 90% of base.json");
  CHECK(band.at("verdict") == "pass");
  CHECK(band.at("bound").get<double>() == Approx(1.9 * value));
  CHECK(band.at("bound_low").get<double>() == Approx(0.1 * value));
  CHECK(judged("new.jsonl", "variance(gamma=0.9, window=16) within 90% of folder/result.json")
            .at("p_pass") == band.at("p_pass"));
  const Json number =
      judged("new.jsonl", "variance(gamma=0.9, window=16) within 90% of " + std::to_string(value));
  CHECK(number.at("p_pass").get<double>() < band.at("p_pass").get<double>());
  CHECK(judged("base.jsonl", "variance(gamma=0.9, window=16) <= base.json").at("verdict") ==
        "identity");
  // What was merged from states is the same log.
  REQUIRE(test::shell(place,
                      "gammascope measure base.jsonl --gamma 0.9 --at 16 --quiet --state s && "
                      "gammascope merge s --quiet --json merged.json")
              .status == 0);
  CHECK(judged("base.jsonl", "variance(gamma=0.9, window=16) <= merged.json").at("verdict") ==
        "identity");
  const auto refusal = [&](const std::string& claim) {
    const test::Said said = test::gammascope(place, "check new.jsonl --claim '" + claim + "'");
    CHECK(said.status == 64);
    return said.err;
  };
  CHECK(refusal("variance(gamma=0.8, window=16) <= base.json")
            .find("has no variance of A, gamma 0.8") != std::string::npos);
  CHECK(refusal("ratio(gamma=1, over=0.9, window=16) <= base.json").find("does not say which") !=
        std::string::npos);
  // An exact answer has no error.
  REQUIRE(test::gammascope(place,
                           "exact --family ragged --max-length 48 --gamma 0.9 --alignment window "
                           "--at 16 --quiet --json exact.json")
              .status == 0);
  CHECK(judged("new.jsonl", "variance(gamma=0.9, window=16) within 60% of exact.json")
            .at("verdict") == "pass");
}

TEST_CASE("a grid of claims is judged jointly and says what it counts as") {
  const test::Workplace place;
  const std::string claim =
      " --claim 'variance(gamma=[0,0.5,0.9,0.99,1], window=[4,8,16]) <= 1000'";
  const test::Said joint = test::gammascope(place, "check " + sums + claim);
  CHECK(joint.out.find("(min-p)") != std::string::npos);
  CHECK(joint.out.find("before anything is judged") != std::string::npos);
  const Json result = Json::parse(test::gammascope(place, "check " + sums + claim + " --json").out);
  CHECK(result.at("summary").get<std::string>().find("15 cells of variance(gamma=[0,0.5,0.9,0.99,1]"
                                                     ", window=[4,8,16]) <= 1000 count as ") !=
        std::string::npos);
  const test::Said holm = test::gammascope(place, "check " + sums + claim + " --multiplicity holm");
  CHECK(holm.out.find("(min-p)") == std::string::npos);
  CHECK(test::gammascope(place, "check " + sums + claim + " --multiplicity some").status == 64);
}

TEST_CASE("JUnit and annotations are written and inconclusive may fail") {
  const test::Workplace place;
  const std::string check =
      "check " + sums +
      " --claim 'variance(gamma=0.9, window=64) <= 0.01; rbm_share(gamma=0.9) <= 0.5'";
  const test::Said said = test::gammascope(place, check + " --junit out.xml --github --quiet");
  CHECK(said.status == 1);
  const std::string xml = place.read("out.xml");
  CHECK(xml.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"") != std::string::npos);
  CHECK(said.out.find("::error file=" + sums +
                      ",title=fail%3A variance(gamma=0.9%2C window=64) <= "
                      "0.01::fail: gamma 0.9, window 64: the variance of A") != std::string::npos);
  CHECK(said.out.find("::warning file=") != std::string::npos);
  // A second run may replace its own file, nothing else.
  CHECK(test::gammascope(place, check + " --junit out.xml --junit-inconclusive failure --quiet")
            .status == 1);
  CHECK(place.read("out.xml").find("failures=\"2\"") != std::string::npos);
  place.write("mine.xml", "<mine/>");
  CHECK(test::gammascope(place, check + " --junit mine.xml").status == 64);
  CHECK(test::gammascope(place, check + " --junit-inconclusive sometimes").status == 64);
  // With JSON on standard output the annotations go to standard error.
  const test::Said json = test::gammascope(place, check + " --github --json");
  CHECK(Json::accept(json.out));
  CHECK(json.err.find("::error ") != std::string::npos);
}

TEST_CASE("the JUnit file fits the schema") {
  if (std::system("xmllint --version >/dev/null 2>&1") != 0) {
    WARN("xmllint (libxml2-utils) is not installed");
    return;
  }
  const test::Workplace place;
  const std::string check = "check " + sums + " --quiet --junit ";
  (void)test::gammascope(place, check + "one.xml");
  (void)test::gammascope(place, check + "two.xml --sigma2 0.0001 --alignment window,position");
  (void)test::gammascope(place, check + "three.xml --sigma2 same --junit-inconclusive failure");
  for (const char* file : {"one.xml", "two.xml", "three.xml"}) {
    const test::Said said =
        test::shell(place, std::string("xmllint --noout --schema tests/data/junit.xsd ") + file);
    CAPTURE(said.err);
    CHECK(said.status == 0);
  }
  // Planted faults: two results of one case, a count that is missing, a case without a name.
  const auto is_bad = [&](const char* from, const std::string& part, const std::string& instead) {
    std::string xml = place.read(from);
    const std::size_t at = xml.find(part);
    REQUIRE(at != std::string::npos);
    xml.replace(at, part.size(), instead);
    place.write("bad.xml", xml);
    return test::shell(place, "xmllint --noout --schema tests/data/junit.xsd bad.xml").status != 0;
  };
  CHECK(is_bad("two.xml", "<failure", "<skipped/><failure"));
  CHECK(is_bad("two.xml", " skipped=", " left=\"0\" skipped="));
  CHECK(is_bad("two.xml", " classname=", " class="));
  CHECK(is_bad("two.xml", "</testsuite>", ""));
}

TEST_CASE("a run with claims is repeated from its folder to the same bytes") {
  const test::Workplace place;
  place.write("claims.toml",
              "claims = \"gammascope.claims/1\"\n[[claim]]\nquantity = \"mean\"\ngamma = 0.9\n"
              "window = 64\nat_most = 1\n");
  REQUIRE(test::gammascope(place,
                           "check " + sums +
                               " claims.toml --claim 'variance(gamma=[0.9,1], window=64) <= 1000; "
                               "rbm_share(gamma=1) <= 0.49' --out first --quiet")
              .status == 0);
  REQUIRE(test::gammascope(place, "run first/config.toml --out second --quiet").status == 0);
  CHECK(place.read("first/result.json") == place.read("second/result.json"));
}

TEST_CASE("the page In CI holds as it stands") {
  const test::Workplace place;
  std::istringstream page([] {
    std::ifstream in(std::string(GAMMASCOPE_SOURCE_DIR) + "/docs/in-ci.md");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }());
  std::string line;
  int commands = 0;
  while (std::getline(page, line)) {
    if (line.rfind("    gammascope ", 0) != 0 && line.rfind("    grep ", 0) != 0) continue;
    const test::Said said = test::shell(place, line.substr(4));
    CAPTURE(line, said.out, said.err);
    CHECK(said.status == 0);
    ++commands;
  }
  CHECK(commands >= 7);
  CHECK(place.read("gammascope.xml").find("shown to differ by more than") != std::string::npos);
}

TEST_CASE("every kind of claim has an example of every word on three logs") {
  namespace fs = std::filesystem;
  const test::Workplace place;
  std::map<std::string, std::set<std::string>> seen;  // word -> kinds
  std::set<std::string> logs;
  const fs::path folder = std::string(GAMMASCOPE_SOURCE_DIR) + "/examples/claims";
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    const std::string log = entry.path().filename().string();
    for (const auto& file : fs::directory_iterator(entry.path())) {
      if (file.path().extension() != ".toml") continue;
      const std::string word = file.path().stem().string();
      const test::Said said =
          test::shell(place, "sh examples/claims/run.sh " + log + " " + word + " --json --quiet");
      CAPTURE(log, word, said.err);
      REQUIRE(said.status == (word == "pass" ? 0 : word == "fail" ? 1 : 2));
      for (const auto& v : verdicts(said.out)) {
        CAPTURE(v.at("claim"), v.at("reason"));
        CHECK(v.at("verdict") == word);
        seen[word].insert(v.at("quantity"));
        logs.insert(log);
      }
    }
  }
  CHECK(logs.size() >= 3);
  CHECK(logs.contains("sums"));
  for (const claims::Kind& kind : claims::kinds()) {
    const std::string quantity =
        kind.quantity == "equal_at_step" ? "abs_log_ratio" : std::string(kind.quantity);
    for (const char* word : {"pass", "fail", "inconclusive", "identity", "degenerate"}) {
      CAPTURE(quantity, word);
      CHECK(seen[word].contains(quantity));
    }
  }
}
