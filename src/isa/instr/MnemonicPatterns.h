// What the text of a mnemonic says: patterns that it fits, and the encoding that it ends with.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace inflight {

/// Patterns as lines of Traits.def have them, with spaces between: a * stands for any text, one has to fit, and none
/// that begins with !, which come first. The text must outlive this.
class MnemonicPatterns {
public:
  explicit MnemonicPatterns(llvm::StringRef text);
  bool fit(llvm::StringRef mnemonic) const;

private:
  struct Pattern {
    llvm::StringRef text;
    bool excludes = false;
  };
  llvm::SmallVector<Pattern, 4> patterns;
};

/// "v_add_f32" of "v_add_f32_e64".
llvm::StringRef withoutEncoding(llvm::StringRef mnemonic);

} // namespace inflight
