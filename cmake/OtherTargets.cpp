// Link-time optimization, which LLD's library refers to, initializes all targets that LLVM was built with and asks for
// LLVM's extensions, Debian's Polly among them. Nothing here links bitcode, so none of that is there.
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder &) {}};
}

// What there is of the one that counts.
#define LLVMInitializeAMDGPUTargetInfo noTargetInfo
#define LLVMInitializeAMDGPUTargetMC noTargetMC
#define LLVMInitializeAMDGPUAsmParser noAsmParser

#define LLVM_TARGET(Name)                               \
  extern "C" void LLVMInitialize##Name##TargetInfo() {} \
  extern "C" void LLVMInitialize##Name##Target() {}     \
  extern "C" void LLVMInitialize##Name##TargetMC() {}
#include "llvm/Config/Targets.def"

#define LLVM_ASM_PRINTER(Name) \
  extern "C" void LLVMInitialize##Name##AsmPrinter() {}
#include "llvm/Config/AsmPrinters.def"

#define LLVM_ASM_PARSER(Name) \
  extern "C" void LLVMInitialize##Name##AsmParser() {}
#include "llvm/Config/AsmParsers.def"
