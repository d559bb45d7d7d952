// Program control: ends, forks and joins, hardware registers, and the modes that skip or index vector instructions.
#include "machine/handlers/Control.h"
#include "machine/memory/Apertures.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
void nothing(Wave &, const Op &) {}
void endProgram(Wave &w, const Op &) { w.status = Status::Ended; }

/// Lanes that pass go to `target`, the others on; the smaller group first. What the other one needs goes on the
/// stack in SGPRs: four for each level, the lanes below the address (ISA manuals, "Arbitrary divergent control flow").
void fork(Wave &w, const Op &op, u64 pass, u64 target) {
  const u64 exec = w.exec(), passing = pass & exec, failing = ~pass & exec, next = addressAfter(w, op);
  if (passing == exec)
    return jumpTo(w, op, target);
  if (failing == exec)
    return;
  const unsigned depth = w.mode >> forkDepthShift;
  const bool passLater = std::popcount(failing) < std::popcount(passing);
  if (depth >= 6) // two to the power of six lanes: a deeper one comes from joins left out
    return w.fault(op, "forks nested more than six deep");
  w.setS64(4 * depth, passLater ? passing : failing);
  w.setS64(4 * depth + 2, passLater ? target : next);
  w.mode += 1u << forkDepthShift;
  w.setExec(passLater ? failing : passing);
  if (!passLater)
    jumpTo(w, op, target);
}
void join(Wave &w, const Op &op) {
  const unsigned depth = w.mode >> forkDepthShift;
  if (depth == scalarSource(w, op.source[0]))
    return; // both groups have been here
  if (!depth)
    return w.fault(op, "a join without a fork");
  w.mode -= 1u << forkDepthShift;
  w.setExec(w.s64(4 * (depth - 1)));
  jumpTo(w, op, w.s64(4 * (depth - 1) + 2));
}

/// HW_REG_STATUS: SCC, EXECZ, VCCZ, IN_TG, VALID, SCRATCH_EN.
u32 status(const Wave &w) {
  return w.scc << 1 | u32(w.exec() == 0) << 9 | u32(w.vcc() == 0) << 10 | u32(w.group->waves > 1) << 11 | 1u << 16 |
         u32(w.scratchBytes != 0) << 28;
}
void getreg(Wave &w, const Op &op) {
  const u32 field = u32(op.immediate) & 0xffff, id = field & 63, offset = field >> 6 & 31,
            size = (field >> 11 & 31) + 1;
  u32 value = 0;
  switch (id) {
  case 1: value = w.mode; break;
  case 2: value = status(w); break;
  case 4: value = w.number / 4 | w.number % 4 << 4; break; // WAVE_ID and SIMD_ID of HW_ID
  case 5: value = w.group->gprAllocation; break;
  case 6: value = w.group->ldsAllocation; break;
  case 15:
    value = u32(privateBase >> 48) | u32(sharedBase >> 48) << 16;
    break; // SH_MEM_BASES
  // TRAPSTS: exceptions aren't recorded. IB_STS: all that was issued is done. Trap handler's addresses: there is none.
  // XCC_ID: the first.
  case 3:
  case 7:
  case 16:
  case 17:
  case 18:
  case 19:
  case 20: break;
  default: return w.fault(op, "hardware register " + std::to_string(id) + " is not one that the machine has");
  }
  value >>= offset;
  w.s[op.destination] = size == 32 ? value : value & ((1u << size) - 1);
}

/// Stands in the copy of the code for each vector instruction.
void skippedOrIndexed(Wave &w, const Op &op) {
  const IndexableOp &info = *static_cast<const IndexableOp *>(op.extra);
  if (w.mode & VectorSkip)
    return;
  if (!(w.mode & GprIndex) || !info.indexable)
    return info.plain->handler(w, *info.plain);
  IndexedOp indexed;
  if (!applyIndex(w, info, indexed))
    return;
  indexed.op.handler(w, indexed.op);
  if (w.status == Status::Faulted)
    w.group->faultOp = info.plain;
}
} // namespace

