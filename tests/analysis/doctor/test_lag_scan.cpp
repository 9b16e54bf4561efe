// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "analysis/doctor/lag_scan.hpp"

using namespace gammascope;
using doctor::Aligned;
using doctor::LagScan;

namespace {

/// s_t = -Exp(1), u_t = s_t + sd N(0, 1): the kind of case B1.
RolloutRecord clean_row(std::mt19937& rng, std::size_t length, double sd = 0.1) {
  std::exponential_distribution<double> exponential;
  std::normal_distribution<double> normal(0, sd);
  RolloutRecord r;
  for (std::size_t t = 0; t < length; ++t) {
    const double s = -exponential(rng);
    r.student_logprob.push_back(static_cast<float>(s));
    r.teacher_logprob.push_back(static_cast<float>(s + normal(rng)));
  }
  return r;
}

/// Teacher entry t now holds what belongs to token t - k.
RolloutRecord shifted(RolloutRecord r, int k) {
  std::rotate(r.teacher_logprob.begin(),
              k > 0 ? r.teacher_logprob.end() - k : r.teacher_logprob.begin() - k,
              r.teacher_logprob.end());
  return r;
}

/// Case N13: quarters 0 1 2 3 come back as 0 2 3 1.
RolloutRecord chunks_moved(RolloutRecord r) {
  const auto q = static_cast<std::ptrdiff_t>(r.teacher_logprob.size() / 4);
  std::rotate(
      r.teacher_logprob.begin() + q, r.teacher_logprob.begin() + 2 * q, r.teacher_logprob.end());
  return r;
}

LagScan::Answer scan(const std::vector<RolloutRecord>& rows) {
  LagScan s;
  for (const RolloutRecord& r : rows) s.add(r.view());
  return s.answer();
}

}  // namespace

TEST_CASE("B01 a clean log is aligned and a shifted teacher is found with its lag and numbers") {
  std::mt19937 rng(1);
  const RolloutRecord clean = clean_row(rng, 4096);
  const auto good = scan({clean});
  CHECK(good.aligned == Aligned::ok);
  CHECK(good.best == 0);
  // E |N(0, 0.1^2)| = 0.0798 at lag 0; E |Exp - Exp| = 1 elsewhere (case B1). Six standard errors
  // at n = 4096: .006 and .1.
  CHECK(std::fabs(good.mean_abs[LagScan::reach] - 0.0798) < 0.006);
  CHECK(std::fabs(good.mean_abs[LagScan::reach + 1] - 1.0) < 0.1);
  for (const int k : {-3, -2, -1, 1, 2, 3}) {
    const auto bad = scan({shifted(clean, k)});
    CAPTURE(k);
    CHECK(bad.aligned == Aligned::shifted);
    CHECK(bad.best == k);
  }
  LagScan s;
  s.add(shifted(clean, 1).view());
  REQUIRE(s.finding());
  CHECK(s.finding()->rule == "shift");
  CHECK(s.finding()->severity == Severity::error);
  CHECK(s.finding()->message.find("shift by +1 suspected: teacher[t] fits student[t-1]") == 0);
}

TEST_CASE("B01 twenty random logs are judged right clean and shifted") {
  std::mt19937 rng(2);
  for (int k = 0; k < 20; ++k) {
    std::vector<RolloutRecord> rows, moved;
    const int lag = std::vector<int>{-2, -1, 1, 2}[static_cast<std::size_t>(k % 4)];
    for (int i = 0; i < 20; ++i) {
      rows.push_back(clean_row(rng, 20 + rng() % 400, 0.05 + 0.02 * k));
      moved.push_back(shifted(rows.back(), lag));
    }
    CAPTURE(k, lag);
    CHECK(scan(rows).aligned == Aligned::ok);
    const auto bad = scan(moved);
    CHECK(bad.aligned == Aligned::shifted);
    CHECK(bad.best == lag);
  }
}

TEST_CASE("N13 chunks in another order pass the whole scan and fail by eighths") {
  std::mt19937 rng(3);
  for (int k = 0; k < 20; ++k) {
    const RolloutRecord clean = clean_row(rng, 4096);
    CHECK(scan({clean}).aligned == Aligned::ok);
    const auto bad = scan({chunks_moved(clean)});
    CHECK(bad.best == 0);  // lag 0 still wins in the whole log: what makes the case hard
    CHECK(bad.aligned == Aligned::chunks);
    CHECK((bad.part_ok[0] && bad.part_ok[1]));
  }
}

TEST_CASE(
    "the scan says cannot tell for short and for constant and for equal columns without "
    "structure") {
  std::mt19937 rng(4);
  CHECK(scan({clean_row(rng, 10)}).aligned == Aligned::cannot_tell);
  CHECK(scan({}).aligned == Aligned::cannot_tell);
  RolloutRecord constant;
  constant.student_logprob.assign(1000, -1.0f);
  constant.teacher_logprob.assign(1000, -1.5f);
  CHECK(scan({constant}).aligned == Aligned::cannot_tell);
  // Two unrelated columns: no lag stands out. False alarm needs |z| > 4 with both measures: below
  // 1e-3.
  RolloutRecord unrelated = clean_row(rng, 4000);
  std::shuffle(unrelated.teacher_logprob.begin(), unrelated.teacher_logprob.end(), rng);
  CHECK(scan({unrelated}).aligned == Aligned::cannot_tell);
}

TEST_CASE("masked tokens are never compared") {
  std::mt19937 rng(5);
  RolloutRecord r = clean_row(rng, 3000);
  r.mask.assign(3000, 1);
  for (std::size_t t = 0; t < 3000; t += 5) {
    r.mask[t] = 0;
    r.student_logprob[t] = std::numeric_limits<float>::quiet_NaN();
  }
  CHECK(scan({r}).aligned == Aligned::ok);
}
