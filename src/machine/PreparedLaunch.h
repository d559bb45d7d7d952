// A launch before it runs: checked, decoded, in memory; and how its workgroups begin.
#pragma once

#include "machine/Dispatch.h"
#include "machine/WorkgroupRun.h"
#include "machine/wave/Code.h"
#include "machine/wave/RegisterLimits.h"

namespace inflight::machine {

/// What about a launch is impossible, whatever the kernel's code does.
llvm::Error checkLaunch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config);

/// Immutable once made; workgroups may begin on several host threads. What it was made from must outlive it.
class PreparedLaunch {
public:
  /// Decodes the code and prepares memory. Errors name the kernel and what about the launch is impossible.
  static llvm::Expected<PreparedLaunch> make(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                                             llvm::ArrayRef<uint8_t> kernarg, Memory &memory);

  uint32_t workgroups() const { return config->workgroups(); }
  /// Where waves begin: behind what preloads SGPRs for firmware that doesn't.
  uint64_t entryAddress() const;
  /// Workgroup `number` of the grid, its waves at the kernel's entry.
  void begin(WorkgroupRun &run, uint32_t number) const;
  /// Of a workgroup with a wave that faulted: kernel, address, instruction, workgroup.
  llvm::Error faultError(const WorkgroupRun &run) const;
  /// Where the waves of a workgroup are that hasn't ended after `seconds`.
  std::string slowProgress(const WorkgroupRun &run, unsigned seconds) const;

  const CodeObject *object;
  const Kernel *kernel;
  const LaunchConfig *config;
  Memory *memory;
  std::shared_ptr<const Code> keptCode; ///< `code` is this
  const Code &code;
  Dispatch dispatch;
  const TargetInfo *target;
  RegisterLimits limits;

private:
  void start(Wave &wave, Workgroup &group, unsigned number, unsigned waves) const;
  void setScalars(Wave &wave, const Workgroup &group, unsigned number, unsigned waves) const;
  void setIds(Wave &wave, const Workgroup &group, unsigned number) const;
  std::string whereWavesAre(const WorkgroupRun &run) const;
};

} // namespace inflight::machine
