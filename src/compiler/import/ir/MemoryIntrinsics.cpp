// Copies and fills as loads and stores, and atomic operations on memory that only one lane has.
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/lanes/MemorySpaces.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// More than this is a loop.
constexpr uint64_t mostBytes = 1024;

struct Piece {
  uint64_t offset;
  Type *type;
  Align align;
};

/// `bytes` in pieces as large as `align` lets them be.
SmallVector<Piece> piecesOf(uint64_t bytes, Align align, LLVMContext &context) {
  SmallVector<Piece> pieces;
  for (uint64_t at = 0; at < bytes;) {
    const Align here = commonAlignment(align, at);
    uint64_t size = std::min<uint64_t>(bit_floor(bytes - at), 16);
    // Words go together if they lie at words.
    if (here.value() < 4 || size < 4)
      size = std::min<uint64_t>(size, here.value());
    Type *word = IntegerType::get(context, 8 * std::min<uint64_t>(size, 4));
    pieces.push_back({at, size > 4 ? FixedVectorType::get(word, size / 4) : word, here});
    at += size;
  }
  return pieces;
}

Value *at(IRBuilder<> &builder, Value *pointer, uint64_t offset) {
  return offset ? builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(offset)) : pointer;
}

void expandTransfer(MemTransferInst &copy, uint64_t bytes) {
  IRBuilder<> builder(&copy);
  const Align align = std::min(copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne());
  const SmallVector<Piece> pieces = piecesOf(bytes, align, copy.getContext());
  // What lies in the way of a move is read first.
  SmallVector<Value *> read;
  for (const Piece &piece : pieces)
    read.push_back(builder.CreateAlignedLoad(piece.type, at(builder, copy.getRawSource(), piece.offset), piece.align,
                                             copy.isVolatile()));
  for (auto [piece, value] : zip_equal(pieces, read))
    builder.CreateAlignedStore(value, at(builder, copy.getRawDest(), piece.offset), piece.align, copy.isVolatile());
}

void expandFill(MemSetInst &fill, uint64_t bytes) {
  IRBuilder<> builder(&fill);
  for (const Piece &piece : piecesOf(bytes, fill.getDestAlign().valueOrOne(), fill.getContext())) {
    Type *element = piece.type->getScalarType();
    const unsigned bits = element->getIntegerBitWidth();
    Value *value = builder.CreateMul(builder.CreateZExt(fill.getValue(), element),
                                     ConstantInt::get(element, APInt::getSplat(bits, APInt(8, 1))));
    if (auto *vector = dyn_cast<FixedVectorType>(piece.type))
      value = builder.CreateVectorSplat(vector->getNumElements(), value);
    builder.CreateAlignedStore(value, at(builder, fill.getRawDest(), piece.offset), piece.align, fill.isVolatile());
  }
}

/// What an iteration of such a loop moves, and what is left behind it.
class LoopPieces : public TargetTransformInfoImplBase {
public:
  explicit LoopPieces(const DataLayout &layout) : TargetTransformInfoImplBase(layout) {}
  Type *getMemcpyLoopLoweringType(LLVMContext &context, Value *, unsigned, unsigned, Align from, Align to,
                                  std::optional<uint32_t>) const override {
    return piecesOf(16, std::min(from, to), context).front().type;
  }
  void getMemcpyLoopResidualLoweringType(SmallVectorImpl<Type *> &types, LLVMContext &context, unsigned bytes, unsigned,
                                         unsigned, Align from, Align to, std::optional<uint32_t>) const override {
    for (const Piece &piece : piecesOf(bytes, std::min(from, to), context))
      types.push_back(piece.type);
  }
};

/// A loop; whether there is one. There is none for what may overlap in different address spaces.
bool expandToLoop(MemIntrinsic &call) {
  const TargetTransformInfo pieces(std::make_unique<LoopPieces>(call.getDataLayout()));
  if (auto *move = dyn_cast<MemMoveInst>(&call))
    return expandMemMoveAsLoop(move, pieces);
  if (auto *copy = dyn_cast<MemCpyInst>(&call))
    expandMemCpyAsLoop(copy, pieces);
  else
    expandMemSetAsLoop(cast<MemSetInst>(&call));
  return true;
}

/// Of memory that is one lane's nothing else sees what is between the load and the store.
void expandPrivateAtomics(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst);
        exchange && exchange->getPointerAddressSpace() == privateSpace)
      lowerAtomicCmpXchgInst(exchange);
    else if (auto *update = dyn_cast<AtomicRMWInst>(&inst); update && update->getPointerAddressSpace() == privateSpace)
      lowerAtomicRMWInst(update);
  }
}
} // namespace

void expandMemoryIntrinsics(Module &module) {
  SmallVector<MemIntrinsic *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<MemIntrinsic>(&inst))
        calls.push_back(call);
  for (MemIntrinsic *call : calls) {
    auto *length = dyn_cast<ConstantInt>(call->getLength());
    if (!length || length->getValue().ugt(mostBytes)) {
      if (expandToLoop(*call))
        call->eraseFromParent();
      continue;
    }
    if (auto *transfer = dyn_cast<MemTransferInst>(call))
      expandTransfer(*transfer, length->getZExtValue());
    else
      expandFill(*cast<MemSetInst>(call), length->getZExtValue());
    call->eraseFromParent();
  }
}

void expandPrivateAtomics(Module &module) {
  for (Function &function : module)
    expandPrivateAtomics(function);
}

} // namespace inflight::import
