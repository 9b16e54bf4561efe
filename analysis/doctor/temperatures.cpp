// SPDX-License-Identifier: MIT
#include "analysis/doctor/temperatures.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "analysis/stats/number_text.hpp"

namespace gammascope::doctor {

void Temperatures::add(const RolloutRecord& r) {
  if (!r.temperature) return;
  least_ = rows_ == 0 ? *r.temperature : std::min(least_, *r.temperature);
  most_ = rows_ == 0 ? *r.temperature : std::max(most_, *r.temperature);
  ++rows_;
}

std::vector<Finding> Temperatures::findings(const LogHeader& header) const {
  std::vector<Finding> found;
  const auto text = [](double x) { return stats::number_text(x); };
  const std::optional<double> student = header.student_temperature;
  const std::optional<double> teacher = header.teacher_temperature;
  if (student && teacher && *student != *teacher)
    found.push_back({"temperature",
                     Severity::warning,
                     "the header says student_temperature " + text(*student) +
                         " and teacher_temperature " + text(*teacher) +
                         ": the log-ratio compares laws of two temperatures",
                     {{"student_temperature", *student}, {"teacher_temperature", *teacher}},
                     {}});
  if (rows_ == 0) return found;
  const std::string rows = least_ == most_ ? text(least_) : text(least_) + " to " + text(most_);
  if (student && (least_ != *student || most_ != *student))
    found.push_back({"temperature",
                     Severity::warning,
                     "responses say temperature " + rows + " and the header says " +
                         text(*student) +
                         " for the student: tokens were not drawn from the law that the student "
                         "column describes",
                     {{"student_temperature", *student}, {"least", least_}, {"most", most_}},
                     {}});
  else if (!student && least_ != most_)
    found.push_back({"temperature",
                     Severity::warning,
                     "responses were drawn at temperatures from " + rows +
                         ", and the header does not say at which the student column was computed",
                     {{"least", least_}, {"most", most_}},
                     {}});
  return found;
}

}  // namespace gammascope::doctor
