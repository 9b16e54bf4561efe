// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/post_processor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "lab/models/tokenizer/bpe.hpp"

namespace gammascope::lab {

PostProcessor::PostProcessor(const Fields& fields) { read(fields); }

void PostProcessor::read(const Fields& fields) {
  const std::string type = fields.text("type");
  if (type == "ByteLevel") return;
  if (type == "Sequence") {
    fields.only({"type", "processors"});
    for (const Fields& step : fields.objects("processors")) read(step);
    return;
  }
  if (type == "TemplateProcessing") return read_template(fields);
  fields.fail("type",
              "post-processor \"" + type +
                  "\" is not supported (supported: TemplateProcessing, ByteLevel, Sequence)");
}

void PostProcessor::read_template(const Fields& fields) {
  // `pair` is for two texts in one call, which is not offered.
  fields.only({"type", "single", "pair", "special_tokens"});
  const Fields special = fields.object("special_tokens");
  std::vector<Step> steps;
  std::size_t texts = 0;
  for (const Fields& piece : fields.objects("single")) {
    piece.only({"SpecialToken", "Sequence"});
    if (piece.json().size() != 1) piece.fail("", "must be one of SpecialToken and Sequence");
    if (piece.find("Sequence") != nullptr) {
      if (piece.object("Sequence").text("id") != "A")
        piece.fail("Sequence.id", "must be A: there is one text");
      steps.push_back({true, {}});
      ++texts;
      continue;
    }
    const std::string name = piece.object("SpecialToken").text("id");
    if (special.find(name) == nullptr)
      piece.fail("SpecialToken.id", "\"" + name + "\" is not in special_tokens");
    const Fields token = special.object(name);
    const io::SortedJson& ids = token.need("ids");
    if (!ids.is_array()) token.fail("ids", "must be an array");
    Step step;
    for (const io::SortedJson& id : ids) {
      if (!id.is_number_unsigned() || id.get<std::uint64_t>() > most_token_id)
        token.fail("ids", "must be whole numbers from 0 to " + std::to_string(most_token_id));
      step.ids.push_back(id.get<std::int64_t>());
    }
    steps.push_back(std::move(step));
  }
  if (texts != 1) fields.fail("single", "must name the text (Sequence A) once");
  templates_.push_back(std::move(steps));
}

std::vector<std::int64_t> PostProcessor::apply(std::vector<std::int64_t> ids,
                                               bool add_special) const {
  if (!add_special) return ids;
  for (const std::vector<Step>& steps : templates_) {
    std::vector<std::int64_t> out;
    for (const Step& step : steps) {
      const std::vector<std::int64_t>& part = step.text ? ids : step.ids;
      out.insert(out.end(), part.begin(), part.end());
    }
    ids = std::move(out);
  }
  return ids;
}

}  // namespace gammascope::lab
