// Matrix instructions: cycles of each, and what the VALU does in their shadow.
#include "probes/Matrix.h"

#include "isa/timing/MatrixPasses.h"
#include "probes/Probe.h"
#include "program/assemble/Assembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace inflight::probes {

// Registers: sources at 16 and 24, index or scales at 10 and 11, sums from 32 on.
static constexpr unsigned sourceA = 16, sourceB = 24, sums = 32, lastRegister = 256;

static std::string registers(unsigned first, unsigned count) {
  return count == 1 ? formatv("v[{0}]", first).str() : formatv("v[{0}:{1}]", first, first + count - 1).str();
}

/// Registers of an explicit operand.
static unsigned widthOf(const Isa &isa, unsigned opcode, unsigned operand) {
  const int regClass = isa.instrInfo().getOpRegClassID(isa.instrInfo().get(opcode).operands()[operand],
                                                       isa.subtarget().getHwMode(MCSubtargetInfo::HwMode_RegInfo));
  return regClass < 0 ? 0 : isa.registerInfo().getRegClass(regClass).getSizeInBits() / 32;
}

static std::optional<MatrixOp> makeOp(const Isa &isa, StringRef mnemonic, StringRef formats, bool isNarrow) {
  ArrayRef<const InstrDesc *> descs = isa.findMnemonic(mnemonic);
  if (descs.empty())
    return std::nullopt;
  MatrixOp op;
  op.mnemonic = mnemonic.str();
  op.isNarrow = isNarrow;
  const unsigned opcode = descs.front()->opcode;
  op.sumRegisters = widthOf(isa, opcode, 0);
  const bool isSparse = descs.front()->isSparse, isMixed = descs.front()->takesMixedFormats,
             isScaled = descs.front()->takesScales;
  // The mixed ones have their sources' size from the formats: 32 values of 8 bits, or of 4.
  const unsigned a = isMixed ? (isNarrow ? 4 : 8) : widthOf(isa, opcode, 1), b = isMixed ? a : widthOf(isa, opcode, 2);
  if (!op.sumRegisters || !a || !b || a > 8 || b > 8)
    return std::nullopt;
  const std::string sum = op.sumRegisters == 1 ? "v[D]" : formatv("v[D:D+{0}]", op.sumRegisters - 1).str();
  op.text = formatv("{0} {1}, {2}, {3}, {4}", mnemonic, sum, registers(sourceA, a), registers(sourceB, b),
                    isSparse ? "v10" : sum);
  if (isScaled)
    op.text += ", v10, v11";
  if (!formats.empty())
    op.text += (" " + formats).str();
  // Names of older chips remain in LLVM's tables.
  if (Error error = assembleObject(isa, ".set D, 32\n" + op.text + "\n", "probe", TextFrom::Inflight).takeError()) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  op.name = mnemonic.str() + (isMixed ? isNarrow ? " (fp4)" : " (fp8)" : "");
  static const Regex shape("_([0-9]+)x([0-9]+)x([0-9]+)(_([0-9]+)b)?");
  SmallVector<StringRef, 6> parts;
  if (shape.match(mnemonic, &parts)) {
    op.operations = 2;
    for (unsigned part : {1, 2, 3, 5}) {
      unsigned factor = 1;
      if (!parts[part].empty() && !parts[part].getAsInteger(10, factor))
        op.operations *= factor;
    }
  }
  return op;
}

std::vector<MatrixOp> matrixOps(StringRef chip) {
  std::vector<MatrixOp> ops;
  Expected<const Isa *> isa = Isa::get(chip);
  Expected<const MatrixPasses *> passes = MatrixPasses::get(chip);
  if (!isa || !passes) {
    consumeError(isa.takeError());
    consumeError(passes.takeError());
    return ops;
  }
  for (const std::string &mnemonic : (*isa)->mnemonics()) {
    StringRef m = mnemonic;
    const InstrDesc &desc = *(*isa)->findMnemonic(m).front();
    if (!desc.isMfma)
      continue;
    // From gfx942 on the names have one more underscore; LLVM takes the old ones, too.
    static const Regex withUnderscore("x[0-9]+(_[0-9]+b)?_");
    if ((*isa)->target().hasLongMatrixNames && !withUnderscore.match(m))
      continue;
    const bool isMixed = desc.takesMixedFormats;
    for (bool isNarrow : {false, true})
      if (std::optional<MatrixOp> op =
              isNarrow && !isMixed
                  ? std::nullopt
                  : makeOp(**isa, m, isMixed ? isNarrow ? "cbsz:4 blgp:4" : "cbsz:0 blgp:0" : "", isNarrow)) {
        op->listedCycles = (*passes)->knows(m) ? 4 * (*passes)->of(m, isNarrow) : 0;
        op->listedBlocked = (*passes)->knows(m) ? (*passes)->valuBlocked(m) : 0;
        ops.push_back(std::move(*op));
      }
  }
  return ops;
}

