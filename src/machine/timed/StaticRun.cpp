#include "machine/timed/StaticRun.h"

#include "machine/timed/ComputeUnit.h"
#include "machine/timed/StaticPath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

namespace {

/// What the made-up handlers do for an instruction; in Op::extra.
struct StaticOp {
  uint32_t instruction = 0;
  unsigned bytes = 0; ///< of a lane's access; 0: none
  AccessObserver::Kind kind = AccessObserver::Kind::Read;
  bool isLds = false, isLdsDma = false, isScalar = false;
  bool endsBlock = false, ends = false;
  class StaticCode *code = nullptr;
};

/// A program as ops whose handlers follow a path and report addresses.
class StaticCode {
public:
  StaticCode(const Program &program, const TimingData &data, events::Level memory);

  void follow(ArrayRef<uint32_t> blocks, unsigned waves) {
    path = blocks;
    places.assign(waves, 0);
  }
  void start(Wave &wave) {
    wave.pc = opOf(program.blocks()[path[0]].begin);
    wave.codeBegin = wave.plainCode = ops.data();
    wave.codeEnd = ops.data() + ops.size() - 1;
  }
  const CodeTiming &timing() const { return *code; }

private:
  static void execute(Wave &wave, const Op &op) {
    const StaticOp &what = *static_cast<const StaticOp *>(op.extra);
    StaticCode &code = *what.code;
    if (what.bytes)
      code.access(wave, what);
    if (what.ends)
      wave.status = Status::Ended;
    else if (what.endsBlock)
      code.nextBlock(wave);
  }
  void nextBlock(Wave &wave) {
    if (++places[wave.number] >= path.size())
      wave.status = Status::Ended;
    else
      wave.pc = opOf(program.blocks()[path[places[wave.number]]].begin);
  }
  void access(Wave &wave, const StaticOp &what) {
    uint64_t addresses[Lanes] = {};
    const uint64_t lds = reinterpret_cast<uint64_t>(wave.group->lds.data()), size = wave.group->lds.size();
    const unsigned whole = Lanes * std::max(4u, what.bytes);
    auto fill = [&](uint64_t at, unsigned lanes) {
      for (unsigned lane = 0; lane < lanes; ++lane)
        addresses[lane] = at + uint64_t(lane) * what.bytes;
    };
    if (what.isLds) {
      fill(lds, Lanes);
    } else {
      // Kernel arguments and constants stay where they are, others are new each time.
      fill(what.isScalar ? scalarBegin : memoryAt, what.isScalar ? 1 : Lanes);
      if (!what.isScalar && !staysInL1)
        memoryAt += alignTo(whole, lineBytes);
    }
    wave.observer->lanes(wave, addresses, what.bytes, what.kind);
    if (what.isLdsDma && whole <= size) {
      fill(lds, Lanes);
      wave.observer->lanes(wave, addresses, what.bytes, AccessObserver::Kind::Write);
    }
  }
  const Op *opOf(uint32_t instruction) const { return &ops[slots[instruction]]; }

