// SPDX-License-Identifier: MIT
#include <initializer_list>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/doctor/temperatures.hpp"

using namespace gammascope;

namespace {

std::vector<Finding> findings(std::initializer_list<double> rows,
                              std::optional<double> student,
                              std::optional<double> teacher) {
  doctor::Temperatures temperatures;
  temperatures.add({});  // a response that says none
  for (const double t : rows) {
    RolloutRecord r;
    r.temperature = t;
    temperatures.add(r);
  }
  LogHeader header;
  header.student_temperature = student;
  header.teacher_temperature = teacher;
  return temperatures.findings(header);
}

}  // namespace

TEST_CASE("temperatures that agree or are not recorded are no finding") {
  CHECK(findings({}, {}, {}).empty());
  CHECK(findings({}, 0.7, 0.7).empty());
  CHECK(findings({0.7, 0.7}, 0.7, 0.7).empty());
  CHECK(findings({0.7, 0.7}, {}, {}).empty());
}

TEST_CASE("each pair of temperatures that disagree is a warning with both numbers") {
  const auto sides = findings({}, 1.0, 0.7);
  REQUIRE(sides.size() == 1);
  CHECK(sides[0].rule == "temperature");
  CHECK(sides[0].severity == Severity::warning);
  CHECK(sides[0].message.find("0.7") != std::string::npos);
  CHECK(findings({0.6}, 1.0, 1.0).size() == 1);
  CHECK(findings({1.0, 0.6, 1.0}, 1.0, 1.0).size() == 1);
  CHECK(findings({0.6}, 1.0, 0.7).size() == 2);
  REQUIRE(findings({0.6, 1.0}, {}, {}).size() == 1);
  CHECK(findings({0.6, 1.0}, {}, {})[0].message.find("0.6 to 1") != std::string::npos);
}
