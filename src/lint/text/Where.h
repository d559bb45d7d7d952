// Names for places and operations of a program.
#pragma once

#include "program/Place.h"
#include "waits/graph/Graph.h"

namespace inflight::lint {

class Where {
public:
  explicit Where(const Program &program LLVM_LIFETIME_BOUND) : program(program) {}

  /// The block that an instruction is in; ~0 for data.
  uint32_t blockOf(uint32_t instruction) const;
  /// The function that reaches it first; null when none does.
  const Function *functionOf(uint32_t instruction) const;
  /// "l.31" in assembly, "0x1748" in code objects.
  std::string brief(uint32_t instruction) const;
  /// The same for [first, last]: "l.31-38".
  std::string brief(uint32_t first, uint32_t last) const;
  /// "gemm.s:31", "gemm.hsaco:0x1748".
  std::string full(uint32_t instruction) const;
  /// "global_load_dword v4", "buffer_load_dwordx4→lds", "global_store_dword": what it is and what it brings.
  std::string operation(const waits::Graph &graph, uint32_t op) const;

private:
  const Program &program;
};

} // namespace inflight::lint
