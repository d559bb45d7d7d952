// NumPy's .npy files: little-endian arrays in C order.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace inflight {

/// Element types of host buffers. The names are MLIR's: "f32", "bf16", "i8", "f8E4M3FNUZ" …
/// .npy has no bf16 and 8-bit floats: they are stored as |V2 and |u1 and keep their type through
/// the argument that names it.
struct Array {
  std::string type = "f32";
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
  uint64_t elementCount() const;
};

/// Bytes of one element, 0 for an unknown type.
unsigned elementBytes(llvm::StringRef type);

llvm::Expected<Array> parseNpy(llvm::StringRef contents, llvm::StringRef name);
std::string formatNpy(const Array &array);

/// One element as a number, and back (rounded to nearest even).
double elementAsDouble(const Array &array, uint64_t index);
void setElement(Array &array, uint64_t index, double value);

/// `arange` (0, 1, 2 …), `zeros`, or pseudo-random numbers: element i is made from the i-th output
/// of SplitMix64 seeded with `seed`. Floats are uniform in [-1, 1) by the top 24 bits; integers are
/// uniform in [0, 100) by the remainder.
void fillArange(Array &array);
void fillRandom(Array &array, uint64_t seed);

} // namespace inflight
