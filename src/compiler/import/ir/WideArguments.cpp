#include "compiler/import/ir/WideArithmetic.h"

#include "compiler/lanes/MemorySpaces.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace inflight::import {

Function &withoutWideArguments(Function &kernel) {
  if (none_of(kernel.args(), [](const Argument &argument) { return isWide(argument.getType()); }))
    return kernel;
  LLVMContext &context = kernel.getContext();
  Type *part = Type::getInt64Ty(context), *inPlace = PointerType::get(context, constantSpace);
  SmallVector<Type *> types;
  for (const Argument &argument : kernel.args())
    types.push_back(!isWide(argument.getType()) ? argument.getType() : bitsOf(&argument) > partBits ? inPlace : part);
  auto *made = Function::Create(FunctionType::get(kernel.getReturnType(), types, false), kernel.getLinkage(),
                                kernel.getAddressSpace(), "", kernel.getParent());
  made->takeName(&kernel);
  made->copyAttributesFrom(&kernel);
  made->copyMetadata(&kernel, 0);
  made->splice(made->begin(), &kernel);
  IRBuilder<> builder(context);
  builder.SetInsertPoint(&made->getEntryBlock(), made->getEntryBlock().getFirstInsertionPt());
  for (auto [old, argument] : zip_equal(kernel.args(), made->args())) {
    argument.takeName(&old);
    Value *value = &argument;
    if (old.getType() != argument.getType()) {
      argument.getParent()->setAttributes(made->getAttributes().removeParamAttributes(context, argument.getArgNo()));
      if (argument.getType() == part) {
        value = builder.CreateTrunc(value, old.getType());
      } else {
        const Align align = kernel.getDataLayout().getABITypeAlign(old.getType());
        AttrBuilder attributes(context);
        attributes.addByRefAttr(ArrayType::get(part, countOf(bitsOf(&old)))).addAlignmentAttr(align);
        argument.addAttrs(attributes);
        value = builder.CreateAlignedLoad(old.getType(), value, align);
      }
    }
    old.replaceAllUsesWith(value);
  }
  kernel.eraseFromParent();
  return *made;
}

} // namespace inflight::import