// NOLINTNEXTLINE(readability-function-size): a table
void registerControl(HandlerTable &table) {
  for (const char *name : {"s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"})
    add(table, name, endProgram);
  add(table, "s_setkill", [](Wave &w, const Op &op) {
    if (op.immediate & 1)
      w.status = Status::Ended;
  });
  add(table, "s_sethalt", [](Wave &w, const Op &op) {
    if (op.immediate & 1)
      w.fault(op, "the wave halts: there is no host that lets it go on");
  });
  add(table, "s_sendmsghalt",
      [](Wave &w, const Op &op) { w.fault(op, "the wave halts: there is no host that lets it go on"); });
  // STATUS.COND_DBG_SYS and COND_DBG_USER are clear: no debugger sets them.
  for (const char *name :
       {"s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user", "s_cbranch_cdbgsys_and_user"})
    add(table, name, nothing);

  add(table, "s_cbranch_g_fork",
      [](Wave &w, const Op &op) { fork(w, op, scalarSource64(w, op.source[0]), scalarSource64(w, op.source[1])); },
      {64, 64, 32});
  add(table, "s_cbranch_i_fork", [](Wave &w, const Op &op) {
    fork(w, op, w.s64(op.destination), addressOf(w, &op + 1) + 4 * u64(i64(op.immediate)));
  });
  add(table, "s_cbranch_join", join);

  // An index beyond the allocation reads s0 and writes nothing.
  auto add2 = [&](const char *suffix, auto source, auto destination, std::array<uint8_t, 3> bits) {
    add(table, std::string("s_movrels_") + suffix, source, bits);
    add(table, std::string("s_movreld_") + suffix, destination, bits);
  };
  add2(
      "b32",
      [](Wave &w, const Op &op) {
        u32 from = op.source[0].index + w.m0();
        w.s[op.destination] = w.s[from < w.sgprs ? from : 0];
      },
      [](Wave &w, const Op &op) {
        u32 to = op.destination + w.m0();
        if (to < w.sgprs)
          w.s[to] = scalarSource(w, op.source[0]);
      },
      {32, 32, 32});
  add2(
      "b64",
      [](Wave &w, const Op &op) {
        u32 from = op.source[0].index + w.m0();
        w.setS64(op.destination, w.s64(u64(from) + 1 < w.sgprs ? from : 0));
      },
      [](Wave &w, const Op &op) {
        u32 to = op.destination + w.m0();
        if (u64(to) + 1 < w.sgprs)
          w.setS64(to, scalarSource64(w, op.source[0]));
      },
      {64, 32, 32});

  add(table, "s_getreg_b32", getreg);
  add(table, "s_setvskip", [](Wave &w, const Op &op) {
    const bool skip = scalarSource(w, op.source[0]) >> (scalarSource(w, op.source[1]) & 31) & 1;
    w.mode = skip ? w.mode | VectorSkip : w.mode & ~VectorSkip;
    modeChanged(w);
  });
  // M0: the index in its lowest byte, what it applies to in bits 15:12.
  add(table, "s_set_gpr_idx_on", [](Wave &w, const Op &op) {
    w.m0() = (w.m0() & ~0xf0ffu) | (scalarSource(w, op.source[0]) & 0xff) | (op.word[0] >> 8 & 15) << 12;
    w.mode |= GprIndex;
    modeChanged(w);
  });
  add(table, "s_set_gpr_idx_off", [](Wave &w, const Op &) {
    w.mode &= ~GprIndex;
    modeChanged(w);
  });
  add(table, "s_set_gpr_idx_idx",
      [](Wave &w, const Op &op) { w.m0() = (w.m0() & ~0xffu) | (scalarSource(w, op.source[0]) & 0xff); });
  add(table, "s_set_gpr_idx_mode",
      [](Wave &w, const Op &op) { w.m0() = (w.m0() & ~0xf000u) | (u32(op.immediate) & 15) << 12; });
  add(table, indexedHandler, skippedOrIndexed);

  for (const char *name : {"s_rfe_b64", "s_rfe_restore_b64"})
    refuse(table, name, "privileged: only a trap handler may use it");
  refuse(table, "v_screen_partition_4se_b32", "graphics: which shader engine draws what");
}

} // namespace inflight::machine::SIMD_LEVEL
