// SPDX-License-Identifier: MIT
#include "simulators/markov/gradient_variance.hpp"

#include <cmath>

#include "proofs_check/claims/all.hpp"
#include "proofs_check/rational_credit.hpp"

namespace gammascope::proofs {
namespace {

using markov::GradientBaseline;

/// Mean and tr Cov of g over all responses, by the definition. Number: Q or Ball.
template <class Number>
markov::GradientMoments<Number> by_definition(const TinyProcess& p,
                                              const std::vector<Response>& all,
                                              const Table<Number>& x,
                                              const Number& gamma,
                                              GradientBaseline baseline) {
  // credit[i][t], and its means over the responses alive at t, by state too.
  std::vector<std::vector<Number>> credit;
  const std::size_t length = p.length, states = p.states();
  std::vector<Number> sum(length), total(length);
  Table<Number> state_sum(length, std::vector<Number>(states)), state_total = state_sum;
  for (const Response& y : all) {
    auto& a = credit.emplace_back(y.size());
    Number ahead{0};
    const Number probability(y.probability);
    for (std::size_t t = y.size(); t-- > 0;) {
      ahead = x[y.state[t]][y.token[t]] + gamma * ahead;
      a[t] = ahead;
      sum[t] += probability * ahead;
      total[t] += probability;
      state_sum[t][y.state[t]] += probability * ahead;
      state_total[t][y.state[t]] += probability;
    }
  }
  markov::GradientMoments<Number> moments;
  moments.mean.assign(states * p.tokens(), Number{0});
  std::vector<std::vector<Number>> gradients;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Response& y = all[i];
    auto& g = gradients.emplace_back(moments.mean.size(), Number{0});
    for (std::size_t t = 0; t < y.size(); ++t) {
      Number a = credit[i][t];
      if (baseline == GradientBaseline::position) a -= sum[t] / total[t];
      if (baseline == GradientBaseline::value)
        a -= state_sum[t][y.state[t]] / state_total[t][y.state[t]];
      for (std::size_t b = 0; b < p.tokens(); ++b)
        g[y.state[t] * p.tokens() + b] +=
            a * Number(Q((y.token[t] == b ? 1 : 0) - p.student[y.state[t]][b]));
    }
    for (std::size_t k = 0; k < g.size(); ++k) moments.mean[k] += Number(y.probability) * g[k];
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < moments.mean.size(); ++k) {
      const Number gap = gradients[i][k] - moments.mean[k];
      moments.trace_cov += Number(all[i].probability) * gap * gap;
    }
  return moments;
}

constexpr GradientBaseline baselines[] = {
    GradientBaseline::none, GradientBaseline::position, GradientBaseline::value};

std::string where(const Q& gamma, GradientBaseline baseline) {
  return "gamma = " + text(gamma) + ", baseline " + name(baseline) + ": ";
}

Verdict decide_exact(const TinyProcess& p, const Table<Q>& x, std::size_t mutant) {
  const auto all = responses(p);
  const auto process = as_markov<Q>(p, x);
  for (const Q& gamma : {q(0), q(1, 3), q(1)})
    for (const GradientBaseline baseline : baselines) {
      const auto left = by_definition(p,
                                      all,
                                      x,
                                      mutant == 1 ? Q(gamma * gamma) : gamma,
                                      mutant == 2 ? GradientBaseline::none : baseline);
      const auto right =
          markov::gradient_moments(process, gamma, static_cast<std::int64_t>(p.length), baseline);
      if (left.trace_cov != right.trace_cov)
        return {0,
                where(gamma, baseline) + "tr Cov(g) = " + text(left.trace_cov) + ", recursion " +
                    text(right.trace_cov) + "\n"};
      // The recursion has the end as one more state, whose logits no token meets.
      for (std::size_t k = 0; k < right.mean.size(); ++k)
        if (right.mean[k] != (k < left.mean.size() ? left.mean[k] : Q(0)))
          return {0,
                  where(gamma, baseline) + "E g, component " + std::to_string(k) + ": recursion " +
                      text(right.mean[k]) + "\n"};
    }
  return {9, {}};
}

/// The recursion in double against the definition as a ball, with true log-ratios.
Verdict decide_double(const TinyProcess& p, std::size_t mutant) {
  const auto all = responses(p);
  const Precision bits(128);
  const Table<Ball> x = log_ratio_balls(p);
  Table<double> rounded(p.states());
  for (std::size_t s = 0; s < p.states(); ++s)
    for (const Ball& one : x[s]) rounded[s].push_back(one.midpoint());
  // as_markov wants Real(Q).
  std::vector<double> initial;
  std::vector<std::vector<markov::Edge<double>>> rows(p.states() + 1);
  for (std::size_t s = 0; s < p.states(); ++s) {
    initial.push_back(p.initial[s].convert_to<double>());
    for (std::size_t a = 0; a < p.tokens(); ++a)
      rows[s].push_back({p.student[s][a].convert_to<double>(),
                         rounded[s][a],
                         p.next[s][a],
                         static_cast<std::uint32_t>(a)});
  }
  initial.push_back(0.0);
  const markov::Process<double> process(
      initial, rows, static_cast<std::uint32_t>(p.states()), p.tokens());
  for (const double gamma : {0.0, 0.5, 1.0})
    for (const GradientBaseline baseline : baselines) {
      const auto left =
          by_definition(p, all, x, Ball(mutant == 3 ? gamma + 1e-9 : gamma), baseline);
      const auto right =
          markov::gradient_moments(process, gamma, static_cast<std::int64_t>(p.length), baseline);
      const Ball scale = left.trace_cov + left.norm2();
      const Ball gap = Ball(right.trace_cov) - left.trace_cov;
      if (!(max(gap, -gap) <= Ball(1e-12) * scale))
        return {0,
                where(Q(gamma), baseline) + "tr Cov(g) = " + left.trace_cov.text() +
                    ", recursion in double is off by " + gap.text() + "\n"};
      for (std::size_t k = 0; k < left.mean.size(); ++k) {
        const Ball off = Ball(right.mean[k]) - left.mean[k];
        if (!(square(off) <= Ball(1e-24) * scale))
          return {0, where(Q(gamma), baseline) + "E g is off by " + off.text() + "\n"};
      }
    }
  return {9, {}};
}

}  // namespace

Claim gradient_variance() {
  return {
      "gradient_variance",
      "theory-2 6a",
      "the recursion for E g and tr Cov(g), g = sum_t (A_t - B_t) grad log pi, B none, position "
      "mean or exact value, equals the definition over all responses; in double to 1e-12",
      Method::exact,
      {"gamma^2 for gamma", "no baseline for each baseline", "in double, gamma off by 1e-9"},
      [](const Run& run) {
        Outcome outcome =
            over_rational(run, 600, 10000, [&](const TinyProcess& p, const Table<Q>& x) {
              return decide_exact(p, x, run.mutant);
            });
        outcome.domain += "; gamma = 0, 1/3, 1; three baselines";
        if (outcome.counterexample) return outcome;
        const Outcome floating = over_processes(
            run, {{random_larger(400), 20}, {sixths({3}), 60}}, [&](const TinyProcess& p) {
              return decide_double(p, run.mutant);
            });
        outcome.checked += floating.checked;
        outcome.domain += "; in double with true log-ratios: " + floating.domain;
        outcome.counterexample = floating.counterexample;
        return outcome;
      }};
}

}  // namespace gammascope::proofs
