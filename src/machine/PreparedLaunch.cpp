#include "machine/PreparedLaunch.h"

#include "machine/DecodedKernels.h"
#include "machine/FaultRegisters.h"
#include "machine/memory/Apertures.h"
#include "machine/wave/KernelFault.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace inflight::machine {

char KernelFault::ID = 0;
void KernelFault::log(raw_ostream &os) const { os << message; }

/// Code for firmware that doesn't preload kernel arguments (AMDGPUUsage, "Preloaded Kernel Arguments").
constexpr unsigned preloadPrologueBytes = 256;
/// Scalar operand numbers.
constexpr unsigned ttmp7 = 115, ttmp9 = 117;

uint64_t PreparedLaunch::entryAddress() const {
  return kernel->entryAddress + (kernel->descriptor.preloadLength() ? preloadPrologueBytes : 0);
}

void PreparedLaunch::start(Wave &wave, Workgroup &group, unsigned number, unsigned waves) const {
  wave.memory = memory;
  wave.codeBegin = wave.plainCode = code.begin();
  wave.indexedCode = code.indexedCode();
  wave.sgprs = limits.sgprs;
  wave.vgprs = limits.vgprs;
  wave.codeEnd = code.end() - 1;
  wave.codeAddress = dispatch.image + object->textAddress();
  wave.pc = code.at(entryAddress());
  wave.mode = kernel->descriptor.mode();
  setScalars(wave, group, number, waves);
  setIds(wave, group, number);
}

/// In the ABI's order (AMDGPUUsage, "Initial Kernel Execution State").
void PreparedLaunch::setScalars(Wave &wave, const Workgroup &group, unsigned number, unsigned waves) const {
  const KernelDescriptor &d = kernel->descriptor;
  unsigned next = 0;
  auto push64 = [&](uint64_t value) {
    wave.setS64(next, value);
    next += 2;
  };
  if (d.enablesPrivateSegmentBuffer()) {
    // A buffer of stride 0, swizzled: 64 lanes of 4 bytes side by side, the lane being the index.
    constexpr uint64_t swizzle = uint64_t(1) << 63, indexStride64 = 3 << 21, addLane = 1 << 23;
    push64(scratchWindow | swizzle);
    push64(0xffffffff | (indexStride64 | addLane) << 32);
  }
  if (d.enablesDispatchPtr())
    push64(dispatch.packet);
  if (d.enablesQueuePtr())
    push64(dispatch.queue);
  if (d.enablesKernargSegmentPtr())
    push64(dispatch.kernarg);
  if (d.enablesDispatchId())
    push64(0);
  if (d.enablesFlatScratchInit())
    push64(scratchWindow);
  if (d.enablesPrivateSegmentSize())
    wave.s[next++] = wave.scratchBytes;
  uint64_t preloaded = dispatch.kernarg + 4 * uint64_t(d.preloadOffset());
  for (unsigned i = 0; i < d.preloadLength() && next < 100; ++i, preloaded += 4)
    if (memory->contains(preloaded, 4))
      std::memcpy(&wave.s[next++], memory->pointer(preloaded), 4);
  next = std::max(next, d.userSgprCount());
  for (unsigned dim = 0; dim < 3; ++dim)
    if (d.enablesWorkgroupId(dim))
      wave.s[next++] = group.id[dim];
  if (d.enablesWorkgroupInfo())
    wave.s[next++] = uint32_t(number == 0) << 31 | waves;
  if (d.enablesPrivateSegment())
    wave.s[next++] = 0; // each wave believes to be the first in scratch
  wave.definedScalars = next;
  wave.flatScratchInSgprs = !target->hasArchitectedFlatScratch;
  if (!wave.flatScratchInSgprs) {
    // Trap temporaries 9 and 7 are where code for architected workgroup ids (an LLVM feature) looks for them. It takes
    // all of 7 for Y where Z isn't asked for.
    wave.s[ttmp9] = group.id[0];
    wave.s[ttmp7] = (group.id[1] & 0xffff) | (d.enablesWorkgroupId(2) ? group.id[2] << 16 : 0);
  }
}

