#include "compiler/regalloc/PressureRemarks.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inflight::lir {

namespace {

class PressureRemarks {
public:
  PressureRemarks(Function &function, const Liveness &liveness)
      : function(function), liveness(liveness), definitions(function.regs.size()) {
    for (const Block &block : function.blocks)
      for (const Inst &inst : block.insts)
        forEachReg(inst, [&](Reg reg, bool isDef) {
          if (isDef && !definitions[reg.id].known())
            definitions[reg.id] = inst.place;
        });
  }

  void run(bool isVector) {
    const auto [slot, live] = findPeak(isVector);
    const Place peak = placeOf(slot);
    const StringRef registers = isVector ? "vector registers" : "scalar registers";
    if (!live)
      return;
    function.remarks.add(Remark(Remark::Kind::Analysis, "regalloc", "RegisterPressure", peak)
                             .text("most " + registers + " are live here: ")
                             .number(isVector ? "VectorRegisters" : "ScalarRegisters", live));
    // The widest, and of the others those that make a difference.
    constexpr unsigned always = 3, mostValues = 8, leastShare = 16;
    unsigned told = 0;
    for (const auto &[place, count] : valuesAt(slot, isVector))
      if (told < always || (told < mostValues && count * leastShare >= live)) {
        ++told;
        Remark remark(Remark::Kind::Analysis, "regalloc", "LiveAtPeak", place);
        remark.text(place.known() ? "values defined here take " : "the kernel's arguments and ids take ");
        remark.number("Registers", count).text(" of the " + Twine(live) + " " + registers + " live ");
        if (peak.known())
          remark.text("at ").value("Peak", function.textOf(peak), peak).text(", ");
        remark.text("where most are");
        function.remarks.add(std::move(remark));
      }
  }

private:
  bool counts(RegId reg, bool isVector) const { return (function.regs[reg].file != RegFile::Sgpr) == isVector; }

  std::pair<Slot, unsigned> findPeak(bool isVector) const {
    std::vector<int> change(liveness.blockStart(function.blocks.size()) + 2, 0);
    for (RegId reg = 0; reg < function.regs.size(); ++reg)
      for (unsigned i = 0; counts(reg, isVector) && i < function.regs[reg].width; ++i)
        for (const Segment &segment : liveness.range(reg, i).segments) {
          ++change[segment.from];
          --change[segment.to];
        }
    std::pair<Slot, unsigned> peak{0, 0};
    int live = 0;
    for (Slot slot = 0; slot < change.size(); ++slot)
      if (live += change[slot]; unsigned(live) > peak.second)
        peak = {slot, live};
    return peak;
  }

  /// The place of the instruction at the slot, or of the last one before it in the block that has one.
  Place placeOf(Slot slot) const {
    for (unsigned b = 0; b < function.blocks.size(); ++b) {
      if (slot < liveness.blockStart(b) || slot >= liveness.blockEnd(b))
        continue;
      for (size_t i = (slot - liveness.blockStart(b)) / 2 + 1; i-- > 0;)
        if (const Place place = function.blocks[b].insts[i].place; place.known())
          return place;
    }
    return {};
  }

  std::vector<std::pair<Place, unsigned>> valuesAt(Slot slot, bool isVector) const {
    std::map<Place, unsigned> byPlace;
    for (RegId reg = 0; reg < function.regs.size(); ++reg)
      for (unsigned i = 0; counts(reg, isVector) && i < function.regs[reg].width; ++i)
        if (any_of(liveness.range(reg, i).segments, [&](Segment s) { return s.from <= slot && slot < s.to; }))
          ++byPlace[definitions[reg]];
    std::vector<std::pair<Place, unsigned>> values(byPlace.begin(), byPlace.end());
    stable_sort(values, [](const auto &a, const auto &b) { return a.second > b.second; });
    return values;
  }

  Function &function;
  const Liveness &liveness;
  std::vector<Place> definitions; ///< by RegId: of the first definition
};

} // namespace

void remarkOnPressure(Function &function, const Liveness &liveness) {
  PressureRemarks remarks(function, liveness);
  remarks.run(true);
  remarks.run(false);
}

} // namespace inflight::lir
