// The compiler as one call: MLIR text to assembly and code object.
#pragma once

#include "isa/Isa.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inflight {

enum class EmitKind { Mlir, Asm, Object, CodeObject };
/// "mlir", "asm", "obj" or "hsaco", as options and callers name them.
std::optional<EmitKind> parseEmitKind(llvm::StringRef name);

struct CompileOptions {
  std::string chip = "gfx942";
  EmitKind emit = EmitKind::CodeObject;
  std::string saveTempsDirectory; ///< empty: none
  bool printAfterAll = false;
  std::vector<std::string> printAfter; ///< pass names; one that there isn't is an error
  bool timePasses = false;
  bool verifyEach = false;
  bool asyncCopies = true;     ///< false: copies to workgroup memory go through registers, as they are written
  bool pingPong = false;       ///< two halves of a workgroup's waves alternate in loops that copy tiles ahead
  bool pingPongSpills = false; ///< they were to, but that takes too many registers: for a remark
  unsigned stages = 0;         ///< buffers of each tile that is copied ahead of its use, 1 to 4; 0: as many as pay
  bool rotateLoops = true;     ///< false: loops of matrix instructions load what they use in the same iteration
  bool reassociate = false;    ///< sums of floats may be added in another order, as if all kernels said so
  bool schedule = true;        ///< false: instructions stay in the order of the source
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
  bool copiesAhead = false;  ///< tiles of some loop are copied by LDS DMA, iterations ahead
  bool rotatesLoops = false; ///< some loop of matrix instructions loads for the next iteration
  /// What limited each kernel, if asked for: `file:line:column: remark: ...` lines, and the same in the YAML that opt
  /// writes with -pass-remarks-output.
  std::string remarks, remarksYaml;
};

/// Compiles all kernels of a module. `name` stands in messages. Diagnostics of MLIR arrive as the
/// error's text, in clang's style.
llvm::Expected<CompileResult> compile(llvm::StringRef source, llvm::StringRef name, const CompileOptions &options);

} // namespace inflight
