#include "machine/check/Hazards.h"

#include "program/Decoder.h"
#include "llvm/ADT/Hashing.h"

using namespace llvm;

namespace inflight::machine::check {

/// An instruction has at most 4 slots and gives at least one wait state.
static constexpr unsigned maximumSlots = 4;
/// The key of a path without a jump near enough; others are larger.
static constexpr uint32_t straightKey = 1;

void HazardFacts::place(uint32_t index, unsigned slots, hazards::Access access) {
  accesses.push_back(std::move(access));
  places[index].access = accesses.size();
  if (index + slots < places.size())
    places[index + slots].back = slots;
}

Expected<HazardFacts> HazardFacts::find(const CodeObject &object, const Code &code) {
  Expected<const Isa *> isa = Isa::get(object.chip());
  if (!isa)
    return isa.takeError();
  Expected<const hazards::HazardTable *> table = hazards::HazardTable::get(**isa);
  if (!table)
    return table.takeError();
  HazardFacts result;
  result.rules = *table;
  result.places.resize(code.end() - code.begin());
  Decoder decoder(**isa);
  ArrayRef<uint8_t> text = object.text();
  MCInst inst;
  for (const Op *op = code.begin(); op < code.end() - 1; op += op->slots) {
    const uint32_t index = op - code.begin();
    if (decoder.decode(text.drop_front(4 * size_t(index)), object.textAddress() + 4 * uint64_t(index), inst))
      result.place(index, op->slots, (*table)->accessOf(**isa, inst));
  }
  return result;
}

HazardFacts::HazardFacts(const hazards::HazardTable &table, std::vector<hazards::Access> list, ArrayRef<unsigned> slots) : rules(&table) {
  size_t total = 0;
  for (unsigned count : slots)
    total += count;
  places.resize(total);
  uint32_t index = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    place(index, slots[i], std::move(list[i]));
    index += slots[i];
  }
}

Hazards::Hazards(const HazardFacts &facts) : facts(facts), judgedKey(facts.size(), 0) {}

void Hazards::begin(unsigned waves) {
  paths.resize(std::max<size_t>(paths.size(), waves));
  for (Path &path : paths) {
    path.isStarted = false;
    path.next = ~0u;
    path.before.clear();
  }
}

void Hazards::jump(Path &path, uint32_t index) {
  const unsigned reach = maximumSlots * facts.table().maximumDistance();
  if (path.isStarted)
    path.before.push_back({path.begin, path.last});
  path.isStarted = true;
  path.begin = index;
  // Segments that are too far back are forgotten, and what is left is the key.
  unsigned covered = 0;
  size_t kept = 0;
  hash_code hash = hash_value(index); // where an indirect jump has come to
  while (kept < path.before.size() && covered < reach) {
    const Segment &segment = path.before[path.before.size() - ++kept];
    covered += segment.last - segment.begin + 1;
    // Where the oldest one began is out of reach.
    hash = hash_combine(hash, segment.last, covered < reach ? segment.begin : ~0u);
  }
  path.before.erase(path.before.begin(), path.before.end() - kept);
  path.key = std::max(uint32_t(size_t(hash)), straightKey + 1);
}

void Hazards::judge(Path &path, uint32_t index, function_ref<void(const MissingStates &)> report) {
  const unsigned maximum = facts.table().maximumDistance();
  if (path.key != straightKey && index - path.begin >= maximumSlots * maximum) {
    path.key = straightKey;
    path.before.clear();
    if (judgedKey[index] == path.key)
      return;
  }
  const hazards::Access *consumer = facts.at(index);
  uint32_t at = index, begin = path.begin;
  size_t segments = path.before.size();
  hazards::Between between;
  for (unsigned found = 0; consumer && consumer->consumerRules && found < maximum;) {
    if (at != begin) {
      const unsigned back = facts.slotsBack(at);
      if (!back)
        break;
      at -= back;
    } else {
      if (!segments)
        break;
      const Segment &segment = path.before[--segments];
      at = segment.last;
      begin = segment.begin;
    }
    const hazards::Access *producer = facts.at(at);
    if (!producer)
      break;
    if (producer->reach > found) {
      hazards::HazardTable::Requirement required = facts.table().required(*producer, *consumer, between);
      if (required.states > found)
        report({at, index, required.states, found, required.rule});
    }
    found += producer->waitStates;
    between.add(*producer);
  }
  judgedKey[index] = path.key;
}

} // namespace inflight::machine::check
