#include "isa/timing/MatrixPasses.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/DataFile.h"
#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight {

/// The same name for v_mfma_f32_16x16x16f16 and v_mfma_f32_16x16x16_f16, v_mfma_f32_4x4x4f16 and
/// v_mfma_f32_4x4x4_16b_f16: assemblers take the older spelling for newer chips.
static std::string plainMatrixName(StringRef name) {
  std::string plain;
  SmallVector<StringRef, 8> words;
  name.split(words, '_');
  for (StringRef word : words)
    if (word != "2b" && word != "4b" && word != "16b")
      plain += word;
  return plain;
}

Expected<const MatrixPasses *> MatrixPasses::get(StringRef chip) {
  return byChip<MatrixPasses>(chip, [&](MatrixPasses &table) { return table.load(chip); });
}

Error MatrixPasses::load(StringRef chip) {
  Expected<json::Value> document = parseLasting(embeddedData("latency/matrix.json"), chip);
  if (!document)
    return document.takeError();
  const json::Array *rows = document->getAsObject() ? document->getAsObject()->getArray("instructions") : nullptr;
  if (!rows)
    return makeError("data/latency/matrix.json: no 'instructions'");
  for (const json::Value &row : *rows) {
    const json::Object *object = row.getAsObject();
    if (!object || object->getString("arch") != chip)
      continue;
    std::optional<StringRef> name = object->getString("name");
    std::optional<int64_t> count = object->getInteger("passes");
    std::optional<int64_t> valuBlocked = object->getInteger("valu_blocked");
    if (!name || !count || *count <= 0 || !valuBlocked || *valuBlocked < 0)
      return makeError("data/latency/matrix.json: a row without name, passes or valu_blocked");
    // Rows of one name differ by the factors' formats, which are not in the name.
    Passes &known = passes[plainMatrixName(*name)];
    known.slowest = std::max<unsigned>(known.slowest, *count);
    known.fastest = known.fastest ? std::min<unsigned>(known.fastest, *count) : *count;
    known.valuBlocked = std::max<unsigned>(known.valuBlocked, *valuBlocked);
    known.source = (object->getString("source").value_or("") + ": " + object->getString("ref").value_or("")).str();
    slowestOfAll = std::max<unsigned>(slowestOfAll, *count);
  }
  return Error::success();
}

const MatrixPasses::Passes *MatrixPasses::find(StringRef mnemonic) const {
  auto it = passes.find(plainMatrixName(mnemonic));
  if (it == passes.end() && mnemonic.ends_with("_1k"))
    it = passes.find(plainMatrixName(mnemonic.drop_back(3)));
  return it == passes.end() ? nullptr : &it->second;
}

unsigned MatrixPasses::of(StringRef mnemonic, bool narrowFormats) const {
  if (const Passes *known = find(mnemonic))
    return narrowFormats ? known->fastest : known->slowest;
  return slowestOfAll;
}

StringRef MatrixPasses::sourceOf(StringRef mnemonic) const {
  const Passes *known = find(mnemonic);
  return known ? StringRef(known->source) : StringRef();
}

unsigned MatrixPasses::valuBlocked(StringRef mnemonic) const {
  const Passes *known = find(mnemonic);
  return known ? known->valuBlocked : slowestOfAll * cyclesPerPass;
}

} // namespace inflight
