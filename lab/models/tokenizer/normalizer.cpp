// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/normalizer.hpp"

#include <stdexcept>
#include <string_view>
#include <vector>

#include "lab/models/tokenizer/pattern.hpp"
#include "lab/models/tokenizer/unicode.hpp"

namespace gammascope::lab {

Normalizer::Step Normalizer::read(const Fields& fields) {
  const std::string type = fields.text("type");
  const auto to_form = [&](NormalForm form) -> Step {
    fields.only({"type"});
    return [form](std::string& text, std::size_t most) {
      text = normal_form(text, form);
      if (text.size() > most) throw std::length_error("a text grows too much");
    };
  };
  if (type == "NFC") return to_form(NormalForm::nfc);
  if (type == "NFD") return to_form(NormalForm::nfd);
  if (type == "NFKC") return to_form(NormalForm::nfkc);
  if (type == "NFKD") return to_form(NormalForm::nfkd);
  if (type == "Sequence") {
    fields.only({"type", "normalizers"});
    std::vector<Step> steps;
    for (const Fields& step : fields.objects("normalizers")) steps.push_back(read(step));
    return [steps = std::move(steps)](std::string& text, std::size_t most) {
      for (const Step& step : steps) step(text, most);
    };
  }
  if (type == "Replace") {
    fields.only({"type", "pattern", "content"});
    return [pattern = Pattern::read(fields), by = fields.text("content")](
               std::string& text, std::size_t most) { text = pattern.replace(text, by, most); };
  }
  if (type == "Prepend") {
    fields.only({"type", "prepend"});
    return [prefix = fields.text("prepend")](std::string& text, std::size_t most) {
      if (text.empty()) return;
      if (prefix.size() > most - text.size()) throw std::length_error("a text grows too much");
      text.insert(0, prefix);
    };
  }
  fields.fail("type",
              "normalizer \"" + type +
                  "\" is not supported (supported: Sequence, NFC, NFD, NFKC, NFKD, Replace, "
                  "Prepend)");
}

Normalizer::Normalizer(const Fields& fields)
    : step_(read(fields)), file_(fields.file()), field_(fields.path("")) {}

void Normalizer::apply(std::string& text) const {
  if (!step_ || text.empty()) return;
  const std::size_t most = 4096 + 64 * text.size();
  try {
    step_(text, most);
  } catch (const std::length_error&) {
    throw BadData(
        {file_, 0, field_, "makes more than " + std::to_string(most) + " bytes of a text"});
  }
}

}  // namespace gammascope::lab
