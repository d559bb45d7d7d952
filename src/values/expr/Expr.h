// 32-bit values as expressions over symbols, each kept once: a constant plus coefficients times atoms, modulo 2^32.
//
// An atom is a symbol, or an operation that isn't linear, of expressions. Every expression has the bits that are known
// of it and its least and greatest value as an unsigned number. What is equal is meant to be the same expression where
// that is cheap to see: (k - 0x800) & 0x800 is 0x800 - (k & 0x800), and both read the one atom "bit 11 of k".
#pragma once

#include "support/IdVector.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inflight::values {

enum class ExprId : uint32_t {};
enum class AtomId : uint32_t {};
enum class SymbolId : uint32_t {};
inline constexpr SymbolId noSymbol{};
inline constexpr ExprId zero{}; ///< the constant 0

/// What is known of an unsigned number: bits that are 0, bits that are 1, least and greatest value.
struct Known {
  uint32_t zeros = 0, ones = 0;
  uint32_t least = 0, greatest = ~0u;
  static Known upTo(uint32_t greatest) {
    Known known{0, 0, 0, greatest};
    known.tighten();
    return known;
  }
  /// Each half says what the other implies.
  void tighten();
  Known hull(const Known &other) const;
  bool within(const Known &other) const;
};

/// On what a value depends.
struct Depends {
  bool lane : 1 = false;      ///< may differ from lane to lane
  bool wave : 1 = false;      ///< may differ from wave to wave of a workgroup
  bool iteration : 1 = false; ///< on the number of iterations a loop took
  bool stale : 1 = false;     ///< on symbols of an earlier iteration, which stand for more than one value
  bool unknown : 1 = false;   ///< on more than the numbers of lane, wave and work-item
  Depends operator|(Depends o) const {
    return {lane || o.lane, wave || o.wave, iteration || o.iteration, stale || o.stale, unknown || o.unknown};
  }
};

struct Symbol {
  enum class Kind : uint8_t {
    Entry,     ///< a register's value when the function begins: where = function
    WorkItem,  ///< x, y or z of the work-item: reg = dimension
    Lane,      ///< number of the lane in its wave
    Wave,      ///< number of the wave in its workgroup
    Loaded,    ///< came from memory: where = instruction
    Computed,  ///< by an instruction that isn't followed: where = instruction
    Merged,    ///< one of several values where paths meet: where = block
    LoopStart, ///< at the start of a loop's iteration: where = block
    Iteration, ///< how often a loop's phases were run through: where = block
    External,  ///< of the assembler or linker: where = instruction
    FirstLane, ///< `base` in the first active lane: where = which EXEC
    Stale,     ///< `base` in an earlier iteration
    OtherLane, ///< `base` in another lane
    OtherWave, ///< `base` in another wave
    AfterLoop, ///< `base` after a loop with a divergent exit: the same in that wave, perhaps not in others
  };
  Kind kind = Kind::Computed;
  uint32_t where = 0;
  uint16_t reg = 0;
  uint32_t owner = 0; ///< instance of the loop in which it was made
  SymbolId base = noSymbol;
  Known known;
  Depends depends;
};

enum class AtomKind : uint8_t {
  Symbol, ///< shift = unused, a = SymbolId
  Field,  ///< (a >> shift) & mask
  And,
  Or,
  Xor,    ///< of a and b, neither constant
  MulHi,  ///< upper half of a * mask
  Divide, ///< a / mask
  Equal,
  Less,
  LessSigned, ///< 1 or 0
  Select,     ///< a ? b : c
  LaneMask,   ///< the half of a mask of lanes for which a holds
  Other,      ///< operation `shift` of a, b, c
};

struct Atom {
  AtomKind kind;
  uint8_t shift = 0;
  uint8_t depth = 0;
  uint32_t mask = 0;
  ExprId a = zero, b = zero, c = zero;
  Known known;
  Depends depends;
  SymbolId symbol() const { return SymbolId(uint32_t(a)); } ///< of a Symbol
};

struct Term {
  AtomId atom;
  uint32_t factor;
  bool operator==(const Term &) const = default;
};

struct Expr {
  uint32_t constant = 0;
  uint32_t firstTerm = 0;
  uint16_t termCount = 0;
  uint8_t depth = 0;
  /// The sum with factors taken as signed numbers is the value itself, without wrapping.
  bool exact = false;
  int64_t sumConstant = 0; ///< the constant in that sum
  Known known;
  Depends depends;
};

/// Expressions of one analysis. Not thread-safe.
class Expressions {
public:
  Expressions();

  ExprId constant(uint32_t value);
  ExprId symbol(SymbolId id);
  SymbolId addSymbol(const Symbol &symbol);
  /// The symbol made of `base` that way; always the same one. `owner` counts where it is later than the base's.
  SymbolId derived(Symbol::Kind kind, SymbolId base, uint32_t where = 0, uint32_t owner = 0);

