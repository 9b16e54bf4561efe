// SPDX-License-Identifier: MIT
#include "analysis/doctor/lag_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gammascope::doctor {

namespace {

constexpr std::int64_t enough_in_all = 64;    // pairs: below, no word about the log
constexpr std::int64_t enough_in_part = 256;  // pairs: below, an eighth is not held against the log
constexpr double clear = 4.0;                 // z

std::string text(const char* format, double a, double b = 0, double c = 0, double d = 0) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, a, b, c, d);
  return buffer;
}

/// Lag with the smallest mean |s - u| and lag with the largest correlation; the second absent when
/// undefined anywhere.
struct Best {
  std::size_t by_abs = 0;
  std::optional<std::size_t> by_correlation;
};

Best best_of(const std::array<LagPairs, LagScan::lags>& pairs) {
  constexpr std::size_t zero = LagScan::reach;
  Best best{zero, zero};
  for (std::size_t k = 0; k < LagScan::lags; ++k) {
    if (pairs[k].count() == 0) continue;
    if (pairs[k].mean_abs() < pairs[best.by_abs].mean_abs()) best.by_abs = k;
    const auto mine = pairs[k].correlation();
    if (!best.by_correlation) continue;
    const auto top = pairs[*best.by_correlation].correlation();
    if (!mine || !top)
      best.by_correlation.reset();
    else if (*mine > *top)
      best.by_correlation = k;
  }
  return best;
}

}  // namespace

void LagPairs::add(double s, double u, double u0) {
  ++n_;
  const double n = static_cast<double>(n_);
  mean_abs_ += (std::fabs(s - u) - mean_abs_) / n;
  const double ds = s - mean_s_, du = u - mean_u_;
  mean_s_ += ds / n;
  mean_u_ += du / n;
  ss_ += ds * (s - mean_s_);
  uu_ += du * (u - mean_u_);
  su_ += ds * (u - mean_u_);
  const double d = std::fabs(s - u) - std::fabs(s - u0), dd = d - mean_d_;
  mean_d_ += dd / n;
  dd_ += dd * (d - mean_d_);
}

void LagPairs::merge(const LagPairs& b) {
  if (b.n_ == 0) return;
  const double na = static_cast<double>(n_), nb = static_cast<double>(b.n_), n = na + nb;
  const double ds = b.mean_s_ - mean_s_, du = b.mean_u_ - mean_u_, dd = b.mean_d_ - mean_d_;
  ss_ += b.ss_ + ds * ds * na * nb / n;
  uu_ += b.uu_ + du * du * na * nb / n;
  su_ += b.su_ + ds * du * na * nb / n;
  dd_ += b.dd_ + dd * dd * na * nb / n;
  mean_s_ += ds * nb / n;
  mean_u_ += du * nb / n;
  mean_d_ += dd * nb / n;
  mean_abs_ += (b.mean_abs_ - mean_abs_) * nb / n;
  n_ += b.n_;
}

std::optional<double> LagPairs::correlation() const {
  if (!(ss_ > 0.0 && uu_ > 0.0)) return std::nullopt;
  return su_ / std::sqrt(ss_) / std::sqrt(uu_);
}

double LagPairs::z_against_zero() const {
  if (n_ < 2 || !(dd_ > 0.0)) return 0.0;
  return mean_d_ / std::sqrt(dd_ / static_cast<double>(n_ - 1) / static_cast<double>(n_));
}

void LagScan::add(const Rollout& r) {
  const auto length = static_cast<std::int64_t>(r.length());
  for (std::int64_t t = 0; t < length; ++t) {
    const auto here = static_cast<std::size_t>(t);
    if (!r.counts(here)) continue;
    auto& part = pairs_[static_cast<std::size_t>(t * static_cast<std::int64_t>(parts) / length)];
    for (int lag = -reach; lag <= reach; ++lag) {
      const std::int64_t other = t + lag;
      if (other < 0 || other >= length) continue;
      const auto there = static_cast<std::size_t>(other);
      if (!r.counts(there)) continue;
      part[static_cast<std::size_t>(lag + reach)].add(double(r.student_logprob[here]),
                                                      double(r.teacher_logprob[there]),
                                                      double(r.teacher_logprob[here]));
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
  int failing = 0, judged = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const Best here = best_of(pairs_[p]);
    a.part_ok[p] = here.by_abs == zero && here.by_correlation == zero;
    if (pairs_[p][zero].count() < enough_in_part) continue;
    ++judged;
    if (!a.part_ok[p]) ++failing;
  }
  const bool wins = best.by_abs == zero && best.by_correlation == zero;
  const bool enough = all[zero].count() >= enough_in_all;
  if (enough && best.by_abs != zero && best.by_correlation == best.by_abs &&
      all[best.by_abs].z_against_zero() < -clear) {
    a.aligned = Aligned::shifted;
    a.sentence = text("shift by %+.0f suspected: mean |s - u| %.3g nats there, %.3g at lag 0",
                      a.best,
                      a.mean_abs[best.by_abs],
                      a.mean_abs[zero]);
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
