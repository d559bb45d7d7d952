// The counters by which a wave waits for its operations. Which there are and what they count is data of the chip:
// data/targets/CHIP.json, "counters".
#pragma once

#include "isa/counters/WaitEncoding.h"
#include "isa/instr/InstrDesc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <memory>

namespace inflight {

/// How a counter's operations of one class finish.
enum class Completion : uint8_t {
  NotCounted,
  InOrder,    ///< in the order of issue, with those of the counter's other classes that do
  OutOfOrder, ///< in no order: done when the counter is 0
  AfterOlder, ///< not before those in order that were issued before; those issued later count as if it weren't there
};

/// One counter of a chip.
struct CounterInfo {
  std::string name;        ///< as assembled: "vmcnt"
  unsigned maximum = 0;    ///< a wait for that many or more waits for nothing
  bool stopsIssue = false; ///< nothing is issued that would be counted beyond `maximum` and one more
  std::array<Completion, orderClassCount> completion{}; ///< by OrderClass
  /// Counts how long operations may read their registers (again); the others count them until they are done.
  bool isOfSources = false;
  /// Counts how long VGPRs are read and written; the hardware waits for it by itself unless it is told not to.
  bool isOfAlu = false;
  unsigned mostInFlight = 0; ///< isOfAlu: behind so many in its queue an operation is done, as far as is known of times
  uint8_t afterFirst = 0;    ///< so many places before it is the first of those that one field of a wait means

  /// "vm" of "vmcnt".
  llvm::StringRef shortName() const LLVM_LIFETIME_BOUND {
    return llvm::StringRef(name).drop_back(llvm::StringRef(name).ends_with("cnt") ? 3 : 0);
  }
  Completion of(OrderClass order) const { return completion[unsigned(order)]; }
  bool isInOrder(OrderClass order) const { return of(order) == Completion::InOrder; }
  bool counts(OrderClass order) const { return of(order) != Completion::NotCounted; }
  /// Whether some of its operations write registers when they are done.
  bool hasResults() const {
    return !isOfSources && llvm::any_of(llvm::seq(0u, unsigned(completion.size())), [&](unsigned order) {
      return counts(OrderClass(order)) && OrderClass(order) != OrderClass::WriteBack &&
             OrderClass(order) != OrderClass::Store && OrderClass(order) != OrderClass::FlatStore &&
             !isLdsDma(OrderClass(order));
    });
  }
  bool isOfVectorAlu() const {
    return isOfAlu && llvm::any_of(llvm::seq(unsigned(OrderClass::Valu), unsigned(OrderClass::ValuAny)),
                                   [&](unsigned order) { return counts(OrderClass(order)); });
  }
  bool hasInOrder() const { return llvm::is_contained(completion, Completion::InOrder); }
  /// The wait for an operation that so many younger ones of its order followed. None when the counter's range alone
  /// says that it is done; of a counter that isn't known to stop issue, the largest value that waits at all.
  WaitCount countFor(unsigned age) const {
    if (age >= maximum)
      return stopsIssue ? WaitCount::none() : WaitCount(maximum - 1);
    return WaitCount(age);
  }
  /// The most operations in order that there may be, as far as the counter tells.
  unsigned mostOutstanding() const { return maximum + stopsIssue; }
};

/// A chip's counters of memory operations.
struct CounterTable {
  llvm::SmallVector<CounterInfo, 2> counters;
  WaitEncoding encoding;
  /// These and, after them, one for each queue of the counters of the ALUs' registers, which matter where the hardware
  /// doesn't look at them; null: the chip always does.
  std::shared_ptr<const CounterTable> withAlu;
  unsigned writeBackScope = 0; ///< the least scope at which a write-back of caches does anything
  unsigned uncheckedMode = 0;  ///< that value of DEP_MODE in SCHED_MODE says so

  const CounterInfo &operator[](Counter counter) const LLVM_LIFETIME_BOUND { return counters[unsigned(counter)]; }
  auto all() const {
    return llvm::enum_seq(Counter(0), Counter(counters.size()), llvm::force_iteration_on_noniterable_enum);
  }
  /// Those of memory operations alone.
  auto ofMemory() const {
    size_t count = counters.size();
    while (count && counters[count - 1].isOfAlu)
      --count;
    return llvm::enum_seq(Counter(0), Counter(count), llvm::force_iteration_on_noniterable_enum);
  }
  /// The first of those that one field of a wait means, all as much.
  Counter firstOf(Counter counter) const { return Counter(unsigned(counter) - (*this)[counter].afterFirst); }
  /// The first that counts operations of the class until they are done; the chip has to have such operations.
  Counter of(OrderClass order) const {
    for (Counter counter : all())
      if ((*this)[counter].counts(order) && !(*this)[counter].isOfSources)
        return counter;
    return Counter(0);
  }
  OrderClass orderOf(const InstrDesc &desc) const;
  /// How the counters of the ALUs' registers know an instruction: none on chips that always look at them.
  OrderClass registersOf(const InstrDesc &desc) const;
  /// What the wait instructions for these counts wait for: all queues of a field as much as any of them.
  WaitCounts asEncoded(const WaitCounts &counts) const;
  /// The class by which the chip's counters know such operations: the same, or a more general one.
  OrderClass classOf(OrderClass order) const;
  /// Whether it can be known when operations of the class are done.
  bool counts(OrderClass order) const { return (*this)[of(order)].counts(order); }

  /// The counters that the instruction raises. Whether those count what makes caches forget on every chip is not sure:
  /// nothing waits for it (OrderClass::None).
  CounterSet raisedBy(const InstrDesc &desc) const;
  /// Of all queues that one field of a wait means, `first` among them.
  template <typename T> T sumOf(Counter first, const PerCounter<T> &values) const {
    T sum{};
    for (Counter counter : all())
      sum += firstOf(counter) == first ? values[counter] : T{};
    return sum;
  }
  /// "vmcnt(3) lgkmcnt(0)"; empty for a wait for nothing.
  std::string text(const WaitCounts &counts) const;

  /// "vmcnt and lgkmcnt".
  std::string names(CounterSet set) const;

  /// The chip's table. An error names the data file.
  static llvm::Expected<const CounterTable *> get(llvm::StringRef chip);
};

/// "vmem" and so on, as data files and listings have it.
llvm::StringRef orderClassName(OrderClass order);

} // namespace inflight
