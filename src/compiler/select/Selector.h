// Instruction selection: a structured LLVM-dialect kernel to LIR.
//
// Uniform values live in scalar registers. Which values are uniform is computed first (Divergence),
// so that loop-carried values have their file before the loop is selected.
//
// Addresses are linear forms over MLIR values (LinearForms.h): uniform terms are summed on the scalar
// unit, lane-varying ones on the vector unit and outside the loops they don't depend on, constants
// go to the offset field.
//
// Each class of operation has a specialisation of Selector::select in one of the *Ops.cpp files; Handlers finds it.
#pragma once

#include "compiler/select/AddressPlan.h"
#include "compiler/select/Select.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace inflight::select {

/// What an operation without regions may do to global memory.
struct MemoryEffects {
  mlir::Value written;         ///< what the pointer written through was made from, if it is known
  bool writesAnything = false; ///< and it isn't known
  bool synchronizes = false;   ///< orders accesses of this wave and others
};
MemoryEffects memoryEffects(mlir::Operation *op);

/// Where a pointer points, before it is put into an instruction's fields.
struct Address {
  unsigned space = 0;
  Elems base;           ///< global: 64-bit address; buffer: descriptor; LDS, scratch: empty
  Elem uniformOffset;   ///< bytes, scalar; added to the others (buffer, LDS)
  Elem laneOffset;      ///< bytes, vector, unsigned 32 bits
  int64_t constant = 0; ///< bytes
  uint64_t alignment = 1;
  bool nonNegative = false; ///< laneOffset + uniformOffset can't be negative
  lir::ByteRange lds;       ///< LDS: where the address lies, `constant` included; all if unknown
  lir::ByteRange ldsBytes(unsigned offset, unsigned size) const;
};

/// How the memory instructions of a load or store are emitted.
struct AccessKind {
  bool isOrdered = false; ///< volatile or atomic: stays, and stays where it is
  CachePolicy cache;
};

class Selector : Emitter {
public:
  Selector(const Isa &isa, mlir::LLVM::LLVMFuncOp source, lir::Function &function, LoopCopies copies)
      : Emitter(isa, source, function),
        divergence(source),
        loopCopies(copies),
        bounds(isa, values),
        forms(isa, values, divergence, bounds) {}

  /// Errors have been reported at the operation.
  mlir::LogicalResult run();

private:
  friend class Handlers;
  template <typename Op> mlir::LogicalResult select(Op op);
  mlir::LogicalResult selectOp(mlir::Operation *op);
  mlir::LogicalResult selectBlock(mlir::Block &block);

  // Matrix instructions (MatrixOps.cpp).
  struct MatrixOperands {
    bool isSparse = false, isScaled = false;
    bool mayTakeConstant = false; ///< as the accumulator
    Modifiers modifiers;
    llvm::SmallVector<Operand, 2> scales;
  };
  mlir::LogicalResult selectMatrix(mlir::Operation *op);
  bool isUnscaled(mlir::Operation *op) const;
  Mnemonic matrixMnemonic(llvm::StringRef name) const;
  mlir::LogicalResult matrixControls(mlir::Operation *op, MatrixOperands &matrix);

  // The kernel's entry (Entry.cpp).
  mlir::LogicalResult setUpEntry();
  void readAttributes();
  void takeInitialRegisters();
  struct ArgumentPlace {
    unsigned offset, bytes;
  };
  mlir::FailureOr<llvm::SmallVector<ArgumentPlace>> placeArguments();
  lir::ArgumentInfo describeArgument(unsigned index);
  Elems loadKernarg(llvm::ArrayRef<ArgumentPlace> places);
  Elem hiddenArgument(unsigned offset, unsigned bytes);

