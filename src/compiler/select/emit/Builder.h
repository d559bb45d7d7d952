// Emits machine instructions for values that are lists of 32-bit elements: sharing, hoisting, operand legalisation.
// Arithmetic that takes several instructions builds on it: Integers, Vectors, Floats, Division. They have no state of
// their own, so that one is made where it is used. What the values are in MLIR is the selection's (Selection.h).
//
// Every value is a list of 32-bit *elements*, each a constant or a piece of a virtual register: i64, f64 and pointers
// have two, vector<4xf16> has two, an i1 is a lane mask in two scalar registers. Taking a vector apart or putting one
// together is only list work; an instruction that wants a tuple gets the pieces copied together, and register
// allocation removes the copies. Elements of less than 32 bits stand in the low bits; what is above is undefined.
#pragma once

#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lir/Lir.h"
#include "compiler/select/emit/SourcePlaces.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace inflight::select {

using lir::Encoding;
using lir::Modifiers;
using lir::Operand;
using lir::Pseudo;
using lir::Reg;
using lir::RegFile;
using lir::Special;
using llvm::alignTo;
using llvm::divideCeil;
using llvm::Hi_32;
using llvm::isPowerOf2_32;
using llvm::isPowerOf2_64;
using llvm::Lo_32;
using llvm::Log2_32;
using llvm::Log2_64;
using llvm::Make_64;
using llvm::maskTrailingOnes;
using llvm::SaturatingAdd;
using llvm::SaturatingMultiply;
using llvm::SaturatingMultiplyAdd;
using llvm::StringSwitch;
using Predicate = mlir::LLVM::ICmpPredicate;
using enum Mnemonic;

struct Elem {
  bool isImm = true;
  bool undefined = false; ///< any value will do; an immediate
  uint32_t imm = 0;
  Reg reg; ///< one piece
  static Elem constant(uint32_t value) {
    Elem elem;
    elem.imm = value;
    return elem;
  }
  static Elem anything() {
    Elem elem;
    elem.undefined = true;
    return elem;
  }
  static Elem of(Reg reg) {
    Elem elem;
    elem.isImm = false;
    elem.reg = reg;
    return elem;
  }
  bool operator==(const Elem &other) const {
    return isImm == other.isImm && (isImm ? imm == other.imm : reg == other.reg);
  }
};
using Elems = llvm::SmallVector<Elem, 4>;
/// A signed number of up to 64 bits.
Elems constantElems(const llvm::APInt &value);
/// 64 bits.
inline Elems constantPair(uint64_t value) { return {Elem::constant(Lo_32(value)), Elem::constant(Hi_32(value))}; }

/// Bits of a scalar: a pointer's by address space, 64 of an index, 0 of what is no scalar.
unsigned bitWidth(mlir::Type type);
/// i1 or a vector of it: a lane mask, two words, for each element.
bool isMask(mlir::Type type);
/// Bits that a value takes in memory: i1 takes a byte, vectors of it are packed.
unsigned storageBits(mlir::Type type);

/// Whether a list of 32-bit elements can hold it.
bool isSelectable(mlir::Type type);

/// Whether a float, or an element of a vector of them, may be a signaling NaN (Quiet.cpp).
bool mayBeSignaling(mlir::Value value);

/// One operation on each type of float.
struct FloatOperation {
  Mnemonic f16, f32, f64;
  Mnemonic on(mlir::Type type) const { return type.isF16() ? f16 : type.isF32() ? f32 : f64; }
};

/// The scalar unit's comparison of 32 bits; `asUnsigned` ignores the sign.
Mnemonic scalarComparison(Predicate predicate);
Predicate asUnsigned(Predicate predicate);

/// The function while it is emitted, and what is known of its registers.
struct Emission {
  Emission(const Isa &isa LLVM_LIFETIME_BOUND, mlir::LLVM::LLVMFuncOp source, lir::Function &function)
      : chip(isa), source(source), fn(function), places(function) {}

  /// A loop's body or one side of a branch, innermost last.
  struct Region {
    bool isLoop = false;
    bool isPredicated = false; ///< a side without a jump
    unsigned hoistBlock = 0;   ///< receives what doesn't depend on the region
    size_t hoistIndex = 0;     ///< sides of branches: where in that block, before EXEC changes
    std::vector<std::string> cseKeys = {};
  };
  /// Words of 16 bits each that were put together.
  struct Halves {
    Elem words[2]; ///< whose halves they are, the lower one first
    bool isUpper[2];
  };

  /// A float, and what an operand's modifiers do to its sign.
  struct Signed {
    Elems value;
    bool negate = false, absolute = false; ///< the magnitude first
  };

  /// What a word was made of: `word & constant`, or the word shifted by the constant.
  struct MaskedOrShifted {
    Mnemonic how; ///< the scalar unit's
    Elem word;
    uint32_t constant;
  };

