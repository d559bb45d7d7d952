// Private variables that never live at the same time share their bytes: what inlined functions and blocks of the source
// keep on the stack. When they live, markers say, which are gone afterwards. After SROA: what is a value has no bytes.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/Analysis/StackLifetime.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// Bytes that variables share.
struct Slot {
  AllocaInst *memory; ///< the largest of them
  StackLifetime::LiveRange live;
};
} // namespace

static uint64_t bytesOf(const AllocaInst &variable) { return *variable.getAllocationSize(variable.getDataLayout()); }

static void shareAmong(ArrayRef<AllocaInst *> variables, const StackLifetime &lifetime) {
  std::vector<Slot> slots;
  for (AllocaInst *variable : variables) {
    const StackLifetime::LiveRange &live = lifetime.getLiveRange(variable);
    auto slot = find_if(slots, [&](const Slot &other) { return !other.live.overlaps(live); });
    if (slot == slots.end()) {
      slots.push_back({variable, live});
      continue;
    }
    slot->live.join(live);
    slot->memory->setAlignment(std::max(slot->memory->getAlign(), variable->getAlign()));
    variable->replaceAllUsesWith(slot->memory);
    variable->eraseFromParent();
  }
  for (const Slot &slot : slots)
    slot.memory->moveBefore(slot.memory->getFunction()->getEntryBlock().getFirstNonPHIIt());
}

void shareStack(Function &kernel) {
  SmallVector<AllocaInst *> variables;
  SmallVector<Instruction *> markers;
  for (Instruction &inst : instructions(kernel)) {
    if (inst.isLifetimeStartOrEnd())
      markers.push_back(&inst);
    auto *variable = dyn_cast<AllocaInst>(&inst);
    if (variable && variable->isStaticAlloca() && variable->getAllocationSize(variable->getDataLayout()))
      variables.push_back(variable);
  }
  if (variables.size() > 1 && !markers.empty()) {
    stable_sort(variables, [](AllocaInst *a, AllocaInst *b) { return bytesOf(*a) > bytesOf(*b); });
    SmallVector<const AllocaInst *> known(variables.begin(), variables.end());
    StackLifetime lifetime(kernel, known, StackLifetime::LivenessType::May);
    lifetime.run();
    shareAmong(variables, lifetime);
  }
  for (Instruction *marker : markers)
    marker->eraseFromParent();
}

} // namespace inflight::import
