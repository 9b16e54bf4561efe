// SPDX-License-Identifier: MIT
// The name of a log's content: the same for the same responses however they are kept, another one
// for any response changed.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/io/log_hash.hpp"
#include "tests/analysis/io/support.hpp"

using namespace gammascope;
using namespace gammascope::io;
using namespace gammascope::io::test;

namespace {

std::string hash_of(const std::vector<RolloutRecord>& log) {
  LogHash hash;
  for (const RolloutRecord& r : log) hash.add(r);
  return hash.text();
}

}  // namespace

TEST_CASE("the content hash is 32 digits and empty without a response") {
  CHECK(LogHash().text().empty());
  CHECK(hash_of(random_log(1, 3, 20)).size() == 32);
}

TEST_CASE("order and parts do not change the content hash") {
  auto log = random_log(2, 40, 30);
  const std::string whole = hash_of(log);
  std::reverse(log.begin(), log.end());
  CHECK(hash_of(log) == whole);
  LogHash parts[3], all;
  for (std::size_t i = 0; i < log.size(); ++i) parts[i % 3].add(log[i]);
  for (const LogHash& part : parts) all.merge(part);
  CHECK(all.text() == whole);
  CHECK(all.responses() == 40);
}

TEST_CASE("a log and its store have the same content hash") {
  const auto log = random_log(3, 25, 30);
  const Folder folder;
  std::vector<std::string> hashes;
  for (const std::string name : {"log.jsonl", "log.jsonl.zst", "store"}) {
    const auto writer = open_writer(folder / name, {}, {});
    write_all(*writer, log);
    hashes.push_back(hash_of(read_all(folder / name).rollouts));
  }
  CHECK(hashes[0] == hashes[1]);
  CHECK(hashes[0] == hashes[2]);
}

TEST_CASE("every field that a number rests on changes the content hash and the others do not") {
  Draw draw(4);
  RolloutRecord r = random_record(draw, 20, true);
  while (r.student_logprob.size() < 4) r = random_record(draw, 20, true);
  const auto with = [&](auto&& change) {
    RolloutRecord other = r;
    change(other);
    return hash_of({other});
  };
  r.mask.assign(r.student_logprob.size(), 1);
  r.mask[0] = 0;
  const std::string before = hash_of({r});
  CHECK(with([](auto& o) { o.student_logprob[1] -= 0.5f; }) != before);
  CHECK(with([](auto& o) { o.teacher_logprob[1] -= 0.5f; }) != before);
  CHECK(with([](auto& o) { o.teacher_logprob[0] = std::nanf(""); }) == before);
  CHECK(with([](auto& o) { std::swap(o.student_logprob, o.teacher_logprob); }) != before);
  CHECK(with([](auto& o) { o.mask[2] ^= 1; }) != before);
  CHECK(with([](auto& o) { o.turn.back() += 1; }) != before);
  CHECK(with([](auto& o) { o.step = *o.step + 1; }) != before);
  CHECK(with([](auto& o) { o.step.reset(); }) != before);
  CHECK(with([](auto& o) {
          o.finish = o.finish == FinishReason::stop ? FinishReason::length : FinishReason::stop;
        }) != before);
  CHECK(with([](auto& o) { o.prompt_hash += 1; }) != before);
  CHECK(with([](auto& o) { o.reward = 5; }) == before);
  CHECK(with([](auto& o) { o.advantage.clear(); }) == before);
  CHECK(with([](auto& o) { o.text = "other"; }) == before);
  CHECK(hash_of({r, r}) != before);
  RolloutRecord ones = r, none = r;
  ones.mask.assign(r.student_logprob.size(), 1);
  none.mask.clear();
  CHECK(hash_of({ones}) == hash_of({none}));
}