  const Isa &chip;
  mlir::LLVM::LLVMFuncOp source;
  lir::Function &fn;
  std::vector<Region> regions;
  std::vector<unsigned> regDepth; ///< by RegId: region it was defined in
  llvm::StringMap<Elems> cse;
  std::vector<uint64_t> valueNumbers;      ///< by RegId; 0: none
  llvm::DenseSet<lir::RegId> keptOutside;  ///< hold values of lanes that aren't active where others are written
  llvm::DenseSet<lir::RegId> mergedMasks;  ///< whose bits several paths write, each its lanes'
  llvm::DenseSet<uint64_t> numbersInSides; ///< of what sides of branches have computed
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, Elem> highHalfOf; ///< by piece: the word it was shifted from
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, Halves> halvesOf; ///< by piece
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, Elem> signOf;     ///< by piece: the word whose sign fills it
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, std::pair<Elem, uint32_t>> xorOf; ///< by piece: a word, a constant
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, std::pair<Elem, uint32_t>>
      packedSumOf; ///< by piece: a word, and what is added to its elements without a carry between them
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, MaskedOrShifted> bitsOf; ///< by piece
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, uint32_t> loadedBits; ///< by piece: of less than a word, zero above
  llvm::DenseMap<std::pair<lir::RegId, unsigned>, Signed>
      signedOf; ///< by a float's word with the sign: as what it was made
  llvm::DenseSet<std::pair<lir::RegId, unsigned>> exactBfloats; ///< pieces that are singles with nothing below a bfloat
  unsigned current = 0;
  bool goesBeforeSides = false; ///< what is emitted now is wanted on several sides of branches
  bool hasFailed = false;       ///< an error was reported where a value had to be given back
  SourcePlaces places;
  mlir::Operation *currentOp = nullptr;
  lir::Place currentPlace; ///< what is emitted gets it
};

class Builder {
public:
  explicit Builder(Emission &state LLVM_LIFETIME_BOUND) : state(state), chip(state.chip), fn(state.fn) {}
  using Region = Emission::Region;

  lir::Inst &emit(Mnemonic mnemonic, llvm::ArrayRef<Operand> operands, const Modifiers &modifiers = {},
                  Encoding encoding = Encoding::Plain);
  lir::Inst &emit(Pseudo pseudo, llvm::ArrayRef<Operand> operands = {});
  lir::Inst &emitInto(unsigned block, lir::Inst inst);
  /// An instruction with the implicit operands that the opcode has. A chip without it gets an error at the operation.
  lir::Inst makeInst(Mnemonic mnemonic, llvm::ArrayRef<Operand> operands, const Modifiers &modifiers = {},
                     Encoding encoding = Encoding::Plain);
  bool has(Mnemonic mnemonic) const { return !chip.encodings(mnemonic).empty(); }
  unsigned newBlock();
  void startBlock(unsigned block) { state.current = block; }
  void branchTo(Mnemonic mnemonic, unsigned target, unsigned fallThrough);
  unsigned depthOf(const Elem &elem) const;
  bool isScalar(const Elem &elem) const { return elem.isImm || fn.regs[elem.reg.id].file == RegFile::Sgpr; }
  bool allScalar(llvm::ArrayRef<Elem> elems) const;
  Reg newVgpr(unsigned width = 1) { return newReg(RegFile::Vgpr, width); }
  Reg newSgpr(unsigned width = 1) { return newReg(RegFile::Sgpr, width); }
  Reg newReg(RegFile file, unsigned width);
  static bool isInline(uint32_t value);
  Operand operand(const Elem &elem) const;
  /// An operation without side effects on 32-bit elements; hoisted and shared where possible.
  Elem pure(Mnemonic mnemonic, llvm::ArrayRef<Elem> sources, bool scalar);
  /// Like `pure`, with a result of several pieces from operands that may be tuples.
  Elems pureTuple(Mnemonic mnemonic, unsigned width, llvm::ArrayRef<Operand> sources, bool scalar,
                  const Modifiers &modifiers = {});
  /// Where a computation goes.
  struct Home {
    unsigned block = 0;           ///< receives the instructions
    Region *beforeSide = nullptr; ///< if set: at this region's hoistIndex, else at the block's end
    unsigned region = 0;          ///< number + 1 of the region that ends the value's validity, 0: none
    unsigned resultDepth = 0;     ///< as in regDepth
  };
  /// Where a value of sources of this depth is computed: before the outermost loop that none of them depends on. What
  /// another side of a branch has computed already, by its value number, goes before the outermost branch.
  Home homeOf(unsigned sourceDepth, uint64_t number);
  /// A value of so many pieces, emitted at its home by `emitAll` or shared with an earlier one of the same key.
  Elems shared(std::string key, llvm::ArrayRef<Operand> sources, RegFile file, unsigned width,
               llvm::function_ref<void(unsigned block, Reg result)> emitAll);
  /// Like `pureTuple`, for a sequence of instructions that belongs together: SCC or a carry ties it.
  Elems pureSequence(llvm::StringRef name, unsigned width, llvm::ArrayRef<Operand> sources, bool scalar,
                     llvm::function_ref<void(unsigned block, Reg result)> emitAll);
  /// Appends what values are shared by; returns the sources' depth.
  unsigned describe(llvm::ArrayRef<Operand> sources, std::string &key, bool &readsSpecial) const;
  /// The same for the same computation, whichever registers hold its sources; distinct ones may collide.
  uint64_t valueNumber(llvm::StringRef name, llvm::ArrayRef<Operand> sources) const;
  /// Ends the innermost region: its values are no longer shared.
  void endRegion();
  Elem toVgpr(const Elem &elem);
  Elem toSgpr(const Elem &elem);      ///< readfirstlane where needed
  Elem materialize(const Elem &elem); ///< a register of either file
  Reg tuple(llvm::ArrayRef<Elem> elems, RegFile file);
  void fillTuple(unsigned block, Reg result, RegFile file, llvm::ArrayRef<Elem> elems);
  Elems pieces(Reg reg) const;
  /// VALU operand legalisation: at most one scalar register, literals only where they encode.
  void legalize(Mnemonic mnemonic, llvm::SmallVectorImpl<Elem> &sources);

  /// Reports that the operation isn't supported, and why.
  mlir::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &why = "") const;

  Emission &state;
  const Isa &chip;
  lir::Function &fn;
};

} // namespace inflight::select
