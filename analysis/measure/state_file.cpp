// SPDX-License-Identifier: MIT
#include "analysis/measure/state_file.hpp"

#include <bit>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include "analysis/core/errors.hpp"
#include "analysis/io/json.hpp"
#include "analysis/io/prompt_hash.hpp"
#include "analysis/io/safetensors.hpp"
#include "analysis/measure/state_fields.hpp"

namespace gammascope::measure {
namespace {

using io::Json;
using Words = std::vector<std::uint64_t>;
using stats::ExactMoments, stats::ExactPowers, stats::Int128, stats::Int256, stats::UInt128;

constexpr const char* format = "gammascope.state/1";
constexpr const char* hash_name = "XXH3-64, seed 0";  // of prompts and of responses
constexpr std::size_t moment_words = 5, power_words = 13;

// --- numbers as words -------------------------------------------------------------------------

void put(Words& words, Int128 x) {
  words.push_back(static_cast<std::uint64_t>(static_cast<UInt128>(x)));
  words.push_back(static_cast<std::uint64_t>(static_cast<UInt128>(x) >> 64));
}
Int128 wide(const std::uint64_t* w) {
  return static_cast<Int128>(static_cast<UInt128>(w[1]) << 64 | w[0]);
}

void put(Words& words, const ExactMoments& m) {
  words.push_back(static_cast<std::uint64_t>(m.count()));
  put(words, m.first());
  put(words, m.second());
}
ExactMoments moments(const std::uint64_t* w) {
  return ExactMoments::from_sums(static_cast<std::int64_t>(w[0]), wide(w + 1), wide(w + 3));
}

void put(Words& words, const ExactPowers& p) {
  words.push_back(static_cast<std::uint64_t>(p.count()));
  put(words, p.first());
  put(words, p.second());
  for (const Int256* x : {&p.third(), &p.fourth()})
    words.insert(words.end(), x->limbs().begin(), x->limbs().end());
}
ExactPowers powers(const std::uint64_t* w) {
  return ExactPowers::from_sums(static_cast<std::int64_t>(w[0]),
                                wide(w + 1),
                                wide(w + 3),
                                Int256::from_limbs({w[5], w[6], w[7], w[8]}),
                                Int256::from_limbs({w[9], w[10], w[11], w[12]}));
}

// --- what stands in the JSON text ---------------------------------------------------------------

Json plan_json(const Plan& plan) {
  const Settings& s = plan.settings();
  Json j;
  j["clock"] = name(s.clock);
  j["truncated"] = name(s.truncated);
  j["start"] = name(s.start);
  j["weight"] = name(s.weight);
  j["noise_floor"] = s.noise_floor ? Json(*s.noise_floor) : Json(nullptr);
  j["max_length"] = s.max_length ? Json(*s.max_length) : Json(nullptr);
  j["confidence"] = s.confidence;
  j["by_prompt"] = s.by_prompt;
  j["cells"] = Json::array();
  for (const CellSpec& cell : plan.cells())
    j["cells"].push_back(
        {name(cell.alignment), cell.gamma, cell.n ? Json(*cell.n) : Json(nullptr), cell.at_least});
  return j;
}

template <class E>
E word_of(const Json& j) {
  const auto e = parse<E>(j.get<std::string>());
  if (!e) throw std::invalid_argument("the word " + j.dump() + " is not known");
  return *e;
}

Plan plan_of(const Json& j) {
  Settings s;
  s.clock = word_of<Clock>(j.at("clock"));
  s.truncated = word_of<Truncated>(j.at("truncated"));
  s.start = word_of<Start>(j.at("start"));
  s.weight = word_of<Weight>(j.at("weight"));
  if (!j.at("noise_floor").is_null()) s.noise_floor = j.at("noise_floor").get<double>();
  if (!j.at("max_length").is_null()) s.max_length = j.at("max_length").get<std::int64_t>();
  s.confidence = j.at("confidence").get<double>();
  s.by_prompt = j.at("by_prompt").get<bool>();
  std::vector<CellSpec> cells;
  for (const Json& c : j.at("cells")) {
    CellSpec spec{word_of<Alignment>(c.at(0)), c.at(1).get<double>(), std::nullopt, c.at(3)};
    if (!c.at(2).is_null()) spec.n = c.at(2).get<std::int64_t>();
    cells.push_back(spec);
  }
  return Plan(s, cells);
}

Json text_of(const State& state) {
  Json j;
  j["plan"] = plan_json(state.sweep.plan());
  j["reading"] = state.reading;
  j["header"] = state.header;
  j["dropped"] = state.dropped;
  StateFields::each_count(state.survey,
                          [&](const char* key, std::int64_t n) { j["survey"][key] = n; });
  j["survey"]["prompts_exact"] = state.survey.prompts_exact();
  StateFields::each_sweep_count(StateFields::counts(state.sweep),
                                [&](const char* key, std::int64_t n) { j["counts"][key] = n; });
  j["responses"] = {{"count", state.responses.count()}, {"sum", state.responses.sum()}};
  j["group_bits"] = state.sweep.groups().bits();
  j["prompts_complete"] = state.sweep.prompts().complete();
  return j;
}

// --- tensors
// --------------------------------------------------------------------------------------

/// Tensors by name, as they lie in the file.
struct Tensors {
  std::map<std::string, Words> words;
  std::map<std::string, std::vector<double>> doubles;
};

template <class Blocks>
void put_blocks(const Blocks& blocks, const std::string& of, Tensors& to) {
  Words& hashes = to.words[of + ".hash"];
  Words& sums = to.words[of + ".sums"];
  if (!blocks.empty()) sums.reserve(blocks.size() * blocks.begin()->second.size() * moment_words);
  for (const auto& [hash, block] : blocks) {
    hashes.push_back(hash);
    for (const ExactMoments& cell : block) put(sums, cell);
  }
}

Tensors tensors_of(const State& state) {
  Tensors t;
  put_blocks(StateFields::blocks(state.sweep.groups()), "group", t);
  put_blocks(StateFields::blocks(state.sweep.prompts()), "prompt", t);
  for (const ExactPowers& p : StateFields::powers(state.sweep)) put(t.words["powers"], p);
  for (const auto& [sum, squares] : StateFields::largest_weights(state.sweep))
    t.doubles["largest_weights"].insert(t.doubles["largest_weights"].end(), {sum, squares});
  Words& offsets = t.words["borders.offset"];
  Words& borders = t.words["borders"];
  offsets.push_back(0);
  for (const auto& rows : StateFields::fewest_borders(state.sweep)) {
    borders.insert(borders.end(), rows.begin(), rows.end());
    offsets.push_back(borders.size());
  }
  for (const auto& [length, count] : state.survey.lengths())
    t.words["lengths"].insert(
        t.words["lengths"].end(),
        {static_cast<std::uint64_t>(length), static_cast<std::uint64_t>(count)});
  const auto hashes = state.survey.prompt_hashes().sorted();
  t.words["prompt_hashes"].assign(hashes.begin(), hashes.end());
  put(t.words["delta"], StateFields::delta(state.survey));
  const auto smallest = state.responses.smallest();
  t.words["response_hashes"].assign(smallest.begin(), smallest.end());
  return t;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Of all that the file holds.
std::string checksum(const std::string& text, const Tensors& tensors) {
  std::string all = text;
  for (const auto& [key, values] : tensors.words)
    all += "\n" + key + " " + io::content_hash(bytes_of(values));
  for (const auto& [key, values] : tensors.doubles)
    all += "\n" + key + " " + io::content_hash(bytes_of(values));
  return io::content_hash(all);
}

// --- reading
// ----------------------------------------------------------------------------------------

[[noreturn]] void bad(const std::string& path, const std::string& field, const std::string& rule) {
  throw BadData({path, 0, field, rule});
}

Tensors read_tensors(const io::TensorFile& file) {
  Tensors t;
  for (const auto& [key, tensor] : file.layout().tensors) {
    const bool words = tensor.dtype == "U64";
    if (!words && tensor.dtype != "F64") bad(file.path(), key, "has a type that no state has");
    const auto fill = [&, at = tensor](auto& values) {
      values.resize(static_cast<std::size_t>(at.count));
      file.read(at.begin, values.data(), values.size() * sizeof values[0]);
    };
    if (words)
      fill(t.words[key]);
    else
      fill(t.doubles[key]);
  }
  return t;
}

/// A tensor whose length has to be `size`.
template <class T>
const std::vector<T>& sized(const std::map<std::string, std::vector<T>>& tensors,
                            const std::string& key,
                            std::size_t size) {
  const auto at = tensors.find(key);
  if (at == tensors.end() || at->second.size() != size)
    throw std::invalid_argument("the tensor " + key + " has not the length that it must have");
  return at->second;
}

template <class Blocks>
void get_blocks(
    const Tensors& t, const std::string& of, std::size_t cells, std::size_t most, Blocks& blocks) {
  const Words& hashes = t.words.at(of + ".hash");
  if (hashes.size() > most) throw std::invalid_argument("too many blocks: " + of);
  const Words& sums = sized(t.words, of + ".sums", hashes.size() * cells * moment_words);
  for (std::size_t g = 0; g < hashes.size(); ++g) {
    auto& block = blocks[hashes[g]];
    block.reserve(cells);
    for (std::size_t c = 0; c < cells; ++c)
      block.push_back(moments(sums.data() + (g * cells + c) * moment_words));
  }
}

void get_sweep(const Json& j, const Tensors& t, Sweep& sweep) {
  StateFields::each_sweep_count(StateFields::counts(sweep), [&](const char* key, std::int64_t& n) {
    n = j.at("counts").at(key).get<std::int64_t>();
  });
  const std::size_t cells = sweep.groups().cells();
  auto& groups = StateFields::groups(sweep);
  StateFields::bits(groups) = j.at("group_bits").get<int>();
  if (groups.bits() < 0 || groups.bits() > 64)
    throw std::invalid_argument("group_bits is not in 0 to 64");
  get_blocks(t, "group", cells, Sweep::max_groups, StateFields::blocks(groups));
  auto& prompts = StateFields::prompts(sweep);
  get_blocks(t, "prompt", cells, PromptSample::capacity, StateFields::blocks(prompts));
  StateFields::overflowed(prompts) = !j.at("prompts_complete").get<bool>();
  const Words& sums = sized(t.words, "powers", cells * power_words);
  for (std::size_t c = 0; c < cells; ++c)
    StateFields::powers(sweep)[c] = powers(sums.data() + c * power_words);
  auto& weights = StateFields::largest_weights(sweep);
  const auto& doubles = sized(t.doubles, "largest_weights", 2 * weights.size());
  for (std::size_t c = 0; c < weights.size(); ++c)
    weights[c] = {doubles[2 * c], doubles[2 * c + 1]};
  auto& borders = StateFields::fewest_borders(sweep);
  const Words& offsets = sized(t.words, "borders.offset", borders.size() + 1);
  const Words& flat = sized(t.words, "borders", static_cast<std::size_t>(offsets.back()));
  for (std::size_t r = 0; r < borders.size(); ++r) {
    if (offsets[r] > offsets[r + 1]) throw std::invalid_argument("borders.offset falls");
    for (std::uint64_t k = offsets[r]; k < offsets[r + 1]; ++k)
      borders[r].push_back(static_cast<std::uint32_t>(flat.at(static_cast<std::size_t>(k))));
  }
}

void get_survey(const Json& j, const Tensors& t, Survey& survey) {
  StateFields::each_count(survey, [&](const char* key, std::int64_t& n) {
    n = j.at("survey").at(key).get<std::int64_t>();
  });
  const Words& lengths = t.words.at("lengths");
  for (std::size_t i = 0; i + 1 < lengths.size(); i += 2)
    StateFields::lengths(survey)[static_cast<std::int64_t>(lengths[i])] =
        static_cast<std::int64_t>(lengths[i + 1]);
  StateFields::hashes(survey) = DistinctHashes::from_sorted(
      t.words.at("prompt_hashes"), j.at("survey").at("prompts_exact").get<bool>());
  StateFields::delta(survey) = moments(sized(t.words, "delta", moment_words).data());
}

/// The text of the state, once the file has said that it is one of this version.
const std::string& state_text(const io::TensorFile& file) {
  const auto& said = file.layout().metadata;
  const auto is = said.find("format");
  if (is == said.end() || is->second.rfind("gammascope.state/", 0) != 0)
    bad(file.path(), "format", "this is no state of `measure --state`");
  if (is->second != format)
    bad(file.path(), "format", "is " + is->second + ", and this program reads " + format);
  const auto hash = said.find("hash");
  if (hash == said.end() || hash->second != hash_name)
    bad(file.path(), "hash", std::string("prompts must be named by ") + hash_name);
  const auto text = said.find("state");
  if (text == said.end() || said.count("checksum") == 0) bad(file.path(), "state", "is missing");
  return text->second;
}

/// @throws BadData: not laid out as a state is
io::TensorFile open_state(const std::string& path) {
  try {
    return io::TensorFile(path);
  } catch (const BadData& error) {
    const std::string& what = error.error().rule;
    const bool cut = what.find("cut or is damaged") != std::string::npos;
    bad(path, "", cut ? what : "is no state of `measure --state`, or a damaged one");
  }
}

}  // namespace

void write_state(const State& state, const std::string& path, bool overwrite) {
  const std::string text = text_of(state).dump();
  const Tensors tensors = tensors_of(state);
  std::vector<io::TensorToWrite> all;
  for (const auto& [key, values] : tensors.words)
    all.push_back({key, "U64", values.size(), bytes_of(values)});
  for (const auto& [key, values] : tensors.doubles)
    all.push_back({key, "F64", values.size(), bytes_of(values)});
  const auto sink = io::open_sink(path, overwrite);
  io::write_tensors(*sink,
                    std::move(all),
                    {{"format", format},
                     {"hash", hash_name},
                     {"state", text},
                     {"checksum", checksum(text, tensors)}});
  sink->close();
}

State read_state(const std::string& path) {
  const io::TensorFile file = open_state(path);
  const std::string& text = state_text(file);
  const Tensors tensors = read_tensors(file);
  if (checksum(text, tensors) != file.layout().metadata.at("checksum"))
    bad(path, "checksum", "does not fit what the file holds: it is damaged");
  try {
    const Json j = io::parse_json(text, path);
    State state{
        j.at("reading"), j.at("header"), {}, {}, j.at("dropped"), Sweep(plan_of(j.at("plan")))};
    get_survey(j, tensors, state.survey);
    state.responses = ResponseSet::from_parts(j.at("responses").at("count").get<std::int64_t>(),
                                              j.at("responses").at("sum").get<std::uint64_t>(),
                                              tensors.words.at("response_hashes"));
    get_sweep(j, tensors, state.sweep);
    return state;
  } catch (const BadData&) {
    throw;
  } catch (const std::exception& error) {
    bad(path, "state", std::string("cannot be read: ") + error.what());
  }
}

bool is_state_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    const io::TensorFile file(path);
    const auto& said = file.layout().metadata;
    const auto is = said.find("format");
    return is != said.end() && is->second.rfind("gammascope.state/", 0) == 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace gammascope::measure
