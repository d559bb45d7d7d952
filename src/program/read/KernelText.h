// What a kernel takes and needs, for launches and for people.
#pragma once

#include "isa/chip/TargetInfo.h"
#include "object/CodeObject.h"
#include "llvm/Support/JSON.h"

namespace inflight {

/// Which part of which buffer's shape a parameter is: "x.size0" is "size0" of "x". Both are empty where a launch passes
/// the parameter.
struct DerivedPart {
  llvm::StringRef buffer, part;
};
DerivedPart derivedPart(const Kernel &kernel, const KernelArgument &parameter);

/// The arguments that a launch passes, in order: neither hidden nor derived.
std::vector<const KernelArgument *> passedArguments(const Kernel &kernel);

/// Bytes of the kernarg segment, hidden arguments included; an error if it is implausibly large.
llvm::Expected<size_t> kernargBytes(const Kernel &kernel);

/// "argument 2 ('size')"; not all producers keep names.
std::string numberedArgument(size_t number, const KernelArgument &argument);

/// The arguments that a launch passes, a line each, every line after a line break:
///   0  x  buffer of f32, 8 bytes
std::string signatureText(const Kernel &kernel);

/// "buffer of f32", "scalar i32", "pointer to local memory", "structure of 24 bytes": one argument.
std::string argumentKind(const KernelArgument &argument);

/// What `inflight info --format=json` says of a kernel.
llvm::json::Object kernelObject(const Kernel &kernel, const TargetInfo &target);

/// The element type of a parameter as arrays name it ("f32", "i8"), from the type name that OpenCL, Triton or MLIR
/// producers give; empty where it says nothing.
llvm::StringRef elementTypeOf(const KernelArgument &argument);

} // namespace inflight
