#include "cli/CommandLine.h"
#include "cli/Environment.h"
#include "isa/chip/TargetInfo.h"
#include "lsp/Server.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"mcpu", "CHIP", "of assembly that doesn't say it by .amdgcn_target"},
    {"hipcc", "FILE", "compiles HIP sources (default: the one in PATH); `inflight sdk` makes one", FileUse::Read},
    {"stdio", "", "speak on standard input and output, as it always does: editors give the option"},
};

static Expected<int> run(const Arguments &arguments) {
  const std::string chip = arguments.get("mcpu");
  if (!chip.empty())
    if (Expected<const TargetInfo *> known = TargetInfo::get(chip); !known)
      return known.takeError();
  // Not outs(): what others write to standard error would flush it in the middle of a message.
  std::error_code error;
  raw_fd_ostream out("-", error);
  const ErrorOr<std::string> hipcc = sys::findProgramByName("hipcc");
  const bool isShutDown =
      lsp::serve(stdin, out, {commandFile(), arguments.get("hipcc", hipcc ? *hipcc : std::string()), chip});
  out.clear_error(); // nobody reads any more
  return isShutDown ? 0 : 1;
}

const Verb lspVerb = {"lsp",
                      "Serve an editor: findings, hints and fixes for assembly, MLIR and HIP",
                      {"", 0, 0},
                      options,
                      "  inflight lsp -mcpu=gfx942\n"
                      "  inflight lsp -mcpu=gfx942 --hipcc=rocm/bin/hipcc\n",
                      run};

} // namespace inflight::cli
