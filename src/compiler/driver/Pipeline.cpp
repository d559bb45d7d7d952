#include "compiler/driver/Pipeline.h"

#include "compiler/driver/RunWhere.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/CheckInput.h"
#include "compiler/pipeline/PrepareKernels.h"
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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>
#include <array>
#include <string_view>

using namespace mlir;

namespace inflight {

namespace {
/// For structured bodies: there are no blocks to merge or to delete.
std::unique_ptr<Pass> createStructuredCanonicalizerPass() {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal().setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // The worklist holds all that a rewrite may have made possible: a second walk hardly finds more.
  config.setMaxIterations(1);
  return createCanonicalizerPass(config);
}

bool isArithmetic(Operation *op) {
  return llvm::isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && !isa<arith::ConstantOp>(op);
}
bool isAffine(Operation *op) { return isa_and_nonnull<affine::AffineDialect>(op->getDialect()); }
bool isMaskedLoad(Operation *op) { return isa<vector::MaskedLoadOp>(op); }
bool isTransfer(Operation *op) { return isa<VectorTransferOpInterface>(op); }
bool isBranch(Operation *op) { return isa<scf::IfOp>(op); }
bool isJump(Operation *op) { return op->getNumSuccessors() != 0 || isa<scf::IndexSwitchOp>(op); }
bool isAssertion(Operation *op) { return isa_and_nonnull<cf::AssertOp>(op); }
bool isRotated(Operation *op) { return op->hasAttr(attr::rotated); }
bool isCall(Operation *op) { return isa<CallOpInterface>(op); }

bool carriesAggregate(Operation *op) {
  if (!isa<LLVM::SelectOp>(op) && !isa_and_nonnull<scf::SCFDialect>(op->getDialect()))
    return false;
  auto isAggregate = [](Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); };
  return llvm::any_of(op->getOperandTypes(), isAggregate) || llvm::any_of(op->getResultTypes(), isAggregate);
}
bool has(const PipelineOptions &options, Mnemonic mnemonic) { return !options.isa->encodings(mnemonic).empty(); }
bool hasPermlaneSwap(const PipelineOptions &options) { return has(options, Mnemonic::v_permlane32_swap_b32); }
bool copiesAhead(const PipelineOptions &options) { return options.asyncCopies; }
bool rotatesLoops(const PipelineOptions &options) { return options.rotateLoops; }

using Passes = SmallVector<std::unique_ptr<Pass>, 4>;
template <typename... Ps> Passes list(Ps... passes) {
  Passes all;
  (all.push_back(std::move(passes)), ...);
  return all;
}

enum class On : uint8_t { Module, Kernels, EachKernel }; ///< Kernels: a gpu.module

/// Passes that stand together.
struct Step {
  std::string_view name;
  On on;
  Passes (*make)(const PipelineOptions &);
  std::array<std::string_view, 3> after = {};          ///< steps above this one
  bool (*where)(Operation *) = nullptr;                ///< only for modules that have such an operation
  bool (*isWanted)(const PipelineOptions &) = nullptr; ///< null: always
};
using Options = const PipelineOptions &;

/// In this order.
constexpr Step steps[] = {
    {"check-input", On::Module, [](Options) { return list(createCheckInputPass()); }},
    // As the source has it: folding keeps no marks.
    {"check-groups", On::Module, [](Options) { return list(createCheckAsyncGroupsPass()); }, {}, isAsyncGroupOp},
    {"fold", On::Module, [](Options) { return list(createCanonicalizerPass()); }, {"check-input", "check-groups"}},
    {"inline", On::Module, [](Options) { return list(createInlinerPass()); }, {"check-groups"}, isCall},
    {"prepare",
     On::Module,
     [](Options options) { return list(createPrepareKernelsPass(options.isa->target().maxWorkgroupSize)); },
     {"inline"}},
    {"lower-gpu",
     On::Module,
     [](Options options) { return list(createLowerGpuPass(options.isa->target().chip, hasPermlaneSwap(options))); },
     {"prepare"}},
    {"structure",
     On::Module,
     [](Options) { return list(createLiftControlFlowPass(), createCanonicalizerPass(), createCSEPass()); },
     {"inline"},
     isJump},
    {"count", On::Module, [](Options) { return list(createCountedLoopsPass()); }, {"structure"}},
    // Whoever copies looks at memrefs in workgroup memory, and at loops that count.
    {"groups",
     On::Module,
     [](Options options) { return list(createAsyncGroupsPass(options.isa->target().chip)); },
     {"check-groups", "prepare", "structure"},
     isAsyncGroupOp},
    {"copies",
     On::Module,
     [](Options options) {
       return list(createAsyncCopiesPass({.isa = options.isa,
                                          .stages = options.stages,
                                          .pingPong = options.pingPong,
                                          .pingPongSpills = options.pingPongSpills,
                                          .check = options.verifyEach}));
     },
     {"lower-gpu", "count", "groups"},
     nullptr,
     copiesAhead},
    // What no loop copies ahead.
    {"swizzle",
     On::Module,
     [](Options options) { return list(createSwizzleTilesPass(options.isa->target().chip)); },
     {"copies"},
     nullptr,
     copiesAhead},
    {"widen-stores",
     On::Module,
     [](Options) { return list(createWidenStoresPass()); },
     {"prepare", "structure"},
     [](Operation *op) { return isa<vector::StoreOp>(op); },
     hasPermlaneSwap},
    // Memory gets its place once nobody asks for more, or for another order of its bytes.
    {"allocate-lds",
     On::Module,
     [](Options options) {
       return list(createAllocateLdsPass(options.isa->target().ldsBytes), createCanonicalizerPass(), createCSEPass());
     },
     {"groups", "copies", "swizzle"}},
    {"memrefs",
     On::Kernels,
     // Vectors and memrefs in terms of scalars' addresses.
     [](Options) {
       return list(createExpandIntrinsicsPass(), createExpandMemRefsPass(), memref::createFoldMemRefAliasOpsPass());
     },
     {"allocate-lds"}},
    {"masked-loads",
     On::Kernels,
     [](Options) { return list(amdgpu::createAmdgpuMaskedloadToLoadPass()); },
     {"memrefs"},
     isMaskedLoad},
    {"vectors", On::Kernels, [](Options) { return list(createLowerVectorsPass()); }, {"masked-loads"}},
    {"transfers",
     On::Kernels,
     [](Options) {
       VectorTransferToSCFOptions options;
       options.enableFullUnroll();
       return list(createConvertVectorToSCFPass(options));
     },
     {"vectors"},
     isTransfer},
    {"layouts",
     On::Kernels,
     [](Options) { return list(memref::createExpandStridedMetadataPass()); },
     {"memrefs", "transfers"}},
    {"affine",
     On::Kernels,
     [](Options) {
       return list(createAffineRemaindersPass(), affine::createAffineExpandIndexOpsPass(), createLowerAffinePass());
     },
     {"memrefs", "layouts"},
     isAffine},
    {"math",
     On::Kernels,
     [](Options) {
       return list(createExpandMemRefsPass(), createExpandMathPass(), createStructuredCanonicalizerPass(),
                   createCSEPass());
     },
     {"affine"}},
    // Ranges of ids and induction variables make signed operations unsigned and comparisons constant.
    // Function by function, as the analysis of a whole module first looks for callers.
    {"ranges", On::EachKernel, [](Options) { return list(arith::createIntRangeOptimizationsPass()); }, {"math"}},
    {"unsigned",
     On::EachKernel,
     [](Options) { return list(arith::createArithUnsignedWhenEquivalentPass()); },
     {"ranges"}},
    // Assertions that the ranges have made constant go.
    {"assertions",
     On::Kernels,
     [](Options) { return list(createStructuredCanonicalizerPass()); },
     {"ranges"},
     isAssertion},
    {"hoist", On::Kernels, [](Options) { return list(createLoopInvariantCodeMotionPass()); }, {"copies", "ranges"}},
    {"to-llvm",
     On::Kernels,
     [](Options options) {
       const std::string &chip = options.isa->target().chip;
       return list(createConvertFloat8Pass(chip), createLowerVectorsPass(), createConvertToLLVMPass(chip),
                   createReconcileUnrealizedCastsPass(), createExpandAtomicsPass(*options.isa));
     },
     {"transfers", "affine", "math"}},
    {"aggregates",
     On::Kernels,
     [](Options) { return list(createFlattenAggregatesPass(), createStructuredCanonicalizerPass()); },
     {"to-llvm"},
     carriesAggregate},
    {"constants", On::EachKernel, [](Options) { return list(createSCCPPass()); }, {"to-llvm"}},
    {"carried",
     On::Kernels,
     [](Options) { return list(createCutDeadCarriedValuesPass(), createStructuredCanonicalizerPass()); },
     {"aggregates", "constants"}},
    // Branches that only choose between values have become arith.select.
    {"selects",
     On::Kernels,
     [](Options) { return list(createArithToLLVMConversionPass()); },
     {"carried"},
     isArithmetic},
    {"hoist-llvm",
     On::Kernels,
     [](Options) { return list(createLoopInvariantCodeMotionPass(), createCSEPass()); },
     {"selects"}},
    {"widen-matrix",
     On::Kernels,
     [](Options options) { return list(createWidenMatrixPass(options.reassociate)); },
     {"hoist-llvm"},
     isMatrix,
     [](Options options) { return has(options, Mnemonic::v_mfma_f32_16x16x32_f16); }},
    // The matrix instructions are those that will be.
    {"rotate",
     On::Kernels,
     [](Options options) { return list(createRotateLoopsPass(options.isa->target())); },
     {"widen-matrix"},
     isMatrix,
     rotatesLoops},
    {"fold-rotated",
     On::Kernels,
     [](Options) { return list(createStructuredCanonicalizerPass(), createCSEPass()); },
     {"rotate"},
     isRotated,
     rotatesLoops},
    // A priority says that its loop was ordered by hand, which is then left as it is.
    {"priority",
     On::Kernels,
     [](Options options) { return list(createMatrixPriorityPass(options.isa->target())); },
     {"widen-matrix", "rotate"},
     isMatrix},
    {"early-loads", On::Kernels, [](Options) { return list(createEarlyLoadsPass()); }, {"rotate"}, isBranch},
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
    auto addTo = [&](OpPassManager &into) {
      for (std::unique_ptr<Pass> &pass : passes)
        into.addPass(std::move(pass));
    };
    if (step.where)
      at.addPass(createRunWherePass(step.where, addTo));
    else
      addTo(at);
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