/// EXEC and the work-item ids.
void PreparedLaunch::setIds(Wave &wave, const Workgroup &group, unsigned number) const {
  const KernelDescriptor &d = kernel->descriptor;
  unsigned first = number * Lanes;
  unsigned active = std::min<unsigned>(Lanes, group.size[0] * group.size[1] * group.size[2] - first);
  wave.setExec(active == Lanes ? ~uint64_t(0) : (uint64_t(1) << active) - 1);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned flat = first + lane, x = flat % group.size[0], y = flat / group.size[0] % group.size[1],
             z = flat / group.size[0] / group.size[1];
    // Packed ids: ten bits each; those not asked for are zero.
    wave.vgpr(0)[lane] = x | (d.workitemIdDims() > 1 ? y << 10 : 0) | (d.workitemIdDims() > 2 ? z << 20 : 0);
  }
}

/// Where each wave of the workgroup is, those in one place on one line.
std::string PreparedLaunch::whereWavesAre(const WorkgroupRun &run) const {
  std::map<std::tuple<const Op *, Status, bool>, std::string> places;
  for (const Wave &wave : run.waves) {
    const bool goesOn = wave.status == Status::Running || wave.status == Status::Faulted;
    std::string &waves =
        places[{goesOn ? wave.pc : wave.pc - 1, wave.status, goesOn && run.watched[wave.number].isActive}];
    waves += (waves.empty() ? "" : ", ") + std::to_string(wave.number);
  }
  std::string text;
  for (const auto &[place, waves] : places) {
    const auto &[op, status, rests] = place;
    const char *does = status == Status::AtBarrier ? "waiting for the others"
                       : status == Status::Ended   ? "ended"
                       : rests                     ? "waiting for memory to change"
                                                   : "running";
    text += formatv("\n  wave {0} {1} at 0x{2:x-}: {3}", waves, does, code.addressOf(op), code.text(op)).str();
  }
  return text;
}

Error PreparedLaunch::faultError(const WorkgroupRun &run) const {
  const Workgroup &group = run.group;
  const Wave &wave = *run.faulted;
  std::string text = "?";
  uint64_t address = 0;
  if (group.faultOp) {
    text = code.text(group.faultOp);
    address = code.addressOf(group.faultOp);
  }
  const std::string where =
      formatv("kernel '{0}': {1}\n  at 0x{2:x-}: {3}\n  workgroup ({4}, {5}, {6}), wave {7}", kernel->name, group.fault,
              address, text, group.id[0], group.id[1], group.id[2], wave.number);
  return make_error<KernelFault>(
      group.faultKind, where + (group.faultKind == Fault::Endless ? whereWavesAre(run) : registersAtFault(code, wave)));
}

std::string PreparedLaunch::slowProgress(const WorkgroupRun &run, unsigned seconds) const {
  uint64_t most = 0;
  for (const Wave &wave : run.waves)
    most = std::max(most, wave.instructions());
  const Workgroup &group = run.group;
  return formatv("kernel '{0}': no workgroup has ended for {1} s. Workgroup ({2}, {3}, {4}), up to {5} instructions a "
                 "wave:",
                 kernel->name, seconds, group.id[0], group.id[1], group.id[2], most)
             .str() +
         whereWavesAre(run);
}

void PreparedLaunch::begin(WorkgroupRun &run, uint32_t number) const {
  const uint32_t id[3] = {number % config->grid[0], number / config->grid[0] % config->grid[1],
                          number / config->grid[0] / config->grid[1]};
  uint32_t size[3];
  for (unsigned dim = 0; dim < 3; ++dim)
    size[dim] = std::min(config->block[dim], config->lanes(dim) - id[dim] * config->block[dim]);
  const uint64_t stated = uint64_t(kernel->descriptor.groupSegmentFixedSize) + config->dynamicLdsBytes,
                 allocated = alignTo(stated, target->ldsGranule);
  // What the granule adds is there, but no program may rely on it.
  run.reset(id, divideCeil(size[0] * size[1] * size[2], Lanes),
            config->checks.has(check::Kind::Memory) ? stated : allocated, scratchBytes(*kernel, *config));
  std::copy_n(size, 3, run.group.size);
  run.group.waves = run.waves.size();
  run.group.gprAllocation = limits.hardwareRegister();
  run.group.ldsAllocation = uint32_t(allocated / target->ldsGranule) << 12;
  run.group.dmaOffsetMask = uint32_t(NextPowerOf2(target->ldsBytes - 1) - 1);
  for (Wave &wave : run.waves)
    start(wave, run.group, wave.number, run.waves.size());
}

