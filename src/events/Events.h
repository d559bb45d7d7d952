// What happened in a timed run, and when: the records that every view of a run is made of.
//
// Times are cycles of the shader clock since the run began. The machine hands records over as it simulates; a consumer
// keeps what it needs and no more, so that a run of any length needs no memory for its trace. Promises of the order:
//  - start() comes first, finish() last, and only finish() after that if the run was whole;
//  - a wave's waveBegin() precedes its other records, its waveEnd() follows them; numbers of waves are never used
//  again;
//  - instruction() of one wave come in order of issue; those of different waves of a CU in order of `issued`;
//  - operation() follows the instruction() that issued it, with all times already known, though they lie ahead;
//  - wait() follows the instruction() of an s_waitcnt that waited for something.
// With several CUs, records come in pieces of simulated time, CU after CU within each piece.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MD5.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace inflight::events {

/// The scheduler's categories (ROCm Compute Profiler, "Scheduler"), the vector memory and matrix ones separate
/// further.
enum class Category : uint8_t { Salu, Smem, Valu, Matrix, Vmem, Flat, Lds, Branch, Internal, Count };

/// Why an instruction didn't issue. Each cycle between its arrival at the head of its wave and its issue has one cause:
/// that which held it up first, in this order.
enum class Stall : uint8_t {
  Fetch,      ///< its bytes weren't in the instruction buffer
  Dependency, ///< a result of the wave's own ALU operations wasn't ready
  Waitcnt,    ///< s_waitcnt, or a counter at its limit: operations in flight
  Barrier,    ///< other waves hadn't come to the barrier
  Sleep,      ///< s_sleep, s_nop
  QueueFull,  ///< the memory pipeline's queue took no more
  PipeBusy,   ///< the ALU or matrix core of the SIMD was busy
  LdsBusy,    ///< the LDS queue was full, for bank conflicts or for plain bandwidth
  Arbiter,    ///< another wave was chosen
  Count
};

/// Units that are busy for a while. Valu, Salu, Matrix, Branch begin at issue; the others have queues.
enum class Pipe : uint8_t { None, Salu, ScalarCache, Valu, Matrix, Lds, Texture, Branch, Count };

/// Where memory operations found their data; the farthest of its lines.
enum class Level : uint8_t { None, Lds, Scalar, L1, L2, Mall, Memory, Count };

llvm::StringRef name(Category category); ///< "VALU"
llvm::StringRef name(Stall stall);       ///< "waitcnt"
llvm::StringRef name(Pipe pipe);
llvm::StringRef name(Level level);

/// One instruction of the code.
struct CodeLine {
  uint64_t address = 0; ///< in the code object's .text
  std::string text;     ///< as the disassembler writes it
  std::string source;   ///< "file.cpp:12"; inlined calls after " -> "; empty if unknown
  Category category = Category::Internal;
  uint32_t target = ~0u; ///< of a branch: the line it goes to
  uint32_t flops = 0;    ///< operations of a lane, or all of a matrix instruction's
};

/// A resource that leaves no room for one more workgroup on a CU.
struct OccupancyLimit {
  std::string resource; ///< "VGPRs", "SGPRs", "LDS", "wave slots", "barriers"
  uint64_t has = 0;     ///< what a wave (registers) or a workgroup (LDS bytes, slots) takes; barriers of the CU
  uint64_t most = 0;    ///< with which one more workgroup fits; 0 where less doesn't help
  /// "at most 96 VGPRs per wave (now 128)", "at most 32768 bytes of LDS per workgroup (now 40960)".
  std::string needed() const;
};

inline constexpr unsigned maxCounters = 8;

/// Fixed facts of a run.
struct RunInfo {
  std::string chip, kernel, demangled;
  std::string device; ///< the variant of the chip, "MI300X"
  uint64_t entryAddress = 0;
  double clockMHz = 0; ///< that cycles are turned to time with
  /// Of L1's requests, L1's lines and L2's lines; 0 where it isn't known.
  uint32_t requestBytes = 0, lineBytes = 0, l2LineBytes = 0;
  std::array<uint32_t, 3> grid = {}, block = {}; ///< workgroups; lanes of one
  uint32_t vgprs = 0, agprs = 0, sgprs = 0, ldsBytes = 0, scratchBytes = 0;
  uint32_t simds = 4, slotsPerSimd = 8, cus = 1;       ///< simulated
  uint32_t deviceCus = 0;                              ///< that the device has; 0 where it isn't known
  uint32_t wavesPerWorkgroup = 0, workgroupsPerCu = 0; ///< resident at a time
  std::vector<OccupancyLimit> limits;                  ///< of workgroupsPerCu
  std::vector<std::string> counters; ///< by which waves wait for operations, "vmcnt"; at most maxCounters
  std::vector<CodeLine> code;
  /// MD5 sums of the files that CodeLine::source names, where the debug information states them.
  std::map<std::string, llvm::MD5::MD5Result> checksums;
};

