// SPDX-License-Identifier: MIT
#include "simulators/families/registry.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "analysis/core/shortened.hpp"
#include "simulators/families/branching.hpp"
#include "simulators/families/clustered.hpp"
#include "simulators/families/ergodic.hpp"
#include "simulators/families/frozen.hpp"
#include "simulators/families/heavy_tailed.hpp"
#include "simulators/families/near_attaining.hpp"
#include "simulators/families/ragged.hpp"

namespace gammascope::families {
namespace {

std::string plain(double x) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, x);
  return {text, end};
}

std::string legal(const Parameter& p) {
  return (p.whole ? "a whole number " : "a number ") + std::string("between ") + plain(p.low) +
         " and " + plain(p.high) + " (both excluded)";
}

}  // namespace

const std::vector<Family>& all_families() {
  static const std::vector<Family> families{
      NearAttaining::family(),
      Frozen::family(),
      Ragged::family(),
      Ergodic::family(),
      HeavyTailed::family(),
      Clustered::family(),
      Branching::family(),
  };
  return families;
}

const Family& find_family(std::string_view name) {
  std::string names;
  for (const Family& family : all_families()) {
    if (family.name == name) return family;
    names += (names.empty() ? "" : ", ") + family.name;
  }
  throw UsageError("there is no family called \"" + shortened(name) + "\"; there are " + names);
}

Values read_values(const Family& family, std::string_view text) {
  Values values;
  for (const Parameter& p : family.parameters) values[p.name] = p.value;
  Values seen;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const auto equals = item.find('=');
    const std::string key(item.substr(0, equals));
    const auto p = std::ranges::find(family.parameters, key, &Parameter::name);
    if (equals == std::string_view::npos || p == family.parameters.end()) {
      std::string names;
      for (const Parameter& known : family.parameters)
        names += (names.empty() ? "" : ", ") + known.name;
      throw UsageError("\"" + shortened(item) + "\": a parameter of " + family.name +
                       " is written NAME=NUMBER with NAME one of " + names);
    }
    const std::string_view number = item.substr(equals + 1);
    double x = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), x);
    if (error != std::errc{} || end != number.data() + number.size() || number.empty() ||
        !(x > p->low && x < p->high) || (p->whole && x != std::floor(x)))
      throw UsageError("parameter " + key + " of " + family.name + ": \"" + shortened(number) +
                       "\" is not " + legal(*p));
    if (!seen.emplace(key, x).second)
      throw UsageError("parameter " + key + " of " + family.name + " is given twice");
    values[key] = x;
  }
  return values;
}

markov::Mixture build(const Family& family, const Values& values) {
  try {
    return family.build(values);
  } catch (const std::invalid_argument& error) {
    throw UsageError("family " + family.name + ": " + error.what());
  }
}

}  // namespace gammascope::families
