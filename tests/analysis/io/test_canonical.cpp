// SPDX-License-Identifier: MIT
// Canonical JSONL, line by line: every field, and every rule with a line that breaks it.
#include <utility>

#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

/// A good line with `extra` members, which begin with a comma.
std::string good(const std::string& extra = "") {
  return R"({"v":1,"prompt_id":"p1","student_logprobs":[-1,-2],"teacher_logprobs":[-1.5,-2.5])" +
         extra + "}\n";
}

}  // namespace

TEST_CASE("every field of a canonical line arrives") {
  const Read read = read_text(
      R"({"v":1,"run":"r","step":12,"prompt_id":"p17","sample_id":3,"teacher":"t0","domain":"math",)"
      R"("token_ids":[5,6,7000000000],"mask":[1,0,true],"turn":[0,0,1],"student_logprobs":[-0.1,null,-0.3],)"
      R"("teacher_logprobs":[-0.2,null,-0.4],"rollout_logprobs":[-0.11,0,-0.31],"ref_logprobs":[-1,-2,-3],)"
      R"("entropy":[0.5,null,0.25],"prefix_kl":[0.1,null,0.2],"advantages":[0.125,null,-0.5],)"
      R"("score_sketch":[[1,2],[3,4],[5,6]],"topk":[[1,-0.5]],"temperature":0.7,"top_p":0.9,"top_k":-1,)"
      R"("logprobs_kind":"raw","estimator":"k1","finish_reason":"length","reward":0.5,)"
      R"("weight_version_sampled":41,"weight_version_scored":[[0,41],[2,42]],"teacher_version":"v2",)"
      R"("masked_bad":2,"clipped":1,"text":"\u00e9 \"x\""})"
      "\n");
  REQUIRE(read.rollouts.size() == 1);
  const RolloutRecord& r = read.rollouts[0];
  CHECK(r.run == "r");
  CHECK(r.step == 12);
  CHECK(r.prompt_id == "p17");
  CHECK(r.prompt_hash == io::prompt_hash("p17"));
  CHECK(r.sample_id == 3);
  CHECK(r.teacher == "t0");
  CHECK(r.domain == "math");
  CHECK(r.token_id == std::vector<std::int64_t>{5, 6, 7000000000});
  CHECK(r.mask == std::vector<std::uint8_t>{1, 0, 1});
  CHECK(r.turn == std::vector<std::int32_t>{0, 0, 1});
  CHECK(r.student_logprob[0] == -0.1f);
  CHECK(std::isnan(r.student_logprob[1]));
  CHECK(r.teacher_logprob[2] == -0.4f);
  CHECK(r.rollout_logprob[2] == -0.31f);
  CHECK(r.ref_logprob == std::vector<float>{-1, -2, -3});
  CHECK(r.entropy[2] == 0.25f);
  CHECK(r.prefix_kl[0] == 0.1f);
  CHECK(r.advantage[0] == 0.125);
  CHECK(std::isnan(r.advantage[1]));
  CHECK(r.score_sketch == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(r.topk == "[[1,-0.5]]");
  CHECK(r.temperature == 0.7);
  CHECK(r.top_p == 0.9);
  CHECK(r.top_k == -1);
  CHECK(r.logprobs_kind == "raw");
  CHECK(r.estimator == "k1");
  CHECK(r.finish == FinishReason::length);
  CHECK(r.reward == 0.5);
  CHECK(r.weight_version_sampled == "41");
  CHECK(r.weight_version_scored == "[[0,41],[2,42]]");
  CHECK(r.teacher_version == "v2");
  CHECK(r.masked_bad == 2);
  CHECK(r.clipped == 1);
  CHECK(r.text == "\xc3\xa9 \"x\"");
  CHECK_FALSE(read.header.present);
  CHECK(read.report.dialect == "canonical v1");
  CHECK(read.report.unknown_fields.empty());
}

TEST_CASE("null stands for an absent field and an integer prompt_id is its text") {
  const Read read = read_text(
      R"({"prompt_id":17,"step":null,"mask":null,"reward":null,"finish_reason":null,"text":null,"topk":null,)"
      R"("entropy":null,"student_logprobs":[-1],"teacher_logprobs":[-1]})"
      "\n");
  const RolloutRecord& r = read.rollouts.at(0);
  CHECK(r.prompt_id == "17");
  CHECK(r.prompt_hash == io::prompt_hash("17"));
  CHECK_FALSE(r.step.has_value());
  CHECK(r.mask.empty());
  CHECK_FALSE(r.reward.has_value());
  CHECK(r.finish == FinishReason::unknown);
  CHECK(r.entropy.empty());
  CHECK(r.topk.empty());
}

