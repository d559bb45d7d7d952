// What LaneInterpreter knows of a value, in each lane.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace inflight::lanes {

/// Where a byte comes from: a constant, a place in global memory, or nowhere that is known.
using Source = uint64_t;
constexpr Source constantSource = uint64_t(1) << 63; ///< and the byte
constexpr Source unknownSource = uint64_t(1) << 62;
constexpr Source unwritten = 0;

/// Numbers, of whose bits the others are copies of the sign; or bytes of data; or memory.
struct LaneValue {
  enum class Kind { Unknown, Numbers, Bytes, Memory } kind = Kind::Unknown;
  unsigned count = 1;           ///< elements
  unsigned bits = 0;            ///< of an element
  std::vector<int64_t> numbers; ///< lanes x elements
  std::vector<Source> bytes;    ///< lanes x elements x bytes
  // What follows is set for memory only.
  enum class Space { Lds, Global, Buffer, Other } space = Space::Other;
  unsigned root = 0;                         ///< which
  uint64_t records = 0;                      ///< bytes that a descriptor reaches
  std::vector<int64_t> offsets;              ///< of its first element in each lane, bytes
  llvm::SmallVector<int64_t> sizes, strides; ///< in elements
};
using LaneRef = std::shared_ptr<const LaneValue>;

/// Sign-extended from so many bits.
inline int64_t signedOf(uint64_t value, unsigned bits) {
  return bits >= 64 ? int64_t(value) : int64_t(value << (64 - bits)) >> (64 - bits);
}
inline uint64_t naturalOf(int64_t value, unsigned bits) {
  return bits >= 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}
inline uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15 + b + 0x7f4a7c159e3779b9;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

} // namespace inflight::lanes
