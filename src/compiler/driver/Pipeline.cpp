#include "compiler/driver/Pipeline.h"

#include "compiler/driver/FoldStructured.h"
#include "compiler/lanes/Slices.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "compiler/select/Passes.h"
#include "isa/Isa.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/AMDGPU/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>
#include <array>
#include <string_view>

using namespace mlir;

namespace inflight {

namespace {
bool isArithmetic(Operation *op) {
  return llvm::isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && !isa<arith::ConstantOp>(op);
}
/// What ranges may make simpler or constant.
bool mayHaveRange(Operation *op) {
  const bool isChoice = isa<arith::SelectOp>(op) || (isa<arith::XOrIOp>(op) && op->getResult(0).getType().isInteger(1));
  return (isArithmetic(op) && !isChoice) || isa_and_nonnull<index::IndexDialect>(op->getDialect());
}
bool usesMemRef(Operation *op) {
  auto isMemRef = [](Type type) { return isa<BaseMemRefType>(type); };
  return isa_and_nonnull<memref::MemRefDialect>(op->getDialect()) || llvm::any_of(op->getOperandTypes(), isMemRef) ||
         llvm::any_of(op->getResultTypes(), isMemRef);
}
/// Which part of a memory, or of which shape, in a way that isn't an access's own.
bool isPartOfMemRef(Operation *op) {
  return isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp, memref::ExtractStridedMetadataOp,
             memref::ExtractAlignedPointerAsIndexOp>(op);
}
bool isAffine(Operation *op) { return isa_and_nonnull<affine::AffineDialect>(op->getDialect()); }
bool isAffineLoop(Operation *op) { return isAffine(op) && !isAffineSum(op); }
bool isAlloca(Operation *op) { return isa<memref::AllocaOp>(op); }
bool isQuotient(Operation *op) {
  return isa<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp, arith::RemUIOp, arith::RemSIOp>(op);
}
bool isProduct(Operation *op) { return isa<LLVM::MulOp>(op); }
bool isXor(Operation *op) { return isa<LLVM::XOrOp>(op); }
bool isExtension(Operation *op) { return isa<LLVM::SExtOp, LLVM::ZExtOp>(op); }
bool isFromElements(Operation *op) { return isa<vector::FromElementsOp>(op); }
bool isMaskedLoad(Operation *op) { return isa<vector::MaskedLoadOp>(op); }
bool isStore(Operation *op) { return isa<vector::StoreOp>(op); }
bool isTransfer(Operation *op) { return isa<VectorTransferOpInterface>(op); }
bool isBranch(Operation *op) { return isa<scf::IfOp>(op); }
bool isWhile(Operation *op) { return isa<scf::WhileOp>(op); }
bool isJump(Operation *op) { return op->getNumSuccessors() != 0 || isa<scf::IndexSwitchOp, LLVM::UnreachableOp>(op); }
bool isAssertion(Operation *op) { return isa_and_nonnull<cf::AssertOp>(op); }
bool isRotated(Operation *op) { return op->hasAttr(attr::rotated); }
bool isCall(Operation *op) { return isa<CallOpInterface>(op); }

bool carriesAggregate(Operation *op) {
  if (!isa<LLVM::SelectOp>(op) && !isa_and_nonnull<scf::SCFDialect>(op->getDialect()))
    return false;
  auto isAggregate = [](Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); };
  return llvm::any_of(op->getOperandTypes(), isAggregate) || llvm::any_of(op->getResultTypes(), isAggregate);
}

/// Whether folding what it reads may give a constant though not all of that is constant: memory, matrix instructions
/// and arithmetic on floats have no such folds.
bool mayFold(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || !(isa<LLVM::LoadOp, LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::FDivOp, LLVM::FMAOp, LLVM::MaxNumOp,
                      LLVM::MinNumOp, LLVM::Exp2Op>(op) ||
                  isa_and_nonnull<ROCDL::ROCDLDialect>(op->getDialect()));
}
/// Whether a loop or branch may give a constant that the folding of single operations doesn't see: something starts as
/// one, and no iteration or side has anything else.
bool mayCarryConstant(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::any_of(llvm::zip(loop.getInitArgs(), loop.getYieldedValues()),
                        [](auto values) { return mayFold(std::get<0>(values)) && mayFold(std::get<1>(values)); });
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return branch.getNumResults() &&
           llvm::any_of(llvm::zip(branch.thenYield().getOperands(), branch.elseYield().getOperands()),
                        [](auto values) { return mayFold(std::get<0>(values)) && mayFold(std::get<1>(values)); });
  return op->getNumRegions() && op->getNumResults();
}

using Options = const PipelineOptions &;
using Passes = SmallVector<std::unique_ptr<Pass>, 5>;

/// What these functions make, some of them by the options.
template <auto... create> Passes make(Options options) {
  Passes passes;
  auto add = [&](auto creator) {
    if constexpr (std::is_invocable_v<decltype(creator)>)
      passes.push_back(creator());
    else
      passes.push_back(creator(options));
  };
  (add(create), ...);
  return passes;
}

std::unique_ptr<Pass> fold() { return createCanonicalizerPass(); }
std::unique_ptr<Pass> arithToLLVM() { return createArithToLLVMConversionPass(); }
std::unique_ptr<Pass> inlineCalls() { return createInlinerPass(); }
std::unique_ptr<Pass> lowerTransfers() {
  VectorTransferToSCFOptions options;
  options.enableFullUnroll();
  return createConvertVectorToSCFPass(options);
}

bool has(Options options, Mnemonic mnemonic) { return !options.isa->encodings(mnemonic).empty(); }
bool hasPermlaneSwap(Options options) { return has(options, Mnemonic::v_permlane32_swap_b32); }
bool hasDeepMatrix(Options options) { return has(options, Mnemonic::v_mfma_f32_16x16x32_f16); }
bool copiesAhead(Options options) { return options.asyncCopies; }
bool rotatesLoops(Options options) { return options.rotateLoops; }

const TargetInfo &chip(Options options) { return options.isa->target(); }
std::unique_ptr<Pass> prepare(Options options) { return createPrepareKernelsPass(chip(options).maxWorkgroupSize); }
std::unique_ptr<Pass> lowerGpu(Options options) {
  return createLowerGpuPass(chip(options).chip, hasPermlaneSwap(options));
}
std::unique_ptr<Pass> promotePrivate(Options options) { return createPromotePrivatePass(chip(options)); }
std::unique_ptr<Pass> copyGroups(Options options) { return createAsyncGroupsPass(*options.isa); }
std::unique_ptr<Pass> columnReads(Options options) { return createColumnReadsPass(*options.isa); }
std::unique_ptr<Pass> copyAhead(Options options) {
  return createAsyncCopiesPass({options.isa, options.stages, options.pingPong, options.verifyEach});
}
std::unique_ptr<Pass> swizzleTiles(Options options) { return createSwizzleTilesPass(chip(options).chip); }
std::unique_ptr<Pass> allocateLds(Options options) { return createAllocateLdsPass(chip(options).ldsBytes); }
std::unique_ptr<Pass> convertFloat8(Options options) { return createConvertFloat8Pass(chip(options).chip); }
std::unique_ptr<Pass> convertToLLVM(Options options) { return createConvertToLLVMPass(chip(options).chip); }
std::unique_ptr<Pass> expandAtomics(Options options) { return createExpandAtomicsPass(*options.isa); }
std::unique_ptr<Pass> widenMatrix(Options options) { return createWidenMatrixPass(options.reassociate); }
std::unique_ptr<Pass> rotateLoops(Options options) { return createRotateLoopsPass(chip(options)); }
std::unique_ptr<Pass> shortDivisions(Options options) { return createShortDivisionsPass(*options.isa); }
std::unique_ptr<Pass> earlyExits(Options options) { return createEarlyExitsPass(chip(options)); }
std::unique_ptr<Pass> prioritize(Options options) { return createMatrixPriorityPass(chip(options)); }

/// Runs passes if there is an operation that they are for: most kernels use a few of the dialects that lowering knows.
class RunWhere : public PassWrapper<RunWhere, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunWhere)
  RunWhere(bool (*isWanted)(Operation *), Passes added) : isWanted(isWanted) {
    for (std::unique_ptr<Pass> &pass : added)
      passes.addPass(std::move(pass));
  }
  StringRef getName() const override { return "RunWhere"; }
  void runOnOperation() override {
    if (!contains(getOperation(), isWanted))
      return markAllAnalysesPreserved();
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }

