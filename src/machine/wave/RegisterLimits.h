// Which registers a kernel has, and what becomes of instructions that name others (ISA manuals, "Out-of-range
// behavior"). All of it is decided when the code is decoded.
#pragma once

#include "machine/wave/Wave.h"
#include "object/CodeObject.h"

namespace inflight::machine {

/// What the registers that an instruction names mean for it.
struct RegisterUse {
  bool isNullified = false; ///< a destination that doesn't exist: the instruction does nothing
  std::string error;        ///< what the manuals leave undefined
};

struct RegisterLimits {
  /// VGPRs and AccVGPRs share a file, and ACCUM_OFFSET says where AccVGPR 0 is. A kernel that names no AccVGPR has all
  /// of the file as VGPRs (`isOneFile`): kernels in production use VGPRs after the offset so. In one that names them
  /// the offset is a border.
  RegisterLimits(const KernelDescriptor &descriptor, bool isOneFile);

  /// Registers that don't exist give way: sources to register 0, scalar destinations to one that nobody reads.
  RegisterUse apply(Op &op, const InstrDesc &desc, const RegAccess &access, bool isDpp) const;
  /// What GPR indexing has to know of a vector instruction.
  IndexableOp indexable(const Op &op, const InstrDesc &desc, const RegAccess &access, bool isDpp) const;
  /// HW_REG_GPR_ALLOC: sizes in granules, less one.
  uint32_t hardwareRegister() const { return vgprField << 8 | sgprField << 24; }

  uint16_t sgprs, vgprs, agprs;
  uint16_t accumOffset;
  bool isOneFile;

private:
  bool exists(RegRange range) const;
  uint32_t vgprField, sgprField;
};

/// What a program has named so far.
struct RegistersNamed {
  bool accVgpr = false, isBeyondOffset = false;
  /// Whether these make the offset a border.
  bool add(const RegAccess &access, const RegisterLimits &limits);
};

} // namespace inflight::machine
