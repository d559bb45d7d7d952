// Matrix instructions: the mnemonic and the operands of rocdl.mfma and rocdl.smfmac.
#include "compiler/select/Handlers.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace inflight::select {

namespace {
class MatrixOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  LogicalResult selectMatrix(Operation *op);

private:
  struct MatrixOperands {
    bool isSparse = false, isScaled = false;
    bool mayTakeConstant = false; ///< as the accumulator
    Modifiers modifiers;
    SmallVector<Operand, 2> scales;
  };
  bool isUnscaled(Operation *op) const;
  Mnemonic matrixMnemonic(StringRef name) const;
  LogicalResult matrixControls(Operation *op, MatrixOperands &matrix);
};
} // namespace

/// Shapes that a chip replaced by one of twice the depth: with zeros for the new half of each lane's operands, whose
/// products are -0 for floats, it computes the same.
static StringRef deeperMatrix(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("rocdl.mfma.f32.32x32x2bf16", "rocdl.mfma.f32.32x32x4bf16.1k")
      .Case("rocdl.mfma.f32.16x16x2bf16", "rocdl.mfma.f32.16x16x4bf16.1k")
      .Case("rocdl.mfma.f32.4x4x2bf16", "rocdl.mfma.f32.4x4x4bf16.1k")
      .Case("rocdl.mfma.f32.32x32x4bf16", "rocdl.mfma.f32.32x32x8bf16.1k")
      .Case("rocdl.mfma.f32.16x16x8bf16", "rocdl.mfma.f32.16x16x16bf16.1k")
      .Case("rocdl.mfma.i32.32x32x8i8", "rocdl.mfma.i32.32x32x16.i8")
      .Case("rocdl.mfma.i32.16x16x16i8", "rocdl.mfma.i32.16x16x32.i8")
      .Default("");
}

/// Spellings of a matrix instruction on gfx942 and gfx950 (shape and type separated, with the number of blocks), which
/// know gfx90a's as another name of it, and on gfx90a (run together).
static SmallVector<std::string> matrixNames(StringRef name) {
  name.consume_front("rocdl.");
  std::string text;
  for (char c : name)
    text += c == '.' ? '_' : c;
  SmallVector<std::string> names;
  // mfma_f32_16x16x16f16 → mfma_f32_16x16x16_f16, mfma_f32_4x4x4_16b_f16, …
  size_t x = text.rfind('x');
  size_t end = x == std::string::npos ? x : text.find_first_not_of("0123456789", x + 1);
  if (end == std::string::npos)
    return {"v_" + text};
  std::string shape = text.substr(0, end), type = text.substr(end);
  if (type[0] == '_')
    type = type.substr(1);
  std::string plain = type;
  if (StringRef(plain).ends_with("_1k"))
    plain.resize(plain.size() - 3);
  for (const char *blocks : {"_", "_2b_", "_4b_", "_16b_"})
    for (const std::string &t : {type, plain})
      names.push_back(("v_" + Twine(shape) + blocks + t).str());
  names.push_back("v_" + text);
  return names;
}

Mnemonic MatrixOps::matrixMnemonic(StringRef name) const {
  for (const std::string &candidate : matrixNames(name))
    if (Mnemonic known = mnemonicOf(candidate); has(known))
      return known;
  return none;
}

LogicalResult MatrixOps::matrixControls(Operation *op, MatrixOperands &matrix) {
  StringRef name = op->getName().getStringRef();
  matrix.isSparse = name.contains("smfmac");
  matrix.isScaled = name.contains(".scale.");
  const bool onDoubles = name.contains("f64");
  // A, B, C; sparse: index, cbsz, abid; scaled: cbsz, blgp, a byte and a scale of A, the same of B; else cbsz, abid,
  // blgp.
  SmallVector<unsigned, 4> constants;
  if (matrix.isScaled)
    constants = {3, 4, 5, 7};
  else if (matrix.isSparse)
    constants = {4, 5};
  else
    constants = {3, 4, 5};
  if (op->getNumOperands() != (matrix.isScaled ? 9 : 6))
    return unsupported(op, Twine(op->getNumOperands()) + " operands");
  if (!llvm::all_of(constants, [&](unsigned i) { return values.constantInt(op->getOperand(i)).has_value(); }))
    return unsupported(op, "a modifier that is not constant");
  auto control = [&](unsigned i) { return values.constantInt(op->getOperand(i))->getSExtValue(); };
  // Only one byte of a scale counts: the extension of a value that is the lowest byte is left out.
  auto scale = [&](unsigned i, unsigned byte) {
    Value word = op->getOperand(i);
    if (Operation *extension = word.getDefiningOp();
        byte == 0 && mlir::isa_and_nonnull<LLVM::ZExtOp, LLVM::SExtOp>(extension))
      if (extension->getOperand(0).getType().isInteger(8))
        word = extension->getOperand(0);
    return operand(toVgpr(get(word)[0]));
  };
  Modifiers &modifiers = matrix.modifiers;
  if (matrix.isScaled) {
    matrix.scales = {scale(6, control(5)), scale(8, control(7))};
    matrix.mayTakeConstant = true;
    for (unsigned byte : {5, 7}) {
      modifiers.opSel.push_back(control(byte) & 1);
      modifiers.opSelHi.push_back(control(byte) >> 1 & 1);
    }
    modifiers.cbsz = control(3);
    modifiers.blgp = control(4);
    return success();
  }
  modifiers.cbsz = control(matrix.isSparse ? 4 : 3);
  modifiers.abid = control(matrix.isSparse ? 5 : 4);
  const int64_t blgp = matrix.isSparse ? 0 : control(5);
  // Products of doubles have signs there instead.
  if (!onDoubles)
    modifiers.blgp = blgp;
  else if (blgp)
    for (unsigned source = 0; source < 3; ++source)
      modifiers.neg.push_back(blgp >> source & 1);
  matrix.mayTakeConstant = !matrix.isSparse && !onDoubles;
  return success();
}

