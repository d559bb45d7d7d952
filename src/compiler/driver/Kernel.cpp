#include "compiler/driver/Kernel.h"

#include "compiler/combine/Combine.h"
#include "compiler/driver/Candidates.h"
#include "compiler/emit/Emit.h"
#include "compiler/finish/Finish.h"
#include "compiler/lir/Verify.h"
#include "compiler/regalloc/RegAlloc.h"
#include "compiler/regalloc/Remake.h"
#include "compiler/schedule/Schedule.h"
#include "compiler/select/Select.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace inflight {

namespace {

constexpr StringLiteral passNames[] = {"select",   "dead-code",     "combine",         "merge-lds",
                                       "schedule", "regalloc",      "invert-branches", "scratch-prologue",
                                       "symbols",  "indexed-moves", "waits",           "branches"};

/// Runs the LIR passes by name, printing, timing and verifying as asked; debug builds always verify.
class LirPasses {
public:
  LirPasses(lir::Function &function, const CompileOptions &options) : function(function), options(options) {}

  Error run(StringRef name, function_ref<Error()> pass) {
    assert(is_contained(passNames, name) && "--print-after wouldn't know it");
    auto start = std::chrono::steady_clock::now();
    if (Error error = pass())
      return error;
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (options.timePasses)
      errs() << formatv("{0,10:f3} ms  {1} ({2})\n", time.count(), name, function.name);
    if (options.printAfterAll || is_contained(options.printAfter, name)) {
      errs() << "// -----// LIR after " << name << " //----- //\n";
      lir::print(function, errs());
    }
#ifdef NDEBUG
    if (!options.verifyEach)
      return Error::success();
#endif
    if (Error error = lir::verify(function))
      return makeError("after '" + name + "': " + toString(std::move(error)));
    return Error::success();
  }

private:
  lir::Function &function;
  const CompileOptions &options;
};

template <typename F> auto plain(F f) {
  return [f]() -> Error {
    f();
    return Error::success();
  };
}

/// Registers that another attempt than the best one may spill.
unsigned spillLimit(const std::optional<lir::Function> &best, unsigned mostSpills) {
  return best ? std::min(spillsToTry(best->vgprSpills + best->sgprSpills), mostSpills) : mostSpills;
}

/// Whether registers suffice for an order is known once they are assigned: where values were spilled, or fewer waves
/// fit than the order was made for, orders that leave more of them free are tried. What spills least, then what leaves
/// most waves, stays.
Expected<lir::Function> allocateInBestOrder(lir::Function function, mlir::LLVM::LLVMFuncOp source,
                                            const CompileOptions &options, unsigned mostSpills) {
  const TargetInfo &target = function.isa->target();
  unsigned minWaves = options.minWavesPerSimd;
  if (auto least = source->getAttrOfType<mlir::IntegerAttr>("rocdl.waves_per_eu"); least && !minWaves)
    minWaves = std::clamp<int64_t>(least.getInt(), 0, target.maxWavesPerSimd);
  const lir::FileLimits most{options.maxSgprs, options.maxVgprs, options.maxAgprs};
  unsigned wanted = 0; // waves
  auto allocate = [&](lir::Function ordered, unsigned spareShare, unsigned spills,
                      bool triesOrders) -> Expected<lir::Function> {
    LirPasses passes(ordered, options);
    auto schedule = [&]() -> Error {
      Expected<unsigned> waves = lir::scheduleInstructions(ordered, minWaves, spareShare);
      if (!waves)
        return waves.takeError();
      wanted = std::max(wanted, *waves);
      return Error::success();
    };
    if (options.schedule)
      if (Error error = passes.run("schedule", schedule))
        return std::move(error);
    const lir::RegAllocOptions allocation{minWaves, options.verifyEach, most, spills, triesOrders};
    if (Error error = passes.run("regalloc", [&] { return lir::allocateRegisters(ordered, allocation); }))
      return std::move(error);
    return std::move(ordered);
  };
  auto cost = [&](const lir::Function &ordered) { return costOf(ordered, wanted); };
  std::optional<lir::Function> best;
  auto attempt = [&](unsigned spareShare, bool triesOrders = false) -> Error {
    const unsigned spills = triesOrders ? 0 : spillLimit(best, mostSpills);
    Expected<lir::Function> other = allocate(function, spareShare, spills, triesOrders);
    if (!other)
      return other.takeError();
    if (!best || cost(*other) < cost(*best))
      best = std::move(*other);
    return Error::success();
  };
  if (Error error = attempt(lir::usualSpareShare)) {
    if (!error.isA<lir::TooManySpills>())
      return std::move(error);
    consumeError(std::move(error));
  }
  for (unsigned spareShare = lir::usualSpareShare / 2;
       options.schedule && (!best || cost(*best) > Cost()) && spareShare > 2; spareShare /= 2)
    consumeError(attempt(spareShare));
  // Where it is gaps alone that registers are short of, nothing has to be spilled.
  if (!best || cost(*best).spills())
    consumeError(attempt(lir::usualSpareShare, /*triesOrders=*/true));
  // What is made again isn't spilled; others may be then.
  constexpr unsigned mostRounds = 2;
  for (unsigned round = 0; best && cost(*best).reloads && round < mostRounds; ++round) {
    const Cost before = cost(*best);
    if (!lir::remakeSpilled(function, *best))
      break;
    consumeError(attempt(lir::usualSpareShare));
    if (cost(*best) >= before)
      break;
  }
  // An order that the source asks for isn't worth spilling.
  if (options.schedule && (!best || cost(*best).spills()) && lir::removeGroups(function))
    consumeError(attempt(lir::usualSpareShare));
  if (!best)
    return make_error<lir::TooManySpills>();
  return std::move(*best);
}

bool hasIndexedMoves(const lir::Function &function) {
  return any_of(function.blocks, [](const lir::Block &block) { return any_of(block.insts, lir::isIndexedMove); });
}

/// Selection to register allocation. An empty error has been reported through MLIR's diagnostics. `copies` becomes what
/// selection made use of.
Expected<lir::Function> allocateKernel(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options, LoopCopies &copies,
                                       unsigned mostSpills, Elements elements = Elements::Moved) {
  lir::Function function;
  function.remarks.isWanted = options.remarks;
  LirPasses passes(function, options);
  if (Error error = passes.run("select", [&]() -> Error {
        mlir::FailureOr<LoopCopies> made = selectInstructions(*options.isa, source, function, copies, elements);
        if (failed(made))
          return makeError("");
        copies = *made;
        return Error::success();
      }))
    return std::move(error);
  if (Error error = passes.run("dead-code", plain([&] {
                                 lir::removeDeadStores(function);
                                 lir::eliminateDeadCode(function);
                               })))
    return std::move(error);
  if (Error error = passes.run("combine", plain([&] {
                                 lir::combineInstructions(function);
                                 lir::eliminateDeadCode(function);
                               })))
    return std::move(error);
  bool makesBases = true;
  auto allocate = [&](lir::Function merged, unsigned spills) -> Expected<lir::Function> {
    if (Error error = LirPasses(merged, options).run("merge-lds", plain([&] {
                                                       makesBases = lir::mergeLdsAccesses(merged, makesBases);
                                                     })))
      return std::move(error);
    return allocateInBestOrder(std::move(merged), source, options, spills);
  };
  Expected<lir::Function> first = allocate(function, mostSpills);
  if (!makesBases || (first ? !costOf(*first).spills() : !first.errorIsA<lir::TooManySpills>()))
    return first;
  // Bases that are spilled cost more than the instructions that they save.
  makesBases = false;
  std::optional<lir::Function> best;
  if (first)
    best = std::move(*first);
  Expected<lir::Function> second = allocate(std::move(function), spillLimit(best, mostSpills));
  if (!best) {
    consumeError(first.takeError());
    return second;
  }
  if (!second)
    consumeError(second.takeError());
  else if (costOf(*second) < costOf(*best))
    return second;
  return std::move(*best);
}

/// What copies of iterations do to the registers is known once those are assigned: where values were spilled or
/// registers don't suffice, it is tried with fewer copies, and what spills least stays.
Expected<lir::Function> allocateWithBestCopies(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options,
                                               unsigned mostSpills) {
  std::optional<lir::Function> best;
  std::string message;
  bool anySpillsMore = false;
  std::optional<LoopCopies> tried;
  for (LoopCopies copies : {LoopCopies::All, LoopCopies::WholeLoops, LoopCopies::None}) {
    // Fewer are no others where those weren't made.
    if (tried && copies <= *tried)
      continue;
    Expected<lir::Function> function = allocateKernel(source, options, copies, spillLimit(best, mostSpills));
    tried = copies;
    if (!function) {
      anySpillsMore |= function.errorIsA<lir::TooManySpills>();
      message = toString(function.takeError());
      // What has been reported at an operation doesn't depend on copies.
      if (message.empty())
        break;
    } else if (!best || costOf(*function) < costOf(*best)) {
      best = std::move(*function);
    }
    if (best && !costOf(*best).spills())
      break;
  }
  // Vectors in one piece that are spilled cost more than choosing among their elements.
  if (best && costOf(*best).spills() && hasIndexedMoves(*best)) {
    LoopCopies copies = *tried;
    Expected<lir::Function> chosen =
        allocateKernel(source, options, copies, spillLimit(best, mostSpills), Elements::Chosen);
    if (!chosen)
      consumeError(chosen.takeError());
    else if (workOf(*chosen) < workOf(*best))
      best = std::move(*chosen);
  }
  if (best)
    return std::move(*best);
  if (anySpillsMore)
    return make_error<lir::TooManySpills>();
  return makeError(message);
}

} // namespace

Expected<lir::Function> compileKernel(mlir::LLVM::LLVMFuncOp source, const CompileOptions &options,
                                      unsigned mostSpills) {
  Expected<lir::Function> allocated = allocateWithBestCopies(source, options, mostSpills);
  if (!allocated)
    return allocated.takeError();
  lir::Function function = std::move(*allocated);
  LirPasses passes(function, options);
  if (Error error = passes.run("invert-branches", plain([&] { lir::invertBranches(function); })))
    return std::move(error);
  if (Error error = passes.run("scratch-prologue", plain([&] { lir::insertScratchPrologue(function); })))
    return std::move(error);
  if (Error error = passes.run("symbols", plain([&] { lir::expandSymbolAddresses(function); })))
    return std::move(error);
  if (Error error = passes.run("indexed-moves", plain([&] { lir::expandIndexedMoves(function); })))
    return std::move(error);
  if (Error error = passes.run("waits", [&] { return lir::insertWaits(function); }))
    return std::move(error);
  if (Error error = passes.run("branches", [&] { return lir::shortenBranches(function); }))
    return std::move(error);
  lir::remarkOnOccupancy(function);
  return std::move(function);
}

ArrayRef<StringLiteral> lirPassNames() { return passNames; }

} // namespace inflight
