#include "compiler/import/ir/LlvmIr.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "object/TargetId.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
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
    if (!module || failed(checkTarget(*module)) || failed(readKernels(*module)))
      return {};
    contractSums(*module);
    OwningOpRef<ModuleOp> imported =
        translateLLVMIRToModule(std::move(module), builder.getContext(), /*emitExpensiveWarnings=*/false,
                                /*dropDICompositeTypeElements=*/true);
    if (!imported || failed(expandNewerIntrinsics(*imported)) || failed(expandHiddenArguments(*imported)))
      return {};
    for (const auto &kernel : kernels)
      for (NamedAttribute attribute : kernel.second)
        imported->lookupSymbol(kernel.first())->setAttr(attribute.getName(), attribute.getValue());
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
      module = llvm::parseAssembly(
          buffer, error, llvmContext, nullptr, [](StringRef, StringRef) { return std::nullopt; }, &places);
      if (!module) {
        emitError(FileLineColLoc::get(builder.getContext(), name, error.getLineNo(), error.getColumnNo() + 1))
            << error.getMessage();
        return {};
      }
      placeInText(*module, name, places);
    }
    std::string messages;
    llvm::raw_string_ostream stream(messages);
    if (llvm::verifyModule(*module, &stream)) {
      emitError(start) << "the module is broken: " << StringRef(messages).split('\n').first;
      return {};
    }
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
    } else if (architecture != "amdgcn") {
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

  LogicalResult readKernels(const llvm::Module &module) {
    for (const llvm::Function &function : module)
      if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL && !function.isDeclaration() &&
          failed(readKernel(function)))
        return failure();
    return success();
  }

  LogicalResult readKernel(const llvm::Function &function) {
    SmallVector<NamedAttribute> &attributes = kernels[function.getName()];
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
    for (StringRef key : {"denormal-fp-math-f32", "denormal-fp-math"})
      for (StringRef mode : llvm::split(text(key), ','))
        if (!mode.empty() && mode != "ieee")
          return emitError(start) << function.getName() << " wants " << key << " = " << mode
                                  << ": only kernels that keep denormals are supported";
    for (const llvm::Argument &argument : function.args())
      if (argument.hasByRefAttr())
        return emitError(start) << function.getName() << ": argument " << argument.getArgNo()
                                << " is byref, which isn't supported";
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