/// Registers that a matrix of 8, 6 or 4-bit numbers takes, by the format in cbsz or blgp (ISA manual, scaled MFMA).
static unsigned wordsOfFormat(int64_t format) { return format <= 1 ? 8 : format <= 3 ? 6 : 4; }

/// Scales that are both constants of 0 ask for the instruction without scales (LLVM's intrinsics).
bool MatrixOps::isUnscaled(Operation *op) const {
  return op->getName().getStringRef().contains(".scale.") && op->getNumOperands() == 9 &&
         llvm::all_of(ArrayRef<unsigned>{6, 8}, [&](unsigned i) {
           std::optional<APInt> scale = values.constantInt(op->getOperand(i));
           return scale && scale->isZero();
         });
}

LogicalResult MatrixOps::selectMatrix(Operation *op) {
  std::string spelling = op->getName().getStringRef().str();
  const bool isPlain = isUnscaled(op);
  if (isPlain)
    spelling.erase(spelling.find(".scale"), StringRef(".scale").size());
  StringRef name = spelling, deeper = deeperMatrix(name);
  const bool isReplaced = !deeper.empty() && !chip.target().hasHalfDepthMatrix;
  const Mnemonic mnemonic = matrixMnemonic(isReplaced ? deeper : name);
  if (mnemonic == none)
    return unsupported(op, "no such instruction on " + chip.target().chip);
  MatrixOperands matrix;
  if (failed(matrixControls(op, matrix)))
    return failure();
  Elems a = get(op->getOperand(0)), b = get(op->getOperand(1)), c = get(op->getOperand(2));
  if (isReplaced) {
    constexpr uint32_t negativeZeros = 0x80008000; // bf16; to add 0 would change a sum of -0
    const bool isInteger = getElementTypeOrSelf(op->getResult(0)).isInteger();
    a.resize(2 * a.size(), Elem::constant(isInteger ? 0 : negativeZeros));
    b.resize(2 * b.size(), Elem::constant(0));
  }
  if (matrix.isScaled) {
    a.resize(std::min<size_t>(a.size(), wordsOfFormat(matrix.modifiers.cbsz)));
    b.resize(std::min<size_t>(b.size(), wordsOfFormat(matrix.modifiers.blgp)));
  }
  if (isPlain) {
    matrix.scales.clear();
    matrix.modifiers.opSel = {};
    matrix.modifiers.opSelHi = {};
  }
  Reg destination = newVgpr(dwords(op->getResult(0).getType()));
  const bool isConstant =
      matrix.mayTakeConstant && llvm::all_of(c, [&](const Elem &e) { return e.isImm && e == c[0] && isInline(e.imm); });
  // The result takes the accumulator's place, unless somebody else reads that.
  const bool isKept = !isConstant && !matrix.isSparse && !op->getOperand(2).hasOneUse();
  if (!isConstant && !isKept)
    fillTuple(state.current, destination, RegFile::Vgpr, c);
  Operand accumulator = isKept          ? Operand::use(tuple(c, RegFile::Vgpr))
                        : !isConstant   ? Operand::use(destination)
                        : c[0].imm == 0 ? Operand::imm64(0)
                                        : operand(c[0]);
  SmallVector<Operand, 6> operands{Operand::def(destination), Operand::use(tuple(a, RegFile::Vgpr)),
                                   Operand::use(tuple(b, RegFile::Vgpr))};
  if (matrix.isSparse) {
    operands.push_back(operand(toVgpr(get(op->getOperand(3))[0])));
    accumulator.isImplicit = true;
  }
  operands.push_back(accumulator);
  operands.append(matrix.scales.begin(), matrix.scales.end());
  emit(mnemonic, operands, matrix.modifiers).earlyClobber = isConstant || isKept;
  set(op->getResult(0), pieces(destination));
  return success();
}

LogicalResult selectMatrix(Selection &selection, Operation *op) { return MatrixOps(selection).selectMatrix(op); }

} // namespace inflight::select
