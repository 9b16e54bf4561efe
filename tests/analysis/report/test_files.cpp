// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/report/files.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;
namespace fs = std::filesystem;

TEST_CASE("a file is written whole and read back") {
  const test::TemporaryFolder folder;
  const std::string bytes = "a\tb\r\n" + std::string(300000, 'x');
  write_whole(folder / "f", bytes);
  CHECK(read_file(folder / "f") == bytes);
  write_whole(folder / "f", "short");
  CHECK(read_file(folder / "f") == "short");
  CHECK(folder.entries() == 1);
}

TEST_CASE("what cannot be written names the file and leaves nothing") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(write_whole(folder / "no/such/f", "x"), NoInput);
  CHECK_THROWS_WITH(write_whole(folder / "no/such/f", "x"), Catch::Contains("no/such/f"));
  CHECK_THROWS_AS(read_file(folder / "none"), NoInput);
  CHECK_THROWS_AS(read_file(folder.path()), NoInput);
  CHECK(folder.entries() == 0);
  if (fs::exists("/dev/full"))
    CHECK_THROWS_WITH(write_whole("/dev/full", "x"), Catch::Contains("/dev/full"));
  CHECK_NOTHROW(write_whole("/dev/null", "x"));
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a new file must be new") {
  const test::TemporaryFolder folder;
  write_new(folder / "f", "1");
  CHECK_THROWS_AS(write_new(folder / "f", "2"), NoInput);
  CHECK(read_file(folder / "f") == "1");
  CHECK_NOTHROW(sync_folder(folder.path()));
  CHECK_THROWS_AS(sync_folder(folder / "f"), NoInput);
}