static Work withOp(const char *probe, const MatrixOp &op) {
  const unsigned count = std::min(8u, (lastRegister - sums) / op.sumRegisters);
  Work work;
  work.variant.probe = probe;
  work.variant.values = {{"OP", op.text},
                         {"FIRST_SUM", std::to_string(sums)},
                         {"SUM_REGISTERS", std::to_string(op.sumRegisters)},
                         {"SUMS", std::to_string(count)}};
  work.variant.vgprs = alignTo(sums + count * op.sumRegisters, 8);
  return work;
}

Work mfmaWork(const MatrixOp &op, bool chained) {
  // Two passes need two wait states before an accumulation to the same registers (CDNA3 ISA, table of manually inserted
  // wait states).
  return withOp("mfma", op)
      .with("CHAINED", chained)
      .with("WAIT_STATES", op.listedCycles && op.listedCycles <= 8 ? "s_nop 1" : "");
}

Work mfmaShadowWork(const MatrixOp &op, const std::string &other, unsigned beside) {
  return withOp("mfma-shadow", op).with("OTHER", other).with("BESIDE", beside);
}

void measureMfma(Bench &bench, Report &report) {
  Table table{"", {"instruction", "independent", "chained", "listed", "FLOP a cycle and compute unit"}, {}};
  for (const MatrixOp &op : matrixOps(bench.chip())) {
    const double each = bench.each(mfmaWork(op, false), 8, 24);
    table.rows.push_back({op.name, each, bench.each(mfmaWork(op, true), 8, 24),
                          op.listedCycles ? Cell(double(op.listedCycles)) : Cell("-"),
                          each > 0 ? 4 * op.operations / each : 0});
  }
  report.tables.push_back(std::move(table));
}

void measureMfmaShadow(Bench &bench, Report &report) {
  const std::vector<MatrixOp> ops = matrixOps(bench.chip());
  static const char *const others[][2] = {{"v_add_u32", "v_add_u32 v[D], v[A], v[A]"},
                                          {"v_exp_f32", "v_exp_f32 v[D], v[A]"}};
  static const char *const wanted[] = {"v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16f16",  "v_mfma_f32_32x32x8_f16",
                                       "v_mfma_f32_32x32x8f16",   "v_mfma_f32_16x16x32_f16", "v_mfma_f32_32x32x2_f32",
                                       "v_mfma_f32_32x32x2f32"};
  constexpr unsigned most = 16;
  Table table{"cycles of the loop, by instructions beside the matrix instruction", {"instruction", "beside it"}, {}};
  for (unsigned beside = 0; beside <= most; ++beside)
    table.columns.push_back(std::to_string(beside));
  Curve curve{"v_add_u32 beside it", "instructions", "cycles", {}};
  for (const char *name : wanted) {
    const auto op = find_if(ops, [&](const MatrixOp &o) { return o.name == name; });
    if (op == ops.end())
      continue;
    for (const auto &other : others) {
      std::vector<Cell> row = {op->name, other[0]};
      Series series{op->name, {}};
      for (unsigned beside = 0; beside <= most; ++beside) {
        const double each = bench.each(mfmaShadowWork(*op, other[1], beside), 4, 12);
        row.push_back(each);
        series.points.push_back({beside, each});
      }
      table.rows.push_back(std::move(row));
      if (&other == others)
        curve.series.push_back(std::move(series));
    }
  }
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

} // namespace inflight::probes
