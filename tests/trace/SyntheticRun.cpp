#include "SyntheticRun.h"

#include <algorithm>
#include <deque>
#include <queue>

using namespace inflight::events;

namespace inflight::synthetic {

namespace {

struct Step {
  const char *text;
  Category category;
  Pipe pipe;
  uint32_t issue, busy;
  uint32_t target = ~0u;
};

// Numbers of a made-up machine.
constexpr uint32_t issueCycles = 4, matrixCycles = 32, textureCycles = 16, ldsCycles = 8, scalarLatency = 200,
                   ldsLatency = 64;
constexpr uint32_t levelLatency[] = {0, 0, 0, 120, 300, 500, 800};

const Step program[] = {
    {"s_load_dwordx8 s[0:7], s[4:5], 0x0", Category::Smem, Pipe::ScalarCache, issueCycles, 0},
    {"s_waitcnt lgkmcnt(0)", Category::Internal, Pipe::None, issueCycles, 0},
    {"s_mov_b32 s8, 0", Category::Salu, Pipe::Salu, issueCycles, issueCycles},
    {"v_mov_b32_e32 v0, 0", Category::Valu, Pipe::Valu, issueCycles, issueCycles}, // outer loop
    {"v_lshlrev_b32_e32 v1, 4, v2", Category::Valu, Pipe::Valu, issueCycles, issueCycles},
    {"v_add_u32_e32 v1, s8, v1", Category::Valu, Pipe::Valu, issueCycles, issueCycles},
    {"s_mov_b32 s9, 0", Category::Salu, Pipe::Salu, issueCycles, issueCycles},
    {"global_load_dwordx4 v[4:7], v1, s[0:1]", Category::Vmem, Pipe::Texture, issueCycles, 0}, // inner loop
    {"global_load_dwordx4 v[8:11], v1, s[2:3]", Category::Vmem, Pipe::Texture, issueCycles, 0},
    {"s_waitcnt vmcnt(0)", Category::Internal, Pipe::None, issueCycles, 0},
    {"ds_write_b128 v12, v[4:7]", Category::Lds, Pipe::Lds, issueCycles, 0},
    {"ds_write_b128 v12, v[8:11] offset:4096", Category::Lds, Pipe::Lds, issueCycles, 0},
    {"s_barrier", Category::Internal, Pipe::None, issueCycles, 0},
    {"ds_read_b128 v[4:7], v13", Category::Lds, Pipe::Lds, issueCycles, 0},
    {"ds_read_b128 v[8:11], v13 offset:4096", Category::Lds, Pipe::Lds, issueCycles, 0},
    {"s_waitcnt lgkmcnt(0)", Category::Internal, Pipe::None, issueCycles, 0},
    {"v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[8:9], a[0:15]", Category::Matrix, Pipe::Matrix, issueCycles,
     matrixCycles},
    {"v_mfma_f32_32x32x8_f16 a[0:15], v[6:7], v[10:11], a[0:15]", Category::Matrix, Pipe::Matrix, issueCycles,
     matrixCycles},
    {"s_add_u32 s9, s9, 1", Category::Salu, Pipe::Salu, issueCycles, issueCycles},
    {"s_cmp_lt_u32 s9, s10", Category::Salu, Pipe::Salu, issueCycles, issueCycles},
    {"s_cbranch_scc1 65522", Category::Branch, Pipe::Branch, 4 * issueCycles, issueCycles, line::innerLoop},
    {"global_store_dwordx4 v1, v[4:7], s[6:7]", Category::Vmem, Pipe::Texture, issueCycles, 0},
    {"s_add_u32 s8, s8, 1", Category::Salu, Pipe::Salu, issueCycles, issueCycles},
    {"s_cmp_lt_u32 s8, s11", Category::Salu, Pipe::Salu, issueCycles, issueCycles},
    {"s_cbranch_scc1 65514", Category::Branch, Pipe::Branch, 4 * issueCycles, issueCycles, line::outerLoop},
    {"s_waitcnt vmcnt(0)", Category::Internal, Pipe::None, issueCycles, 0},
    {"s_endpgm", Category::Branch, Pipe::Branch, issueCycles, issueCycles},
};

struct InFlight {
  uint32_t number;
  uint64_t returned;
  bool vmcnt;
};

struct SimWave {
  WaveBegin begin;
  uint64_t now = 0; ///< it may issue its next instruction, or has to look again
  uint64_t arrived = 0;
  uint32_t line = 0, operations = 0;
  unsigned tile = 0, step = 0;
  bool atBarrier = false;
  std::array<uint32_t, size_t(Stall::Count)> stalls = {};
  std::deque<InFlight> inFlight;
};

class Run {
public:
  Run(const SyntheticOptions &options, Sink &sink) : options(options), sink(sink), random(options.seed) {}

