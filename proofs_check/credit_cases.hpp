// SPDX-License-Identifier: MIT
// The credit A of one population of a small process, by the definition: all its values with their
// probabilities. Left sides of the inequalities; what the right sides take is in prefix_facts.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {

/// Values with positive weights that need not sum to 1.
struct Law {
  std::vector<Ball> weight, value;
  Ball total;

  void add(const Ball& w, const Ball& v) {
    weight.push_back(w);
    value.push_back(v);
    total += w;
  }
  [[nodiscard]] bool empty() const noexcept { return weight.empty(); }
  /// E f(value).
  template <class F>
  [[nodiscard]] Ball mean(const F& f) const {
    Ball sum;
    for (std::size_t i = 0; i < weight.size(); ++i) sum.add_product(weight[i], f(value[i]));
    return sum / total;
  }
  [[nodiscard]] Ball mean() const {
    return mean([](const Ball& v) { return v; });
  }
  [[nodiscard]] Ball variance() const {
    const Ball m = mean();
    return mean([&](const Ball& v) { return square(v - m); });
  }
  [[nodiscard]] Ball second_moment() const {
    return mean([](const Ball& v) { return square(v); });
  }
};

/// All responses of a process with their log-ratios as balls.
struct BallPaths {
  struct Path {
    Ball probability;
    std::vector<Ball> x;  ///< (T) nats
    bool ended;
  };
  std::vector<Path> paths;

  BallPaths(const std::vector<Response>& all, const Table<Ball>& x) {
    for (const Response& y : all) {
      Path& path = paths.emplace_back(Path{Ball(y.probability), {}, y.ended});
      for (std::size_t t = 0; t < y.size(); ++t) path.x.push_back(x[y.state[t]][y.token[t]]);
    }
  }

  /// A = sum_{k < n} gamma^k X_{t+k}, cut short by the end, among responses with T > t; t 0-based.
  [[nodiscard]] Law credit(std::size_t t, std::size_t n, const Ball& gamma) const {
    Law law;
    for (const Path& y : paths)
      if (y.x.size() > t) law.add(y.probability, sum(y, t, std::min(n, y.x.size() - t), gamma));
    return law;
  }
  /// A of the token with exactly n left, itself included, among the responses that end.
  [[nodiscard]] Law credit_by_horizon(std::size_t n, const Ball& gamma) const {
    Law law;
    for (const Path& y : paths)
      if (y.ended && y.x.size() >= n) law.add(y.probability, sum(y, y.x.size() - n, n, gamma));
    return law;
  }
  /// X of the token with k left among the responses that end with T >= n; k <= n.
  [[nodiscard]] Law log_ratio_by_horizon(std::size_t k, std::size_t n) const {
    Law law;
    for (const Path& y : paths)
      if (y.ended && y.x.size() >= n) law.add(y.probability, y.x[y.x.size() - k]);
    return law;
  }

 private:
  static Ball sum(const Path& y, std::size_t t, std::size_t n, const Ball& gamma) {
    Ball a;
    for (std::size_t k = n; k-- > 0;) a = y.x[t + k] + gamma * a;
    return a;
  }
};

}  // namespace gammascope::proofs
