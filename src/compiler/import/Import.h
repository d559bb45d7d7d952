// MLIR as producers print it to MLIR of upstream dialects: what stands before the pipeline.
//
// A producer's module is more than its kernels: wrappers that say how a kernel is launched, the host's
// code, operations for bindings and workgroup ids, attributes that say the size of a workgroup. Three
// steps, in this order, make it a module of upstream operations:
//   text      the host's code is blanked, the syntax of newer releases is written as LLVM 22 reads it
//   parsing   dialects of producers have a parser for the few operations that kernels need of them
//   lowering  those become upstream operations; attributes become the ones that the pipeline reads
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight {
class Isa;
}

namespace inflight::import {

/// Rows and columns that a workgroup computes; 0: as it is chosen.
struct TileSize {
  unsigned rows = 0, columns = 0;
  bool operator==(const TileSize &) const = default;
};

/// `source` without what only the host runs and with newer syntax translated. Lines stay where they are.
std::string translateText(llvm::StringRef source);

/// Spaces for the host's functions beside wrapped kernels, and for the parts of wrappers that compute
/// the grid or describe the device. Part of translateText.
void blankHostCode(std::string &text);

/// Spaces for locations that are unknown: operations get their place in the text instead. Part of translateText.
void blankUnknownLocations(std::string &text);

/// Operations in the syntax of releases after LLVM 22, where the text alone says what they mean, in
/// LLVM 22's. Part of translateText.
void translateNewerSyntax(std::string &text);
/// Whether releases after LLVM 22 print the operation in another way.
bool hasNewerSyntax(llvm::StringRef operation);

/// The dialects of producers (ForeignDialects.def). Their types and attributes are kept as text, and an
/// operation that has no meaning here is an error that says what lowers it.
void registerForeignDialects(mlir::DialectRegistry &registry);

/// Makes `module` one of upstream operations. Failures have been reported as diagnostics. `tile`: of products of
/// matrices.
mlir::LogicalResult importModule(mlir::ModuleOp module, const Isa &isa, TileSize tile);

/// What gpu.launch executes becomes a kernel, of the size of workgroups that is constant there. Part of importModule.
mlir::LogicalResult outlineLaunches(mlir::ModuleOp module);

/// Functions that are a linalg.matmul become kernels of tiles. Part of importModule.
mlir::LogicalResult tileMatmuls(mlir::ModuleOp module, const Isa &isa, TileSize tile);

/// Bindings, push constants and workgroup ids become arguments and gpu operations; wrappers go. Part of
/// importModule.
mlir::LogicalResult lowerInterfaces(mlir::ModuleOp module);

/// Which functions are kernels and how large a workgroup is, from the attributes of producers, in the
/// attributes that the pipeline reads. Part of importModule.
mlir::LogicalResult markKernels(mlir::ModuleOp module);

/// Structs that kernels take by value become their members, an argument each. Part of importModule.
mlir::LogicalResult flattenArguments(mlir::ModuleOp module);

/// scf.forall mapped to lanes or workgroups becomes what each of them does. Part of importModule.
void mapForalls(mlir::ModuleOp module);

/// What a gpu.func calls is inlined; gpu.printf is refused. Part of importModule.
mlir::LogicalResult inlineCalls(mlir::ModuleOp module);

} // namespace inflight::import
