// HIP Record & Replay's archives (HRR, versions 3 to 6): what reading and writing them share.
//
// DIR/[pid-N/]events.bin: a header of 8 bytes {u32 magic, u16 version, u16 0}, then records, each with a header of 32
// bytes {u16 function, u64 sequence, u64 nanoseconds, u64 thread, length with this header: u16 up to version 3, u32
// from version 4 on, zeros} and the function's result and arguments, packed. The last record of a program that ended
// well is a trailer. Data stands in blobs/HH/HASH.blob and code_objects/HASH.hsaco by hash. Source: ROCm/rocm-systems,
// projects/hrr/DESIGN.md and include/hrr/hrr_api_args.h.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace inflight::replay {

constexpr uint32_t hrrMagic = 0x52524845; ///< "EHRR"
constexpr uint16_t hrrOldest = 3, hrrNewest = 6;
constexpr uint16_t hrrTrailer = 0xffff; ///< stands for the function
constexpr uint32_t hrrTrailerMagic = 0x464f4548;
constexpr uint32_t hrrTrailerBytes = 44, hrrHeaderBytes = 32;
/// Functions of HIP's dispatch table when version 6 was written; the compiler's functions have the numbers after them.
constexpr uint16_t hrrRuntimeFunctions = 545;
/// Room for a variable's name in a record of version 6.
constexpr uint32_t hrrNameBytes = 256;

enum class HrrApi : uint16_t {
#define HRR_API(name, ...) name,
#define HRR_LAUNCH(name, ...) name,
#define HRR_LOST(name, ...) name,
#define HRR_COMPILER(name, ...) name,
#include "replay/HrrApis.def"
  None
};

struct HrrFunction {
  HrrApi api = HrrApi::None;
  bool isLaunch = false, isLost = false;
  llvm::ArrayRef<uint32_t> lengths; ///< that the record may have after its header; empty: any
  llvm::StringRef name;
};
/// What a number of a record stands for. `compilerBase`: the first number of the compiler's functions from version 5
/// on.
HrrFunction hrrFunction(uint16_t version, uint16_t number, uint16_t compilerBase);
/// The number that version 6 writes.
uint16_t hrrNumber(HrrApi api);

/// Two interleaved 64-bit FNV-1a sums, the second with the constants exchanged, as hip_capture_writer.cpp of the same
/// repository makes them.
struct HrrHash {
  uint64_t low = 0, high = 0;
  bool isNone() const { return !low && !high; }
  std::string text() const; ///< 32 digits, the name of a file
  static HrrHash of(llvm::ArrayRef<uint8_t> bytes);
};

} // namespace inflight::replay
