#include "isa/counters/Counters.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/DataFile.h"
#include "isa/chip/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight {

static constexpr std::pair<StringRef, OrderClass> classNames[] = {
    {"none", OrderClass::None},
    {"vmem", OrderClass::Vmem},
    {"lds_dma", OrderClass::LdsDma},
    {"flat", OrderClass::Flat},
    {"write_back", OrderClass::WriteBack},
    {"lds", OrderClass::Lds},
    {"smem", OrderClass::Smem},
    {"message", OrderClass::Message},
    {"store", OrderClass::Store},
    {"flat_store", OrderClass::FlatStore},
    {"sample", OrderClass::Sample},
    {"bvh", OrderClass::Bvh},
    {"lds_dma_store", OrderClass::LdsDmaStore},
    {"tensor", OrderClass::Tensor},
    {"tensor_store", OrderClass::TensorStore},
    {"valu", OrderClass::Valu},
    {"valu_double", OrderClass::ValuDouble},
    {"valu_trans", OrderClass::ValuTrans},
    {"valu_matrix", OrderClass::ValuMatrix},
    {"valu_any", OrderClass::ValuAny},
    {"lds_reads", OrderClass::LdsReads},
    {"flat_reads", OrderClass::FlatReads},
    {"buffer_reads", OrderClass::BufferReads},
};

static OrderClass moreGeneral(OrderClass order) {
  switch (order) {
  case OrderClass::Store:
  case OrderClass::Sample:
  case OrderClass::Bvh: return OrderClass::Vmem;
  case OrderClass::FlatStore: return OrderClass::Flat;
  case OrderClass::WriteBack: return OrderClass::Store;
  case OrderClass::LdsDmaStore:
  case OrderClass::Tensor:
  case OrderClass::TensorStore: return OrderClass::LdsDma;
  default: return order;
  }
}

static OrderClass orderOfMemory(const InstrDesc &desc) {
  const bool isStore = desc.mayStore && !desc.isAtomicRet && (!desc.mayLoad || desc.isAtomicNoRet);
  if (desc.isCountedTensor)
    return desc.isLdsStore ? OrderClass::TensorStore : OrderClass::Tensor;
  if (desc.isCountedAsync || desc.isLdsDma)
    return desc.isLdsStore ? OrderClass::LdsDmaStore : OrderClass::LdsDma;
  if (desc.isDs())
    return desc.isGws ? OrderClass::Message : OrderClass::Lds;
  if (desc.isRay)
    return OrderClass::Bvh;
  if (desc.takesSampler)
    return OrderClass::Sample;
  if (desc.isPrefetch)
    return OrderClass::None;
  if (desc.isGenericFlat())
    return isStore ? OrderClass::FlatStore : OrderClass::Flat;
  if (desc.writesBackVectorCache)
    return OrderClass::WriteBack;
  // Whether those of buffers count on every chip is not sure; nothing waits for it. global_inv counts as a load does
  // (LLVM, SIInsertWaitcnts.cpp, GLOBAL_INV_ACCESS).
  if (desc.invalidatesVectorCache && desc.format != Format::Flat)
    return OrderClass::None;
  return isStore ? OrderClass::Store : OrderClass::Vmem;
}

OrderClass CounterTable::orderOf(const InstrDesc &desc) const {
  if (desc.isVmem() || desc.isDs() || desc.format == Format::Image || desc.isCountedTensor)
    return classOf(orderOfMemory(desc));
  if (desc.isSmem())
    return desc.isPrefetch             ? OrderClass::None // from another address it is as good as none
           : desc.isScalarCacheControl ? OrderClass::Message
                                       : OrderClass::Smem;
  return desc.answersLate ? OrderClass::Message : OrderClass::None;
}

