// upstream-compile CHIP IN.mlir OUT.hsaco: what LLVM's own pipeline makes of a file, for comparisons of single kernels.
#include "Upstream.h"
#include "support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inflight;

static Error run(StringRef chip, const char *input, const char *output) {
  constexpr unsigned optLevel = 3;
  bench::UpstreamCompiler compiler(chip, optLevel);
  Expected<std::string> source = readFile(input);
  if (!source)
    return source.takeError();
  Expected<std::string> prepared = compiler.prepare(*source, input);
  if (!prepared)
    return prepared.takeError();
  Expected<std::string> code = compiler.compile(*prepared, input);
  return code ? writeFileAtomically(output, *code) : code.takeError();
}

int main(int argc, char **argv) {
  if (argc != 4) {
    errs() << "usage: upstream-compile CHIP IN.mlir OUT.hsaco\n";
    return 2;
  }
  if (Error error = run(argv[1], argv[2], argv[3])) {
    errs() << toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
