#include "lint/KernelFigures.h"

#include "object/FatBinary.h"
#include "program/read/LoadCodeObject.h"
#include "waits/WaitReport.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lint {

// A spill or another drain in the code outweighs some more registers, which may cost nothing.
static constexpr Figure known[] = {
    {"vgpr_spills", "VGPR spills", false, 50},
    {"sgpr_spills", "SGPR spills", false, 20},
    {"scratch_bytes", "scratch bytes per lane", false, 50},
    {"loop_cycles", "cycles of loops' iterations", false, 100},
    {"drains", "waits for vmcnt(0)", false, 30},
    {"waves_per_simd", "waves per SIMD", true, 20},
    {"waits", "waits", false, 5},
    {"vgprs", "VGPRs", false, 5},
    {"agprs", "AGPRs", false, 1},
    {"sgprs", "SGPRs", false, 1},
    {"lds_bytes", "LDS bytes", false, 5},
    {"instructions", "instructions", false, 10},
    {"mfma", "matrix instructions", false, 5},
    {"vmem", "vector memory instructions", false, 10},
    {"lds", "LDS instructions", false, 10},
};

ArrayRef<Figure> figures() { return known; }

static KernelFigures ofMetadata(const Kernel &kernel, const TargetInfo &target, StringRef file) {
  KernelFigures made;
  made.name = kernel.name;
  made.chip = target.chip;
  made.file = file.str();
  const KernelDescriptor &d = kernel.descriptor;
  const unsigned waves = target.wavesForVgprs(d.vgprCount(target.vgprEncodingGranule));
  made.values = {{"vgpr_spills", kernel.vgprSpillCount},
                 {"sgpr_spills", kernel.sgprSpillCount},
                 {"scratch_bytes", d.privateSegmentFixedSize},
                 {"waves_per_simd", waves},
                 {"vgprs", kernel.vgprCount},
                 {"agprs", kernel.agprCount},
                 {"sgprs", kernel.sgprCount},
                 {"lds_bytes", d.groupSegmentFixedSize}};
  const unsigned more = target.vgprsForWaves(waves + 1);
  made.vgprsForMoreWaves = more && target.wavesForVgprs(more) > waves ? more : 0;
  return made;
}

static void addCode(const Program &program, bool pricesLoops, const machine::timed::StaticOptions &options,
                    StringMap<KernelFigures *> &kernels) {
  std::vector<KernelFigures *> ofInstruction(program.instructions().size());
  for (const Block &block : program.blocks()) {
    if (block.function == ~0u)
      continue;
    KernelFigures *const kernel = kernels.lookup(program.functions()[block.function].name);
    for (uint32_t i = block.begin; kernel && i < block.end; ++i) {
      ofInstruction[i] = kernel;
      const InstrDesc &desc = program.isa().desc(program.inst(i).getOpcode());
      ++kernel->values["instructions"];
      kernel->values["mfma"] += desc.isMfma;
      kernel->values["vmem"] += desc.isVmem();
      kernel->values["lds"] += desc.isDs();
      kernel->values["waits"] += desc.isWaitcnt;
      // All vector memory operations must be back.
      kernel->values["drains"] +=
          desc.isWaitcnt && program.waitAt(i).counts[program.isa().counters().of(OrderClass::Vmem)].isZero();
    }
  }
  if (!pricesLoops)
    return;
  const waits::Reported reported = waits::report(program);
  std::vector<std::pair<uint32_t, uint32_t>> places;
  places.reserve(reported.loops.size());
  for (const waits::LoopReport &loop : reported.loops)
    places.push_back({loop.firstInstruction, loop.lastInstruction});
  Expected<machine::timed::StaticTimes> times = machine::timed::runStatically(program, places, options);
  if (!times) { // code that no path can be found through has no price; the other figures stand
    consumeError(times.takeError());
    return;
  }
  for (auto [place, time] : zip_equal(places, times->loops))
    if (KernelFigures *const kernel = ofInstruction[place.first]; kernel && time.cycles > 0) {
      kernel->loops.push_back(time.cycles);
      kernel->values["loop_cycles"] += time.cycles;
    }
}

static Error addObject(StringRef bytes, StringRef name, bool pricesLoops, const machine::timed::StaticOptions &options,
                       std::vector<KernelFigures> &all) {
  Expected<LoadedCodeObject> loaded = loadCodeObject(bytes, name);
  if (!loaded)
    return loaded.takeError();
  Expected<const TargetInfo *> target = TargetInfo::get(loaded->object.chip(), loaded->object.waveLanes());
  if (!target)
    return target.takeError();
  Expected<std::vector<std::unique_ptr<Program>>> programs = readPrograms(loaded->bytes, name);
  if (!programs)
    return programs.takeError();
  std::vector<KernelFigures> made;
  for (const Kernel &kernel : loaded->object.kernels())
    made.push_back(ofMetadata(kernel, **target, name));
  StringMap<KernelFigures *> byName;
  for (KernelFigures &kernel : made)
    byName[kernel.name] = &kernel;
  for (const std::unique_ptr<Program> &program : *programs)
    addCode(*program, pricesLoops, options, byName);
  append_range(all, std::move(made));
  return Error::success();
}

Expected<std::vector<KernelFigures>> kernelFigures(StringRef bytes, StringRef name, bool pricesLoops,
                                                   const machine::timed::StaticOptions &options) {
  std::vector<KernelFigures> all;
  if (!isFatBinary(bytes)) {
    if (Error error = addObject(bytes, name, pricesLoops, options, all))
      return std::move(error);
    return all;
  }
  Expected<FatEntries> entries = readFatEntries(bytes, name, /*chip=*/"");
  if (!entries)
    return entries.takeError();
  for (uint32_t index : entries->chosen) {
    Expected<FatBinary::Bytes> own = entries->binary.bytesOf(entries->binary.entries()[index]);
    if (!own)
      return own.takeError();
    if (Error error = addObject(own->bytes, name, pricesLoops, options, all))
      return std::move(error);
  }
  return all;
}

} // namespace inflight::lint
