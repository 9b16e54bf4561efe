// SPDX-License-Identifier: MIT
#include "analysis/cli/process_source.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <CLI/CLI.hpp>

#include "simulators/families/registry.hpp"
#include "simulators/markov/process_file.hpp"

namespace gammascope::cli {

namespace {

constexpr std::int64_t default_length = 256;

std::string family_list() {
  std::string text;
  for (const families::Family& f : families::all_families())
    text += (text.empty() ? "" : " | ") + f.name;
  return text;
}

std::string plain(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

std::string called(const families::Family& family, const families::Values& values) {
  std::string text;
  for (const families::Parameter& p : family.parameters) {
    text += (text.empty() ? "" : ",") + p.name + "=" + plain(values.at(p.name));
  }
  return "family " + family.name + " " + text;
}

}  // namespace

std::vector<std::string> ProcessOptions::inputs() const {
  return file.empty() ? std::vector<std::string>{} : std::vector<std::string>{file};
}

void ProcessOptions::describe(SettingList& settings, std::int64_t length) const {
  settings.emplace_back("family", family);
  settings.emplace_back("param", parameters);
  settings.emplace_back("max-length", length);
}

void add_process_options(CLI::App& app, ProcessOptions& o) {
  const std::string group = "which process";
  app.add_option("PROCESS", o.file, "process file (docs/formats.md); - is standard input")
      ->group(group);
  app.add_option("--family", o.family, "instead of a file: " + family_list())
      ->type_name("NAME")
      ->group(group);
  app.add_option("--param", o.parameters, "of the family, such as p=.01,c=5 (default: its own)")
      ->type_name("NAME=X,...")
      ->group(group);
  app.add_option("--max-length",
                 o.max_length,
                 "tokens at which a response is cut (default: the file's, else " +
                     std::to_string(default_length) + ")")
      ->group(group);
}

ProcessSource load_process(const ProcessOptions& o, std::int64_t largest_asked) {
  if (o.file.empty() == o.family.empty())
    throw UsageError(o.file.empty() ? "which process? Give a process file, or --family NAME (" +
                                          family_list() + ")"
                                    : "give a process file or --family, not both");
  if (o.family.empty() && !o.parameters.empty())
    throw UsageError("--param: parameters belong to a --family, not to a file");
  std::optional<std::int64_t> length;
  if (!o.max_length.empty()) length = integer("--max-length", o.max_length, 1);
  report::Source source;
  if (!o.family.empty()) {
    const families::Family& family = families::find_family(o.family);
    const families::Values values = families::read_values(family, o.parameters);
    markov::Mixture mixture = families::build(family, values);
    markov::Process<double> process = markov::unite(mixture);
    source.dialect = called(family, values);
    std::string name = source.dialect;
    return {std::move(mixture),
            std::move(process),
            length.value_or(std::max(default_length, largest_asked)),
            false,
            family.realisable,
            std::move(name),
            std::move(source)};
  }
  markov::ProcessFile file = markov::read_process(o.file);
  const bool length_of_file = !length && file.max_length;
  if (!length) length = file.max_length;
  source.files = {o.file};
  source.dialect = "process file";
  return {markov::Mixture(file.process),
          std::move(file.process),
          length.value_or(std::max(default_length, largest_asked)),
          length_of_file,
          true,  // the reader refuses teachers with more mass than 1
          o.file,
          std::move(source)};
}

}  // namespace gammascope::cli
