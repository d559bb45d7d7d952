// LLVM IR as a module of the LLVM and ROCDL dialects: what clang, Triton, Julia and others hand to LLVM's code
// generator.
//
//   text     forms of releases after LLVM 22 are written as LLVM 22 reads them
//   reading  LLVM's own parser, for text and for bitcode
//   import   MLIR's own importer; intrinsics of the target become operations of ROCDL by that dialect's own definitions
//   kernels  attributes and metadata of functions become the attributes that producers of MLIR write
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace inflight::import {

/// Whether `source` is LLVM IR, as text or as bitcode; other text is MLIR.
bool isLlvmIr(llvm::StringRef source);

bool isBitcode(llvm::StringRef source);

/// Text of LLVM 23 and 24 as LLVM 22 reads it; bitcode as it is. Lines stay where they are.
std::string translateNewerIr(llvm::StringRef text);

/// The module of `source`, as translateNewerIr gives it. Places are those of its debug
/// information, or else of `name`. Null after an error, which is a diagnostic: of the parser, of a module for another
/// chip than `chip`, or of what a kernel asks for and doesn't get.
mlir::OwningOpRef<mlir::ModuleOp> readLlvmIr(llvm::StringRef source, llvm::StringRef name, llvm::StringRef chip,
                                             mlir::MLIRContext &context);

/// What a context needs for readLlvmIr.
void registerLlvmIr(mlir::DialectRegistry &registry);

/// Whether `name`, with its @, is an intrinsic of LLVM 23 and 24 that has a meaning here; it is another name then, for
/// which expandNewerIntrinsics looks. Part of translateNewerIr.
bool hideNewerIntrinsic(std::string &name);
/// Those that make descriptors become LLVM 22's. Part of readLlvmIr.
void expandNewerResources(llvm::Module &module);
/// Calls of the others become operations. Part of readLlvmIr.
mlir::LogicalResult expandNewerIntrinsics(mlir::ModuleOp module);

/// Loads of the launch's sizes behind the pointer to hidden arguments become operations of ROCDL; other hidden
/// arguments stay behind the pointer. Part of readLlvmIr.
void expandHiddenArguments(mlir::ModuleOp module);

/// The module's variables and constants, but for those in LDS: what the assembler is told of them. They have no values
/// and are weak references if theirs isn't only numbers and addresses of data. Part of readLlvmIr.
std::string takeData(llvm::Module &module);
/// Whether a global is in memory that code objects bring along.
bool isData(const llvm::GlobalVariable &global);

/// Calls of functions are inlined; only kernels have bodies then. Those that can't be are an error. Part of readLlvmIr.
mlir::LogicalResult mergeFunctions(llvm::Module &module, mlir::Location loc);

/// Private variables that never live at the same time share their bytes. Part of mergeFunctions.
void shareStack(llvm::Function &kernel);

/// Counters of a loop that are equal in every iteration become one. Part of readLlvmIr.
void mergeEqualCounters(llvm::Module &module);

/// Addresses that grow by the same in each iteration become pointers that loops carry. Part of readLlvmIr.
void carryPointers(llvm::Module &module);

/// Blocks that report a failure in the same way become one. Part of mergeFunctions.
void shareFailures(llvm::Function &function);

/// Accesses through generic pointers that were made from others are through those. Part of readLlvmIr.
void nameSpaces(llvm::Module &module);

/// Those that may be of LDS or private memory and aren't known to be become instructions that look at the address. Part
/// of readLlvmIr, after nameSpaces.
void lowerGenericPointers(llvm::Module &module);

/// Intrinsics of all targets that are other instructions, or nothing, become those. Part of readLlvmIr.
void expandGenericIntrinsics(llvm::Module &module);

/// Loads and stores of structs and arrays are those of their parts. Part of readLlvmIr.
void splitAggregates(llvm::Module &module);

/// Accesses under a vector's mask become branches, and vectors of pointers single ones. Part of readLlvmIr.
void splitVectors(llvm::Module &module);

/// And so do those of the target. Part of readLlvmIr.
void expandTargetIntrinsics(llvm::Module &module);

/// Sums and the like over a wave's lanes become loops. Part of readLlvmIr.
void expandWaveReductions(llvm::Module &module);

/// Copies and fills become loads and stores, in loops if they are long. Part of readLlvmIr.
void expandMemoryIntrinsics(llvm::Module &module);

/// Atomic operations on private memory become plain ones. Part of readLlvmIr, once accesses are of their address
/// spaces.
void expandPrivateAtomics(llvm::Module &module);

/// Integers of more than 32 bits, but those of 64, become several of 64. What can't be done with them is an error. Part
/// of readLlvmIr.
mlir::LogicalResult splitWideIntegers(llvm::Module &module, mlir::Location start);

/// Whether a kernel begins by asking for halves that saturate instead of overflowing; it doesn't afterwards. Part of
/// readLlvmIr.
bool takeOverflowMode(llvm::Function &kernel);

/// Products and sums that may be contracted are fused. Part of readLlvmIr.
void contractSums(llvm::Module &module);

/// Intrinsics as operations of ROCDL. Part of registerLlvmIr.
void registerRocdlImport(mlir::DialectRegistry &registry);

} // namespace inflight::import
