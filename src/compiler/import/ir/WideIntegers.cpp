// Integers of other sizes than those of words and pairs of words, such as i128 and i48, are lists of pairs of words,
// the lowest bits first.
//
// The bits of the last pair above the integer's own are undefined: what depends on them clears them, or fills them with
// the sign, first.
#include "compiler/import/ir/Intrinsics.h"
#include "compiler/import/ir/LlvmIr.h"
#include "compiler/import/ir/WideArithmetic.h"

#include "compiler/lanes/MemorySpaces.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// More would be a large program for each operation.
constexpr unsigned mostBits = 1024;

class WideIntegers {
public:
  explicit WideIntegers(Function &function) : function(function), part(Type::getInt64Ty(function.getContext())) {}

  /// The instruction that isn't supported; null if there is none.
  Instruction *run() {
    SmallVector<PHINode *> vectors;
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      splitWideVector(inst);
      if (auto *phi = dyn_cast<PHINode>(&inst);
          phi && phi->getType()->isVectorTy() && isWide(phi->getType()->getScalarType()))
        vectors.push_back(phi);
    }
    for (PHINode *phi : vectors)
      if (bitsOf(phi) % partBits == 0)
        retype(*phi);
    if (none_of(instructions(function), concerns))
      return nullptr;
    expandQuotients();
    EliminateUnreachableBlocks(function);
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &inst : make_early_inc_range(*block))
        if (concerns(inst) && !lower(inst))
          return &inst;
    for (auto &[phi, made] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        for (auto [value, one] : zip_equal(partsOf(phi->getIncomingValue(i)), made))
          cast<PHINode>(one)->addIncoming(value, phi->getIncomingBlock(i));
    for (Instruction *inst : dead)
      inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
    for (Instruction *inst : dead)
      inst->eraseFromParent();
    for (Instruction *inst : lookedThrough)
      if (inst->use_empty())
        inst->eraseFromParent();
    return nullptr;
  }

