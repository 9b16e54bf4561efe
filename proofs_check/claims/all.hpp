// SPDX-License-Identifier: MIT
// One function a statement, each in the file of its name.
#pragma once

#include "proofs_check/claim.hpp"

namespace gammascope::proofs {

[[nodiscard]] Claim proposition_3_1();
[[nodiscard]] Claim proposition_3_2();
[[nodiscard]] Claim gamma_ends();
[[nodiscard]] Claim causal_form();
[[nodiscard]] Claim token_bias();
[[nodiscard]] Claim theorem_3_3_finite();
[[nodiscard]] Claim theorem_3_3_infinite();
[[nodiscard]] Claim theorem_3_3_equality();
[[nodiscard]] Claim on_policy_identity();
[[nodiscard]] Claim never_attained();
[[nodiscard]] Claim near_attaining();
[[nodiscard]] Claim on_policy_bound();
[[nodiscard]] Claim noise_and_drift();
[[nodiscard]] Claim stopped_drift();
[[nodiscard]] Claim autocovariance_form();
[[nodiscard]] Claim kl_form();
[[nodiscard]] Claim exact_solver();
[[nodiscard]] Claim horizon_sigma2();
[[nodiscard]] Claim supermartingale();
[[nodiscard]] Claim positive_tail();
[[nodiscard]] Claim teacher_mass();
[[nodiscard]] Claim realised_length();
[[nodiscard]] Claim sharp_v1();
[[nodiscard]] Claim sharp_d();
[[nodiscard]] Claim kl_token();
[[nodiscard]] Claim kl_noise();
[[nodiscard]] Claim e_value();
[[nodiscard]] Claim surprise_e_process();
[[nodiscard]] Claim mismatch();
[[nodiscard]] Claim gradient_variance();
[[nodiscard]] Claim equal_at_one_third();
[[nodiscard]] Claim rbm_facts();
[[nodiscard]] Claim stationary_realizable();
[[nodiscard]] Claim stationary_not_realizable();
[[nodiscard]] Claim opposite_directions();
[[nodiscard]] Claim ergodic_growth();
[[nodiscard]] Claim discounted_identity();
[[nodiscard]] Claim linear_growth();
[[nodiscard]] Claim paper_numbers();

}  // namespace gammascope::proofs
