// Tiles that lanes exchange through workgroup memory outside of loops, such as one that is transposed: their bytes in
// an order without bank conflicts.
//
// Which bytes each lane accesses is known exactly. All accesses go through the same exchange of bytes, so that each
// finds what it did before, whatever orders them.
#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/BankConflicts.h"
#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/lanes/Swizzle.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/copies/CopyRemark.h"
#include "isa/chip/TargetInfo.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
using namespace lanes;
using loops::remark;

struct LaneAccess {
  Operation *op;
  Access access;
  unsigned bytes;
  LaneTable address; ///< bytes from the start of the memory
  /// Bytes that divide all addresses and that no exchange of larger pieces changes.
  unsigned unit(unsigned elementBytes) const {
    const bool isAligned = llvm::isPowerOf2_32(bytes) && address.map([&](int64_t at) { return at % bytes; }).isZero();
    return isAligned ? bytes : elementBytes;
  }
  /// Where it is, in units of so many bytes.
  LaneTable place(const Swizzle &swizzle, unsigned unit) const {
    return address.map([&](int64_t byte) { return swizzle(byte) / unit; });
  }
};

class SwizzleTiles : public PassWrapper<SwizzleTiles, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SwizzleTiles)
  explicit SwizzleTiles(StringRef chip) : chip(chip.str()) {}
  StringRef getArgument() const override { return "inflight-swizzle-tiles"; }
  LogicalResult initialize(MLIRContext *context) override {
    llvm::Expected<const LdsRules *> table = LdsRules::get(chip);
    if (!table)
      return emitError(UnknownLoc::get(context)) << llvm::toString(table.takeError());
    rules = *table;
    return success();
  }
  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        runOnKernel(kernel);
  }

private:
  void runOnKernel(gpu::GPUFuncOp kernel);

  std::string chip;
  const LdsRules *rules = nullptr;
};

/// The access's bytes in each lane, all of them within the memory; none if they aren't known, or in a loop, in which
/// addresses cost more.
std::optional<LaneAccess> laneAccess(Operation *op, memref::AllocOp alloc, LaneForms &forms) {
  const std::optional<Access> access = accessOf(op);
  if (!access || access->memref != alloc.getResult() || access->stored == alloc.getResult() ||
      isa<amdgpu::TransposeLoadOp>(op) || op->getParentOfType<LoopLikeOpInterface>())
    return std::nullopt;
  const MemRefType type = alloc.getType();
  const unsigned size = elementBytes(type.getElementType());
  auto vector = dyn_cast<VectorType>(access->type);
  const int64_t elements = vector ? vector.getNumElements() : 1;
  for (auto [dim, index] : llvm::enumerate(access->indices)) {
    const std::optional<LaneForm> form = forms.of(index);
    if (!form || !form->isTable())
      return std::nullopt;
    const auto [least, most] = form->constant.range();
    const int64_t last = dim + 1 == access->indices.size() ? elements - 1 : 0;
    if (least < 0 || most + last >= type.getDimSize(dim))
      return std::nullopt;
  }
  return LaneAccess{op, *access, unsigned(size * elements), forms.byteOf(type, access->indices)->constant};
}

/// All uses of the memory; none if one isn't known.
std::vector<LaneAccess> accessesOf(memref::AllocOp alloc, LaneForms &forms) {
  std::vector<LaneAccess> accesses;
  for (Operation *user : alloc->getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    std::optional<LaneAccess> access = laneAccess(user, alloc, forms);
    if (!access)
      return {};
    accesses.push_back(std::move(*access));
  }
  return accesses;
}

/// Memory of one size and order, for the whole kernel.
bool isPlain(memref::AllocOp alloc) {
  const MemRefType type = alloc.getType();
  const Type element = type.getElementType();
  constexpr unsigned byte = 8;
  return isWorkgroupSpace(type.getMemorySpace()) && type.hasStaticShape() && type.getLayout().isIdentity() &&
         type.getRank() > 0 && element.isIntOrFloat() && element.getIntOrFloatBitWidth() % byte == 0 &&
         isa<gpu::GPUFuncOp>(alloc->getParentOp());
}

struct Choice {
  Swizzle swizzle;
  unsigned before = 0, conflicts = 0; ///< cycles that all waves' accesses wait for banks, as written and with it
};

