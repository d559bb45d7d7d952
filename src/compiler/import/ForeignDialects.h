// What producers' dialects have in common: types and attributes as text, a parser for some operations.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringRef.h"

namespace inflight::import {

/// The project of a dialect in ForeignDialects.def and the passes that lower its operations; empty for others.
struct ForeignLowering {
  llvm::StringRef project, passes;
};
ForeignLowering foreignLowering(llvm::StringRef dialect);

/// Reports that `op` is not of the input's level, and what lowers it.
mlir::InFlightDiagnostic explainForeign(mlir::InFlightDiagnostic diagnostic, llvm::StringRef op);

/// While it lives, what MLIR's parser says of operations that it doesn't know is said by explainForeign, and errors of
/// `source`, the parsed text, in operations whose syntax has changed since LLVM 22 say so.
class ExplainUnknown : public mlir::ScopedDiagnosticHandler {
public:
  ExplainUnknown(mlir::MLIRContext *context, llvm::StringRef source);
};

using ParseOperation = mlir::ParseResult (*)(mlir::OpAsmParser &, mlir::OperationState &);

/// The parser of an operation that kernels need of IREE's dialects; null for any other.
ParseOperation interfaceParser(llvm::StringRef op);

} // namespace inflight::import
