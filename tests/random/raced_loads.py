#!/usr/bin/env python3
"""Random code that does something with what a racing load has brought: no race in silence.

    tests/random/raced_loads.py LIBINFLIGHT FIRST_SEED COUNT [--keep DIR]

Each kernel has two waves. The first one stores, the second one loads the same bytes, which is a race if it matters what it gets:
its instructions move, mix and mask registers of the load and others through vector and scalar registers, lanes and LDS, and store
some. The kernel runs several times, with other values to race for. Where the results differ the value mattered, and the check
`race` must have said so. It may say more: which bits of a result depend on which of its sources isn't known exactly.
"""
import argparse
import os
import random
import re
import sys

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "python"))

HEAD = """.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.p2align 8
.globl k
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_and_b32 v1, 63, v0
  v_lshlrev_b32 v1, 2, v1
  v_readfirstlane_b32 s10, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[8:9]
  s_waitcnt vmcnt(0)
  s_barrier
  s_cmp_lg_u32 s10, 0
  s_cbranch_scc1 .Lsecond
  global_store_dword v1, v2, s[4:5]
  s_endpgm
.Lsecond:
  s_mov_b64 vcc, 0x5a
  s_mov_b64 s[30:31], 0x0f0f
  s_mov_b64 s[32:33], -1
"""
TAIL = """  s_endpgm
.Lend:
.size k, .Lend-k
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
  .amdhsa_next_free_vgpr 128
  .amdhsa_next_free_sgpr 60
  .amdhsa_accum_offset 64
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 60
    .vgpr_count: 128
    .max_flat_workgroup_size: 256
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: shared}
      - {.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: results}
      - {.offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global, .name: values}
...
.end_amdgpu_metadata
"""
FIRST, LAST = 20, 29  # v20 to v29, of which v20 is loaded; s20 to s25
LOADS = ["dword"] * 3 + ["ushort", "sbyte", "short_d16", "short_d16_hi", "ubyte_d16"]
TWO = """add_u32 sub_u32 subrev_u32 and_b32 or_b32 xor_b32 lshlrev_b32 lshrrev_b32 ashrrev_i32 max_i32 min_u32 mul_u32_u24 add_f32 mul_f32 add_f16
add_u16 mul_lo_u16 max_i16 lshlrev_b16 lshrrev_b16 ashrrev_i16""".split()
THREE = """bfi_b32 bfe_u32 bfe_i32 perm_b32 alignbit_b32 alignbyte_b32 and_or_b32 or3_b32 lshl_or_b32 lshl_add_u32 add3_u32 xad_u32 fma_f32 med3_i32
mad_u32_u24 sad_u8 div_fmas_f32 div_fixup_f32 fma_f16 med3_f16 div_fixup_f16 max3_i16 mad_u16 mad_legacy_u16 dot2_f32_f16 dot4_i32_i8""".split()
ONE = "mov_b32 not_b32 bfrev_b32 ffbl_b32 ffbh_u32 cvt_f32_u32 cvt_u32_f32 rcp_f32 cvt_f16_f32 exp_f32".split()
SCALAR_TWO = "add_u32 addc_u32 sub_u32 and_b32 or_b32 lshl_b32 lshr_b32 mul_i32 mul_hi_u32 cselect_b32 max_i32 bfe_u32 pack_ll_b32_b16".split()
SCALAR_ONE = "ff1_i32_b32 flbit_i32_b32 bcnt1_i32_b32 brev_b32 not_b32 sext_i32_i8 bitset1_b32 abs_i32".split()
# V, S: a register; Q, M: a pair; X: a register or a constant; N: 0 to 63; A: the same register each time; {a|b}: one of them.
GROUPS = [
    [f"v_{name} V, X, V" for name in TWO]
    + [f"v_{name} V, V, V" for name in "bfm_b32 mul_lo_u32 mul_hi_u32 pk_add_u16 pk_add_f16 pk_lshlrev_b16 cvt_pkrtz_f16_f32 cvt_pk_u16_u32 add_i16 ldexp_f16".split()],
    [f"v_{name} V, V, V, V" for name in THREE],
    [f"v_{name} V, V" for name in ONE]
    + ["v_swap_b32 V, V", "v_accvgpr_write_b32 a5, V\nv_accvgpr_read_b32 V, a5", "v_mbcnt_lo_u32_b32 V, V, V", "v_bcnt_u32_b32 V, V, V"],
    ["v_cmp_{eq_u32|lt_i32|gt_f32|ne_u16} M, V, V", "v_cndmask_b32 V, V, V, M", "v_add_co_u32 V, M, V, V", "v_addc_co_u32 V, M, V, V, M",
     "v_div_scale_f32 V, vcc, A, A, V"],
    [f"s_{name} S, S, S" for name in SCALAR_TWO]
    + [f"s_{name} S, S" for name in SCALAR_ONE]
    + ["s_{and|or|xor|andn2|nand}_b64 M, M, M", "s_cselect_b64 M, M, M", "s_lshl_b64 M, M, S", "s_{bcnt1|ff1}_i32_b64 S, M", "s_bitreplicate_b64_b32 M, S",
       "s_wqm_b64 M, M", "s_cmp_{eq_u32|lt_i32} S, S", "s_cmovk_i32 S, 7", "s_mov_b32 m0, {0|1|2}\ns_movrels_b32 s25, s20",
       "s_mov_b32 m0, {0|1|2}\ns_movreld_b32 s20, S"],
    ["v_readlane_b32 S, V, N", "v_readfirstlane_b32 S, V", "v_writelane_b32 V, S, N", "s_set_gpr_idx_on s26, 1\nv_mov_b32 V, v20\ns_set_gpr_idx_off"],
    ["v_mov_b32_dpp V, V {row_shr:1|row_bcast:15|quad_perm:[1,0,3,2]|row_mirror|row_shl:3|wave_shr:1} row_mask:0xf bank_mask:{0xf|0x5}{| bound_ctrl:0}"],
    ["v_add_u32_sdwa V, V, V dst_sel:{BYTE_1|WORD_1|DWORD} dst_unused:{UNUSED_PAD|UNUSED_PRESERVE|UNUSED_SEXT} src0_sel:{BYTE_2|WORD_0|DWORD} src1_sel:WORD_1",
     "v_mov_b32_sdwa V, V dst_sel:{BYTE_2|WORD_0} dst_unused:{UNUSED_PAD|UNUSED_PRESERVE|UNUSED_SEXT} src0_sel:{BYTE_3|WORD_1}"],
    ["v_fma_mixlo_f16 V, V, V, V op_sel_hi:[1,0,1]", "v_fma_mixhi_f16 V, V, V, V op_sel_hi:[1,1,0]", "v_fma_mix_f32 V, V, V, V op_sel_hi:[1,0,0]",
     "v_cvt_pk_fp8_f32 V, V, V op_sel:[0,0,{0|1}]", "v_mad_u16 V, V, V, V op_sel:[{0|1},0,0,{0|1}]", "v_fma_f16 V, V, V, V op_sel:[1,0,1,{0|1}]",
     "v_pk_mad_u16 V, V, V, V op_sel:[1,0,1] op_sel_hi:[0,1,0]", "v_mad_i32_i16 V, V, V, V op_sel:[1,0,0,0]"],
    ["v_lshlrev_b64 Q, V, Q", "v_lshrrev_b64 Q, N, Q", "v_ashrrev_i64 Q, N, Q", "v_add_f64 Q, Q, Q", "v_mad_u64_u32 Q, M, V, V, Q",
     "v_lshl_add_u64 Q, Q, {0|2|4}, Q", "v_mov_b64 Q, Q", "v_pk_fma_f32 Q, Q, Q, Q op_sel:[{0|1},0,{0|1}] op_sel_hi:[1,{0|1},1]", "v_pk_add_f32 Q, Q, Q",
     "v_pk_mov_b32 Q, Q, Q op_sel:[{0|1},{0|1}]"],
    ["ds_{bpermute|permute}_b32 V, v1, V", "v_and_b32 v31, 0xfc, V\nds_bpermute_b32 V, v31, V", "ds_swizzle_b32 V, V offset:{0x41f|0x801b}",
     "v_mfma_f32_4x4x1_16b_f32 v[40:43], V, V, 0\ns_nop 15\nv_mov_b32 V, v4{0|1|2|3}"],
    ["ds_write_{b32|b16|b8|b8_d16_hi} v1, V offset:{0|256}\nds_read_{b32|u16|u16_d16|i8} V, v1 offset:{0|256}",
     "ds_write2_b32 v1, V, V offset0:0 offset1:64\nds_read2_b32 v[26:27], v1 offset0:64 offset1:0",
     "ds_write_b32 v1, V\nds_{add_rtn_u32|wrxchg_rtn_b32} V, v1, V\nds_read_b32 V, v1"],
]


