#include "isa/counters/Counters.h"

#include "isa/chip/ByChip.h"
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
    return desc.isScalarCacheControl ? OrderClass::Message : OrderClass::Smem;
  return desc.answersLate ? OrderClass::Message : OrderClass::None;
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

static bool readCounter(CounterInfo &info, const json::Value &value) {
  const json::Object *object = value.getAsObject();
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

static Error load(CounterTable &table, StringRef chip) {
  const std::string file = ("targets/" + chip + ".json").str();
  Expected<json::Value> document = parseData(file);
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const json::Array *list = object ? object->getArray("counters") : nullptr;
  if (!list || list->empty() || list->size() > maximumCounters)
    return makeError("data/" + file + ": missing or bad entry 'counters'");
  for (const json::Value &value : *list)
    if (!readCounter(table.counters.emplace_back(), value))
      return makeError("data/" + file + ": bad entry " + std::to_string(table.counters.size()) + " of 'counters'");
  for (const auto &[name, order] : classNames)
    if (order != OrderClass::None && order != OrderClass::Sample && order != OrderClass::Bvh && !isLdsDma(order) &&
        !table.counts(table.classOf(order)))
      return makeError("data/" + file + ": no counter counts '" + name + "'");
  Expected<WaitEncoding> encoding = WaitEncoding::make(table.counters);
  if (!encoding)
    return makeError("data/" + file + ": " + toString(encoding.takeError()));
  table.encoding = std::move(*encoding);
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
  for (Counter counter : all())
    if (!counts[counter].isNone())
      text += (text.empty() ? "" : " ") + (*this)[counter].name + "(" + std::to_string(counts[counter].value()) + ")";
  return text;
}

} // namespace inflight
