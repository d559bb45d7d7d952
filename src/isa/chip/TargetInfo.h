// The numbers that differ between chips, read from data/targets/CHIP.json.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace llvm::json {
class Object;
class Value;
} // namespace llvm::json

namespace inflight {

/// One chip's limits and granules. Units are in the names or beside them; sources in the data file.
struct TargetInfo {
  std::string chip;          ///< "gfx942"
  uint32_t elfMach = 0;      ///< EF_AMDGPU_MACH of e_flags
  unsigned generation = 0;   ///< of instructions: 9, 11 or 12
  unsigned lanesPerWave = 0; ///< lanes
  unsigned simdsPerCu = 0;
  unsigned maxWavesPerSimd = 0;
  unsigned maxWorkgroupSize = 0; ///< lanes
  unsigned barriersPerCu = 0;
  unsigned vgprsPerSimd = 0; ///< unified file: architectural and accumulation
  unsigned maxArchVgprs = 0;
  unsigned maxAccVgprs = 0;
  unsigned vgprGranule = 0;
  unsigned vgprEncodingGranule = 0; ///< of the descriptor's field
  unsigned accumOffsetGranule = 0;
  unsigned vgprTupleAlignment = 0; ///< of operands of two or more registers
  unsigned sgprsPerSimd = 0;
  unsigned maxSgprs = 0; ///< addressable, without VCC, FLAT_SCRATCH, XNACK_MASK
  unsigned sgprGranule = 0;
  unsigned ldsBytes = 0;         ///< bytes a workgroup may allocate
  unsigned ldsGranule = 0;       ///< bytes
  unsigned waveScratchBytes = 0; ///< bytes of all lanes that a wave may have
  unsigned ldsBanks = 0;         ///< banks of 4 bytes
  unsigned instructionCacheBytes = 0;
  unsigned instructionCacheLineBytes = 0;
  unsigned kernargPreloadMax = 0; ///< SGPRs
  unsigned maxLdsDmaBytes = 0;    ///< bytes that a lane moves with one instruction

  // What the chip has. The data file says what each means.
  bool hasArchitectedFlatScratch = false;
  bool hasScopeBits = false;
  bool hasScratchVaddrBit = false;
  bool hasOcpFloat8 = false;
  bool f32MatrixIsXdl = false;
  bool memoryFlushesSingles = false;
  bool hasXccId = false;
  bool hasLongMatrixNames = false;
  bool hasHalfDepthMatrix = false;
  bool hasBothWaveSizes = false;
  bool hasHalfRegisters = false;
  bool hasVgprWindows = false;

  /// User SGPRs before preloaded arguments: the arguments' address and, where software sets it, FLAT_SCRATCH's initial
  /// value.
  unsigned firstPreloadedSgpr() const { return hasArchitectedFlatScratch ? 2 : 4; }

  /// Whether there are a machine, a compiler and times for it. Others are read, written and checked.
  bool isExecuted() const;

  /// Of a mask of lanes one scalar register has a bit each for so many: its size in bits, on every chip.
  static constexpr unsigned lanesPerMaskRegister = 32;
  /// The registers of a mask of all lanes.
  unsigned maskRegisters() const { return lanesPerWave / lanesPerMaskRegister; }
  /// Waves a SIMD holds when each uses `vgprs` registers (arch and acc together); 0 if none fits.
  unsigned wavesForVgprs(unsigned vgprs) const;
  /// Most registers (arch and acc together) a wave may use so that `waves` fit on a SIMD.
  unsigned vgprsForWaves(unsigned waves) const;

  /// The chip's data, or an error that lists the supported chips. Of a chip with both sizes of waves, its numbers for
  /// the smaller one, unless `lanes` asks for the other.
  static llvm::Expected<const TargetInfo *> get(llvm::StringRef chip, unsigned lanes = 0);
};

/// Names of the supported chips, in order of age.
llvm::ArrayRef<llvm::StringRef> supportedChips();

/// Those of them that there are a machine, a compiler and times for.
llvm::ArrayRef<llvm::StringRef> executedChips();

/// An error that names a chip that isn't one of these, or isn't supported at all.
llvm::Error requireExecuted(llvm::StringRef chip);

/// A file below data/ that was compiled in, such as "latency/gfx942.json"; empty if there is none.
llvm::StringRef embeddedData(llvm::StringRef name);

/// One number of a data file and where it goes.
struct DataEntry {
  llvm::StringRef name;
  unsigned &value;
};

/// A number that is 0 or 1.
struct FeatureEntry {
  llvm::StringRef name;
  bool &value;
};

/// Parses an embedded file. An error names it.
llvm::Expected<llvm::json::Value> parseData(llvm::StringRef name);

/// Reads the entries of `object`, a part of the data file `name`. Each is an object with a "value" that is not
/// negative and a "source"; an error names the file and the entry.
llvm::Error readEntries(llvm::StringRef name, const llvm::json::Object *object, llvm::ArrayRef<DataEntry> entries);

} // namespace inflight
