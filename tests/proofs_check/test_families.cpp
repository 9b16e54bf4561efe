// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "proofs_check/families.hpp"
#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {
namespace {

void check_is_a_process(const TinyProcess& p) {
  Q start;
  for (const Q& x : p.initial) start += x;
  CHECK(start == 1);
  for (std::size_t s = 0; s < p.states(); ++s) {
    Q student, teacher;
    for (std::size_t a = 0; a < p.tokens(); ++a) {
      student += p.student[s][a];
      teacher += p.teacher[s][a];
      CHECK(p.next[s][a] <= p.states());
      CHECK((p.student[s][a] == 0 || p.teacher[s][a] > 0));
    }
    CHECK(student == 1);
    CHECK(teacher <= 1);
  }
  Q total;
  for (const Response& y : responses(p)) total += y.probability;
  CHECK(total == 1);
}

TEST_CASE("the sixths are 101250 different processes a length") {
  const Family family = sixths({1, 2, 3});
  REQUIRE(family.size == 303750);
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < family.size; ++i) {
    // The text is slow; the digits that make it are enough.
    const TinyProcess p = family.at(i);
    std::string key;
    for (std::size_t s = 0; s < 2; ++s)
      key += text(p.student[s][0]) + "," + text(p.teacher[s][0]) + "," +
             std::to_string(p.next[s][0]) + std::to_string(p.next[s][1]) + ";";
    seen.insert(key + text(p.initial[0]) + ";" + std::to_string(p.length));
  }
  CHECK(seen.size() == family.size);
}

TEST_CASE("every member of every family is a process") {
  const Family six = sixths({1, 2, 3}), larger = random_larger(50), extreme = extremal();
  for (std::uint64_t i = 0; i < 200; ++i) check_is_a_process(six.at(i * 1499));
  for (std::uint64_t i = 0; i < larger.size; ++i) check_is_a_process(larger.at(i));
  for (std::uint64_t i = 0; i < extreme.size; ++i) check_is_a_process(extreme.at(i));
}

TEST_CASE("a random process depends on its index alone") {
  CHECK(random_larger(10).at(7).text() == random_larger(100).at(7).text());
  CHECK(random_larger(10).at(7).text() != random_larger(10).at(8).text());
}

TEST_CASE("all rows of a denominator are counted as they should be") {
  CHECK(all_rows(3, 8, 0).size() == 45);  // (8 + 2 choose 2)
  CHECK(all_rows(2, 6, 1).size() == 5);
}

}  // namespace
}  // namespace gammascope::proofs