Error checkLaunch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config) {
  if (Error error = requireExecuted(object.chip()))
    return error;
  Expected<const TargetInfo *> target = TargetInfo::get(object.chip());
  if (!target)
    return target.takeError();
  uint64_t lanes = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  uint64_t groups = uint64_t(config.grid[0]) * config.grid[1] * config.grid[2];
  if (!lanes || !groups)
    return makeError("kernel '" + kernel.name + "': grid and block must not be zero");
  unsigned maximum = (*target)->maxWorkgroupSize;
  if (kernel.maxFlatWorkgroupSize)
    maximum = std::min(maximum, kernel.maxFlatWorkgroupSize);
  if (lanes > maximum)
    return makeError("kernel '" + kernel.name + "': a block of " + Twine(lanes) +
                     " lanes; it was compiled for at most " + Twine(maximum));
  if (groups > 0xffffffffu)
    return makeError("kernel '" + kernel.name + "': more than 2^32 workgroups");
  for (unsigned i = 0; i < 3; ++i)
    if (kernel.requiredWorkgroupSize[i] && kernel.requiredWorkgroupSize[i] != config.block[i])
      return makeError("kernel '" + kernel.name + "': it requires a block of " +
                       Twine(kernel.requiredWorkgroupSize[0]) + "," + Twine(kernel.requiredWorkgroupSize[1]) + "," +
                       Twine(kernel.requiredWorkgroupSize[2]));
  if (uint64_t(kernel.descriptor.groupSegmentFixedSize) + config.dynamicLdsBytes > (*target)->ldsBytes)
    return makeError("kernel '" + kernel.name + "': more LDS than the chip's " + Twine((*target)->ldsBytes) + " bytes");
  if (uint64_t(scratchBytes(kernel, config)) * Lanes > (*target)->waveScratchBytes)
    return makeError("kernel '" + kernel.name + "': " + Twine(scratchBytes(kernel, config)) +
                     " bytes of scratch a lane; the chip has at most " + Twine((*target)->waveScratchBytes / Lanes));
  for (unsigned i = 0; i < 3; ++i)
    if (config.global[i] && divideCeil(config.global[i], config.block[i]) != config.grid[i])
      return makeError("kernel '" + kernel.name + "': " + Twine(config.global[i]) + " lanes are not " +
                       Twine(config.grid[i]) + " workgroups of " + Twine(config.block[i]));
  if (kernel.descriptor.preloadLength() &&
      kernel.entryAddress + preloadPrologueBytes >= object.textAddress() + object.textSize())
    return makeError("kernel '" + kernel.name + "': it preloads arguments but has no code after the " +
                     Twine(preloadPrologueBytes) + " bytes that firmware with preloading skips");
  return Error::success();
}

Expected<PreparedLaunch> PreparedLaunch::make(const CodeObject &object, const Kernel &kernel,
                                              const LaunchConfig &config, ArrayRef<uint8_t> kernarg, Memory &memory) {
  if (Error error = checkLaunch(object, kernel, config))
    return std::move(error);
  Expected<const TargetInfo *> target = TargetInfo::get(object.chip());
  if (!target)
    return target.takeError();
  DecodedKernels ofThisLaunch;
  Expected<std::shared_ptr<const Code>> decoded =
      (config.decoded ? config.decoded : &ofThisLaunch)->get(object, kernel);
  if (!decoded)
    return decoded.takeError();
  const Code &code = **decoded;
  if (config.onWarning && !kernel.descriptor.groupSegmentFixedSize && !config.dynamicLdsBytes &&
      code.accessesLds(kernel.entryAddress, kernel.codeSize))
    config.onWarning("kernel '" + kernel.name +
                     "': it accesses LDS but states none, and --lds isn't given: reads give zero and writes are lost "
                     "(a Triton kernel wants --lds with its metadata's 'shared')");
  Expected<Dispatch> dispatch = prepareDispatch(object, kernel, config, kernarg, memory);
  if (!dispatch)
    return dispatch.takeError();
  const RegisterLimits limits = code.limits();
  return PreparedLaunch{&object, &kernel, &config, &memory, *decoded, code, std::move(*dispatch), *target, limits};
}

} // namespace inflight::machine
