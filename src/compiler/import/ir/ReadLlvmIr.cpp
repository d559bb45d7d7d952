#include "compiler/import/ir/Intrinsics.h"
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "object/TargetId.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/AsmParser/LLParser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace inflight::import {

bool isBitcode(StringRef source) { return llvm::isBitcode(source.bytes_begin(), source.bytes_end()); }

bool isLlvmIr(StringRef source) {
  if (isBitcode(source))
    return true;
  for (StringRef line; !source.empty();) {
    std::tie(line, source) = source.split('\n');
    for (StringRef begin :
         {"define ", "declare ", "target triple", "target datalayout", "source_filename", "; ModuleID"})
      if (line.starts_with(begin))
        return true;
  }
  return false;
}

namespace {
/// What LLVM has to say beside errors is nobody's question here.
struct NoRemarks : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo &) override { return true; }
};

/// Text that doesn't say how data lies means the target's way.
std::optional<std::string> layoutOf(StringRef given) {
  return given.empty() ? std::optional(llvm::Triple("amdgcn-amd-amdhsa").computeDataLayout()) : std::nullopt;
}

/// Nothing here goes by scopes of aliases, and those of newer releases aren't LLVM 22's.
void dropScopes(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      inst.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
      inst.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
      if (llvm::isa<llvm::NoAliasScopeDeclInst>(inst))
        inst.eraseFromParent();
    }
}

/// Lines of the text are the places of instructions, where the module has no debug information of its own.
void placeInText(llvm::Module &module, StringRef name, const llvm::AsmParserContext &places) {
  llvm::DIBuilder builder(module);
  llvm::DIFile *file = builder.createFile(name, "");
  llvm::DICompileUnit *unit = nullptr;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.getSubprogram())
      continue;
    if (!unit)
      unit = builder.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "", /*isOptimized=*/true, "", 0);
    std::optional<llvm::FileLocRange> at = places.getFunctionLocation(&function);
    const unsigned line = at ? at->Start.Line + 1 : 1;
    auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
    function.setSubprogram(builder.createFunction(file, function.getName(), function.getName(), file, line, type, line,
                                                  llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition));
    for (llvm::Instruction &inst : llvm::instructions(function))
      if (std::optional<llvm::FileLocRange> place = places.getInstructionLocation(&inst))
        inst.setDebugLoc(llvm::DILocation::get(module.getContext(), place->Start.Line + 1, place->Start.Col + 1,
                                               function.getSubprogram()));
  }
  builder.finalize();
}

/// Reads a module, says what is wrong with it.
class Reader {
public:
  Reader(StringRef source, StringRef name, StringRef chip, MLIRContext &context)
      : source(source), name(name), chip(chip), builder(&context), start(FileLineColLoc::get(&context, name, 1, 1)) {
    llvmContext.setDiagnosticHandler(std::make_unique<NoRemarks>());
  }

  OwningOpRef<ModuleOp> read() {
    std::unique_ptr<llvm::Module> module = parse();
    if (!module || failed(checkTarget(*module)) || failed(mergeFunctions(*module, start)) ||
        failed(checkVersion(*module)) || failed(readKernels(*module)))
      return {};
    mergeEqualCounters(*module);
    carryPointers(*module);
    splitAggregates(*module);
    splitVectors(*module);
    expandGenericIntrinsics(*module);
    expandTargetIntrinsics(*module);
    expandWaveReductions(*module);
    expandMemoryIntrinsics(*module);
    if (failed(refuseIntrinsics(*module, start)) || failed(splitWideIntegers(*module, start)))
      return {};
    nameSpaces(*module);
    lowerGenericPointers(*module);
    expandPrivateAtomics(*module);
    contractSums(*module);
    const std::string data = takeData(*module);
    // The importer warns of parts of the data layout that MLIR has no words for.
    ScopedDiagnosticHandler withoutWarnings(builder.getContext(), [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Warning);
    });
    OwningOpRef<ModuleOp> imported =
        translateLLVMIRToModule(std::move(module), builder.getContext(), /*emitExpensiveWarnings=*/false,
                                /*dropDICompositeTypeElements=*/true);
    if (!imported || failed(expandNewerIntrinsics(*imported)))
      return {};
    expandHiddenArguments(*imported);
    for (const auto &kernel : kernels)
      for (NamedAttribute attribute : kernel.second)
        imported->lookupSymbol(kernel.first())->setAttr(attribute.getName(), attribute.getValue());
    if (!data.empty())
      (*imported)->setAttr(attr::data, builder.getStringAttr(data));
    for (auto global : imported->getOps<LLVM::GlobalOp>())
      if (!global.getValueOrNull() && global.getInitializerRegion().empty() &&
          global.getLinkage() == LLVM::Linkage::External && global.getAddrSpace() != ldsSpace)
        global->setAttr(attr::data, builder.getUnitAttr());
    return imported;
  }

