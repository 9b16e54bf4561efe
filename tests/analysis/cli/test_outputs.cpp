// SPDX-License-Identifier: MIT
// What a command must never do to what lies around it: delete foreign files, write into its own
// inputs, mix two outputs.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

namespace fs = std::filesystem;

const std::string line =
    "{\"prompt_id\":\"a\",\"student_logprobs\":[-1,-2],\"teacher_logprobs\":[-1,-1]}\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("convert never touches a folder that is no store") {
  const test::Workplace place;
  place.write("log.jsonl", line);
  fs::create_directory(place / "weights");
  place.write("weights/model.safetensors", "the only copy");
  fs::create_directory(place / "notes");
  place.write("notes/notes.txt", "mine");
  fs::create_directory(place / "fresh.partial");
  place.write("fresh.partial/model.safetensors", "the only copy");
  for (const std::string folder : {"weights", "notes", "fresh"})
    for (const std::string force : {"", " --force"}) {
      const test::Said said = test::gammascope(place, "convert log.jsonl -o " + folder + force);
      CAPTURE(folder, force, said.err);
      CHECK(said.status == 64);
    }
  CHECK(place.read("weights/model.safetensors") == "the only copy");
  CHECK(place.read("notes/notes.txt") == "mine");
  CHECK(place.read("fresh.partial/model.safetensors") == "the only copy");
  CHECK_FALSE(fs::exists(place / "fresh"));
  fs::create_directory(place / "empty");
  CHECK(test::gammascope(place, "convert log.jsonl -o empty").status == 0);
  CHECK(test::gammascope(place, "convert log.jsonl -o empty").status == 64);
  CHECK(test::gammascope(place, "convert log.jsonl -o empty --force").status == 0);
}

TEST_CASE("a missing parent of a log is one error for files and stores") {
  const test::Workplace place;
  place.write("log.jsonl", line);
  CHECK(test::gammascope(place, "convert log.jsonl -o no/such/log.jsonl").status == 66);
  CHECK(test::gammascope(place, "convert log.jsonl -o no/such/store").status == 66);
  CHECK_FALSE(fs::exists(place / "no"));
}

TEST_CASE("convert does not write into what it reads") {
  const test::Workplace place;
  place.write("log.jsonl", line);
  REQUIRE(test::gammascope(place, "convert log.jsonl -o store").status == 0);
  for (const std::string args : {"log.jsonl -o ./log.jsonl --force",
                                 "store -o store/ --force",
                                 "log.jsonl -o b.jsonl --json log.jsonl --force",
                                 "log.jsonl -o b.jsonl --json b.jsonl --force",
                                 "store -o b.jsonl --json store/result.json"}) {
    CAPTURE(args);
    CHECK(test::gammascope(place, "convert " + args).status == 64);
  }
  CHECK(place.read("log.jsonl") == line);
  CHECK_FALSE(fs::exists(place / "b.jsonl"));
}

TEST_CASE("closed standard descriptors do not become the output file") {
  const test::Workplace place;
  place.write("log.jsonl", line);
  CHECK(test::shell(place, "gammascope convert log.jsonl -o b.jsonl <&- >&- 2>&-").status == 0);
  CHECK(test::shell(place, "gammascope convert log.jsonl -o c.jsonl").status == 0);
  CHECK(place.read("b.jsonl") == place.read("c.jsonl"));
}

TEST_CASE("a file at its size limit is an error and leaves nothing") {
  const test::Workplace place;
  const test::Said said = test::shell(
      place, "ulimit -f 8; exec gammascope convert examples/data/sums.jsonl.zst -o b.jsonl");
  CHECK(said.status == 66);
  CHECK_FALSE(fs::exists(place / "b.jsonl"));
  CHECK_FALSE(fs::exists(place / "b.jsonl.tmp"));
}

TEST_CASE("standard input is called by its name and leaves no file when ended") {
  const test::Workplace place;
  const test::Said bad = test::shell(place, "echo '{\"student_logprobs\":[-1}' | gammascope -");
  CHECK(bad.status == 65);
  CHECK(contains(bad.err, "gammascope: -:1: "));
  const test::Said ended =
      test::shell(place,
                  "mkdir spool; mkfifo pipe; (cat examples/data/sums.jsonl.zst; "
                  "sleep 2) >pipe &\n"
                  "TMPDIR=spool gammascope - <pipe & pid=$!\n"
                  "sleep 1; kill -TERM $pid; wait $pid; s=$?; ls spool; exit $s");
  CHECK(ended.status == 143);
  CHECK(ended.out.empty());
}

