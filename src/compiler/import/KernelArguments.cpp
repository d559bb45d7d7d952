// Structs that kernels take by value, as producers of argument structs pass them.
#include "compiler/import/Import.h"
#include "compiler/lanes/MemorySpaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace mlir;

namespace inflight::import {

namespace {
/// A scalar inside a struct: how to reach it, and where it lies.
struct Member {
  SmallVector<int64_t> position;
  Type type;
  uint64_t offset;
};

/// Bytes of a scalar in the kernel's arguments, which is its alignment as well; nullopt for other types.
std::optional<uint64_t> scalarBytes(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == ldsSpace || pointer.getAddressSpace() == privateSpace ? 4 : 8;
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}

struct Extent {
  uint64_t size = 0, alignment = 1;
};

/// The scalars of `type` from `offset` on. Nullopt if one of them is none.
std::optional<Extent> collect(Type type, uint64_t offset, SmallVector<int64_t> &position,
                              SmallVectorImpl<Member> &members) {
  constexpr size_t mostMembers = 1024;
  if (members.size() > mostMembers)
    return std::nullopt;
  auto sequence = [&](auto types, bool isPacked) -> std::optional<Extent> {
    Extent whole;
    for (auto [i, part] : llvm::enumerate(types)) {
      // The alignment is known only after the part has been looked at.
      SmallVector<Member> inside;
      position.push_back(int64_t(i));
      std::optional<Extent> extent = collect(part, 0, position, inside);
      position.pop_back();
      if (!extent)
        return std::nullopt;
      uint64_t alignment = isPacked ? 1 : extent->alignment;
      uint64_t at = llvm::alignTo(whole.size, alignment);
      for (Member &member : inside) {
        member.offset += offset + at;
        members.push_back(std::move(member));
      }
      whole.size = at + extent->size;
      whole.alignment = std::max(whole.alignment, alignment);
    }
    whole.size = llvm::alignTo(whole.size, whole.alignment);
    return whole;
  };
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return structure.isOpaque() ? std::nullopt : sequence(structure.getBody(), structure.isPacked());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    if (array.getNumElements() > mostMembers)
      return std::nullopt;
    return sequence(SmallVector<Type>(array.getNumElements(), array.getElementType()), false);
  }
  std::optional<uint64_t> bytes = scalarBytes(type);
  if (!bytes)
    return std::nullopt;
  members.push_back({position, type, offset});
  return Extent{*bytes, *bytes};
}

Type typeWith(FunctionOpInterface function, ArrayRef<Type> arguments) {
  if (auto type = dyn_cast<LLVM::LLVMFunctionType>(function.getFunctionType()))
    return LLVM::LLVMFunctionType::get(type.getReturnType(), arguments, type.isVarArg());
  return FunctionType::get(function.getContext(), arguments, function.getResultTypes());
}

bool isAggregate(Type type) { return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type); }

/// The members of argument i become arguments in its place.
void flattenArgument(FunctionOpInterface kernel, unsigned i, StringRef name, ArrayRef<Member> members) {
  BlockArgument argument = kernel.getArgument(i);
  Location loc = argument.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getFunctionBody().front());
  SmallVector<Type> types;
  SmallVector<Location> places;
  for (auto [j, member] : llvm::enumerate(members)) {
    types.push_back(member.type);
    places.push_back(NameLoc::get(builder.getStringAttr(name + "." + Twine(j)), loc));
  }
  SmallVector<unsigned> indices(types.size(), i + 1);
  SmallVector<DictionaryAttr> attributes(types.size());
  SmallVector<Type> all = llvm::to_vector(kernel.getArgumentTypes());
  all.erase(all.begin() + i);
  all.insert(all.begin() + i, types.begin(), types.end());
  Type newType = typeWith(kernel, all);
  function_interface_impl::insertFunctionArguments(kernel, indices, types, attributes, places,
                                                   all.size() + 1 - types.size(), newType);
  Value whole = LLVM::PoisonOp::create(builder, loc, argument.getType());
  Block &entry = kernel.getFunctionBody().front();
  for (auto [j, member] : llvm::enumerate(members))
    whole = LLVM::InsertValueOp::create(builder, loc, whole, entry.getArgument(i + 1 + j), member.position);
  entry.getArgument(i).replaceAllUsesWith(whole);
  llvm::BitVector erased(all.size() + 1);
  erased.set(i);
  function_interface_impl::eraseFunctionArguments(kernel, erased, newType);
}

/// Each struct becomes its members where they lie at the same bytes; elsewhere the types don't say what a
/// launch passes.
LogicalResult flatten(FunctionOpInterface kernel) {
  if (llvm::none_of(kernel.getArgumentTypes(), isAggregate))
    return success();
  SmallVector<SmallVector<Member>> arguments;
  uint64_t theirs = 0, ours = 0;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    SmallVector<Member> &members = arguments.emplace_back();
    SmallVector<int64_t> position;
    auto memref = dyn_cast<MemRefType>(type);
    std::optional<Extent> extent =
        memref && memref.hasStaticShape() ? std::optional(Extent{8, 8}) : collect(type, 0, position, members);
    if (!extent)
      return kernel.emitError("argument ") << i << " of type " << type << " beside an argument that is a struct";
    theirs = llvm::alignTo(theirs, extent->alignment);
    if (memref)
      ours = llvm::alignTo(ours, 8) + 8;
    for (const Member &member : members) {
      uint64_t bytes = *scalarBytes(member.type);
      ours = llvm::alignTo(ours, bytes);
      if (ours != theirs + member.offset)
        return kernel.emitError("argument ")
               << i << " of type " << type << ": a member that is not at a multiple of its size";
      ours += bytes;
    }
    theirs += extent->size;
  }
  for (unsigned i = arguments.size(); i-- > 0;) {
    BlockArgument argument = kernel.getArgument(i);
    Location loc = argument.getLoc();
    std::string name = "arg" + std::to_string(i);
    if (auto named = dyn_cast<NameLoc>(loc))
      name = named.getName().str();
    if (isAggregate(argument.getType()))
      flattenArgument(kernel, i, name, arguments[i]);
    else
      argument.setLoc(isa<NameLoc>(loc) ? loc : NameLoc::get(StringAttr::get(kernel.getContext(), name), loc));
  }
  return success();
}
} // namespace

/// Functions that launch kernels, with the arguments that those had: the host's, of which the declaration is enough.
static void dropLaunches(ModuleOp module) {
  llvm::SetVector<Operation *> hosts;
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (auto host = launch->getParentOfType<FunctionOpInterface>())
      hosts.insert(host);
  });
  for (Operation *host : hosts) {
    auto function = cast<FunctionOpInterface>(host);
    function.eraseBody();
    if (auto declared = dyn_cast<func::FuncOp>(host))
      declared.setPrivate();
  }
}

LogicalResult flattenArguments(ModuleOp module) {
  dropLaunches(module);
  return failure(module
                     .walk([](FunctionOpInterface function) {
                       auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation());
                       bool isKernel = gpuFunction
                                           ? gpuFunction.isKernel()
                                           : function->hasAttr("gpu.kernel") || function->hasAttr("rocdl.kernel");
                       return WalkResult(failure(isKernel && !function.isExternal() && failed(flatten(function))));
                     })
                     .wasInterrupted());
}

} // namespace inflight::import
