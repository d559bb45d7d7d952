// Generic pointers that may be of LDS or of private memory: accesses through them are FLAT instructions, which look at
// the address, or branches to accesses of each space where FLAT has no such instruction.
//
// A generic address is of global memory unless a pointer of LDS or of private memory was made one. Those are followed
// through address arithmetic, phis and selects. One that is stored, or becomes a number, may be each generic pointer
// that is loaded or made of a number. Everything else is of global memory, as arguments of kernels are: LDS and private
// memory begin with the workgroup and the lane, so that nobody could have given their addresses.
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/lanes/MemorySpaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// Beside global memory.
enum MaySpace : unsigned { MayBeLds = 1, MayBePrivate = 2 };

bool isGeneric(const Type *type) { return type->isPointerTy() && type->getPointerAddressSpace() == flatSpace; }
bool isNarrow(unsigned space) { return space == ldsSpace || space == privateSpace; }
unsigned maySpace(unsigned space) { return space == ldsSpace ? MayBeLds : space == privateSpace ? MayBePrivate : 0; }

bool isQuestion(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && (call->getIntrinsicID() == Intrinsic::amdgcn_is_shared ||
                  call->getIntrinsicID() == Intrinsic::amdgcn_is_private);
}

/// Where generic pointers of a function may lead.
class MaySpaces {
public:
  explicit MaySpaces(Function &function) : function(function) {
    for (Instruction &inst : instructions(function))
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&inst); cast && isGeneric(cast->getType()))
        add(cast, maySpace(cast->getSrcAddressSpace()));
    while (!worklist.empty())
      visitUsers(*worklist.pop_back_val());
  }

  unsigned of(const Value *pointer) const { return spaces.lookup(pointer); }

private:
  void add(Value *pointer, unsigned more) {
    unsigned &known = spaces[pointer];
    if ((known | more) == known)
      return;
    known |= more;
    worklist.insert(pointer);
  }

  void visitUsers(Value &pointer) {
    const unsigned mine = of(&pointer);
    for (Use &use : pointer.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(user) && isGeneric(user->getType()))
        add(user, mine);
      else if (!isHarmless(*user, use.getOperandNo()))
        escape(mine);
    }
  }

  /// What doesn't hand the pointer on.
  static bool isHarmless(const Instruction &user, unsigned operand) {
    if (isa<LoadInst, ICmpInst, AddrSpaceCastInst>(user) || isQuestion(user))
      return true;
    if (isa<StoreInst>(user))
      return operand == StoreInst::getPointerOperandIndex();
    if (isa<AtomicRMWInst>(user))
      return operand == AtomicRMWInst::getPointerOperandIndex();
    if (isa<AtomicCmpXchgInst>(user))
      return operand == AtomicCmpXchgInst::getPointerOperandIndex();
    auto *call = dyn_cast<IntrinsicInst>(&user);
    return call && (call->isAssumeLikeIntrinsic() || call->isLifetimeStartOrEnd());
  }

  /// Such a pointer is somewhere, so that what comes from anywhere may be it.
  void escape(unsigned mine) {
    if ((escaped | mine) == escaped)
      return;
    escaped |= mine;
    for (Instruction &inst : instructions(function))
      if (isGeneric(inst.getType()) &&
          !isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst, AddrSpaceCastInst, AllocaInst>(inst))
        add(&inst, escaped);
  }

  Function &function;
  DenseMap<const Value *, unsigned> spaces;
  SmallSetVector<Value *, 16> worklist;
  unsigned escaped = 0;
};

class GenericAccesses {
public:
  explicit GenericAccesses(Function &function) : function(function), spaces(function) {}

  void run() {
    SmallVector<std::pair<Instruction *, unsigned>> accesses;
    for (Instruction &inst : instructions(function))
      if (const Value *pointer = pointerOf(inst))
        if (const unsigned may = spaces.of(pointer))
          accesses.emplace_back(&inst, may);
    for (auto [inst, may] : accesses)
      if (!makeFlat(*inst))
        dispatch(*inst, may);
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&inst);
          cast && isGeneric(cast->getOperand(0)->getType()) && isNarrow(cast->getDestAddressSpace()))
        narrow(*cast);
  }

