// A launch as a caller of the C API describes it, made ready for the machine.
#pragma once

#include "capi/Context.h"
#include "machine/Interrupt.h"
#include "machine/timed/TimedRun.h"
#include <vector>

namespace inflight::capi {

/// Has the module's context for itself as long as it lives, and gives back what the launch takes of its memory.
class Call {
public:
  Call(ifl_module &module, const ifl_launch &launch);
  ~Call() {
    module.context->memory.setGranule(1);
    module.context->memory.setHeap(nullptr);
    module.context->memory.release(mark);
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Finds the kernel and fills in what is below.
  ifl_status prepare(llvm::StringRef name);
  /// The launch's options of a timed run, without a sink.
  machine::timed::TimedOptions timedOptions() const;
  /// The status of a run that failed.
  ifl_status failed(llvm::Error error) const;

  ifl_module &module;
  ifl_launch launch = {}; ///< with all members: a caller of an earlier version knows fewer, and the rest is zero
  const Kernel *kernel = nullptr;
  machine::LaunchConfig config;
  std::vector<uint8_t> segment; ///< without hidden arguments

private:
  std::lock_guard<std::mutex> lock;
  machine::Memory::Mark mark;
  machine::Interrupt interrupt;
};

} // namespace inflight::capi
