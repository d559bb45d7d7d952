// The error of a run that a fault has ended.
#pragma once

#include "machine/wave/Wave.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight::machine {

/// Why the kernel couldn't go on; the message names kernel, address, instruction, workgroup and wave.
class KernelFault : public llvm::ErrorInfo<KernelFault> {
public:
  static char ID;
  KernelFault(Fault kind, std::string message) : kind(kind), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  Fault kind;
  std::string message;
};

} // namespace inflight::machine
