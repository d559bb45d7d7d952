// Tables that are read once for each chip.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace inflight {

/// The chip's T, which is never destroyed: when a program ends, its other threads may go on running kernels. `load`
/// fills it in when it is first asked for. May be called from several threads.
template <typename T>
llvm::Expected<const T *> byChip(llvm::StringRef chip, llvm::function_ref<llvm::Error(T &)> load) {
  static auto &mutex = *new std::mutex;
  static auto &tables = *new std::map<std::string, std::unique_ptr<T>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<T> &slot = tables[chip.str()];
  if (slot)
    return slot.get();
  auto table = std::make_unique<T>();
  if (llvm::Error error = load(*table))
    return std::move(error);
  slot = std::move(table);
  return slot.get();
}

} // namespace inflight
