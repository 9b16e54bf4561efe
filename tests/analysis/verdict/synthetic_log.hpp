// SPDX-License-Identifier: MIT
// Responses made of given log-ratios X, with prompts hashed as in a log, and the sweep over them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/verdict/check.hpp"

namespace gammascope::test {

struct SyntheticLog {
  struct Response {
    std::uint64_t prompt;
    std::vector<float> x;  ///< X = log teacher - log student, nats
    FinishReason finish = FinishReason::stop;
    std::vector<std::int32_t> turn = {};
  };
  std::vector<Response> responses;
  bool has_prompt_id = true;

  [[nodiscard]] std::int64_t longest() const {
    std::size_t longest = 0;
    for (const auto& r : responses) longest = std::max(longest, r.x.size());
    return static_cast<std::int64_t>(longest);
  }

  [[nodiscard]] measure::Sweep sweep(const check::Plan& plan,
                                     const measure::Settings& settings) const {
    measure::Sweep sweep(measure::Plan(settings, plan.cells));
    for (const auto& r : responses) {
      const std::vector<float> student(r.x.size(), 0.0F);
      Rollout view;
      view.student_logprob = student;
      view.teacher_logprob = r.x;  // so Delta = -x exactly
      view.prompt = r.prompt;
      view.finish = r.finish;
      view.turn = r.turn;
      sweep.add(view, has_prompt_id);
    }
    return sweep;
  }
};

/// Settings of a check, the cells as a grid.
struct Ask : check::Settings {
  std::vector<Alignment> alignments{Alignment::window};
  std::vector<double> gammas{0, 0.9, 0.99, 1};
  std::vector<std::int64_t> at;

  [[nodiscard]] check::Plan plan(const measure::Settings& measure, std::int64_t longest) const {
    check::Settings settings = *this;
    settings.cells = measure::cell_grid(alignments, gammas, at);
    return check::plan(settings, measure, longest);
  }
};

/// splitmix64: prompt i's hash, so that both halves get their share.
inline std::uint64_t prompt_hash(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Random numbers that are the same on every platform.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2.0 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
  }

 private:
  std::mt19937_64 bits_;
};

/// `per_prompt` responses of each of `prompts` prompts, X from `draw`.
inline SyntheticLog make_log(std::size_t prompts,
                             std::size_t per_prompt,
                             const std::function<std::vector<float>()>& draw) {
  SyntheticLog log;
  for (std::size_t i = 0; i < prompts; ++i)
    for (std::size_t j = 0; j < per_prompt; ++j)
      log.responses.push_back({prompt_hash(i), draw(), FinishReason::stop, {}});
  return log;
}

/// The paper's extremal case: X_tau = Z at every position, E Z = 0: Var(A) = sigma2 G^2 exactly.
inline std::vector<float> frozen(Dice& dice, std::size_t length) {
  return std::vector<float>(length, static_cast<float>(0.5 * dice.normal()));
}

/// Independent log-ratios of sd 0.3 and mean -.05: far below the bound.
inline std::vector<float> independent(Dice& dice, std::size_t length) {
  std::vector<float> x(length);
  for (float& one : x) one = static_cast<float>(0.3 * dice.normal() - 0.05);
  return x;
}

/// Plan, sweep and judgement in one.
inline std::vector<Verdict> judged(const SyntheticLog& log,
                                   const Ask& ask,
                                   const measure::Settings& measure = {},
                                   std::optional<double> largest_delta = std::nullopt,
                                   const std::string& no_prefix_law = "",
                                   std::int64_t prompts = 0) {
  const auto plan = ask.plan(measure, log.longest());
  const auto sweep = log.sweep(plan, measure);
  check::Extras extras;
  extras.largest_delta = largest_delta;
  extras.no_prefix_law = no_prefix_law;
  extras.prompts = prompts;
  extras.kl = check::kl_evalues(plan, sweep);
  return check::judge_run(plan, sweep, 2e-6, extras);
}

}  // namespace gammascope::test
