// Assembly text to relocatable objects and code objects, through LLVM's assembler and LLD.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class MCStreamer;
}

namespace inflight {

/// Text that a user wrote is first checked for what LLVM's assembler would hang or crash on.
enum class TextFrom { User, Inflight };

/// Whether the code knows the lines of the text it comes from. Text that names lines of its own (`.loc`) keeps those.
enum class LineTable { None, OfText };

/// Assembles `text` to a relocatable ELF object. `name` stands in messages, which are all of the
/// assembler's errors in clang's style joined by newlines.
llvm::Expected<std::string> assembleObject(const Isa &isa, llvm::StringRef text, llvm::StringRef name,
                                           TextFrom from = TextFrom::User, LineTable lines = LineTable::None);

/// Assembles Inflight's own `text` and has `append` add code to what it came to.
llvm::Expected<std::string>
assembleObject(const Isa &isa, llvm::StringRef text, llvm::StringRef name,
               llvm::function_ref<llvm::Error(llvm::MCStreamer &, const llvm::MCSubtargetInfo &)> append);

/// Links one relocatable object to a code object (a shared object), with LLD in this process.
/// Safe to call from several threads; links are serialised. `name` stands in messages.
llvm::Expected<std::string> linkCodeObject(llvm::StringRef object, llvm::StringRef name = "the object");

/// assembleObject, then linkCodeObject.
llvm::Expected<std::string> assembleCodeObject(const Isa &isa, llvm::StringRef text, llvm::StringRef name,
                                               LineTable lines = LineTable::None);

} // namespace inflight
