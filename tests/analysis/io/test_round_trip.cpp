// SPDX-License-Identifier: MIT
// What goes in comes out, bit by bit, on every way: memory, JSONL, store.
#include "analysis/io/jsonl_writer.hpp"
#include "analysis/io/store_writer.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

LogHeader some_header() {
  LogHeader header;
  header.present = true;
  header.raw = R"({"model":"m","note":"é \" \\"})";
  header.model = "m";
  header.vocab_size = 32000;
  header.eos_ids = {2, 3};
  header.student_temperature = 0.7;
  header.dtype = "bfloat16";
  return header;
}

void require_same(const std::vector<RolloutRecord>& a, const std::vector<RolloutRecord>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("response " << i);
    REQUIRE(difference(a[i], b[i]).empty());
  }
}

}  // namespace

TEST_CASE("JSONL to store to JSONL gives equal bytes and every record as it was") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    const Folder folder;
    const auto log = random_log(seed, 60, 70);
    const std::string first = folder / "first.jsonl", store = folder / "store",
                      second = folder / "second.jsonl";
    write_all(*io::open_writer(first, some_header(), {}), log);
    const Read from_first = read_all(first);
    require_same(from_first.rollouts, log);
    io::StoreWriter writer(store, from_first.header, io::StoreMode::create, 40000);
    write_all(writer, from_first.rollouts);
    const Read from_store = read_all(store);
    require_same(from_store.rollouts, log);
    CHECK(from_store.header.vocab_size == 32000);
    CHECK(from_store.report.dialect == "store v1");
    write_all(*io::open_writer(second, from_store.header, {}), from_store.rollouts);
    CHECK(bytes_of(second) == bytes_of(first));
    CHECK(std::filesystem::exists(folder / "store/shard-000001.safetensors"));
  }
}

TEST_CASE("the comparison of records sees a change in any field") {
  Draw draw(5);
  RolloutRecord a;
  while (a.student_logprob.size() < 3) a = random_record(draw, 9, true);
  REQUIRE(difference(a, a).empty());
  std::size_t fields = 0, seen = 0;
  io::for_each_column(a, [&](const std::string& name, const auto&) {
    ++fields;
    RolloutRecord b = a;
    io::for_each_column(b, [&](const std::string& other, auto& field) {
      using T = std::remove_cvref_t<decltype(field)>;
      if (other != name) return;
      if constexpr (io::IsVector<T>::value)
        field.back() = field.back() == 0 ? typename T::value_type(1) : typename T::value_type(0);
      else if constexpr (io::IsOptional<T>::value)
        field.reset();
      else if constexpr (std::is_same_v<T, std::string>)
        field += "x";
      else
        field = static_cast<T>(static_cast<int>(field) == 1 ? 2 : 1);
    });
    seen += difference(a, b) == name ? 1u : 0u;
  });
  CHECK(fields == 32);
  CHECK(seen == fields);
}

TEST_CASE("every float comes back and most in their shortest spelling") {
  Draw draw(11);
  RolloutRecord r;
  const auto add = [&](float value) { r.entropy.push_back(value); };
  for (const float special : {0.0f,
                              -0.0f,
                              1e-45f,
                              -1e-45f,
                              1.17549435e-38f,
                              3.40282347e38f,
                              0.1f,
                              16777216.0f,
                              16777217.0f,
                              1e-5f,
                              9.99999994e-8f})
    add(special);
  for (int i = 0; i < 300000; ++i) {
    float value = 0;
    const auto bits = static_cast<std::uint32_t>(draw());
    std::memcpy(&value, &bits, 4);
    if (std::isfinite(value)) add(value);
  }
  r.student_logprob.assign(r.entropy.size(), -1);
  r.teacher_logprob.assign(r.entropy.size(), -2);
  std::string text;
  io::append_jsonl(text, r);
  const Read read = read_text(text);
  REQUIRE(difference(read.rollouts.at(0),
                     [&] {
                       RolloutRecord expected = r;
                       expected.prompt_hash = io::prompt_hash(r);
                       return expected;
                     }())
              .empty());
  CHECK(text.find(
            "[0,-0,1e-45,-1e-45,1.1754944e-38,3.4028235e+38,0.1,16777216,16777216,1e-05,1e-07,") !=
        std::string::npos);
}

TEST_CASE("what stands at masked tokens and bad numbers of simulations survive") {
  const float inf = std::numeric_limits<float>::infinity();
  RolloutRecord r;
  r.student_logprob = {-1, -inf, -3};
  r.teacher_logprob = {-inf, 1, -2};
  r.mask = {1, 0, 1};
  std::string text;
  io::append_jsonl(text, r);
  CHECK(text ==
        R"({"v":1,"mask":[1,0,1],"student_logprobs":[-1,null,-3],"teacher_logprobs":["-inf",1,-2]})"
        "\n");
  const Read read = read_text(text, with(io::NonFinitePolicy::Kind::drop_rollout));
  CHECK(read.report.nonfinite.minus_inf == 1);
  CHECK(read.report.dropped_rollouts == 1);
}

TEST_CASE("a response whose bad numbers were masked stays marked through a conversion") {
  const std::string line =
      R"({"prompt_id":"p","student_logprobs":[-1,-2],"teacher_logprobs":[-1,null]})"
      "\n";
  const Folder folder;
  const Read masked = read_text(line, with(io::NonFinitePolicy::Kind::mask_token));
  for (const std::string name : {"out.jsonl", "out"}) {
    write_all(*io::open_writer(folder / name, {}, {}), masked.rollouts);
    const Read read = read_all(folder / name);
    CHECK(read.rollouts.at(0).view().damaged);
    CHECK(read.rollouts[0].masked_bad == 1);
    CHECK(read.report.masked_tokens == 0);  // nothing was masked in this reading
  }
}
