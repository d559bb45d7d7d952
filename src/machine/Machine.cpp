#include "machine/Machine.h"

#include "machine/Code.h"
#include "support/Diagnostics.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <thread>

using namespace llvm;

namespace inflight::machine {

namespace {

/// CPU time of this thread.
double threadSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

class Launch {
public:
  Launch(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config, Memory &memory, Code code,
         uint64_t imageAddress, uint64_t kernargAddress, uint64_t packetAddress, const TargetInfo &target)
      : object(object), kernel(kernel), config(config), memory(memory), code(std::move(code)),
        imageAddress(imageAddress), kernargAddress(kernargAddress), packetAddress(packetAddress), target(target) {}

  Error go(RunStats &stats);

private:
  Error runWorkgroup(uint32_t number, std::vector<uint32_t> &registers, std::vector<uint8_t> &scratch, RunStats &stats);
  void start(Wave &wave, Workgroup &group, unsigned number, unsigned lanes);
  void execute(Wave &wave, uint64_t budget);
  Error faultError(const Workgroup &group, const Wave &wave);

  const CodeObject &object;
  const Kernel &kernel;
  const LaunchConfig &config;
  Memory &memory;
  Code code;
  uint64_t imageAddress, kernargAddress, packetAddress;
  const TargetInfo &target;
};

void Launch::start(Wave &wave, Workgroup &group, unsigned number, unsigned lanes) {
  const KernelDescriptor &d = kernel.descriptor;
  std::memset(wave.s, 0, sizeof wave.s);
  wave.group = &group;
  wave.memory = &memory;
  wave.number = number;
  wave.codeBegin = code.begin();
  wave.codeEnd = code.end() - 1;
  wave.codeAddress = imageAddress + object.textAddress();
  wave.pc = code.at(kernel.entryAddress);
  wave.mode = d.floatMode();
  // User SGPRs in the ABI's order (AMDGPUUsage, "Initial Kernel Execution State").
  unsigned next = 0;
  auto push64 = [&](uint64_t value) {
    wave.setS64(next, value);
    next += 2;
  };
  if (d.enablesPrivateSegmentBuffer()) {
    push64(reinterpret_cast<uint64_t>(wave.scratch));
    push64(~uint64_t(0));
  }
  if (d.enablesDispatchPtr()) push64(packetAddress);
  if (d.enablesQueuePtr()) push64(0);
  if (d.enablesKernargSegmentPtr()) push64(kernargAddress);
  if (d.enablesDispatchId()) push64(0);
  if (d.enablesFlatScratchInit()) push64(0);
  if (d.enablesPrivateSegmentSize()) wave.s[next++] = d.privateSegmentFixedSize;
  for (unsigned i = 0; i < d.preloadLength() && next < 100; ++i)
    if (memory.contains(kernargAddress + 4 * (d.preloadOffset() + i), 4))
      std::memcpy(&wave.s[next++], memory.pointer(kernargAddress + 4 * (d.preloadOffset() + i)), 4);
  next = std::max(next, d.userSgprCount());
  for (unsigned dim = 0; dim < 3; ++dim)
    if (d.enablesWorkgroupId(dim))
      wave.s[next++] = group.id[dim];
  if (d.enablesWorkgroupInfo()) wave.s[next++] = 0;
  if (d.enablesPrivateSegment()) wave.s[next++] = 0;
  unsigned first = number * Lanes;
  unsigned active = std::min<unsigned>(Lanes, lanes - first);
  wave.setExec(active == Lanes ? ~uint64_t(0) : (uint64_t(1) << active) - 1);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned flat = first + lane, x = flat % config.block[0], y = flat / config.block[0] % config.block[1],
             z = flat / config.block[0] / config.block[1];
    // Packed ids: ten bits each; those not asked for are zero.
    wave.vgpr(0)[lane] = x | (d.workitemIdDims() > 1 ? y << 10 : 0) | (d.workitemIdDims() > 2 ? z << 20 : 0);
  }
}

void Launch::execute(Wave &wave, uint64_t budget) {
  static thread_local uint64_t epoch = 0;
  static constexpr auto writesVectors = [] {
    std::array<bool, unsigned(InstrClass::Count)> writes;
    writes.fill(true);
    for (InstrClass c : {InstrClass::Salu, InstrClass::Matrix, InstrClass::Smem, InstrClass::Wait, InstrClass::Branch, InstrClass::Barrier})
      writes[unsigned(c)] = false;
    return writes;
  }();
  wave.vectorEpoch = epoch + 1;
  while (wave.status == Status::Running) {
    // A counter check every so often keeps endless loops out of the inner loop.
    constexpr unsigned quantum = 4096;
    for (unsigned i = 0; i < quantum && wave.status == Status::Running; ++i) {
      const Op &op = *wave.pc;
      wave.pc = &op + op.slots;
      ++wave.executed[op.instrClass];
      wave.vectorEpoch += writesVectors[op.instrClass];
      op.handler(wave, op);
    }
    if (budget < quantum) {
      wave.fault(*(wave.pc), "the wave does not end: step limit reached");
      break;
    }
    budget -= quantum;
  }
  epoch = wave.vectorEpoch;
}

Error Launch::faultError(const Workgroup &group, const Wave &wave) {
  std::string text = "?";
  uint64_t address = 0;
  if (group.faultOp) {
    text = code.text(object, group.faultOp);
    address = code.addressOf(group.faultOp);
  }
  return makeError(formatv("kernel '{0}': {1}\n  at 0x{2:x-}: {3}\n  workgroup ({4}, {5}, {6}), wave {7}", kernel.name,
                           group.fault, address, text, group.id[0], group.id[1], group.id[2], wave.number).str());
}

Error Launch::runWorkgroup(uint32_t number, std::vector<uint32_t> &registers, std::vector<uint8_t> &scratch, RunStats &stats) {
  Workgroup group;
  group.id[0] = number % config.grid[0];
  group.id[1] = number / config.grid[0] % config.grid[1];
  group.id[2] = number / config.grid[0] / config.grid[1];
  group.lds.resize(alignTo(kernel.descriptor.groupSegmentFixedSize + config.dynamicLdsBytes, target.ldsGranule));
  unsigned lanes = config.block[0] * config.block[1] * config.block[2];
  unsigned waveCount = divideCeil(lanes, Lanes);
  constexpr unsigned perWave = (hiddenRegister + hiddenRegisters) * Lanes;
  registers.resize(size_t(perWave) * waveCount);
  const uint32_t scratchBytes = kernel.descriptor.privateSegmentFixedSize;
  scratch.resize(size_t(scratchBytes) * Lanes * waveCount + 1);
  std::vector<Wave> waves(waveCount);
  for (unsigned i = 0; i < waveCount; ++i) {
    waves[i].v = registers.data() + size_t(perWave) * i;
    waves[i].scratch = scratch.data() + size_t(scratchBytes) * Lanes * i;
    waves[i].scratchBytes = scratchBytes;
    start(waves[i], group, i, lanes);
  }
  while (true) {
    unsigned ended = 0, waiting = 0;
    for (Wave &wave : waves) {
      if (wave.status == Status::Running)
        execute(wave, config.maxInstructions);
      if (wave.status == Status::Faulted)
        return faultError(group, wave);
      ended += wave.status == Status::Ended;
      waiting += wave.status == Status::AtBarrier;
    }
    if (ended == waveCount)
      break;
    // A wave that has ended no longer counts at barriers.
    if (ended + waiting == waveCount)
      for (Wave &wave : waves)
        if (wave.status == Status::AtBarrier)
          wave.status = Status::Running;
  }
  stats.waves += waveCount;
  for (const Wave &wave : waves)
    for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
      stats.byClass[c] += wave.executed[c];
  return Error::success();
}

Error Launch::go(RunStats &stats) {
  const uint32_t count = config.grid[0] * config.grid[1] * config.grid[2];
  std::atomic<uint32_t> nextGroup{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  Error failure = Error::success();
  auto work = [&] {
    const double begin = threadSeconds();
    std::vector<uint32_t> registers;
    std::vector<uint8_t> scratch;
    RunStats mine;
    while (!stop) {
      uint32_t number = nextGroup++;
      if (number >= count)
        break;
      if (Error error = runWorkgroup(number, registers, scratch, mine)) {
        std::lock_guard<std::mutex> lock(mutex);
        if (!stop)
          failure = joinErrors(std::move(failure), std::move(error));
        else
          consumeError(std::move(error));
        stop = true;
      }
    }
    std::lock_guard<std::mutex> lock(mutex);
    stats.waves += mine.waves;
    stats.cpuSeconds += threadSeconds() - begin;
    for (unsigned c = 0; c < unsigned(InstrClass::Count); ++c)
      stats.byClass[c] += mine.byClass[c];
  };
  unsigned threads = std::max(1u, std::min(config.threads, count));
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(work);
  work();
  for (std::thread &thread : pool)
    thread.join();
  return failure;
}

} // namespace

/// Puts the code object's segments into device memory, where kernels read their constants.
static Expected<uint64_t> loadImage(const CodeObject &object, Memory &memory) {
  ArrayRef<uint8_t> image = object.image();
  Expected<uint64_t> address = memory.allocate(image.size());
  if (!address)
    return address.takeError();
  uint8_t *bytes = memory.pointer(*address);
  std::copy(image.begin(), image.end(), bytes);
  for (uint64_t place : object.relativeRelocations())
    support::endian::write64le(bytes + place, support::endian::read64le(bytes + place) + *address);
  return address;
}

Expected<RunStats> run(const CodeObject &object, const Kernel &kernel, const LaunchConfig &config,
                       ArrayRef<uint8_t> kernarg, Memory &memory) {
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
    return makeError("kernel '" + kernel.name + "': a block of " + Twine(lanes) + " lanes; it was compiled for at most " + Twine(maximum));
  if (groups > 0xffffffffu)
    return makeError("kernel '" + kernel.name + "': more than 2^32 workgroups");
  for (unsigned i = 0; i < 3; ++i)
    if (kernel.requiredWorkgroupSize[i] && kernel.requiredWorkgroupSize[i] != config.block[i])
      return makeError("kernel '" + kernel.name + "': it requires a block of " + Twine(kernel.requiredWorkgroupSize[0]) + "," +
                       Twine(kernel.requiredWorkgroupSize[1]) + "," + Twine(kernel.requiredWorkgroupSize[2]));
  if (uint64_t(kernel.descriptor.groupSegmentFixedSize) + config.dynamicLdsBytes > (*target)->ldsBytes)
    return makeError("kernel '" + kernel.name + "': more LDS than the chip's " + Twine((*target)->ldsBytes) + " bytes");
  if (kernel.descriptor.privateSegmentFixedSize > (1u << 20))
    return makeError("kernel '" + kernel.name + "': an implausible scratch size of " + Twine(kernel.descriptor.privateSegmentFixedSize) + " bytes a lane");
  Expected<Code> code = Code::decode(object);
  if (!code)
    return code.takeError();
  Expected<uint64_t> imageAddress = loadImage(object, memory);
  if (!imageAddress)
    return imageAddress.takeError();
  Expected<uint64_t> kernargAddress = memory.allocate(std::max<uint64_t>(kernarg.size(), 64));
  if (!kernargAddress)
    return kernargAddress.takeError();
  std::copy(kernarg.begin(), kernarg.end(), memory.pointer(*kernargAddress));
  // The dispatch packet (HSA runtime specification, AQL kernel dispatch).
  Expected<uint64_t> packetAddress = memory.allocate(64);
  if (!packetAddress)
    return packetAddress.takeError();
  uint8_t *packet = memory.pointer(*packetAddress);
  for (unsigned i = 0; i < 3; ++i) {
    support::endian::write16le(packet + 4 + 2 * i, config.block[i]);
    support::endian::write32le(packet + 12 + 4 * i, config.grid[i] * config.block[i]);
  }
  support::endian::write64le(packet + 40, *kernargAddress);
  RunStats stats;
  auto begin = std::chrono::steady_clock::now();
  Launch launch(object, kernel, config, memory, std::move(*code), *imageAddress, *kernargAddress, *packetAddress, **target);
  if (Error error = launch.go(stats))
    return std::move(error);
  stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return stats;
}

} // namespace inflight::machine
