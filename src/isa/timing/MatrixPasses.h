// How long matrix instructions take: data/latency/matrix.json.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/StringMap.h"

namespace inflight {

/// Whether an instruction on mixed formats runs at twice the rate: neither factor's format, in cbsz and blgp, is FP8 or
/// BF8 (0 and 1).
inline bool areNarrow(int64_t formatA, int64_t formatB) { return formatA > 1 && formatB > 1; }

inline constexpr unsigned cyclesPerPass = 4;

class MatrixPasses {
public:
  static llvm::Expected<const MatrixPasses *> get(llvm::StringRef chip);

  /// Passes of a matrix instruction. `narrowFormats`: neither factor is FP8 or BF8.
  /// An unlisted one is taken for the slowest there is.
  unsigned of(llvm::StringRef mnemonic, bool narrowFormats = false) const;
  /// Cycles after its issue in which its SIMD issues no other VALU instruction; all of its cycles for an unlisted one.
  unsigned valuBlocked(llvm::StringRef mnemonic) const;
  bool knows(llvm::StringRef mnemonic) const { return find(mnemonic); }
  /// Where its passes come from, "published: ...". Empty for an unlisted one.
  llvm::StringRef sourceOf(llvm::StringRef mnemonic) const LLVM_LIFETIME_BOUND;

private:
  struct Passes {
    unsigned slowest = 0, fastest = 0; ///< over the formats of the factors
    unsigned valuBlocked = 0;          ///< cycles
    std::string source;
  };
  const Passes *find(llvm::StringRef mnemonic) const LLVM_LIFETIME_BOUND;
  llvm::Error load(llvm::StringRef chip);
  llvm::StringMap<Passes> passes;
  unsigned slowestOfAll = 0;
};

} // namespace inflight
