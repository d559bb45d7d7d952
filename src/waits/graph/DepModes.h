// Whether the hardware looks at dependencies of registers: DEP_MODE in SCHED_MODE, followed over paths.
#pragma once

#include "program/Program.h"

namespace inflight::waits {

class DepModes {
public:
  explicit DepModes(const Program &program);

  /// Some instruction may run where the hardware doesn't look at VGPRs alone, or at nothing.
  bool isEverUnchecked() const { return !before.empty(); }
  /// Whether the hardware may not look at the VGPRs of vector ALU and memory operations before the instruction, and
  /// whether it may.
  bool mayBeUnchecked(uint32_t instruction) const { return has(instruction, Unchecked); }
  bool mayBeChecked(uint32_t instruction) const { return before.empty() || has(instruction, Checked | Other); }
  /// Whether it may not look at something else.
  bool mayBeOther(uint32_t instruction) const { return has(instruction, Other); }
  /// Whether it may have the hardware stop to look, where it may have looked until then.
  bool mayEndChecks(const Program &program, uint32_t instruction) const {
    return has(instruction, Checked | Other) && (after(program, instruction, 0) & Unchecked);
  }

private:
  enum : uint8_t { Checked = 1, Unchecked = 2, Other = 4, Any = 7 };
  bool has(uint32_t instruction, uint8_t modes) const { return !before.empty() && (before[instruction] & modes); }
  uint8_t after(const Program &program, uint32_t instruction, uint8_t modes) const;

  std::vector<uint8_t> before; ///< by instruction: those that there may be; empty: none sets any
};

} // namespace inflight::waits
