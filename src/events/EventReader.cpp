#include "events/EventFile.h"
#include "events/EventInput.h"
#include "events/Expectations.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::events {

namespace {

/// 37 hours at 2 GHz. Later times are damage, and would keep consumers busy for as long.
constexpr uint64_t latestTime = uint64_t(1) << 48;

class Reader {
public:
  Reader(StringRef path, Sink &sink) : path(path), sink(sink) {}
  Expected<Replayed> replay(bool partial);

private:
  Error header();
  Error truncatedError(uint64_t at) const {
    return makeError(path + " ends too early, at byte " + Twine(at) + ": the rest of the run is missing");
  }
  Error damage(const Twine &what) const {
    return makeError(path + " is damaged: " + what + " in the record before byte " + Twine(input.offset()));
  }
  /// Decodes a record, checks it and hands it on. One that is cut off by the end of the file isn't handed on; the
  /// caller sees it by overran().
  Error record(uint8_t tag);
  // Parts of the header.
  template <typename Number> Error number(Number &into);
  Error text(std::string &into);
  Error format();
  Error limits(std::vector<OccupancyLimit> &into);
  Error counters(std::vector<std::string> &into);
  Error code(std::vector<CodeLine> &into);
  Error checksums(std::map<std::string, MD5::MD5Result> &into);
  // Parts of an instruction.
  InstructionShape shapeOf();
  /// When it issues and what it waited for; false if the causes are none.
  bool stalls(Instruction &record);
  Error instruction(uint8_t tag);
  Error operation(uint8_t tag);
  Error wait(uint8_t tag);
  Error waveBegin();
  Error waveEnd();
  ExpectedWave *waveOf(uint8_t tag);
  Error lateTime() const { return damage("a time that no run gets to"); }

