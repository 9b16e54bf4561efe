// SPDX-License-Identifier: MIT
#include "analysis/credit/advantage_batch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gammascope {
namespace {

constexpr std::size_t lane_count = 4;             // measured: 8 are slower
constexpr std::size_t line = 64 / sizeof(float);  // tokens in a cache line
constexpr std::size_t ahead = 8 * line;           // how far ahead memory is asked for

constexpr float not_sampled = std::numeric_limits<float>::quiet_NaN();

struct Columns {
  const float* student;
  const float* teacher;
  const std::uint8_t* mask;  // or null
  float* advantage;
  double gamma;
};

/// One response on its way from its last token to its first.
struct Lane {
  std::size_t at = 0;     // one behind the token that is next
  std::size_t first = 0;  // where the response begins
  double a = 0;           // A of the token behind
};

void check(const FlatBatch& batch, Clock clock, std::span<float> advantage) {
  const std::size_t tokens = batch.student_logprob.size();
  const auto fits = [tokens](std::size_t size) { return size == 0 || size == tokens; };
  if (batch.teacher_logprob.size() != tokens || advantage.size() != tokens ||
      !fits(batch.mask.size()) || !fits(batch.turn.size()))
    throw std::invalid_argument("discounted_advantage: columns of different length");
  if (batch.offset.empty() || batch.offset.front() != 0 || batch.offset.back() != tokens ||
      !std::ranges::is_sorted(batch.offset))
    throw std::invalid_argument("discounted_advantage: offsets must ascend from 0 to the tokens");
  if (clock == Clock::turn && batch.turn.size() != tokens)
    throw std::invalid_argument("clock turn needs the column `turn`, which this batch lacks");
}

/// Asks for the lines that hold token i. Inlined, for GCC takes a function that only prefetches for
/// one without effect.
[[gnu::always_inline]] inline void prefetch(const Columns& columns, std::size_t i) {
  __builtin_prefetch(columns.student + i);
  __builtin_prefetch(columns.teacher + i);
  __builtin_prefetch(columns.advantage + i, 1);
}

[[gnu::always_inline]] inline void step(const Columns& columns, std::size_t i, double& a) {
  a = columns.gamma * a - (double(columns.student[i]) - double(columns.teacher[i]));
  columns.advantage[i] = static_cast<float>(a);
}

/// Two tokens, i and i + 1: the conversions are made in pairs, the chain stays one by one.
[[gnu::always_inline]] inline void step_pair(const Columns& columns, std::size_t i, double& a) {
#ifdef __SSE2__
  const auto load = [](const float* p) {
    double both = 0;
    std::memcpy(&both, p, sizeof both);
    return _mm_cvtps_pd(_mm_castpd_ps(_mm_set_sd(both)));
  };
  const __m128d delta = _mm_sub_pd(load(columns.student + i), load(columns.teacher + i));
  const double later = columns.gamma * a - _mm_cvtsd_f64(_mm_unpackhi_pd(delta, delta));
  a = columns.gamma * later - _mm_cvtsd_f64(delta);
  const double both = _mm_cvtsd_f64(_mm_castps_pd(_mm_cvtpd_ps(_mm_set_pd(later, a))));
  std::memcpy(columns.advantage + i, &both, sizeof both);
#else
  step(columns, i + 1, a);
  step(columns, i, a);
#endif
}

/// What a mask and a clock make of a token.
enum class Shape : std::uint8_t { plain, skip, count, reset };

/// One token that may be masked. Masked tokens come in runs, so the branches are foreseen.
template <Shape shape>
[[gnu::always_inline]] inline void any_step(const Columns& columns, std::size_t i, double& a) {
  if (shape == Shape::plain || columns.mask[i] != 0) return step(columns, i, a);
  if constexpr (shape == Shape::count) a = columns.gamma * a;
  if constexpr (shape == Shape::reset) a = 0;
  columns.advantage[i] = not_sampled;
}

template <Shape shape>
[[gnu::always_inline]] inline void any_pair(const Columns& columns, std::size_t i, double& a) {
  if (shape == Shape::plain || (columns.mask[i] != 0 && columns.mask[i + 1] != 0)) [[likely]]
    return step_pair(columns, i, a);
  any_step<shape>(columns, i + 1, a);
  any_step<shape>(columns, i, a);
}

/// `steps` tokens of `count` lanes side by side; indices and sums stay in registers.
template <Shape shape, std::size_t count>
void advance(const Columns& shared, Lane* lane, std::size_t steps) {
  const Columns columns = shared;
  double a[count];
  std::size_t at[count];
  for (std::size_t l = 0; l < count; ++l) {
    a[l] = lane[l].a;
    lane[l].at -= steps;
    at[l] = lane[l].at;
  }
  std::size_t k = steps;
  for (; k >= 2; k -= 2)
    for (std::size_t l = 0; l < count; ++l) any_pair<shape>(columns, at[l] + k - 2, a[l]);
  if (k == 1)
    for (std::size_t l = 0; l < count; ++l) any_step<shape>(columns, at[l], a[l]);
  for (std::size_t l = 0; l < count; ++l) lane[l].a = a[l];
}

/// Takes the next response that is not empty, and asks for the end of the one after it; false when
/// there is none.
bool refill(const Columns& columns,
            Lane& lane,
            std::size_t& next,
            std::span<const std::size_t> offset) {
  while (next + 1 < offset.size()) {
    lane = Lane{.at = offset[next + 1], .first = offset[next], .a = 0};
    ++next;
    if (next + lane_count < offset.size())
      for (std::size_t i = offset[next + lane_count], k = 0; i > line && k < 8; ++k, i -= line)
        prefetch(columns, i - 1);
    if (lane.at > lane.first) return true;
  }
  return false;
}

/// Clocks skip, count and reset.
template <Shape shape>
void run_lanes(std::span<const std::size_t> offset, const Columns& columns) {
  Lane lane[lane_count];
  std::size_t next = 0, live = 0;
  while (live < lane_count && refill(columns, lane[live], next, offset)) {
    // Out of step by three cache lines each: equal rows of a power-of-two length would otherwise
    // meet in the same few lines of the first cache.
    Lane& l = lane[live];
    advance<shape, 1>(columns, &l, std::min(l.at - l.first - 1, 3 * line * live));
    ++live;
  }
  while (live == lane_count) {
    std::size_t steps = line;
    for (const Lane& l : lane) {
      steps = std::min(steps, l.at - l.first);
      if (l.at > ahead) prefetch(columns, l.at - ahead);
    }
    advance<shape, lane_count>(columns, lane, steps);
    for (std::size_t l = live; l-- > 0;)
      if (lane[l].at == lane[l].first && !refill(columns, lane[l], next, offset))
        std::swap(lane[l], lane[--live]);
  }
  for (std::size_t l = 0; l < live; ++l)  // fewer than lanes are left
    advance<shape, 1>(columns, lane + l, lane[l].at - lane[l].first);
}

/// Clock turn: one gamma at a border; within a turn a chain of additions, which is short enough
/// without lanes.
void run_turns(const FlatBatch& batch, const Columns& columns) {
  for (std::size_t r = 0; r + 1 < batch.offset.size(); ++r) {
    double a = 0;
    std::int32_t turn = std::numeric_limits<std::int32_t>::min();  // nothing sampled behind
    for (std::size_t i = batch.offset[r + 1]; i-- > batch.offset[r];) {
      if (columns.mask != nullptr && columns.mask[i] == 0) {
        columns.advantage[i] = not_sampled;
        continue;
      }
      if (batch.turn[i] != turn) {
        const bool behind = turn != std::numeric_limits<std::int32_t>::min();
        if (behind && batch.turn[i] > turn)
          throw std::invalid_argument("the turn index goes back behind token " + std::to_string(i));
        if (behind) a = columns.gamma * a;
        turn = batch.turn[i];
      }
      a -= double(columns.student[i]) - double(columns.teacher[i]);
      columns.advantage[i] = static_cast<float>(a);
    }
  }
}

}  // namespace

void discounted_advantage(const FlatBatch& batch,
                          Gamma gamma,
                          Clock clock,
                          std::span<float> advantage) {
  check(batch, clock, advantage);
  const Columns columns{batch.student_logprob.data(),
                        batch.teacher_logprob.data(),
                        batch.mask.empty() ? nullptr : batch.mask.data(),
                        advantage.data(),
                        gamma.value()};
  if (clock == Clock::turn) return run_turns(batch, columns);
  if (batch.mask.empty()) return run_lanes<Shape::plain>(batch.offset, columns);
  if (clock == Clock::skip) return run_lanes<Shape::skip>(batch.offset, columns);
  if (clock == Clock::count) return run_lanes<Shape::count>(batch.offset, columns);
  run_lanes<Shape::reset>(batch.offset, columns);
}

}  // namespace gammascope
