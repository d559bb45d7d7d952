// Scalar instructions.
#include "machine/handlers/Control.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
template <auto F> void sop32(Wave &w, const Op &op) {
  u32 a = scalarSource(w, op.source[0]), b = scalarSource(w, op.source[1]);
  w.s[op.destination] = F(w, a, b);
}
template <auto F> void sop64(Wave &w, const Op &op) {
  u64 a = scalarSource64(w, op.source[0]), b = scalarSource64(w, op.source[1]);
  w.setS64(op.destination, F(w, a, b));
}
/// 64-bit first source, 32-bit second.
template <auto F> void sopShift64(Wave &w, const Op &op) {
  u64 a = scalarSource64(w, op.source[0]);
  u32 b = scalarSource(w, op.source[1]);
  w.setS64(op.destination, F(w, a, b));
}
/// 64-bit source, 32-bit result.
template <auto F> void sop64to32(Wave &w, const Op &op) { w.s[op.destination] = F(w, scalarSource64(w, op.source[0])); }
template <auto F> void compare32(Wave &w, const Op &op) {
  w.scc = F(scalarSource(w, op.source[0]), scalarSource(w, op.source[1]));
}
template <auto F> void compare64(Wave &w, const Op &op) {
  w.scc = F(scalarSource64(w, op.source[0]), scalarSource64(w, op.source[1]));
}
template <auto F> void sopk(Wave &w, const Op &op) {
  u32 immediate = u32(op.immediate);
  w.s[op.destination] = F(w, w.s[op.destination], immediate);
}
template <auto F> void comparek(Wave &w, const Op &op) { w.scc = F(w.s[op.destination], u32(op.immediate)); }
template <auto F> void saveexec(Wave &w, const Op &op) {
  u64 old = w.exec(), next = F(scalarSource64(w, op.source[0]), old);
  w.setS64(op.destination, old);
  w.setExec(next);
  w.scc = next != 0;
}
template <auto F> void branch(Wave &w, const Op &op) {
  if (F(w))
    jump(w, op);
}
template <typename T> bool addOverflows(T a, T b) {
  T r;
  return __builtin_add_overflow(a, b, &r);
}
template <typename T> bool subOverflows(T a, T b) {
  T r;
  return __builtin_sub_overflow(a, b, &r);
}
/// A bit for each group of four, or the whole group (whole quad mode).
template <typename T> T quads(T a, bool whole) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 2; ++i)
    if (a >> (4 * i) & 15)
      result |= whole ? T(15) << (4 * i) : T(1) << i;
  return result;
}
u32 bitfield(u32 value, u32 control, bool isSigned) {
  u32 offset = control & 31, width = control >> 16 & 0x7f;
  if (!width)
    return 0;
  if (width >= 32)
    return isSigned ? u32(i32(value) >> offset) : value >> offset;
  // The shift extends the sign where the field goes beyond the value.
  u32 bits = (isSigned ? u32(i32(value) >> offset) : value >> offset) & ((1u << width) - 1);
  if (isSigned && bits >> (width - 1) & 1)
    bits |= ~0u << width;
  return bits;
}
void nothing(Wave &, const Op &) {}
void barrier(Wave &w, const Op &) { w.status = Status::AtBarrier; }
void trap(Wave &w, const Op &op) { w.fault(op, "trap", Fault::Trap); }
void setMode(Wave &w, const Op &op, u32 value) {
  u32 field = u32(op.immediate) & 0xffff, id = field & 63, offset = field >> 6 & 31, size = (field >> 11 & 31) + 1;
  if (id != 1)
    return;
  u32 mask = (size == 32 ? ~0u : (1u << size) - 1) << offset;
  w.mode = (w.mode & ~mask) | (value << offset & mask);
  modeChanged(w);
}
} // namespace

#define S32(name, expr)                                     \
  add(table, name, sop32<[](Wave &w, u32 a, u32 b) -> u32 { \
        (void)w;                                            \
        (void)b;                                            \
        expr;                                               \
      }>)
#define S64(name, expr)                                     \
  add(table, name, sop64<[](Wave &w, u64 a, u64 b) -> u64 { \
        (void)w;                                            \
        (void)b;                                            \
        expr;                                               \
      }>,                                                   \
      {64, 64, 64})
