#include "cli/CommandLine.h"
#include "isa/Isa.h"
#include "machine/wave/Handlers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"coverage", "", "every mnemonic of each chip: executed by the machine or not"},
    {"mcpu", "CHIP", "only this chip"},
};

static Expected<int> run(const Arguments &arguments) {
  std::string only = arguments.get("mcpu");
  if (!only.empty())
    if (Expected<const TargetInfo *> known = TargetInfo::get(only); !known)
      return known.takeError();
  if (!arguments.has("coverage"))
    outs() << "chip      VGPRs  LDS bytes  waves/SIMD  LDS banks\n";
  for (StringRef chip : supportedChips()) {
    if (!only.empty() && chip != only)
      continue;
    Expected<const Isa *> isa = Isa::get(chip);
    if (!isa)
      return isa.takeError();
    const TargetInfo &target = (*isa)->target();
    if (!arguments.has("coverage")) {
      outs() << formatv("{0,-10}{1,5}{2,11}{3,12}{4,11}{5}\n", chip, target.vgprsPerSimd, target.ldsBytes,
                        target.maxWavesPerSimd, target.isExecuted() ? std::to_string(target.ldsBanks) : "-",
                        target.isExecuted() ? "" : "  not executed");
      continue;
    }
    if (!target.isExecuted()) {
      outs() << formatv("{0}: none of {1} mnemonics, {0} is checked, not executed\n", chip, (*isa)->mnemonics().size());
      continue;
    }
    unsigned supported = 0, total = 0;
    std::vector<std::string> mnemonics = (*isa)->mnemonics();
    for (const std::string &mnemonic : mnemonics) {
      const char *refused = machine::refusedReason(mnemonic);
      bool known = !refused && machine::handlerTable().count(mnemonic);
      outs() << chip << ' ' << mnemonic << ' '
             << (known     ? "supported"
                 : refused ? "not executed: "
                           : "missing")
             << (refused ? refused : "") << '\n';
      supported += known;
      ++total;
    }
    outs() << formatv("{0}: {1} of {2} mnemonics\n", chip, supported, total);
  }
  return 0;
}

const Verb targetsVerb = {"targets",
                          "List the supported chips and what the machine executes",
                          {"", 0, 0},
                          options,
                          "  inflight targets\n  inflight targets --coverage -mcpu=gfx942 | grep -v supported\n",
                          run};

} // namespace inflight::cli
