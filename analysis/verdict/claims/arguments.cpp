// SPDX-License-Identifier: MIT
#include "analysis/verdict/claims/arguments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "analysis/stats/number_text.hpp"

namespace gammascope::claims {
namespace {

constexpr std::array places{
    Alignment::window, Alignment::position, Alignment::horizon, Alignment::infinite};

bool is_place(std::string_view argument) {
  return std::ranges::any_of(places, [&](Alignment a) { return name(a) == argument; });
}

At at_of(const Spec& spec, std::string_view field) {
  At at = spec.at;
  if (!at.file.empty()) at.field = field;
  return at;
}

}  // namespace

void check_arguments(const Spec& spec, std::initializer_list<std::string_view> known) {
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument& a = spec.arguments[i];
    const bool there = std::ranges::any_of(known, [&](std::string_view name) {
      return name == a.name || (name == "place" && is_place(a.name));
    });
    if (!there) {
      std::string all;
      for (const std::string_view name : known)
        all.append(all.empty() ? "" : ", ")
            .append(name == "place" ? "window | position | horizon | infinite" : name);
      refuse(a.at, spec.quantity + " has no argument '" + a.name + "' (" + all + ")");
    }
    for (std::size_t k = 0; k < i; ++k)
      if (spec.arguments[k].name == a.name) refuse(a.at, "'" + a.name + "' is given twice");
  }
}

const Argument* find_argument(const Spec& spec, std::string_view name) {
  for (const Argument& a : spec.arguments)
    if (a.name == name) return &a;
  return nullptr;
}

std::vector<double> numbers_of(const Spec& spec, std::string_view name, double low, double high) {
  const Argument* const a = find_argument(spec, name);
  if (a == nullptr)
    refuse(at_of(spec, name), spec.quantity + " needs " + std::string(name) + ", which is missing");
  for (const double x : a->numbers)
    if (!(x >= low && x <= high))
      refuse(a->at,
             std::string(name) + " is " + stats::number_text(x, 6) + ", not between " +
                 stats::number_text(low, 6) + " and " + stats::number_text(high, 6));
  return a->numbers;
}

double number_of(const Spec& spec, std::string_view name, double low, double high) {
  const auto all = numbers_of(spec, name, low, high);
  if (all.size() != 1)
    refuse(find_argument(spec, name)->at, std::string(name) + " is one number here, not a list");
  return all[0];
}

PlaceArgument place_of(const Spec& spec) {
  const Argument* found = nullptr;
  PlaceArgument place;
  for (const Alignment a : places) {
    const Argument* const one = find_argument(spec, name(a));
    if (one == nullptr) continue;
    if (found != nullptr) refuse(one->at, "one of window, position, horizon and infinite, not two");
    found = one;
    place.alignment = a;
  }
  if (found == nullptr)
    refuse(at_of(spec, "window"),
           spec.quantity + " needs a place: window=N, position=N, horizon=N or infinite");
  if (place.alignment == Alignment::infinite) {
    if (found->numbers != std::vector<double>{1.0}) refuse(found->at, "infinite takes no number");
    return place;
  }
  const double least = place.alignment == Alignment::position ? 0.0 : 1.0;
  for (const double n : numbers_of(spec, name(place.alignment), least, 0x1p40)) {
    if (n != std::floor(n)) refuse(found->at, "must be whole numbers of tokens");
    place.n.push_back(static_cast<std::int64_t>(n));
  }
  return place;
}

std::vector<measure::CellSpec> grid_of(const Spec& spec) {
  const std::vector<double> gammas = numbers_of(spec, "gamma", 0.0, 1.0);
  const PlaceArgument place = place_of(spec);
  std::vector<measure::CellSpec> cells;
  for (const double gamma : gammas) {
    if (place.alignment == Alignment::infinite) {
      if (!(gamma < 1.0))
        refuse(find_argument(spec, "gamma")->at, "without a cut gamma must be below 1");
      cells.push_back({place.alignment, gamma, std::nullopt});
    }
    for (const std::int64_t n : place.n) cells.push_back({place.alignment, gamma, n});
  }
  return cells;
}

}  // namespace gammascope::claims