/// The exchange with the fewest conflicts whose addresses are simple arithmetic. Arithmetic costs, too: it is to spare
/// half of them.
Choice chooseSwizzle(ArrayRef<LaneAccess> accesses, MemRefType type, unsigned lanes, const LdsRules &rules) {
  const unsigned size = elementBytes(type.getElementType());
  auto keeps = [&](unsigned piece) {
    return llvm::all_of(accesses, [&](const LaneAccess &access) {
      for (unsigned lane = 0; lane < lanes; ++lane)
        if (access.address[lane] % piece + access.bytes > piece)
          return false;
      return true;
    });
  };
  auto canEmit = [&](const Swizzle &swizzle) {
    return llvm::all_of(accesses, [&](const LaneAccess &access) {
      return LaneExpressions::canEmit(access.place(swizzle, access.unit(size)), lanes);
    });
  };
  AccessPatterns patterns(lanes, rules);
  for (const LaneAccess &access : accesses)
    patterns.add(access.address, access.bytes, access.access.isStore);
  constexpr unsigned leastTo = 2, mostBits = 6; // dwords, banks
  const unsigned before = patterns.conflictsWith({});
  Choice best = {{}, before, before / 2};
  if (before)
    for (const Swizzle &swizzle : swizzlesOf(type.getNumElements() * size, leastTo, mostBits, keeps))
      if (const unsigned count = patterns.conflictsWith(swizzle, best.conflicts);
          count < best.conflicts && canEmit(swizzle))
        best = {swizzle, before, count};
  return best;
}

/// The access at an element of the memory as one dimension.
void replace(const LaneAccess &access, Value flat, Value element) {
  OpBuilder builder(access.op);
  const Location loc = access.op->getLoc();
  auto vector = dyn_cast<VectorType>(access.access.type);
  if (!access.access.isStore) {
    Operation *load = vector ? vector::LoadOp::create(builder, loc, vector, flat, element).getOperation()
                             : memref::LoadOp::create(builder, loc, flat, element).getOperation();
    access.op->replaceAllUsesWith(load);
  } else if (vector) {
    vector::StoreOp::create(builder, loc, access.access.stored, flat, element);
  } else {
    memref::StoreOp::create(builder, loc, access.access.stored, flat, element);
  }
  access.op->erase();
}
} // namespace

void SwizzleTiles::runOnKernel(gpu::GPUFuncOp kernel) {
  LaneForms forms(kernel);
  if (!forms.hasWholeWaves() || !kernel.getBody().hasOneBlock())
    return;
  for (auto alloc : llvm::to_vector(kernel.getOps<memref::AllocOp>())) {
    if (!isPlain(alloc))
      continue;
    const MemRefType type = alloc.getType();
    const std::vector<LaneAccess> accesses = accessesOf(alloc, forms);
    const Choice choice = chooseSwizzle(accesses, type, forms.lanes(), *rules);
    if (!choice.swizzle.mask)
      continue;
    remark(kernel, alloc, false, "SwizzledTile",
           {{"String", "pieces of a tile are exchanged against bank conflicts: "},
            {"ConflictsBefore", std::to_string(choice.before)},
            {"String", " cycles of all accesses as written, "},
            {"Conflicts", std::to_string(choice.conflicts)},
            {"String", " now"}});
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(alloc);
    const Location loc = alloc.getLoc();
    Value flat = alloc;
    if (type.getRank() > 1) {
      ReassociationIndices all(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
      flat = memref::CollapseShapeOp::create(builder, loc, alloc, ArrayRef<ReassociationIndices>(all));
    }
    LaneExpressions expressions(builder, loc, emitFlatId(builder, loc, kernel), forms.lanes());
    for (const LaneAccess &access : accesses) {
      // A factor that shows how the address is aligned.
      const unsigned size = elementBytes(type.getElementType()), unit = access.unit(size);
      Value place = expressions.emit(access.place(choice.swizzle, unit));
      if (unit != size)
        place = arith::MulIOp::create(builder, loc, place, expressions.constant(unit / size));
      replace(access, flat, place);
    }
  }
}

std::unique_ptr<Pass> createSwizzleTilesPass(StringRef chip) { return std::make_unique<SwizzleTiles>(chip); }

} // namespace inflight
