// SPDX-License-Identifier: MIT
// Writes results, pages and folders for the checks in Python: write_samples DIR. Without gnuplot
// the pages have no plots.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "analysis/core/errors.hpp"
#include "analysis/report/folder.hpp"
#include "analysis/report/html.hpp"
#include "analysis/report/result_json.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  const std::filesystem::path place = argv[1];
  std::filesystem::remove_all(place);
  std::filesystem::create_directories(place);
  test::RandomResults random(1234);
  for (int i = 0; i < 100; ++i) {
    const Result r = random.result();
    std::ofstream(place / ("random" + std::to_string(i) + ".json"), std::ios::binary) << to_json(r);
    std::ofstream(place / ("random" + std::to_string(i) + ".html"), std::ios::binary)
        << to_html(r, {});
  }
  const Tails tails = fixture::tails();
  for (const auto& [name, result] :
       {std::pair{"small", fixture::small_result()}, std::pair{"sweep", fixture::sweep_result()}}) {
    try {
      write_folder(result, place / name, {false, &tails});
    } catch (const Unavailable& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  }
  return 0;
}
