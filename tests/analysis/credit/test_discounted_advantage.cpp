// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include "analysis/credit/credit_path.hpp"
#include "analysis/credit/discounted_advantage.hpp"
#include "analysis/credit/rbm_advantage.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;

namespace {

RolloutRecord record_of(const std::vector<float>& student,
                        const std::vector<float>& teacher,
                        std::vector<std::uint8_t> mask = {}) {
  RolloutRecord r;
  r.student_logprob = student;
  r.teacher_logprob = teacher;
  r.mask = std::move(mask);
  return r;
}

/// A log-ratio column as rewards: Delta = -reward.
RolloutRecord record_of_rewards(const std::vector<float>& rewards,
                                std::vector<std::uint8_t> mask = {}) {
  std::vector<float> student;
  for (const float r : rewards) student.push_back(-r);
  return record_of(student, std::vector<float>(rewards.size(), 0.0f), std::move(mask));
}

std::vector<double> advantage(const RolloutRecord& r, double gamma, Clock clock = Clock::skip) {
  std::vector<double> a;
  discounted_advantage(r.view(), Gamma(gamma), clock, a);
  return a;
}

}  // namespace

TEST_CASE("credit and RBM equal every number of the reference file") {
  std::size_t seen = 0;
  const auto file = test::reference("credit.json");
  for (const auto& c : file.at("cases")) {
    const RolloutRecord r =
        record_of(c.at("student_logprobs"), c.at("teacher_logprobs"), c.at("mask"));
    for (const Clock clock : {Clock::count, Clock::skip, Clock::reset}) {
      const std::string word(name(clock));
      std::vector<double> a = advantage(r, std::stod(c.at("gamma").get<std::string>()), clock);
      const auto compare = [&](const std::vector<double>& ours, const nlohmann::json& right) {
        REQUIRE(ours.size() == right.size());
        for (std::size_t t = 0; t < ours.size(); ++t) {
          CAPTURE(word, t, right[t]);
          if (right[t].is_null()) {
            CHECK(std::isnan(ours[t]));
          } else {
            const double x = test::decimal(right[t]);
            CHECK(std::fabs(ours[t] - x) <= 1e-13 * std::max(1.0, std::fabs(x)));
          }
          ++seen;
        }
      };
      compare(a, c.at(word));
      for (const double reward : {1.0, -1.0}) {
        std::vector<double> ahat = a;
        rbm_advantage(ahat, reward);
        compare(ahat, c.at("rbm_" + word + (reward > 0 ? "_plus" : "_minus")));
      }
    }
  }
  CHECK(seen > 1000);
}

TEST_CASE("B03 the discount counts from the token and nothing underflows") {
  const auto ones = record_of_rewards(std::vector<float>(512, 1.0f));
  const auto a = advantage(ones, 0.9);
  CHECK(std::fabs(a[0] - 10.0) < 1e-12);
  CHECK(a[511] == 1.0);
  // The faulty twin: weights gamma^t of the absolute position, never divided by gamma^t.
  double wrong = 1.0;
  for (int k = 0; k < 511; ++k) wrong *= 0.9;
  CHECK(std::fabs(wrong - 4.15e-24) < 0.01e-24);
  CHECK(std::fabs(a[511] - wrong) > 0.9);
  for (const double gamma : {0.5, 0.999}) {
    const auto longer = advantage(record_of_rewards(std::vector<float>(200000, 1.0f)), gamma);
    CHECK(std::isfinite(longer[0]));
    CHECK(std::fabs(longer[0] - 1.0 / (1.0 - gamma)) < 1e-9);
  }
}

TEST_CASE("B03 twenty random rows obey the recursion and forget their prefix") {
  std::mt19937 rng(3);
  std::normal_distribution<float> normal;
  for (int k = 0; k < 20; ++k) {
    std::vector<float> rewards(static_cast<std::size_t>(5 + k * 7));
    for (float& x : rewards) x = normal(rng);
    const double gamma = 0.05 * k;
    const RolloutRecord whole = record_of_rewards(rewards);
    const auto a = advantage(whole, gamma);
    CHECK(a.back() == -whole.view().delta(rewards.size() - 1));
    for (std::size_t t = 0; t + 1 < a.size(); ++t)
      REQUIRE(a[t] == gamma * a[t + 1] - whole.view().delta(t));
    const auto tail = advantage(record_of_rewards({rewards.begin() + 3, rewards.end()}), gamma);
    for (std::size_t t = 0; t < tail.size(); ++t) REQUIRE(tail[t] == a[t + 3]);
  }
}

