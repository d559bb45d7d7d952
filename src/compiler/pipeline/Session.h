// What compilations share: MLIR contexts with the input dialects, pass managers with their patterns.
// Making them takes longer than compiling a small kernel.
#pragma once

#include "compiler/pipeline/Pipeline.h"
#include "mlir/IR/MLIRContext.h"
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace inflight {

/// For one compilation at a time.
class Session {
public:
  struct GiveBack {
    void operator()(Session *session) const;
  };
  using Handle = std::unique_ptr<Session, GiveBack>;
  /// An idle session of this process, or a new one; it is idle again when the handle dies.
  static Handle take();

  mlir::MLIRContext &context() { return theContext; }

  /// Rewrites `module` in place. Failures have been reported through the context's diagnostics.
  mlir::LogicalResult lowerToStructuredLLVM(mlir::ModuleOp module, const PipelineOptions &options);

private:
  Session();

  mlir::MLIRContext theContext;
  /// By chip and the options that passes are made with.
  std::map<std::tuple<std::string, bool, unsigned, bool, bool, bool>, std::unique_ptr<mlir::PassManager>> managers;
  unsigned compilations = 0;
};

} // namespace inflight