TEST_CASE("a broken rule is named with file and line and field") {
  // Each line breaks one rule; the good one beside it, in every other respect alike, does not.
  const auto [line, words] = GENERATE(table<std::string, std::string>({
      {good(R"(,"mask":[1,2])"), "log.jsonl:2: mask[1]: must be 0 or 1, is 2"},
      {good(R"(,"mask":[1,0.5])"), "log.jsonl:2: mask[1]: must be 0 or 1"},
      {good(R"(,"mask":[1,"a"])"), "log.jsonl:2: mask[1]: must be 0 or 1"},
      {good(R"(,"mask":[1])"), "log.jsonl:2: mask: has 1 values, student_logprobs has 2"},
      {good(R"(,"mask":[])"), "log.jsonl:2: mask: has 0 values"},
      {good(R"(,"mask":1)"), "log.jsonl:2: mask: must be an array, is 1"},
      {good(R"(,"token_ids":[1.5,2])"), "log.jsonl:2: token_ids[0]: must be an integer, is 1.5"},
      {good(R"(,"token_ids":[1,null])"), "log.jsonl:2: token_ids[1]: must be an integer"},
      {good(R"(,"token_ids":[1,2,3])"), "log.jsonl:2: token_ids: has 3 values"},
      {good(R"(,"token_ids":[1,99999999999999999999])"),
       "log.jsonl:2: token_ids[1]: must be an integer"},
      {good(R"(,"turn":[1,0])"), "log.jsonl:2: turn[1]: turns must count upwards"},
      {good(R"(,"turn":[-1,0])"), "log.jsonl:2: turn[0]: turns must count upwards"},
      {good(R"(,"turn":[0,3000000000])"), "log.jsonl:2: turn[1]: does not fit in 32 bits"},
      {good(R"(,"entropy":[1,"x"])"), "log.jsonl:2: entropy[1]: must be a number, is \"x\""},
      {good(R"(,"entropy":[1,[2]])"), "log.jsonl:2: entropy[1]: must be a number, is ["},
      {good(R"(,"entropy":[1,1.2.3])"), "log.jsonl:2: entropy[1]: must be a number, is 1.2.3"},
      {good(R"(,"entropy":[1,truly])"), "log.jsonl:2: entropy[1]: must be a number"},
      {good(R"(,"advantages":[1])"), "log.jsonl:2: advantages: has 1 values"},
      {good(R"(,"score_sketch":[[1,2],[3]])"), "log.jsonl:2: score_sketch[1]: has 1 values"},
      {good(R"(,"score_sketch":[[1,2]])"), "log.jsonl:2: score_sketch: has 1 values"},
      {R"({"v":1,"prompt_id":"p","score_sketch":[[1,2]]})"
       "\n",
       "log.jsonl:2: score_sketch: no other column says how many tokens there are"},
      {good(R"(,"score_sketch":[1,2])"), "log.jsonl:2: score_sketch[0]: must be an array"},
      {good(R"(,"step":1.5)"), "log.jsonl:2: step: must be an integer, is 1.5"},
      {good(R"(,"sample_id":"a")"), "log.jsonl:2: sample_id: must be an integer"},
      {good(R"(,"reward":"good")"), "log.jsonl:2: reward: must be a number"},
      {good(R"(,"finish_reason":"eos")"),
       "log.jsonl:2: finish_reason: must be stop | length | abort"},
      {good(R"(,"run":5)"), "log.jsonl:2: run: must be a string, is 5"},
      {good(R"(,"teacher_version":[1])"),
       "log.jsonl:2: teacher_version: must be a string or an integer"},
      {good(R"(,"clipped":-1)"), "log.jsonl:2: clipped: must not be negative"},
      {good(R"(,"prompt_id":"p2")"), "log.jsonl:2: prompt_id: stands twice in one line"},
      {good(R"(,"odd":1,"odd":2)"), "log.jsonl:2: odd: stands twice in one line"},
      {good(R"(,"p\u0072ompt_id":"p2")"), "log.jsonl:2: prompt_id: stands twice in one line"},
      {good(R"(,"v":1)"), "log.jsonl:2: v: stands twice"},
      {R"({"v":2,"student_logprobs":[-1],"teacher_logprobs":[-1]})"
       "\n",
       "log.jsonl:2: v: version 2 of this format is not known here"},
      {R"({"v":1,"prompt_id":{},"student_logprobs":[-1],"teacher_logprobs":[-1]})"
       "\n",
       "log.jsonl:2: prompt_id: must be a string or an integer"},
      {good(R"(,"topk":[1,2})"), "log.jsonl:2: "},
      {good("]"), "log.jsonl:2: "},
      {good().substr(0, 40) + "\n", "log.jsonl:2: is not valid JSON"},
      {good().substr(0, good().size() - 1) + " true\n", "log.jsonl:2: is not valid JSON"},
      {good().substr(0, good().size() - 1) + good(), "log.jsonl:2: is not valid JSON"},
      {"[1,2]\n", "log.jsonl:2: the line must be a JSON object"},
      {"7\n", "log.jsonl:2: the line must be a JSON object"},
      {"\"a\n", "log.jsonl:2: is not valid JSON"},
      {"{\"text\":\"\xff\"}\n", "log.jsonl:2: is not valid JSON: The input is not valid UTF-8"},
      {std::string(3, '\0') + "\n", "log.jsonl:2: "},
  }));
  INFO(line);
  const std::string message = refusal(good() + line + good());
  INFO(message);
  CHECK(message.substr(0, words.size()) == words);
  CHECK(refusal(good() + good() + good()).empty());

  const Read skipped = read_text(good() + line + good(), skipping());
  CHECK(skipped.rollouts.size() == 2);
  CHECK(skipped.report.bad_lines == 1);
  CHECK(skipped.report.first_bad.line == 2);
}

