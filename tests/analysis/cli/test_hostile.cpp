// SPDX-License-Identifier: MIT
// What a hostile world may do to a command: a clear error or the same bytes, the documented exit
// status, nothing half-written.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/command.hpp"
#include "tests/support/german.hpp"

using namespace gammascope;

namespace {

const std::string sums = "examples/data/sums.jsonl.zst";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("files that are missing or empty or binary or cut say so with the documented status") {
  const test::Workplace place;
  const test::Said missing = test::gammascope(place, "no-such-file.jsonl");
  CHECK(missing.status == 66);
  CHECK(contains(missing.err, "no-such-file.jsonl"));
  place.write("empty.jsonl", "");
  const test::Said empty = test::gammascope(place, "empty.jsonl");
  CHECK(empty.status == 65);
  CHECK(contains(empty.err, "empty.jsonl"));
  place.write("binary",
              std::string("\x7f") + "ELF\x02\x01\x01" + std::string(3, '\0') + "\xff\xfe" +
                  std::string(1, '\0') + "garbage");
  CHECK(test::gammascope(place, "binary").status == 65);
  CHECK(test::gammascope(place, ".").status == 65);  // a folder that is no store
  CHECK(test::shell(place, "zstd -dcq " + sums + " | head -c 100000 >cut.jsonl").status == 0);
  const test::Said cut = test::gammascope(place, "cut.jsonl");
  CHECK(cut.status == 0);
  CHECK(contains(cut.out, "cut last line"));
  CHECK(test::shell(place, "head -c 100000 " + sums + " >cut.jsonl.zst").status == 0);
  const test::Said cut_frame = test::gammascope(place, "cut.jsonl.zst");
  CHECK((cut_frame.status == 0 || cut_frame.status == 65));
  CHECK((contains(cut_frame.out, "cut last line") || contains(cut_frame.err, "cut.jsonl.zst")));
}

TEST_CASE("a bad line names file and line and field and rule") {
  const test::Workplace place;
  place.write("bad.jsonl",
              "{\"prompt_id\":\"a\",\"student_logprobs\":[-1,-2],\"teacher_logprobs\":[-1,-1]}\n"
              "{\"prompt_id\":\"b\",\"student_logprobs\":[-1,-2],\"teacher_logprobs\":[-1]}\n");
  const test::Said said = test::gammascope(place, "bad.jsonl");
  CHECK(said.status == 65);
  CHECK(contains(said.err, "bad.jsonl:2: teacher_logprobs"));
  CHECK(said.out.empty());
  const test::Said skipped = test::gammascope(place, "bad.jsonl --on-error skip");
  CHECK(skipped.status == 0);
  CHECK(contains(skipped.out, "1 bad lines"));
}

TEST_CASE("usage errors name option and value and leave nothing behind") {
  const test::Workplace place;
  for (const std::string& args : std::vector<std::string>{"measure " + sums + " --gamma 1.5",
                                                          "measure " + sums + " --clock tick",
                                                          "measure " + sums + " --at -3",
                                                          "measure",
                                                          "measure " + sums + " --nonsense",
                                                          "measure " + sums + " --confidence 95"}) {
    const test::Said said = test::gammascope(place, args + " --out folder");
    CAPTURE(args, said.err);
    CHECK(said.status == 64);
    CHECK_FALSE(said.err.empty());
    CHECK_FALSE(std::filesystem::exists(place / "folder"));
  }
}

TEST_CASE("a closed pipe ends quietly and a full disk says so") {
  const test::Workplace place;
  const test::Said piped = test::shell(place, "gammascope " + sums + " | true");
  CHECK(piped.status == 0);
  CHECK(piped.err.empty());
  const test::Said full = test::shell(place, "gammascope " + sums + " >/dev/full");
  CHECK(full.status == 66);
  CHECK(contains(full.err, "No space left"));
  const test::Said json =
      test::shell(place, "gammascope measure " + sums + " --json /dev/full --quiet");
  CHECK(json.status == 66);
}

TEST_CASE("a foreign locale changes no byte") {
  const test::Workplace place;
  const std::string line = "gammascope measure " + sums + " --at log --json";
  const test::Said plain = test::shell(place, "LC_ALL=C " + line);
  CHECK(plain.status == 0);
  const std::string german = "LOCPATH=locales LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 ";
  if (!test::make_german_locale(place / "locales")) WARN("no German locale can be made here");
  CHECK(test::shell(place, german + line).out == plain.out);
  // The plots are drawn by another program.
  const std::string plots = "gammascope plot " + sums + " --quiet --out ";
  const int status = test::shell(place, "LC_ALL=C " + plots + "plain").status;
  CHECK(test::shell(place, german + plots + "german").status == status);
  CHECK(test::shell(place, "cat plain/*.tsv plain/*.gp plain/*.svg").out ==
        test::shell(place, "cat german/*.tsv german/*.gp german/*.svg").out);
}

TEST_CASE("ctrl-C ends with 130 and leaves nothing half-written") {
  const test::Workplace place;
  // A log that is long enough to be interrupted.
  CHECK(test::shell(place,
                    "zstd -dcq " + sums +
                        " >one.jsonl; for i in 1 2 3 4 5 6 7 8; do cat one.jsonl; done | grep -v "
                        "header >long.jsonl")
            .status == 0);
  // Foreground: what a shell runs in the background ignores ctrl-C, and so does this program then.
  const test::Said said =
      test::shell(place,
                  "L=long.jsonl; M=\"$L $L $L $L $L $L $L $L $L $L\"; timeout --preserve-status -s "
                  "INT 2 gammascope measure $M $M "
                  "$M $M $M --at log --alignment window,position --start all --out folder");
  CHECK(said.status == 130);
  CHECK(contains(said.err, "interrupted"));
  std::size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(place.path()))
    if (contains(entry.path().filename().string(), "folder")) ++left;
  CHECK(left == 0);
}