private:
  bool (*isWanted)(Operation *);
  OpPassManager passes;
};

enum class On : uint8_t { Module, Kernels, EachKernel }; ///< Kernels: a gpu.module

/// Passes that stand together.
struct Step {
  std::string_view name;
  On on;
  Passes (*make)(Options);
  std::array<std::string_view, 3> after = {}; ///< steps that are above this one
  bool (*where)(Operation *) = nullptr;       ///< only for modules that have such an operation
  bool (*isWanted)(Options) = nullptr;        ///< null: always
};

/// The passes, in this order.
constexpr Step steps[] = {
    {"check-input", On::Module, make<createCheckInputPass>},
    // As the source has it: folding keeps no marks.
    {"check-groups", On::Module, make<createCheckAsyncGroupsPass>, {}, isAsyncGroupOp},
    {"fold", On::Module, make<fold>, {"check-input", "check-groups"}},
    {"inline", On::Module, make<inlineCalls>, {"check-groups"}, isCall},
    {"prepare", On::Module, make<prepare>, {"inline"}},
    {"lower-gpu", On::Module, make<lowerGpu>, {"prepare"}},
    {"structure",
     On::Module,
     make<createLiftControlFlowPass, fold, createCSEPass, createEqualResultsPass>,
     {"inline"},
     isJump},
    {"affine-loops", On::Module, make<createLowerAffineLoopsPass>, {"prepare"}, isAffineLoop},
    {"count", On::Module, make<createCountedLoopsPass>, {"structure"}},
    // Before who looks at what loops carry, and while loops are structured and count.
    {"promote", On::Module, make<promotePrivate, fold>, {"prepare", "affine-loops", "count"}, isAlloca},
    // Before iterations are copied, each with sums of its own.
    {"quotients", On::Module, make<createSplitQuotientsPass>, {"promote", "lower-gpu"}, isQuotient},
    // Whoever copies looks at memrefs in workgroup memory, and at loops that count.
    {"groups", On::Module, make<copyGroups>, {"check-groups", "prepare", "structure"}, isAsyncGroupOp},
    {"columns", On::Module, make<columnReads>, {"promote", "lower-gpu", "groups"}, isFromElements, copiesAhead},
    {"copies", On::Module, make<copyAhead>, {"quotients", "lower-gpu", "columns"}, nullptr, copiesAhead},
    // What no loop copies ahead.
    {"swizzle", On::Module, make<swizzleTiles>, {"copies"}, nullptr, copiesAhead},
    {"widen-stores", On::Module, make<createWidenStoresPass>, {"prepare", "structure"}, isStore, hasPermlaneSwap},
    // Memory gets its place once nobody asks for more, or for another order of its bytes.
    {"allocate-lds", On::Module, make<allocateLds, createFoldStructuredPass>, {"groups", "copies", "swizzle"}},
    // Vectors and memrefs in terms of scalars' addresses.
    {"intrinsics", On::Kernels, make<createExpandIntrinsicsPass>, {"allocate-lds"}},
    {"memrefs", On::Kernels, make<createExpandMemRefsPass>, {"intrinsics"}, usesMemRef},
    {"parts", On::Kernels, make<memref::createFoldMemRefAliasOpsPass>, {"memrefs"}, isPartOfMemRef},
    {"masked-loads", On::Kernels, make<amdgpu::createAmdgpuMaskedloadToLoadPass>, {"memrefs"}, isMaskedLoad},
    {"vectors", On::Kernels, make<createLowerVectorsPass>, {"masked-loads"}},
    {"transfers", On::Kernels, make<lowerTransfers>, {"vectors"}, isTransfer},
    {"layouts", On::Kernels, make<memref::createExpandStridedMetadataPass>, {"parts", "transfers"}, isPartOfMemRef},
    {"affine",
     On::Kernels,
     make<createAffineRemaindersPass, affine::createAffineExpandIndexOpsPass, createLowerAffinePass>,
     {"memrefs", "layouts"},
     isAffine},
    {"late-memrefs", On::Kernels, make<createExpandMemRefsPass>, {"affine"}, usesMemRef},
    {"math", On::Kernels, make<createExpandMathPass, createFoldStructuredPass, createCSEPass>, {"late-memrefs"}},
    // Ranges of ids and induction variables make signed operations unsigned and comparisons constant.
    // Function by function, as the analysis of a whole module first looks for callers.
    {"ranges", On::EachKernel, make<arith::createIntRangeOptimizationsPass>, {"math"}, mayHaveRange},
    {"unsigned", On::EachKernel, make<arith::createArithUnsignedWhenEquivalentPass>, {"ranges"}, mayHaveRange},
    // Assertions that the ranges have made constant go.
    {"assertions", On::Kernels, make<createFoldStructuredPass>, {"ranges"}, isAssertion},
    {"hoist", On::Kernels, make<createLoopInvariantCodeMotionPass>, {"copies", "ranges"}},
    {"to-llvm",
     On::Kernels,
     make<convertFloat8, createLowerVectorsPass, convertToLLVM, createReconcileUnrealizedCastsPass, expandAtomics>,
     {"transfers", "affine", "math"}},
    {"aggregates",
     On::Kernels,
     make<createFlattenAggregatesPass, createFoldStructuredPass>,
     {"to-llvm"},
     carriesAggregate},
    {"constants", On::EachKernel, make<createSCCPPass>, {"to-llvm"}, mayCarryConstant},
    {"carried",
     On::Kernels,
     make<createCutDeadCarriedValuesPass, createFoldStructuredPass>,
     {"aggregates", "constants"}},
    // Branches that only choose between values have become arith.select.
    {"selects", On::Kernels, make<arithToLLVM>, {"carried"}, isArithmetic},
    {"products", On::Kernels, make<createDistributeProductsPass, createShareProductsPass>, {"selects"}, isProduct},
    {"xors", On::Kernels, make<createSplitXorsPass>, {"selects"}, isXor},
    {"wide-sums", On::Kernels, make<createWidenSumsPass>, {"selects"}, isExtension},
    {"hoist-llvm",
     On::Kernels,
     make<createLoopInvariantCodeMotionPass, createCSEPass>,
     {"products", "xors", "wide-sums"}},
    // What doesn't change in a loop stands before it.
    {"carry-products", On::Kernels, make<createCarryProductsPass>, {"hoist-llvm"}, isProduct},
    {"widen-matrix", On::Kernels, make<widenMatrix>, {"hoist-llvm"}, isMatrix, hasDeepMatrix},
    // The matrix instructions are those that will be.
    {"rotate", On::Kernels, make<rotateLoops>, {"widen-matrix"}, isMatrix, rotatesLoops},
    {"fold-rotated", On::Kernels, make<createFoldStructuredPass, createCSEPass>, {"rotate"}, isRotated, rotatesLoops},
    // A priority says that its loop was ordered by hand, which is then left as it is.
    {"priority", On::Kernels, make<prioritize>, {"widen-matrix", "rotate"}, isMatrix},
    {"early-loads", On::Kernels, make<createEarlyLoadsPass>, {"rotate"}, isBranch},
    {"early-exits", On::Kernels, make<earlyExits>, {"early-loads"}, isBranch},
    // The branches that it makes are nothing that others look for.
    {"short-divisions", On::Kernels, make<shortDivisions>, {"early-loads", "early-exits"}, isLongDivision},
    {"middle-exits", On::Kernels, make<createMiddleExitsPass>, {"short-divisions"}, isWhile},
};