  static constexpr uint64_t lineBytes = 128, scalarBegin = 1 << 12;
  const Program &program;
  std::vector<Op> ops; ///< a slot every 4 bytes
  std::vector<uint32_t> slots;
  std::vector<StaticOp> details;
  std::optional<CodeTiming> code;
  std::vector<uint32_t> path;
  std::vector<size_t> places; ///< in the path, by wave
  uint64_t memoryAt = uint64_t(1) << 20;
  const bool staysInL1;
};

StaticCode::StaticCode(const Program &program, const TimingData &data, events::Level memory)
    : program(program), staysInL1(memory == events::Level::L1) {
  ArrayRef<Instruction> instructions = program.instructions();
  uint32_t slot = 0;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    slots.push_back(slot);
    if (!instructions[i].desc)
      continue;
    const unsigned size = program.isAssembly() ? program.isa().instrInfo().get(instructions[i].desc->opcode).getSize()
                                               : instructions[i].length;
    slot += std::max(1u, size / 4);
  }
  ops.resize(slot + 1);
  details.resize(instructions.size());
  code.emplace(ops.data(), ops.size());
  for (const Block &block : program.blocks())
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Instruction &instruction = instructions[i];
      if (!instruction.desc)
        continue;
      const InstrDesc &desc = *instruction.desc;
      const MCInst &inst = program.inst(i);
      StaticOp &detail = details[i];
      detail.instruction = i;
      detail.code = this;
      detail.endsBlock = i + 1 == block.end;
      detail.ends = desc.isEndOfProgram;
      if (desc.isVmem() || desc.isDs() || (desc.isSmem() && desc.mayLoad)) {
        detail.bytes = desc.mayLoad || desc.mayStore ? desc.access.bytes * desc.access.places : 0;
        detail.isLds = desc.isDs();
        detail.isScalar = desc.isSmem();
        detail.isLdsDma = desc.isLdsDma;
        detail.kind = desc.isAtomic()                  ? AccessObserver::Kind::Atomic
                      : desc.mayStore && !desc.mayLoad ? AccessObserver::Kind::Write
                                                       : AccessObserver::Kind::Read;
      }
      Op &op = ops[slots[i]];
      op.handler = execute;
      op.extra = &detail;
      op.slots = std::max(1u, (i + 1 < slots.size() ? slots[i + 1] : slot) - slots[i]);
      if (desc.format == Format::Sopp && inst.getNumOperands() && inst.getOperand(0).isImm())
        op.immediate = int16_t(inst.getOperand(0).getImm());
      TimedOperands operands;
      operands.immediate = op.immediate;
      operands.policy = program.isa().cachePolicy(inst);
      operands.target = &program.isa().target();
      operands.counters = &program.isa().counters();
      if (desc.isMfma && desc.takesMixedFormats) {
        const std::string text = program.text(i);
        auto wide = [&](StringRef modifier) {
          return !StringRef(text).contains((modifier + ":2").str()) &&
                 !StringRef(text).contains((modifier + ":3").str()) &&
                 !StringRef(text).contains((modifier + ":4").str());
        };
        operands.hasNarrowFactors = !wide("cbsz") && !wide("blgp");
      }
      events::CodeLine line;
      line.address = i; // where the records say which instruction they are of
      code->add(op, desc, operands, data, program.reads(instruction), program.writes(instruction), std::move(line));
    }
}

/// Gathers what the runs record.
class Gatherer final : public events::Sink {
public:
  Gatherer(const StaticCode &code, size_t instructions, ArrayRef<std::pair<uint32_t, uint32_t>> loops)
      : instructionOf(code.timing().lines([](uint64_t) { return std::string(); })),
        visits(instructions),
        loops(loops),
        iterations(loops.size()) {
    times.instructions.resize(instructions);
    times.loops.resize(loops.size());
  }

  void start(const events::RunInfo &) override {}
  void finish(const events::Summary &) override {}
  void waveEnd(const events::WaveEnd &) override {}
  void waveBegin(const events::WaveBegin &record) override { waves[record.wave] = WaveNow(loops.size()); }
  void instruction(const events::Instruction &record) override {
    const uint32_t i = uint32_t(instructionOf[record.line].address);
    const uint32_t waited = record.stalls[size_t(events::Stall::Waitcnt)];
    WaveNow &wave = waves[record.wave];
    if (times.instructions[i].visits++ == 0)
      times.instructions[i].firstWaiting = waited;
    // Only waits are priced: loads that find the counter full wait, too.
    visits[i].push_back(waited);
    wave.waited += waited;
    for (size_t l = 0; l < loops.size(); ++l) {
      LoopNow &loop = wave.loops[l];
      if (i < loops[l].first || i > loops[l].second) {
        loop.inside = false;
      } else if (i == loops[l].first) {
        if (loop.inside)
          iterations[l].push_back({double(record.arrived - loop.begun), double(wave.waited - waited - loop.waited)});
        loop = {true, record.arrived, wave.waited - waited};
      }
    }
  }
  void operation(const events::Operation &record) override {
    waves[record.wave].operations.push_back(
        {uint32_t(instructionOf[record.line].address), record.issued, record.returned});
  }
  void wait(const events::Wait &record) override {
    InstructionTime &time = times.instructions[uint32_t(instructionOf[record.line].address)];
    const auto &operations = waves[record.wave].operations;
    uint64_t latest = 0;
    for (uint32_t number : record.operations)
      if (const HeldOperation &operation = operations[number]; operation.returned > latest) {
        latest = operation.returned;
        time.slowest = operation.instruction;
        time.latency = operation.returned - operation.issued;
        time.covered = record.arrived - operation.issued;
      }
  }

