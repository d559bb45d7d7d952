#include "MatrixLoops.h"

#include "isa/chip/TargetInfo.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;

namespace inflight::machine::test {

std::vector<MatrixRow> matrixRows(const std::string &chip) {
  std::vector<MatrixRow> rows;
  json::Value document = cantFail(parseData("latency/matrix.json"));
  std::map<std::string, unsigned> slowest;
  for (const json::Value &value : *document.getAsObject()->getArray("instructions")) {
    const json::Object &object = *value.getAsObject();
    if (object.getString("arch") == StringRef(chip))
      rows.push_back({object.getString("name")->str(), unsigned(*object.getInteger("cycles")), false});
  }
  // Of two rows of one name the faster one is that of narrow factors.
  for (const MatrixRow &row : rows)
    slowest[row.name] = std::max(slowest[row.name], row.cycles);
  for (MatrixRow &row : rows)
    row.narrow = row.cycles < slowest[row.name];
  return rows;
}

static std::string registers(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

std::string matrixLoop(const MatrixRow &row, unsigned count) {
  SmallVector<StringRef, 8> parts;
  if (!Regex("^v_(mfma|smfmac|mfma_scale)_(f32|i32|f64)_([0-9]+)x([0-9]+)x([0-9]+)(_([0-9]+)b)?_?(.*)$")
           .match(row.name, &parts)) {
    ADD_FAILURE() << row.name;
    return "";
  }
  const bool sparse = parts[1] == "smfmac", scaled = parts[1] == "mfma_scale";
  const StringRef type = parts[8];
  unsigned m = 0, n = 0, k = 0, blocks = 0;
  parts[3].getAsInteger(10, m);
  parts[4].getAsInteger(10, n);
  parts[5].getAsInteger(10, k);
  const unsigned bits = type.contains("f64")   ? 64
                        : type.contains("f32") ? 32
                        : type.contains("f16") ? 16
                        : type == "f8f6f4"     ? (row.narrow ? 6 : 8)
                                               : 8;
  constexpr unsigned registerBits = 64 * 32;
  if (parts[7].getAsInteger(10, blocks)) {
    // Older spellings leave the blocks out: a factor of theirs has one register, those of 64 bits a lane two.
    const unsigned factor = type == "f16" || type == "bf16_1k" || type == "f64" ? 2 : 1;
    blocks = type.contains("_") && type != "bf16_1k" ? 1 : factor * registerBits / (m * k * bits);
    if (StringRef(row.name).contains(("x" + parts[5] + "_").str()))
      blocks = 1;
  }
  const unsigned a = m * (sparse ? k / 2 : k) * blocks * bits / registerBits, b = n * k * blocks * bits / registerBits;
  const unsigned c = m * n * blocks * (parts[2] == "f64" ? 64 : 32) / registerBits;
  const unsigned places = std::max(1u, std::min(count, 64 / c));
  std::string body = "s_mov_b32 s20, 0\n.Lloop:\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string d = registers(64 + i % places * c, c);
    body += row.name + " " + d + ", " + registers(8, a) + ", " + registers(24, b) + (sparse ? ", v4" : ", " + d) +
            (scaled ? ", v4, v5" : "") + (row.narrow ? " cbsz:2 blgp:2" : "") + "\n";
  }
  return body + "s_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 2\ns_cbranch_scc1 .Lloop\n";
}

double periodOfLastRound(const Recording &recording, const std::string &name, unsigned count) {
  const std::vector<events::Instruction> all = recording.of("v_");
  std::vector<uint64_t> issued;
  for (const events::Instruction &record : all)
    if (record.category == events::Category::Matrix)
      issued.push_back(record.issued);
  if (issued.size() < 2 * count)
    return 0;
  return double(issued.back() - issued[issued.size() - count]) / (count - 1);
}

} // namespace inflight::machine::test
