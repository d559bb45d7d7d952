// The first step of lowering: every kernel becomes a gpu.func with the kernel ABI.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace inflight {

class Isa;

/// Errors for input that is verified and yet would crash what follows. On a module; the first pass.
std::unique_ptr<mlir::Pass> createCheckInputPass();

std::unique_ptr<mlir::Pass> createPrepareKernelsPass(unsigned maxBlockLanes);

/// all_reduce, subgroup ids and the like in terms of simpler gpu operations.
std::unique_ptr<mlir::Pass> createLowerGpuPass(llvm::StringRef chip, bool hasPermlaneSwap);

/// Shuffles and reductions of whole waves, by DPP where it reaches.
void populateCrossLanePatterns(mlir::RewritePatternSet &patterns, mlir::PatternBenefit benefit, bool hasPermlaneSwap);

/// Workgroup memory becomes addresses in LDS.
std::unique_ptr<mlir::Pass> createAllocateLdsPass(unsigned maxLdsBytes);

/// Multi-block bodies (cf, llvm.br) become scf.
std::unique_ptr<mlir::Pass> createLiftControlFlowPass();
/// Part of it: switches whose cases run into the next ones become conditional branches.
void chainSwitches(mlir::Region &body);

/// Loops, branches and accesses of the affine dialect become those of scf, memref and vector; sums of indices stay.
std::unique_ptr<mlir::Pass> createLowerAffineLoopsPass();
bool isAffineSum(mlir::Operation *op);

/// Affine differences that are remainders become those: what is never negative is cheaper to address with.
std::unique_ptr<mlir::Pass> createAffineRemaindersPass();

/// Quotients and remainders of sums of which the divisor divides a part become those of the parts. Ids are gpu's.
std::unique_ptr<mlir::Pass> createSplitQuotientsPass();

/// In loops, products of sums of what is the same in all lanes and what is the same in all iterations become those of
/// the parts. After everything is LLVM operations.
std::unique_ptr<mlir::Pass> createDistributeProductsPass();

/// Products of one factor and of numbers that differ by what all lanes share become sums of the first of them. After
/// everything is LLVM operations.
std::unique_ptr<mlir::Pass> createShareProductsPass();

/// Places in workgroup memory whose bits are exchanged by a constant become a sum where the place has none of some of
/// its bits. After everything is LLVM operations.
std::unique_ptr<mlir::Pass> createSplitXorsPass();

/// Constants that are added before what they are added to is extended for an address are added behind that. After
/// everything is LLVM operations.
std::unique_ptr<mlir::Pass> createWidenSumsPass();

/// Products of 64 bits of a loop's counter and of what doesn't change in the loop are carried. After everything is LLVM
/// operations.
std::unique_ptr<mlir::Pass> createCarryProductsPass();

/// Copies of memrefs and parallel loops become loops.
std::unique_ptr<mlir::Pass> createExpandMemRefsPass();

/// Saturating and overflowing arithmetic, funnel shifts, calls of device-library functions.
std::unique_ptr<mlir::Pass> createExpandIntrinsicsPass();
/// Part of it.
void populateNegatedComparisons(mlir::RewritePatternSet &patterns);

/// math operations without an instruction become ones with one.
std::unique_ptr<mlir::Pass> createExpandMathPass();

/// Masks, multi-dimensional reductions and contractions in simpler vector operations.
std::unique_ptr<mlir::Pass> createLowerVectorsPass();

/// arith.extf and arith.truncf of 8-bit floats.
std::unique_ptr<mlir::Pass> createConvertFloat8Pass(llvm::StringRef chip);

/// Everything but scf becomes LLVM and ROCDL operations. On a gpu.module.
std::unique_ptr<mlir::Pass> createConvertToLLVMPass(llvm::StringRef chip);

/// Atomic operations of the LLVM dialect for which `isInstruction` is false become loops.
std::unique_ptr<mlir::Pass> createExpandAtomicsPass(const Isa &isa);

/// Structs and arrays in scf operations become their parts; parts nothing reads lose their cycle.
std::unique_ptr<mlir::Pass> createFlattenAggregatesPass();
std::unique_ptr<mlir::Pass> createCutDeadCarriedValuesPass();

} // namespace inflight
