#include "compiler/driver/Compile.h"

#include "compiler/driver/Candidates.h"
#include "compiler/driver/Kernel.h"
#include "compiler/driver/Session.h"
#include "compiler/emit/Emit.h"
#include "compiler/import/ForeignDialects.h"
#include "compiler/import/Import.h"
#include "compiler/import/ir/LlvmIr.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/regalloc/RegAlloc.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/Timing.h"
#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace inflight {

namespace {

Error saveTemp(const CompileOptions &options, StringRef stem, StringRef extension, StringRef text) {
  if (options.saveTempsDirectory.empty())
    return Error::success();
  if (std::error_code ec = sys::fs::create_directories(options.saveTempsDirectory))
    return makeError("cannot make the directory '" + options.saveTempsDirectory + "': " + ec.message());
  SmallString<128> path(options.saveTempsDirectory);
  sys::path::append(path, (stem + extension).str());
  return writeFileAtomically(path, text);
}

bool isKernel(mlir::LLVM::LLVMFuncOp function) { return function->hasAttr("gpu.kernel") && !function.isExternal(); }

KernelSummary summarize(const lir::Function &function) {
  KernelSummary summary;
  summary.name = function.name;
  summary.vgprs = function.vgprsUsed;
  summary.agprs = function.agprsUsed;
  summary.sgprs = function.sgprsUsed;
  summary.vgprSpills = function.vgprSpills;
  summary.sgprSpills = function.sgprSpills;
  summary.ldsBytes = function.ldsBytes;
  summary.scratchBytes = function.scratchBytes;
  for (const lir::Block &block : function.blocks)
    for (const lir::Inst &inst : block.insts) {
      ++summary.instructions;
      summary.waits += inst.desc->isWaitcnt;
    }
  return summary;
}

void writeRemarks(const lir::Function &function, StringRef input, CompileResult &result) {
  raw_string_ostream text(result.remarks), yaml(result.remarksYaml);
  const StringRef file = function.sourceFiles[0].empty() ? input : StringRef(function.sourceFiles[0]);
  lir::printRemarks(function, file, text);
  lir::printRemarksAsYaml(function, file, yaml);
}

/// All kernels of a source, lowered by some options and then compiled.
struct Lowered {
  PipelineOptions options;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string mlir; ///< where it is wanted: before selection
  std::string data; ///< directives for the globals
  std::vector<lir::Function> kernels;
  RegisterUsers used; ///< by any kernel
  unsigned spills() const {
    unsigned spills = 0;
    for (const lir::Function &kernel : kernels)
      spills += kernel.vgprSpills + kernel.sgprSpills;
    return spills;
  }
  Cost cost() const {
    Cost sum;
    for (const lir::Function &kernel : kernels) {
      const Cost cost = costOf(kernel);
      sum.reloads += cost.reloads;
      sum.laneSpills += cost.laneSpills;
    }
    return sum;
  }
};

/// Compiles a source. Errors of MLIR's diagnostics are collected in its messages.
class Compilation {
public:
  Compilation(StringRef source, StringRef name, const CompileOptions &options)
      : source(source),
        name(name),
        options(options),
        stem(sys::path::stem(name == "-" ? StringRef("stdin") : name)),
        isLlvmIr(import::isLlvmIr(source)),
        session(Session::take(isLlvmIr ? Input::LlvmIr : Input::Mlir)),
        sources(sourceManager()),
        stream(messages),
        handler(*sources, &session->context(), stream) {}
  Expected<CompileResult> run();

private:
  std::unique_ptr<SourceMgr> sourceManager() const;
  mlir::OwningOpRef<mlir::ModuleOp> parse();
  Error failure();
  bool isKnown(mlir::ModuleOp module);
  Session::Configure configurePasses() const;
  Expected<Lowered> lower(const PipelineOptions &candidate);
  Error compileKernels(Lowered &lowered, unsigned mostSpills = ~0u);
  Expected<Lowered> chooseCheapest();
  Error emit(const Lowered &lowered);
  bool isWanted(EmitKind kind) const { return options.emit == kind || !options.saveTempsDirectory.empty(); }

