// Where kernels run: memory of its own, code objects, launches. The machine model is one, a GPU through libamdhip64.so
// another.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace inflight::device {

/// A code object that a device has loaded; gone with it. Must not outlive the device.
class Module {
public:
  virtual ~Module() = default;
};

struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1};   ///< workgroups
  std::array<uint32_t, 3> block = {64, 1, 1}; ///< lanes per workgroup
  uint32_t dynamicLdsBytes = 0;
};

class Device {
public:
  virtual ~Device() = default;
  virtual llvm::StringRef chip() const LLVM_LIFETIME_BOUND = 0; ///< "gfx942"
  virtual std::string name() const = 0;                         ///< for people
  virtual unsigned computeUnits() const = 0;
  /// Whether clocks that a kernel reads tell cycles in this workgroup of a launch: a model may give time to some
  /// workgroups only.
  virtual bool hasTime(uint32_t workgroup, uint32_t workgroups) const { return true; }

  /// Zero-filled.
  virtual llvm::Expected<uint64_t> allocate(uint64_t bytes) = 0;
  virtual llvm::Error release(uint64_t address) = 0;
  virtual llvm::Error copyTo(uint64_t address, llvm::ArrayRef<uint8_t> bytes) = 0;
  virtual llvm::Error copyFrom(uint64_t address, llvm::MutableArrayRef<uint8_t> bytes) = 0;
  virtual llvm::Expected<std::unique_ptr<Module>> load(llvm::StringRef codeObject) = 0;
  /// May return before the kernel has ended; `kernarg` is copied.
  virtual llvm::Error launch(const Module &module, llvm::StringRef kernel, const Launch &launch,
                             llvm::ArrayRef<uint8_t> kernarg) = 0;
  virtual llvm::Error synchronise() = 0;
};

} // namespace inflight::device
