// What would make a launch faster.
#include "advise/Advise.h"
#include "capi/Launch.h"
#include "llvm/ADT/ScopeExit.h"
#include <optional>

using namespace llvm;
using namespace inflight;
using namespace inflight::capi;

namespace {

/// What kernels may write, as it is now: each try begins with it, and the caller finds it so afterwards.
class KeptMemory {
public:
  explicit KeptMemory(ifl_context &context) : memory(context.memory) {
    if (machine::DeviceHeap *heap = memory.heapInUse())
      heapBlocks = heap->blocks();
    for (const machine::Allocation &range : context.memory.registeredRanges())
      keep(range.begin, range.end - range.begin);
    for (const auto &[module, owned] : context.modules)
      keep(module->image, module->imageBytes);
  }
  void restore() const {
    // A page that nothing was written to stays as it is: it may be shared, or not there yet.
    for (const auto &[begin, bytes] : kept)
      if (std::memcmp(machine::hostMemory(begin), bytes.data(), bytes.size()) != 0)
        std::memcpy(machine::hostMemory(begin), bytes.data(), bytes.size());
    if (heapBlocks)
      memory.heapInUse()->restore(*heapBlocks);
    else
      memory.forgetOwnHeap();
  }

private:
  void keep(uint64_t begin, uint64_t bytes) {
    const uint8_t *const from = machine::hostMemory(begin);
    kept.emplace_back(begin, std::vector<uint8_t>(from, from + bytes));
  }
  machine::Memory &memory;
  std::vector<std::pair<uint64_t, std::vector<uint8_t>>> kept;
  std::optional<machine::DeviceHeap::Blocks> heapBlocks; ///< none: there was no heap
};

} // namespace

static advise::Request requestOf(const Call &call, uint32_t waits, const KeptMemory &kept) {
  advise::Request request;
  request.bytes = call.module.bytes;
  request.name = "the module";
  request.object = &call.module.object;
  request.kernel = call.kernel;
  request.timed = call.timedOptions();
  request.timed.lines = call.module.lines;
  request.waits = waits;
  request.launch = [&call, &kept](const CodeObject &object, const Kernel &kernel,
                                  const machine::timed::TimedOptions &options) {
    machine::Memory &memory = call.module.context->memory;
    const machine::Memory::Mark mark = memory.mark();
    const auto giveBack = make_scope_exit([&] {
      memory.release(mark);
      kept.restore();
    });
    machine::LaunchConfig config = call.config;
    if (&object != &call.module.object) {
      // Its image is placed for the launch.
      config.image = std::nullopt;
      config.decoded = nullptr;
    }
    return machine::timed::runTimed(object, kernel, config, options, call.segment, memory);
  };
  return request;
}

ifl_status ifl_advise(ifl_module *module, const char *kernel, const ifl_launch *launch, uint32_t waits, char **json,
                      void **output, size_t *outputBytes) {
  if (!module || !kernel || !launch)
    return fail(IFL_INVALID, "ifl_advise: no module, no kernel's name or no launch");
  if (output)
    *output = nullptr;
  Call call(*module, *launch);
  call.launch.timed = 1;
  if (call.launch.html)
    return fail(IFL_INVALID, "ifl_advise: a page is for one launch: ifl_launch_kernel makes it");
  if (ifl_status status = call.prepare(kernel))
    return status;
  const KeptMemory kept(*module->context);
  Expected<advise::Advisory> advisory = advise::advise(requestOf(call, waits, kept));
  if (!advisory)
    return call.failed(advisory.takeError());
  // A try that was interrupted counts as one that can't be made.
  if (call.config.interrupt && call.config.interrupt->isSet())
    return fail(IFL_INTERRUPTED, "kernel '" + call.kernel->name + "': the advice was interrupted");
  if (advisory->relaxed)
    if (ifl_status status = hand(output, outputBytes, *advisory->relaxed))
      return status;
  return hand(json, advise::object(*advisory));
}