private:
  std::unique_ptr<llvm::Module> parse() {
    llvm::MemoryBufferRef buffer(source, name);
    std::unique_ptr<llvm::Module> module;
    if (isBitcode(source)) {
      llvm::Expected<std::unique_ptr<llvm::Module>> read = llvm::parseBitcodeFile(buffer, llvmContext);
      if (!read) {
        emitError(start) << llvm::toString(read.takeError())
                         << "; bitcode of a newer release has to come as text (llvm-dis)";
        return {};
      }
      module = std::move(*read);
    } else {
      llvm::SMDiagnostic error;
      llvm::AsmParserContext places;
      llvm::SourceMgr sources;
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(buffer), llvm::SMLoc());
      module = std::make_unique<llvm::Module>(name, llvmContext);
      // llvm::parseAssembly ends the process for modules that are broken.
      if (llvm::LLParser(source, sources, error, module.get(), nullptr, llvmContext, nullptr, &places)
              .Run(/*UpgradeDebugInfo=*/false, [](StringRef, StringRef given) { return layoutOf(given); })) {
        emitError(FileLineColLoc::get(builder.getContext(), name, error.getLineNo(), error.getColumnNo() + 1))
            << error.getMessage();
        return {};
      }
      placeInText(*module, name, places);
    }
    dropScopes(*module);
    expandNewerResources(*module);
    std::string messages;
    llvm::raw_string_ostream stream(messages);
    bool hasBrokenDebugInfo = false;
    if (llvm::verifyModule(*module, &stream, &hasBrokenDebugInfo)) {
      auto [what, rest] = StringRef(messages).split('\n');
      const StringRef where = rest.split('\n').first.trim();
      emitError(start) << "the module is broken: " << what << (where.empty() ? "" : " ") << where;
      return {};
    }
    if (hasBrokenDebugInfo)
      llvm::StripDebugInfo(*module);
    return module;
  }

  /// The chip that a triple or a function names is the one that is compiled for.
  LogicalResult checkTarget(const llvm::Module &module) const {
    const std::string triple = module.getTargetTriple().str();
    const StringRef architecture = StringRef(triple).split('-').first;
    // LLVM 23 has the chip in the architecture: amdgpu9.42.
    if (architecture.starts_with("amdgpu")) {
      if (std::string named = parseTargetId(triple).chip; named != chip)
        return refuseChip(named);
    } else if (!architecture.empty() && architecture != "amdgcn") {
      return emitError(start) << "the module is for '" << triple << "', not for amdgcn";
    }
    for (const llvm::Function &function : module)
      if (llvm::Attribute cpu = function.getFnAttribute("target-cpu"); cpu.isValid() && !function.isDeclaration())
        if (StringRef value = cpu.getValueAsString(); value != chip)
          return refuseChip(value);
    return success();
  }
  LogicalResult refuseChip(StringRef named) const {
    return emitError(start) << "the module is for " << named << ", and " << chip << " is asked for (-mcpu)";
  }

  /// Hidden arguments lie elsewhere before version 5 of code objects, which is what is written.
  LogicalResult checkVersion(const llvm::Module &module) const {
    constexpr unsigned least = 500, perVersion = 100;
    auto *flag =
        llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(module.getModuleFlag("amdhsa_code_object_version"));
    const llvm::Function *hidden =
        llvm::Intrinsic::getDeclarationIfExists(&module, llvm::Intrinsic::amdgcn_implicitarg_ptr);
    if (!flag || flag->getZExtValue() >= least || !hidden || hidden->use_empty())
      return success();
    return emitError(start) << "not supported: hidden arguments of code object version "
                            << flag->getZExtValue() / perVersion << ": they are laid out as from version 5 on";
  }

  LogicalResult readKernels(llvm::Module &module) {
    for (llvm::Function &function : module)
      if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL && !function.isDeclaration() &&
          failed(readKernel(function)))
        return failure();
    return success();
  }

  LogicalResult readKernel(llvm::Function &function) {
    SmallVector<NamedAttribute> &attributes = kernels[function.getName()];
    if (takeOverflowMode(function))
      attributes.emplace_back(attr::saturatesHalves, builder.getUnitAttr());
    // Who marks arguments has chosen.
    if (llvm::none_of(function.args(), [](const llvm::Argument &argument) { return argument.hasInRegAttr(); }))
      attributes.emplace_back(attr::preloads, builder.getUnitAttr());
    auto text = [&](StringRef key) { return function.getFnAttribute(key).getValueAsString(); };
    if (StringRef size = text("amdgpu-flat-work-group-size"); !size.empty())
      attributes.emplace_back("rocdl.flat_work_group_size", builder.getStringAttr(size));
    // The least number; the second, the most, is a wish.
    if (uint32_t least; !text("amdgpu-waves-per-eu").split(',').first.getAsInteger(10, least) && least > 0)
      attributes.emplace_back("rocdl.waves_per_eu", builder.getI32IntegerAttr(int32_t(least)));
    if (const llvm::MDNode *node = function.getMetadata("reqd_work_group_size")) {
      SmallVector<int32_t> size;
      for (const llvm::MDOperand &side : node->operands())
        if (auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(side))
          size.push_back(int32_t(number->getZExtValue()));
      attributes.emplace_back("rocdl.reqd_work_group_size", builder.getDenseI32ArrayAttr(size));
    }
    return readDenormals(function, attributes);
  }

  /// Halves and doubles keep denormals.
  LogicalResult readDenormals(const llvm::Function &function, SmallVectorImpl<NamedAttribute> &attributes) {
    auto mode = [&](StringRef key) { return function.getFnAttribute(key).getValueAsString(); };
    constexpr StringLiteral all = "denormal-fp-math", ofSingles = "denormal-fp-math-f32";
    auto keeps = [&](StringRef key) { return mode(key).empty() || mode(key) == "ieee" || mode(key) == "ieee,ieee"; };
    auto refuse = [&](const Twine &what) { return emitError(start) << function.getName() << " wants " << what.str(); };
    if (!keeps(all))
      return refuse(all + " = " + mode(all) + ": only single precision may flush denormals");
    if (keeps(ofSingles))
      return success();
    if (mode(ofSingles) != "preserve-sign" && mode(ofSingles) != "preserve-sign,preserve-sign")
      return refuse(ofSingles + " = " + mode(ofSingles) + ", which isn't supported");
    attributes.emplace_back(attr::flushesSingles, builder.getUnitAttr());
    return success();
  }

  StringRef source, name, chip;
  Builder builder;
  Location start;
  llvm::LLVMContext llvmContext;
  llvm::StringMap<SmallVector<NamedAttribute>> kernels;
};
} // namespace

OwningOpRef<ModuleOp> readLlvmIr(StringRef source, StringRef name, StringRef chip, MLIRContext &context) {
  return Reader(source, name, chip, context).read();
}

void registerLlvmIr(DialectRegistry &registry) {
  registry.insert<DLTIDialect>();
  registerLLVMDialectImport(registry);
  registerRocdlImport(registry);
}

} // namespace inflight::import
