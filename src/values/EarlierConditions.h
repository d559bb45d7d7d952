// About which symbols the conditions of branches are that a path backwards still comes to.
#pragma once

#include "values/LdsMap.h"
#include "values/expr/Expr.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::values {

/// Paths are those of one function: on calls and returns all conditions are forgotten.
class EarlierConditions {
public:
  explicit EarlierConditions(llvm::ArrayRef<PhaseBlock> blocks LLVM_LIFETIME_BOUND) : blocks(blocks) {}

  /// That something is asked about the symbol where control comes to `to`.
  void add(SymbolId symbol, uint32_t to) { asked[symbol].places.push_back(to); }
  /// Whether a path backwards from the end of the block may come to where something is asked about it.
  bool ask(SymbolId symbol, uint32_t block);

private:
  struct Asked {
    llvm::SmallVector<uint32_t, 4> places;
    bool isFollowed = false;
    uint32_t first = 0;     ///< block of `behind`
    llvm::BitVector behind; ///< blocks that control comes to from the places
  };
  void follow(Asked &of);

  llvm::ArrayRef<PhaseBlock> blocks;
  llvm::DenseMap<SymbolId, Asked> asked;
};

} // namespace inflight::values
