// What an instruction reads and writes whose registers MODE or M0 choose.
#pragma once

#include "machine/wave/Indexing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::machine::check {

/// Once indexing has moved its operands. `Range`: a first register and a count; v0 is `vgpr0`.
template <typename Range> struct IndexedRegisters {
  llvm::SmallVector<Range, 8> reads, writes;
  IndexedRegisters(const IndexableOp &info, const Op &indexed, unsigned vgpr0, llvm::ArrayRef<Range> plainReads,
                   llvm::ArrayRef<Range> plainWrites) {
    auto sourceOf = [&](const Op &op, unsigned i) {
      return vgpr0 + (info.isDpp && i == 0 ? op.word[1] & 0xff : op.source[i].index);
    };
    auto moveResult = [&](Range range) {
      if (info.words[3] && range.first == vgpr0 + info.plain->destination)
        range.first = vgpr0 + indexed.destination;
      return range;
    };
    for (Range range : plainReads) {
      bool isSource = false;
      for (unsigned i = 0; i < 3; ++i)
        if (info.words[i] && range.first == sourceOf(*info.plain, i)) {
          isSource = true;
          reads.push_back(range);
          reads.back().first = sourceOf(indexed, i);
        }
      if (!isSource) // scalars, and the sum of an accumulation
        reads.push_back(moveResult(range));
    }
    for (Range range : plainWrites)
      writes.push_back(moveResult(range));
  }
};

/// Of an s_movrel* whose registers are those that M0 chose. `Range`: as above, scalars by operand number. A register
/// beyond the allocation isn't written, and s0 read in its place.
template <typename Range> struct RelativeRegisters {
  Op moved;
  llvm::SmallVector<Range, 4> reads, writes;
  RelativeRegisters(const Wave &wave, const Op &op, bool isResult, llvm::ArrayRef<Range> plainReads,
                    llvm::ArrayRef<Range> plainWrites)
      : moved(op) {
    const unsigned plain = isResult ? op.destination : op.source[0].index;
    reads.assign(plainReads.begin(), plainReads.end());
    writes.assign(plainWrites.begin(), plainWrites.end());
    // LLVM lists the register before the one that is written as read.
    const bool readsPlain = op.source[0].kind == Source::Scalar && op.source[0].index == plain;
    auto listed = llvm::find_if(reads, [&](Range range) { return range.first == plain; });
    if (isResult && !readsPlain && listed != reads.end()) {
      writes.push_back(*listed);
      reads.erase(listed);
    }
    for (Range &range : isResult ? writes : reads)
      if (range.first == plain) {
        const uint32_t first = range.first + wave.s[regunit::M0];
        const bool exists = uint64_t(first) + range.count <= wave.sgprs;
        if (isResult)
          moved.destination = first;
        else
          moved.source[0].index = exists ? first : 0;
        range = exists     ? Range{decltype(range.first)(first), range.count}
                : isResult ? Range{}
                           : Range{decltype(range.first)(0), range.count};
        break;
      }
    llvm::erase_if(writes, [](Range range) { return !range.count; });
  }
};

} // namespace inflight::machine::check
