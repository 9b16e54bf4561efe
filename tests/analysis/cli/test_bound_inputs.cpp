// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/cli/bound_inputs.hpp"

using namespace gammascope;

TEST_CASE("the log's own inputs of bounds are the plain averages by position") {
  cli::BoundInputs inputs;
  // Eight responses: four of one token (Delta = 1), four of two (Delta = 1, then 3); KL .5, then 2.
  for (int k = 0; k < 8; ++k) {
    RolloutRecord r;
    r.student_logprob = {-1.0f};
    r.teacher_logprob = {-2.0f};
    r.prefix_kl = {0.5f};
    inputs.add(r);
    r.student_logprob = {-1.0f, -1.0f};
    r.teacher_logprob = {-2.0f, -4.0f};
    r.prefix_kl = {0.5f, 2.0f};
    inputs.add(r);
  }
  CHECK(*inputs.sigma2(1) == 1.0);
  CHECK(*inputs.sigma2(2) == 9.0);  // among those alive, not diluted by those that ended
  CHECK(*inputs.max_delta() == 3.0);
  CHECK(*inputs.noise_variance(1) == 0.25);  // X + KL = -1 + .5
  CHECK(*inputs.noise_variance(2) == 0.5);   // (-3 + 2)^2 in half of all responses
  CHECK(*inputs.drift_variance(1) == 0.0);   // constant KL, all alive
  CHECK(std::fabs(*inputs.drift_variance(2) - 1.0) <
        1e-15);  // D = -2 in half of all: stopped drift, theory 3c
}

TEST_CASE("without prefix_kl there is no noise and drift split and with few rows no sigma2") {
  cli::BoundInputs inputs;
  RolloutRecord r;
  r.student_logprob = {-1.0f};
  r.teacher_logprob = {-2.0f};
  for (int k = 0; k < 7; ++k) inputs.add(r);
  CHECK_FALSE(inputs.sigma2(1));
  inputs.add(r);
  CHECK(inputs.sigma2(1));
  CHECK_FALSE(inputs.noise_variance(1));
}

TEST_CASE("one missing prefix_kl makes noise and drift absent instead of small") {
  cli::BoundInputs inputs;
  RolloutRecord r;
  r.student_logprob = {-1.0f};
  r.teacher_logprob = {-2.0f};
  r.prefix_kl = {0.5f};
  for (int k = 0; k < 20; ++k) inputs.add(r);
  CHECK(inputs.noise_variance(1));
  r.prefix_kl = {std::numeric_limits<float>::quiet_NaN()};
  inputs.add(r);
  CHECK_FALSE(inputs.noise_variance(1));
  CHECK_FALSE(inputs.drift_variance(1));
}
