// A check of a workgroup's run: an object that is told what happens.
//
// Checks.h is the table of all of them; each stands in a file of its own. An event that a check doesn't override costs
// it nothing: the table calls the classes themselves, which are final.
#pragma once

#include "machine/check/context/Context.h"

namespace inflight::machine::check {

class Check {
public:
  // Each class also has
  //   static bool isWanted(const Context &context);
  // A check that isn't is not made.
  explicit Check(Context &context LLVM_LIFETIME_BOUND) : context(context) {}

  /// A workgroup begins. Who wants `step` or `flow` says so in the context.
  virtual void begin(llvm::MutableArrayRef<Wave> waves) {}

  // Before an instruction executes, in this order.
  /// Each one, also those that a MODE skips. Has to be quick.
  virtual void reach(const Wave &wave, const Op &op, uint32_t index) {}
  /// One that neither waits nor is counted: false if `flow` is wanted for it. Has to be quick.
  virtual bool isSettled(const Wave &wave, uint32_t index) { return true; }
  /// Each one that executes, if the context says so.
  virtual void step(Wave &wave, const Op &op) {}
  /// Registers that it reads and writes, some of which loads may have yet to write.
  virtual void registers(Wave &wave, const Op &op, const OpFacts &f, llvm::ArrayRef<RegRange> reads,
                         llvm::ArrayRef<RegRange> writes) {}
  /// How bits flow through it. `executed`: with the registers that it has in this wave.
  virtual void flow(Wave &wave, const Op &op, const Op &executed, const Flow &flow) {}

  // Of an instruction that is counted, in this order.
  /// It is about to execute.
  virtual void prepare(Wave &wave, const Op &op, const OpFacts &f) {}
  /// One of its accesses, the context's last; most have not been done.
  virtual void access(Wave &wave, const AccessRecord &record) {}
  /// A scalar load, or a scalar store or atomic.
  virtual void scalarLoad(Wave &wave, uint64_t address, unsigned bytes) {}
  virtual void scalarStore(Wave &wave, uint64_t address, unsigned bytes) {}
  virtual void outOfLds(Wave &wave, uint64_t lanes) {}
  virtual void outOfBuffer(Wave &wave, const AccessObserver::OutOfBuffer &dropped) {}
  /// It has executed; the context has its accesses.
  virtual void executed(Wave &wave, const Op &op, const OpFacts &f) {}
  /// It is in flight from now on. Its accesses are still the context's.
  virtual void issued(Wave &wave, Pending &p) {}
  /// A wait has made sure of it, or so many younger ones have.
  virtual void retired(Wave &wave, Pending &p) {}

  /// All waves have come to a barrier, or ended.
  virtual void barrier(llvm::ArrayRef<Wave> waves) {}
  /// All waves have ended.
  virtual void end() {}
  /// An access outside every allocation ends the run.
  virtual void memoryFault(const Wave &wave) {}

protected:
  ~Check() = default;
  Context &context;
};

} // namespace inflight::machine::check