def filled(template, chosen):
    """The template with words, registers and constants chosen."""
    same = f"v{chosen.randint(FIRST, LAST)}"

    def operand(match):
        kind = chosen.choice("VVVSC") if match.group() == "X" else match.group()
        low = chosen.randrange(FIRST, LAST, 2)
        return {"V": f"v{chosen.randint(FIRST, LAST)}", "A": same, "S": f"s{chosen.randint(20, 25)}", "N": str(chosen.randrange(64)), "Q": f"v[{low}:{low + 1}]",
                "C": str(chosen.choice([0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 63, -1])), "M": chosen.choice(["vcc", "s[30:31]", "s[32:33]"])}[kind]

    text = re.sub(r"\{([^}]*)\}", lambda words: chosen.choice(words.group(1).split("|")), template)
    return re.sub(r"\b[VASNQMX]\b", operand, text)


def kernel(seed):
    chosen = random.Random(seed)
    lines = [f"v_mul_u32_u24 v{i}, {chosen.randrange(1, 60)}, v1" for i in range(FIRST, LAST + 1)]
    lines += [f"s_mov_b32 s{i}, {chosen.randrange(100)}" for i in range(20, 26)] + ["s_mov_b32 s26, 2"]
    lanes = chosen.choice([None, None, 1, 0xff, 0xf0])
    load = f"global_load_{chosen.choice(LOADS)} v{FIRST}, v1, s[4:5]"
    lines += [load] if lanes is None else [f"s_mov_b64 exec, {lanes}", load, "s_mov_b64 exec, -1"]
    for _ in range(chosen.randrange(3, 14)):
        lines += filled(chosen.choice(chosen.choice(GROUPS)), chosen).splitlines()
    if chosen.random() < 0.3:
        lines += ["v_and_b32 v32, 0xfc, v24", "global_store_dword v32, v1, s[6:7]"]
    for number in range(FIRST, LAST + 1):
        if chosen.random() < 0.35:
            if chosen.random() < 0.5:
                lines.append(f"v_and_b32 v{number}, {chosen.choice(['0xff', '0xff00', '0x1', '0xffff0000'])}, v{number}")
            lines.append(f"global_store_dword v1, v{number}, s[6:7] offset:{256 * (number - FIRST)}")
    # Waits and wait states are no matter of this test.
    return HEAD + "".join(f"  {line}\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  s_nop 7\n" for line in lines) + TAIL


