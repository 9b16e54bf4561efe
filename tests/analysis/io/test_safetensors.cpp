// SPDX-License-Identifier: MIT
#include <cstring>

#include "analysis/io/safetensors.hpp"
#include "tests/analysis/io/support.hpp"

namespace io = gammascope::io;
using namespace gammascope;
using namespace gammascope::io::test;

namespace {

class Text final : public io::ByteSink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  void close() override {}
  std::string text;
};

std::string rule(const std::string& header, std::uint64_t data = 8) {
  try {
    (void)io::parse_layout(header, data, "x");
  } catch (const BadData& error) {
    return error.error().field + ": " + error.error().rule;
  }
  return "";
}

}  // namespace

TEST_CASE("tensors are written as the format says") {
  Text out;
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  const std::vector<double> doubles{0.5};
  const auto raw = [](const auto& v) {
    return std::string_view(reinterpret_cast<const char*>(v.data()), v.size() * sizeof v[0]);
  };
  io::write_tensors(out, {{"b", "U8", 3, raw(bytes)}, {"d", "F64", 1, raw(doubles)}}, {{"k", "v"}});
  const std::string header =
      R"({"__metadata__":{"k":"v"},"d":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"U8","shape":[3],"data_offsets":[8,11]}})";
  std::uint64_t size = 0;
  std::memcpy(&size, out.text.data(), 8);
  CHECK(size % 8 == 0);
  CHECK(out.text.substr(8, size).find(header) == 0);
  CHECK(out.text.substr(8, size).find_first_not_of(' ', header.size()) == std::string::npos);
  CHECK(out.text.size() == 8 + size + 11);
  double back = 0;
  std::memcpy(&back, out.text.data() + 8 + size, 8);
  CHECK(back == 0.5);

  const Folder folder;
  const io::TensorFile file(folder.file("a.safetensors", out.text));
  CHECK(file.layout().metadata.at("k") == "v");
  io::TensorCursor cursor(file, file.layout().tensors.at("b"));
  std::uint8_t two[2];
  cursor.read(two, 2);
  CHECK(two[1] == 2);
  cursor.read(two, 1);
  CHECK(two[0] == 3);
  CHECK_THROWS_AS(cursor.read(two, 1), BadData);
}

TEST_CASE("a header that lies is refused before its numbers are used") {
  CHECK(rule(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})").empty());
  CHECK(rule(R"({"a":{"dtype":"F64","shape":[],"data_offsets":[0,8]}})").empty());
  CHECK(rule(R"({})", 0).empty());
  CHECK(rule(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", 9)
            .find(": the header speaks of 8") == 0);
  CHECK(
      rule(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[1,9]}})").find(": tensors overlap") ==
      0);
  CHECK(
      rule(
          R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})")
          .find(": tensors overlap") == 0);
  CHECK(rule(R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,8]}})").find("a: shape and") ==
        0);
  CHECK(rule(R"({"a":{"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]}})")
            .find("a: shape and") == 0);
  CHECK(
      rule(R"({"a":{"dtype":"U8","shape":[4294967296,4294967297],"data_offsets":[0,4294967296]}})")
          .find("a.shape: is too large") == 0);
  CHECK(rule(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,8]}})")
            .find("a.shape: must hold whole") == 0);
  CHECK(rule(R"({"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,8]}})")
            .find("a.shape: must hold whole") == 0);
  CHECK(rule(R"({"a":{"dtype":"U8","shape":8,"data_offsets":[0,8]}})")
            .find("a.shape: must be a list") == 0);
  CHECK(rule(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[8,0]}})")
            .find("a.data_offsets: must be begin") == 0);
  CHECK(rule(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8,9]}})")
            .find("a.data_offsets: must be begin") == 0);
  CHECK(rule(R"({"a":{"dtype":"X8","shape":[8],"data_offsets":[0,8]}})")
            .find("a.dtype: is not known") == 0);
  CHECK(rule(R"({"a":{"shape":[8],"data_offsets":[0,8]}})").find("a: a tensor must have") == 0);
  CHECK(rule(R"({"a":[]})").find("a: a tensor must have") == 0);
  CHECK(rule(R"([])").find(": the header must be") == 0);
  CHECK(rule(R"({"__metadata__":{"a":1}})", 0).find("__metadata__.a: must be a string") == 0);
  CHECK(rule(R"({"__metadata__":[]})", 0).find("__metadata__: must be an object") == 0);
  CHECK(
      rule(
          R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"a":{"dtype":"U8","shape":[0],"data_offsets":[8,8]}})")
          .find("a: this key stands twice") == 0);
  CHECK(rule("{").find(": not valid JSON") == 0);
}

TEST_CASE("a file that is no safetensors file is refused") {
  const Folder folder;
  const auto prefix = [](std::uint64_t size) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &size, 8);
    return bytes;
  };
  for (const std::string& bytes : {std::string(),
                                   std::string("short"),
                                   prefix(0),
                                   prefix(100),
                                   prefix(~std::uint64_t{0}),
                                   prefix(~std::uint64_t{0} - 7) + "{}",
                                   prefix(std::uint64_t{1} << 40) + "{}",
                                   prefix(2) + "xx",
                                   prefix(2) + "{}x"})
    CHECK_THROWS_AS(io::TensorFile(folder.file("a", bytes)), BadData);
  CHECK_NOTHROW(io::TensorFile(folder.file("a", prefix(2) + "{}")));
  CHECK_THROWS_AS(io::TensorFile(folder / "missing"), NoInput);
  CHECK_THROWS_AS(io::TensorFile("/dev/zero"), BadData);
}
