#include "compiler/loops/copies/CostModel.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Slices.h"
#include "compiler/lanes/Words.h"
#include "compiler/loops/Matrix.h"
#include "compiler/loops/copies/MergeSteps.h"
#include "compiler/loops/copies/PipelineLoop.h"
#include "isa/chip/TargetInfo.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;

namespace inflight::loops {

CostModel::CostModel(const TargetInfo &target, const timing::Device &device, const timing::TimingData &data)
    : target(target),
      data(data),
      l2Bytes(data.l2BytesOfUnit(device)),
      l2Slices(device.l2Slices),
      backBytes(device.fabricWriteGBytes * 1e3 / device.clockMHz) {}

/// Of a load of so many bytes per lane: of L2 or of the unit's address unit. `lineParts`: L2 gives so many times what
/// is used.
unsigned CostModel::loadCycles(unsigned laneBytes, unsigned lineParts) const {
  return std::max(data.textureAddressCycles, unsigned(waveLanes * laneBytes / l2Bytes) * lineParts);
}

unsigned CostModel::copyCycles(unsigned laneBytes, unsigned lineParts) const {
  return std::max(data.ldsDmaCycles, loadCycles(laneBytes, lineParts));
}

unsigned CostModel::spread(unsigned waves) const { return std::max(1u, target.simdsPerCu / std::max(1u, waves)); }

std::pair<StringRef, unsigned> IterationCost::bound() const {
  const std::pair<StringRef, unsigned> pipes[] = {{"MFMA", matrix}, {"VALU", valu}, {"LDS", lds}, {"L2", l2}};
  return *llvm::max_element(pipes, [](const auto &a, const auto &b) { return a.second < b.second; });
}

/// As the instruction's name has it.
static std::string nameOf(Type element) {
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType>(element))
    return "fp8";
  if (isa<Float8E5M2Type, Float8E5M2FNUZType>(element))
    return "bf8";
  // Printing a type takes as long as all else that is done for the instruction.
  if (element.isF16() || element.isF32() || element.isF64())
    return "f" + std::to_string(element.getIntOrFloatBitWidth());
  if (element.isBF16())
    return "bf16";
  if (element.isSignlessInteger())
    return "i" + std::to_string(element.getIntOrFloatBitWidth());
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return name;
}

/// Least passes of a matrix instruction; 0 for anything else.
static unsigned passesOf(Operation *op, const MatrixPasses &passes) {
  if (auto scaled = dyn_cast<amdgpu::ScaledMFMAOp>(op)) {
    auto isNarrow = [](Value factor) { return getElementTypeOrSelf(factor).getIntOrFloatBitWidth() < 8; };
    return passes.of(llvm::formatv("v_mfma_f32_{0}x{1}x{2}_f8f6f4", scaled.getM(), scaled.getN(), scaled.getK()).str(),
                     isNarrow(scaled.getSourceA()) && isNarrow(scaled.getSourceB()));
  }
  if (auto matrix = dyn_cast<amdgpu::MFMAOp>(op)) {
    const std::string a = nameOf(getElementTypeOrSelf(matrix.getSourceA()));
    const std::string b = nameOf(getElementTypeOrSelf(matrix.getSourceB()));
    const std::string sum = nameOf(getElementTypeOrSelf(matrix.getDestC()));
    // On some chips bfloats have instructions of that suffix alone.
    const bool isEightBits = StringRef(a).ends_with("f8") || a == "fp8";
    const std::string types = isEightBits ? a + "_" + b : a == "bf16" ? a + "_1k" : a;
    const std::string start = ("v_mfma_" + sum + "_" + Twine(matrix.getM()) + "x" + Twine(matrix.getN()) + "x").str();
    auto nameWith = [&](unsigned depth, StringRef types) { return (start + Twine(depth) + "_" + types).str(); };
    unsigned least = passes.of(nameWith(matrix.getK(), types));
    // Several may become one of the chip's deeper instructions (WidenMatrix).
    constexpr unsigned deepest = 4;
    for (unsigned times = 2; times <= deepest; times *= 2)
      for (StringRef of : {StringRef(types), StringRef("f8f6f4")})
        if (const std::string name = nameWith(matrix.getK() * times, of);
            (of == types || isEightBits) && passes.knows(name))
          least = std::min(least, passes.of(name) / times);
    return least;
  }
  if (!isMatrix(op))
    return 0;
  // rocdl.mfma.f32.16x16x16f16
  std::string name = "v_" + op->getName().stripDialect().str();
  llvm::replace(name, '.', '_');
  return passes.of(name);
}