def values(seed):
    made = np.random.default_rng(seed)
    return [made.integers(0, 1 << 32, 64, dtype=np.uint32), made.integers(0, 1 << 32, 64, dtype=np.uint32), made.integers(0, 200, 64).astype(np.uint32),
            np.full(64, 0x3f800000, np.uint32)]  # ones


def run(inflight, text, seed):
    """Whether the results depend on what was raced for, and whether the check says so."""
    results, found = [], False
    code = inflight.load(inflight.assemble(text))
    for one in values(seed):
        results.append(np.zeros(4096, np.uint32))
        launched = code["k"].launch((1, 1, 1), (128, 1, 1), [np.zeros(64, np.uint32), results[-1], one], checks="race")
        found |= any(finding.rule == "race" for finding in launched.findings)
    code.close()
    return any((result != results[0]).any() for result in results), found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", help="a folder for the kernels whose race is missed")
    options = parser.parse_args()
    os.environ["INFLIGHT_LIBRARY"] = options.library
    import inflight

    counts = {outcome: 0 for outcome in [(True, True), (True, False), (False, True), (False, False)]}
    for seed in range(options.first, options.first + options.count):
        text = kernel(seed)
        outcome = run(inflight, text, seed)
        counts[outcome] += 1
        if outcome == (True, False):
            print(f"seed {seed}: the results depend on a race that isn't found", flush=True)
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                with open(os.path.join(options.keep, f"{seed}.s"), "w") as file:
                    file.write(text)
    print(f"values that matter: {counts[True, True]} found, {counts[True, False]} missed; others: {counts[False, False]} quiet, {counts[False, True]} found")
    # A check that finds everything, or nothing, tests nothing.
    sys.exit(counts[True, False] != 0 or (options.count >= 100 and not (counts[True, True] and counts[False, False])))


if __name__ == "__main__":
    main()