  StaticTimes take() {
    for (size_t i = 0; i < visits.size(); ++i)
      times.instructions[i].waiting = laterHalf(visits[i], [](uint32_t waited) { return double(waited); });
    for (size_t l = 0; l < loops.size(); ++l) {
      times.loops[l].cycles = laterHalf(iterations[l], [](const auto &iteration) { return iteration.first; });
      times.loops[l].waiting = laterHalf(iterations[l], [](const auto &iteration) { return iteration.second; });
    }
    return std::move(times);
  }

private:
  template <typename T, typename Value> static double laterHalf(const std::vector<T> &values, Value value) {
    double sum = 0;
    const size_t first = values.size() / 2;
    for (size_t i = first; i < values.size(); ++i)
      sum += value(values[i]);
    return values.empty() ? 0 : sum / double(values.size() - first);
  }
  struct HeldOperation {
    uint32_t instruction;
    uint64_t issued, returned;
  };
  struct LoopNow {
    bool inside = false;
    uint64_t begun = 0, waited = 0;
  };
  struct WaveNow {
    explicit WaveNow(size_t loops = 0) : loops(loops) {}
    std::vector<HeldOperation> operations;
    std::vector<LoopNow> loops;
    uint64_t waited = 0;
  };
  std::vector<events::CodeLine> instructionOf; ///< by line
  std::vector<std::vector<uint32_t>> visits;
  ArrayRef<std::pair<uint32_t, uint32_t>> loops;
  std::vector<std::vector<std::pair<double, double>>> iterations;
  std::map<uint32_t, WaveNow> waves;
  StaticTimes times;
};

unsigned statedWaves(const Program &program, uint32_t entryBlock) {
  const uint32_t number = program.blocks()[entryBlock].function;
  if (number == ~0u || !program.functions()[number].isKernel)
    return 0;
  const Function &function = program.functions()[number];
  if (function.workgroupSize[0])
    return divideCeil(function.workgroupSize[0] * std::max(1u, function.workgroupSize[1]) *
                          std::max(1u, function.workgroupSize[2]),
                      Lanes);
  return 0;
}

} // namespace

Expected<StaticTimes> runStatically(const Program &program, ArrayRef<std::pair<uint32_t, uint32_t>> loops,
                                    const StaticOptions &options) {
  const TargetInfo &target = program.isa().target();
  Expected<TimingData> loaded = TimingData::load(target.chip);
  if (!loaded)
    return loaded.takeError();
  TimingData data = *loaded;
  // What lies after the level where loads find their data answers as that one.
  if (options.memory <= events::Level::L2)
    data.mallLatency = data.l2Latency;
  if (options.memory <= events::Level::Mall)
    data.memoryLatency = data.mallBytes ? data.mallLatency : data.l2Latency;
  // One unit with all that is after L1.
  Shares shares;
  shares.l2 = shares.l2Write = shares.mall = shares.memory = shares.memorySustained = data.l2CuBytesPerCycle;
  shares.l2Bytes = data.l2Bytes;
  shares.mallBytes = data.mallBytes;
  shares.l2Dirty = data.l2Bytes / 2.0;
  shares.hasTranslations = true;
  StaticCode code(program, data, options.memory);
  Gatherer gatherer(code, program.instructions().size(), loops);
  uint32_t firstWave = 0;
  for (const std::vector<uint32_t> &path : findPaths(program, options.trips)) {
    unsigned waves = options.waves ? options.waves : statedWaves(program, path.front());
    if (!waves)
      waves = target.simdsPerCu;
    Workload work;
    work.target = &target;
    work.wavesOfGroup = waves;
    work.wavesPerSimd = divideCeil(waves, target.simdsPerCu);
    work.maxInstructions = ~uint64_t(0);
    work.begin = [&](WorkgroupRun &run, uint32_t) {
      run.reset({}, waves, target.ldsBytes, 0);
      run.group.waves = waves;
      for (Wave &wave : run.waves) {
        wave.setExec(~uint64_t(0));
        code.start(wave);
      }
    };
    code.follow(path, waves);
    ComputeUnit cu(work, code.timing(), data, shares, 0, firstWave, 1, 0, &gatherer);
    bool given = false;
    cu.advance(~uint64_t(0), [&]() -> std::optional<uint32_t> {
      return std::exchange(given, true) ? std::nullopt : std::optional<uint32_t>(0);
    });
    firstWave += waves;
  }
  return gatherer.take();
}

} // namespace inflight::machine::timed