OrderClass CounterTable::registersOf(const InstrDesc &desc) const {
  if (!withAlu)
    return OrderClass::None;
  // LLVM, AMDGPUHWEvents.cpp, getExpertSchedulingEventType.
  if (desc.isWmma)
    return desc.isWmmaOfFloats ? OrderClass::ValuAny : OrderClass::ValuMatrix;
  if (desc.isValu())
    return desc.isTrans ? OrderClass::ValuTrans : desc.takesDoubles ? OrderClass::ValuDouble : OrderClass::Valu;
  if (desc.isDs())
    return OrderClass::LdsReads;
  // A prefetch from another address is as good as none.
  if (desc.isPrefetch)
    return OrderClass::None;
  if (desc.format == Format::Flat)
    return OrderClass::FlatReads;
  return desc.isVmem() || (desc.format == Format::Image && !desc.isCountedTensor) ? OrderClass::BufferReads
                                                                                  : OrderClass::None;
}

WaitCounts CounterTable::asEncoded(const WaitCounts &counts) const {
  // Of memory operations each counter has a field of its own.
  if (!counters.back().isOfAlu)
    return counts;
  WaitCounts least, all;
  for (Counter counter : this->all())
    least[firstOf(counter)] = std::min(least[firstOf(counter)], counts[counter]);
  for (Counter counter : this->all())
    all[counter] = least[firstOf(counter)];
  return all;
}

OrderClass CounterTable::classOf(OrderClass order) const {
  while (!counts(order) && moreGeneral(order) != order)
    order = moreGeneral(order);
  return order;
}

StringRef orderClassName(OrderClass order) {
  for (const auto &[name, known] : classNames)
    if (known == order)
      return name;
  return "";
}

static std::optional<OrderClass> classOf(StringRef name) {
  for (const auto &[known, order] : classNames)
    if (known == name && order != OrderClass::None)
      return order;
  return std::nullopt;
}

/// False when the list isn't one of classes, or names one twice.
static bool readClasses(CounterInfo &info, const json::Object &object, StringRef key, Completion completion) {
  const json::Value *value = object.get(key);
  if (!value)
    return true;
  const json::Array *list = value->getAsArray();
  if (!list)
    return false;
  for (const json::Value &name : *list) {
    const std::optional<OrderClass> order = classOf(name.getAsString().value_or(""));
    if (!order || info.counts(*order))
      return false;
    info.completion[unsigned(*order)] = completion;
  }
  return true;
}

static bool readCounter(CounterInfo &info, const json::Object *object) {
  if (!object)
    return false;
  const std::optional<StringRef> name = object->getString("name");
  const std::optional<int64_t> maximum = object->getInteger("value");
  const std::optional<bool> stopsIssue = object->getBoolean("stops_issue");
  // Ages are followed up to 254.
  if (!name || !maximum || *maximum < 1 || *maximum > 128 || !stopsIssue || !object->getString("source"))
    return false;
  info.name = name->str();
  info.maximum = *maximum;
  info.stopsIssue = *stopsIssue;
  const std::optional<StringRef> what = object->getString("of");
  info.isOfSources = what.has_value();
  return (!what || *what == "sources") && readClasses(info, *object, "in_order", Completion::InOrder) &&
         readClasses(info, *object, "out_of_order", Completion::OutOfOrder) &&
         readClasses(info, *object, "after_older", Completion::AfterOlder);
}

/// One for each queue of each kind of register that the counter holds.
static bool readQueues(SmallVectorImpl<CounterInfo> &counters, const json::Object *object) {
  const json::Array *queues = object ? object->getArray("queues") : nullptr;
  const json::Array *holds = object ? object->getArray("holds") : nullptr;
  const json::Object *most = object ? object->getObject("most_in_flight") : nullptr;
  if (!queues || !holds || !object->getObject("unchecked_in") || !most || !most->getInteger("value"))
    return false;
  for (const json::Value &held : *holds)
    for (const json::Value &queue : *queues) {
      CounterInfo &info = counters.emplace_back();
      const json::Object order{{"in_order", queue}};
      if ((held != "sources" && held != "results") || !readCounter(info, object) ||
          !readClasses(info, order, "in_order", Completion::InOrder))
        return false;
      info.isOfSources = held == "sources";
      info.isOfAlu = true;
      info.mostInFlight = *most->getInteger("value");
    }
  return true;
}

