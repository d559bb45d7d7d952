// Waves that have matrix instructions to issue go first.
//
// A SIMD issues one vector or matrix instruction in a slot, of the oldest wave that has one. Beside a wave that
// computes on vectors, an instruction each slot, another one hardly gets a matrix instruction in between, though that
// keeps the matrix core busy for many slots. So where a loop computes exponentials and then multiplies matrices
// (attention that computes the next scores beside the products of these), its matrix instructions get a higher
// priority. s_setprio ends what the scheduler mixes: a stretch of matrix instructions with vector instructions among
// them would keep the other waves from theirs.
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/LoopSize.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"

#include "compiler/pipeline/MakePass.h"
#include "isa/chip/TargetInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight {

namespace {
/// Registers that the values take. Only numbers count: addresses and counters are mostly scalar.
uint64_t wordsOf(TypeRange types) { return countWords(types, /*ofOther=*/0); }

/// Only names or moves what is there.
bool isNaming(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<LLVM::BitcastOp, LLVM::ShuffleVectorOp, LLVM::ExtractElementOp, LLVM::InsertElementOp,
             LLVM::ExtractValueOp, LLVM::InsertValueOp, LLVM::PoisonOp, LLVM::UndefOp, LLVM::GEPOp>(op);
}

/// Brings a factor of a matrix instruction.
bool isFetch(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isNaming(op) || (effects && effects.onlyHasEffect<MemoryEffects::Read>()) ||
         op->getName().getStringRef().starts_with("rocdl.ds.read.tr");
}

class Phases {
public:
  Phases(scf::ForOp loop, const TargetInfo &target) : loop(loop), target(target) {}

  /// Whether the loop has matrix instructions, and as much else that they have to share the SIMD with.
  bool find() {
    uint64_t between = 0;      // words computed since the last matrix instruction
    bool hasFunctions = false; // exponentials and the like among them
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isOrderedByHand(&op))
        return false;
      if (isMatrix(&op)) {
        if (runs.empty() || between > besides) {
          // Two products, one of which waits for the other: shorter stretches, in which the order matters more.
          if (!hasFunctions)
            return false;
          runs.push_back({&op, &op, 0});
          hasFunctions = false;
        }
        runs.back().last = &op;
        ++runs.back().count;
        between = 0;
        continue;
      }
      if (isTranscendental(&op)) {
        transcendental += wordsOf(op.getResultTypes());
        hasFunctions = true;
      }
      if (op.getNumRegions())
        between = besides + 1; // other blocks
      else if (isPure(&op) && !isNaming(&op))
        between += wordsOf(op.getResultTypes());
    }
    llvm::erase_if(runs, [](const Run &run) { return run.count < fewest; });
    unsigned matrices = 0;
    for (const Run &run : runs)
      matrices += run.count;
    return !runs.empty() && transcendental * few >= matrices && leavesRoom();
  }

  /// Both waves of a SIMD are in the same phase at first, and must come to differ in it: one multiplies while the other
  /// one computes. So the priority rises on the way through an iteration, and the wave that is ahead in it stays so.
  void raise() {
    enum Phase : uint16_t { Compute, Computed, Multiply, Multiplying };
    Operation *end = nullptr; // of the run before
    for (const Run &run : runs) {
      Operation *first = run.first;
      while (first->getPrevNode() && isFetch(first->getPrevNode()))
        first = first->getPrevNode();
      fetchBefore(first, run);
      if (end)
        advance(end, first);
      setPriorityAmong(middleOf(end ? end : &loop.getBody()->front(), first, isTranscendental), Computed);
      setPriorityAmong(middleOf(run.first, run.last, isMatrix), Multiplying);
      OpBuilder builder(first);
      setPriority(builder, first->getLoc(), Multiply);
      builder.setInsertionPointAfter(run.last);
      end = setPriority(builder, run.last->getLoc(), Compute);
    }
    advance(end, loop.getBody()->getTerminator());
  }

