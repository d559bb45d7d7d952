// LLVM's own list of intrinsics, the target's and those of all targets: each is compiled for a chip, or refused by its
// name with the reason that the table has. Calls are made up from the signatures.
#include "compiler/import/ir/Intrinsics.h"
#include "compiler/driver/Compile.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace inflight;
using namespace llvm;
using Intrinsic::IITDescriptor;

namespace {

/// Calls of these need more than values: metadata, allocas, pointers as wide as a mask, vectors of pointers. Other
/// tests have them.
constexpr StringLiteral takenElsewhere[] = {
    "llvm.dbg.assign",     "llvm.dbg.declare",   "llvm.dbg.label",     "llvm.dbg.value",
    "llvm.lifetime.start", "llvm.lifetime.end",  "llvm.fake.use",      "llvm.experimental.noalias.scope.decl",
    "llvm.ptrmask",        "llvm.masked.gather", "llvm.masked.scatter"};

bool isOurs(Intrinsic::ID id) {
  return !Intrinsic::isTargetIntrinsic(id) || Intrinsic::getBaseName(id).starts_with("llvm.amdgcn.");
}

/// What the types that an intrinsic is overloaded on must be.
struct Overload {
  IITDescriptor::ArgKind kind = IITDescriptor::AK_Any;
  bool isVector = false, isInteger = false;
};

SmallVector<Overload> overloadsOf(Intrinsic::ID id) {
  SmallVector<IITDescriptor, 8> table;
  Intrinsic::getIntrinsicInfoTableEntries(id, table);
  SmallVector<Overload> overloads;
  auto place = [&](unsigned number) -> Overload & {
    if (overloads.size() <= number)
      overloads.resize(number + 1);
    return overloads[number];
  };
  for (const IITDescriptor &one : table)
    switch (one.Kind) {
    case IITDescriptor::Argument:
      if (one.getArgumentKind() != IITDescriptor::AK_MatchType)
        place(one.getArgumentNumber()).kind = one.getArgumentKind();
      break;
    case IITDescriptor::ExtendArgument:
    case IITDescriptor::TruncArgument: place(one.getArgumentNumber()).isInteger = true; break;
    case IITDescriptor::VecElementArgument:
    case IITDescriptor::Subdivide2Argument:
    case IITDescriptor::Subdivide4Argument:
    case IITDescriptor::VecOfBitcastsToInt: place(one.getArgumentNumber()).isVector = true; break;
    case IITDescriptor::OneNthEltsVecArgument: place(one.getRefArgNumber()).isVector = true; break;
    case IITDescriptor::VecOfAnyPtrsToElt: // no candidate
      place(one.getOverloadArgNumber()) = {IITDescriptor::AK_AnyPointer, true, true};
      break;
    default: break;
    }
  return overloads;
}

SmallVector<Type *> candidates(const Overload &overload, LLVMContext &context) {
  IRBuilder<> builder(context);
  Type *i32 = builder.getInt32Ty(), *i16 = builder.getInt16Ty(), *f16 = builder.getHalfTy(),
       *f32 = builder.getFloatTy();
  auto vector = [](Type *type, unsigned count) -> Type * { return FixedVectorType::get(type, count); };
  SmallVector<Type *> types;
  switch (overload.kind) {
  case IITDescriptor::AK_AnyInteger:
    types = {i32, builder.getInt64Ty(), i16, builder.getInt1Ty(), vector(i16, 2), vector(i32, 4)};
    break;
  case IITDescriptor::AK_AnyFloat:
    types = {f32, builder.getDoubleTy(), f16, builder.getBFloatTy(), vector(f16, 2), vector(f32, 4)};
    break;
  case IITDescriptor::AK_AnyVector:
    types = {vector(i32, 4), vector(f32, 4), vector(i32, 2),  vector(f32, 2),
             vector(f16, 4), vector(i16, 4), vector(f16, 8),  vector(builder.getBFloatTy(), 4),
             vector(i32, 3), vector(f16, 2), vector(i32, 16), vector(builder.getInt1Ty(), 4)};
    break;
  case IITDescriptor::AK_AnyPointer:
    for (unsigned space : {1, 3, 8, 0, 4})
      types.push_back(PointerType::get(context, space));
    break;
  default: types = {i32, f32, vector(i32, 2), i16, f16, builder.getInt64Ty(), vector(f32, 4), vector(f16, 2)}; break;
  }
  erase_if(types, [&](Type *type) {
    return (overload.isVector && !type->isVectorTy()) ||
           (overload.isInteger && !(type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 8));
  });
  return types;
}

/// A kernel that calls the intrinsic; empty if no valid call can be made of these types and constants.
std::string kernelThatCalls(Intrinsic::ID id, ArrayRef<Type *> types, uint64_t constant, LLVMContext &context) {
  FunctionType *signature = Intrinsic::getType(context, id, types);
  if (signature->isVarArg() ||
      any_of(signature->params(), [](Type *type) { return type->isMetadataTy() || type->isTokenTy(); }))
    return "";
  Module module("intrinsic", context);
  module.setTargetTriple(Triple("amdgcn-amd-amdhsa"));
  module.setDataLayout(Triple("amdgcn-amd-amdhsa").computeDataLayout());
  IRBuilder<> builder(context);
  // Pointers to memory, then what the intrinsic is called with.
  Type *global = PointerType::get(context, 1);
  SmallVector<Type *> arguments = {global, global};
  append_range(arguments, signature->params());
  auto isArgument = [](Type *type) {
    return type->isPointerTy() ? is_contained({0u, 1u, 4u}, type->getPointerAddressSpace())
                               : type->isSingleValueType() && isPowerOf2_32(type->getPrimitiveSizeInBits()) &&
                                     type->getScalarSizeInBits() >= 8 && type->getPrimitiveSizeInBits() <= 128;
  };
  for (Type *&type : arguments)
    type = isArgument(type) ? type : builder.getInt32Ty();
  auto *kernel = Function::Create(FunctionType::get(builder.getVoidTy(), arguments, false), Function::ExternalLinkage,
                                  "k", module);
  kernel->setCallingConv(CallingConv::AMDGPU_KERNEL);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", kernel));
  Function *callee = Intrinsic::getOrInsertDeclaration(&module, id, types);
  SmallVector<Value *> values;
  for (auto [i, type] : enumerate(signature->params())) {
    Argument *argument = kernel->getArg(2 + i);
    Value *value = argument;
    if (callee->hasParamAttribute(i, Attribute::ImmArg))
      value = type->isIntegerTy() ? (Value *)ConstantInt::get(type, type->isIntegerTy(1) ? 0 : constant)
                                  : Constant::getNullValue(type);
    else if (type->isPointerTy() && type->getPointerAddressSpace() == 3)
      value = new GlobalVariable(module, ArrayType::get(builder.getInt32Ty(), 64), false, GlobalValue::InternalLinkage,
                                 PoisonValue::get(ArrayType::get(builder.getInt32Ty(), 64)), "lds", nullptr,
                                 GlobalValue::NotThreadLocal, 3);
    else if (type->isPointerTy() && type->getPointerAddressSpace() == 8)
      value =
          builder.CreateIntrinsic(Intrinsic::amdgcn_make_buffer_rsrc, {type, global},
                                  {kernel->getArg(0), builder.getInt16(0), builder.getInt64(64), builder.getInt32(0)});
    else if (type->isIntegerTy(1))
      value = builder.CreateICmpSGT(argument, builder.getInt32(5));
    else if (argument->getType() != type)
      value = type->isSized() ? builder.CreateLoad(type, kernel->getArg(0)) : (Value *)PoisonValue::get(type);
    values.push_back(value);
  }
  Value *result = builder.CreateCall(callee, values);
  auto store = [&](Value *value) {
    Type *type = value->getType();
    if (type->isIntOrIntVectorTy(1))
      value = builder.CreateZExt(
          value, type->isVectorTy()
                     ? (Type *)FixedVectorType::get(builder.getInt32Ty(), cast<FixedVectorType>(type)->getNumElements())
                     : builder.getInt32Ty());
    else if (type->isPointerTy() && type->getPointerAddressSpace() == 8)
      value = builder.CreateIntrinsic(Intrinsic::amdgcn_raw_ptr_buffer_load, {builder.getInt32Ty()},
                                      {value, builder.getInt32(0), builder.getInt32(0), builder.getInt32(0)});
    if (value->getType()->isSized())
      builder.CreateStore(value, kernel->getArg(1));
  };
  if (auto *type = dyn_cast<StructType>(result->getType()))
    for (unsigned i = 0; i < type->getNumElements(); ++i)
      store(builder.CreateExtractValue(result, i));
  else if (!result->getType()->isVoidTy())
    store(result);
  builder.CreateRetVoid();
  std::string text;
  raw_string_ostream os(text);
  if (verifyModule(module, nullptr))
    return "";
  module.print(os, nullptr);
  return text;
}

/// Calls `f` with kernels until it says that it has seen enough.
void forEachKernel(Intrinsic::ID id, function_ref<bool(const std::string &)> f) {
  LLVMContext context;
  SmallVector<SmallVector<Type *>> choices;
  for (const Overload &overload : overloadsOf(id))
    choices.push_back(candidates(overload, context));
  if (any_of(choices, [](const auto &types) { return types.empty(); }))
    return;
  SmallVector<unsigned> at(choices.size());
  constexpr unsigned most = 60;
  for (unsigned tries = 0; tries < most; ++tries) {
    SmallVector<Type *> types;
    for (auto [choice, i] : zip(choices, at))
      types.push_back(choice[i]);
    for (uint64_t constant : {0, 1, 4, int(CmpInst::ICMP_NE)})
      if (std::string text = kernelThatCalls(id, types, constant, context); !text.empty() && f(text))
        return;
    unsigned digit = 0;
    while (digit < at.size() && ++at[digit] == choices[digit].size())
      at[digit++] = 0;
    if (digit == at.size())
      return;
  }
}

/// Empty, or the error.
std::string compileFor(const std::string &text, const char *chip) {
  CompileOptions options;
  options.chip = chip;
  options.emit = EmitKind::Asm;
  Expected<CompileResult> result = compile(text, "intrinsic.ll", options);
  return result ? "" : toString(result.takeError());
}

TEST(Intrinsics, AreCompiledOrRefusedWithAReason) {
  const char *wanted = std::getenv("INFLIGHT_INTRINSICS"); // the beginning of their names
  for (Intrinsic::ID id = 1; id < Intrinsic::num_intrinsics; ++id) {
    const std::string name = Intrinsic::getBaseName(id).str();
    if (!isOurs(id) || !StringRef(name).starts_with(wanted ? wanted : ""))
      continue;
    const std::optional<StringRef> reason = import::refusalOf(name);
    std::string error = "no call of it can be made up";
    bool isCompiled = false;
    forEachKernel(id, [&](const std::string &text) {
      for (const char *chip : {"gfx950", "gfx942", "gfx90a"}) {
        const std::string said = compileFor(text, chip);
        if (said.empty() || reason) {
          isCompiled = said.empty();
          error = said;
          return true;
        }
        error = said;
      }
      return false;
    });
    const bool isCallable = error != "no call of it can be made up";
    if (!isCallable && is_contained(takenElsewhere, name))
      continue;
    if (reason && isCallable) {
      EXPECT_FALSE(isCompiled) << name << " is refused by the table: " << reason->str();
      EXPECT_NE(error.find("not supported: '" + name), std::string::npos) << name << ": " << error;
      EXPECT_NE(error.find(reason->str()), std::string::npos) << name << ": " << error;
    } else if (!reason) {
      EXPECT_TRUE(isCompiled) << name << ": " << error;
    }
  }
}

TEST(Intrinsics, TheTableNamesNoneThatLlvmHasNot) {
  StringSet<> names;
  for (Intrinsic::ID id = 1; id < Intrinsic::num_intrinsics; ++id)
    names.insert(Intrinsic::getBaseName(id));
  for (const import::Refusal &row : import::refusals())
    EXPECT_TRUE(any_of(names.keys(), [&](StringRef name) { return row.covers(name); })) << row.pattern.str();
}

} // namespace