  ExprId add(ExprId a, ExprId b);
  ExprId sub(ExprId a, ExprId b) { return add(a, scale(b, ~0u)); }
  ExprId scale(ExprId a, uint32_t factor);
  ExprId addConstant(ExprId a, uint32_t value);
  ExprId mul(ExprId a, ExprId b);
  ExprId mulHi(ExprId a, ExprId b);
  ExprId mulHiSigned(ExprId a, ExprId b);
  ExprId divide(ExprId a, uint32_t by);
  /// (a >> shift) & mask.
  ExprId field(ExprId a, unsigned shift, uint32_t mask);
  ExprId bitAnd(ExprId a, ExprId b);
  ExprId bitOr(ExprId a, ExprId b);
  ExprId bitXor(ExprId a, ExprId b);
  ExprId bitNot(ExprId a) { return sub(constant(~0u), a); }
  ExprId andNot(ExprId a, ExprId b);
  ExprId shiftLeft(ExprId a, ExprId by);
  ExprId shiftRight(ExprId a, ExprId by);
  ExprId shiftRightSigned(ExprId a, ExprId by);
  ExprId equal(ExprId a, ExprId b);
  ExprId less(ExprId a, ExprId b);
  ExprId lessSigned(ExprId a, ExprId b);
  ExprId logicalNot(ExprId a) { return sub(constant(1), a); } ///< of 0 or 1
  ExprId select(ExprId condition, ExprId a, ExprId b);
  ExprId laneMask(ExprId condition);
  /// An operation of which nothing is known but that it is one: `operation` tells them apart.
  ExprId other(uint8_t operation, ExprId a, ExprId b = zero, ExprId c = zero);

  const Expr &operator[](ExprId id) const LLVM_LIFETIME_BOUND { return exprs[id]; }
  const Atom &atom(AtomId id) const LLVM_LIFETIME_BOUND { return atoms[id]; }
  const Symbol &symbolInfo(SymbolId id) const LLVM_LIFETIME_BOUND { return symbols[id]; }
  llvm::ArrayRef<Term> terms(ExprId id) const LLVM_LIFETIME_BOUND {
    return llvm::ArrayRef(allTerms).slice(exprs[id].firstTerm, exprs[id].termCount);
  }
  bool isConstant(ExprId id) const { return exprs[id].termCount == 0; }
  /// The atom of an expression that is one atom and nothing else; null if it isn't.
  const Atom *onlyAtom(ExprId id) const LLVM_LIFETIME_BOUND;

  /// A sum of terms in any order.
  ExprId sum(uint32_t constant, llvm::ArrayRef<Term> terms);

  /// Puts expressions in the place of symbols.
  using Replace = llvm::function_ref<ExprId(SymbolId)>;
  ExprId substitute(ExprId id, Replace replace);
  /// Puts one in the place of an atom, wherever it stands.
  ExprId substitute(ExprId id, AtomId atom, ExprId becomes);

  /// What `id` is when `condition`, which is 0 or 1, is `value`.
  ExprId assume(ExprId id, ExprId condition, bool value);

  /// Calls `visit` for each atom in the expression, at any depth.
  void eachAtom(ExprId id, llvm::function_ref<void(AtomId, const Atom &)> visit) const;
  std::string describe(ExprId id, llvm::function_ref<std::string(const Symbol &)> name) const;

private:
  friend class ExprKeeper;
  AtomId makeAtom(Atom atom);
  ExprId ofAtom(const Atom &atom);
  void boundSum(Expr &made, llvm::ArrayRef<Term> sorted) const;
  ExprId makeExpr(uint32_t constant, llvm::ArrayRef<Term> sorted);
  /// Of a substitution: what is put in place of symbols, and of one atom.
  struct Change {
    Replace replace;
    AtomId atom{~0u};
    ExprId becomes = zero;
    llvm::DenseMap<ExprId, ExprId> done;
  };
  ExprId substituteAtom(const Atom &atom, Change &change);
  ExprId substitute(ExprId id, Change &change);
  unsigned trailingZeros(const Term &term) const;
  bool cannotBeZero(ExprId id) const;
  /// Ways to write field() on a sum simply; none when they don't apply.
  std::optional<ExprId> fieldOfLowBits(ExprId a, unsigned shift, uint32_t mask);
  std::optional<ExprId> fieldOfMultiple(ExprId a, unsigned shift, uint32_t mask);
  std::optional<ExprId> fieldOfParts(ExprId a, unsigned shift, uint32_t mask);
  template <class Own> ExprId commutative(AtomKind kind, ExprId a, ExprId b, Own known);

  IdVector<ExprId, Expr> exprs;
  llvm::SmallVector<Term, 0> allTerms;
  IdVector<AtomId, Atom> atoms;
  IdVector<SymbolId, Symbol> symbols;
  /// Numbers by hash, open addressing.
  template <class Id> struct Table {
    struct Place {
      uint32_t hash = 0, next = 0; ///< `next`: the number + 1; 0 is free
    };
    std::vector<Place> places = std::vector<Place>(4096);
    size_t used = 0;
    /// Where the number stands for which `equal` holds, or would.
    template <class Equal> Place &find(uint32_t hash, Equal equal) {
      const size_t mask = places.size() - 1;
      for (size_t at = hash & mask;; at = (at + 1) & mask)
        if (!places[at].next || (places[at].hash == hash && equal(Id(places[at].next - 1))))
          return places[at];
    }
    /// Those of numbers from `first` on.
    void forgetFrom(uint32_t first);
    void shrink();
    void take(Place &place, uint32_t hash, Id id) {
      place = {hash, uint32_t(id) + 1};
      if (++used * 2 >= places.size())
        grow();
    }
    void grow();
  };
  Table<ExprId> exprTable;
  Table<AtomId> atomTable;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, SymbolId> derivedIndex;
};

/// Adds those that aren't among `found`.
void symbolsOf(const Expressions &exprs, ExprId id, llvm::SmallVectorImpl<SymbolId> &found);

} // namespace inflight::values
