// SPDX-License-Identifier: MIT
#include "analysis/bounds/registry.hpp"

#include <array>
#include <stdexcept>

#include "analysis/bounds/drift.hpp"
#include "analysis/bounds/kl.hpp"
#include "analysis/bounds/on_policy.hpp"
#include "analysis/bounds/sharp.hpp"
#include "analysis/bounds/theorem_3_3.hpp"

namespace gammascope::bounds {
namespace {

using enum Input;
constexpr std::array takes_sigma2{sigma2};
constexpr std::array takes_sigma2_c{sigma2, c};
constexpr std::array takes_v_d2{v, d2};
constexpr std::array takes_c_l{big_c, l};

Sigma2 s2(const Inputs& in) { return Sigma2(in.at(sigma2)); }

constexpr std::string_view second_moment = "E[X^2] <= sigma2 at every position of the sum";
constexpr std::string_view clamped =
    "tokens drawn from the student, Delta <= c almost surely, E[X^2] <= sigma2";

// One line a bound; clang-format would spread each over nine.
// clang-format off
const std::array<Bound, 7> table{{
  {"theorem_3_3.finite", "Theorem 3.3", "sigma2 G^2", second_moment, takes_sigma2, false, false,
   [](const Inputs& in) { return theorem_3_3(s2(in), in.weights); }},
  {"theorem_3_3.infinite", "Theorem 3.3", "sigma2 / (1 - gamma)^2", second_moment, takes_sigma2, false, true,
   [](const Inputs& in) { return theorem_3_3(s2(in), in.weights); }},
  {"on_policy", "theory 3b", "G^2 max_s (s - phi(c)^2 s^2)", clamped, takes_sigma2_c, true, false,
   [](const Inputs& in) { return on_policy(s2(in), in.at(c), in.weights); }},
  {"sharp_v1", "theory-2 2b", "G^2 V1*(sigma2, c)", clamped, takes_sigma2_c, true, false,
   [](const Inputs& in) { return sharp_v1(s2(in), in.at(c), in.weights); }},
  {"sharp_d", "theory-2 2c", "(sqrt(sigma2 G2) + sqrt(d*) G)^2", clamped, takes_sigma2_c, true, false,
   [](const Inputs& in) { return sharp_d(s2(in), in.at(c), in.weights); }},
  {"drift", "theory 3c", "(sqrt(v G2) + sqrt(d2) G)^2",
   "E[X | h] = -KL(h) in the population, v and d2 bound the stopped noise and drift", takes_v_d2, true, false,
   [](const Inputs& in) { return drift(in.at(v), in.at(d2), in.weights); }},
  {"kl", "theory 3e", "K(C) L - L^2", "tokens drawn from the student, -A <= C almost surely", takes_c_l, true, false,
   [](const Inputs& in) { return kl(in.at(big_c), in.at(l)); }},
}};
// clang-format on

}  // namespace

std::string_view name(Input input) noexcept {
  constexpr std::array<std::string_view, 6> names{"sigma2", "c", "v", "d2", "C", "L"};
  return names[static_cast<std::size_t>(input)];
}

double Inputs::at(Input input) const {
  const std::array<std::optional<double>, 6> numbers{sigma2, c, v, d2, big_c, l};
  const auto& number = numbers[static_cast<std::size_t>(input)];
  if (!number) throw std::domain_error("the bound needs " + std::string(bounds::name(input)));
  return *number;
}

double evaluate(const Bound& bound, const Inputs& inputs) {
  for (const Input input : bound.inputs) (void)inputs.at(input);
  return bound.function(inputs);
}

std::span<const Bound> all() { return table; }

const Bound* find(std::string_view claim) noexcept {
  for (const Bound& bound : table)
    if (bound.claim == claim) return &bound;
  return nullptr;
}

std::vector<const Bound*> select(std::string_view word) {
  if (const Bound* one = find(word)) return {one};
  std::vector<const Bound*> family;
  for (const Bound& bound : table)
    if (!word.empty() && bound.claim.size() > word.size() && bound.claim.starts_with(word) &&
        (bound.claim[word.size()] == '.' || word == "sharp"))
      family.push_back(&bound);
  return family;
}

}  // namespace gammascope::bounds
