// Runs passes of the compiler on LIR text, one function, and prints what comes out:
//   lir-opt [PASS...] FILE
// FILE may be `-`. LIR is verified before the first pass and after each.
#include "compiler/combine/Combine.h"
#include "compiler/finish/Finish.h"
#include "compiler/lir/Read.h"
#include "compiler/lir/Verify.h"
#include "compiler/regalloc/RegAlloc.h"
#include "compiler/regalloc/Remake.h"
#include "compiler/schedule/Schedule.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace inflight;

static Error runPass(StringRef name, lir::Function &function) {
  if (name == "dead-code")
    lir::eliminateDeadCode(function);
  else if (name == "carried")
    lir::writeCarriedValuesInPlace(function);
  else if (name == "carried-loads")
    lir::loadCarriedValuesInPlace(function);
  else if (name == "dead-stores")
    lir::removeDeadStores(function);
  else if (name == "dead-code")
    lir::eliminateDeadCode(function);
  else if (name == "masks")
    lir::simplifyMasks(function);
  else if (name == "dpp")
    lir::combineDpp(function);
  else if (name == "fields")
    lir::combineFields(function);
  else if (name == "mixed")
    lir::combineMixedProducts(function);
  else if (name == "fuse")
    lir::fuseOperations(function);
  else if (name == "merge-lds")
    lir::mergeLdsAccesses(function);
  else if (name == "schedule")
    return lir::scheduleInstructions(function).takeError();
  else if (name.consume_front("remake=")) { // what is spilled with so many vector registers
    lir::Function allocated = function;
    unsigned most = 0;
    if (name.getAsInteger(10, most))
      return makeError("no number of registers '" + name + "'");
    if (Error error = lir::allocateRegisters(allocated, {.most = {.vgprs = most, .agprs = 0}}))
      return error;
    lir::remakeSpilled(function, allocated);
  } else if (name == "regalloc")
    return lir::allocateRegisters(function, {.check = true});
  else if (name == "waits")
    return lir::insertWaits(function);
  else if (name == "invert-branches")
    lir::invertBranches(function);
  else if (name == "near-branches") // that reach 256 bytes
    return lir::shortenBranches(function, 256);
  else
    return makeError("no pass '" + name + "'");
  return Error::success();
}

static Error run(ArrayRef<char *> words) {
  Expected<std::string> text = readFile(words.back());
  if (!text)
    return text.takeError();
  Expected<lir::Function> function = lir::read(*text);
  if (!function)
    return function.takeError();
  if (Error error = lir::verify(*function))
    return error;
  for (StringRef pass : words.drop_back()) {
    if (Error error = runPass(pass, *function))
      return error;
    if (Error error = lir::verify(*function))
      return error;
  }
  lir::print(*function, outs());
  return Error::success();
}

int main(int count, char **words) {
  if (count < 2) {
    errs() << "usage: lir-opt [PASS...] FILE\n";
    return 2;
  }
  if (Error error = run(ArrayRef(words + 1, count - 1))) {
    errs() << toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