TEST_CASE("json never overwrites a file that is no result") {
  const test::Workplace place;
  place.write("precious.jsonl",
              "{\"prompt_id\":\"a\",\"student_logprobs\":[-1],\"teacher_logprobs\":[-1]}\n");
  const test::Said said = test::gammascope(place, "measure " + sums + " --json precious.jsonl");
  CHECK(said.status == 64);
  CHECK(contains(place.read("precious.jsonl"), "prompt_id"));
  // Never onto what is read, --force or not.
  place.write("rows.jsonl", place.read("precious.jsonl"));
  for (const std::string verb : {"look", "measure", "check"})
    CHECK(test::gammascope(place, verb + " rows.jsonl --json ./rows.jsonl --force").status == 64);
  CHECK(place.read("rows.jsonl") == place.read("precious.jsonl"));
  CHECK(test::gammascope(place, "measure " + sums + " --json same --out same").status == 64);
  CHECK_FALSE(std::filesystem::exists(place / "same"));
  CHECK(test::gammascope(place, "measure " + sums + " --json result.json --quiet").status == 0);
  CHECK(test::gammascope(place, "measure " + sums + " --json result.json --quiet").status == 0);
}

TEST_CASE("standard input is read like a file") {
  const test::Workplace place;
  const std::string options = " --at log --json --quiet";
  const test::Said file = test::gammascope(place, "measure " + sums + options);
  const test::Said input = test::shell(place, "gammascope measure - " + options + " <" + sums);
  CHECK(input.status == 0);
  std::string as_file = input.out;
  const std::size_t at = as_file.find("\"-\"");
  REQUIRE(at != std::string::npos);
  as_file.replace(at, 3, "\"" + sums + "\"");
  CHECK(as_file == file.out);
}

TEST_CASE("a log whose name begins with a dash is read and the way to name it is said") {
  const test::Workplace place;
  place.write("-dash.jsonl",
              "{\"prompt_id\":\"a\",\"student_logprobs\":[-1],\"teacher_logprobs\":[-1]}\n");
  for (const std::string args : {"-dash.jsonl", "look -dash.jsonl", "measure -dash.jsonl --at 1"}) {
    const test::Said said = test::gammascope(place, args);
    CHECK(said.status == 64);
    CHECK(contains(said.err, "write ./-dash.jsonl, or -- before it"));
  }
  CHECK(test::gammascope(place, "look ./-dash.jsonl").status == 0);
  CHECK(test::gammascope(place, "look -- -dash.jsonl").status == 0);
  CHECK(test::gammascope(place, "-- -dash.jsonl").status == 0);
}

TEST_CASE("long values are shortened in messages") {
  const test::Workplace place;
  const std::string digits(5000, '7');
  for (const std::string& args :
       std::vector<std::string>{"measure " + sums + " --gamma " + digits,
                                "measure " + sums + " --clock " + digits,
                                "exact --family frozen --max-length " + digits,
                                "exact --family frozen --param sigma=" + digits,
                                "exact --family " + digits,
                                "measure " + sums + " --" + digits}) {
    const test::Said said = test::gammascope(place, args);
    CHECK(said.status == 64);
    CHECK(said.err.size() < 700);
    CHECK(contains(said.err, "... ("));
  }
}

TEST_CASE("an endless file is no result and no process and takes no memory") {
  const test::Workplace place;
  for (const std::string& args : std::vector<std::string>{"exact /dev/zero",
                                                          "simulate /dev/zero -o x.jsonl",
                                                          "measure " + sums + " --exact /dev/zero",
                                                          "run /dev/zero"}) {
    const test::Said said = test::gammascope(place, args);
    CAPTURE(args);
    CHECK(said.status == 65);
    CHECK(contains(said.err, "/dev/zero:1: holds a NUL byte"));
  }
}

TEST_CASE("exact refuses what does not fit into memory before it takes any") {
  const test::Workplace place;
  place.write("p.json",
              R"({"states":1,"actions":1,"initial":[1],"student":[[1]],"teacher":[[1]],)"
              R"("next":[[0]],"max_length":1000000000000})");
  for (const std::string& args :
       std::vector<std::string>{"--family frozen --max-length 1000000000000",
                                "--family frozen --max-length 9223372036854775807",
                                "--family frozen --at 9223372036854775807 --alignment position",
                                "--family frozen --max-length 1000000000000 --at all",
                                "--family frozen --max-length 1000000000000 --gradient"}) {
    const test::Said said = test::gammascope(place, "exact " + args + " --out folder");
    CAPTURE(args, said.err);
    CHECK(said.status == 64);
    CHECK(contains(said.err, "--max-length: "));
    CHECK(contains(said.err, "iB of memory, there is "));
    CHECK_FALSE(std::filesystem::exists(place / "folder"));
  }
  const test::Said file = test::gammascope(place, "exact p.json");
  CHECK(file.status == 65);
  CHECK(contains(file.err, "p.json: max_length: 1000000000000 tokens and 1 states need about "));
  CHECK(test::gammascope(place, "exact p.json --max-length 8").status == 0);
}

TEST_CASE("options of the gradient without it are a usage error") {
  const test::Workplace place;
  for (const std::string option : {"--batch 8", "--samples 1"}) {
    const test::Said said = test::gammascope(place, "exact --family frozen " + option);
    CHECK(said.status == 64);
    CHECK(contains(said.err, "give --gradient too"));
  }
}
