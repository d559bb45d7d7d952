#include "compiler/regalloc/Spill.h"

#include "compiler/regalloc/FullExec.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace llvm;

namespace inflight::lir {

using enum Mnemonic;

namespace {

/// Where a register's values are kept.
struct Home {
  enum Kind : uint8_t { Register, Nowhere, Agprs, Scratch, Lanes } kind = Register;
  SmallVector<Inst, 2> constant; ///< Nowhere: what makes its words
  unsigned base = 0;             ///< Scratch: byte; Lanes: first lane
  RegId lanes = NoReg;           ///< Lanes: of this vector register
};

/// A 32-bit piece of a spilled register, and the temporary that stands for it in one instruction.
struct Part {
  Reg reg, temporary;
  bool isUsed = false, isDefined = false;
  bool isHeld = false; ///< the temporary has the value already
};

/// A temporary that has a value still.
struct Held {
  Reg reg, temporary;
  Slot last; ///< of its last use
};

class Spiller {
public:
  Spiller(Function &function, SpillLanes &lanes, SpillRoom &room)
      : function(function), lanes(lanes), room(room), homes(function.regs.size()) {}

  void run(const Clusters &clusters, ArrayRef<Victim> victims) {
    const std::vector<ConstantWords> constants = findConstants(function);
    for (const Victim &victim : victims) {
      const Cluster &cluster = clusters.clusters[victim.cluster];
      const Home shared = makeHome(cluster, victim.toAgprs, constants);
      for (RegId reg : cluster.members)
        chooseHome(reg, shared, clusters.offsetOf[reg], constants[reg]);
      moves.push_back({shared.kind, unsigned(cluster.slots.size()), definitionOf(cluster)});
      for (RegId reg : cluster.members)
        moveOf[reg] = moves.size() - 1;
    }
    const FullExec exec(function);
    for (auto [number, block] : enumerate(function.blocks)) {
      std::vector<Inst> out;
      out.reserve(block.insts.size());
      bool isFull = exec.atEntry(number);
      held.clear();
      for (Inst &inst : block.insts) {
        const bool isFullAfter = exec.after(inst, isFull), changesExec = writesExec(inst);
        rewrite(inst, out, isFull);
        if (changesExec)
          erase_if(held, [&](const Held &h) { return function.regs[h.temporary.id].file != RegFile::Sgpr; });
        isFull = isFullAfter;
        slot += 2;
      }
      block.insts = std::move(out);
    }
    defineLanes();
    if (function.remarks.isWanted)
      for (const Move &move : moves)
        remark(move);
  }

private:
  /// A home for the whole cluster, so that copies within it stay nothing.
  Home makeHome(const Cluster &cluster, bool toAgprs, ArrayRef<ConstantWords> constants) {
    Home home;
    if (toAgprs) {
      home.kind = Home::Agprs;
    } else if (all_of(cluster.members, [&](RegId reg) { return !constants[reg].empty(); })) {
      home.kind = Home::Nowhere;
    } else if (cluster.file == RegFile::Sgpr) {
      placeInLanes(home, cluster.slots.size());
    } else {
      home.kind = Home::Scratch;
      home.base = function.scratchBytes;
      function.scratchBytes += 4 * cluster.slots.size();
      function.vgprSpills += cluster.slots.size();
    }
    return home;
  }

  void chooseHome(RegId reg, const Home &shared, unsigned offset, ArrayRef<const Inst *> constant) {
    Home &home = homes[reg];
    home = shared;
    if (home.kind == Home::Agprs) {
      function.regs[reg].file = RegFile::Agpr;
    } else if (!constant.empty()) {
      home.kind = Home::Nowhere;
      for (const Inst *word : constant) {
        home.constant.push_back(*word);
        home.constant.back().origin = 0;
      }
    } else {
      home.base += (home.kind == Home::Scratch ? 4 : 1) * offset;
    }
  }

  void placeInLanes(Home &home, unsigned width) {
    if (lanes.reg == NoReg || lanes.next + width > function.isa->target().lanesPerWave) {
      lanes = {function.newReg(RegFile::Vgpr), 0};
      function.regs[lanes.reg].rematerializable = true; // its lanes have no other place
      newLanes.push_back(lanes.reg);
    }
    home.kind = Home::Lanes;
    home.lanes = lanes.reg;
    home.base = lanes.next;
    lanes.next += width;
    function.sgprSpills += width;
  }