/// What an operation loads from, whatever is masked of it; null if it is no load.
static Value loadedMemory(Operation *op) {
  if (std::optional<lanes::Access> access = lanes::accessOf(op))
    return access->isStore ? Value() : access->memref;
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return isa<MemRefType>(read.getShapedType()) ? read.getBase() : Value();
  auto load = dyn_cast<vector::MaskedLoadOp>(op);
  return load ? load.getBase() : Value();
}

/// Whether an iteration may leave it out.
static bool isInBranch(Operation *op) {
  Operation *parent = op->getParentOp();
  while (parent && !isa<scf::ForOp, scf::IfOp>(parent))
    parent = parent->getParentOp();
  return isa_and_nonnull<scf::IfOp>(parent);
}

void CostModel::add(Operation *op, unsigned waves, IterationCost &cost) const {
  if (const unsigned count = passesOf(op, *data.passes)) {
    cost.matrix += count * cyclesPerPass * waves / target.simdsPerCu;
  } else if (Value memory = loadedMemory(op); memory && !isLds(memory)) {
    if (addressSpaceOf(memory) != privateSpace)
      cost.l2 += loadCycles(elementBytes(op->getResult(0).getType())) * waves;
  } else if (std::optional<lanes::Access> access = lanes::accessOf(op)) {
    if (isLds(access->memref))
      cost.lds += data.lds->of(access->isStore, elementBytes(access->type)).groups * waves;
  } else if (op->getNumResults() && isMemoryEffectFree(op) &&
             isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
             !op->hasTrait<OpTrait::ConstantLike>() && !getElementTypeOrSelf(op->getResult(0)).isIndex() &&
             !isInBranch(op)) {
    cost.valu += countWords(op->getResultTypes()) * data.issueSlot * waves / target.simdsPerCu;
  }
}

IterationCost CostModel::of(scf::ForOp loop, unsigned waves) const {
  IterationCost cost;
  loop.getBody()->walk([&](Operation *op) { add(op, waves, cost); });
  return cost;
}

/// The bound of a launch. With n iterations of a workgroup, w workgroups, and u of them on the unit that has most, it
/// takes at least start + u n iteration + end of the matrix cores and LDS: they do no more in a cycle, whichever
/// workgroups' work it is, and the first product waits for data that no cache has. Of L2, which units share, it is w n
/// divided by the units. Sums are complete in the last iteration, so that all that is stored comes after n - 1
/// iterations of some workgroup at least, atomic sums in L2 as well: start + (n - 1) alone + max(u store, all bytes /
/// l2Bytes - burst) + end. After the longest of these, when all waves have ended, L2 writes back what it keeps of the
/// results: kept bytes / backBytes. Arguments aren't waited for, as they can be there when waves start. Loads of single
/// elements aren't counted: lanes may share what they bring.
LaunchCost CostModel::launchOf(gpu::GPUFuncOp kernel, scf::ForOp loop, unsigned waves) const {
  constexpr unsigned wholePercent = 100, widest = 16;
  LaunchCost cost;
  cost.start =
      data.waveStart + data.memoryLatency * (wholePercent - data.memorySharedPercent) / wholePercent + data.ldsLatency;
  cost.end = data.l2Latency + data.waveEndAfterStore;
  cost.l2Bytes = data.l2WriteBytesPerCycle * l2Slices;
  cost.burst = data.l2WriteBurst;
  cost.keptBytes = uint64_t(data.l2Bytes) * l2Slices;
  cost.backBytes = unsigned(std::ceil(backBytes));
  const double ofLds = double(data.lds->of(false, widest).groups) / widest;
  double lds = 0, loaded = 0;
  loop.getBody()->walk([&](Operation *op) {
    if (const unsigned count = passesOf(op, *data.passes)) {
      cost.iteration.matrix += count * cyclesPerPass * waves;
    } else if (Value memory = loadedMemory(op); memory && !isLds(memory)) {
      if (Type type = op->getResult(0).getType(); isa<VectorType>(type) && isGlobal(memory, Global::Any))
        loaded += double(elementBytes(type)) * waveLanes * waves;
    } else if (std::optional<lanes::Access> access = lanes::accessOf(op)) {
      if (isLds(access->memref))
        lds += elementBytes(access->type) * ofLds * waves;
    }
  });
  cost.iteration.lds = unsigned(lds);
  cost.iteration.l2 = unsigned(loaded / l2Bytes);
  IterationCost alone = cost.iteration;
  alone.matrix /= std::min(waves, target.simdsPerCu);
  alone.l2 = unsigned(loaded / std::max<double>(l2Bytes, data.l2CuBytesPerCycle));
  cost.iteration.matrix /= target.simdsPerCu;
  cost.alone = alone.bound().second;
  for (Operation &op : kernel.getBody().front()) {
    std::optional<lanes::Access> access = lanes::accessOf(&op);
    auto atomic = dyn_cast<memref::AtomicRMWOp>(op);
    if (access ? access->isStore && isGlobal(access->memref, Global::Any)
               : atomic && isGlobal(atomic.getMemref(), Global::Any))
      cost.storedBytes += uint64_t(elementBytes(access ? access->type : atomic.getType())) * waveLanes * waves;
  }
  cost.store = unsigned(cost.storedBytes / data.textureStoreBytes);
  return cost;
}