TEST_CASE("unknown fields are counted by name and their contents are nobody's business") {
  const std::string odd = R"(,"odd":{"deep":[1,{"x":"}]"},NaN],"student_logprobs":[5]})";
  const Read read = read_text(good(odd) + good(odd + R"(,"other":"x")") + good());
  CHECK(read.rollouts.size() == 3);
  CHECK(read.report.unknown_fields ==
        std::map<std::string, std::int64_t>{{"odd", 2}, {"other", 1}});
}

TEST_CASE("a header is read and its temperature is both temperatures") {
  const Read read = read_text(
      R"({"v":1,"header":{"model":"m","vocab_size":49152,"eos_ids":[2,7],"max_response":256,"dtype":"float32",)"
      R"("temperature":0.7,"teacher_temperature":1.0,"top_p":0.95,"top_k":-1,"seed":5,"engine":{"student":"a"},)"
      R"("filter":"none"}})"
      "\n" +
      good());
  const LogHeader& h = read.header;
  CHECK(h.present);
  CHECK(h.model == "m");
  CHECK(h.vocab_size == 49152);
  CHECK(h.eos_ids == std::vector<std::int64_t>{2, 7});
  CHECK(h.max_response == 256);
  CHECK(h.dtype == "float32");
  CHECK(h.student_temperature == 0.7);
  CHECK(h.teacher_temperature == 1.0);
  CHECK(h.top_p == 0.95);
  CHECK(h.engine == R"({"student":"a"})");
  CHECK(h.raw.find(R"("filter":"none")") != std::string::npos);
  CHECK(read.rollouts.size() == 1);
}

TEST_CASE("headers that cannot be believed end the run even when bad lines are skipped") {
  const std::string skip = GENERATE("", "skip");
  const auto [line, words] = GENERATE(table<std::string, std::string>({
      {R"({"v":1,"header":{"vocab_size":"many"}})",
       "log.jsonl:1: header.vocab_size: must be an integer"},
      {R"({"v":1,"header":{"eos_ids":[1.5]}})",
       "log.jsonl:1: header.eos_ids: must be a list of integers"},
      {R"({"v":1,"header":{"log_base":1}})",
       "log.jsonl:1: header.log_base: must be above 0 and not 1"},
      {R"({"v":1,"header":{"log_base":-2}})", "log.jsonl:1: header.log_base"},
      {R"({"v":1,"header":[]})", "log.jsonl:1: header: must be an object"},
      {R"({"v":1,"header":{"a":1,"a":2}})", "log.jsonl:1: header.a: this key stands twice"},
      {R"({"v":1,"header":{"engine":)" + std::string(1000000, '[') + std::string(1000000, ']') +
           "}}",
       "log.jsonl:1: header: is nested deeper than 256 levels"},
      {R"({"v":1,"header":{},"student_logprobs":[]})",
       "log.jsonl:1: header: must stand in a line of its own"},
  }));
  INFO(line);
  const std::string message =
      refusal(line + "\n" + good(), skip.empty() ? io::ReadOptions{} : skipping());
  INFO(message);
  CHECK(message.substr(0, words.size()) == words);
}

