// SPDX-License-Identifier: MIT
// The native store: shards, leftovers, appending, and files that lie.
#include "analysis/io/safetensors.hpp"
#include "analysis/io/store_writer.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

const std::string first_shard = "store/shard-000000.safetensors";

void make_store(const Folder& folder,
                const std::vector<RolloutRecord>& log,
                std::size_t shard_bytes = 1 << 20) {
  io::StoreWriter writer(folder / "store", {}, io::StoreMode::create, shard_bytes);
  write_all(writer, log);
}

/// Replaces the first `from` in the bytes of a shard's header by `to` of the same length.
std::string patched(std::string bytes, const std::string& from, const std::string& to) {
  REQUIRE(from.size() == to.size());
  const std::size_t at = bytes.find(from);
  REQUIRE(at != std::string::npos);
  return bytes.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a store is shards of about the size asked for and the last one says so") {
  const Folder folder;
  const auto log = random_log(1, 200, 100);
  make_store(folder, log, 50000);
  const auto names = folder.names();
  CHECK(names.size() > 5);
  for (const std::string& name : names)
    if (name != "store") CHECK(std::filesystem::file_size(folder / name) < 120000);
  const Read read = read_all(folder / "store");
  CHECK(read.rollouts.size() == 200);
  CHECK(read.report.unfinished_stores == 0);
}

TEST_CASE("a store without its last shard is read and said to be unfinished") {
  const Folder folder;
  const auto log = random_log(2, 100, 100);
  {
    io::StoreWriter writer(folder / "store", {}, io::StoreMode::create, 50000);
    for (const RolloutRecord& rollout : log) writer.write(rollout);
  }  // no close
  const Read read = read_all(folder / "store");
  CHECK(read.rollouts.size() < 100);
  CHECK(read.rollouts.size() > 50);
  for (std::size_t i = 0; i < read.rollouts.size(); ++i)
    CHECK(difference(read.rollouts[i], log[i]).empty());
  CHECK(read.report.unfinished_stores == 1);

  // Going on where it stopped.
  io::StoreWriter writer(folder / "store", {}, io::StoreMode::append, 50000);
  write_all(writer, {log.begin() + std::ptrdiff_t(read.rollouts.size()), log.end()});
  const Read whole = read_all(folder / "store");
  REQUIRE(whole.rollouts.size() == 100);
  CHECK(whole.report.unfinished_stores == 0);
  for (std::size_t i = 0; i < 100; ++i) CHECK(difference(whole.rollouts[i], log[i]).empty());
}

TEST_CASE("a store that is there is neither mixed nor overwritten by accident") {
  const Folder folder;
  const auto log = random_log(3, 40, 100);
  make_store(folder, log, 20000);
  CHECK_THROWS_AS(io::StoreWriter(folder / "store", {}), UsageError);
  CHECK_THROWS_AS(io::open_writer(folder / "store", {}, {}), UsageError);
  CHECK(read_all(folder / "store").rollouts.size() == 40);
  write_all(*io::open_writer(folder / "store", {}, {true}), {log[0]});
  CHECK(read_all(folder / "store").rollouts.size() == 1);
}

TEST_CASE("a store from open_writer appears whole or not at all") {
  const Folder folder;
  const auto log = random_log(8, 30, 50);
  {
    const auto writer = io::open_writer(folder / "store", {}, {});
    for (const RolloutRecord& rollout : log) writer->write(rollout);
    CHECK_FALSE(std::filesystem::exists(folder / "store"));
  }
  CHECK(folder.names().empty());
  write_all(*io::open_writer(folder / "store/", {}, {}), log);
  CHECK(folder.names().size() == 2);
  // A writer that fails leaves what was there; one that succeeds may read what it replaces.
  CHECK_THROWS(write_all(*io::open_writer(folder / "store", {}, {true}), [&] {
    std::vector<RolloutRecord> bad = log;
    bad.back().teacher_logprob.resize(bad.back().student_logprob.size() + 1);
    bad.back().student_logprob.resize(bad.back().student_logprob.size() + 3);
    return bad;
  }()));
  CHECK(read_all(folder / "store").rollouts.size() == 30);
  (void)folder.file("store/notes.txt", "mine");
  const auto reader = io::open_log(folder / "store", {});
  const auto writer = io::open_writer(folder / "store", {}, {true});
  RolloutRecord rollout;
  while (reader->next(rollout)) writer->write(rollout);
  writer->write(rollout);
  writer->close();
  CHECK(read_all(folder / "store").rollouts.size() == 31);
  CHECK(folder.names().size() == 3);
}

