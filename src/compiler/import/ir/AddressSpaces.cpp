// Generic pointers that are known to be of one address space: accesses through them are of that space.
//
// Clang's optimizer does so, but not across functions that it left for the code generator to call.
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/lanes/MemorySpaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// The pointer of a space that a generic one was made from; null if it wasn't.
Value *specific(Value *pointer) {
  auto *cast = dyn_cast<AddrSpaceCastInst>(pointer);
  return cast && cast->getDestAddressSpace() == flatSpace ? cast->getPointerOperand() : nullptr;
}

/// Makes instructions of constants as well.
using Builder = IRBuilder<NoFolder>;

class Spaces {
public:
  explicit Spaces(Function &function) : function(function) {}

  void run() {
    for (Instruction &inst : instructions(function))
      if (specific(&inst))
        casts.push_back(cast<AddrSpaceCastInst>(&inst));
    while (!casts.empty()) {
      AddrSpaceCastInst *made = casts.pop_back_val();
      SmallSetVector<Instruction *, 8> users; // some may use it twice, and don't outlive their first visit
      for (User *user : made->users())
        users.insert(cast<Instruction>(user));
      for (Instruction *user : users)
        for (Use &use : user->operands())
          if (use.get() == made && visit(use, made->getPointerOperand()))
            break;
      dead.push_back(made);
    }
    // Later ones use earlier ones.
    for (AddrSpaceCastInst *made : reverse(dead))
      if (made->use_empty())
        made->eraseFromParent();
  }

private:
  /// Whether the user is gone.
  bool visit(Use &use, Value *pointer) {
    auto *user = cast<Instruction>(use.getUser());
    const unsigned at = use.getOperandNo();
    if ((isa<LoadInst>(user) && at == LoadInst::getPointerOperandIndex()) ||
        (isa<StoreInst>(user) && at == StoreInst::getPointerOperandIndex()) ||
        (isa<AtomicRMWInst>(user) && at == AtomicRMWInst::getPointerOperandIndex()) ||
        (isa<AtomicCmpXchgInst>(user) && at == AtomicCmpXchgInst::getPointerOperandIndex())) {
      use.set(pointer);
    } else if (auto *gep = dyn_cast<GetElementPtrInst>(user); gep && at == 0 && !gep->getType()->isVectorTy()) {
      Builder builder(gep);
      const SmallVector<Value *> indices(gep->indices());
      replace(gep, builder.CreateGEP(gep->getSourceElementType(), pointer, indices, "", gep->getNoWrapFlags()));
      gep->eraseFromParent();
      return true;
    } else if (auto *select = dyn_cast<SelectInst>(user)) {
      Value *yes = specific(select->getTrueValue()), *no = specific(select->getFalseValue());
      if (yes && no && yes->getType() == no->getType()) {
        Builder builder(select);
        replace(select, builder.CreateSelect(select->getCondition(), yes, no));
      }
    } else if (auto *phi = dyn_cast<PHINode>(user)) {
      return visitPhi(*phi, pointer->getType());
    } else if (auto *back = dyn_cast<AddrSpaceCastInst>(user); back && back->getType() == pointer->getType()) {
      back->replaceAllUsesWith(pointer);
    }
    return false;
  }

  /// A phi of which all that comes in is of the space, itself and what is added to it in a loop left out.
  bool visitPhi(PHINode &phi, Type *type) {
    auto isItself = [&](Value *value) {
      auto *gep = dyn_cast<GetElementPtrInst>(value);
      return value == &phi || (gep && gep->getPointerOperand() == &phi);
    };
    SmallPtrSet<BasicBlock *, 4> blocks(phi.block_begin(), phi.block_end());
    if (blocks.size() != phi.getNumIncomingValues())
      return false; // one value for several edges
    for (Value *value : phi.incoming_values())
      if (Value *from = specific(value); !isItself(value) && (!from || from->getType() != type))
        return false;
    Builder builder(&phi);
    PHINode *made = builder.CreatePHI(type, phi.getNumIncomingValues());
    AddrSpaceCastInst *generic = replace(&phi, made, &*phi.getParent()->getFirstInsertionPt());
    // What comes from the loop is a cast of its own by the time that the uses have been visited.
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value *value = phi.getIncomingValue(i);
      Value *from = specific(value);
      if (value == generic)
        from = made;
      if (!from) {
        auto *gep = cast<GetElementPtrInst>(value);
        Builder atGep(gep);
        const SmallVector<Value *> indices(gep->indices());
        from = atGep.CreateGEP(gep->getSourceElementType(), made, indices, "", gep->getNoWrapFlags());
      }
      made->addIncoming(from, phi.getIncomingBlock(i));
    }
    phi.eraseFromParent();
    return true;
  }

  /// Instead of `old`: `made`, as a generic pointer where that is wanted.
  AddrSpaceCastInst *replace(Instruction *old, Value *made, Instruction *before = nullptr) {
    Builder builder(before ? before : old);
    auto *generic = cast<AddrSpaceCastInst>(builder.CreateAddrSpaceCast(made, old->getType()));
    old->replaceAllUsesWith(generic);
    casts.push_back(generic);
    return generic;
  }

  Function &function;
  SmallVector<AddrSpaceCastInst *> casts, dead;
};

/// Expressions in a constant that make generic pointers of another space's; of a number, too.
void collectCasts(Constant *constant, SmallPtrSetImpl<Constant *> &seen, SmallVectorImpl<Constant *> &casts) {
  if (isa<GlobalValue>(constant) || !seen.insert(constant).second)
    return;
  if (auto *cast = dyn_cast<AddrSpaceCastOperator>(constant); cast && cast->getDestAddressSpace() == flatSpace)
    casts.push_back(constant);
  for (Use &use : constant->operands())
    if (auto *part = dyn_cast<Constant>(use.get()))
      collectCasts(part, seen, casts);
}
} // namespace

void nameSpaces(Module &module) {
  SmallVector<Constant *> globals, casts;
  for (GlobalVariable &global : module.globals())
    globals.push_back(&global);
  convertUsersOfConstantsToInstructions(globals);
  SmallPtrSet<Constant *, 16> seen;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      for (Use &use : inst.operands())
        if (auto *constant = dyn_cast<Constant>(use.get()))
          collectCasts(constant, seen, casts);
  convertUsersOfConstantsToInstructions(casts, nullptr, true, /*IncludeSelf=*/true);
  for (Function &function : module)
    if (!function.isDeclaration())
      Spaces(function).run();
}

} // namespace inflight::import