#define SCMP(name, expr) add(table, name, compare32<[](u32 a, u32 b) -> u32 { expr; }>)

// NOLINTNEXTLINE(readability-function-size): a table
void registerSalu(HandlerTable &table) {
  S32("s_mov_b32", return a);
  S64("s_mov_b64", return a);
  S32("s_not_b32", u32 r = ~a; w.scc = r != 0; return r);
  S64("s_not_b64", u64 r = ~a; w.scc = r != 0; return r);
  S32("s_add_u32", w.scc = addOverflows(a, b); return a + b);
  S32("s_sub_u32", w.scc = subOverflows(a, b); return a - b);
  S32("s_add_i32", w.scc = addOverflows(i32(a), i32(b)); return a + b);
  S32("s_sub_i32", w.scc = subOverflows(i32(a), i32(b)); return a - b);
  S32("s_addc_u32", u64 r = u64(a) + b + w.scc; w.scc = r >> 32 != 0; return u32(r));
  S32("s_subb_u32", u64 r = u64(a) - b - w.scc; w.scc = r >> 32 != 0; return u32(r));
  S32("s_min_i32", bool t = i32(a) < i32(b); w.scc = t; return t ? a : b);
  S32("s_min_u32", bool t = a < b; w.scc = t; return t ? a : b);
  S32("s_max_i32", bool t = i32(a) >= i32(b); w.scc = t; return t ? a : b);
  S32("s_max_u32", bool t = a >= b; w.scc = t; return t ? a : b);
  S32("s_cselect_b32", return w.scc ? a : b);
  S64("s_cselect_b64", return w.scc ? a : b);
#define LOGIC(op, expr)                                             \
  S32("s_" op "_b32", u32 r = u32(expr); w.scc = r != 0; return r); \
  S64("s_" op "_b64", u64 r = (expr); w.scc = r != 0; return r)
  LOGIC("and", a & b);
  LOGIC("or", a | b);
  LOGIC("xor", a ^ b);
  LOGIC("andn2", a & ~b);
  LOGIC("orn2", a | ~b);
  LOGIC("nand", ~(a & b));
  LOGIC("nor", ~(a | b));
  LOGIC("xnor", ~(a ^ b));
  S32("s_lshl_b32", u32 r = a << (b & 31); w.scc = r != 0; return r);
  S32("s_lshr_b32", u32 r = a >> (b & 31); w.scc = r != 0; return r);
  S32("s_ashr_i32", u32 r = u32(i32(a) >> (b & 31)); w.scc = r != 0; return r);
  add(table, "s_lshl_b64", sopShift64<[](Wave &w, u64 a, u32 b) -> u64 {
        u64 r = a << (b & 63);
        w.scc = r != 0;
        return r;
      }>,
      {64, 32, 32});
  add(table, "s_lshr_b64", sopShift64<[](Wave &w, u64 a, u32 b) -> u64 {
        u64 r = a >> (b & 63);
        w.scc = r != 0;
        return r;
      }>,
      {64, 32, 32});
  add(table, "s_ashr_i64", sopShift64<[](Wave &w, u64 a, u32 b) -> u64 {
        u64 r = u64(i64(a) >> (b & 63));
        w.scc = r != 0;
        return r;
      }>,
      {64, 32, 32});
  add(table, "s_bfe_u64", sopShift64<[](Wave &w, u64 a, u32 b) -> u64 {
        u32 o = b & 63, n = b >> 16 & 0x7f;
        u64 r = n ? (a >> o) & (n >= 64 ? ~u64(0) : (u64(1) << n) - 1) : 0;
        w.scc = r != 0;
        return r;
      }>,
      {64, 32, 32});
  S32("s_bfm_b32", return ((1u << (a & 31)) - 1) << (b & 31));
  S32("s_mul_i32", return a * b);
  S32("s_mul_hi_u32", return u32(u64(a) * b >> 32));
  S32("s_mul_hi_i32", return u32(i64(i32(a)) * i32(b) >> 32));
  S32("s_bfe_u32", u32 r = bitfield(a, b, false); w.scc = r != 0; return r);
  S32("s_bfe_i32", u32 r = bitfield(a, b, true); w.scc = r != 0; return r);
  S32("s_absdiff_i32", u32 r = a - b; r = i32(r) < 0 ? 0u - r : r; w.scc = r != 0;
      return r); // the difference wraps first
  S32("s_abs_i32", u32 r = i32(a) < 0 ? 0u - a : a; w.scc = r != 0; return r);
  S32("s_sext_i32_i8", return u32(i32(int8_t(a))));
  S32("s_sext_i32_i16", return u32(i32(int16_t(a))));
  S32("s_brev_b32", return __builtin_bitreverse32(a));
  S64("s_brev_b64", return __builtin_bitreverse64(a));
  S32("s_bcnt1_i32_b32", u32 r = std::popcount(a); w.scc = r != 0; return r);
  S32("s_bcnt0_i32_b32", u32 r = std::popcount(~a); w.scc = r != 0; return r);
  S32("s_ff1_i32_b32", return a ? u32(std::countr_zero(a)) : ~0u);
  S32("s_ff0_i32_b32", return ~a ? u32(std::countr_one(a)) : ~0u);
  S32("s_flbit_i32_b32", return a ? u32(std::countl_zero(a)) : ~0u);
  S32("s_flbit_i32", u32 x = i32(a) < 0 ? ~a : a; return x ? u32(std::countl_zero(x)) : ~0u);
  add(table, "s_bitset0_b32",
      [](Wave &w, const Op &op) { w.s[op.destination] &= ~(1u << (scalarSource(w, op.source[0]) & 31)); });
  add(table, "s_bitset1_b32",
      [](Wave &w, const Op &op) { w.s[op.destination] |= 1u << (scalarSource(w, op.source[0]) & 31); });
  S32("s_quadmask_b32", u32 r = quads(a, false); w.scc = r != 0; return r);
  S64("s_quadmask_b64", u64 r = quads(a, false); w.scc = r != 0; return r);
  S32("s_wqm_b32", u32 r = quads(a, true); w.scc = r != 0; return r);
  S64("s_wqm_b64", u64 r = quads(a, true); w.scc = r != 0; return r);
  S32("s_pack_ll_b32_b16", return (a & 0xffff) | b << 16);
  S32("s_pack_lh_b32_b16", return (a & 0xffff) | (b & 0xffff0000));
  S32("s_pack_hh_b32_b16", return a >> 16 | (b & 0xffff0000));
  S32("s_lshl1_add_u32", u64 r = (u64(a) << 1) + b; w.scc = r >> 32 != 0; return u32(r));
  S32("s_lshl2_add_u32", u64 r = (u64(a) << 2) + b; w.scc = r >> 32 != 0; return u32(r));
  S32("s_lshl3_add_u32", u64 r = (u64(a) << 3) + b; w.scc = r >> 32 != 0; return u32(r));
  S32("s_lshl4_add_u32", u64 r = (u64(a) << 4) + b; w.scc = r >> 32 != 0; return u32(r));
  add(table, "s_bcnt1_i32_b64", sop64to32<[](Wave &w, u64 a) -> u32 {
        u32 r = std::popcount(a);
        w.scc = r != 0;
        return r;
      }>,
      {64, 64, 64});
  add(table, "s_ff1_i32_b64", sop64to32<[](Wave &, u64 a) -> u32 { return a ? u32(std::countr_zero(a)) : ~0u; }>,
      {64, 64, 64});
  add(table, "s_flbit_i32_b64", sop64to32<[](Wave &, u64 a) -> u32 { return a ? u32(std::countl_zero(a)) : ~0u; }>,
      {64, 64, 64});

  add(table, "s_bcnt0_i32_b64", sop64to32<[](Wave &w, u64 a) -> u32 {
        u32 r = std::popcount(~a);
        w.scc = r != 0;
        return r;
      }>,
      {64, 64, 64});
  add(table, "s_ff0_i32_b64", sop64to32<[](Wave &, u64 a) -> u32 { return ~a ? u32(std::countr_one(a)) : ~0u; }>,
      {64, 64, 64});
  add(table, "s_flbit_i32_i64", sop64to32<[](Wave &, u64 a) -> u32 {
        u64 x = i64(a) < 0 ? ~a : a;
        return x ? u32(std::countl_zero(x)) : ~0u;
      }>,
      {64, 64, 64});
  add(table, "s_bfe_i64", sopShift64<[](Wave &w, u64 a, u32 b) -> u64 {
        u32 offset = b & 63, bits = b >> 16 & 0x7f;
        u64 r = !bits        ? 0
                : bits >= 64 ? u64(i64(a) >> offset)
                             : u64(i64(u64(i64(a) >> offset) << (64 - bits)) >> (64 - bits));
        w.scc = r != 0;
        return r;
      }>,
      {64, 32, 32});
  add(table, "s_bfm_b64", [](Wave &w, const Op &op) {
    w.setS64(op.destination, ((u64(1) << (scalarSource(w, op.source[0]) & 63)) - 1)
                                 << (scalarSource(w, op.source[1]) & 63));
  });
  add(table, "s_bitset0_b64", [](Wave &w, const Op &op) {
    w.setS64(op.destination, w.s64(op.destination) & ~(u64(1) << (scalarSource(w, op.source[0]) & 63)));
  });
  add(table, "s_bitset1_b64", [](Wave &w, const Op &op) {
    w.setS64(op.destination, w.s64(op.destination) | u64(1) << (scalarSource(w, op.source[0]) & 63));
  });
  add(table, "s_cmov_b64",
      [](Wave &w, const Op &op) {
        if (w.scc)
          w.setS64(op.destination, scalarSource64(w, op.source[0]));
      },
      {64, 64, 64});
  add(table, "s_cmov_b32", [](Wave &w, const Op &op) {
    if (w.scc)
      w.s[op.destination] = scalarSource(w, op.source[0]);
  });
  add(table, "s_bitreplicate_b64_b32", [](Wave &w, const Op &op) {
    u64 r = 0;
    for (u32 a = scalarSource(w, op.source[0]), i = 0; i < 32; ++i)
      r |= u64(a >> i & 1) * 3 << (2 * i);
    w.setS64(op.destination, r);
  });
  add(table, "s_bitcmp0_b64",
      [](Wave &w, const Op &op) {
        w.scc = !(scalarSource64(w, op.source[0]) >> (scalarSource(w, op.source[1]) & 63) & 1);
      },
      {64, 32, 32});
  add(table, "s_bitcmp1_b64",
      [](Wave &w, const Op &op) {
        w.scc = scalarSource64(w, op.source[0]) >> (scalarSource(w, op.source[1]) & 63) & 1;
      },
      {64, 32, 32});

  SCMP("s_cmp_eq_i32", return a == b);
  SCMP("s_cmp_lg_i32", return a != b);
  SCMP("s_cmp_gt_i32", return i32(a) > i32(b));
  SCMP("s_cmp_ge_i32", return i32(a) >= i32(b));
  SCMP("s_cmp_lt_i32", return i32(a) < i32(b));
  SCMP("s_cmp_le_i32", return i32(a) <= i32(b));
  SCMP("s_cmp_eq_u32", return a == b);
  SCMP("s_cmp_lg_u32", return a != b);
  SCMP("s_cmp_gt_u32", return a > b);
  SCMP("s_cmp_ge_u32", return a >= b);
  SCMP("s_cmp_lt_u32", return a < b);
  SCMP("s_cmp_le_u32", return a <= b);
  SCMP("s_bitcmp0_b32", return !(a >> (b & 31) & 1));
  SCMP("s_bitcmp1_b32", return a >> (b & 31) & 1);
  add(table, "s_cmp_eq_u64", compare64<[](u64 a, u64 b) -> u32 { return a == b; }>, {64, 64, 64});
  add(table, "s_cmp_lg_u64", compare64<[](u64 a, u64 b) -> u32 { return a != b; }>, {64, 64, 64});

  add(table, "s_movk_i32", sopk<[](Wave &, u32, u32 k) { return k; }>);
  add(table, "s_cmovk_i32", sopk<[](Wave &w, u32 d, u32 k) { return w.scc ? k : d; }>);
  add(table, "s_addk_i32", sopk<[](Wave &w, u32 d, u32 k) {
        w.scc = addOverflows(i32(d), i32(k));
        return d + k;
      }>);
  add(table, "s_mulk_i32", sopk<[](Wave &, u32 d, u32 k) { return d * k; }>);
#define CMPK(name, expr)                                        \
  add(table, "s_cmpk_" name, comparek<[](u32 a, u32 k) -> u32 { \
        u32 b = k & 0xffff;                                     \
        (void)b;                                                \
        (void)k;                                                \
        return expr;                                            \
      }>)
  CMPK("eq_i32", a == k);
  CMPK("lg_i32", a != k);
  CMPK("gt_i32", i32(a) > i32(k));
  CMPK("ge_i32", i32(a) >= i32(k));
  CMPK("lt_i32", i32(a) < i32(k));
  CMPK("le_i32", i32(a) <= i32(k));
  CMPK("eq_u32", a == b);
  CMPK("lg_u32", a != b);
  CMPK("gt_u32", a > b);
  CMPK("ge_u32", a >= b);
  CMPK("lt_u32", a < b);
  CMPK("le_u32", a <= b);

#define SAVE(name, expr) \
  add(table, "s_" name "_saveexec_b64", saveexec<[](u64 a, u64 e) -> u64 { return expr; }>, {64, 64, 64})
  SAVE("and", a & e);
  SAVE("or", a | e);
  SAVE("xor", a ^ e);
  SAVE("andn2", a & ~e);
  SAVE("orn2", a | ~e);
  SAVE("nand", ~(a & e));
  SAVE("nor", ~(a | e));
  SAVE("xnor", ~(a ^ e));
  SAVE("andn1", ~a & e);
  SAVE("orn1", ~a | e);

  // The result is the new EXEC as well as the destination.
  for (bool first : {true, false})
    add(table, first ? "s_andn1_wrexec_b64" : "s_andn2_wrexec_b64",
        first ? Handler([](Wave &w, const Op &op) {
          u64 r = ~scalarSource64(w, op.source[0]) & w.exec();
          w.setExec(r);
          w.setS64(op.destination, r);
          w.scc = r != 0;
        })
              : Handler([](Wave &w, const Op &op) {
                  u64 r = scalarSource64(w, op.source[0]) & ~w.exec();
                  w.setExec(r);
                  w.setS64(op.destination, r);
                  w.scc = r != 0;
                }),
        {64, 64, 64});

  add(table, "s_branch", jump);
  add(table, "s_cbranch_scc0", branch<[](const Wave &w) { return !w.scc; }>);
  add(table, "s_cbranch_scc1", branch<[](const Wave &w) { return w.scc != 0; }>);
  add(table, "s_cbranch_vccz", branch<[](const Wave &w) { return w.vcc() == 0; }>);
  add(table, "s_cbranch_vccnz", branch<[](const Wave &w) { return w.vcc() != 0; }>);
  add(table, "s_cbranch_execz", branch<[](const Wave &w) { return w.exec() == 0; }>);
  add(table, "s_cbranch_execnz", branch<[](const Wave &w) { return w.exec() != 0; }>);
  add(table, "s_getpc_b64", [](Wave &w, const Op &op) { w.setS64(op.destination, addressAfter(w, op)); });
  add(table, "s_setpc_b64", [](Wave &w, const Op &op) { jumpTo(w, op, scalarSource64(w, op.source[0])); },
      {64, 64, 64});
  add(table, "s_swappc_b64",
      [](Wave &w, const Op &op) {
        u64 target = scalarSource64(w, op.source[0]);
        w.setS64(op.destination, addressAfter(w, op));
        jumpTo(w, op, target);
      },
      {64, 64, 64});
  add(table, "s_call_b64", [](Wave &w, const Op &op) {
    w.setS64(op.destination, addressAfter(w, op));
    jump(w, op);
  });

  for (const char *name :
       {"s_nop", "s_waitcnt", "s_setprio", "s_sleep", "s_icache_inv", "s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol",
        "s_dcache_wb_vol", "s_sendmsg", "s_incperflevel", "s_decperflevel", "s_ttracedata", "s_code_end", "s_wakeup"})
    add(table, name, nothing);
  add(table, "s_barrier", barrier);
  add(table, "s_trap", trap);
  add(table, "s_setreg_b32", [](Wave &w, const Op &op) { setMode(w, op, w.s[op.destination]); });
  add(table, "s_setreg_imm32_b32", [](Wave &w, const Op &op) { setMode(w, op, op.word[1]); });
}

} // namespace inflight::machine::SIMD_LEVEL