  void run() {
    sink.start(syntheticInfo(options));
    for (unsigned slot = 0; slot < options.workgroupsAtATime * options.cus; ++slot)
      beginWorkgroup(slot, 0);
    while (!queue.empty()) {
      const uint32_t number = queue.top().second;
      queue.pop();
      step(number);
    }
    Summary summary{lastTime, instructions, waves.size(), nextWorkgroup, options.whole};
    sink.finish(summary);
  }

private:
  using Entry = std::pair<uint64_t, uint32_t>;

  uint64_t next() { // xorshift64
    random ^= random << 13;
    random ^= random >> 7;
    return random ^= random << 17;
  }

  void beginWorkgroup(unsigned place, uint64_t time) {
    if (nextWorkgroup == options.workgroups)
      return;
    for (unsigned i = 0; i < options.wavesPerWorkgroup; ++i) {
      SimWave wave;
      const unsigned slot = place / options.cus * options.wavesPerWorkgroup + i;
      wave.begin = {
          uint32_t(waves.size()), time,       uint16_t(place % options.cus), uint8_t(slot % 4), uint8_t(slot / 4),
          nextWorkgroup,          uint16_t(i)};
      wave.now = wave.arrived = time;
      sink.waveBegin(wave.begin);
      queue.push({time, wave.begin.wave});
      waves.push_back(std::move(wave));
      places.push_back(place);
    }
    ++nextWorkgroup;
    running.resize(nextWorkgroup);
    running.back() = options.wavesPerWorkgroup;
    arrivedAtBarrier.resize(nextWorkgroup);
  }

  uint64_t &pipeFree(const SimWave &wave, Pipe pipe) {
    const unsigned perCu = wave.begin.cu * 64u;
    const bool shared = pipe == Pipe::Lds || pipe == Pipe::Texture || pipe == Pipe::ScalarCache;
    free.resize(std::max<size_t>(free.size(), perCu + 64));
    return free[perCu + unsigned(pipe) * 4 + (shared ? 0 : wave.begin.simd)];
  }

  /// Not before `time`, for this reason.
  bool delays(SimWave &wave, Stall cause, uint64_t time) {
    if (time <= wave.now)
      return false;
    wave.stalls[size_t(cause)] += uint32_t(time - wave.now);
    wave.now = time;
    queue.push({time, wave.begin.wave});
    return true;
  }