  // Memory (Address.cpp, Memory.cpp).
  void loadMerged(mlir::LLVM::LoadOp first, const Merge &merge);
  void storeMerged(mlir::LLVM::StoreOp last, const Merge &merge);
  Elem sumTerms(llvm::ArrayRef<std::pair<mlir::Value, int64_t>> terms);
  Address addressOf(mlir::Value pointer);
  Elems pointerElems(const Address &address);
  template <typename Op> AccessKind accessKind(Op op) const;
  void fence(mlir::LLVM::AtomicOrdering ordering, llvm::StringRef scope); // WaveOps.cpp
  Elems loadBytes(const Address &address, unsigned bytes, unsigned offset, const AccessKind &kind);
  Elems loadScalars(const Address &address, unsigned bytes);
  void storeBytes(const Address &address, llvm::ArrayRef<Elem> value, unsigned bytes, unsigned offset,
                  const AccessKind &kind);
  /// Returns what was there before (Atomic.cpp).
  Elems exchangeWords(const Address &address, llvm::ArrayRef<Elem> expected, llvm::ArrayRef<Elem> wanted);
  static lir::MemoryKind memoryKind(unsigned space) {
    return space == ldsSpace       ? lir::MemoryKind::Lds
           : space == privateSpace ? lir::MemoryKind::Scratch
                                   : lir::MemoryKind::Global;
  }
  /// Puts the address into operands: returns them in the order of the format, data excluded.
  struct Fields {
    enum class Format { Lds, Buffer, Scratch, Global } format = Format::Global;
    llvm::SmallVector<Operand, 4> operands;
    Modifiers modifiers;
    /// The format's instruction for so many bytes.
    Mnemonic load(unsigned bytes) const;
    Mnemonic store(unsigned bytes) const;
    Mnemonic storeUpper(unsigned bytes) const; ///< of the upper half of a word
  };
  Fields fieldsFor(Address address, unsigned offset, unsigned bytes);
  /// `immediate` moves both sides.
  mlir::LogicalResult ldsDma(mlir::Operation *op, Address from, Address to, unsigned bytes, int64_t immediate,
                             CachePolicy cache);
  mlir::LogicalResult loadToLds(mlir::Operation *op, mlir::Value from, mlir::Value to, unsigned bytes, int64_t offset,
                                unsigned aux);

  // Buffers (BufferOps.cpp).
  mlir::LogicalResult readAux(mlir::Operation *op, mlir::Value aux, AccessKind &kind);
  Address bufferAddress(mlir::Value descriptor, mlir::Value laneOffset, mlir::Value uniformOffset);
  Address atomicBuffer(mlir::Value descriptor, mlir::Value laneOffset, mlir::Value uniformOffset);
  struct BufferAccess {
    Address address;
    unsigned bytes;
    AccessKind kind;
  };
  /// What a buffer load or store of this type accesses.
  template <typename Op> mlir::FailureOr<BufferAccess> bufferAccess(Op op, mlir::Type type);
  template <typename Op> mlir::LogicalResult bufferLoad(Op op);
  template <typename Op> mlir::LogicalResult bufferStore(Op op);
  mlir::LogicalResult bufferAtomic(mlir::Operation *op, Mnemonic mnemonic);
  mlir::LogicalResult transposedRead(mlir::Operation *op, Mnemonic mnemonic);

