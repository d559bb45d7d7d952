// What the examples must compute, in plain loops and double precision.
#pragma once

#include "support/Npy.h"
#include <vector>

namespace inflight::demo {

/// The arrays after the kernel has run, from those before. Shares no code with the machine.
using Reference = void (*)(std::vector<Array> &arrays);

void copyReference(std::vector<Array> &arrays);
void vaddReference(std::vector<Array> &arrays);
void transposeReference(std::vector<Array> &arrays);
void reduceReference(std::vector<Array> &arrays);
void softmaxReference(std::vector<Array> &arrays);
void layernormReference(std::vector<Array> &arrays);
void gemmReference(std::vector<Array> &arrays); ///< C = A B^T

/// Three products of 128x96 and 128x96 matrices with rows of 104 and batches of 13,400 elements.
void batchedGemmReference(std::vector<Array> &arrays);

} // namespace inflight::demo