TEST_CASE("B04 masked entries never reach the sum even when they are NaN or 100") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float filler : {2.0f, 100.0f, nan}) {
    const auto r = record_of_rewards({1.5f, 1.0f, filler, filler}, {1, 1, 0, 0});
    CHECK(advantage(r, 1.0)[0] == 2.5);
    CHECK(advantage(r, 1.0)[1] == 1.0);
    CHECK(std::fabs(advantage(r, 0.9)[0] - 2.4) < 1e-15);
  }
  // The faulty twin: the mask applied after the recursion.
  const auto unmasked = advantage(record_of_rewards({1.5f, 1.0f, 2.0f, 2.0f}), 0.9);
  CHECK(std::fabs(unmasked[0] - 5.478) < 1e-12);
}

TEST_CASE("B04 twenty random rows padded with NaN give the same bits") {
  std::mt19937 rng(4);
  std::normal_distribution<float> normal;
  for (int k = 0; k < 20; ++k) {
    std::vector<float> rewards(static_cast<std::size_t>(1 + k * 5));
    for (float& x : rewards) x = normal(rng);
    const auto plain = advantage(record_of_rewards(rewards), 0.97);
    std::vector<float> padded = rewards;
    padded.resize(2 * rewards.size(), std::numeric_limits<float>::quiet_NaN());
    std::vector<std::uint8_t> mask(rewards.size(), 1);
    mask.resize(padded.size(), 0);
    for (const Clock clock : {Clock::skip, Clock::count, Clock::reset}) {
      const auto a = advantage(record_of_rewards(padded, mask), 0.97, clock);
      for (std::size_t t = 0; t < plain.size(); ++t) REQUIRE(a[t] == plain[t]);
    }
  }
}

TEST_CASE("B05 three clocks give three answers on a row with tool tokens") {
  const auto r = record_of_rewards({0.2f, 9.0f, 9.0f, 0.4f}, {1, 0, 0, 1});
  CHECK(std::fabs(advantage(r, 0.9, Clock::skip)[0] - 0.56) < 1e-7);
  CHECK(std::fabs(advantage(r, 0.9, Clock::count)[0] - 0.4916) < 1e-7);
  CHECK(std::fabs(advantage(r, 0.9, Clock::reset)[0] - 0.20) < 1e-7);
  const auto second = record_of_rewards({0.0f, 0.0f, 1.0f}, {1, 0, 1});
  CHECK(advantage(second, 0.5, Clock::skip)[0] == 0.5);
  CHECK(advantage(second, 0.5, Clock::count)[0] == 0.25);
  CHECK(advantage(second, 0.5, Clock::reset)[0] == 0.0);
}

TEST_CASE("N33 the turn clock spends gamma at turn borders only") {
  RolloutRecord r = record_of({0.1f, 0.1f, 0.1f, 0.2f, 0.2f, 0.2f}, std::vector<float>(6, 0.0f));
  r.turn = {0, 0, 0, 1, 1, 1};
  CHECK(std::fabs(advantage(r, 0.9, Clock::skip)[0] + 0.6661) < 5e-5);
  CHECK(std::fabs(advantage(r, 0.9, Clock::turn)[0] + 0.84) < 1e-6);
  CHECK(std::fabs(advantage(r, 1.0, Clock::turn)[0] + 0.9) < 1e-6);
  RolloutRecord longer = record_of(std::vector<float>(1500, 0.01f), std::vector<float>(1500, 0.0f));
  for (int t = 0; t < 1500; ++t) longer.turn.push_back(t / 500);
  CHECK(std::fabs(advantage(longer, 0.99, Clock::skip)[0] + 1.0) < 1e-3);
  CHECK(std::fabs(advantage(longer, 0.99, Clock::turn)[0] + 14.85) < 1e-2);
}