  std::string path;
  Sink &sink;
  EventInput input;
  std::vector<ExpectedLine> lines;
  std::vector<ExpectedWave> waves;
  DenseSet<uint64_t> running; ///< their numbers, of fewer bits than the set's
  uint32_t lastIndex = 0, lastBegun = 0, cus = 1;
  uint64_t lastTime = 0;
  uint64_t wavesBegun = 0, instructions = 0, latest = 0;
  Summary summary;
  uint64_t statedRecords = 0;
  unsigned version = withUse;
  uint8_t counterBits = 0; ///< those of RunInfo::counters
};

/// The file's first line: its kind and version.
Error Reader::format() {
  Expected<std::string> begin = input.text(magic.size());
  if (!begin)
    return begin.takeError();
  const size_t digit = StringRef(magic).find_first_of("0123456789");
  StringRef number = *begin;
  if (!number.consume_front(StringRef(magic).take_front(digit)))
    return makeError(path + " is no file of events");
  if (!number.ends_with("\n") || number.drop_back().getAsInteger(10, version) || version < oldestVersion ||
      version > withUse)
    return makeError(path + " is of another version of the format (" + number.trim() +
                     "): this program reads version " + StringRef(magic).drop_front(digit).trim());
  return Error::success();
}

template <typename Number> Error Reader::number(Number &into) {
  if (Error error = input.ensure())
    return error;
  into = Number(input.number());
  return input.overran() ? truncatedError(input.offset()) : Error::success();
}

Error Reader::text(std::string &into) {
  uint64_t length = 0;
  if (Error error = number(length))
    return error;
  constexpr uint64_t longest = 1 << 24;
  if (length > longest)
    return damage("a text of " + Twine(length) + " bytes");
  return input.text(length).moveInto(into);
}

Error Reader::header() {
  if (Error error = format())
    return error;
  RunInfo info;
  for (std::string *into : {&info.chip, &info.kernel, &info.demangled, &info.device})
    if (Error error = text(*into))
      return error;
  uint64_t clock = 0;
  if (Error error = number(info.entryAddress))
    return error;
  if (Error error = number(clock))
    return error;
  info.clockMHz = bit_cast<double>(clock);
  if (constexpr double fastest = 1e6; !(info.clockMHz >= 0 && info.clockMHz <= fastest))
    return damage("a clock that no chip has");
  if (version >= withAccuracy)
    for (uint32_t *into : {&info.requestBytes, &info.lineBytes, &info.l2LineBytes})
      if (Error error = number(*into))
        return error;
  for (unsigned i = 0; i < 3; ++i) {
    if (Error error = number(info.grid[i]))
      return error;
    if (Error error = number(info.block[i]))
      return error;
  }
  for (uint32_t *into :
       {&info.vgprs, &info.agprs, &info.sgprs, &info.ldsBytes, &info.scratchBytes, &info.simds, &info.slotsPerSimd,
        &info.cus, &info.deviceCus, &info.wavesPerWorkgroup, &info.workgroupsPerCu}) {
    if (into == &info.deviceCus && version < withDeviceCus)
      continue;
    if (Error error = number(*into))
      return error;
  }
  if (Error error = limits(info.limits))
    return error;
  if (Error error = counters(info.counters))
    return error;
  if (Error error = code(info.code))
    return error;
  if (Error error = checksums(info.checksums))
    return error;
  lines.resize(info.code.size());
  for (uint32_t i = 0; i < lines.size(); ++i)
    lines[i].next = i + 1;
  cus = std::max(1u, info.cus);
  sink.start(info);
  return Error::success();
}

Error Reader::limits(std::vector<OccupancyLimit> &into) {
  uint64_t count = 0;
  if (Error error = number(count))
    return error;
  constexpr uint64_t most = 64;
  if (count > most)
    return damage(Twine(count) + " limits of occupancy");
  into.resize(count);
  for (OccupancyLimit &limit : into) {
    if (Error error = text(limit.resource))
      return error;
    if (Error error = number(limit.has))
      return error;
    if (Error error = number(limit.most))
      return error;
  }
  return Error::success();
}

Error Reader::counters(std::vector<std::string> &into) {
  into = {"vmcnt", "lgkmcnt"};
  uint64_t count = into.size();
  if (version >= withCounters) {
    if (Error error = number(count))
      return error;
    if (count > maxCounters)
      return damage(Twine(count) + " counters");
    into.resize(count);
    for (std::string &name : into)
      if (Error error = text(name))
        return error;
  }
  counterBits = maskTrailingOnes<uint8_t>(count);
  return Error::success();
}

Error Reader::code(std::vector<CodeLine> &into) {
  uint64_t count = 0, address = 0;
  if (Error error = number(count))
    return error;
  for (uint64_t i = 0; i < count; ++i) {
    CodeLine line;
    uint64_t step = 0, category = 0, target = 0;
    if (Error error = number(step))
      return error;
    line.address = address += step;
    if (Error error = text(line.text))
      return error;
    if (Error error = text(line.source))
      return error;
    if (Error error = number(category))
      return error;
    if (Error error = number(line.flops))
      return error;
    if (Error error = number(target))
      return error;
    if (category >= uint64_t(Category::Count) || target > count)
      return damage("an unknown kind of instruction");
    line.category = Category(category);
    line.target = uint32_t(target) - 1;
    into.push_back(std::move(line));
  }
  return Error::success();
}

Error Reader::checksums(std::map<std::string, MD5::MD5Result> &into) {
  uint64_t count = 0;
  if (Error error = number(count))
    return error;
  for (uint64_t i = 0; i < count; ++i) {
    std::string name, digits, bytes;
    if (Error error = text(name))
      return error;
    if (Error error = text(digits))
      return error;
    MD5::MD5Result &sum = into[name];
    if (digits.size() != 2 * sum.size() || !tryGetFromHex(digits, bytes))
      return damage("a checksum that is none");
    llvm::copy(bytes, sum.begin());
  }
  return Error::success();
}

inline ExpectedWave *Reader::waveOf(uint8_t tag) {
  if (!(tag & as_expected::wave))
    lastIndex = uint32_t(std::min<uint64_t>(input.number(), ~0u));
  return lastIndex < waves.size() && waves[lastIndex].isLive ? &waves[lastIndex] : nullptr;
}

Error Reader::waveBegin() {
  const uint64_t index = input.number();
  WaveBegin record;
  record.wave = uint32_t(input.from(lastBegun));
  record.time = input.from(lastTime);
  record.cu = uint16_t(input.number());
  record.simd = uint8_t(input.number());
  record.slot = uint8_t(input.number());
  record.workgroup = uint32_t(input.number());
  record.numberInGroup = uint16_t(input.number());
  if (input.overran())
    return Error::success();
  if (index > waves.size() || (index < waves.size() && waves[index].isLive))
    return damage("a wave in the place of another");
  if (!running.insert(record.wave).second)
    return damage("a second wave " + Twine(record.wave));
  if (record.cu >= cus)
    return damage("a wave on CU " + Twine(unsigned(record.cu)) + " of " + Twine(cus));
  if (record.time > latestTime)
    return lateTime();
  if (index == waves.size())
    waves.emplace_back();
  waves[index] = {
      .wave = record.wave, .arrived = record.time, .issued = record.time, .done = record.time, .isLive = true};
  lastBegun = record.wave;
  lastIndex = uint32_t(index);
  lastTime = record.time;
  ++wavesBegun;
  sink.waveBegin(record);
  return Error::success();
}

Error Reader::waveEnd() {
  const uint64_t index = input.number();
  if (index >= waves.size() || !waves[index].isLive)
    return damage("the end of a wave that isn't running");
  const uint64_t time = input.from(waves[index].done);
  if (input.overran())
    return Error::success();
  if (time > latestTime)
    return lateTime();
  waves[index].isLive = false;
  running.erase(waves[index].wave);
  lastTime = time;
  latest = std::max(latest, time);
  sink.waveEnd({waves[index].wave, time});
  return Error::success();
}

inline InstructionShape Reader::shapeOf() {
  InstructionShape shape;
  shape.issue = uint32_t(input.number());
  shape.busy = uint32_t(input.number());
  const uint8_t kinds = input.byte();
  shape.pipe = Pipe(kinds & 15);
  shape.category = Category(kinds >> 4);
  shape.lanes = input.byte();
  shape.taken = input.byte();
  return shape;
}

inline bool Reader::stalls(Instruction &record) {
  const uint64_t causes = input.number();
  if (causes >> (1 + size_t(Stall::Count)))
    return false;
  for (uint64_t rest = causes >> 1; rest; rest &= rest - 1) {
    const uint32_t cycles = uint32_t(input.number());
    record.stalls[countr_zero(rest)] = cycles;
    record.issued += cycles;
  }
  if (causes & 1)
    record.issued = input.from(record.issued);
  return true;
}

Error Reader::instruction(uint8_t tag) {
  ExpectedWave *wave = waveOf(tag);
  if (!wave)
    return damage("an instruction of a wave that isn't running");
  Instruction record;
  record.wave = wave->wave;
  if (lines.empty())
    return damage("an instruction without code");
  uint32_t &next = lines[wave->line].next;
  record.line = tag & as_expected::line ? next : uint32_t(input.from(wave->line));
  record.arrived = tag & as_expected::time ? wave->done : input.from(wave->done);
  if (record.line >= lines.size())
    return damage("an instruction outside the code");
  InstructionShape &shape = lines[record.line].instruction;
  if (!(tag & as_expected::shape)) {
    const InstructionShape given = shapeOf();
    if (input.overran())
      return Error::success();
    if (given.pipe >= Pipe::Count || given.category >= Category::Count)
      return damage("an unknown kind of instruction");
    shape = given;
  }
  record.issued = record.arrived;
  if (!(tag & as_expected::rest) && !stalls(record))
    return damage("an unknown cause of a stall");
  if (input.overran())
    return Error::success();
  if (record.issued < record.arrived)
    return damage("an instruction that issues before it arrives");
  if (record.issued > latestTime)
    return lateTime();
  record.issue = shape.issue;
  record.busy = shape.busy;
  record.pipe = shape.pipe;
  record.category = shape.category;
  record.taken = shape.taken;
  record.lanes = shape.lanes;
  next = record.line;
  wave->line = record.line;
  wave->arrived = record.arrived;
  wave->issued = record.issued;
  wave->done = record.issued + record.issue;
  latest = std::max(latest, wave->done);
  ++instructions;
  sink.instruction(record);
  return Error::success();
}

Error Reader::operation(uint8_t tag) {
  ExpectedWave *wave = waveOf(tag);
  if (!wave)
    return damage("an operation of a wave that isn't running");
  Operation record;
  record.wave = wave->wave;
  record.line = tag & as_expected::line ? wave->line : uint32_t(input.from(wave->line));
  if (record.line >= lines.size())
    return damage("an operation outside the code");
  record.issued = tag & as_expected::time ? wave->issued : input.from(wave->issued);
  OperationShape &shape = lines[record.line].operation;
  if (!(tag & as_expected::shape)) {
    OperationShape given;
    const uint8_t bits = input.byte();
    given.counters = bits & operation_bits::firstCounters;
    if (bits & operation_bits::moreCounters)
      given.counters |= input.byte() & ~operation_bits::firstCounters;
    given.isStore = bits & operation_bits::isStore;
    given.isLdsDma = bits & operation_bits::isLdsDma;
    given.isAtomic = bits & operation_bits::isAtomic;
    const uint8_t kinds = input.byte();
    given.pipe = Pipe(kinds & 15);
    given.level = Level(kinds >> 4);
    given.conflicts = uint32_t(input.number());
    given.bytes = uint32_t(input.number());
    given.requests = uint32_t(input.number());
    const uint64_t levels = input.number();
    if (given.counters & ~counterBits)
      return damage("a counter that the run hasn't");
    if (given.pipe >= Pipe::Count || given.level >= Level::Count || levels >> size_t(Level::Count))
      return damage("an unknown kind of operation");
    for (uint64_t rest = levels; rest; rest &= rest - 1)
      given.hits[countr_zero(rest)] = uint16_t(input.number());
    if (input.overran())
      return Error::success();
    shape = given;
  }
  record.number = tag & as_expected::rest ? wave->operations : uint32_t(input.from(wave->operations));
  record.begin = input.from(record.issued);
  record.end = input.from(record.begin);
  record.returned = input.from(record.end);
  if (input.overran())
    return Error::success();
  if (record.end < record.begin || record.returned < record.issued)
    return damage("an operation that ends before it begins");
  if (record.end > latestTime || record.returned > latestTime)
    return lateTime();
  record.counters = shape.counters;
  record.isStore = shape.isStore;
  record.isLdsDma = shape.isLdsDma;
  record.isAtomic = shape.isAtomic;
  record.pipe = shape.pipe;
  record.level = shape.level;
  record.conflicts = shape.conflicts;
  record.bytes = shape.bytes;
  record.requests = shape.requests;
  record.hits = shape.hits;
  wave->operations = record.number + 1;
  sink.operation(record);
  return Error::success();
}

Error Reader::wait(uint8_t tag) {
  ExpectedWave *wave = waveOf(tag);
  if (!wave)
    return damage("a wait of a wave that isn't running");
  Wait record;
  record.wave = wave->wave;
  record.line = tag & as_expected::line ? wave->line : uint32_t(input.from(wave->line));
  if (record.line >= lines.size())
    return damage("a wait outside the code");
  record.arrived = tag & as_expected::time ? wave->arrived : input.from(wave->arrived);
  record.done = tag & as_expected::time ? wave->issued : input.from(record.arrived);
  const uint64_t count = input.number();
  if (count > maxWaited)
    return damage("a wait for " + Twine(count) + " operations");
  SmallVector<uint32_t, 64> operations(count);
  if (count)
    operations[0] = uint32_t(wave->operations - uint64_t(input.signedNumber()));
  for (size_t i = 1; i < count; ++i)
    operations[i] = tag & as_expected::rest ? operations[i - 1] + 1 : uint32_t(input.from(operations[i - 1]));
  if (input.overran())
    return Error::success();
  if (record.done < record.arrived)
    return damage("a wait that ends before it begins");
  if (record.done > latestTime)
    return lateTime();
  record.operations = operations;
  sink.wait(record);
  return Error::success();
}

Error Reader::record(uint8_t tag) {
  constexpr double longest = 1e15;
  switch (Record(tag & 7)) {
  case Record::Instruction: return instruction(tag);
  case Record::Operation: return operation(tag);
  case Record::Wait: return wait(tag);
  case Record::WaveBegin: return waveBegin();
  case Record::WaveEnd: return waveEnd();
  case Record::Finish:
    summary.cycles = input.number();
    summary.instructions = input.number();
    summary.waves = input.number();
    summary.workgroups = input.number();
    summary.whole = input.byte();
    if (version >= withAccuracy) {
      for (double *into : {&summary.microseconds, &summary.accuracy.least, &summary.accuracy.most})
        *into = bit_cast<double>(input.number());
      summary.accuracy.launches = unsigned(input.number());
      for (double value : {summary.microseconds, summary.accuracy.least, summary.accuracy.most})
        if (!(std::abs(value) <= longest))
          return damage("a time that no launch takes");
      if (const uint64_t bound = input.number(); bound < std::size(bounds))
        summary.accuracy.bound = bounds[bound];
    }
    if (version >= withUse)
      for (double *into : {&summary.use.launchMicroseconds, &summary.use.memory, &summary.use.l2})
        if (*into = bit_cast<double>(input.number()); !(std::abs(*into) <= longest))
          return damage("a share that no launch has");
    statedRecords = input.number();
    return Error::success();
  case Record::Count: break;
  }
  return damage("an unknown record");
}

Expected<Replayed> Reader::replay(bool partial) {
  if (Error error = input.open(path))
    return std::move(error);
  if (Error error = header())
    return std::move(error);
  Replayed result;
  while (true) {
    if (Error error = input.ensure())
      return std::move(error);
    result.bytes = input.offset();
    const bool ended = input.atEnd();
    const uint8_t tag = ended ? 0 : input.byte();
    Error error = ended ? Error::success() : record(tag);
    if (ended || input.overran()) {
      // Zeros after the end may look like anything.
      consumeError(std::move(error));
      if (!partial)
        return truncatedError(result.bytes);
      result.truncated = true;
      summary = {latest, instructions, wavesBegun, 0, false, 0, {}};
      break;
    }
    if (error)
      return std::move(error);
    if (Record(tag & 7) == Record::Finish) {
      if (statedRecords != result.records)
        return damage("a count of " + Twine(statedRecords) + " records where there were " + Twine(result.records));
      result.bytes = input.offset();
      break;
    }
    ++result.records;
  }
  sink.finish(summary);
  return result;
}

} // namespace

Expected<Replayed> replay(StringRef path, Sink &sink, bool partial) { return Reader(path, sink).replay(partial); }

bool looksLikeEvents(StringRef path) {
  EventInput input;
  if (Error error = input.open(path)) {
    consumeError(std::move(error));
    return false;
  }
  Expected<std::string> begin = input.text(magic.size());
  if (!begin) {
    consumeError(begin.takeError());
    return false;
  }
  return StringRef(*begin).starts_with(StringRef(magic).take_until([](char c) { return isdigit(c); }));
}

} // namespace inflight::events