struct WaveBegin {
  uint32_t wave = 0; ///< number in the run
  uint64_t time = 0;
  uint16_t cu = 0;
  uint8_t simd = 0, slot = 0;
  uint32_t workgroup = 0; ///< linear
  uint16_t numberInGroup = 0;
};

struct WaveEnd {
  uint32_t wave = 0;
  uint64_t time = 0;
};

struct Instruction {
  uint32_t wave = 0, line = 0; ///< line: index in RunInfo::code
  uint64_t arrived = 0;        ///< first cycle that it could have issued: its predecessor was done issuing
  uint64_t issued = 0;         ///< arrived + all stalls
  uint32_t issue = 0;          ///< cycles until the wave's next instruction may issue
  uint32_t busy = 0;           ///< cycles that the pipe is busy; 0 for those with a queue, see Operation
  Pipe pipe = Pipe::None;
  Category category = Category::Internal;
  bool taken = false;                                     ///< a branch that was
  uint8_t lanes = 0;                                      ///< active; 0 for scalar ones
  std::array<uint32_t, size_t(Stall::Count)> stalls = {}; ///< cycles
};

/// Something that returns later: memory, LDS, scalar memory, messages.
struct Operation {
  uint32_t wave = 0, line = 0;
  uint32_t number = 0;  ///< counts the wave's operations from 0
  uint8_t counters = 0; ///< a bit for each of RunInfo::counters that counts it
  bool isStore = false, isLdsDma = false, isAtomic = false;
  Pipe pipe = Pipe::None;
  Level level = Level::None;
  uint64_t issued = 0;
  uint64_t begin = 0, end = 0;                          ///< while its pipe was busy with it
  uint64_t returned = 0;                                ///< its counters fall
  uint32_t conflicts = 0;                               ///< LDS: cycles beyond those without bank conflicts
  uint32_t bytes = 0;                                   ///< that lanes asked for
  uint32_t requests = 0;                                ///< to L1 or the scalar cache, or LDS phases
  std::array<uint16_t, size_t(Level::Count)> hits = {}; ///< lines by where they were
};

/// Which operations an s_waitcnt waited for: those in flight when it arrived and no more when it was done.
struct Wait {
  uint32_t wave = 0, line = 0;
  uint64_t arrived = 0, done = 0;
  llvm::ArrayRef<uint32_t> operations; ///< numbers; valid during the call
};

/// What launches that are alike took where they were measured, in terms of this one's time.
struct Accuracy {
  std::string bound;          ///< what most of the time goes to: "matrix", "memory" or "latency"
  unsigned launches = 0;      ///< that were compared; 0: nothing is alike
  double least = 0, most = 0; ///< microseconds; 90 % of them took so long
};

/// "3.20 to 4.50 us", or that nothing alike was compared.
std::string range(const Accuracy &accuracy);
/// {"bound", "launches", "least_microseconds", "most_microseconds"}, the last two only if there are launches.
llvm::json::Object object(const Accuracy &accuracy);

/// Where the run came to.
/// Of the whole device, by the model; 0 where it isn't known.
struct DeviceUse {
  double launchMicroseconds = 0; ///< of Summary::microseconds, before the kernel's begin
  double memory = 0, l2 = 0;     ///< parts of the bandwidth that loads reach
  bool operator==(const DeviceUse &) const = default;
};

struct Summary {
  uint64_t cycles = 0;
  uint64_t instructions = 0, waves = 0, workgroups = 0;
  bool whole = true;       ///< false: it ended by an error, or the simulated units left workgroups out
  double microseconds = 0; ///< of the launch on the whole device, by the model; 0: not known
  Accuracy accuracy = {};
  DeviceUse use = {};
};

class Sink {
public:
  virtual ~Sink() = default;
  virtual void start(const RunInfo &info) = 0;
  virtual void waveBegin(const WaveBegin &record) = 0;
  virtual void instruction(const Instruction &record) = 0;
  virtual void operation(const Operation &record) = 0;
  virtual void wait(const Wait &record) = 0;
  virtual void waveEnd(const WaveEnd &record) = 0;
  virtual void finish(const Summary &summary) = 0;
};

} // namespace inflight::events
