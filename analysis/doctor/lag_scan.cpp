// SPDX-License-Identifier: MIT
#include "analysis/doctor/lag_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace gammascope::doctor {

namespace {

using stats::Int128;

constexpr std::int64_t enough_in_all = 64;    // pairs: below, no word about the log
constexpr std::int64_t enough_in_part = 256;  // pairs: below, an eighth is not held against the log
constexpr double clear = 4.0;                 // z

std::string text(const char* format, double a, double b = 0, double c = 0, double d = 0) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, a, b, c, d);
  return buffer;
}

/// sum (a - mean a)(b - mean b) from n, sum a, sum b and sum ab, shifted in integers to the grid
/// point below each mean and then rounded once: exactly 0 when one side is constant.
double centred(std::int64_t n, Int128 a, Int128 b, Int128 ab) {
  if (n == 0) return 0.0;
  const Int128 qa = a / n, qb = b / n, ra = a - qa * n, rb = b - qb * n;
  const Int128 about = ab - qa * b - qb * a + qa * qb * n;
  return static_cast<double>(about) -
         static_cast<double>(ra) * static_cast<double>(rb) / static_cast<double>(n);
}

/// Lag with the smallest mean |s - u| and lag with the largest correlation. A lag at which one side
/// is constant has no correlation and is passed over (responses of like tokens and an end token
/// have such lags); if lag 0 is one of them, nothing is compared.
struct Best {
  std::size_t by_abs = 0;
  std::optional<std::size_t> by_correlation;
};

Best best_of(const std::array<LagPairs, LagScan::lags>& pairs) {
  constexpr std::size_t zero = LagScan::reach;
  Best best{zero, std::nullopt};
  std::optional<double> top = pairs[zero].correlation();
  if (top) best.by_correlation = zero;
  for (std::size_t k = 0; k < LagScan::lags; ++k) {
    if (pairs[k].count() == 0) continue;
    if (pairs[k].mean_abs() < pairs[best.by_abs].mean_abs()) best.by_abs = k;
    const auto mine = pairs[k].correlation();
    if (!top || !mine || !(*mine > *top)) continue;
    top = mine;
    best.by_correlation = k;
  }
  return best;
}

}  // namespace

std::int64_t LagPairs::to_grid(double x) noexcept {
  return std::llrint(std::clamp(x, -0x1p20, 0x1p20) / quantum);
}

void LagPairs::add(std::int64_t s, std::int64_t u, std::int64_t u0) noexcept {
  const std::int64_t here = std::abs(s - u), d = here - std::abs(s - u0);
  ++n_;
  abs_ += here;
  s_ += s;
  u_ += u;
  ss_ += static_cast<Int128>(s) * s;
  uu_ += static_cast<Int128>(u) * u;
  su_ += static_cast<Int128>(s) * u;
  d_ += d;
  dd_ += static_cast<Int128>(d) * d;
}

void LagPairs::merge(const LagPairs& b) noexcept {
  n_ += b.n_;
  abs_ += b.abs_;
  s_ += b.s_;
  u_ += b.u_;
  ss_ += b.ss_;
  uu_ += b.uu_;
  su_ += b.su_;
  d_ += b.d_;
  dd_ += b.dd_;
}

double LagPairs::mean_abs() const noexcept {
  return n_ == 0 ? 0.0 : static_cast<double>(abs_) / static_cast<double>(n_) * quantum;
}

std::optional<double> LagPairs::correlation() const {
  const double ss = centred(n_, s_, s_, ss_), uu = centred(n_, u_, u_, uu_);
  if (!(ss > 0.0 && uu > 0.0)) return std::nullopt;
  return centred(n_, s_, u_, su_) / std::sqrt(ss) / std::sqrt(uu);
}

double LagPairs::squared_error() const {
  if (n_ < 2) return 0.0;
  const auto n = static_cast<double>(n_);
  // sum |s - u|^2 needs no sum of its own.
  return std::max(0.0, centred(n_, abs_, abs_, ss_ + uu_ - 2 * su_)) / (n - 1.0) / n;
}

double LagPairs::z_above(const LagPairs& there) const {
  const double error = std::sqrt(squared_error() + there.squared_error()) * quantum;
  return error > 0.0 ? (mean_abs() - there.mean_abs()) / error : 0.0;
}

double LagPairs::z_against_zero() const {
  const double dd = centred(n_, d_, d_, dd_);
  if (n_ < 2 || !(dd > 0.0)) return 0.0;
  const auto n = static_cast<double>(n_);
  return static_cast<double>(d_) / n / std::sqrt(dd / (n - 1.0) / n);
}