  void step(uint32_t number) {
    SimWave &wave = waves[number];
    const Step &step = program[wave.line];
    const bool isWait = llvm::StringRef(step.text).starts_with("s_waitcnt");
    const bool isVm = llvm::StringRef(step.text).contains("vmcnt");
    if (isWait) {
      uint64_t until = 0;
      for (const InFlight &operation : wave.inFlight)
        if (operation.vmcnt == isVm)
          until = std::max(until, operation.returned);
      if (delays(wave, Stall::Waitcnt, until))
        return;
    } else if (wave.line == line::barrier && !wave.atBarrier) {
      wave.atBarrier = true;
      std::vector<uint32_t> &arrived = arrivedAtBarrier[wave.begin.workgroup];
      arrived.push_back(number);
      if (arrived.size() < options.wavesPerWorkgroup)
        return;
      const uint64_t time = wave.now;
      for (uint32_t other : arrived) {
        waves[other].stalls[size_t(Stall::Barrier)] += uint32_t(time - waves[other].now);
        waves[other].now = time;
        queue.push({time, other});
      }
      arrived.clear();
      return;
    } else if (step.pipe == Pipe::Lds || step.pipe == Pipe::Texture) {
      constexpr uint64_t queued = 64; // cycles of work that the queue takes
      const uint64_t freeAt = pipeFree(wave, step.pipe);
      if (delays(wave, step.pipe == Pipe::Lds ? Stall::LdsBusy : Stall::QueueFull,
                 freeAt > queued ? freeAt - queued : 0))
        return;
    } else if (step.busy) {
      if (delays(wave, step.pipe == Pipe::Matrix ? Stall::PipeBusy : Stall::Arbiter, pipeFree(wave, step.pipe)))
        return;
    }
    issue(wave, step, isWait, isVm);
  }

  void issue(SimWave &wave, const Step &step, bool isWait, bool isVm) {
    Instruction record;
    record.wave = wave.begin.wave;
    record.line = wave.line;
    record.arrived = wave.arrived;
    record.issued = wave.now;
    record.issue = step.issue;
    record.busy = step.busy;
    record.pipe = step.pipe;
    record.category = step.category;
    record.lanes =
        step.category == Category::Salu || step.category == Category::Internal || step.category == Category::Branch
            ? 0
            : 64;
    record.stalls = wave.stalls;
    uint32_t nextLine = wave.line + 1;
    if (wave.line == line::innerBranch && ++wave.step < options.steps)
      record.taken = true;
    if (wave.line == line::outerBranch) {
      wave.step = 0;
      record.taken = ++wave.tile < options.tiles;
    }
    if (record.taken)
      nextLine = step.target;
    else
      record.issue = issueCycles;
    sink.instruction(record);
    ++instructions;
    if (step.busy)
      pipeFree(wave, step.pipe) = wave.now + step.busy;
    if (step.category == Category::Vmem || step.category == Category::Lds || step.category == Category::Smem)
      operate(wave, step);
    if (isWait) {
      std::vector<uint32_t> waited;
      for (const InFlight &operation : wave.inFlight)
        if (operation.vmcnt == isVm && operation.returned > wave.arrived)
          waited.push_back(operation.number);
      std::erase_if(wave.inFlight, [&](const InFlight &operation) { return operation.vmcnt == isVm; });
      if (!waited.empty())
        sink.wait({record.wave, record.line, record.arrived, record.issued, waited});
    }
    wave.stalls = {};
    wave.now = wave.arrived = record.issued + record.issue;
    wave.atBarrier = false;
    if (wave.line == line::end)
      return endWave(wave);
    wave.line = nextLine;
    queue.push({wave.now, wave.begin.wave});
  }