SmallVector<std::pair<StringRef, std::string>> LaunchCost::parts() const {
  return {{"String", "a launch takes at least "},
          {"Start", std::to_string(start)},
          {"String", " cycles before its first product; an iteration MFMA "},
          {"Matrix", std::to_string(iteration.matrix)},
          {"String", ", LDS "},
          {"Lds", std::to_string(iteration.lds)},
          {"String", " and, of all units, L2 "},
          {"L2", std::to_string(iteration.l2)},
          {"String", ", of a workgroup alone "},
          {"Alone", std::to_string(alone)},
          {"String", "; "},
          {"Store", std::to_string(store)},
          {"String", " to store the "},
          {"StoredBytes", std::to_string(storedBytes)},
          {"String", " bytes of its results, of which L2 takes "},
          {"L2Bytes", std::to_string(l2Bytes)},
          {"String", " a cycle from all units, those of "},
          {"Burst", std::to_string(burst)},
          {"String", " cycles at once, and writes back "},
          {"BackBytes", std::to_string(backBytes)},
          {"String", " a cycle of the last "},
          {"KeptBytes", std::to_string(keptBytes)},
          {"String", ", and "},
          {"End", std::to_string(end)},
          {"String", " after that"}};
}

/// How often L2 gives each line of a tile's rows: once, or in each of the iterations that use a part of it, if L1
/// doesn't keep what the unit's workgroups copy in one, and they don't load it at once.
unsigned CostModel::linePartsOf(const LoopPlan &plan, const Tile &tile, unsigned workgroups, unsigned merged,
                                unsigned split) const {
  const unsigned row = bytesOfRow(plan.loop, tile, plan.lanes) * merged / split;
  if (!row || row >= data.l2Line || !plan.together.loads.empty())
    return 1;
  const unsigned parts = data.l2Line / row;
  return uint64_t(stageBytes(plan)) * merged / split * parts * workgroups <= data.l1Bytes ? 1 : parts;
}