  void defineLanes() {
    std::vector<Inst> &entry = function.blocks[0].insts;
    for (RegId reg : newLanes)
      entry.insert(entry.begin(), makePseudo(Pseudo::ImplicitDef, {Operand::def(function.whole(reg))}));
  }

  const Home &homeOf(Reg reg) const {
    static const Home inRegister;
    return reg.id < homes.size() ? homes[reg.id] : inRegister;
  }

  bool needsTemporary(const Inst &inst, unsigned i) const {
    const Operand &operand = inst.operands[i];
    if (!operand.isReg())
      return false;
    const Home &home = homeOf(operand.reg);
    return home.kind == Home::Agprs ? !acceptsAgpr(inst, i) : home.kind != Home::Register;
  }

  /// A copy from a value's home to the same home, or the definition of anything at all.
  bool vanishes(const Inst &inst) const {
    const bool isCopy = inst.isCopy() && inst.operands[1].isReg();
    if (!isCopy && !inst.is(Pseudo::ImplicitDef))
      return false;
    const Home &to = homeOf(inst.operands[0].reg);
    if (to.kind != Home::Scratch && to.kind != Home::Lanes)
      return false;
    if (!isCopy)
      return true;
    const Home &from = homeOf(inst.operands[1].reg);
    const unsigned unit = to.kind == Home::Scratch ? 4 : 1;
    return to.kind == from.kind && to.lanes == from.lanes &&
           to.base + unit * inst.operands[0].reg.sub == from.base + unit * inst.operands[1].reg.sub;
  }

  /// `isFull`: all lanes are active.
  void rewrite(Inst &inst, std::vector<Inst> &out, bool isFull) {
    if (vanishes(inst)) {
      forget(inst.operands[0].reg);
      return;
    }
    SmallVector<Part, 4> parts;
    for (unsigned i = 0; i < inst.operands.size(); ++i) {
      if (!needsTemporary(inst, i)) {
        // A result that goes straight to its AGPRs.
        if (inst.operands[i].isReg() && inst.operands[i].isDef)
          forget(inst.operands[i].reg);
        continue;
      }
      Operand &operand = inst.operands[i];
      if (operand.isDef && homeOf(operand.reg).kind == Home::Nowhere)
        return;
      auto part = find_if(parts, [&](const Part &p) { return p.reg == operand.reg; });
      if (part == parts.end()) {
        parts.push_back({operand.reg, Reg()});
        part = std::prev(parts.end());
      }
      (operand.isDef ? part->isDefined : part->isUsed) = true;
    }
    const bool isWide = !isFull && touchesInactiveLanes(inst);
    for (Part &part : parts)
      chooseTemporary(part, isWide || inst.keepsInactiveLanes);
    for (unsigned i = 0; i < inst.operands.size(); ++i)
      if (Operand &operand = inst.operands[i]; needsTemporary(inst, i))
        operand.reg = find_if(parts, [&](const Part &p) { return p.reg == operand.reg; })->temporary;
    const size_t begin = out.size();
    const Place place = inst.place;
    // What looks at other lanes' registers finds them as they were, and the others' results are kept.
    inAllLanes(out, isWide, [&] {
      for (const Part &part : parts)
        if ((part.isUsed || inst.keepsInactiveLanes) && !part.isHeld) {
          fill(out, part.reg, part.temporary);
          moves[moveOf[part.reg.id]].reads.insert(place);
        }
    });
    out.push_back(std::move(inst));
    inAllLanes(out, isWide, [&] {
      for (const Part &part : parts)
        if (part.isDefined)
          save(out, part.reg, part.temporary);
    });
    for (Inst &added : MutableArrayRef(out).drop_front(begin))
      added.place = place;
    for (const Part &part : parts)
      hold(part);
  }

  /// Takes a temporary that holds the value already, if its register is free up to here.
  void chooseTemporary(Part &part, bool isAlone) {
    auto found = find_if(held, [&](const Held &h) { return h.reg == part.reg; });
    if (found != held.end() && part.isUsed && !isAlone && staysFree(*found)) {
      part.temporary = found->temporary;
      part.isHeld = true;
    } else {
      part.temporary = newTemporary(part.reg);
    }
  }