constexpr bool areInOrder() {
  for (const Step *step = std::begin(steps); step != std::end(steps); ++step)
    for (std::string_view name : step->after)
      if (!name.empty() && std::none_of(std::begin(steps), step, [&](const Step &above) { return above.name == name; }))
        return false;
  return true;
}
static_assert(areInOrder(), "a step comes before one that it must come after");
} // namespace

void addLoweringPasses(PassManager &manager, const PipelineOptions &options) {
  OpPassManager *kernels = nullptr;
  for (const Step &step : steps) {
    if (step.isWanted && !step.isWanted(options))
      continue;
    if (step.on != On::Module && !kernels)
      kernels = &manager.nest<gpu::GPUModuleOp>();
    OpPassManager &at = step.on == On::Module ? manager : step.on == On::Kernels ? *kernels : kernels->nestAny();
    Passes passes = step.make(options);
    if (step.where)
      at.addPass(std::make_unique<RunWhere>(step.where, std::move(passes)));
    else
      for (std::unique_ptr<Pass> &pass : passes)
        at.addPass(std::move(pass));
  }
}

SmallVector<StringRef> loweringPassNames(const Isa &isa) {
  llvm::SetVector<StringRef> names;
  for (const Step &step : steps)
    for (const std::unique_ptr<Pass> &pass : step.make({.isa = &isa}))
      names.insert(pass->getArgument());
  return names.takeVector();
}

bool addLoweringPass(PassManager &manager, StringRef name, const PipelineOptions &options) {
  for (const Step &step : steps)
    for (std::unique_ptr<Pass> &pass : step.make(options))
      if (pass->getArgument() == name) {
        if (step.on == On::Module)
          manager.addPass(std::move(pass));
        else
          manager.nest<gpu::GPUModuleOp>().addPass(std::move(pass));
        return true;
      }
  return false;
}

} // namespace inflight
