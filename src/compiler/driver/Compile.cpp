#include "compiler/driver/Compile.h"

#include "compiler/combine/Combine.h"
#include "compiler/driver/Session.h"
#include "compiler/emit/Emit.h"
#include "compiler/finish/Finish.h"
#include "compiler/import/ForeignDialects.h"
#include "compiler/import/Import.h"
#include "compiler/lir/Verify.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/regalloc/RegAlloc.h"
#include "compiler/schedule/Schedule.h"
#include "compiler/select/Select.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/Timing.h"
#include "program/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <chrono>
#include <utility>

using namespace llvm;

namespace inflight {

namespace {

constexpr StringLiteral lirPassNames[] = {"select",   "dead-code", "combine",          "merge-lds",
                                          "schedule", "regalloc",  "scratch-prologue", "waits"};

/// Runs the LIR passes by name, printing, timing and verifying as asked; debug builds always verify.
class LirPasses {
public:
  LirPasses(lir::Function &function, const CompileOptions &options) : function(function), options(options) {}

  Error run(StringRef name, function_ref<Error()> pass) {
    assert(is_contained(lirPassNames, name) && "--print-after wouldn't know it");
    auto start = std::chrono::steady_clock::now();
    if (Error error = pass())
      return error;
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (options.timePasses)
      errs() << formatv("{0,10:f3} ms  {1} ({2})\n", time.count(), name, function.name);
    if (options.printAfterAll || is_contained(options.printAfter, name)) {
      errs() << "// -----// LIR after " << name << " //----- //\n";
      lir::print(function, errs());
    }
#ifdef NDEBUG
    if (!options.verifyEach)
      return Error::success();
#endif
    if (Error error = lir::verify(function))
      return makeError("after '" + name + "': " + toString(std::move(error)));
    return Error::success();
  }

private:
  lir::Function &function;
  const CompileOptions &options;
};

Error saveTemp(const CompileOptions &options, StringRef stem, StringRef extension, StringRef text) {
  if (options.saveTempsDirectory.empty())
    return Error::success();
  if (std::error_code ec = sys::fs::create_directories(options.saveTempsDirectory))
    return makeError("cannot make the directory '" + options.saveTempsDirectory + "': " + ec.message());
  SmallString<128> path(options.saveTempsDirectory);
  sys::path::append(path, (stem + extension).str());
  return writeFileAtomically(path, text);
}

template <typename F> auto plain(F f) {
  return [f]() -> Error {
    f();
    return Error::success();
  };
}

unsigned spills(const lir::Function &function) { return function.vgprSpills + function.sgprSpills; }

/// Whether registers suffice for an order is known once they are assigned: where values were spilled, or fewer waves
/// fit than the order was made for, orders that leave more of them free are tried. What spills least, then what leaves
/// most waves, stays.
Expected<lir::Function> allocateInBestOrder(lir::Function function, mlir::LLVM::LLVMFuncOp source,
                                            const CompileOptions &options) {
  const TargetInfo &target = function.isa->target();
  unsigned minWaves = options.minWavesPerSimd;
  if (auto least = source->getAttrOfType<mlir::IntegerAttr>("rocdl.waves_per_eu"); least && !minWaves)
    minWaves = std::clamp<int64_t>(least.getInt(), 0, target.maxWavesPerSimd);
  const lir::FileLimits most{options.maxSgprs, options.maxVgprs, options.maxAgprs};
  unsigned wanted = 0; // waves
  auto allocate = [&](lir::Function ordered, unsigned spareShare) -> Expected<lir::Function> {
    LirPasses passes(ordered, options);
    auto schedule = [&]() -> Error {
      Expected<unsigned> waves = lir::scheduleInstructions(ordered, minWaves, spareShare);
      if (!waves)
        return waves.takeError();
      wanted = std::max(wanted, *waves);
      return Error::success();
    };
    if (options.schedule)
      if (Error error = passes.run("schedule", schedule))
        return std::move(error);
    if (Error error = passes.run("regalloc",
                                 [&] { return lir::allocateRegisters(ordered, {minWaves, options.verifyEach, most}); }))
      return std::move(error);
    return std::move(ordered);
  };
  auto lacks = [&](const lir::Function &ordered) {
    const unsigned waves = std::min(wanted, target.wavesForVgprs(lir::countsOf(ordered).vgprs));
    return std::pair(spills(ordered), wanted - waves);
  };
  Expected<lir::Function> best = allocate(function, lir::usualSpareShare);
  auto tryAnother = [&](unsigned spareShare) {
    if (Expected<lir::Function> other = allocate(function, spareShare); !other)
      consumeError(other.takeError());
    else if (lacks(*other) < lacks(*best))
      best = std::move(other);
  };
  for (unsigned spareShare = lir::usualSpareShare / 2;
       options.schedule && best && lacks(*best) > std::pair(0u, 0u) && spareShare > 2; spareShare /= 2)
    tryAnother(spareShare);
  // An order that the source asks for isn't worth spilling.
  if (options.schedule && best && spills(*best) && lir::removeGroups(function))
    tryAnother(lir::usualSpareShare);
  return best;
}

/// Selection to register allocation. An empty error has been reported through MLIR's diagnostics.
Expected<lir::Function> allocateKernel(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options,
                                       LoopCopies copies) {
  lir::Function function;
  function.remarks.isWanted = options.remarks;
  LirPasses passes(function, options);
  if (Error error = passes.run("select", [&]() -> Error {
        if (succeeded(selectInstructions(*options.isa, source, function, copies)))
          return Error::success();
        return makeError("");
      }))
    return std::move(error);
  if (Error error = passes.run("dead-code", plain([&] {
                                 lir::removeDeadStores(function);
                                 lir::eliminateDeadCode(function);
                               })))
    return std::move(error);
  if (Error error = passes.run("combine", plain([&] {
                                 lir::writeCarriedValuesInPlace(function);
                                 lir::simplifyMasks(function);
                                 lir::combineDpp(function);
                                 lir::fuseOperations(function);
                                 lir::eliminateDeadCode(function);
                               })))
    return std::move(error);
  if (Error error = passes.run("merge-lds", plain([&] { lir::mergeLdsAccesses(function); })))
    return std::move(error);
  return allocateInBestOrder(std::move(function), source, options);
}

/// What copies of iterations do to the registers is known once those are assigned: where values were spilled or
/// registers don't suffice, it is tried with fewer copies, and what spills least stays.
Expected<lir::Function> allocateWithBestCopies(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options) {
  std::optional<lir::Function> best;
  std::string message;
  for (LoopCopies copies : {LoopCopies::All, LoopCopies::WholeLoops, LoopCopies::None}) {
    Expected<lir::Function> function = allocateKernel(source, options, copies);
    if (!function) {
      message = toString(function.takeError());
      // What has been reported at an operation doesn't depend on copies.
      if (message.empty())
        break;
    } else if (!best || spills(*function) < spills(*best)) {
      best = std::move(*function);
    }
    if (best && !spills(*best))
      break;
  }
  if (!best)
    return makeError(message);
  return std::move(*best);
}

Expected<lir::Function> compileKernel(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options) {
  Expected<lir::Function> allocated = allocateWithBestCopies(source, options);
  if (!allocated)
    return allocated.takeError();
  lir::Function function = std::move(*allocated);
  LirPasses passes(function, options);
  if (Error error = passes.run("scratch-prologue", plain([&] { lir::insertScratchPrologue(function); })))
    return std::move(error);
  if (Error error = passes.run("waits", [&] { return lir::insertWaits(function); }))
    return std::move(error);
  lir::remarkOnOccupancy(function);
  return std::move(function);
}

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

/// Compiles a source once. Errors of MLIR's diagnostics are collected in its messages.
class Compilation {
public:
  Compilation(StringRef source, StringRef name, const CompileOptions &options)
      : source(source),
        name(name),
        options(options),
        stem(sys::path::stem(name == "-" ? StringRef("stdin") : name)),
        session(Session::take()),
        sources(sourceManager(source, name)),
        stream(messages),
        handler(*sources, &session->context(), stream) {}
  Expected<CompileResult> run();

private:
  static std::unique_ptr<SourceMgr> sourceManager(StringRef source, StringRef name);
  Error failure();
  bool isKnown(mlir::ModuleOp module);
  Session::Configure configurePasses() const;
  Error compileKernels(mlir::ModuleOp module);
  Error emit();
  bool isWanted(EmitKind kind) const { return options.emit == kind || !options.saveTempsDirectory.empty(); }