  /// What the temporary holds from here on; what else holds pieces that it has changed doesn't any more.
  void hold(const Part &part) {
    if (!room.sharesReloads)
      return;
    if (part.isDefined)
      forget(part.reg);
    else
      erase_if(held, [&](const Held &h) { return h.reg == part.reg; });
    held.push_back({part.reg, part.temporary, slot});
  }

  /// No temporary holds any of those pieces any more.
  void forget(Reg reg) {
    erase_if(held, [&](const Held &h) {
      return h.reg.id == reg.id && h.reg.sub < reg.sub + reg.count && reg.sub < h.reg.sub + h.reg.count;
    });
  }

  /// Takes the room that the temporary needs from its last use to this one, if there is so much.
  bool staysFree(const Held &value) {
    const RegFile file = function.regs[value.temporary.id].file;
    const MutableArrayRef<int> live = room.pressure.live[unsigned(file)];
    const int count = value.temporary.count, limit = room.limits.of(file);
    const MutableArrayRef<int> between = live.slice(value.last + 2, slot - value.last - 2);
    if (any_of(between, [&](int l) { return l + count > limit; }))
      return false;
    for (int &l : between)
      l += count;
    return true;
  }

  /// What `emit` adds runs with all lanes active.
  void inAllLanes(std::vector<Inst> &out, bool isWide, function_ref<void()> emit) {
    const size_t begin = out.size();
    emit();
    if (!isWide || out.size() == begin)
      return;
    const Reg active = function.whole(function.newReg(RegFile::Sgpr, 2));
    function.regs[active.id].rematerializable = true;
    const Operand exec = Operand::specialReg(Special::Exec), newExec = Operand::specialReg(Special::Exec, true);
    auto change = [&](const Operand &to, const Operand &from) {
      Inst inst = makeInst(*function.isa, s_mov_b64, {to, from});
      inst.hasSideEffects = true;
      return inst;
    };
    const Inst widen[] = {change(Operand::def(active), exec), change(newExec, Operand::imm64(-1))};
    out.insert(out.begin() + begin, std::begin(widen), std::end(widen));
    out.push_back(change(newExec, Operand::use(active)));
  }

  using PlaceSet = SetVector<Place, std::vector<Place>, std::set<Place>>;
  /// What became of a victim.
  struct Move {
    Home::Kind to;
    unsigned registers;
    Place definition;    ///< the first
    PlaceSet reads = {}; ///< of the instructions that read it back
  };

  Place definitionOf(const Cluster &cluster) const {
    if (function.remarks.isWanted)
      for (const Block &block : function.blocks)
        for (const Inst &inst : block.insts)
          for (const Operand &operand : inst.operands)
            if (operand.isReg() && operand.isDef && inst.place.known() && is_contained(cluster.members, operand.reg.id))
              return inst.place;
    return {};
  }

  void remark(const Move &move) const {
    const bool isSpill = move.to == Home::Scratch || move.to == Home::Lanes;
    Remark remark(isSpill ? Remark::Kind::Missed : Remark::Kind::Analysis, "regalloc",
                  isSpill ? "Spilled" : "MovedOutOfRegisters", move.definition);
    remark.number("Registers", move.registers);
    remark.text(move.registers == 1 ? " register" : " registers").text(destination(move.to));
    constexpr unsigned mostPlaces = 4;
    if (!move.reads.empty()) {
      remark.text(move.to == Home::Nowhere ? ", at " : ", read back at ");
      for (auto [i, read] : enumerate(move.reads.getArrayRef().take_front(mostPlaces)))
        remark.text(i ? ", " : "").value("Reload", function.textOf(read), read);
      if (move.reads.size() > mostPlaces)
        remark.text(" and ").number("MoreReloads", move.reads.size() - mostPlaces).text(" more places");
    }
    function.remarks.add(std::move(remark));
  }

  static StringRef destination(Home::Kind kind) {
    switch (kind) {
    case Home::Agprs: return " kept in AGPRs";
    case Home::Scratch: return " spilled to scratch";
    case Home::Lanes: return " spilled to lanes of a vector register";
    default: return " of constants made again before each use";
    }
  }

  Reg newTemporary(Reg part) {
    const RegFile file = function.regs[part.id].file;
    // An AGPR's temporary is what the instruction takes instead.
    const bool isInAgprs = homeOf(part).kind == Home::Agprs;
    Reg temporary = function.whole(function.newReg(isInAgprs ? RegFile::Vgpr : file, part.count));
    function.regs[temporary.id].rematerializable = true;
    return temporary;
  }

