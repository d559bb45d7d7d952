// Keeps records of one compute unit until their turn has come.
#pragma once

#include "events/Events.h"
#include <variant>

namespace inflight::machine::timed {

class RecordQueue final : public events::Sink {
public:
  void start(const events::RunInfo &) override {}
  void finish(const events::Summary &) override {}
  void waveBegin(const events::WaveBegin &record) override { records.emplace_back(record); }
  void instruction(const events::Instruction &record) override { records.emplace_back(record); }
  void operation(const events::Operation &record) override { records.emplace_back(record); }
  void waveEnd(const events::WaveEnd &record) override { records.emplace_back(record); }
  void wait(const events::Wait &record) override {
    records.emplace_back(HeldWait{record, operations.size(), record.operations.size()});
    operations.insert(operations.end(), record.operations.begin(), record.operations.end());
  }

  void handOver(events::Sink &to) {
    for (const Record &record : records)
      std::visit([&](const auto &held) { hand(to, held); }, record);
    records.clear();
    operations.clear();
  }

private:
  struct HeldWait {
    events::Wait wait;
    size_t first, count;
  };
  using Record = std::variant<events::WaveBegin, events::Instruction, events::Operation, HeldWait, events::WaveEnd>;
  void hand(events::Sink &to, const events::WaveBegin &record) { to.waveBegin(record); }
  void hand(events::Sink &to, const events::Instruction &record) { to.instruction(record); }
  void hand(events::Sink &to, const events::Operation &record) { to.operation(record); }
  void hand(events::Sink &to, const events::WaveEnd &record) { to.waveEnd(record); }
  void hand(events::Sink &to, const HeldWait &held) {
    events::Wait wait = held.wait;
    wait.operations = llvm::ArrayRef(operations).slice(held.first, held.count);
    to.wait(wait);
  }
  std::vector<Record> records;
  std::vector<uint32_t> operations;
};

} // namespace inflight::machine::timed
