#include "machine/debug/StopJson.h"

#include "machine/debug/ValueText.h"
#include "support/files/Npy.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace inflight::machine::debug {

/// JSON has no numbers for what is none.
static json::Value element(StringRef type, const uint8_t *from, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  if (type.empty() || type.starts_with("u"))
    return bits;
  if (type.starts_with("i"))
    return SignExtend64(bits, 8 * bytes);
  const Array one{type.str(), {1}, std::vector<uint8_t>(from, from + bytes)};
  const double value = elementAsDouble(one, 0);
  if (std::isfinite(value))
    return value;
  return elementText(type, bits, bytes);
}

/// Of consecutive bytes.
static json::Array elements(StringRef type, ArrayRef<uint8_t> bytes, unsigned size) {
  json::Array list;
  for (size_t at = 0; at + size <= bytes.size(); at += size)
    list.push_back(element(type, bytes.data() + at, size));
  return list;
}

/// An object for each vector register, or pair of them; a list of `values` has a lane's elements one after the other.
static void addVector(json::Array &list, const Value &value, unsigned size) {
  const unsigned registers = std::max(1u, size / 4);
  for (unsigned first = 0; first + registers <= value.registers.count; first += registers) {
    std::vector<uint8_t> bytes;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      for (unsigned i = 0; i < registers; ++i) {
        const uint8_t *from = value.bytes.data() + 4 * (size_t(first + i) * Lanes + lane);
        bytes.insert(bytes.end(), from, from + 4);
      }
    json::Object object{{"register", regName({RegUnit(value.registers.first + first), uint16_t(registers)})},
                        {"values", elements(value.type, bytes, size)}};
    if (!value.type.empty())
      object["type"] = value.type;
    list.push_back(std::move(object));
  }
}

static void add(json::Array &list, const Value &value) {
  const unsigned size = value.type.empty() && value.isPair ? 4 : value.elementSize();
  if (value.kind == Value::Kind::Vector)
    return addVector(list, value, size);
  const bool isMemory = value.kind == Value::Kind::Memory;
  json::Object object;
  if (isMemory) {
    object["memory"] = value.name;
    object["begin"] = value.begin;
    object["end"] = value.begin + value.bytes.size();
  } else {
    object["register"] = value.name;
  }
  object["values"] = elements(value.type, value.bytes, size);
  if (!value.type.empty() || size == 1)
    object["type"] = value.type.empty() ? "u8" : value.type;
  list.push_back(std::move(object));
}

static StringRef reasonName(StopReason reason) {
  switch (reason) {
  case StopReason::Break: return "break";
  case StopReason::End: return "end";
  case StopReason::Fault: return "fault";
  }
  return "";
}

static json::Array lanesArray(uint64_t lanes) {
  json::Array list;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (lanes >> lane & 1)
      list.push_back(lane);
  return list;
}

static void addPlace(json::Object &object, const CodePlace &place) {
  object["address"] = place.address;
  object["instruction"] = place.instruction;
  if (place.source.file.empty())
    return;
  object["file"] = place.source.file;
  object["line"] = place.source.line;
  if (place.source.column)
    object["column"] = place.source.column;
}

static void addWriter(json::Object &object, const Writer &writer, uint64_t lanes, const CodePlace &place) {
  object["workgroup"] = json::Array{writer.workgroup[0], writer.workgroup[1], writer.workgroup[2]};
  object["wave"] = writer.wave;
  if (lanes)
    object["lanes"] = lanesArray(lanes);
  addPlace(object, place);
}

static json::Object writeObject(const WriteRecord &write, bool isLds) {
  json::Array cells;
  for (const WrittenCell &cell : write.cells) {
    json::Object object{{"begin", cell.offset},
                        {"lanes", lanesArray(cell.lanes)},
                        {"before", elements("", cell.before, 1)},
                        {"after", elements("", cell.after, 1)}};
    if (isLds && !cell.wasWritten)
      object["before"] = nullptr;
    cells.push_back(std::move(object));
  }
  json::Object object{{"atomic", write.isAtomic}, {"bytes", std::move(cells)}};
  addWriter(object, write, 0, write.place);
  return object;
}

json::Object watchObject(const WatchReport &watch) {
  json::Array last, lastWritten;
  for (const WriteRecord &write : watch.last)
    last.push_back(writeObject(write, watch.range.isLds));
  for (const LastWritten &piece : watch.lastWritten) {
    json::Object object{{"begin", piece.begin}, {"end", piece.end}};
    if (piece.op)
      addWriter(object, piece, piece.lanes, piece.place);
    lastWritten.push_back(std::move(object));
  }
  json::Object object{{"memory", watch.range.name}, {"begin", watch.range.begin},
                      {"end", watch.range.end},     {"writes", watch.writes},
                      {"last", std::move(last)},    {"last_written", std::move(lastWritten)}};
  if (watch.range.isLds)
    object["workgroup"] = json::Array{watch.workgroup[0], watch.workgroup[1], watch.workgroup[2]};
  return object;
}

json::Object stopObject(const Stop &stop) {
  json::Object object{{"reason", reasonName(stop.reason)},
                      {"workgroup", json::Array{stop.workgroup[0], stop.workgroup[1], stop.workgroup[2]}},
                      {"wave", stop.wave},
                      {"exec", stop.exec},
                      {"vcc", stop.vcc},
                      {"scc", stop.scc},
                      {"m0", stop.m0}};
  if (stop.reason != StopReason::Fault) {
    object["break"] = stop.place;
    object["hit"] = stop.hit;
  }
  addPlace(object, stop.at);
  json::Array reads, writes, dumped;
  for (const Value &value : stop.operands) {
    if (value.isRead)
      add(reads, value);
    if (value.isWritten)
      add(writes, value);
  }
  for (const Value &value : stop.dumped)
    add(dumped, value);
  object["reads"] = std::move(reads);
  object["writes"] = std::move(writes);
  if (!dumped.empty())
    object["dump"] = std::move(dumped);
  if (!stop.watches.empty()) {
    json::Array watches;
    for (const WatchReport &watch : stop.watches)
      watches.push_back(watchObject(watch));
    object["watches"] = std::move(watches);
  }
  return object;
}

} // namespace inflight::machine::debug