/// Of each counter the first that the same field of a wait means.
static void findFirst(MutableArrayRef<CounterInfo> counters) {
  for (CounterInfo &info : counters)
    info.afterFirst = &info - find_if(counters, [&](const CounterInfo &c) { return c.name == info.name; });
}

/// The counters of the file, and those of the ALUs' registers after them.
static Error load(CounterTable &table, CounterTable &withAlu, StringRef chip) {
  const std::string file = ("targets/" + chip + ".json").str();
  Expected<json::Value> document = parseNumbers(file);
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const json::Array *list = object ? object->getArray("counters") : nullptr;
  if (!list || list->empty())
    return makeError("data/" + file + ": missing or bad entry 'counters'");
  for (const auto &[number, value] : enumerate(*list))
    if (!readCounter(table.counters.emplace_back(), value.getAsObject()))
      return makeError("data/" + file + ": bad entry " + std::to_string(number + 1) + " of 'counters'");
  if (table.counters.size() > maximumMemoryCounters)
    return makeError("data/" + file + ": too many counters of memory operations");
  withAlu.counters = table.counters;
  if (const json::Object *scope = object->getObject("write_back_scope"))
    table.writeBackScope = scope->getInteger("value").value_or(0);
  if (const json::Array *alu = object->getArray("alu_counters"))
    for (const auto &[number, value] : enumerate(*alu)) {
      if (!readQueues(withAlu.counters, value.getAsObject()))
        return makeError("data/" + file + ": bad entry " + std::to_string(number + 1) + " of 'alu_counters'");
      table.uncheckedMode = value.getAsObject()->getObject("unchecked_in")->getInteger("value").value_or(0);
    }
  if (withAlu.counters.size() > maximumCounters)
    return makeError("data/" + file + ": too many counters");
  findFirst(table.counters);
  findFirst(withAlu.counters);
  for (const auto &[name, order] : classNames)
    if (order != OrderClass::None && order != OrderClass::Sample && order != OrderClass::Bvh && !isLdsDma(order) &&
        order < OrderClass::Valu && !table.counts(table.classOf(order)))
      return makeError("data/" + file + ": no counter counts '" + name + "'");
  Expected<WaitEncoding> encoding = WaitEncoding::make(withAlu.counters);
  if (!encoding)
    return makeError("data/" + file + ": " + toString(encoding.takeError()));
  table.encoding = withAlu.encoding = std::move(*encoding);
  return Error::success();
}

static Error load(CounterTable &table, StringRef chip) {
  auto withAlu = std::make_shared<CounterTable>();
  if (Error error = load(table, *withAlu, chip))
    return error;
  withAlu->uncheckedMode = table.uncheckedMode;
  withAlu->writeBackScope = table.writeBackScope;
  if (withAlu->counters.size() > table.counters.size())
    table.withAlu = std::move(withAlu);
  return Error::success();
}

Expected<const CounterTable *> CounterTable::get(StringRef chip) {
  return byChip<CounterTable>(chip, [&](CounterTable &table) { return load(table, chip); });
}

CounterSet CounterTable::raisedBy(const InstrDesc &desc) const {
  CounterSet raised = 0;
  for (Counter counter : all())
    if (desc.invalidatesVectorCache ? counter == of(OrderClass::Vmem) : (*this)[counter].counts(desc.order))
      raised |= setOf(counter);
  return raised;
}

std::string CounterTable::names(CounterSet set) const {
  std::string names;
  forEach(set, [&](Counter counter) { names += (names.empty() ? "" : " and ") + (*this)[counter].name; });
  return names;
}

std::string CounterTable::text(const WaitCounts &counts) const {
  std::string text;
  const WaitCounts encoded = asEncoded(counts);
  for (Counter counter : all())
    if (!encoded[counter].isNone() && firstOf(counter) == counter)
      text += (text.empty() ? "" : " ") + (*this)[counter].name + "(" + std::to_string(encoded[counter].value()) + ")";
  return text;
}

} // namespace inflight