  void fill(std::vector<Inst> &out, Reg part, Reg temporary) {
    const Home &home = homeOf(part);
    if (home.kind == Home::Nowhere) {
      for (const Inst &word : home.constant)
        if (const unsigned sub = word.operands[0].reg.sub; sub >= part.sub && sub < part.sub + part.count) {
          out.push_back(word);
          out.back().operands[0].reg = temporary.piece(sub - part.sub);
        }
    } else if (home.kind == Home::Agprs) {
      out.push_back(makeCopy(temporary, part));
    } else if (home.kind == Home::Scratch) {
      accessScratch(out, home.base + 4 * part.sub, temporary, true);
    } else {
      for (unsigned i = 0; i < part.count; ++i)
        out.push_back(makeInst(*function.isa, v_readlane_b32,
                               {Operand::def(temporary.piece(i)), Operand::use(function.whole(home.lanes)),
                                Operand::imm64(home.base + part.sub + i)}));
    }
  }

  void save(std::vector<Inst> &out, Reg part, Reg temporary) {
    const Home &home = homeOf(part);
    if (home.kind == Home::Agprs) {
      out.push_back(makeCopy(part, temporary));
    } else if (home.kind == Home::Scratch) {
      accessScratch(out, home.base + 4 * part.sub, temporary, false);
    } else {
      for (unsigned i = 0; i < part.count; ++i) {
        out.push_back(makeInst(*function.isa, v_writelane_b32,
                               {Operand::def(function.whole(home.lanes)), Operand::use(temporary.piece(i)),
                                Operand::imm64(home.base + part.sub + i)}));
        out.back().keepsInactiveLanes = true;
      }
    }
  }

  /// The offset field reaches the first few KiB, and an SGPR holds the rest, or 0 where the encoding must have one.
  /// Accumulation registers are loaded and stored like the others on these chips.
  void accessScratch(std::vector<Inst> &out, unsigned at, Reg data, bool isLoad) {
    // Signed 13 bits (ISA manuals, FLAT instructions).
    constexpr unsigned offsetRange = 4096;
    constexpr Mnemonic loads[] = {scratch_load_dword, scratch_load_dwordx2, scratch_load_dwordx3, scratch_load_dwordx4};
    constexpr Mnemonic stores[] = {scratch_store_dword, scratch_store_dwordx2, scratch_store_dwordx3,
                                   scratch_store_dwordx4};
    for (unsigned done = 0; done < data.count;) {
      const unsigned count = std::min<unsigned>(data.count - done, std::size(loads));
      const unsigned offset = at + 4 * done;
      const Operand off = Operand::specialReg(Special::Off);
      Operand base = off;
      if (offset >= offsetRange || !function.isa->target().hasScratchVaddrBit) {
        const Reg address = function.whole(function.newReg(RegFile::Sgpr));
        function.regs[address.id].rematerializable = true;
        out.push_back(
            makeInst(*function.isa, s_mov_b32, {Operand::def(address), Operand::imm64(offset - offset % offsetRange)}));
        base = Operand::use(address);
      }
      const Reg piece = data.piece(done, count);
      Modifiers modifiers;
      modifiers.offset = offset % offsetRange;
      Inst inst = isLoad ? makeInst(*function.isa, loads[count - 1], {Operand::def(piece), off, base}, modifiers)
                         : makeInst(*function.isa, stores[count - 1], {off, Operand::use(piece), base}, modifiers);
      inst.memory = MemoryKind::Spilled;
      (isLoad ? inst.mayLoad : inst.mayStore) = true;
      out.push_back(std::move(inst));
      done += count;
    }
  }

  Function &function;
  SpillLanes &lanes;
  SpillRoom &room;
  SmallVector<Held, 16> held; ///< in this block, up to here
  Slot slot = 0;              ///< of the instruction that is rewritten
  std::vector<Home> homes;    ///< by RegId; registers made here have none
  SmallVector<RegId, 2> newLanes;
  std::vector<Move> moves;          ///< by victim
  DenseMap<RegId, unsigned> moveOf; ///< by register: into `moves`
};

} // namespace

void spill(Function &function, const Clusters &clusters, ArrayRef<Victim> victims, SpillLanes &lanes, SpillRoom &room) {
  Spiller(function, lanes, room).run(clusters, victims);
}

} // namespace inflight::lir