  const StringRef source, name;
  const CompileOptions &options;
  const StringRef stem;
  Session::Handle session;
  std::unique_ptr<SourceMgr> sources;
  std::string messages;
  raw_string_ostream stream;
  mlir::SourceMgrDiagnosticHandler handler;
  std::vector<lir::Function> functions;
  CompileResult result;
};

std::unique_ptr<SourceMgr> Compilation::sourceManager(StringRef source, StringRef name) {
  auto sources = std::make_unique<SourceMgr>();
  sources->AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(import::translateText(source), name), SMLoc());
  return sources;
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
  module->walk([&](mlir::Operation *op) {
    if (!op->isRegistered()) {
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

/// Whether the passes before selection say so of the kernel.
bool copiesAhead(mlir::LLVM::LLVMFuncOp kernel) {
  const auto remarks = kernel->getAttrOfType<mlir::ArrayAttr>(attr::remarks);
  return remarks && any_of(remarks.getAsRange<mlir::DictionaryAttr>(), [](mlir::DictionaryAttr remark) {
           const auto pass = remark.getAs<mlir::StringAttr>("pass");
           const auto isMissed = remark.getAs<mlir::BoolAttr>("missed");
           return pass && pass.getValue() == "async-copies" && isMissed && !isMissed.getValue();
         });
}

Error Compilation::compileKernels(mlir::ModuleOp module) {
  Error failedKernel = Error::success();
  bool ok = true;
  module->walk([&](mlir::LLVM::LLVMFuncOp function) {
    if (!ok || !function->hasAttr("gpu.kernel") || function.isExternal())
      return;
    Expected<lir::Function> compiled = compileKernel(function, options);
    if (!compiled) {
      ok = false;
      failedKernel = joinErrors(std::move(failedKernel), compiled.takeError());
      return;
    }
    functions.push_back(std::move(*compiled));
    result.copiesAhead |= copiesAhead(function);
    result.rotatesLoops |= function->hasAttr(attr::rotated);
  });
  if (!ok) {
    std::string text = toString(std::move(failedKernel));
    if (!text.empty())
      messages += (name + ": error: " + text).str();
    return failure();
  }
  consumeError(std::move(failedKernel));
  for (const lir::Function &function : functions) {
    result.kernels.push_back(summarize(function));
    if (options.remarks)
      writeRemarks(function, name, result);
  }
  return Error::success();
}

/// The kernels as what is asked for, with what stays of the steps to it.
Error Compilation::emit() {
  std::vector<const lir::Function *> pointers;
  pointers.reserve(functions.size());
  for (const lir::Function &function : functions)
    pointers.push_back(&function);
  std::optional<lir::SourceFile> debugged;
  if (options.debugInfo)
    debugged = {name, source};
  if (isWanted(EmitKind::Asm)) {
    result.output = lir::emitAssembly(pointers, debugged);
    if (Error error = saveTemp(options, stem, ".s", result.output))
      return error;
    if (options.emit == EmitKind::Asm)
      return Error::success();
  }
  Expected<std::string> object = lir::emitObject(pointers, stem, debugged);
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

Expected<CompileResult> Compilation::run() {
  import::ExplainUnknown explain(&session->context(), sources->getMemoryBuffer(1)->getBuffer());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(*sources, &session->context());
  if (!module || failed(import::importModule(*module)) || !isKnown(*module) ||
      failed(session->lowerToStructuredLLVM(*module, options, configurePasses())))
    return failure();
  if (isWanted(EmitKind::Mlir)) {
    raw_string_ostream os(result.output);
    module->print(os, mlir::OpPrintingFlags().useLocalScope().enableDebugInfo(options.debugInfo));
    if (Error error = saveTemp(options, stem, ".lowered.mlir", result.output))
      return std::move(error);
    if (options.emit == EmitKind::Mlir)
      return std::move(result);
  }
  if (Error error = compileKernels(*module))
    return std::move(error);
  if (Error error = emit())
    return std::move(error);
  return std::move(result);
}

} // namespace

/// Whether there are such passes.
static Error checkPassNames(const Isa &isa, ArrayRef<std::string> wanted) {
  if (wanted.empty())
    return Error::success();
  SmallVector<StringRef> names = loweringPassNames(isa);
  append_range(names, lirPassNames);
  for (const std::string &name : wanted)
    if (!is_contained(names, name))
      return makeError("no pass '" + name + "' to print after; there are " + join(names, ", "));
  return Error::success();
}

static unsigned spillsOf(const CompileResult &result) {
  unsigned spills = 0;
  for (const KernelSummary &kernel : result.kernels)
    spills += kernel.vgprSpills + kernel.sgprSpills;
  return spills;
}

Expected<CompileResult> compile(StringRef source, StringRef name, const CompileOptions &given) {
  CompileOptions options = given;
  if (Error error = Isa::get(options.chip).moveInto(options.isa))
    return std::move(error);
  if (Error error = checkPassNames(*options.isa, options.printAfter))
    return std::move(error);
  Expected<CompileResult> result = Compilation(source, name, options).run();
  // Waves that ping-pong, copies ahead and loads for the next iteration hold registers: where values are spilled, less
  // of both is tried, and what spills least stays.
  struct Less {
    bool rotation, oneBuffer, asWritten;
  };
  constexpr Less attempts[] = {{false, false, false}, {true, false, false}, {false, true, false},
                               {true, true, false},   {false, false, true}, {true, false, true}};
  CompileOptions chosen = options;
  for (const Less &less : attempts) {
    if (!result || !spillsOf(*result))
      break;
    const bool mayChangeCopies = result->copiesAhead && !options.stages;
    const bool isSame = !less.rotation && !less.oneBuffer && !less.asWritten && !options.pingPong;
    if (isSame || (less.rotation && !result->rotatesLoops) || ((less.oneBuffer || less.asWritten) && !mayChangeCopies))
      continue;
    CompileOptions tried = options;
    tried.saveTempsDirectory.clear();
    tried.rotateLoops &= !less.rotation;
    tried.asyncCopies &= !less.asWritten;
    tried.stages = less.oneBuffer ? 1 : options.stages;
    tried.pingPongSpills = std::exchange(tried.pingPong, false);
    Expected<CompileResult> other = Compilation(source, name, tried).run();
    if (!other) {
      consumeError(other.takeError());
    } else if (spillsOf(*other) < spillsOf(*result)) {
      result = std::move(other);
      chosen = tried;
      chosen.saveTempsDirectory = options.saveTempsDirectory;
    }
  }
  if (static_cast<const PipelineOptions &>(chosen) == options || options.saveTempsDirectory.empty())
    return result;
  return Compilation(source, name, chosen).run();
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
