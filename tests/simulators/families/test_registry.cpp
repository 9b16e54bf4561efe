// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "simulators/families/registry.hpp"
#include "simulators/markov/token_profile.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::families;

std::string complaint(const std::string& family, const std::string& values) {
  try {
    (void)read_values(find_family(family), values);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every family builds with its defaults and says truly whether it is realisable") {
  std::set<std::string> names;
  for (const Family& family : all_families()) {
    INFO(family.name);
    CHECK(names.insert(family.name).second);
    CHECK_FALSE(family.about.empty());
    for (const Parameter& p : family.parameters) {
      CHECK(p.value > p.low);
      CHECK(p.value < p.high);
      CHECK_FALSE(p.meaning.empty());
    }
    const auto process = markov::unite(build(family, read_values(family, "")));
    CHECK((markov::largest_teacher_mass(process) <= 1 + 1e-12) == family.realisable);
  }
  CHECK(names.size() == 7);
}

TEST_CASE("realisable families stay so all over their parameters") {
  for (const Family& family : all_families()) {
    if (!family.realisable) continue;
    for (const Parameter& p : family.parameters)
      for (const double share : {0.1, 0.5, 0.9}) {
        Values values = read_values(family, "");
        values[p.name] = p.low + share * (p.high - p.low);
        if (p.whole) values[p.name] = std::min(16.0, std::ceil(values[p.name]));
        INFO(family.name << " " << p.name << " = " << values[p.name]);
        const auto process = markov::unite(build(family, values));
        CHECK(markov::largest_teacher_mass(process) <= 1 + 1e-12);
      }
  }
}

TEST_CASE("parameters are read and their faults named") {
  const Values v = read_values(find_family("near_attaining"), "c=3,p=1e-3");
  CHECK(v.at("c") == 3);
  CHECK(v.at("p") == 0.001);
  CHECK(read_values(find_family("near_attaining"), "").at("p") == 0.01);
  CHECK(complaint("nearly", "")
            .find("there is no family called \"nearly\"; there are "
                  "near_attaining, ") == 0);
  CHECK(complaint("frozen", "q=1") ==
        "\"q=1\": a parameter of frozen is written NAME=NUMBER with NAME one of sigma");
  CHECK(complaint("frozen", "sigma").find("\"sigma\": a parameter of frozen is written") == 0);
  CHECK(complaint("near_attaining", "p=1") ==
        "parameter p of near_attaining: \"1\" is not a number between 0 and 1 (both excluded)");
  CHECK(complaint("near_attaining", "p=nan").find("parameter p") == 0);
  CHECK(complaint("near_attaining", "p=").find("parameter p") == 0);
  CHECK(complaint("near_attaining", "p=.5x").find("parameter p") == 0);
  CHECK(complaint("near_attaining", "p=.1,p=.2") == "parameter p of near_attaining is given twice");
  CHECK(complaint("clustered", "kinds=2.5") ==
        "parameter kinds of clustered: \"2.5\" is not a whole number between 0 and 1000 (both "
        "excluded)");
}