IterationCost CostModel::of(const LoopPlan &plan, unsigned workgroups, unsigned merged, unsigned split) const {
  const unsigned waves = plan.lanes / waveLanes;
  IterationCost cost = plan.asWritten ? *plan.asWritten : of(plan.loop.loop, waves), replaced;
  for (auto [tile, layout] : llvm::zip(plan.loop.tiles, plan.layouts)) {
    for (const TileStore &store : ArrayRef(tile.stores).drop_front(layout.stores.size())) {
      add(store.op, waves, replaced);
      add(store.load, waves, replaced);
    }
    cost.lds += layout.conflicts + layout.copies.size() * data.lds->of(true, layout.dmaBytes).groups * waves;
    const unsigned lineParts = linePartsOf(plan, tile, workgroups, merged, split);
    cost.l2 += layout.copies.size() * copyCycles(layout.dmaBytes, lineParts) * waves;
    // Those that lanes store themselves are loaded as they are written.
    for (const TileStore &store : ArrayRef(tile.stores).take_front(layout.stores.size()))
      cost.l2 += (loadCycles(store.bytes, lineParts) - loadCycles(store.bytes)) * waves;
  }
  cost.lds -= std::min(cost.lds, replaced.lds);
  cost.l2 -= std::min(cost.l2, replaced.l2);
  for (unsigned *cycles : {&cost.matrix, &cost.valu, &cost.lds, &cost.l2})
    *cycles *= merged;
  return cost;
}

/// The scheduler moves copies up to the barrier before them, and that, if it is a second one, up to the reads. A
/// workgroup alone on its unit waits for the slowest of its copies, that of what no cache has; several have work for
/// the unit while one of them waits. Not where they compute functions: a workgroup has the vector units busy then, or
/// the matrix cores, and what it lacks for one of them the others have no second share of.
int64_t CostModel::early(const LoopPlan &plan, const LoopSchedule &schedule, const IterationCost &cost,
                         unsigned workgroups) const {
  using Kind = Action::Kind;
  unsigned copies = 0;
  for (const TileLayout &layout : plan.layouts)
    copies += layout.copies.size();
  const int64_t iteration =
      std::max(int64_t(cost.bound().second) * workgroups, int64_t(cost.matrix) * spread(plan.lanes / waveLanes));
  const bool isHidden = workgroups > 1 && !hasFunctions(plan.loop.loop);
  const unsigned latency = isHidden ? data.vmemLatency : data.memoryLatency;
  int64_t least = std::numeric_limits<int64_t>::max();
  bool isComputed = false, isAfterSecond = false;
  const auto stage = llvm::find_if(schedule.iteration, [](const Action &action) { return action.kind == Kind::Stage; });
  for (const Action &action : schedule.iteration) {
    if (action.kind == Kind::Fetch)
      least = std::min(least, int64_t(action.later - stage->later) * iteration - int64_t(latency));
    isComputed |= action.kind == Kind::Compute;
    isAfterSecond |= isComputed && action.kind == Kind::Barrier;
    if (action.kind != Kind::Copy)
      continue;
    const unsigned part = std::min(action.end, copies) - action.begin;
    const int64_t arrival = latency + uint64_t(cost.l2) * part / std::max(copies, 1u);
    least = std::min(least, int64_t(action.later - isAfterSecond) * iteration - arrival);
  }
  return least;
}

/// Cycles that a unit takes for an iteration of one of its workgroups: of the pipe that they keep busy longest, or of
/// one workgroup's pipes one after the other, while the others do the same.
uint64_t CostModel::cyclesOf(const IterationCost &cost, unsigned waves, unsigned inTurn, unsigned workgroups) const {
  return std::max(cost.bound().second, ((cost.matrix + cost.valu) * spread(waves) + cost.lds + inTurn) / workgroups);
}

/// Copies that come late are waited for in turn.
uint64_t CostModel::cyclesOf(const LoopPlan &plan, const IterationCost &cost, unsigned workgroups) const {
  const int64_t late = std::max<int64_t>(0, -early(plan, chooseSchedule(plan), cost, workgroups));
  return cyclesOf(cost, plan.lanes / waveLanes, late, workgroups);
}

/// `plan`: with buffers.
uint64_t CostModel::cyclesOf(const LoopPlan &plan, unsigned workgroups, unsigned merged) const {
  return cyclesOf(plan, merged ? of(plan, workgroups, merged) : of(plan), workgroups);
}

uint64_t CostModel::cyclesOfHalves(LoopPlan plan, unsigned stages, unsigned workgroups) const {
  constexpr unsigned split = 2;
  plan.together = {};
  IterationCost cost = of(plan, workgroups, 1, split);
  for (unsigned *cycles : {&cost.matrix, &cost.valu, &cost.lds, &cost.l2})
    *cycles /= split;
  plan.stages = stages;
  return split * cyclesOf(plan, cost, workgroups);
}

