#include "events/EventFile.h"
#include "events/Expectations.h"
#include "support/Diagnostics.h"
#include "support/OutputFile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace inflight::events {

static_assert(maxRecordBytes <= OutputFile::maxReserve);

namespace {

/// Bytes at a place in the output's buffer.
struct Cursor {
  char *at;

  void byte(uint8_t value) { *at++ = char(value); }
  void number(uint64_t value) {
    while (value >= 0x80) {
      byte(uint8_t(value) | 0x80);
      value >>= 7;
    }
    byte(uint8_t(value));
  }
  void signedNumber(int64_t value) { number((uint64_t(value) << 1) ^ uint64_t(value >> 63)); }
  void difference(uint64_t value, uint64_t expected) { signedNumber(int64_t(value - expected)); }
};

class Writer final : public EventWriter {
public:
  explicit Writer(std::unique_ptr<OutputFile> file) : file(std::move(file)) {}

  void start(const RunInfo &info) override;
  void waveBegin(const WaveBegin &record) override;
  void instruction(const Instruction &record) override;
  void operation(const Operation &record) override;
  void wait(const Wait &record) override;
  void waveEnd(const WaveEnd &record) override;
  void finish(const Summary &summary) override;
  Error commit() override;
  uint64_t bytes() const override { return file->size(); }
  bool failed() const override { return file->failed(); }

private:
  void text(StringRef value);
  void number(uint64_t value);
  uint32_t indexOf(uint32_t wave);
  Cursor begin() { return {file->reserve(maxRecordBytes)}; }
  /// Writes the number of a wave and of a line unless they are the expected ones; the bits of those that are.
  uint8_t beginOfWave(Cursor &cursor, uint32_t index, uint32_t line, uint32_t expectedLine) const {
    uint8_t expected = 0;
    if (index == lastIndex)
      expected |= as_expected::wave;
    else
      cursor.number(index);
    if (line == expectedLine)
      expected |= as_expected::line;
    else
      cursor.difference(line, waves[index].line);
    return expected;
  }
  void end(Cursor cursor) {
    ++records;
    file->advanceTo(cursor.at);
  }

