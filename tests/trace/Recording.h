// Records kept in memory, as lines of text that differ when any field does.
#pragma once

#include "events/Events.h"
#include "llvm/ADT/SmallString.h"
#include <sstream>

namespace inflight::synthetic {

class Recording : public events::Sink {
public:
  std::vector<std::string> lines;

  void start(const events::RunInfo &i) override {
    std::ostringstream os;
    os << i.chip << ' ' << i.kernel << ' ' << i.demangled << ' ' << i.device << ' ' << i.entryAddress << ' '
       << i.clockMHz << ' ' << i.grid[0] << ' ' << i.grid[1] << ' ' << i.grid[2] << ' ' << i.block[0] << ' '
       << i.block[1] << ' ' << i.block[2] << ' ' << i.vgprs << ' ' << i.agprs << ' ' << i.sgprs << ' ' << i.ldsBytes
       << ' ' << i.scratchBytes << ' ' << i.simds << ' ' << i.slotsPerSimd << ' ' << i.cus << ' ' << i.wavesPerWorkgroup
       << ' ' << i.workgroupsPerCu << ' ' << i.requestBytes << ' ' << i.lineBytes << ' ' << i.l2LineBytes;
    for (const events::OccupancyLimit &limit : i.limits)
      os << ' ' << limit.resource << ' ' << limit.has << ' ' << limit.most;
    for (const std::string &counter : i.counters)
      os << ' ' << counter;
    for (const auto &[file, sum] : i.checksums)
      os << ' ' << file << ' ' << sum.digest().str().str();
    for (const events::CodeLine &line : i.code)
      os << '\n'
         << line.address << ' ' << line.text << ' ' << line.source << ' ' << int(line.category) << ' ' << line.target
         << ' ' << line.flops;
    lines.push_back(os.str());
  }
  void waveBegin(const events::WaveBegin &r) override {
    add("begin", r.wave, r.time, r.cu, int(r.simd), int(r.slot), r.workgroup, r.numberInGroup);
  }
  void instruction(const events::Instruction &r) override {
    add("instruction", r.wave, r.line, r.arrived, r.issued, r.issue, r.busy, int(r.pipe), int(r.category), r.taken,
        int(r.lanes));
    for (uint32_t stall : r.stalls)
      lines.back() += " " + std::to_string(stall);
  }
  void operation(const events::Operation &r) override {
    add("operation", r.wave, r.line, r.number, int(r.counters), r.isStore, r.isLdsDma, r.isAtomic, int(r.pipe),
        int(r.level), r.issued, r.begin, r.end, r.returned, r.conflicts, r.bytes, r.requests);
    for (uint16_t hits : r.hits)
      lines.back() += " " + std::to_string(hits);
  }
  void wait(const events::Wait &r) override {
    add("wait", r.wave, r.line, r.arrived, r.done);
    for (uint32_t operation : r.operations)
      lines.back() += " " + std::to_string(operation);
  }
  void waveEnd(const events::WaveEnd &r) override { add("end", r.wave, r.time); }
  void finish(const events::Summary &s) override {
    add("finish", s.cycles, s.instructions, s.waves, s.workgroups, s.whole, s.microseconds, s.accuracy.bound,
        s.accuracy.launches, s.accuracy.least, s.accuracy.most, s.use.launchMicroseconds, s.use.memory, s.use.l2);
  }

private:
  template <typename... Values> void add(const char *kind, Values... values) {
    std::ostringstream os;
    os << kind;
    ((os << ' ' << values), ...);
    lines.push_back(os.str());
  }
};

} // namespace inflight::synthetic