  // What several operations share, by file.
  /// `scalar` on each element of the operands, or of `operands`.
  mlir::LogicalResult elementwise(mlir::Operation *op, llvm::function_ref<Elems(llvm::ArrayRef<Elems>)> scalar);
  mlir::LogicalResult elementwise(mlir::Operation *op, mlir::ValueRange operands,
                                  llvm::function_ref<Elems(llvm::ArrayRef<Elems>)> scalar);
  mlir::LogicalResult constant(mlir::Operation *op, mlir::Attribute value); // ConstantOps.cpp
  mlir::LogicalResult fill(mlir::Operation *op, Elem elem);
  struct IntegerCases; // IntegerOps.cpp
  mlir::LogicalResult integer(mlir::Operation *op, const IntegerCases &cases);
  bool fitsWord(mlir::Operation *op);
  mlir::LogicalResult bitwise(mlir::Operation *op, Mnemonic onMasks, Elem (Emitter::*onWords)(Elem, Elem));
  mlir::LogicalResult divide(mlir::Operation *op, bool isSigned, bool remainder);
  mlir::LogicalResult extremum(mlir::Operation *op, Mnemonic onMasks, Mnemonic onWords, Predicate wins);
  mlir::LogicalResult countZeros(mlir::Operation *op, bool leading);
  mlir::LogicalResult compareWithoutSum(mlir::LLVM::ICmpOp op);
  Elems compareMasks(Predicate predicate, llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b);
  Elem maskToWord(mlir::Value source, llvm::ArrayRef<Elem> mask, uint32_t one); // CastOps.cpp
  mlir::LogicalResult extend(mlir::Operation *op, bool isSigned);
  mlir::LogicalResult pointerCast(mlir::Operation *op);
  mlir::LogicalResult integerToFloat(mlir::Operation *op, bool isSigned);
  mlir::LogicalResult floatToInteger(mlir::Operation *op, bool isSigned);
  bool isBesideMatrix(mlir::Operation *op); // FloatOps.cpp
  bool packed(mlir::Operation *op, Mnemonic onHalves, Mnemonic onSingles);
  mlir::LogicalResult arithmetic(mlir::Operation *op, FloatOperation operation, Mnemonic packedF16 = none,
                                 Mnemonic packedF32 = none);
  mlir::LogicalResult numberExtremum(mlir::Operation *op, FloatOperation operation, Mnemonic packedF16);
  mlir::LogicalResult propagatingExtremum(mlir::Operation *op, FloatOperation operation);
  mlir::LogicalResult fusedMultiplyAdd(mlir::Operation *op);
  mlir::LogicalResult reciprocalRoot(mlir::LLVM::FDivOp op, mlir::LLVM::SqrtOp root);
  mlir::LogicalResult onSingles(mlir::Operation *op, llvm::function_ref<Elem(llvm::ArrayRef<Elem>)> compute);
  mlir::LogicalResult floatUnary(mlir::Operation *op, FloatOperation operation);
  mlir::LogicalResult sine(mlir::Operation *op, Mnemonic mnemonic);
  Elem shuffledWord(mlir::VectorType source, llvm::ArrayRef<Elem> a, llvm::ArrayRef<Elem> b,
                    llvm::ArrayRef<int32_t> mask);
  std::pair<unsigned, unsigned> locate(mlir::Type type, llvm::ArrayRef<int64_t> position) const; // VectorOps.cpp
  /// `condition`: whose mask it is, if known.
  Elems chooseScalars(mlir::Value condition, llvm::ArrayRef<Elem> mask, llvm::ArrayRef<Elem> yes,
                      llvm::ArrayRef<Elem> no);
  mlir::LogicalResult setId(mlir::Operation *op, Elem word); // WaveOps.cpp
  mlir::LogicalResult workitemId(mlir::Operation *op, unsigned dim);
  mlir::LogicalResult workgroupId(mlir::Operation *op, unsigned dim);
  mlir::LogicalResult workgroupSize(mlir::Operation *op, unsigned dim);
  mlir::LogicalResult gridSize(mlir::Operation *op, unsigned dim);
  mlir::LogicalResult maskedBitCount(mlir::Operation *op, Mnemonic mnemonic);
  mlir::LogicalResult swapLanes(mlir::Operation *op, Mnemonic mnemonic);
  mlir::LogicalResult sideEffect(Mnemonic mnemonic, llvm::ArrayRef<Operand> operands = {});
  mlir::LogicalResult sideEffect(Pseudo pseudo);
  Elem shiftedDown(mlir::Value value, unsigned bits); // ConversionOps.cpp
  Elem packedFloat8(Mnemonic mnemonic, mlir::Value a, mlir::Value b, mlir::Value old, bool isHigh);
  mlir::LogicalResult hardwareFunction(mlir::Operation *op, FloatOperation operation);

  // What is computed where it is used (Deferred.cpp).
  /// A branch, or a loop that may have no iteration.
  bool maySkip(mlir::Operation &op) const;
  void planDeferred(mlir::Block &block);
  /// Selects what was deferred, at the beginning of a side or before a loop's body.
  mlir::LogicalResult selectDeferred(mlir::Region &region);

