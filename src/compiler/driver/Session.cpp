#include "compiler/driver/Session.h"

#include "compiler/import/Import.h"
#include "compiler/import/ir/LlvmIr.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <mutex>
#include <vector>

using namespace mlir;

namespace inflight {

static void registerInterfaces(DialectRegistry &registry) {
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
}

void registerInputDialects(DialectRegistry &registry) {
  registry.insert<amdgpu::AMDGPUDialect, affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect, LLVM::LLVMDialect, ROCDL::ROCDLDialect,
                  math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  registerInterfaces(registry);
}

bool isInputDialect(StringRef name) {
  static const DialectRegistry inputs = [] {
    DialectRegistry registry;
    registerInputDialects(registry);
    return registry;
  }();
  return name == BuiltinDialect::getDialectNamespace() || llvm::is_contained(inputs.getDialectNames(), name);
}

namespace {
struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<Session>> idle[2]; ///< by Input
};

/// Never destroyed: the process ends faster so.
Pool &pool() {
  static Pool *pool = new Pool;
  return *pool;
}

/// What LLVM IR is imported as, and what passes make of that: loading the other dialects takes as long as compiling a
/// small kernel.
void registerDialectsOfLlvmIr(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  LLVM::LLVMDialect, ROCDL::ROCDLDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect>();
  registerInterfaces(registry);
  import::registerLlvmIr(registry);
}

DialectRegistry makeRegistry(Input input) {
  DialectRegistry registry;
  if (input == Input::LlvmIr) {
    registerDialectsOfLlvmIr(registry);
    return registry;
  }
  registerInputDialects(registry);
  registry.insert<linalg::LinalgDialect>(); // of which import lowers products
  import::registerForeignDialects(registry);
  return registry;
}
} // namespace

Session::Session(Input input) : input(input), theContext(makeRegistry(input), MLIRContext::Threading::DISABLED) {
  // So no pass says which ones it makes operations of.
  theContext.loadAllAvailableDialects();
  // Unknown operations are reported by name after parsing, not as a hint about a tool's flags.
  theContext.allowUnregisteredDialects();
}

Session::Handle Session::take(Input input) {
  Pool &p = pool();
  {
    std::lock_guard<std::mutex> lock(p.mutex);
    if (auto &idle = p.idle[size_t(input)]; !idle.empty()) {
      std::unique_ptr<Session> session = std::move(idle.back());
      idle.pop_back();
      return Handle(session.release());
    }
  }
  return Handle(new Session(input));
}

void Session::GiveBack::operator()(Session *session) const {
  std::unique_ptr<Session> owned(session);
  // A context keeps every type, attribute and location it has seen.
  constexpr unsigned mostCompilations = 256;
  if (++session->compilations >= mostCompilations)
    return;
  Pool &p = pool();
  std::lock_guard<std::mutex> lock(p.mutex);
  p.idle[size_t(session->input)].push_back(std::move(owned));
}

PassManager &Session::managerFor(const PipelineOptions &options) {
  for (auto &[madeWith, manager] : managers)
    if (madeWith == options)
      return *manager;
  auto manager = std::make_unique<PassManager>(&theContext);
  manager->enableVerifier(false);
  addLoweringPasses(*manager, options);
  return *managers.emplace_back(options, std::move(manager)).second;
}

LogicalResult Session::lowerToStructuredLLVM(ModuleOp module, const PipelineOptions &options,
                                             const Configure &configure) {
  if (!configure)
    return managerFor(options).run(module);
  PassManager manager(&theContext);
  configure(manager);
  addLoweringPasses(manager, options);
  return manager.run(module);
}

} // namespace inflight