TEST_CASE("leftovers of a killed writer are ignored by readers and removed by the next writer") {
  const Folder folder;
  make_store(folder, random_log(4, 10, 20));
  (void)folder.file("store/shard-000001.safetensors.tmp", "half a sha");
  (void)folder.file("store/notes.txt", "mine");
  CHECK(read_all(folder / "store").rollouts.size() == 10);
  io::StoreWriter writer(folder / "store", {}, io::StoreMode::append);
  writer.close();
  CHECK_FALSE(std::filesystem::exists(folder / "store/shard-000001.safetensors.tmp"));
  CHECK(std::filesystem::exists(folder / "store/notes.txt"));
}

TEST_CASE("a folder without a shard and a store without a response are no logs") {
  const Folder folder;
  CHECK_THROWS_AS(io::open_log(folder / ".", {}), BadData);
  make_store(folder, {});
  CHECK_THROWS_AS(read_all(folder / "store"), BadData);
}

TEST_CASE("a shard cut anywhere is refused") {
  const Folder folder;
  make_store(folder, random_log(5, 20, 50));
  const std::string bytes = bytes_of(folder / first_shard);
  Draw draw(1);
  for (int i = 0; i < 200; ++i) {
    (void)folder.file(first_shard, bytes.substr(0, draw() % bytes.size()));
    CHECK_THROWS_AS(read_all(folder / "store"), BadData);
  }
  (void)folder.file(first_shard, bytes + "x");
  CHECK_THROWS_AS(read_all(folder / "store"), BadData);
  (void)folder.file(first_shard, bytes);
  CHECK(read_all(folder / "store").rollouts.size() == 20);
}

