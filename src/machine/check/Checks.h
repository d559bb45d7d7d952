// All checks, in the order in which each event reaches them.
#pragma once

#include "machine/check/checks/AccessCheck.h"
#include "machine/check/checks/BarrierCheck.h"
#include "machine/check/checks/DelayedResults.h"
#include "machine/check/checks/HazardCheck.h"
#include "machine/check/checks/LateStoreCheck.h"
#include "machine/check/checks/LdsDmaCheck.h"
#include "machine/check/checks/NotedAccesses.h"
#include "machine/check/checks/RaceCheck.h"
#include "machine/check/checks/RegisterCheck.h"
#include "machine/check/checks/ScalarLoadCheck.h"
#include "machine/check/checks/Trace.h"
#include "machine/check/checks/UndefinedCheck.h"

namespace inflight::machine::check {

/// One object of each type, unless its isWanted() says no.
template <typename... Types> class CheckTable {
public:
  explicit CheckTable(Context &context LLVM_LIFETIME_BOUND) { (make<Types>(context), ...); }
  /// Tells each check of an event, by one of Check's functions.
  template <typename F> void each(F &&tell) { (tellOne<Types>(tell), ...); }
  /// Whether all say so; those after one that doesn't aren't asked.
  template <typename F> bool all(F &&ask) { return (askOne<Types>(ask) && ...); }

private:
  template <typename T> void make(Context &context) {
    if (T::isWanted(context))
      std::get<std::optional<T>>(table).emplace(context);
  }
  template <typename T, typename F> void tellOne(F &&tell) {
    if (std::optional<T> &check = std::get<std::optional<T>>(table))
      tell(*check);
  }
  template <typename T, typename F> bool askOne(F &&ask) {
    std::optional<T> &check = std::get<std::optional<T>>(table);
    return !check || ask(*check);
  }
  std::tuple<std::optional<Types>...> table;
};

// clang-format off
using Checks = CheckTable<
    Trace,          // first: the line of an instruction stands before what happens in it
    HazardCheck,
    BarrierCheck,
    AccessCheck,
    RegisterCheck,
    DelayedResults,
    LdsDmaCheck, ScalarLoadCheck,
    LateStoreCheck, // before what looks at memory: an access delivers earlier stores to its bytes
    UndefinedCheck,
    NotedAccesses,
    RaceCheck       // last: reports what racing loads bring after what nothing was written to
    >;
// clang-format on

} // namespace inflight::machine::check
