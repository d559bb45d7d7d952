// What the handles of include/inflight/inflight.h stand for, and how errors of the libraries become statuses.
#pragma once

#include "inflight/inflight.h"
#include "machine/DecodedKernels.h"
#include "machine/memory/DeviceHeap.h"
#include "machine/memory/Memory.h"
#include "object/CodeObject.h"
#include "object/SourceLines.h"
#include "program/read/LoadCodeObject.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>

struct ifl_module {
  ifl_context *context;
  std::string bytes; ///< of the code object
  inflight::CodeObject object;
  std::shared_ptr<const inflight::SourceLines> lines;
  uint64_t image = 0, imageBytes = 0; ///< in the context's memory
  inflight::machine::DecodedKernels decoded = {};
};

struct ifl_heap {
  ifl_context *context;
  std::unique_ptr<inflight::machine::DeviceHeap> heap;
};

struct ifl_context {
  std::mutex mutex; ///< of all below, and of launches
  inflight::machine::Memory memory;
  std::map<const void *, std::unique_ptr<uint8_t[]>> owned; ///< ifl_memory_allocate
  std::map<ifl_module *, std::unique_ptr<ifl_module>> modules;
  std::map<ifl_heap *, std::unique_ptr<ifl_heap>> heaps;
};

namespace inflight::capi {

/// Remembers the message for ifl_last_error().
ifl_status fail(ifl_status status, const llvm::Twine &message);
ifl_status fail(ifl_status status, llvm::Error error);

/// A copy that ifl_free() takes, with a zero after it. Null if memory has run out.
void *copied(llvm::StringRef bytes);
/// `json`, if the caller wants it.
ifl_status hand(char **json, const llvm::json::Value &value);
/// Likewise bytes.
ifl_status hand(void **output, size_t *bytes, llvm::StringRef contents);

/// Which of a fat binary's code objects a device with the chip takes: as HIP's devices are without HSA_XNACK.
inline CodeObjectChoice choiceOf(llvm::StringRef chip) {
  CodeObjectChoice choice;
  choice.chip = chip.str();
  choice.features = ":sramecc+:xnack-";
  return choice;
}

inline llvm::StringRef textOf(const char *text) { return text ? llvm::StringRef(text) : llvm::StringRef(); }

} // namespace inflight::capi
