// One argument of a launch, and the texts that describe it on a command line.
#pragma once

#include "support/files/Npy.h"
#include <optional>

namespace inflight::device {

/// Which buffer a pointer points into: that of an argument, or one that is no argument.
struct BufferRef {
  bool isExtra = false; ///< LaunchInputs::buffers instead of LaunchInputs::arguments
  unsigned index = 0;
};

/// An address within an argument's bytes, known when the buffers have been placed.
struct PointerField {
  uint64_t place = 0; ///< bytes from the start of the argument; eight are written
  BufferRef target;
  uint64_t offset = 0; ///< bytes added to the buffer's address
};

/// A buffer, a scalar, a structure or a pointer.
struct Argument {
  bool isBuffer = false;
  bool isNull = false;     ///< a pointer to nothing
  bool isAlias = false;    ///< a pointer into another argument's buffer: pointers[0]
  uint32_t localBytes = 0; ///< not 0: LDS for a pointer to local memory
  Array array;             ///< buffers: contents, updated after the launch; scalars: one element; structures: bytes
  uint64_t zeros = 0;      ///< not 0: a buffer of so many bytes, all zero, which `array` has only after the launch
  std::vector<PointerField> pointers; ///< to be filled in in `array`
  std::string text;                   ///< as given

  uint64_t bytes() const { return zeros ? zeros : array.bytes.size(); }
  bool isPointer() const { return isBuffer || isNull || isAlias; }
};

/// What a kernel is launched with.
struct LaunchInputs {
  std::vector<Argument> arguments;
  std::vector<Argument> buffers;   ///< that only pointers refer to
  std::optional<Argument> kernarg; ///< the whole kernarg segment, instead of arguments
  bool wantsResults = true;        ///< buffers are fetched back after the launch
  bool isStoredTo = false;         ///< by the last launch: whether the kernel wrote anything to global memory
};

/// `FILE.npy[:TYPE]`, `zeros:SHAPE:TYPE`, `random:SHAPE:TYPE:SEED`, `arange:SHAPE:TYPE`, `TYPE:VALUE`, `bytes:HEX`,
/// `lds:BYTES`, `null`, `ptr:I[+OFFSET]`, `struct:ITEM,ITEM,...`, `array:ITEM,ITEM,...`; SHAPE like 128x256, I an
/// argument's number or bN for the N-th buffer that is none. Items are scalars, pointers, `null`, `bytes:HEX` and
/// `pad:BYTES`, each at its natural alignment.
llvm::Expected<Argument> parseArgument(llvm::StringRef text);

} // namespace inflight::device