TEST_CASE("The turn clock spends one gamma at a border whatever the turns are numbered") {
  RolloutRecord r = record_of({0.1f, 0.2f, 0.4f}, std::vector<float>(3, 0.0f));
  r.turn = {0, 1, 2};
  const auto dense = advantage(r, 0.9, Clock::turn);
  r.turn = {-7, 3, 2000000000};
  CHECK(advantage(r, 0.9, Clock::turn) == dense);
  std::vector<double> by_definition(3);
  const std::vector<double> delta{double(0.1f), double(0.2f), double(0.4f)};
  discounted_advantage<double>(delta, {}, r.turn, 0.9, Clock::turn, by_definition);
  CHECK(by_definition == dense);
}

TEST_CASE("N33 the turn clock without a usable turn column is refused") {
  RolloutRecord r = record_of({-1.0f, -1.0f}, {-1.0f, -2.0f});
  std::vector<double> a;
  CHECK_THROWS_AS(discounted_advantage(r.view(), Gamma(0.9), Clock::turn, a),
                  std::invalid_argument);
  r.turn = {1, 0};
  CHECK_THROWS_AS(discounted_advantage(r.view(), Gamma(0.9), Clock::turn, a),
                  std::invalid_argument);
  r.turn = {0, 0};
  CHECK_NOTHROW(discounted_advantage(r.view(), Gamma(0.9), Clock::turn, a));
}

TEST_CASE(
    "B05 N33 the fast path equals the definition bit for bit on random masked rows and all "
    "clocks") {
  std::mt19937 rng(5);
  std::normal_distribution<float> normal;
  for (int k = 0; k < 200; ++k) {
    const std::size_t length = 1 + rng() % 60;
    RolloutRecord r;
    std::int32_t turn = 0;
    for (std::size_t t = 0; t < length; ++t) {
      const bool counts = rng() % 3 != 0;
      r.mask.push_back(counts ? 1 : 0);
      r.student_logprob.push_back(counts ? normal(rng) : std::numeric_limits<float>::quiet_NaN());
      r.teacher_logprob.push_back(normal(rng));
      turn += static_cast<std::int32_t>(rng() % 4 / 3 * (1 + rng() % 2));
      r.turn.push_back(turn);
    }
    std::vector<double> delta(length, 0.0);
    for (std::size_t t = 0; t < length; ++t) delta[t] = r.view().delta(t);
    for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn})
      for (const double gamma : {0.0, 0.3, 0.9, 0.999, 1.0}) {
        std::vector<double> slow(length, std::numeric_limits<double>::quiet_NaN());
        discounted_advantage<double>(delta, r.mask, r.turn, gamma, clock, slow);
        const auto fast = advantage(r, gamma, clock);
        for (std::size_t t = 0; t < length; ++t) {
          CAPTURE(k, t, gamma, name(clock));
          REQUIRE((std::isnan(slow[t]) ? std::isnan(fast[t]) : slow[t] == fast[t]));
        }
      }
  }
}

TEST_CASE("a constant added to both columns leaves A bit for bit") {
  // All values multiples of 2^-10 below 2^10 in size, the sums at most 0: every float is exact.
  std::mt19937 rng(6);
  for (int k = 0; k < 20; ++k) {
    std::vector<float> student, teacher, student2, teacher2;
    const float shift = -static_cast<float>(rng() % 100000) / 1024.0f;
    for (int t = 0; t < 100; ++t) {
      student.push_back(-static_cast<float>(rng() % 400000) / 1024.0f);
      teacher.push_back(-static_cast<float>(rng() % 400000) / 1024.0f);
      student2.push_back(student.back() + shift);
      teacher2.push_back(teacher.back() + shift);
    }
    for (const double gamma : {0.0, 0.9, 0.99, 1.0})
      REQUIRE(advantage(record_of(student, teacher), gamma) ==
              advantage(record_of(student2, teacher2), gamma));
  }
}

TEST_CASE("B01 a teacher shifted by one turns the sign of the credit") {
  const auto clean = advantage(record_of({-0.5f, -1.0f, -1.5f}, {-0.6f, -0.8f, -1.9f}), 0.9);
  const std::vector<double> right{-0.244, -0.16, -0.4}, wrong{1.427, 1.03, 0.7};
  const auto shifted = advantage(record_of({-0.5f, -1.0f, -1.5f}, {0.0f, -0.6f, -0.8f}), 0.9);
  for (std::size_t t = 0; t < 3; ++t) {
    CHECK(std::fabs(clean[t] - right[t]) < 1e-6);
    CHECK(std::fabs(shifted[t] - wrong[t]) < 1e-6);
  }
}