TEST_CASE("a shard with lies in its header or offsets is refused by name") {
  const Folder folder;
  RolloutRecord r;
  r.student_logprob = {-1, -2};
  r.teacher_logprob = {-2, -3};
  r.mask = {1, 1};
  r.turn = {0, 1};
  r.text = "abc";
  make_store(folder, {r, r});
  const std::string bytes = bytes_of(folder / first_shard);
  const auto message = [&](const std::string& changed) {
    (void)folder.file(first_shard, changed);
    try {
      (void)read_all(folder / "store");
    } catch (const BadData& error) {
      return error.error().field + ": " + error.error().rule;
    }
    return std::string();
  };
  CHECK(message(bytes).empty());
  CHECK(
      message(patched(bytes, "gammascope.store/1", "gammascope.store/2")).find("format: must be") ==
      0);
  CHECK(message(patched(bytes, R"("rollouts":"2")", R"("rollouts":"3")"))
            .find("prompt_hash: must have 3") == 0);
  CHECK(message(patched(bytes, R"("rollouts":"2")", R"("rollouts":"x")"))
            .find("rollouts: must be a number") == 0);
  CHECK(message(patched(bytes, R"("prompt_hash")", R"("prompt_hush")"))
            .find("prompt_hash: must be there") == 0);
  CHECK(message(patched(bytes, R"("text.offset")", R"("text.offsat")"))
            .find("text: has no text.offset") == 0);
  CHECK(message(patched(bytes, R"("turn":{"dtype":"I32")", R"("turn":{"dtype":"U32")"))
            .find("turn: must be I32") == 0);
  CHECK(message(patched(bytes, R"("clipped":{)", R"("slipped":{)"))
            .find(": holds a tensor that is no column") == 0);

  // Values of the tensors: find them by the layout.
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  const auto layout = io::parse_layout(bytes.substr(8, header), bytes.size() - 8 - header, "x");
  const auto with =
      [&](const std::string& tensor, std::size_t item, std::uint64_t value, std::size_t width) {
        std::string changed = bytes;
        std::memcpy(changed.data() + 8 + header + layout.tensors.at(tensor).begin + item * width,
                    &value,
                    width);
        return changed;
      };
  const std::uint64_t huge = ~std::uint64_t{0};
  CHECK(message(with("text.offset", 0, 1, 8)).find("text.offset: must begin at 0") == 0);
  CHECK(message(with("text.offset", 1, huge, 8)).find("text.offset: must ascend") == 0);
  CHECK(message(with("text.offset", 1, 7, 8)).find("text.offset: must ascend") == 0);
  CHECK(message(with("text.offset", 2, 2, 8)).find("text.offset: must ascend") == 0);
  CHECK(message(with("text.offset", 2, 5, 8)).find("text.offset: must ascend") == 0);
  CHECK(message(with("student_logprob.offset", 1, 1, 8)).find(": teacher_logprob has 2 values") ==
        0);
  CHECK(message(with("mask", 1, 2, 1)).find("mask: must be 0 or 1") == 0);
  CHECK(message(with("turn", 1, 0xffffffff, 4)).find("turn: turns must count upwards") == 0);
  CHECK(message(with("text", 1, 0xff, 1)).find("text: is not UTF-8") == 0);
  CHECK(message(with("finish_reason", 0, 9, 1)).find("finish_reason: is no known reason") == 0);
  CHECK(message(with("clipped", 1, huge, 8)).find("masked_bad: counts must not be negative") == 0);
  io::ReadOptions small;
  small.max_line = 10;
  (void)folder.file(first_shard, bytes);
  CHECK_THROWS_AS(read_all(folder / "store", small), BadData);
}

TEST_CASE("random damage to a shard never does worse than a refusal") {
  const Folder folder;
  const auto log = random_log(6, 20, 40);
  make_store(folder, log);
  const std::string bytes = bytes_of(folder / first_shard);
  Draw draw(2);
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string changed = bytes;
    for (unsigned n = 1 + draw() % 3; n > 0; --n)
      changed[draw() % (draw() % 2 == 0 ? 3000 : changed.size())] = static_cast<char>(draw());
    (void)folder.file(first_shard, changed);
    std::size_t got = 0;
    try {
      got = read_all(folder / "store", skipping()).rollouts.size();
    } catch (const BadData&) {
      ++refused;
    }
    CHECK(got <= 20);
  }
  CHECK(refused > 300);
}

TEST_CASE("bad numbers in a store are judged like those of JSONL") {
  const Folder folder;
  RolloutRecord r;
  r.student_logprob = {-1, -2};
  r.teacher_logprob = {-2, -std::numeric_limits<float>::infinity()};
  make_store(folder, {r, r});
  CHECK_THROWS_AS(read_all(folder / "store"), BadData);
  const Read read = read_all(folder / "store", with(io::NonFinitePolicy::Kind::clip, 4));
  CHECK(read.report.nonfinite.minus_inf == 2);
  CHECK(read.rollouts.at(0).teacher_logprob == std::vector<float>{-2, -6});
  CHECK(read_all(folder / "store", with(io::NonFinitePolicy::Kind::drop_rollout))
            .report.dropped_rollouts == 2);
}

TEST_CASE("shards whose headers disagree are refused") {
  const Folder folder;
  const auto log = random_log(7, 2, 5);
  LogHeader header;
  header.present = true;
  header.vocab_size = 10;
  write_all(*std::make_unique<io::StoreWriter>(folder / "store", header), log);
  header.vocab_size = 11;
  write_all(*std::make_unique<io::StoreWriter>(folder / "store", header, io::StoreMode::append),
            log);
  CHECK_THROWS_AS(read_all(folder / "store"), BadData);
}
