#include "machine/wave/Handlers.h"

#include <cstdlib>

namespace inflight::machine {

#define DECLARE(level)                   \
  namespace level {                      \
  void registerAll(HandlerTable &table); \
  }
DECLARE(generic)
#ifdef INFLIGHT_HAS_v3
DECLARE(v3)
#endif
#ifdef INFLIGHT_HAS_v4
DECLARE(v4)
#endif

const HandlerTable &handlerTable() {
  static const HandlerTable table = [] {
    HandlerTable built;
    // INFLIGHT_SIMD=v3 or generic asks for less than the host has: results must be the same.
    const char *asked = std::getenv("INFLIGHT_SIMD");
    [[maybe_unused]] const llvm::StringRef most = asked ? asked : "v4";
#ifdef INFLIGHT_HAS_v4
    if (most == "v4" && __builtin_cpu_supports("x86-64-v4")) {
      v4::registerAll(built);
      return built;
    }
#endif
#ifdef INFLIGHT_HAS_v3
    if (most != "generic" && __builtin_cpu_supports("x86-64-v3")) {
      v3::registerAll(built);
      return built;
    }
#endif
    generic::registerAll(built);
    return built;
  }();
  return table;
}

const char *refusedReason(llvm::StringRef mnemonic) {
  if (mnemonic.starts_with("image_"))
    return "graphics: images and samplers";
  auto entry = handlerTable().find(mnemonic);
  return entry == handlerTable().end() ? nullptr : entry->second.refused;
}

void refusedInstruction(Wave &wave, const Op &op) {
  wave.fault(op,
             std::string("not an instruction that the machine executes (") + static_cast<const char *>(op.extra) + ")");
}

void illegalInstruction(Wave &wave, const Op &op) { wave.fault(op, "not an instruction that the machine executes"); }

} // namespace inflight::machine