  void operate(SimWave &wave, const Step &step) {
    Operation operation;
    operation.wave = wave.begin.wave;
    operation.line = wave.line;
    operation.number = wave.operations++;
    const bool isVmem = step.category == Category::Vmem;
    operation.counters = isVmem ? 1 : 2;
    operation.isStore = llvm::StringRef(step.text).contains("store") || llvm::StringRef(step.text).contains("write");
    operation.pipe = step.pipe;
    operation.issued = wave.now;
    operation.bytes = step.category == Category::Smem ? 32 : 1024;
    uint64_t busy = textureCycles, latency = 0;
    if (step.category == Category::Lds) {
      operation.level = Level::Lds;
      operation.requests = 8;
      operation.conflicts = wave.line == line::ldsRead ? 8 : 0;
      busy = ldsCycles + operation.conflicts;
      latency = ldsLatency;
    } else if (step.category == Category::Smem) {
      operation.level = Level::Scalar;
      operation.requests = 1;
      operation.hits[size_t(Level::Scalar)] = 1;
      busy = issueCycles;
      latency = scalarLatency;
    } else {
      operation.requests = 8;
      const unsigned dice = unsigned(next() % 100);
      const Level level = dice < 40 ? Level::L1 : dice < 70 ? Level::L2 : dice < 85 ? Level::Mall : Level::Memory;
      operation.level = level;
      operation.hits[size_t(level)] = 6;
      operation.hits[size_t(Level::L1)] += 2;
      latency = levelLatency[size_t(level)];
    }
    uint64_t &freeAt = pipeFree(wave, step.pipe);
    operation.begin = std::max(freeAt, operation.issued + issueCycles);
    operation.end = freeAt = operation.begin + busy;
    operation.returned = operation.end + latency;
    // Returns are in order.
    for (const InFlight &other : wave.inFlight)
      if (other.vmcnt == isVmem)
        operation.returned = std::max(operation.returned, other.returned);
    wave.inFlight.push_back({operation.number, operation.returned, isVmem});
    sink.operation(operation);
  }

  void endWave(SimWave &wave) {
    lastTime = std::max(lastTime, wave.now);
    sink.waveEnd({wave.begin.wave, wave.now});
    const uint64_t time = wave.now;
    const unsigned place = places[wave.begin.wave];
    if (--running[wave.begin.workgroup] == 0)
      beginWorkgroup(place, time);
  }

  SyntheticOptions options;
  Sink &sink;
  uint64_t random;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::deque<SimWave> waves;
  std::vector<unsigned> places, running;
  std::vector<std::vector<uint32_t>> arrivedAtBarrier;
  std::vector<uint64_t> free;
  uint32_t nextWorkgroup = 0;
  uint64_t instructions = 0, lastTime = 0;
};

} // namespace

Instruction instructionAt(uint32_t line, uint64_t arrived, uint32_t waited) {
  Instruction record;
  record.line = line;
  record.arrived = arrived;
  record.stalls[size_t(Stall::Waitcnt)] = waited;
  record.issued = arrived + waited;
  record.issue = issueCycles;
  return record;
}

RunInfo syntheticInfo(const SyntheticOptions &options) {
  RunInfo info;
  info.chip = "gfx942";
  info.device = "MI300X";
  info.kernel = "_Z4gemmPDF16_S_Pf";
  info.demangled = "gemm(_Float16*, _Float16*, float*)";
  info.entryAddress = 0x1000;
  info.clockMHz = 2100;
  info.requestBytes = 64;
  info.lineBytes = info.l2LineBytes = 128;
  info.grid = {options.workgroups, 1, 1};
  info.block = {64 * options.wavesPerWorkgroup, 1, 1};
  info.vgprs = 64;
  info.agprs = 32;
  info.sgprs = 32;
  info.ldsBytes = 8192;
  info.cus = options.cus;
  info.wavesPerWorkgroup = options.wavesPerWorkgroup;
  info.workgroupsPerCu = options.workgroupsAtATime;
  info.limits = {{"LDS", 8192, 7168}};
  info.counters = {"vmcnt", "lgkmcnt"};
  uint64_t address = info.entryAddress;
  for (uint32_t i = 0; i < std::size(program); ++i) {
    info.code.push_back({address, program[i].text,
                         i >= 7 && i <= 20 ? "gemm.hip:" + std::to_string(20 + i) : "gemm.hip:12", program[i].category,
                         program[i].target, program[i].category == Category::Matrix ? 2u * 32 * 32 * 8 : 0});
    address += program[i].category == Category::Salu || program[i].category == Category::Internal ? 4 : 8;
  }
  return info;
}

void syntheticRun(const SyntheticOptions &options, Sink &sink) { Run(options, sink).run(); }

} // namespace inflight::synthetic
