// Waits, assembly and compilation on bytes in memory.
#include "capi/Context.h"

#include "lint/Lint.h"
#include "lint/text/Findings.h"
#include "program/assemble/Assembler.h"
#include "program/assemble/AssemblyTarget.h"
#ifdef INFLIGHT_HAS_COMPILER
#include "compiler/driver/Compile.h"
#endif
#include <cstring>

using namespace llvm;
using namespace inflight;
using namespace inflight::capi;

ifl_status ifl_waits(const void *file, size_t bytes, const char *name, const char *mode, const char *chip, char **json,
                     void **output, size_t *outputBytes) {
  if (!file || !mode)
    return fail(IFL_INVALID, "ifl_waits: no file or no mode");
  if (output)
    *output = nullptr;
  lint::LintRequest request;
  const StringRef wanted = mode;
  request.verifies = wanted == "verify";
  request.reports = wanted == "report";
  if (wanted == "relax")
    request.goal = waits::Goal::Relax;
  else if (wanted == "insert")
    request.goal = waits::Goal::Insert;
  else if (wanted == "strip")
    request.goal = waits::Goal::Strip;
  else if (!request.verifies && !request.reports)
    return fail(IFL_INVALID, "the mode is verify, report, relax, insert or strip, not '" + wanted + "'");
  request.chip = textOf(chip).str();
  const RuleLevels levels(lint::waitRules());
  request.levels = &levels;
  const lint::LintResult result =
      lint::lint(StringRef(static_cast<const char *>(file), bytes), name ? name : "<memory>", request);
  if (result.status == lint::unusableStatus)
    return fail(IFL_INVALID, result.err);
  json::Array findings;
  for (const ReportItem &item : result.items)
    findings.push_back(findingObject(item));
  if (result.edited)
    if (ifl_status status = hand(output, outputBytes, *result.edited))
      return status;
  return hand(
      json,
      json::Object{{"status", result.status}, {"text", result.out + result.err}, {"findings", std::move(findings)}});
}

ifl_status ifl_assemble(const char *assembly, size_t bytes, const char *name, const char *chip, void **output,
                        size_t *outputBytes) {
  if (!assembly || !output)
    return fail(IFL_INVALID, "ifl_assemble: no assembly, or no place for the code object");
  const std::string source(assembly, bytes);
  const std::string target = chip ? chip : targetOf(source).chip;
  if (target.empty())
    return fail(IFL_INVALID, "no .amdgcn_target in the assembly, and no chip was given");
  Expected<const Isa *> isa = isaOf(target, source);
  if (!isa)
    return fail(IFL_UNSUPPORTED, isa.takeError());
  Expected<std::string> made = assembleCodeObject(**isa, source, name ? name : "<memory>");
  if (!made)
    return fail(IFL_INVALID, made.takeError());
  return hand(output, outputBytes, *made);
}

ifl_status ifl_compile_with(const char *mlir, size_t bytes, const char *name, const ifl_compile_options *given,
                            void **output, size_t *outputBytes, char **json) {
#ifdef INFLIGHT_HAS_COMPILER
  if (!mlir || !given || !output)
    return fail(IFL_INVALID, "ifl_compile: no MLIR, no options or no place for the output");
  ifl_compile_options asked = {};
  std::memcpy(&asked, given, std::min(given->size, sizeof(asked)));
  CompileOptions options;
  options.debugInfo = asked.debug;
  options.reassociate = asked.reassociate;
  if (asked.chip)
    options.chip = asked.chip;
  const StringRef kind = asked.emit ? asked.emit : "hsaco";
  const std::optional<EmitKind> known = parseEmitKind(kind);
  if (!known)
    return fail(IFL_INVALID, "the output is mlir, asm, obj or hsaco, not '" + kind + "'");
  options.emit = *known;
  Expected<CompileResult> result = compile(StringRef(mlir, bytes), name ? name : "<memory>", options);
  if (!result)
    return fail(IFL_INVALID, result.takeError());
  json::Array kernels;
  for (const KernelSummary &kernel : result->kernels)
    kernels.push_back(json::Object{{"name", kernel.name},
                                   {"vgprs", kernel.vgprs},
                                   {"agprs", kernel.agprs},
                                   {"sgprs", kernel.sgprs},
                                   {"vgpr_spills", kernel.vgprSpills},
                                   {"sgpr_spills", kernel.sgprSpills},
                                   {"lds_bytes", kernel.ldsBytes},
                                   {"scratch_bytes_per_lane", kernel.scratchBytes},
                                   {"instructions", kernel.instructions},
                                   {"waits", kernel.waits}});
  if (ifl_status status = hand(output, outputBytes, result->output))
    return status;
  return hand(json, json::Object{{"kernels", std::move(kernels)}});
#else
  return fail(IFL_UNSUPPORTED, "this library was built without the compiler");
#endif
}

ifl_status ifl_compile(const char *mlir, size_t bytes, const char *name, const char *chip, const char *emit,
                       void **output, size_t *outputBytes, char **json) {
  const ifl_compile_options options = {sizeof(options), chip, emit, /*debug=*/0, /*reassociate=*/0};
  return ifl_compile_with(mlir, bytes, name, &options, output, outputBytes, json);
}

ifl_status ifl_compile_debug(const char *mlir, size_t bytes, const char *name, const char *chip, const char *emit,
                             void **output, size_t *outputBytes, char **json) {
  const ifl_compile_options options = {sizeof(options), chip, emit, /*debug=*/1, /*reassociate=*/0};
  return ifl_compile_with(mlir, bytes, name, &options, output, outputBytes, json);
}