TEST_CASE("a header that is repeated must say the same and come first") {
  const std::string a = R"({"v":1,"header":{"vocab_size":10}})"
                        "\n";
  const std::string b = R"({"v":1,"header":{"vocab_size":11}})"
                        "\n";
  CHECK(read_text(a + good() + a + good()).rollouts.size() == 2);
  CHECK(refusal(a + good() + b + good())
            .find("log.jsonl:3: header: a second header says otherwise: "
                  "vocab_size is 10 in one and 11 in the other") == 0);
  CHECK(refusal(good() + a + good()).find("log.jsonl:2: header: a header behind responses") == 0);
}

TEST_CASE("numbers of another logarithm become nats") {
  const std::string line =
      R"({"student_logprobs":[-1,-3],"teacher_logprobs":[-2,null],"mask":[1,0],"entropy":[4,4]})"
      "\n";
  const auto scale = [&](const std::string& base) {
    const Read read = read_text(R"({"v":1,"header":{"log_base":)" + base + "}}\n" + line);
    CHECK(read.header.log_base.value() == Approx(2.718281828459045).epsilon(1e-6));
    CHECK(read.rollouts.at(0).view().delta(0) ==
          Approx(-double(read.rollouts[0].student_logprob[0])).epsilon(1e-6));
    CHECK(read.rollouts[0].entropy[0] ==
          Approx(-4 * read.rollouts[0].student_logprob[0]).epsilon(1e-6));
    return -double(read.rollouts[0].student_logprob[0]);
  };
  CHECK(scale("2") == Approx(0.6931471805599453).epsilon(1e-7));
  CHECK(scale("10") == Approx(2.302585092994046).epsilon(1e-7));
  CHECK(scale("\"e\"") == 1);
  CHECK(scale("2.71828182845904523") == 1);
  // A sentinel is one in the unit in which it was written.
  CHECK(refusal(R"({"v":1,"header":{"log_base":2}})"
                "\n"
                R"({"student_logprobs":[-1],"teacher_logprobs":[-9999]})"
                "\n")
            .find("1 -9999") != std::string::npos);
}

TEST_CASE("bad numbers in columns that no result needs become NaN and are counted") {
  const Read read = read_text(
      good(R"(,"rollout_logprobs":[-9999,-1],"entropy":[NaN,1],"ref_logprobs":[null,null])") +
      good(R"(,"entropy":[1,1],"reward":NaN)"));
  CHECK(read.report.nonfinite.total() == 0);
  CHECK(read.report.odd_numbers == std::map<std::string, std::int64_t>{
                                       {"entropy", 1}, {"reward", 1}, {"rollout_logprobs", 1}});
  CHECK(std::isnan(read.rollouts.at(0).rollout_logprob[0]));
  CHECK(read.rollouts[0].ref_logprob.empty());
  CHECK_FALSE(read.rollouts.at(1).reward.has_value());
}

TEST_CASE("a sketch may lack numbers and has the same width in every line") {
  const std::string wide = R"(,"score_sketch":[[1,null,3],[NaN,5,6]])";
  const Read read = read_text(good(wide));
  const RolloutRecord& r = read.rollouts.at(0);
  REQUIRE(r.score_sketch.size() == 6);
  CHECK(std::isnan(r.score_sketch[1]));
  CHECK(std::isnan(r.score_sketch[3]));
  CHECK(r.score_sketch[4] == 5);
  CHECK(refusal(good(wide) + good(R"(,"score_sketch":[[1],[2]])"))
            .find("log.jsonl:2: score_sketch: has 1 numbers a token, in the lines before 3") == 0);
}

TEST_CASE("the real logs are read to the last token") {
  const Read read = read_all(std::string(GAMMASCOPE_SOURCE_DIR) + "/examples/data/sums.jsonl.zst");
  // Counted by an independent script over the same file.
  CHECK(read.rollouts.size() == 512);
  std::size_t tokens = 0, cut = 0;
  double sum = 0;
  for (const RolloutRecord& r : read.rollouts) {
    tokens += r.student_logprob.size();
    cut += r.view().cut() ? 1u : 0u;
    for (std::size_t t = 0; t < r.student_logprob.size(); ++t) sum += r.view().delta(t);
  }
  CHECK(tokens == 38513);
  CHECK(cut == 58);
  CHECK(sum / double(tokens) == Approx(0.0754).margin(5e-5));
  CHECK(read.header.vocab_size == 49152);
}
