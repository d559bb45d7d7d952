// Addresses, and the memory instructions that access them.
#pragma once

#include "compiler/select/Selection.h"

namespace inflight::select {

/// Where a pointer points, before it is put into an instruction's fields.
struct Address {
  unsigned space = 0;
  Elems base;           ///< global: 64-bit address; buffer: descriptor; LDS, scratch: empty
  Elem uniformOffset;   ///< bytes, scalar; added to the others (buffer, LDS)
  Elem laneOffset;      ///< bytes, vector, unsigned 32 bits
  int64_t constant = 0; ///< bytes
  uint64_t alignment = 1;
  bool nonNegative = false; ///< laneOffset + uniformOffset can't be negative
  lir::ByteRange lds;       ///< LDS: where the address lies, `constant` included; all if unknown
  lir::ByteRange ldsBytes(unsigned offset, unsigned size) const;
};

/// How the memory instructions of a load or store are emitted.
struct AccessKind {
  bool isOrdered = false; ///< volatile or atomic: stays, and stays where it is
  CachePolicy cache;
  bool isUnwritten = false; ///< a load of global memory that no wave of the kernel writes
};

class Addresses : public OpSelector {
public:
  using OpSelector::OpSelector;
  Address addressOf(mlir::Value pointer);
  /// The pointer as a value.
  Elems pointerElems(const Address &address);
  Elem sumTerms(llvm::ArrayRef<std::pair<mlir::Value, int64_t>> terms);
  /// Puts the address into operands: returns them in the order of the format, data excluded.
  struct Fields {
    enum class Format { Lds, Buffer, Scratch, Global } format = Format::Global;
    llvm::SmallVector<Operand, 4> operands;
    Modifiers modifiers;
    /// The format's instruction for so many bytes.
    Mnemonic load(unsigned bytes) const;
    Mnemonic store(unsigned bytes) const;
    Mnemonic storeUpper(unsigned bytes) const; ///< of the upper half of a word
  };
  Fields fieldsFor(Address address, unsigned offset, unsigned bytes);
};

class Accesses : public Addresses {
public:
  using Addresses::Addresses;
  Elems loadBytes(const Address &address, unsigned bytes, unsigned offset, const AccessKind &kind);
  Elems loadScalars(const Address &address, unsigned bytes, const AccessKind &kind);
  /// What a load gave, in scalar registers if it is to be read back.
  Elems readBack(mlir::LLVM::LoadOp load, Elems words);
  void storeBytes(const Address &address, llvm::ArrayRef<Elem> value, unsigned bytes, unsigned offset,
                  const AccessKind &kind);
  /// Returns what was there before.
  Elems exchangeWords(const Address &address, llvm::ArrayRef<Elem> expected, llvm::ArrayRef<Elem> wanted);
  void loadMerged(mlir::LLVM::LoadOp first, const Merge &merge);
  void storeMerged(mlir::LLVM::StoreOp last, const Merge &merge);
  void fence(mlir::LLVM::AtomicOrdering ordering, llvm::StringRef scope);
  /// `immediate` moves both sides.
  mlir::LogicalResult ldsDma(mlir::Operation *op, Address from, Address to, unsigned bytes, int64_t immediate,
                             CachePolicy cache);
};

} // namespace inflight::select
