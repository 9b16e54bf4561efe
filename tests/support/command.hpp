// SPDX-License-Identifier: MIT
// Runs the program `gammascope` (or a shell line) as a user would, and keeps what it said. Folders
// for it to work in.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace gammascope::test {

/// A folder of its own under the system's temporary folder, with `examples` and `tests` of the
/// source tree in reach; gone at the end.
class Workplace {
 public:
  Workplace() {
    std::string name = (std::filesystem::temp_directory_path() / "gammascope-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
    std::filesystem::create_directory_symlink(std::string(GAMMASCOPE_SOURCE_DIR) + "/examples",
                                              path_ / "examples");
    std::filesystem::create_directory_symlink(std::string(GAMMASCOPE_SOURCE_DIR) + "/tests",
                                              path_ / "tests");
  }
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream out(path_ / name, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

struct Said {
  int status = -1;  ///< exit status; 128 + signal if it was killed
  std::string out, err;
};

/// `line` by /bin/sh in the workplace, with `gammascope` on the PATH. Standard input is empty
/// unless the line says otherwise.
inline Said shell(const Workplace& place, const std::string& line) {
  place.write(".line.sh", line + "\n");
  const std::string program = std::filesystem::path(GAMMASCOPE_PROGRAM).parent_path().string();
  const std::string command = "cd '" + place.path().string() + "' && PATH='" + program +
                              "':\"$PATH\" /bin/sh ./.line.sh </dev/null >.out 2>.err";
  const int raw = std::system(command.c_str());
  Said said;
  said.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  said.out = place.read(".out");
  said.err = place.read(".err");
  return said;
}

/// `gammascope ARGS` likewise.
inline Said gammascope(const Workplace& place, const std::string& args) {
  return shell(place, "gammascope " + args);
}

}  // namespace gammascope::test