void LagScan::add(const Rollout& r) {
  const auto length = static_cast<std::int64_t>(r.length());
  constexpr auto none = std::numeric_limits<std::int64_t>::min();  // not sampled, or no number
  student_.assign(r.length(), none);
  teacher_.assign(r.length(), none);
  for (std::size_t t = 0; t < r.length(); ++t) {
    const auto s = static_cast<double>(r.student_logprob[t]);
    const auto u = static_cast<double>(r.teacher_logprob[t]);
    if (!r.counts(t) || !std::isfinite(s) || !std::isfinite(u)) continue;
    student_[t] = LagPairs::to_grid(s);
    teacher_[t] = LagPairs::to_grid(u);
  }
  for (std::int64_t t = 0; t < length; ++t) {
    const auto here = static_cast<std::size_t>(t);
    if (student_[here] == none) continue;
    auto& part = pairs_[static_cast<std::size_t>(t * static_cast<std::int64_t>(parts) / length)];
    for (int lag = -reach; lag <= reach; ++lag) {
      const std::int64_t other = t + lag;
      if (other < 0 || other >= length) continue;
      const std::int64_t u = teacher_[static_cast<std::size_t>(other)];
      if (u == none) continue;
      part[static_cast<std::size_t>(lag + reach)].add(student_[here], u, teacher_[here]);
    }
  }
}

LagScan::Answer LagScan::answer() const {
  constexpr std::size_t zero = reach;
  Answer a;
  std::array<LagPairs, lags> all;
  for (std::size_t p = 0; p < parts; ++p)
    for (std::size_t k = 0; k < lags; ++k) all[k].merge(pairs_[p][k]);
  for (std::size_t k = 0; k < lags; ++k) {
    a.mean_abs[k] = all[k].mean_abs();
    a.correlation[k] = all[k].correlation();
  }
  const Best best = best_of(all);
  a.best = static_cast<int>(best.by_abs) - reach;
  LagPairs won;  // lag 0 where it is the best
  int judged = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const Best here = best_of(pairs_[p]);
    a.part_ok[p] = here.by_abs == zero && here.by_correlation == zero;
    if (a.part_ok[p]) won.merge(pairs_[p][zero]);
    if (pairs_[p][zero].count() >= enough_in_part) ++judged;
  }
  int failing = 0;
  for (std::size_t p = 0; p < parts; ++p)
    if (!a.part_ok[p] && pairs_[p][zero].count() >= enough_in_part && won.count() > 0 &&
        pairs_[p][zero].z_above(won) > clear)
      ++failing;
  const bool wins = best.by_abs == zero && best.by_correlation == zero;
  const bool enough = all[zero].count() >= enough_in_all;
  // Of unrelated tokens any other lag may beat lag 0 (correlation -1 there, say), but then all do.
  std::optional<std::size_t> second;  // the best of the other lags than 0
  bool alone = true;
  for (std::size_t k = 0; k < lags; ++k) {
    if (k == zero || k == best.by_abs || all[k].count() < 2) continue;
    if (!second || a.mean_abs[k] < a.mean_abs[*second]) second = k;
    alone = alone && all[k].z_above(all[best.by_abs]) > clear;
  }
  if (enough && best.by_abs != zero && best.by_correlation == best.by_abs && alone &&
      all[best.by_abs].z_against_zero() < -clear) {
    a.aligned = Aligned::shifted;
    a.sentence = text("shift by %+.0f suspected: teacher[t] fits student[t%+.0f], ",
                      a.best,
                      static_cast<double>(-a.best)) +
                 text("mean |s - u| %.3g nats there, %.3g at lag 0",
                      a.mean_abs[best.by_abs],
                      a.mean_abs[zero]);
    if (second) a.sentence += text(", %.3g or more at the others", a.mean_abs[*second]);
  } else if (enough && wins && failing >= 2) {
    a.aligned = Aligned::chunks;
    std::string good;
    for (std::size_t p = 0; p < parts; ++p)
      if (a.part_ok[p]) good += (good.empty() ? "" : ", ") + std::to_string(p + 1);
    a.sentence = "shift suspected in parts of the rows (chunk order?): aligned in eighths " +
                 (good.empty() ? std::string("none") : good) + " of 8 only";
  } else if (enough && wins && [&] {
               for (std::size_t k = 0; k < lags; ++k)
                 if (k != zero && all[k].count() > 1 && all[k].z_against_zero() < clear)
                   return false;
               return true;
             }()) {
    a.aligned = Aligned::ok;
    a.sentence = judged < static_cast<int>(parts)
                     ? "alignment ok (lag 0; too few tokens to judge every eighth of the rows)"
                     : "alignment ok (lag 0)";
  } else {
    a.sentence = enough ? "alignment: cannot tell (no lag stands out)"
                        : "alignment: cannot tell (too few tokens)";
  }
  return a;
}

std::optional<Finding> LagScan::finding() const {
  const Answer a = answer();
  if (a.aligned != Aligned::shifted && a.aligned != Aligned::chunks) return std::nullopt;
  Finding f{"shift", Severity::error, a.sentence, {}, {}};
  for (std::size_t k = 0; k < lags; ++k) {
    const std::string lag = std::to_string(static_cast<int>(k) - reach);
    f.evidence.emplace_back("mean_abs_at_lag_" + lag, a.mean_abs[k]);
    if (a.correlation[k]) f.evidence.emplace_back("correlation_at_lag_" + lag, *a.correlation[k]);
  }
  return f;
}

}  // namespace gammascope::doctor