TEST_CASE("an unfinished store is said to be unfinished") {
  const test::Workplace place;
  REQUIRE(test::gammascope(place, "convert examples/data/sums.jsonl.zst -o store").status == 0);
  REQUIRE(
      test::shell(place,
                  "sed -i 's/\"last\":\"true\"/\"list\":\"true\"/' store/shard-000000.safetensors")
          .status == 0);
  const test::Said said = test::gammascope(place, "measure store --json --quiet");
  CHECK(contains(said.out, "\"unfinished_stores\": 1"));
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // they cannot bear a limit of memory
TEST_CASE("memory that is used up is no bad line") {
  const test::Workplace place;
  REQUIRE(test::shell(place,
                      "{ printf '{\"prompt_id\":\"'; head -c 300000000 /dev/zero | tr '\\0' x; "
                      "printf '\"}\\n'; } | gzip -1 >long.jsonl.gz")
              .status == 0);
  const test::Said said =
      test::shell(place, "ulimit -v 250000; exec gammascope long.jsonl.gz --on-error skip");
  CHECK(said.status == 70);
  CHECK(contains(said.err, "long.jsonl.gz:1: out of memory"));
}
#endif

TEST_CASE("a packed log cut before its first line was cut and is not empty") {
  const test::Workplace place;
  REQUIRE(test::shell(place, "head -c 20 examples/data/sums.jsonl.zst >cut.jsonl.zst").status == 0);
  const test::Said said = test::gammascope(place, "cut.jsonl.zst");
  CHECK(said.status == 65);
  CHECK(contains(said.err, "was cut"));
}

TEST_CASE("sizes of a header are at least one") {
  const test::Workplace place;
  place.write("log.jsonl", "{\"v\":1,\"header\":{\"max_response\":-5}}\n" + line);
  const test::Said said = test::gammascope(place, "log.jsonl");
  CAPTURE(said.err);
  CHECK(said.status == 65);
  CHECK(contains(said.err, "log.jsonl:1: header.max_response"));
}

TEST_CASE("a folder of an earlier run that holds other files is not replaced") {
  const test::Workplace place;
  const std::string run = "exact --family frozen --gamma 1 --at 4 --quiet --out first";
  const int status = test::gammascope(place, run).status;  // 69 without gnuplot
  CHECK((status == 0 || status == 69));
  CHECK(test::gammascope(place, run + " --force").status == status);
  place.write("first/notes.txt", "mine");
  CHECK(test::gammascope(place, run + " --force").status == 64);
  CHECK(place.read("first/notes.txt") == "mine");
}

TEST_CASE("simulate that keeps no response leaves no log") {
  const test::Workplace place;
  place.write("never.json",
              "{\"states\":1,\"actions\":2,\"end_state\":null,\"initial\":[1],\"student\":[[1,0]],"
              "\"teacher\":[[0,1]],\"next\":[[0,0]],\"max_length\":4}");
  const test::Said said =
      test::gammascope(place, "simulate never.json --nonfinite drop-rollout -o log.jsonl");
  CAPTURE(said.err);
  CHECK(said.status == 65);
  CHECK_FALSE(fs::exists(place / "log.jsonl"));
}

TEST_CASE("errors show no raw control characters") {
  const test::Workplace place;
  const test::Said said = test::shell(place, "gammascope \"$(printf 'a\\033[2Jb')\"");
  CHECK(said.status == 66);
  CHECK(said.err.find('\033') == std::string::npos);
  CHECK(contains(said.err, "a\\x1b[2Jb"));
}

TEST_CASE("every verb that answers takes json and a folder") {
  const test::Workplace place;
  place.write("log.jsonl", line);
  const std::string log = "examples/data/sums.jsonl.zst",
                    family = "--family ergodic --max-length 4";
  int number = 0;
  for (const std::string& verb :
       std::vector<std::string>{"look " + log,
                                "measure " + log + " --at 64",
                                "check " + log + " --gamma 0.9 --accept no-evidence",
                                "exact " + family,
                                "exact " + family + " --gradient",
                                "simulate " + family + " -o s.jsonl",
                                "convert log.jsonl -o c.jsonl",
                                "credit log.jsonl --gamma 1 -o a.jsonl",
                                "prove --quick --only proposition_3_2",
                                "plot " + log,
                                "report " + log,
                                "run folder1/config.toml"}) {
    const std::string n = std::to_string(++number);
    const test::Said said =
        test::gammascope(place, verb + " --quiet --json j" + n + ".json --out folder" + n);
    CAPTURE(verb, said.err);
    CHECK((said.status == 0 || said.status == 69));  // 69 without gnuplot
    CHECK(said.out.empty());
    CHECK(place.read("j" + n + ".json").find("{\n  \"schema\": \"gammascope.") == 0);
    if (verb.find("plot") == 0) continue;  // its folder holds plots
    CHECK(place.read("folder" + n + "/result.json") == place.read("j" + n + ".json"));
    if (verb.find("report") != 0)
      CHECK(contains(place.read("folder" + n + "/config.toml"), "folder = \"..\""));
    // The same result may replace an earlier one; -o is written once.
    if (contains(verb, " -o ")) continue;
    const test::Said to_stdout = test::gammascope(place, verb + " --force --json --out other" + n);
    CHECK(to_stdout.out == place.read("j" + n + ".json"));
  }
}

TEST_CASE("no output lands on an input or on another output") {
  const test::Workplace place;
  place.write("log.jsonl", line);
  place.write("p.json",
              R"({"states":1,"actions":1,"initial":[1],"student":[[1]],"teacher":[[1]],)"
              R"("next":[[0]],"max_length":4})");
  const std::string before = place.read("p.json");
  for (const std::string& args :
       std::vector<std::string>{"exact p.json --json ./p.json --force",
                                "simulate p.json -o p.json --force",
                                "simulate p.json -o a.jsonl --json p.json --force",
                                "simulate p.json -o a.jsonl --json a.jsonl --force",
                                "simulate p.json -o a --json a/x.json",
                                "simulate p.json -o a --out a",
                                "simulate p.json -o a/b.jsonl --out a",
                                "simulate p.json -o - --json",
                                "convert log.jsonl -o - --json",
                                "measure log.jsonl --exact p.json --json p.json --force",
                                "plot log.jsonl --json log.jsonl --force",
                                "report log.jsonl --json log.jsonl --force"}) {
    const test::Said said = test::gammascope(place, args);
    CAPTURE(args, said.err);
    CHECK(said.status == 64);
    CHECK(said.out.empty());
    CHECK(place.read("p.json") == before);
    CHECK(place.read("log.jsonl") == line);
    CHECK_FALSE(fs::exists(place / "a"));
  }
}
