#include "compiler/regalloc/RegAlloc.h"

#include "compiler/regalloc/Assign.h"
#include "compiler/regalloc/Check.h"
#include "compiler/regalloc/EarlyReloads.h"
#include "compiler/regalloc/PressureRemarks.h"
#include "compiler/regalloc/Spill.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;

namespace inflight::lir {

char TooManySpills::ID;
void TooManySpills::log(raw_ostream &os) const { os << "more registers would be spilled than is allowed"; }

// Each round spills at least one cluster; a kernel that needs more is one that can't be compiled.
static constexpr unsigned maximumSpillRounds = 40;

/// Appends moves of physical registers that do the copy.
static void expandCopy(const Function &function, const Inst &inst, std::vector<Inst> &out) {
  using enum Mnemonic;
  const bool hasMov64 = !function.isa->encodings(v_mov_b64).empty();
  Reg to = inst.operands[0].reg, from = inst.operands[1].reg;
  const RegUnit toUnit = function.assignment[to.id] + to.sub, fromUnit = function.assignment[from.id] + from.sub;
  auto emit = [&](Mnemonic mnemonic, unsigned at, unsigned count) {
    Inst move =
        makeInst(*function.isa, mnemonic, {Operand::def(to.piece(at, count)), Operand::use(from.piece(at, count))});
    move.place = inst.place;
    move.origin = inst.origin;
    out.push_back(std::move(move));
  };
  // Overlapping ranges are moved from the end that isn't overwritten.
  const bool downwards = toUnit > fromUnit && toUnit < fromUnit + from.count;
  unsigned done = 0;
  while (done < to.count) {
    unsigned left = to.count - done;
    auto at = [&](unsigned count) { return downwards ? left - count : done; };
    bool pairAligned = left >= 2 && (toUnit + at(2)) % 2 == 0 && (fromUnit + at(2)) % 2 == 0 &&
                       !(downwards && toUnit - fromUnit < 2) &&
                       !(!downwards && fromUnit > toUnit && fromUnit - toUnit < 2);
    unsigned step = 1;
    if (isVgpr(toUnit)) {
      if (isAgpr(fromUnit)) {
        emit(v_accvgpr_read_b32, at(1), 1);
      } else if (pairAligned && isVgpr(fromUnit) && hasMov64) {
        emit(v_mov_b64, at(2), 2);
        step = 2;
      } else {
        emit(v_mov_b32, at(1), 1);
      }
    } else if (isAgpr(toUnit)) {
      emit(isAgpr(fromUnit) ? v_accvgpr_mov_b32 : v_accvgpr_write_b32, at(1), 1);
    } else if (isScalar(fromUnit)) {
      if (pairAligned) {
        emit(s_mov_b64, at(2), 2);
        step = 2;
      } else {
        emit(s_mov_b32, at(1), 1);
      }
    } else {
      emit(v_readfirstlane_b32, at(1), 1);
    }
    done += step;
  }
}

/// Splits COPY into moves of physical registers and drops those onto themselves.
static void expandPseudos(Function &function) {
  auto place = [&](Reg reg) { return RegUnit(function.assignment[reg.id] + reg.sub); };
  for (Block &block : function.blocks) {
    std::vector<Inst> out;
    out.reserve(block.insts.size());
    for (Inst &inst : block.insts) {
      if (inst.is(Pseudo::ImplicitDef))
        continue;
      if (!inst.isCopy()) {
        if (inst.is(Mnemonic::v_mov_b32) && isAgpr(place(inst.operands[0].reg)))
          setMnemonic(*function.isa, inst, Mnemonic::v_accvgpr_write_b32);
        out.push_back(std::move(inst));
        continue;
      }
      const Reg to = inst.operands[0].reg;
      if (place(to) != place(inst.operands[1].reg) && function.assignment[to.id] != regunit::None)
        expandCopy(function, inst, out);
    }
    block.insts = std::move(out);
  }
}

namespace {

/// The limits that the launch sets, and how far below them pressure is kept so that tuples find their places.
class Limits {
public:
  Limits(const Function &function, const RegAllocOptions &options) {
    const TargetInfo &target = function.isa->target();
    // All waves of a workgroup run on one CU at the same time.
    const unsigned groupWaves = divideCeil(std::max(function.maxWorkgroupSize, 1u), target.lanesPerWave);
    const unsigned waves =
        std::max<unsigned>(divideCeil(groupWaves, target.simdsPerCu), std::max(options.minWavesPerSimd, 1u));
    const unsigned total = target.vgprsForWaves(waves);
    files.sgprs = target.maxSgprs;
    files.vgprs = std::min(total, target.maxArchVgprs);
    // AGPRs follow the architectural registers in the one file: they only help where those don't take all of it.
    files.agprs = std::min(total - files.vgprs, target.maxAccVgprs);
    files = {std::min(files.sgprs, options.most.sgprs), std::min(files.vgprs, options.most.vgprs),
             std::min(files.agprs, options.most.agprs)};
  }

