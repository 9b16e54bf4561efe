// SPDX-License-Identifier: MIT
#include "simulators/markov/process_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "analysis/core/read_text.hpp"
#include "analysis/core/shortened.hpp"
#include "analysis/io/json.hpp"
#include "simulators/markov/exact_number.hpp"

namespace gammascope::markov {
namespace {

using io::Json;

constexpr long double tolerance = 1e-12L;

std::string at(const std::string& field, std::size_t i) {
  return field + "[" + std::to_string(i) + "]";
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file)
      : file_(file), json_(io::parse_json(text, file)) {}

  ProcessFile read() {
    if (!json_.is_object()) fail("", "a process file is one JSON object");
    constexpr std::array known{"states",
                               "actions",
                               "end_state",
                               "initial",
                               "student",
                               "teacher",
                               "next",
                               "kernel",
                               "unnormalised_teacher",
                               "max_length",
                               "name",
                               "about"};
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(known, key) == known.end())
        fail(key, "there is no such field in a process file");
    states_ = size("states");
    actions_ = size("actions");
    if (const Json* end = find("end_state"); end != nullptr && !end->is_null())
      end_ = index(*end, "end_state", states_, "state");
    bool unnormalised = false;
    if (const Json* flag = find("unnormalised_teacher"); flag != nullptr) {
      if (!flag->is_boolean()) fail("unnormalised_teacher", "must be true or false");
      unnormalised = flag->get<bool>();
    }
    std::optional<std::int64_t> max_length;
    if (const Json* cut = find("max_length"); cut != nullptr && !cut->is_null()) {
      if (!cut->is_number_integer() || cut->get<std::int64_t>() < 1)
        fail("max_length", "must be a whole number of tokens, at least 1");
      max_length = cut->get<std::int64_t>();
    }
    if ((find("next") == nullptr) == (find("kernel") == nullptr))
      fail("next", "exactly one of `next` and `kernel` must be there");
    const bool kernel = find("kernel") != nullptr;
    const std::string moves_field = kernel ? "kernel" : "next";

    std::vector<double> initial = read_initial();
    const Json& student = table("student");
    const Json& teacher = table("teacher");
    const Json& moves = table(moves_field);
    std::vector<std::vector<Edge<double>>> rows(states_);
    for (std::size_t s = 0; s < states_; ++s) {
      if (end_ && *end_ == s) continue;
      const auto pi = row(student, "student", s, false);
      const auto target = row(teacher, "teacher", s, unnormalised);
      const Json& move = array(moves[s], at(moves_field, s), actions_, "token");
      for (std::size_t a = 0; a < actions_; ++a) {
        const long double p = to_long_double(pi[a]);
        if (!(p > 0)) continue;
        const auto log_ratio = static_cast<double>(log_quotient(target[a], pi[a]));
        const std::string field = at(at(moves_field, s), a);
        if (kernel)
          read_kernel(move[a], field, p, log_ratio, a, rows[s]);
        else
          rows[s].push_back({static_cast<double>(p),
                             log_ratio,
                             index(move[a], field, states_, "state"),
                             static_cast<std::uint32_t>(a)});
      }
    }
    try {
      return {Process<double>(std::move(initial), std::move(rows), end_, actions_), max_length};
    } catch (const std::invalid_argument& error) {
      fail("", error.what());
    }
  }

 private:
  [[noreturn]] void fail(const std::string& field, const std::string& rule) const {
    throw BadData({file_, 0, field, rule});
  }

  [[nodiscard]] const Json* find(const std::string& key) const {
    const auto it = json_.find(key);
    return it == json_.end() ? nullptr : &*it;
  }

