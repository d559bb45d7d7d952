// What compilations share: MLIR contexts with the input dialects, pass managers with their patterns.
// Making them takes longer than compiling a small kernel.
#pragma once

#include "compiler/driver/Pipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace inflight {

/// All dialects a kernel may come in, with the interfaces the passes need.
void registerInputDialects(mlir::DialectRegistry &registry);
/// Whether it is one of these, or builtin.
bool isInputDialect(llvm::StringRef name);

/// What a session's kernels come in.
enum class Input : uint8_t { Mlir, LlvmIr };

/// An MLIR context and its options, for one compilation at a time.
class Session {
public:
  struct GiveBack {
    void operator()(Session *session) const;
  };
  using Handle = std::unique_ptr<Session, GiveBack>;
  /// An idle session of this process, or a new one; it is idle again when the handle dies.
  static Handle take(Input input = Input::Mlir);

  mlir::MLIRContext &context() LLVM_LIFETIME_BOUND { return theContext; }

  /// Printing, timing and verification of one compilation's passes.
  using Configure = std::function<void(mlir::PassManager &)>;

  /// Rewrites `module` in place. Failures have been reported through the context's diagnostics. Where there is a
  /// `configure`, it is called with a pass manager that isn't kept.
  mlir::LogicalResult lowerToStructuredLLVM(mlir::ModuleOp module, const PipelineOptions &options,
                                            const Configure &configure);

private:
  explicit Session(Input input);
  mlir::PassManager &managerFor(const PipelineOptions &options);

  const Input input;
  mlir::MLIRContext theContext;
  std::vector<std::pair<PipelineOptions, std::unique_ptr<mlir::PassManager>>> managers;
  unsigned compilations = 0;
};

} // namespace inflight
