// SPDX-License-Identifier: MIT
#include <clocale>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/report/number.hpp"

using namespace gammascope::report;

TEST_CASE("numbers have four significant digits and no zeros to spare") {
  CHECK(number(0.0888) == "0.0888");
  CHECK(number(0.739) == "0.739");
  CHECK(number(19.98) == "19.98");
  CHECK(number(134.9) == "134.9");
  CHECK(number(1360.5) == "1360.5");
  CHECK(number(10450.0) == "10450");
  CHECK(number(-2.0) == "-2");
  CHECK(number(0.0) == "0");
  CHECK(number(-0.0) == "0");
  CHECK(number(1.0 / 3) == "0.3333");
  CHECK(number(123456.7) == "123457");
}

TEST_CASE("numbers cross the borders of the rules without a jump") {
  CHECK(number(999.94) == "999.9");
  CHECK(number(999.96) == "1000");  // four digits already say a thousand
  CHECK(number(9999.96) == "10000");
  CHECK(number(999999.6) == "1e6");
  CHECK(number(1.2345e7) == "1.234e7");
  CHECK(number(0.0001) == "0.0001");
  CHECK(number(0.00001234) == "1.234e-5");
  CHECK(number(5e-324) == "4.941e-324");
  CHECK(number(std::numeric_limits<double>::max()) == "1.798e308");
}

TEST_CASE("what is not a number says so") {
  CHECK(number(std::nullopt) == "-");
  CHECK(number(std::nan("")) == "-");
  CHECK(number(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(number(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("limits share their decimals and show their distance") {
  CHECK(limits(0.071, 0.108) == "[0.071, 0.108]");
  CHECK(limits(0.606, 0.882) == "[0.606, 0.882]");
  CHECK(limits(16.1, 23.7) == "[16.1, 23.7]");
  CHECK(limits(108.2, 161.4) == "[108, 161]");
  CHECK(limits(134.2, 134.9) == "[134.20, 134.90]");
  CHECK(limits(-0.5, 0.25) == "[-0.500, 0.250]");
  CHECK(limits(1.0, 1.0) == "[1.00000, 1.00000]");  // six digits, and no further
  CHECK(limits(0.0, 0.0) == "[0, 0]");
  CHECK(limits(-0.0, 0.3) == "[0.000, 0.300]");
  CHECK(limits(std::nullopt, 0.108) == "[-, 0.108]");
  CHECK(limits(std::nullopt, std::nullopt) == "-");
  CHECK(limits(2.0, std::numeric_limits<double>::infinity()) == "[2, inf]");
  CHECK(limits(1e-9, 3e7) == "[1e-9, 3e7]");
}

TEST_CASE("counts stand in threes from ten thousand on") {
  CHECK(count(0) == "0");
  CHECK(count(9999) == "9999");
  CHECK(count(10000) == "10 000");
  CHECK(count(201084) == "201 084");
  CHECK(count(1234567) == "1 234 567");
  CHECK(count(-1234567) == "-1 234 567");
  CHECK(count(-9999) == "-9999");
  CHECK(count(std::numeric_limits<std::int64_t>::min()) == "-9 223 372 036 854 775 808");
  CHECK(count(201084, ",") == "201,084");
}

TEST_CASE("shares and p values keep two digits") {
  CHECK(percent(0.56) == "56 %");
  CHECK(percent(0.0463) == "4.6 %");
  CHECK(percent(0.000131) == "0.013 %");
  CHECK(percent(1.2) == "120 %");
  CHECK(percent(0.0999) == "10 %");
  CHECK(percent(0.0) == "0 %");
  CHECK(p_value(0.034) == "0.034");
  CHECK(p_value(1.0) == "1");
  CHECK(p_value(3.14e-5) == "3.1e-5");
  CHECK(p_value(0.0) == "<1e-9");
}

TEST_CASE("a gamma is written as it was typed") {
  CHECK(exact_number(0.99) == "0.99");
  CHECK(exact_number(1.0) == "1");
  CHECK(exact_number(0.0) == "0");
  CHECK(exact_number(0.9999999) == "0.9999999");
}

TEST_CASE("a foreign locale changes no number") {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string kept = before == nullptr ? "C" : before;
  // Where the locale is not installed the check is empty, as the numbers do not ask for one anyway.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) {
      CHECK(number(1360.5) == "1360.5");
      CHECK(exact_number(0.99) == "0.99");
    }
  std::setlocale(LC_ALL, kept.c_str());
}