private:
  /// Matrix instructions of one block, from the first to the last.
  struct Run {
    Operation *first, *last;
    unsigned count;
  };

  /// What the first matrix instructions read is fetched while the arithmetic before them goes on. `first`, from which
  /// on the run goes, becomes what follows.
  void fetchBefore(Operation *&first, const Run &run) {
    Slice fetches;
    unsigned matrices = 0;
    for (Operation *op = first; op && matrices < matrixLead; op = op->getNextNode()) {
      if (!isMatrix(op) && !isFetch(op) && !isPure(op))
        break;
      if (!isMatrix(op))
        continue;
      ++matrices;
      for (Value factor : op->getOperands().take_front(2))
        if (!addSources(factor, fetches, [&](Operation *source) {
              return !isFrom(source, first) ? Source::Outside : isFetch(source) ? Source::Taken : Source::Refused;
            }))
          return;
    }
    for (Operation *op : fetches)
      if (op == first)
        first = op->getNextNode();
      else
        op->moveBefore(first);
  }

  /// Stands in the loop, at `first` or after it.
  bool isFrom(Operation *op, Operation *first) {
    return op->getBlock() == loop.getBody() && !op->isBeforeInBlock(first);
  }

  /// The middle one of the wanted operations from `begin` to `end`.
  static Operation *middleOf(Operation *begin, Operation *end, bool (*isWanted)(Operation *)) {
    SmallVector<Operation *> wanted;
    for (Operation *op = begin; op != end; op = op->getNextNode())
      if (isWanted(op))
        wanted.push_back(op);
    return wanted[(wanted.size() - 1) / 2];
  }

  /// Sets the priority after the operation and the matrix instructions and functions before it.
  static void setPriorityAmong(Operation *op, uint16_t priority) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    setPriority(builder, op->getLoc(), priority)->setAttr(amongMatrix, builder.getUnitAttr());
  }

  /// What memory does between a run's end and the next one goes beside the matrix instructions of the first, as far as
  /// its addresses don't wait for what is computed in between.
  void advance(Operation *end, Operation *next) {
    constexpr uint64_t address = 2; // words
    Slice moved;
    auto isOfAddress = [&](Operation *op) {
      if (!isFrom(op, end))
        return Source::Outside;
      return isPure(op) && !op->getNumRegions() && wordsOf(op->getResultTypes()) <= address ? Source::Taken
                                                                                            : Source::Refused;
    };
    for (Operation *op = end->getNextNode(); op != next; op = op->getNextNode())
      if (touchesMemory(op) && !(isTransfer(op) && addWithSources(op, moved, isOfAddress)))
        break;
    for (Operation *op : moved)
      op->moveBefore(end);
  }

  static bool isTransfer(Operation *op) {
    return isFetch(op) || isa<LLVM::FenceOp, ROCDL::SBarrierOp, ROCDL::LoadToLDSOp, ROCDL::RawPtrBufferLoadLdsOp>(op);
  }

  /// Whether there is room for a second wave on the SIMD, roughly.
  bool leavesRoom() { return target.wavesForVgprs(registersOf(loop, target)) > 1; }

  static constexpr unsigned fewest = 4;   ///< matrix instructions of a run
  static constexpr uint64_t besides = 16; ///< words that are computed beside one
  static constexpr uint64_t few = 4;      ///< matrix instructions beside a word that is a function's value
  scf::ForOp loop;
  const TargetInfo &target;
  SmallVector<Run> runs;
  uint64_t transcendental = 0; ///< words that are functions' values
};
} // namespace

std::unique_ptr<Pass> createMatrixPriorityPass(const TargetInfo &target) {
  return makePass("inflight-matrix-priority", [&target](Operation *root) {
    root->walk([&](scf::ForOp loop) {
      if (Phases phases(loop, target); phases.find())
        phases.raise();
    });
    return success();
  });
}
} // namespace inflight
