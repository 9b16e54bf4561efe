// SPDX-License-Identifier: MIT
// The batch path against the definition, bit for bit.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/credit/advantage_batch.hpp"
#include "analysis/credit/discounted_advantage.hpp"

using namespace gammascope;

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

struct Made {
  std::vector<float> student, teacher;
  std::vector<std::uint8_t> mask;
  std::vector<std::int32_t> turn;
  std::vector<std::size_t> offset{0};

  [[nodiscard]] FlatBatch view(bool with_mask = true) const {
    return {student,
            teacher,
            with_mask ? std::span<const std::uint8_t>(mask) : std::span<const std::uint8_t>(),
            turn,
            offset};
  }
};

/// Rows of random length, zero among them; masked runs whose log-probabilities are NaN; turns that
/// step by 0, 1 or more.
Made make(std::mt19937_64& random, std::size_t rows, std::size_t longest) {
  Made made;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t length = random() % 5 == 0 ? random() % 3 : random() % (longest + 1);
    std::int32_t turn = static_cast<std::int32_t>(random() % 4) - 2;
    bool sampled = random() % 2 == 0;
    for (std::size_t t = 0; t < length; ++t) {
      if (random() % 6 == 0) sampled = !sampled;
      if (random() % 9 == 0) turn += static_cast<std::int32_t>(random() % 4);
      const auto logprob = [&] { return -8.0f * static_cast<float>(random() >> 11) * 0x1p-53f; };
      made.student.push_back(sampled ? logprob() : nan_value);
      made.teacher.push_back(sampled ? (random() % 50 == 0 ? made.student.back() : logprob())
                                     : nan_value);
      made.mask.push_back(sampled);
      made.turn.push_back(turn);
    }
    made.offset.push_back(made.student.size());
  }
  return made;
}

/// A_t in double by the definition, rounded once; NaN where masked.
std::vector<float> by_definition(const Made& made, double gamma, Clock clock, bool with_mask) {
  std::vector<float> all;
  for (std::size_t r = 0; r + 1 < made.offset.size(); ++r) {
    std::vector<double> delta;
    for (std::size_t i = made.offset[r]; i < made.offset[r + 1]; ++i)
      delta.push_back(double(made.student[i]) - double(made.teacher[i]));
    std::vector<double> advantage(delta.size(), std::numeric_limits<double>::quiet_NaN());
    const auto row = [&]<class T>(const std::vector<T>& column) {
      return std::span<const T>(column).subspan(made.offset[r], delta.size());
    };
    discounted_advantage<double>(delta,
                                 with_mask ? row(made.mask) : std::span<const std::uint8_t>(),
                                 row(made.turn),
                                 gamma,
                                 clock,
                                 advantage);
    for (const double a : advantage) all.push_back(static_cast<float>(a));
  }
  return all;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0 && !(std::isnan(a[i]) && std::isnan(b[i])))
      return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE("a batch gives the bits of the definition with every clock and gamma") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const Made made = make(random, random() % 40, round % 2 == 0 ? 40 : 400);
    for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn})
      for (const double gamma : {0.0, 0.5, 0.99, 1.0}) {
        CAPTURE(round, name(clock), gamma);
        std::vector<float> batch(made.student.size());
        discounted_advantage(made.view(), Gamma(gamma), clock, batch);
        REQUIRE(same_bits(batch, by_definition(made, gamma, clock, true)));
      }
  }
}

TEST_CASE("a batch without a mask gives the bits of the definition") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    Made made = make(random, random() % 40, round % 2 == 0 ? 40 : 400);
    for (float& value : made.student) value = std::isnan(value) ? -1.25f : value;
    for (float& value : made.teacher) value = std::isnan(value) ? -3.5f : value;
    for (const Clock clock : {Clock::skip, Clock::turn}) {
      std::vector<float> batch(made.student.size());
      discounted_advantage(made.view(false), Gamma(0.9), clock, batch);
      REQUIRE(same_bits(batch, by_definition(made, 0.9, clock, false)));
    }
  }
}

TEST_CASE("equal rows of a power of two and infinite log ratios keep the bits") {
  Made made;
  for (std::size_t r = 0; r < 19; ++r) {
    for (std::size_t t = 0; t < 512; ++t) {
      made.student.push_back(-0.125f * static_cast<float>((r * 7 + t * 3) % 11));
      made.teacher.push_back(t == 500 && r % 3 == 0 ? -std::numeric_limits<float>::infinity()
                                                    : -0.25f);
      made.mask.push_back(t % 100 < 90);
      made.turn.push_back(static_cast<std::int32_t>(t / 100));
    }
    made.offset.push_back(made.student.size());
  }
  for (const bool with_mask : {true, false})
    for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn}) {
      std::vector<float> batch(made.student.size());
      discounted_advantage(made.view(with_mask), Gamma(0.99), clock, batch);
      REQUIRE(same_bits(batch, by_definition(made, 0.99, clock, with_mask)));
    }
}

TEST_CASE("a batch whose columns or offsets disagree is refused") {
  std::mt19937_64 random(3);
  const Made good = make(random, 12, 30);
  std::vector<float> batch(good.student.size());
  CHECK_NOTHROW(discounted_advantage(good.view(), Gamma(0.9), Clock::skip, batch));

  std::vector<float> shorter(batch.size() - 1);
  CHECK_THROWS_AS(discounted_advantage(good.view(), Gamma(0.9), Clock::skip, shorter),
                  std::invalid_argument);
  Made bad = good;
  bad.mask.pop_back();
  CHECK_THROWS_AS(discounted_advantage(bad.view(), Gamma(0.9), Clock::skip, batch),
                  std::invalid_argument);
  bad = good;
  bad.offset.back() += 1;
  CHECK_THROWS_AS(discounted_advantage(bad.view(), Gamma(0.9), Clock::skip, batch),
                  std::invalid_argument);
  bad = good;
  bad.turn.clear();
  CHECK_THROWS_AS(discounted_advantage(bad.view(), Gamma(0.9), Clock::turn, batch),
                  std::invalid_argument);
  bad = good;
  bad.mask.assign(bad.mask.size(), 1);
  bad.turn.assign(bad.turn.size(), 3);
  bad.turn[bad.offset[bad.offset.size() - 2]] = 4;  // the last row goes back to 3
  bad.offset = {0, bad.student.size()};
  CHECK_THROWS_AS(discounted_advantage(bad.view(), Gamma(0.9), Clock::turn, batch),
                  std::invalid_argument);
}