  [[nodiscard]] const Json& need(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr) fail(key, "this field is missing");
    return *value;
  }

  [[nodiscard]] std::size_t size(const std::string& key) const {
    const Json& value = need(key);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1 ||
        value.get<std::int64_t>() >= std::numeric_limits<std::uint32_t>::max())
      fail(key, "must be a whole number, at least 1 and below 2^32 - 1");
    return value.get<std::size_t>();
  }

  [[nodiscard]] std::uint32_t index(const Json& value,
                                    const std::string& field,
                                    std::size_t count,
                                    const std::string& what) const {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
        value.get<std::uint64_t>() >= count)
      fail(field, "must be a " + what + ", 0 to " + std::to_string(count - 1));
    return value.get<std::uint32_t>();
  }

  const Json& array(const Json& value,
                    const std::string& field,
                    std::size_t count,
                    const std::string& what) const {
    if (!value.is_array() || value.size() != count)
      fail(field,
           "must be an array with one entry for each " + what + " (" + std::to_string(count) + ")");
    return value;
  }

  [[nodiscard]] const Json& table(const std::string& key) const {
    return array(need(key), key, states_, "state");
  }

  [[nodiscard]] ExactNumber number(const Json& value, const std::string& field) const {
    ExactNumber x;
    if (value.is_number()) {
      x = value.get<double>();
    } else if (value.is_string()) {
      auto fraction = parse_rational(value.get_ref<const std::string&>());
      if (!fraction)
        fail(field,
             "\"" + shortened(value.get_ref<const std::string&>()) +
                 "\" is neither a fraction nor a decimal");
      x = std::move(*fraction);
    } else {
      fail(field, "must be a number or a string such as \"3/5\"");
    }
    const long double p = to_long_double(x);
    if (!(p >= 0)) fail(field, "a probability must not be negative");
    if (!(p <= 1 + tolerance)) fail(field, "a probability must not exceed 1");
    return x;
  }

  [[nodiscard]] std::vector<ExactNumber> row(const Json& values,
                                             const std::string& key,
                                             std::size_t s,
                                             bool may_fall_short) const {
    const std::string field = at(key, s);
    array(values[s], field, actions_, "token");
    std::vector<ExactNumber> result;
    long double sum = 0;
    for (std::size_t a = 0; a < actions_; ++a) {
      result.push_back(number(values[s][a], at(field, a)));
      sum += to_long_double(result.back());
    }
    check_sum(sum, field, may_fall_short, key == "teacher");
    return result;
  }

  void check_sum(long double sum, const std::string& field, bool may_fall_short, bool hint) const {
    if (std::abs(sum - 1) <= tolerance || (may_fall_short && sum < 1)) return;
    std::string rule = "must sum to 1, but sums to " + std::to_string(sum);
    if (std::abs(sum - 1) < 1e-5L) rule += " (off by more than 1e-12)";
    if (hint && sum < 1)
      rule += "; mass on tokens outside the table needs \"unnormalised_teacher\": true";
    fail(field, rule);
  }

  [[nodiscard]] std::vector<double> read_initial() const {
    const Json& values = array(need("initial"), "initial", states_, "state");
    std::vector<double> initial;
    long double sum = 0;
    for (std::size_t s = 0; s < states_; ++s) {
      const long double p = to_long_double(number(values[s], at("initial", s)));
      if (end_ && *end_ == s && p != 0)
        fail(at("initial", s), "a response cannot begin in the end state");
      initial.push_back(static_cast<double>(p));
      sum += p;
    }
    check_sum(sum, "initial", false, false);
    return initial;
  }

  void read_kernel(const Json& value,
                   const std::string& field,
                   long double student,
                   double log_ratio,
                   std::size_t token,
                   std::vector<Edge<double>>& edges) const {
    if (!value.is_array()) fail(field, "must be an array of [state, probability]");
    long double sum = 0;
    std::vector<std::uint32_t> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string entry = at(field, i);
      if (!value[i].is_array() || value[i].size() != 2)
        fail(entry, "must be a pair [state, probability]");
      const std::uint32_t next = index(value[i][0], at(entry, 0), states_, "state");
      if (std::ranges::find(seen, next) != seen.end())
        fail(at(entry, 0), "this state stands twice");
      seen.push_back(next);
      const long double p = to_long_double(number(value[i][1], at(entry, 1)));
      sum += p;
      if (p > 0)
        edges.push_back(
            {static_cast<double>(student * p), log_ratio, next, static_cast<std::uint32_t>(token)});
    }
    check_sum(sum, field, false, false);
  }

  std::string file_;
  Json json_;
  std::size_t states_ = 0, actions_ = 0;
  std::optional<std::uint32_t> end_;
};

}  // namespace

ProcessFile parse_process(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

ProcessFile read_process(const std::string& path) {
  constexpr std::size_t most = std::size_t{256} << 20;
  const std::string text = read_text(path, most);
  if (text.empty()) throw BadData({path, 0, "", "the file is empty"});
  return parse_process(text, path);
}

std::string process_text(const Process<double>& process, std::optional<std::int64_t> max_length) {
  using Wide = boost::multiprecision::cpp_bin_float_50;
  const std::size_t states = process.states(), actions = process.vocabulary();
  bool kernel = false, unnormalised = false;
  Json student = Json::array(), teacher = Json::array(), moves = Json::array();
  for (std::size_t s = 0; s < states; ++s) {
    if (process.is_end(s)) {
      for (Json* table : {&student, &teacher, &moves}) table->push_back(nullptr);
      continue;
    }
    std::vector<double> pi(actions, 0.0);
    for (const Edge<double>& e : process.row(s)) pi[e.token] += e.probability;
    std::vector<Json> target(actions, Json(0)), move(actions, Json());
    Wide mass = 0;
    for (const Edge<double>& e : process.row(s)) {
      if (move[e.token].is_null()) {
        const Wide t = is_minus_infinity(e.log_ratio)
                           ? Wide(0)
                           : Wide(Wide(pi[e.token]) * exp(Wide(e.log_ratio)));
        mass += t;
        // Where both agree the same number says so exactly; 40 digits of it would not.
        target[e.token] =
            e.log_ratio == 0 ? Json(pi[e.token]) : Json(t.str(40, std::ios_base::scientific));
        move[e.token] = Json::array();
      } else {
        kernel = true;
      }
      move[e.token].push_back(Json::array({e.next, e.probability / pi[e.token]}));
    }
    if (mass > 1 + Wide(tolerance))
      throw std::invalid_argument("state " + std::to_string(s) +
                                  ": no teacher has these log-ratios, its probabilities would sum "
                                  "to " +
                                  mass.str(6));
    unnormalised = unnormalised || mass < 1 - Wide(tolerance);
    student.push_back(pi);
    teacher.push_back(target);
    moves.push_back(move);
  }
  if (!kernel)
    for (Json& row : moves)
      for (Json& move : row)
        if (!move.is_null()) move = Json(move[0][0]);
  Json json;
  json["states"] = states;
  json["actions"] = actions;
  json["end_state"] = process.end_state() ? Json(*process.end_state()) : Json();
  json["initial"] = process.initial();
  json["student"] = std::move(student);
  json["teacher"] = std::move(teacher);
  json[kernel ? "kernel" : "next"] = std::move(moves);
  if (unnormalised) json["unnormalised_teacher"] = true;
  if (max_length) json["max_length"] = *max_length;
  return json.dump() + "\n";
}

}  // namespace gammascope::markov