  std::unique_ptr<OutputFile> file;
  std::vector<ExpectedLine> lines;
  std::vector<ExpectedWave> waves; ///< by index; those of ended waves are used again
  std::vector<uint32_t> freeIndices;
  DenseMap<uint64_t, uint32_t> indices; ///< wider than a wave's number, which may be any
  uint32_t lastIndex = 0, lastWave = 0, lastBegun = 0;
  uint64_t lastTime = 0, records = 0;
  bool finished = false;
};

void Writer::number(uint64_t value) {
  Cursor cursor{file->reserve(10)};
  cursor.number(value);
  file->advanceTo(cursor.at);
}

void Writer::text(StringRef value) {
  number(value.size());
  file->write(value);
}

void Writer::start(const RunInfo &info) {
  file->write(magic);
  for (StringRef value :
       {StringRef(info.chip), StringRef(info.kernel), StringRef(info.demangled), StringRef(info.device)})
    text(value);
  number(info.entryAddress);
  number(bit_cast<uint64_t>(info.clockMHz));
  for (uint32_t value : {info.requestBytes, info.lineBytes, info.l2LineBytes})
    number(value);
  for (unsigned i = 0; i < 3; ++i) {
    number(info.grid[i]);
    number(info.block[i]);
  }
  for (uint32_t value : {info.vgprs, info.agprs, info.sgprs, info.ldsBytes, info.scratchBytes, info.simds,
                         info.slotsPerSimd, info.cus, info.deviceCus, info.wavesPerWorkgroup, info.workgroupsPerCu})
    number(value);
  number(info.limits.size());
  for (const OccupancyLimit &limit : info.limits) {
    text(limit.resource);
    number(limit.has);
    number(limit.most);
  }
  number(info.counters.size());
  for (StringRef counter : info.counters)
    text(counter);
  number(info.code.size());
  uint64_t address = 0;
  for (const CodeLine &line : info.code) {
    number(line.address - address);
    address = line.address;
    text(line.text);
    text(line.source);
    number(uint64_t(line.category));
    number(line.flops);
    number((uint64_t(line.target) + 1) & 0xffffffff); // 0: no branch
  }
  number(info.checksums.size());
  for (const auto &[name, sum] : info.checksums) {
    text(name);
    text(sum.digest().str());
  }
  lines.resize(info.code.size());
  for (uint32_t i = 0; i < lines.size(); ++i)
    lines[i].next = i + 1;
}

/// The index that a running wave has in the file.
inline uint32_t Writer::indexOf(uint32_t wave) {
  if (wave == lastWave && lastIndex < waves.size() && waves[lastIndex].wave == wave)
    return lastIndex;
  auto found = indices.find(wave);
  assert(found != indices.end() && "records of a wave that hasn't begun");
  return found->second;
}

void Writer::waveBegin(const WaveBegin &record) {
  uint32_t index;
  if (freeIndices.empty()) {
    index = uint32_t(waves.size());
    waves.emplace_back();
  } else {
    index = freeIndices.back();
    freeIndices.pop_back();
  }
  Cursor cursor = begin();
  cursor.byte(uint8_t(Record::WaveBegin));
  cursor.number(index);
  cursor.difference(record.wave, lastBegun);
  cursor.difference(record.time, lastTime);
  cursor.number(record.cu);
  cursor.number(record.simd);
  cursor.number(record.slot);
  cursor.number(record.workgroup);
  cursor.number(record.numberInGroup);
  end(cursor);
  indices[record.wave] = index;
  waves[index] = {
      .wave = record.wave, .arrived = record.time, .issued = record.time, .done = record.time, .isLive = true};
  lastBegun = lastWave = record.wave;
  lastIndex = index;
  lastTime = record.time;
}

void Writer::instruction(const Instruction &record) {
  const uint32_t index = indexOf(record.wave);
  ExpectedWave &wave = waves[index];
  ExpectedLine &line = lines[record.line];
  const InstructionShape shape{record.issue, record.busy, record.pipe, record.category, record.taken, record.lanes};
  uint32_t &next = lines[wave.line].next;

  uint32_t causes = 0;
  uint64_t stalled = 0;
  for (unsigned i = 0; i < size_t(Stall::Count); ++i) {
    causes |= uint32_t(record.stalls[i] != 0) << i;
    stalled += record.stalls[i];
  }
  const bool issuedAsStalled = record.issued == record.arrived + stalled;

  Cursor cursor = begin();
  char *const tag = cursor.at++;
  uint8_t expected = uint8_t(Record::Instruction) | beginOfWave(cursor, index, record.line, next);
  if (record.arrived == wave.done)
    expected |= as_expected::time;
  else
    cursor.difference(record.arrived, wave.done);
  if (shape == line.instruction) {
    expected |= as_expected::shape;
  } else {
    cursor.number(record.issue);
    cursor.number(record.busy);
    cursor.byte(uint8_t(record.pipe) | uint8_t(record.category) << 4);
    cursor.byte(record.lanes);
    cursor.byte(record.taken);
  }
  if (!causes && issuedAsStalled) {
    expected |= as_expected::rest;
  } else {
    // The lowest bit: a time of issue that isn't the sum of the stalls is stated.
    cursor.number(causes << 1 | uint32_t(!issuedAsStalled));
    for (uint32_t rest = causes; rest; rest &= rest - 1)
      cursor.number(record.stalls[countr_zero(rest)]);
    if (!issuedAsStalled)
      cursor.difference(record.issued, record.arrived + stalled);
  }
  *tag = char(expected);
  end(cursor);

  next = record.line;
  line.instruction = shape;
  wave.line = record.line;
  wave.arrived = record.arrived;
  wave.issued = record.issued;
  wave.done = record.issued + record.issue;
  lastIndex = index;
  lastWave = record.wave;
}

void Writer::operation(const Operation &record) {
  const uint32_t index = indexOf(record.wave);
  ExpectedWave &wave = waves[index];
  const OperationShape shape{record.counters, record.isStore,   record.isLdsDma, record.isAtomic, record.pipe,
                             record.level,    record.conflicts, record.bytes,    record.requests, record.hits};
  Cursor cursor = begin();
  char *const tag = cursor.at++;
  uint8_t expected = uint8_t(Record::Operation) | beginOfWave(cursor, index, record.line, wave.line);
  if (record.issued == wave.issued)
    expected |= as_expected::time;
  else
    cursor.difference(record.issued, wave.issued);
  OperationShape &last = lines[record.line].operation;
  if (shape == last) {
    expected |= as_expected::shape;
  } else {
    using namespace operation_bits;
    const uint8_t more = record.counters & ~firstCounters;
    cursor.byte((record.counters & firstCounters) | record.isStore * isStore | record.isLdsDma * isLdsDma |
                record.isAtomic * isAtomic | (more != 0) * moreCounters);
    if (more)
      cursor.byte(more);
    cursor.byte(uint8_t(record.pipe) | uint8_t(record.level) << 4);
    cursor.number(record.conflicts);
    cursor.number(record.bytes);
    cursor.number(record.requests);
    uint32_t levels = 0;
    for (unsigned i = 0; i < record.hits.size(); ++i)
      levels |= uint32_t(record.hits[i] != 0) << i;
    cursor.number(levels);
    for (uint32_t rest = levels; rest; rest &= rest - 1)
      cursor.number(record.hits[countr_zero(rest)]);
    last = shape;
  }
  if (record.number == wave.operations)
    expected |= as_expected::rest;
  else
    cursor.difference(record.number, wave.operations);
  cursor.difference(record.begin, record.issued);
  cursor.difference(record.end, record.begin);
  cursor.difference(record.returned, record.end);
  *tag = char(expected);
  end(cursor);
  wave.operations = record.number + 1;
  lastIndex = index;
  lastWave = record.wave;
}

void Writer::wait(const Wait &record) {
  const uint32_t index = indexOf(record.wave);
  ExpectedWave &wave = waves[index];
  const size_t count = std::min<size_t>(record.operations.size(), maxWaited);
  Cursor cursor = begin();
  char *const tag = cursor.at++;
  uint8_t expected = uint8_t(Record::Wait) | beginOfWave(cursor, index, record.line, wave.line);
  if (record.arrived == wave.arrived && record.done == wave.issued) {
    expected |= as_expected::time;
  } else {
    cursor.difference(record.arrived, wave.arrived);
    cursor.difference(record.done, record.arrived);
  }
  cursor.number(count);
  if (count) {
    cursor.difference(wave.operations, record.operations[0]);
    bool contiguous = true;
    for (size_t i = 1; i < count; ++i)
      contiguous &= record.operations[i] == record.operations[0] + i;
    if (contiguous)
      expected |= as_expected::rest;
    else
      for (size_t i = 1; i < count; ++i)
        cursor.difference(record.operations[i], record.operations[i - 1]);
  }
  *tag = char(expected);
  end(cursor);
  lastIndex = index;
  lastWave = record.wave;
}

void Writer::waveEnd(const WaveEnd &record) {
  const uint32_t index = indexOf(record.wave);
  Cursor cursor = begin();
  cursor.byte(uint8_t(Record::WaveEnd));
  cursor.number(index);
  cursor.difference(record.time, waves[index].done);
  end(cursor);
  waves[index].isLive = false;
  indices.erase(record.wave);
  freeIndices.push_back(index);
  lastTime = record.time;
}

void Writer::finish(const Summary &summary) {
  Cursor cursor = begin();
  cursor.byte(uint8_t(Record::Finish));
  cursor.number(summary.cycles);
  cursor.number(summary.instructions);
  cursor.number(summary.waves);
  cursor.number(summary.workgroups);
  cursor.byte(summary.whole);
  for (double value : {summary.microseconds, summary.accuracy.least, summary.accuracy.most})
    cursor.number(bit_cast<uint64_t>(value));
  cursor.number(summary.accuracy.launches);
  cursor.number(size_t(find(bounds, summary.accuracy.bound) - std::begin(bounds)));
  for (double value : {summary.use.launchMicroseconds, summary.use.memory, summary.use.l2})
    cursor.number(bit_cast<uint64_t>(value));
  // What was lost in the middle of a file would show here.
  cursor.number(records);
  end(cursor);
  finished = true;
}

Error Writer::commit() {
  if (!finished && !failed())
    return makeError("the run ended before its last event");
  return file->commit();
}

} // namespace

Expected<std::unique_ptr<EventWriter>> EventWriter::create(StringRef path) {
  Expected<std::unique_ptr<OutputFile>> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  return std::make_unique<Writer>(std::move(*file));
}

} // namespace inflight::events
