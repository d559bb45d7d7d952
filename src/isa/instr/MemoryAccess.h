// Which memory an opcode touches, how many bytes of it, and how its address is made.
#pragma once

#include <cstdint>

namespace inflight {

struct InstrDesc;

struct MemoryAccess {
  enum class Space : uint8_t {
    None,
    Memory,  ///< buffers, global memory, scalar loads
    Scratch, ///< scratch_*
    Flat,    ///< flat_*: memory, scratch or LDS
    Lds,
    LdsDma, ///< memory into LDS
    Gds,    ///< GWS and ordered count
  };
  enum class Address : uint8_t {
    Lane,    ///< a register of each lane (and scalar parts)
    Scalar,  ///< of the whole wave
    M0,      ///< M0 and the offset
    M0Lanes, ///< M0, the offset and 4 bytes a lane
  };
  Space space = Space::None;
  Address address = Address::Lane;
  uint8_t places = 1; ///< 2 for ds_read2_*, ds_write2_* and ds_wrxchg2_*: as many offsets
  uint8_t bytes = 0;  ///< at one place, of a lane or, with a scalar address, of the wave; 0 where the name doesn't say
  uint16_t offsetUnit = 1;  ///< bytes that an offset counts: more than 1 where there are two places
  uint8_t halves = 3;       ///< of a destination register that are written: 1 low, 2 high, 3 both
  bool signExtends = false; ///< bytes and words into registers
};

/// From the name and what LLVM's tables say (`desc` but for its `access`).
MemoryAccess memoryAccessOf(const InstrDesc &desc);

} // namespace inflight
