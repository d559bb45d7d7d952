// What waits cost, for people.
#pragma once

#include "waits/Price.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::waits {

void writePriceText(llvm::raw_ostream &os, const Program &program, const Reported &reported, const Prices &prices);

} // namespace inflight::waits