private:
  static Value *pointerOf(Instruction &inst) {
    Value *pointer = const_cast<Value *>(getLoadStorePointerOperand(&inst));
    if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
      pointer = update->getPointerOperand();
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
      pointer = exchange->getPointerOperand();
    return pointer && isGeneric(pointer->getType()) ? pointer : nullptr;
  }

  /// What FLAT instructions call so many bytes, of a load or of a store; empty if they don't move so many.
  static StringRef sizeName(uint64_t bytes, bool isLoad) {
    switch (bytes) {
    case 1: return isLoad ? "ubyte" : "byte";
    case 2: return isLoad ? "ushort" : "short";
    case 4: return "dword";
    case 8: return "dwordx2";
    case 12: return "dwordx3";
    case 16: return "dwordx4";
    default: return "";
    }
  }

  /// A plain load or store of so many bytes as one instruction; whether there is one.
  bool makeFlat(Instruction &inst) {
    auto *load = dyn_cast<LoadInst>(&inst);
    auto *store = dyn_cast<StoreInst>(&inst);
    if ((!load || !load->isSimple()) && (!store || !store->isSimple()))
      return false;
    Type *type = getLoadStoreType(&inst);
    const DataLayout &layout = inst.getDataLayout();
    const uint64_t bytes = layout.getTypeStoreSize(type);
    const StringRef size = sizeName(bytes, load);
    if (size.empty() || type->isAggregateType() || layout.getTypeSizeInBits(type) != 8 * bytes ||
        getLoadStoreAlignment(&inst).value() < std::min<uint64_t>(bytes, 4))
      return false;
    IRBuilder<> builder(&inst);
    // Registers hold words.
    Type *word = builder.getInt32Ty();
    Type *moved = bytes > 4 ? FixedVectorType::get(word, bytes / 4) : word;
    Type *bits = bytes > 4 ? moved : builder.getIntNTy(8 * bytes);
    Value *pointer = pointerOf(inst);
    if (load) {
      auto *assembly = InlineAsm::get(FunctionType::get(moved, {pointer->getType()}, false),
                                      ("flat_load_" + size + " $0, $1").str(), "=v,v,~{memory}", true);
      Value *value = builder.CreateTrunc(builder.CreateCall(assembly, {pointer}), bits);
      load->replaceAllUsesWith(fromBits(builder, value, type));
    } else {
      auto *assembly = InlineAsm::get(FunctionType::get(builder.getVoidTy(), {pointer->getType(), moved}, false),
                                      ("flat_store_" + size + " $0, $1").str(), "v,v,~{memory}", true);
      Value *value = builder.CreateZExt(toBits(builder, store->getValueOperand(), bits), moved);
      builder.CreateCall(assembly, {pointer, value});
    }
    inst.eraseFromParent();
    return true;
  }

  /// The integers that pointers of `type`, alone or in a vector, are; null if it isn't one of pointers.
  static Type *numbersOf(const DataLayout &layout, Type *type) {
    return type->isPtrOrPtrVectorTy() ? layout.getIntPtrType(type) : nullptr;
  }
  static Value *fromBits(IRBuilder<> &builder, Value *bits, Type *type) {
    if (Type *numbers = numbersOf(builder.GetInsertBlock()->getDataLayout(), type))
      return builder.CreateIntToPtr(builder.CreateBitCast(bits, numbers), type);
    return builder.CreateBitCast(bits, type);
  }
  static Value *toBits(IRBuilder<> &builder, Value *value, Type *bits) {
    if (Type *numbers = numbersOf(builder.GetInsertBlock()->getDataLayout(), value->getType()))
      value = builder.CreatePtrToInt(value, numbers);
    return builder.CreateBitCast(value, bits);
  }

  /// Branches to an access of each space that it may be.
  void dispatch(Instruction &access, unsigned may) {
    Value *pointer = pointerOf(access);
    BasicBlock *head = access.getParent(), *tail = head->splitBasicBlock(&access);
    head->getTerminator()->eraseFromParent();
    SmallVector<Instruction *> made;
    for (auto [space, question] :
         {std::pair(ldsSpace, Intrinsic::amdgcn_is_shared), std::pair(privateSpace, Intrinsic::amdgcn_is_private)}) {
      if (!(may & maySpace(space)))
        continue;
      auto *yes = BasicBlock::Create(function.getContext(), "", &function, tail);
      auto *no = BasicBlock::Create(function.getContext(), "", &function, tail);
      IRBuilder<> builder(head);
      builder.SetCurrentDebugLocation(access.getDebugLoc());
      builder.CreateCondBr(builder.CreateIntrinsic(question, {}, {pointer}), yes, no);
      made.push_back(accessIn(*yes, *tail, access, space));
      head = no;
    }
    made.push_back(accessIn(*head, *tail, access, globalSpace));
    if (!access.getType()->isVoidTy()) {
      IRBuilder<> builder(&access);
      PHINode *result = builder.CreatePHI(access.getType(), made.size());
      for (Instruction *one : made)
        result->addIncoming(one, one->getParent());
      access.replaceAllUsesWith(result);
    }
    access.eraseFromParent();
  }

  /// The access, of this space, in a block that goes on to `next`.
  static Instruction *accessIn(BasicBlock &block, BasicBlock &next, Instruction &access, unsigned space) {
    IRBuilder<> builder(&block);
    builder.SetCurrentDebugLocation(access.getDebugLoc());
    Value *pointer = pointerOf(access);
    Type *type = PointerType::get(block.getContext(), space);
    Value *specific = isNarrow(space) ? offsetIn(builder, pointer, type) : builder.CreateAddrSpaceCast(pointer, type);
    Instruction *made = builder.Insert(access.clone());
    for (Use &use : made->operands())
      if (use.get() == pointer && isPointerOperand(*made, use.getOperandNo()))
        use.set(specific);
    // One lane's memory is in the order that the lane has.
    if (auto *load = dyn_cast<LoadInst>(made); load && space == privateSpace)
      load->setAtomic(AtomicOrdering::NotAtomic);
    if (auto *store = dyn_cast<StoreInst>(made); store && space == privateSpace)
      store->setAtomic(AtomicOrdering::NotAtomic);
    builder.CreateBr(&next);
    return made;
  }
  static bool isPointerOperand(const Instruction &access, unsigned operand) {
    return operand == (isa<StoreInst>(access) ? StoreInst::getPointerOperandIndex() : 0);
  }

  static Value *offsetIn(IRBuilder<> &builder, Value *pointer, Type *type) {
    Value *number = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
    return builder.CreateIntToPtr(builder.CreateTrunc(number, builder.getInt32Ty()), type);
  }

  /// The null pointers of LDS and of private memory are -1.
  static void narrow(AddrSpaceCastInst &cast) {
    IRBuilder<> builder(&cast);
    Value *number = builder.CreatePtrToInt(cast.getPointerOperand(), builder.getInt64Ty());
    Value *isNull = builder.CreateICmpEQ(number, builder.getInt64(0));
    Value *offset =
        builder.CreateSelect(isNull, builder.getInt32(~0u), builder.CreateTrunc(number, builder.getInt32Ty()));
    cast.replaceAllUsesWith(builder.CreateIntToPtr(offset, cast.getType()));
    cast.eraseFromParent();
  }

  Function &function;
  MaySpaces spaces;
};

/// Constants that are null pointers of one space, made from the generic one.
void expandNulls(Function &function) {
  for (Instruction &inst : instructions(function))
    for (Use &use : inst.operands()) {
      auto *cast = dyn_cast<ConstantExpr>(use.get());
      if (!cast || cast->getOpcode() != Instruction::AddrSpaceCast || !cast->getOperand(0)->isNullValue() ||
          !isGeneric(cast->getOperand(0)->getType()) || !isNarrow(cast->getType()->getPointerAddressSpace()))
        continue;
      use.set(ConstantExpr::getIntToPtr(ConstantInt::getSigned(Type::getInt32Ty(function.getContext()), -1),
                                        cast->getType()));
    }
}
} // namespace

void lowerGenericPointers(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration()) {
      expandNulls(function);
      GenericAccesses(function).run();
    }
}

} // namespace inflight::import
