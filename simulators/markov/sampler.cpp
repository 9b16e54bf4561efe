// SPDX-License-Identifier: MIT
#include "simulators/markov/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "analysis/core/random.hpp"

namespace gammascope::markov {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint32_t no_token = std::numeric_limits<std::uint32_t>::max();

PhiloxBlock block(std::uint64_t seed, std::uint64_t prompt, std::uint32_t sample, std::uint32_t t) {
  return philox_block(
      {t, sample, static_cast<std::uint32_t>(prompt), static_cast<std::uint32_t>(prompt >> 32)},
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

std::uint64_t half(const PhiloxBlock& b, std::size_t which) {
  return std::uint64_t{b[2 * which]} << 32 | b[2 * which + 1];
}

}  // namespace

Sampler::Sampler(const Mixture& mixture, std::int64_t max_length, std::uint64_t seed)
    : max_length_(max_length), seed_(seed) {
  mixture.validate();
  if (max_length < 1 || max_length > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("the maximum length must lie in [1, 2^31)");
  for (const Process<double>& process : mixture.components) add_component(process);
  choice_ = alias_columns(mixture.weights);
  describe(max_length, seed, mixture.components.front().vocabulary());
}

void Sampler::add_component(const Process<double>& process) {
  const auto offset = static_cast<std::uint32_t>(states_.size());
  meets_minus_infinity_ = meets_minus_infinity_ || markov::meets_minus_infinity(process);
  Start start{offset, {}, {}};
  std::vector<double> weights;
  for (std::size_t s = 0; s < process.states(); ++s) {
    if (process.initial()[s] > 0) {
      weights.push_back(process.initial()[s]);
      start.states.push_back(offset + static_cast<std::uint32_t>(s));
    }
  }
  start.columns = alias_columns(weights);
  starts_.push_back(std::move(start));

  for (std::size_t s = 0; s < process.states(); ++s) {
    const auto row = process.row(s);
    State state;
    state.first = static_cast<std::uint32_t>(arrows_.size());
    state.count = static_cast<std::uint32_t>(row.size());
    state.end = process.is_end(s);
    double entropy = 0, kl = 0;
    weights.clear();
    for (std::size_t i = 0; i < row.size();) {
      std::size_t last = i;  // edges of one token stand side by side
      double student = 0;
      for (; last < row.size() && row[last].token == row[i].token; ++last)
        student += row[last].probability;
      const double logprob = std::log(student);
      entropy -= student * logprob;
      kl -= student * row[i].log_ratio;
      for (; i < last; ++i) {
        weights.push_back(row[i].probability);
        arrows_.push_back({static_cast<float>(logprob),
                           static_cast<float>(logprob + row[i].log_ratio),
                           row[i].token});
      }
    }
    const auto columns = alias_columns(weights);
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns_.push_back({columns[i].threshold,
                          offset + row[i].next,
                          offset + row[columns[i].alias].next,
                          columns[i].alias});
    state.entropy = static_cast<float>(entropy);
    state.kl = static_cast<float>(kl);
    states_.push_back(state);
  }
  if (arrows_.size() >= no_token)
    throw std::invalid_argument("a sampler holds fewer than 2^32 - 1 edges");
}

void Sampler::describe(std::int64_t max_length, std::uint64_t seed, std::size_t vocabulary) {
  header_.present = true;
  header_.vocab_size = static_cast<std::int64_t>(vocabulary);
  header_.max_response = max_length;
  if (seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    header_.seed = static_cast<std::int64_t>(seed);
  header_.dtype = "float32";
  header_.engine = "gammascope simulate";
  header_.student_temperature = 1.0;
  header_.teacher_temperature = 1.0;
  std::vector<bool> ends(vocabulary, false), goes_on(vocabulary, false);
  for (std::size_t i = 0; i < arrows_.size(); ++i)
    (states_[columns_[i].own_next].end ? ends : goes_on)[arrows_[i].token] = true;
  for (std::size_t a = 0; a < vocabulary; ++a) {
    if (!ends[a]) continue;
    if (goes_on[a]) {  // the token alone does not tell the end
      header_.eos_ids.clear();
      return;
    }
    header_.eos_ids.push_back(static_cast<std::int64_t>(a));
  }
}

std::size_t Sampler::component(std::uint64_t prompt_hash) const {
  if (choice_.size() == 1) return 0;
  return draw(choice_, half(block(seed_, prompt_hash, no_token, no_token), 0));
}

void Sampler::sample(const SampleKey& key, RolloutRecord& record) const {
  record.clear();
  record.prompt_id = key.prompt_id;
  record.prompt_hash = key.prompt_hash;
  record.sample_id = key.sample;
  record.finish = FinishReason::length;
  const Start& start = starts_[component(key.prompt_hash)];
  std::uint32_t now = start.states.front();
  if (start.states.size() > 1)
    now = start.states[draw(start.columns,
                            half(block(seed_, key.prompt_hash, key.sample, no_token), 0))];
  const auto resize = [&](std::size_t tokens) {
    for (auto* column :
         {&record.student_logprob, &record.teacher_logprob, &record.entropy, &record.prefix_kl})
      column->resize(tokens);
    record.token_id.resize(tokens);
  };
  const auto longest = static_cast<std::size_t>(max_length_);
  PhiloxBlock bits{};
  std::size_t t = 0, room = 0;
  while (t < longest && !states_[now].end) {
    if (t == room) {
      room = std::min(longest, std::max<std::size_t>(64, 2 * room));
      resize(room);
    }
    if (t % 2 == 0)
      bits = block(seed_, key.prompt_hash, key.sample, static_cast<std::uint32_t>(t / 2));
    const State& state = states_[now];
    const Wide scaled = static_cast<Wide>(half(bits, t % 2)) * state.count;
    const auto own = static_cast<std::uint32_t>(scaled >> 64);
    const Column& column = columns_[state.first + own];
    // Selected by mask: a branch here is mispredicted as often as not.
    const auto take_own =
        0u - static_cast<std::uint32_t>(static_cast<std::uint64_t>(scaled) < column.threshold);
    now = column.alias_next ^ ((column.own_next ^ column.alias_next) & take_own);
    const Arrow& arrow = arrows_[state.first + (column.alias ^ ((own ^ column.alias) & take_own))];
    record.student_logprob[t] = arrow.student;
    record.teacher_logprob[t] = arrow.teacher;
    record.token_id[t] = arrow.token;
    record.entropy[t] = state.entropy;
    record.prefix_kl[t] = state.kl;
    ++t;
  }
  resize(t);
  if (states_[now].end) record.finish = FinishReason::stop;
  record.rollout_logprob = record.student_logprob;
}

}  // namespace gammascope::markov
