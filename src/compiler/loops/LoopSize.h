// How much work loops are, and how many registers.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace inflight {

struct TargetInfo;

/// Selection makes straight code of a loop whose iterations have no more operations than this together: beyond it a
/// loop has enough work an iteration, and more in sight only takes registers.
constexpr uint64_t maximumOperations = 400;

/// Registers of a lane for loads that are made together before they stood.
constexpr unsigned mostWordsAhead = 32;

std::optional<llvm::APInt> constantIntOf(mlir::Value value);

/// A loop's iterations, if their number is constant. `constantOf`: what is known of its bounds and step.
std::optional<uint64_t>
constantTrips(mlir::scf::ForOp loop,
              llvm::function_ref<std::optional<llvm::APInt>(mlir::Value)> constantOf = constantIntOf);

/// Operations that become instructions, those of inner loops as often as they run; none if that isn't known.
std::optional<uint64_t> operationsIn(mlir::Block &block,
                                     llvm::function_ref<std::optional<uint64_t>(mlir::scf::ForOp)> trips);

/// Vector registers that a loop takes beside what it carries, roughly.
constexpr unsigned registersToCompute = 96;

/// Vector registers of a wave, roughly: numbers that the loop carries, as addresses and counters are mostly scalar, and
/// what it computes with; no more than there are.
unsigned registersOf(mlir::scf::ForOp loop, const TargetInfo &target);

} // namespace inflight