/// The loads' bytes are among the plan's costs as if they were all that L2 gives.
bool CostModel::paysTogether(const LoopPlan &plan, const SharedLines &shared, unsigned workgroups,
                             unsigned workgroupsTogether) const {
  unsigned used = 0;
  for (Operation *op : shared.loads)
    used += loadCycles(elementBytes(lanes::accessOf(op)->type)) * (plan.lanes / waveLanes);
  auto cyclesWith = [&](unsigned lines, unsigned workgroups) {
    IterationCost cost = of(plan);
    cost.l2 += std::max(used, unsigned(lines * data.l2Line / l2Bytes) / plan.stages) - used;
    return cyclesOf(plan, cost, workgroups);
  };
  return cyclesWith(shared.together, workgroupsTogether) < cyclesWith(shared.apart, workgroups);
}

bool hasFunctions(scf::ForOp loop) {
  return contains(loop, [](Operation *op) { return isa_and_nonnull<math::MathDialect>(op->getDialect()); });
}

uint64_t CostModel::cyclesAsWritten(const LoopPlan &plan, unsigned workgroups) const {
  const unsigned waves = plan.lanes / waveLanes;
  IterationCost cost = plan.asWritten ? *plan.asWritten : of(plan.loop.loop, waves);
  for (const TileLayout &layout : plan.layouts)
    cost.lds += layout.conflictsBefore;
  const unsigned latency = workgroups > 1 ? data.vmemLatency : data.memoryLatency;
  return cyclesOf(cost, waves, latency + cost.l2, workgroups);
}

bool CostModel::paysStaging(const LoopPlan &plan, unsigned workgroups, unsigned workgroupsAsWritten) const {
  // Beside functions of one wave the matrix cores and LDS wait for another wave.
  if (hasFunctions(plan.loop.loop) && workgroups < workgroupsAsWritten)
    return false;
  return cyclesOf(plan, workgroups) < cyclesAsWritten(plan, workgroupsAsWritten);
}

unsigned CostModel::chooseStagedBuffers(LoopPlan &plan, function_ref<unsigned(unsigned)> workgroups,
                                        unsigned workgroupsAsWritten, unsigned merged) const {
  // The costs don't know how long functions take. What more workgroups compute hides copies into one buffer, and what
  // is loaded for a second one takes registers from the functions.
  if (hasFunctions(plan.loop.loop)) {
    const unsigned usual = chooseBuffers(plan, of(plan), workgroups);
    return workgroups(1) > std::max(workgroups(usual), workgroupsAsWritten) ? 1 : usual;
  }
  unsigned best = 0;
  uint64_t least = 0;
  // Of equal ones two, with which what is stored needn't wait for reads.
  for (unsigned stages : {2, 3, 1}) {
    plan.stages = stages;
    if (!workgroups(stages))
      continue;
    if (const uint64_t cycles = cyclesOf(plan, workgroups(stages), merged); !best || cycles < least) {
      best = stages;
      least = cycles;
    }
  }
  return best;
}

/// One buffer is the last resort: its copies are always late. Beside functions of one workgroup another one keeps the
/// matrix cores busy, which is worth more than copies in time.
unsigned CostModel::chooseBuffers(LoopPlan &plan, const IterationCost &cost,
                                  llvm::function_ref<unsigned(unsigned)> workgroups) const {
  constexpr unsigned fewest = 2, most = 3;
  unsigned best = workgroups(1) ? 1 : 0;
  int64_t earliest = std::numeric_limits<int64_t>::min();
  const bool keepsWorkgroups = hasFunctions(plan.loop.loop);
  for (unsigned stages = fewest; stages <= most && workgroups(stages) && earliest < 0; ++stages) {
    if (keepsWorkgroups && stages > fewest && workgroups(stages) < workgroups(best))
      break;
    plan.stages = stages;
    if (const int64_t early = this->early(plan, chooseSchedule(plan), cost, workgroups(stages)); early > earliest) {
      best = stages;
      earliest = early;
    }
  }
  return best;
}

} // namespace inflight::loops