  // Control flow (Control.cpp).
  // (Unroll.cpp)
  bool isWorthUnrolling(mlir::scf::ForOp op) const;
  mlir::LogicalResult selectUnrolled(mlir::scf::ForOp op);
  /// How many copies of its iteration a loop has, 0 for all, or why it has one.
  void remarkOnLoop(mlir::scf::ForOp op, unsigned copies);
  /// The iterations from `firstTrip` on, with constant counters, and the loop's results.
  mlir::LogicalResult selectTrips(mlir::scf::ForOp op, uint64_t firstTrip, llvm::SmallVector<Elems> carried);
  llvm::SmallVector<mlir::Operation *> earlyLoadsOf(mlir::scf::ForOp op);
  /// Selects the early loads of one iteration; what they give goes to `results`.
  mlir::LogicalResult selectEarly(mlir::scf::ForOp op, llvm::ArrayRef<mlir::Operation *> early,
                                  const llvm::APInt &counter, llvm::SmallVectorImpl<Elems> &results);
  /// One iteration with this counter; `carried` becomes what it yields.
  mlir::LogicalResult selectIteration(mlir::scf::ForOp op, Elems counter, llvm::SmallVector<Elems> &carried);
  /// Carried values that only change places with one another.
  struct Rotation {
    unsigned period = 1;         ///< iterations until all are back
    llvm::SmallVector<int> from; ///< by argument: whose value it takes after an iteration, -1 if it doesn't rotate
  };
  /// A period of 1 where it isn't worthwhile.
  Rotation rotationOf(mlir::scf::ForOp op) const;
  std::optional<uint64_t> tripCount(mlir::scf::ForOp op) const;
  void copyTo(llvm::ArrayRef<Elems> to, llvm::ArrayRef<Elems> from, bool keepsInactiveLanes);
  Elems mergeRegisters(mlir::Type type, bool uniform);
  /// Branches to `target` when the uniform condition is false. Where in the block the test and the branch begin.
  size_t branchIfNot(mlir::Value condition, unsigned target, unsigned fallThrough);
  /// Compares on the scalar unit, which sets SCC, if the condition is such a comparison. Where in the block.
  std::optional<size_t> compareIntoScc(mlir::Value condition);
  size_t compareIntoScc(Predicate predicate, Elem a, Elem b);
  /// The lanes in the mask go on; `saved` keeps who was active. Where in the block that begins.
  size_t saveAndNarrowExec(Reg saved, Operand mask);
  void restoreExec(Reg saved);
  /// Active lanes that are in the mask too, to a pair or to EXEC; SCC says whether there are any.
  lir::Inst &andWithExec(Operand to, Operand mask);
  /// The registers have values on all paths: any.
  void defineAnything(llvm::ArrayRef<Elems> registers);
  class LoopRegion; // (Loops.cpp)
  class ForLoop;
  /// One side of a branch, which gives the results their values. What it shares with other sides goes to hoistIndex.
  mlir::LogicalResult selectSide(mlir::Block &block, llvm::ArrayRef<Elems> results, bool keepsOtherLanes,
                                 unsigned hoistBlock, size_t &hoistIndex, bool isPredicated = false);
  // (Predicated.cpp)
  bool isPredicable(mlir::scf::IfOp op) const;
  void gatherPredicated(mlir::scf::IfOp first, llvm::SmallVectorImpl<mlir::scf::IfOp> &group,
                        llvm::SmallVectorImpl<mlir::Operation *> &before) const;
  mlir::LogicalResult selectPredicated(llvm::ArrayRef<mlir::scf::IfOp> group, llvm::ArrayRef<mlir::Operation *> before);
  mlir::LogicalResult selectKnownSide(mlir::scf::IfOp op, mlir::Region &taken);
  bool startsWithElse(mlir::scf::IfOp op, bool uniform, llvm::ArrayRef<Elems> results) const;
  /// A target that isn't made yet.
  static constexpr unsigned unknownBlock = ~0u;
  /// Gives the branches, the last instructions of their blocks, their target.
  void retarget(llvm::ArrayRef<unsigned> branches, unsigned target);

  Elems get(mlir::Value value);
  void set(mlir::Value value, Elems elems) { values.elems[value] = std::move(elems); }

  Divergence divergence;
  const LoopCopies loopCopies;
  SelectedValues values;
  Bounds bounds;
  LinearForms forms;
  AddressPlan plan;
  llvm::DenseSet<mlir::Block *> plannedBlocks;
  llvm::DenseSet<mlir::Operation *> onlyAhead;      ///< if any: nothing else may be selected ahead
  llvm::DenseSet<mlir::Operation *> selectedAhead;  ///< of the block that is being selected
  llvm::DenseMap<mlir::Block *, bool> matrixBlocks; ///< whether its matrix instructions go first
  llvm::DenseMap<mlir::Operation *, mlir::Region *> deferredTo;
  llvm::DenseMap<mlir::Region *, llvm::SmallVector<mlir::Operation *>> deferred; ///< the last first
  Reg kernargPointer, packedIds;
  Reg workgroupIds[3];
  unsigned hiddenOffset = 0;
};

} // namespace inflight::select
