// SPDX-License-Identifier: MIT
#include <algorithm>

#include "proofs_check/claim.hpp"
#include "proofs_check/claims/all.hpp"

namespace gammascope::proofs {

std::string_view name(Method method) noexcept {
  return method == Method::exact ? "exact over Q" : "certified interval";
}

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all{
      proposition_3_1(),
      proposition_3_2(),
      gamma_ends(),
      causal_form(),
      token_bias(),
      theorem_3_3_finite(),
      theorem_3_3_infinite(),
      theorem_3_3_equality(),
      on_policy_identity(),
      never_attained(),
      near_attaining(),
      on_policy_bound(),
      noise_and_drift(),
      stopped_drift(),
      autocovariance_form(),
      kl_form(),
      exact_solver(),
      horizon_sigma2(),
      supermartingale(),
      positive_tail(),
      teacher_mass(),
      realised_length(),
      sharp_v1(),
      sharp_d(),
      kl_token(),
      kl_noise(),
      e_value(),
      surprise_e_process(),
      mismatch(),
      gradient_variance(),
      equal_at_one_third(),
      rbm_facts(),
      stationary_realizable(),
      stationary_not_realizable(),
      opposite_directions(),
      ergodic_growth(),
      discounted_identity(),
      linear_growth(),
      paper_numbers(),
  };
  return all;
}

const Claim* find_claim(std::string_view name) {
  const auto& all = claims();
  const auto found = std::ranges::find(all, name, &Claim::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace gammascope::proofs
