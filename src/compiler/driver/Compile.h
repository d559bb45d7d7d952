// The compiler as one call: MLIR text to assembly and code object.
#pragma once

#include "compiler/driver/PipelineOptions.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inflight {

enum class EmitKind { Mlir, Asm, Object, CodeObject };
/// "mlir", "asm", "obj" or "hsaco", as options and callers name them.
std::optional<EmitKind> parseEmitKind(llvm::StringRef name);

struct CompileOptions : PipelineOptions {
  std::string chip = "gfx942";
  EmitKind emit = EmitKind::CodeObject;
  std::string saveTempsDirectory; ///< empty: none
  bool printAfterAll = false;
  std::vector<std::string> printAfter; ///< pass names; one that there isn't is an error
  bool timePasses = false;
  bool schedule = true; ///< false: instructions stay in the order of the source
  /// Waves a SIMD must be able to hold; 0: what the kernel's rocdl.waves_per_eu says, or as many as
  /// the workgroup's size forces.
  unsigned minWavesPerSimd = 0;
  bool remarks = false;   ///< CompileResult::remarks
  bool debugInfo = false; ///< the output says where in the source each instruction comes from
  /// Bounds below those of the chip and the launch.
  unsigned maxSgprs = ~0u, maxVgprs = ~0u, maxAgprs = ~0u;
};

/// What a kernel came to, for reports.
struct KernelSummary {
  std::string name;
  unsigned vgprs = 0, agprs = 0, sgprs = 0, vgprSpills = 0, sgprSpills = 0;
  unsigned ldsBytes = 0, scratchBytes = 0, instructions = 0, waits = 0;
};

struct CompileResult {
  std::string output; ///< of the kind asked for
  std::vector<KernelSummary> kernels;
  /// What limited each kernel, if asked for: `file:line:column: remark: ...` lines, and the same in the YAML that opt
  /// writes with -pass-remarks-output.
  std::string remarks, remarksYaml;
};

/// Compiles all kernels of a module. `name` stands in messages. Diagnostics of MLIR arrive as the
/// error's text, in clang's style.
llvm::Expected<CompileResult> compile(llvm::StringRef source, llvm::StringRef name, const CompileOptions &options);

} // namespace inflight
