// What waits cost, for people.
#pragma once

#include "waits/Price.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::lint {

void writePriceText(llvm::raw_ostream &os, const Program &program, const waits::Reported &reported,
                    const waits::Prices &prices);

} // namespace inflight::lint