  const StringRef source, name;
  const CompileOptions &options;
  const StringRef stem;
  const bool isLlvmIr; ///< or else MLIR
  Session::Handle session;
  std::unique_ptr<SourceMgr> sources;
  std::string messages;
  raw_string_ostream stream;
  mlir::SourceMgrDiagnosticHandler handler;
  CompileResult result;
};

std::unique_ptr<SourceMgr> Compilation::sourceManager() const {
  auto sources = std::make_unique<SourceMgr>();
  std::string text = isLlvmIr ? import::translateNewerIr(source) : import::translateText(source);
  sources->AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
  return sources;
}

mlir::OwningOpRef<mlir::ModuleOp> Compilation::parse() {
  if (isLlvmIr)
    return import::readLlvmIr(sources->getMemoryBuffer(1)->getBuffer(), name, options.chip, session->context());
  return mlir::parseSourceFile<mlir::ModuleOp>(*sources, &session->context());
}

Error Compilation::failure() {
  stream.flush();
  if (messages.empty())
    messages = (name + ": error: compilation failed").str();
  return createStringError(inconvertibleErrorCode(), StringRef(messages).rtrim());
}

/// Whether all operations are; errors say what lowers the others.
bool Compilation::isKnown(mlir::ModuleOp module) {
  bool known = true;
  // Dialects that are loaded for what import lowers of them, or by them, are no input.
  SmallDenseMap<mlir::Dialect *, bool> areInput;
  module->walk([&](mlir::Operation *op) {
    mlir::Dialect *dialect = op->getDialect();
    const auto [entry, isNew] = areInput.try_emplace(dialect, true);
    if (isNew && dialect)
      entry->second = isInputDialect(dialect->getNamespace());
    if (!op->isRegistered() || !entry->second) {
      import::explainForeign(op->emitError(), op->getName().getStringRef());
      known = false;
    }
  });
  return known;
}

/// None for most compilations, which share their passes.
Session::Configure Compilation::configurePasses() const {
  const bool prints = options.printAfterAll || !options.printAfter.empty();
  if (!options.verifyEach && !options.timePasses && !prints)
    return {};
  return [this, prints](mlir::PassManager &manager) {
    manager.enableVerifier(options.verifyEach);
    if (options.timePasses)
      manager.enableTiming();
    if (prints)
      manager.enableIRPrinting([](mlir::Pass *, mlir::Operation *) { return false; },
                               [this](mlir::Pass *pass, mlir::Operation *) {
                                 return options.printAfterAll ||
                                        is_contained(options.printAfter, pass->getArgument().str());
                               },
                               /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/false);
  };
}

/// It is TooManySpills if more than `mostSpills` registers would be spilled: then it may be tried again with more.
Error Compilation::compileKernels(Lowered &lowered, unsigned mostSpills) {
  Error failed = Error::success();
  lowered.kernels.clear();
  (*lowered.module)->walk([&](mlir::LLVM::LLVMFuncOp function) {
    if (failed || !isKernel(function))
      return;
    Expected<lir::Function> compiled = compileKernel(function, options, mostSpills - lowered.spills());
    if (compiled)
      lowered.kernels.push_back(std::move(*compiled));
    else
      failed = compiled.takeError();
  });
  if (!failed || failed.isA<lir::TooManySpills>())
    return failed;
  if (std::string text = toString(std::move(failed)); !text.empty())
    messages += (name + ": error: " + text).str();
  return failure();
}

/// The kernels as what is asked for, with what stays of the steps to it.
Error Compilation::emit(const Lowered &lowered) {
  std::vector<const lir::Function *> pointers;
  pointers.reserve(lowered.kernels.size());
  for (const lir::Function &function : lowered.kernels)
    pointers.push_back(&function);
  std::optional<lir::SourceFile> debugged;
  if (options.debugInfo)
    debugged = {name, source};
  if (isWanted(EmitKind::Asm)) {
    result.output = lir::emitAssembly(*options.isa, pointers, debugged, lowered.data);
    if (Error error = saveTemp(options, stem, ".s", result.output))
      return error;
    if (options.emit == EmitKind::Asm)
      return Error::success();
  }
  Expected<std::string> object = lir::emitObject(*options.isa, pointers, stem, debugged, lowered.data);
  if (!object)
    return object.takeError();
  if (Error error = saveTemp(options, stem, ".o", *object))
    return error;
  if (options.emit == EmitKind::Object) {
    result.output = std::move(*object);
    return Error::success();
  }
  return linkCodeObject(*object).moveInto(result.output);
}

Expected<Lowered> Compilation::lower(const PipelineOptions &candidate) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse();
  if (!module || failed(import::importModule(*module, *candidate.isa, {candidate.tileRows, candidate.tileColumns})) ||
      !isKnown(*module) || failed(session->lowerToStructuredLLVM(*module, candidate, configurePasses())))
    return failure();
  Lowered lowered{candidate, {}, {}, {}, {}, {}};
  if (auto data = (*module)->getAttrOfType<mlir::StringAttr>(attr::data))
    lowered.data = data.getValue().str();
  if (isWanted(EmitKind::Mlir)) {
    raw_string_ostream os(lowered.mlir);
    module->print(os, mlir::OpPrintingFlags().useLocalScope().enableDebugInfo(options.debugInfo));
  }
  (*module)->walk([&](mlir::LLVM::LLVMFuncOp function) {
    if (!isKernel(function))
      return;
    lowered.used.copiesAhead |= function->hasAttr(attr::copiesAhead);
    lowered.used.pingPongs |= function->hasAttr(attr::pingPongs);
    lowered.used.rotatesLoops |= function->hasAttr(attr::rotated);
  });
  lowered.module = std::move(module);
  return std::move(lowered);
}

