// Runs variants of probes on a device and reads their clocks.
#pragma once

#include "device/Device.h"
#include "isa/chip/TargetInfo.h"
#include "probes/Template.h"
#include <unordered_map>

namespace inflight::probes {

/// A variant and what it runs on.
struct Work {
  Variant variant;
  uint64_t dataBytes = 1 << 16;
  std::vector<uint32_t> data; ///< what the data begin with; the rest is zero
  unsigned workgroups = 1;

  Work with(const std::string &name, uint64_t value) const { return with(name, std::to_string(value)); }
  Work with(const std::string &name, const std::string &value) const {
    Work other = *this;
    other.variant.values[name] = value;
    return other;
  }
};

struct Sample {
  uint64_t begin = 0, end = 0, extra[2] = {};
};

/// What a launch wrote: of each wave of each workgroup its samples, in the order taken.
struct Samples {
  unsigned waves = 0; ///< of a workgroup
  std::vector<Sample> all;
  const Sample &at(unsigned workgroup, unsigned wave, unsigned sample) const LLVM_LIFETIME_BOUND {
    return all[(size_t(workgroup) * waves + wave) * samplesPerWave + sample];
  }
  /// Cycles from the first wave's begin to the last one's end, in workgroup 0.
  double span(unsigned sample) const;
};

/// Code objects that are assembled once for all devices.
class CodeCache {
public:
  llvm::Expected<llvm::StringRef> get(const Variant &variant, llvm::StringRef chip);
  /// A directory that gets the assembly of each kernel; empty: none.
  std::string assemblyDirectory;

private:
  std::unordered_map<std::string, std::string> made; ///< by the text of the assembly
};

/// The first error stays: after it nothing runs and measurements are 0. So probes can be written as if nothing failed.
class Bench {
public:
  Bench(device::Device &device, CodeCache &code) : device(device), code(code) {}

  llvm::StringRef chip() const { return device.chip(); }
  const TargetInfo &target() const { return *llvm::cantFail(TargetInfo::get(chip())); }
  const device::Device &on() const { return device; }
  Samples run(const Work &work);
  /// Cycles from the first wave's begin to the last one's end, the best sample but for the first.
  double cycles(const Work &work);
  /// Cycles that one more of @COUNT@ takes, from runs with these two counts.
  double each(const Work &work, unsigned few = 16, unsigned many = 48);
  void fail(llvm::Error error);
  bool failed() const { return !message.empty(); }
  llvm::Error takeError();
  unsigned launches() const { return launched; }

private:
  llvm::Expected<Samples> tryRun(const Work &work);
  device::Device &device;
  CodeCache &code;
  std::string message;
  unsigned launched = 0;
};

} // namespace inflight::probes