private:
  static bool concerns(const Instruction &inst) {
    return isWide(inst.getType()) ||
           any_of(inst.operand_values(), [](const Value *operand) { return isWide(operand->getType()); });
  }

  /// Vectors of such integers that blocks hand on are vectors of their parts.
  void retype(PHINode &phi) {
    auto *type = cast<FixedVectorType>(phi.getType());
    auto *pairs = FixedVectorType::get(part, type->getNumElements() * countOf(bitsOf(&phi)));
    auto *made = PHINode::Create(pairs, phi.getNumIncomingValues(), "", phi.getIterator());
    IRBuilder<> builder(phi.getParent(), phi.getParent()->getFirstInsertionPt());
    auto *same = cast<BitCastInst>(builder.CreateBitCast(made, type));
    for (auto [value, block] : zip_equal(phi.incoming_values(), phi.blocks())) {
      builder.SetInsertPoint(block->getTerminator());
      Value *source = value;
      if (auto *cast = dyn_cast<BitCastInst>(source)) {
        lookedThrough.insert(cast);
        source = cast->getOperand(0);
      }
      made->addIncoming(source->getType() == pairs ? source : builder.CreateBitCast(source, pairs), block);
    }
    phi.replaceAllUsesWith(same);
    phi.eraseFromParent();
    lookedThrough.insert(same);
    for (User *user : make_early_inc_range(same->users()))
      if (auto *cast = dyn_cast<BitCastInst>(user))
        cast->setOperand(0, made);
  }

  /// By loops of LLVM's, which end in shifts and sums.
  void expandQuotients() {
    SmallVector<BinaryOperator *> quotients;
    for (Instruction &inst : instructions(function))
      if (auto *binary = dyn_cast<BinaryOperator>(&inst);
          binary && binary->isIntDivRem() && isWide(binary->getType()) && bitsOf(binary) > partBits)
        quotients.push_back(binary);
    for (BinaryOperator *one : quotients)
      if (one->getOpcode() == Instruction::UDiv || one->getOpcode() == Instruction::SDiv)
        expandDivision(one);
      else
        expandRemainder(one);
  }

  Constant *number(uint64_t value) const { return ConstantInt::get(part, value); }

  Parts partsOf(Value *value) {
    const unsigned count = countOf(bitsOf(value));
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
      Parts parts;
      const APInt bits = constant->getValue().zext(count * partBits);
      for (unsigned i = 0; i < count; ++i)
        parts.push_back(number(bits.extractBitsAsZExtValue(partBits, i * partBits)));
      return parts;
    }
    if (isa<UndefValue>(value))
      return Parts(count, isa<PoisonValue>(value) ? PoisonValue::get(part) : UndefValue::get(part));
    return known.lookup(value);
  }

  /// With the bits above the integer's own.
  Parts filled(IRBuilder<> &builder, Value *value, bool isSigned) {
    Parts parts = isWide(value->getType()) ? partsOf(value) : Parts{value};
    if (const unsigned used = bitsOf(value) % partBits) {
      Value *&last = parts.back();
      if (last->getType() != part)
        last = isSigned ? builder.CreateSExt(last, part) : builder.CreateZExt(last, part);
      else if (isSigned)
        last = builder.CreateAShr(builder.CreateShl(last, partBits - used), partBits - used);
      else
        last = builder.CreateAnd(last, maskTrailingOnes<uint64_t>(used));
    }
    return parts;
  }

  /// A wide value has parts now.
  bool became(Instruction &inst, Parts parts) {
    known[&inst] = std::move(parts);
    dead.push_back(&inst);
    return true;
  }
  /// Another one is another one.
  bool became(Instruction &inst, Value *value) {
    inst.replaceAllUsesWith(value);
    inst.eraseFromParent();
    return true;
  }

  // NOLINTNEXTLINE(readability-function-size): a case for each kind of instruction
  bool lower(Instruction &inst) {
    for (const Value *value : inst.operand_values())
      if (isWide(value->getType()) &&
          (bitsOf(value) > mostBits || (isa<Constant>(value) && !isa<ConstantInt, UndefValue>(value))))
        return false;
    IRBuilder<> builder(&inst);
    if (auto *binary = dyn_cast<BinaryOperator>(&inst))
      return lowerBinary(builder, *binary);
    switch (inst.getOpcode()) {
    case Instruction::ICmp: return became(inst, compared(builder, cast<ICmpInst>(inst)));
    case Instruction::PHI: {
      auto *phi = cast<PHINode>(&inst);
      Parts made;
      for (unsigned i = 0; i < countOf(bitsOf(phi)); ++i)
        made.push_back(builder.CreatePHI(part, phi->getNumIncomingValues()));
      phis.emplace_back(phi, made);
      return became(inst, made);
    }
    case Instruction::Select: {
      Parts chosen;
      for (auto [yes, no] : zip_equal(partsOf(inst.getOperand(1)), partsOf(inst.getOperand(2))))
        chosen.push_back(builder.CreateSelect(inst.getOperand(0), yes, no));
      return became(inst, chosen);
    }
    case Instruction::Freeze: {
      Parts frozen;
      for (Value *value : partsOf(inst.getOperand(0)))
        frozen.push_back(builder.CreateFreeze(value));
      return became(inst, frozen);
    }
    case Instruction::Load: return !inst.isAtomic() && became(inst, loaded(builder, cast<LoadInst>(inst)));
    case Instruction::Store: return !inst.isAtomic() && stored(builder, cast<StoreInst>(inst));
    case Instruction::ZExt:
    case Instruction::SExt: return extended(builder, cast<CastInst>(inst));
    case Instruction::Trunc: return truncated(builder, cast<CastInst>(inst));
    case Instruction::BitCast: return lowerBitCast(builder, cast<CastInst>(inst));
    case Instruction::ExtractElement: return extracted(builder, cast<ExtractElementInst>(inst));
    case Instruction::InsertElement: return inserted(builder, cast<InsertElementInst>(inst));
    case Instruction::UIToFP:
    case Instruction::SIToFP: {
      const Parts from = filled(builder, inst.getOperand(0), inst.getOpcode() == Instruction::SIToFP);
      return from.size() == 1 &&
             became(inst, builder.CreateCast(Instruction::CastOps(inst.getOpcode()), from[0], inst.getType()));
    }
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      return bitsOf(&inst) < partBits &&
             became(inst, Parts{builder.CreateCast(Instruction::CastOps(inst.getOpcode()), inst.getOperand(0), part)});
    case Instruction::IntToPtr:
      return inst.getType()->getPointerAddressSpace() == resourceSpace && bitsOf(inst.getOperand(0)) == 2 * partBits &&
             became(inst, resource(builder, partsOf(inst.getOperand(0))));
    case Instruction::Call: return lowerCall(builder, cast<CallInst>(inst));
    default: return false;
    }
  }

  /// A buffer's descriptor: 48 bits of address, 16 of the stride and what goes with it, a word each of bytes and flags
  /// (LLVM, AMDGPUUsage, llvm.amdgcn.make.buffer.rsrc).
  Value *resource(IRBuilder<> &builder, const Parts &parts) {
    constexpr unsigned addressBits = 48;
    Value *address = builder.CreateAnd(parts[0], maskTrailingOnes<uint64_t>(addressBits));
    Value *base = builder.CreateIntToPtr(address, builder.getPtrTy(globalSpace));
    Value *stride = builder.CreateTrunc(builder.CreateLShr(parts[0], addressBits), builder.getInt16Ty());
    Value *bytes = builder.CreateAnd(parts[1], maskTrailingOnes<uint64_t>(wordBits));
    Value *flags = builder.CreateTrunc(builder.CreateLShr(parts[1], wordBits), builder.getInt32Ty());
    return builder.CreateIntrinsic(Intrinsic::amdgcn_make_buffer_rsrc,
                                   {builder.getPtrTy(resourceSpace), base->getType()}, {base, stride, bytes, flags});
  }

  bool lowerBinary(IRBuilder<> &builder, BinaryOperator &inst) {
    Value *left = inst.getOperand(0), *right = inst.getOperand(1);
    Parts a = partsOf(left), b = partsOf(right);
    switch (inst.getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor: {
      Parts result;
      for (auto [x, y] : zip_equal(a, b))
        result.push_back(builder.CreateBinOp(inst.getOpcode(), x, y));
      return became(inst, result);
    }
    case Instruction::Add: return became(inst, sum(builder, a, b));
    case Instruction::Sub: return became(inst, difference(builder, a, b));
    case Instruction::Mul: return became(inst, product(builder, a, b, bitsOf(&inst)));
    case Instruction::Shl: return became(inst, shiftedUp(builder, a, b[0]));
    case Instruction::LShr: return became(inst, shiftedDown(builder, filled(builder, left, false), b[0], false));
    case Instruction::AShr: return became(inst, shiftedDown(builder, filled(builder, left, true), b[0], true));
    default: {
      const bool isSigned = inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem;
      if (!inst.isIntDivRem() || a.size() != 1)
        return false;
      return became(inst, Parts{builder.CreateBinOp(inst.getOpcode(), filled(builder, left, isSigned)[0],
                                                    filled(builder, right, isSigned)[0])});
    }
    }
  }

  Value *compared(IRBuilder<> &builder, ICmpInst &inst) {
    const bool isSigned = inst.isSigned();
    const Parts a = filled(builder, inst.getOperand(0), isSigned), b = filled(builder, inst.getOperand(1), isSigned);
    if (inst.isEquality()) {
      Value *different = nullptr;
      for (auto [x, y] : zip_equal(a, b)) {
        Value *here = builder.CreateXor(x, y);
        different = different ? builder.CreateOr(different, here) : here;
      }
      return builder.CreateICmp(inst.getPredicate(), different, number(0));
    }
    // The first part from above that differs decides.
    Value *result = nullptr;
    for (unsigned i = 0; i < a.size(); ++i) {
      CmpInst::Predicate predicate = inst.getPredicate();
      if (i + 1 < a.size())
        predicate = ICmpInst::getUnsignedPredicate(predicate);
      if (result)
        predicate = CmpInst::getStrictPredicate(predicate);
      Value *here = builder.CreateICmp(predicate, a[i], b[i]);
      result = result ? builder.CreateSelect(builder.CreateICmpEQ(a[i], b[i]), result, here) : here;
    }
    return result;
  }

  /// Bytes of the integer that part `i` has in memory.
  static unsigned bytesIn(unsigned bits, unsigned i) {
    return std::min<unsigned>(partBits / 8, divideCeil(bits, 8) - i * (partBits / 8));
  }
  /// Calls `f` with the offset and size of pieces of at most `bytes` that memory has instructions for.
  static void forEachPiece(unsigned bytes, function_ref<void(unsigned at, unsigned size)> f) {
    for (unsigned at = 0; at < bytes;) {
      const unsigned size = bit_floor(bytes - at);
      f(at, size);
      at += size;
    }
  }

  Parts loaded(IRBuilder<> &builder, LoadInst &load) {
    Parts parts;
    for (unsigned i = 0; i < countOf(bitsOf(&load)); ++i) {
      Value *value = nullptr;
      forEachPiece(bytesIn(bitsOf(&load), i), [&](unsigned at, unsigned size) {
        const unsigned offset = i * (partBits / 8) + at;
        LoadInst *piece =
            builder.CreateAlignedLoad(builder.getIntNTy(8 * size),
                                      builder.CreateConstGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset),
                                      commonAlignment(load.getAlign(), offset), load.isVolatile());
        piece->copyMetadata(load, {LLVMContext::MD_invariant_load, LLVMContext::MD_nontemporal});
        piece->setAAMetadata(load.getAAMetadata());
        Value *bits = builder.CreateShl(builder.CreateZExt(piece, part), 8 * at);
        value = value ? builder.CreateOr(value, bits) : bits;
      });
      parts.push_back(value);
    }
    return parts;
  }

  bool stored(IRBuilder<> &builder, StoreInst &store) {
    const Parts parts = filled(builder, store.getValueOperand(), false);
    for (auto [i, value] : enumerate(parts))
      forEachPiece(bytesIn(bitsOf(store.getValueOperand()), i), [&, value = value, i = i](unsigned at, unsigned size) {
        const unsigned offset = i * (partBits / 8) + at;
        Value *bits = builder.CreateTrunc(builder.CreateLShr(value, 8 * at), builder.getIntNTy(8 * size));
        StoreInst *piece = builder.CreateAlignedStore(
            bits, builder.CreateConstGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), offset),
            commonAlignment(store.getAlign(), offset), store.isVolatile());
        piece->copyMetadata(store, {LLVMContext::MD_nontemporal});
        piece->setAAMetadata(store.getAAMetadata());
      });
    store.eraseFromParent();
    return true;
  }

  bool extended(IRBuilder<> &builder, CastInst &inst) {
    const bool isSigned = inst.getOpcode() == Instruction::SExt;
    Parts parts = filled(builder, inst.getOperand(0), isSigned);
    if (!isWide(inst.getType()))
      return became(inst, parts[0]); // 64 bits
    Value *above = isSigned ? builder.CreateAShr(parts.back(), partBits - 1) : number(0);
    parts.resize(countOf(bitsOf(&inst)), above);
    return became(inst, parts);
  }

  bool truncated(IRBuilder<> &builder, CastInst &inst) {
    Parts parts = isWide(inst.getOperand(0)->getType()) ? partsOf(inst.getOperand(0)) : Parts{inst.getOperand(0)};
    if (!isWide(inst.getType()))
      return became(inst, builder.CreateTrunc(parts[0], inst.getType()));
    parts.truncate(countOf(bitsOf(&inst)));
    return became(inst, parts);
  }

  /// To and from vectors whose elements make up a part.
  bool lowerBitCast(IRBuilder<> &builder, CastInst &inst) {
    Value *from = inst.getOperand(0);
    const bool isFrom = isWide(from->getType());
    auto *vector = dyn_cast<FixedVectorType>(isFrom ? inst.getType() : from->getType());
    if (!vector || partBits % vector->getScalarSizeInBits())
      return false;
    const unsigned count = countOf(bitsOf(isFrom ? from : &inst)), elements = vector->getNumElements();
    auto *pairs = FixedVectorType::get(part, count);
    const unsigned all = count * partBits / vector->getScalarSizeInBits();
    auto *whole = FixedVectorType::get(vector->getElementType(), all);
    SmallVector<int> places(isFrom ? elements : all, PoisonMaskElem);
    for (unsigned i = 0; i < elements; ++i)
      places[i] = int(i);
    if (isFrom) {
      Value *value = PoisonValue::get(pairs);
      for (auto [i, one] : enumerate(partsOf(from)))
        value = builder.CreateInsertElement(value, one, i);
      value = builder.CreateBitCast(value, whole);
      return became(inst, all == elements ? value : builder.CreateShuffleVector(value, places));
    }
    Value *value = builder.CreateBitCast(all == elements ? from : builder.CreateShuffleVector(from, places), pairs);
    Parts parts;
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(builder.CreateExtractElement(value, i));
    return became(inst, parts);
  }

  /// A vector of wide elements as one of their parts; null if elements aren't whole parts.
  Value *asParts(IRBuilder<> &builder, Value *vector) {
    auto *type = cast<FixedVectorType>(vector->getType());
    if (type->getScalarSizeInBits() % partBits)
      return nullptr;
    while (auto *cast = dyn_cast<BitCastInst>(vector)) {
      lookedThrough.insert(cast);
      vector = cast->getOperand(0);
    }
    auto *pairs = FixedVectorType::get(part, type->getNumElements() * countOf(type->getScalarSizeInBits()));
    return vector->getType() == pairs ? vector : builder.CreateBitCast(vector, pairs);
  }

  /// Unions of vectors are taken apart like this.
  bool extracted(IRBuilder<> &builder, ExtractElementInst &inst) {
    auto *index = dyn_cast<ConstantInt>(inst.getIndexOperand());
    Value *vector = index ? asParts(builder, inst.getVectorOperand()) : nullptr;
    if (!vector)
      return false;
    Parts parts;
    const unsigned count = countOf(bitsOf(&inst));
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(builder.CreateExtractElement(vector, index->getZExtValue() * count + i));
    return became(inst, parts);
  }

  bool inserted(IRBuilder<> &builder, InsertElementInst &inst) {
    auto *index = dyn_cast<ConstantInt>(inst.getOperand(2));
    Value *vector = index ? asParts(builder, inst.getOperand(0)) : nullptr;
    if (!vector)
      return false;
    const Parts parts = partsOf(inst.getOperand(1));
    for (auto [i, value] : enumerate(parts))
      vector = builder.CreateInsertElement(vector, value, index->getZExtValue() * parts.size() + i);
    auto *whole = cast<Instruction>(builder.CreateBitCast(vector, inst.getType()));
    lookedThrough.insert(whole);
    for (User *user : make_early_inc_range(inst.users()))
      if (auto *cast = dyn_cast<BitCastInst>(user)) {
        cast->setOperand(0, vector);
        if (cast->getType() == vector->getType())
          cast->replaceAllUsesWith(vector), cast->eraseFromParent();
      }
    return became(inst, whole);
  }

  /// Buffer accesses and inline assembly have vectors of words instead.
  bool retyped(IRBuilder<> &builder, CallInst &inst) {
    auto wordsOf = [&](Type *type) -> Type * {
      return isWide(type) ? FixedVectorType::get(builder.getInt32Ty(), type->getIntegerBitWidth() / wordBits) : type;
    };
    auto hasWords = [](const Value *value) { return !isWide(value->getType()) || bitsOf(value) % partBits == 0; };
    if (!hasWords(&inst) || !all_of(inst.args(), hasWords))
      return false;
    SmallVector<Value *> arguments;
    SmallVector<Type *> types;
    for (Value *argument : inst.args()) {
      Value *value = argument;
      if (isWide(argument->getType())) {
        value = PoisonValue::get(FixedVectorType::get(part, countOf(bitsOf(argument))));
        for (auto [i, one] : enumerate(partsOf(argument)))
          value = builder.CreateInsertElement(value, one, i);
        value = builder.CreateBitCast(value, wordsOf(argument->getType()));
      }
      arguments.push_back(value);
      types.push_back(value->getType());
    }
    Type *result = wordsOf(inst.getType());
    CallInst *call;
    if (auto *assembly = dyn_cast<InlineAsm>(inst.getCalledOperand())) {
      auto *type = FunctionType::get(result, types, false);
      call = builder.CreateCall(InlineAsm::get(type, assembly->getAsmString(), assembly->getConstraintString(),
                                               assembly->hasSideEffects(), assembly->isAlignStack(),
                                               assembly->getDialect(), assembly->canThrow()),
                                arguments);
    } else {
      call = builder.CreateIntrinsic(inst.getIntrinsicID(), {result->isVoidTy() ? types[0] : result}, arguments);
    }
    call->copyMetadata(inst);
    if (!isWide(inst.getType()))
      return became(inst, call);
    Value *pairs = builder.CreateBitCast(call, FixedVectorType::get(part, countOf(bitsOf(&inst))));
    Parts parts;
    for (unsigned i = 0; i < countOf(bitsOf(&inst)); ++i)
      parts.push_back(builder.CreateExtractElement(pairs, i));
    return became(inst, parts);
  }

  /// Minima and counts of bits; what quotients are made of is among them.
  bool lowerCall(IRBuilder<> &builder, CallInst &inst) {
    const Intrinsic::ID id = inst.getIntrinsicID();
    if (inst.isInlineAsm())
      return retyped(builder, inst);
    switch (id) {
    case Intrinsic::amdgcn_raw_buffer_load:
    case Intrinsic::amdgcn_raw_ptr_buffer_load:
    case Intrinsic::amdgcn_struct_buffer_load:
    case Intrinsic::amdgcn_struct_ptr_buffer_load:
    case Intrinsic::amdgcn_raw_buffer_store:
    case Intrinsic::amdgcn_raw_ptr_buffer_store:
    case Intrinsic::amdgcn_struct_buffer_store:
    case Intrinsic::amdgcn_struct_ptr_buffer_store: return retyped(builder, inst);
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::smin:
    case Intrinsic::smax: {
      Value *left = inst.getArgOperand(0), *right = inst.getArgOperand(1);
      auto *isLeft = cast<ICmpInst>(new ICmpInst(inst.getIterator(), MinMaxIntrinsic::getPredicate(id), left, right));
      builder.SetInsertPoint(isLeft);
      Value *condition = compared(builder, *isLeft);
      isLeft->eraseFromParent();
      builder.SetInsertPoint(&inst);
      Parts chosen;
      for (auto [x, y] : zip_equal(partsOf(left), partsOf(right)))
        chosen.push_back(builder.CreateSelect(condition, x, y));
      return became(inst, chosen);
    }
    case Intrinsic::fshl:
    case Intrinsic::fshr: {
      auto *constant = dyn_cast<ConstantInt>(inst.getArgOperand(2));
      return constant && became(inst, funnel(builder, inst, constant->getValue().urem(bitsOf(&inst))));
    }
    case Intrinsic::ctpop: {
      Value *count = nullptr;
      for (Value *value : filled(builder, inst.getArgOperand(0), false)) {
        Value *here = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, value);
        count = count ? builder.CreateAdd(count, here) : here;
      }
      return became(inst, counted(count, inst));
    }
    case Intrinsic::ctlz:
    case Intrinsic::cttz: return became(inst, counted(zeros(builder, inst, id == Intrinsic::ctlz), inst));
    default: return false;
    }
  }

  /// The upper or lower half of two, one behind the other, that are shifted up or down.
  Parts funnel(IRBuilder<> &builder, CallInst &inst, unsigned amount) {
    const bool isUp = inst.getIntrinsicID() == Intrinsic::fshl;
    if (amount == 0)
      return partsOf(inst.getArgOperand(isUp ? 0 : 1));
    const unsigned up = isUp ? amount : bitsOf(&inst) - amount;
    const Parts high = shiftedUp(builder, partsOf(inst.getArgOperand(0)), number(up));
    const Parts low =
        shiftedDown(builder, filled(builder, inst.getArgOperand(1), false), number(bitsOf(&inst) - up), false);
    Parts result;
    for (auto [x, y] : zip_equal(high, low))
      result.push_back(builder.CreateOr(x, y));
    return result;
  }

  Parts counted(Value *count, const CallInst &inst) {
    Parts parts{count};
    parts.resize(countOf(bitsOf(&inst)), number(0));
    return parts;
  }

  /// Zeros before the first one from above or below: those of the first part that isn't zero, and the whole parts
  /// before.
  Value *zeros(IRBuilder<> &builder, CallInst &inst, bool isLeading) {
    Parts parts = filled(builder, inst.getArgOperand(0), false);
    const unsigned bits = bitsOf(&inst), unused = parts.size() * partBits - bits;
    if (!isLeading)
      std::reverse(parts.begin(), parts.end());
    // From the part that is looked at last to the first one.
    Value *count = nullptr;
    for (auto [i, value] : enumerate(parts)) {
      Value *here =
          builder.CreateIntrinsic(isLeading ? Intrinsic::ctlz : Intrinsic::cttz, {part}, {value, builder.getFalse()});
      if (count)
        here = builder.CreateSelect(builder.CreateICmpEQ(value, number(0)), builder.CreateAdd(count, number(partBits)),
                                    here);
      count = here;
    }
    if (!unused)
      return count;
    if (isLeading)
      return builder.CreateSub(count, number(unused));
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, count, number(bits));
  }

  Function &function;
  Type *part;
  DenseMap<const Value *, Parts> known;
  SmallVector<std::pair<PHINode *, Parts>> phis;
  SmallVector<Instruction *> dead;
  SmallSetVector<Instruction *, 4> lookedThrough; ///< between vectors of wide elements and of parts
};
} // namespace

mlir::LogicalResult splitWideIntegers(Module &module, mlir::Location start) {
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration())
      kernels.push_back(&function);
  for (Function *kernel : kernels)
    if (Instruction *inst = WideIntegers(withoutWideArguments(*kernel)).run()) {
      std::string type;
      Type *wide = inst->getType();
      for (const Value *operand : inst->operand_values())
        wide = isWide(wide) ? wide : operand->getType();
      raw_string_ostream(type) << *wide;
      const auto *call = dyn_cast<IntrinsicInst>(inst);
      return mlir::emitError(placeOf(*inst, start))
             << "not supported: '" << (call ? Intrinsic::getBaseName(call->getIntrinsicID()) : inst->getOpcodeName())
             << "' on '" << type << "'";
    }
  return mlir::success();
}

} // namespace inflight::import