/// Waves that ping-pong, copies ahead and loads for the next iteration hold registers: where values would be spilled,
/// less of them is tried. The first that spills nothing is taken, and only if there is none are values spilled at all:
/// the one that costs least by it stays.
Expected<Lowered> Compilation::chooseCheapest() {
  import::ExplainUnknown explain(&session->context(), sources->getMemoryBuffer(1)->getBuffer());
  Expected<Lowered> asked = lower(options);
  if (!asked || options.emit == EmitKind::Mlir)
    return asked;
  const RegisterUsers used = asked->used;
  const SmallVector<PipelineOptions> less = withLess(options, used);
  SmallVector<Lowered, 0> candidates;
  candidates.push_back(std::move(*asked));
  Error error = compileKernels(candidates[0], less.empty() ? ~0u : 0);
  if (!error)
    return std::move(candidates[0]);
  if (!error.isA<lir::TooManySpills>())
    return std::move(error);
  consumeError(std::move(error));
  std::optional<Lowered> best;
  // An error here isn't one of what was asked for.
  auto attempt = [&](Lowered &candidate, unsigned mostSpills) {
    if (Error failed = compileKernels(candidate, mostSpills)) {
      consumeError(std::move(failed));
      messages.clear();
    } else if (!best || candidate.cost() < best->cost()) {
      best = std::move(candidate);
    }
  };
  for (const PipelineOptions &options : less) {
    Expected<Lowered> lowered = lower(options);
    if (!lowered) {
      consumeError(lowered.takeError());
      messages.clear();
      continue;
    }
    candidates.push_back(std::move(*lowered));
    attempt(candidates.back(), 0);
    if (best)
      break;
  }
  if (!best) {
    if (Error spilled = compileKernels(candidates[0]))
      return std::move(spilled);
    best = std::move(candidates[0]);
    for (Lowered &candidate : drop_begin(candidates))
      attempt(candidate, spillsToTry(best->spills()));
  }
  for (lir::Function &kernel : best->kernels)
    remarkOnChoice(kernel, options, best->options, used);
  return std::move(*best);
}

Expected<CompileResult> Compilation::run() {
  Expected<Lowered> lowered = chooseCheapest();
  if (!lowered)
    return lowered.takeError();
  if (isWanted(EmitKind::Mlir))
    if (Error error = saveTemp(options, stem, ".lowered.mlir", lowered->mlir))
      return std::move(error);
  if (options.emit == EmitKind::Mlir) {
    result.output = std::move(lowered->mlir);
    return std::move(result);
  }
  for (const lir::Function &kernel : lowered->kernels) {
    result.kernels.push_back(summarize(kernel));
    if (options.remarks)
      writeRemarks(kernel, name, result);
  }
  if (Error error = emit(*lowered))
    return std::move(error);
  return std::move(result);
}

} // namespace

/// Whether there are such passes.
static Error checkPassNames(const Isa &isa, ArrayRef<std::string> wanted) {
  if (wanted.empty())
    return Error::success();
  SmallVector<StringRef> names = loweringPassNames(isa);
  append_range(names, lirPassNames());
  for (const std::string &name : wanted)
    if (!is_contained(names, name))
      return makeError("no pass '" + name + "' to print after; there are " + join(names, ", "));
  return Error::success();
}

Expected<CompileResult> compile(StringRef source, StringRef name, const CompileOptions &given) {
  CompileOptions options = given;
  if (Error error = requireExecuted(options.chip))
    return std::move(error);
  if (Error error = Isa::get(options.chip).moveInto(options.isa))
    return std::move(error);
  if (Error error = checkPassNames(*options.isa, options.printAfter))
    return std::move(error);
  return Compilation(source, name, options).run();
}

std::optional<EmitKind> parseEmitKind(StringRef name) {
  return StringSwitch<std::optional<EmitKind>>(name)
      .Case("mlir", EmitKind::Mlir)
      .Case("asm", EmitKind::Asm)
      .Case("obj", EmitKind::Object)
      .Case("hsaco", EmitKind::CodeObject)
      .Default(std::nullopt);
}

} // namespace inflight
