// Wait states that a chip wants between two instructions (data/hazards.json lists the distances
// and their sources).
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace inflight::hazards {

/// One instruction as the rules see it.
struct Access {
  std::string mnemonic, modifiers;
  llvm::SmallVector<RegRange, 6> reads, writes;
  RegRange sourceA, sourceB, sourceC; ///< of matrix instructions; empty ranges where constant
  // Filled by HazardTable::classify.
  bool isMatrix = false, isXdl = false, isDgemm = false, isValu = false, isVmem = false, isDs = false;
  bool isSalu = false, isTrans = false, isDpp = false, isLaneAccess = false, isLdsDma = false;
  bool isDivFmas = false, isCmpx = false, isPermlane = false, isSubDwordWrite = false;
  bool isWideStore = false;
  unsigned passes = 0;
  bool matters() const { return isMatrix || isValu || isSalu || isWideStore; }
};

class HazardTable {
public:
  static llvm::Expected<const HazardTable *> get(const Isa &isa);

  void classify(Access &access) const;
  /// Wait states needed between `first` and a later `second` for their registers; 0 if none.
  unsigned required(const Access &first, const Access &second) const;
  unsigned maximumDistance() const { return theMaximum; }

private:
  /// Wait states by pair, from data/hazards.json.
  struct Distances {
    unsigned valuSgprToVmem, valuSgprToLaneSelect, valuVccToDivFmas, valuVgprToDpp, valuExecToDpp, m0ToLdsDma,
        valuSgprToValu, valuVgprToLaneRead, transToValu, subDwordToValu, cmpxToMatrix, valuVgprToMatrix,
        valuToPermlane, storeDataToOverwrite;
  };
  llvm::Error loadDistances();
  Distances distance = {};
  unsigned matrixRequired(const Access &first, const Access &second) const;
  std::string chip;
  bool isGfx940Plus = false;
  llvm::StringMap<unsigned> passes;
  unsigned theMaximum = 0;
};

} // namespace inflight::hazards