  const FileLimits &inAll() const { return files; }
  FileLimits withoutSlack() const {
    return {files.sgprs - slack[0], files.vgprs - slack[1], files.agprs - std::min(slack[2], files.agprs)};
  }
  /// Leaves more registers free in a file where so many 32-bit registers found no place. False if nothing is left.
  bool raiseSlack(RegFile file, unsigned failed) {
    constexpr unsigned share = 4, least = 2, most = 16;
    unsigned &value = slack[unsigned(file)];
    value += std::clamp(failed / share, least, most);
    return value < files.of(file);
  }

private:
  FileLimits files;
  unsigned slack[3] = {};
};

Error outOfRegisters(const Function &function, RegFile file, const FileLimits &limits) {
  if (file == RegFile::Sgpr)
    return makeError("kernel '" + function.name + "': needs more scalar registers than the " + Twine(limits.sgprs) +
                     " there are");
  return makeError("kernel '" + function.name + "': needs more vector registers than the " +
                   Twine(limits.vgprs + limits.agprs) + " that a workgroup of " + Twine(function.maxWorkgroupSize) +
                   " lanes leaves");
}

/// Lowers the pressure limit of each file in which clusters found no place, until that makes some leave.
Error makeRoom(Function &function, const Clusters &clusters, ArrayRef<unsigned> failed, Limits &limits,
               SpillLanes &lanes, bool sharesReloads) {
  unsigned pieces[3] = {};
  for (unsigned c : failed)
    pieces[unsigned(clusters.clusters[c].file)] += clusters.clusters[c].slots.size();
  for (;;) {
    SpillRoom room{{}, limits.withoutSlack(), sharesReloads};
    if (std::vector<Victim> victims = chooseVictims(function, clusters, room.limits, room.pressure); !victims.empty()) {
      spill(function, clusters, victims, lanes, room);
      return Error::success();
    }
    for (RegFile file : {RegFile::Sgpr, RegFile::Vgpr, RegFile::Agpr})
      if (pieces[unsigned(file)] && !limits.raiseSlack(file, pieces[unsigned(file)]))
        return outOfRegisters(function, file, limits.inAll());
  }
}

} // namespace

/// `backup` becomes what the function was before anything was spilled.
static Error allocate(Function &function, const RegAllocOptions &options, bool sharesReloads,
                      std::optional<Function> &backup) {
  Limits limits(function, options);
  SpillLanes lanes;
  for (unsigned round = 0; round < maximumSpillRounds; ++round) {
    eliminateDeadCode(function);
    Liveness liveness(function);
    if (!round && function.remarks.isWanted)
      remarkOnPressure(function, liveness);
    // Where registers don't suffice, arguments may leave the places that they were preloaded to.
    // Once something is spilled, gaps cost little more.
    Assignment assignment = assignRegisters(function, liveness, limits.inAll(), !round || !function.preloadedSgprs,
                                            options.triesOrders && !round);
    const Clusters &clusters = assignment.clusters;
    if (assignment.failed.empty()) {
      auto used = [&](RegFile file) { return assignment.files[unsigned(file)].usedCount(); };
      function.vgprsUsed = used(RegFile::Vgpr);
      function.agprsUsed = used(RegFile::Agpr);
      function.sgprsUsed = used(RegFile::Sgpr);
      if (round)
        hoistReloads(function, clusters, assignment.files, assignment.place);
      function.assignment = std::move(assignment.place);
      expandPseudos(function);
      return Error::success();
    }
    if (!backup)
      backup = function;
    if (Error error = makeRoom(function, clusters, assignment.failed, limits, lanes, sharesReloads))
      return error;
    // Later rounds only spill more.
    if (function.vgprSpills + function.sgprSpills > options.mostSpills)
      return make_error<TooManySpills>();
  }
  return makeError("kernel '" + function.name + "': spilling doesn't converge within " + Twine(limits.inAll().vgprs) +
                   " vector registers");
}

Error allocateRegisters(Function &function, const RegAllocOptions &options) {
  std::optional<AllocationChecker> checker;
  if (options.check)
    checker.emplace(function);
  std::optional<Function> backup;
  if (Error error = allocate(function, options, true, backup)) {
    // Temporaries of several uses can't be spilled: it is tried with one for each use.
    if (!backup || error.isA<TooManySpills>())
      return error;
    consumeError(std::move(error));
    function = *backup;
    if (Error without = allocate(function, options, false, backup))
      return without;
  }
  return checker ? checker->check(function) : Error::success();
}

} // namespace inflight::lir
