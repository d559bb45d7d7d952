#include "program/assemble/Layout.h"

#include "support/Diagnostics.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSection.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;

namespace inflight {

static constexpr uint64_t maximumSectionBytes = uint64_t(1) << 28;
// LLD places a section in the file, too, at a multiple of its alignment.
static constexpr uint64_t maximumAlignment = uint64_t(1) << 16;

/// Where `fragment` ends when it begins at `offset`, as far as that is known before layout.
static std::optional<uint64_t> endOf(const MCFragment &fragment, std::optional<uint64_t> offset) {
  switch (fragment.getKind()) {
  case MCFragment::FT_Data:
  case MCFragment::FT_Relaxable: return offset ? std::optional(*offset + fragment.getSize()) : std::nullopt;
  case MCFragment::FT_Align: {
    Align alignment = fragment.getAlignment();
    if (!offset)
      return fragment.getAlignMaxBytesToEmit() + 1 >= alignment.value() ? std::optional<uint64_t>(0) : std::nullopt;
    uint64_t begin = *offset + fragment.getFixedSize(), end = alignTo(begin, alignment);
    return end - begin > fragment.getAlignMaxBytesToEmit() ? begin : end;
  }
  case MCFragment::FT_Fill: {
    const auto &fill = cast<MCFillFragment>(fragment);
    int64_t count;
    if (!offset || !fill.getNumValues().evaluateAsAbsolute(count))
      return std::nullopt;
    uint64_t bytes = SaturatingMultiply<uint64_t>(std::max<int64_t>(count, 0), fill.getValueSize());
    return SaturatingAdd<uint64_t>(*offset + fragment.getFixedSize(), bytes);
  }
  case MCFragment::FT_Org: {
    int64_t to;
    if (!cast<MCOrgFragment>(fragment).getOffset().evaluateAsAbsolute(to) || to < 0)
      return std::nullopt;
    return uint64_t(to);
  }
  default: return std::nullopt;
  }
}

Error checkLayout(MCAssembler &assembler, StringRef name) {
  const uint64_t instruction = assembler.getBackend().getMinimumNopSize();
  for (MCSection &section : assembler) {
    if (section.getAlign().value() > maximumAlignment)
      return errorAt({name.str()}, "section '" + section.getName() + "' is to be aligned to " +
                                       Twine(section.getAlign().value()) + " bytes; the most is " +
                                       Twine(maximumAlignment));
    std::optional<uint64_t> offset = 0;
    for (const MCFragment &fragment : section) {
      if (fragment.getKind() == MCFragment::FT_Align && fragment.hasAlignEmitNops() &&
          fragment.getAlignment() >= instruction && (!offset || (*offset + fragment.getFixedSize()) % instruction))
        return errorAt({name.str()}, "code in section '" + section.getName() +
                                         "' is to be aligned after data whose size is no known multiple of " +
                                         Twine(instruction) +
                                         " bytes; align the data first with a fill value, as in '.p2align 2, 0'");
      offset = endOf(fragment, offset);
      if (offset && *offset > maximumSectionBytes)
        return errorAt({name.str()}, "section '" + section.getName() + "' would have more than " +
                                         Twine(maximumSectionBytes) + " bytes");
    }
  }
  return Error::success();
}

} // namespace inflight
