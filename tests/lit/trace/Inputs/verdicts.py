"""Kernels with one known cause of their time each, and the verdict that `inflight trace` gives on them: verdicts.py FOLDER"""
import json
import os
import subprocess
import sys

UNITS = 304  # of an MI300X

TEMPLATE = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl k
.p2align 8
.type k,@function
k:
  {load}
  s_mul_i32 s3, s2, {block}
  v_add_u32_e32 v1, s3, v0
  v_lshlrev_b32_e32 v2, 2, v1
  v_lshlrev_b32_e32 v3, 4, v1
  v_lshlrev_b32_e32 v4, 4, v0
  v_mov_b32_e32 v5, 0
  s_waitcnt lgkmcnt(0)
  {before}
  s_movk_i32 s8, {turns}
.Lloop:
  {body}
  s_add_i32 s8, s8, -1
  s_cmp_lg_u32 s8, 0
  s_cbranch_scc1 .Lloop
  {after}
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr {vgprs}
  .amdhsa_accum_offset {accum}
  .amdhsa_next_free_sgpr 32
  .amdhsa_group_segment_fixed_size {lds}
  .amdhsa_private_segment_fixed_size {scratch}
  .amdhsa_enable_private_segment {has_scratch}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
      - {{.size: 8, .offset: 0, .value_kind: global_buffer}}
      - {{.size: 8, .offset: 8, .value_kind: global_buffer}}
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {lds}
    .private_segment_fixed_size: {scratch}
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: {vgprs}
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
"""

MATRIX = "\n".join(f"v_mfma_f32_32x32x8_f16 v[{64 + 16 * i}:{79 + 16 * i}], v[8:9], v[10:11], v[{64 + 16 * i}:{79 + 16 * i}]" for i in range(4))
VECTOR = "\n".join(f"v_fma_f32 v{8 + i}, v{8 + i}, v{8 + i}, v{8 + i}" for i in range(48))
CHASE = """global_load_dword v6, v2, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v2, v2, v6
  buffer_inv sc1"""
READS = "\n".join(f"ds_read_b128 v[{16 + 4 * i}:{19 + 4 * i}], v4 offset:{4096 * (i % 4)}" for i in range(12)) + "\ns_waitcnt lgkmcnt(0)"
LINES = "\n".join(f"global_load_dword v{16 + i}, v7, s[4:5] offset:{4 * i}" for i in range(32)) + "\ns_waitcnt vmcnt(0)"
WIDE = "\n".join(f"global_load_dwordx4 v[{16 + 4 * i}:{19 + 4 * i}], v4, s[4:5]" for i in range(12)) + "\ns_waitcnt vmcnt(0)"
STREAM = "\n".join(f"global_load_dwordx4 v[{16 + 4 * i}:{19 + 4 * i}], v3, s[4:5]\nv_add_u32_e32 v3, s9, v3" for i in range(8)) + "\ns_waitcnt vmcnt(0)"
JUMPS = ".rept 500\n  s_branch 62\n  .fill 62, 4, 0xbf800000\n.endr"

# name: cause, workgroups, turns, body, and what else is not as usual
KERNELS = {
    "a quarter of the units": ("grid", 64, 200, MATRIX, {}),
    "one workgroup": ("grid", 1, 200, VECTOR, {}),
    "one workgroup too many": ("tail", UNITS + 1, 200, MATRIX, {"lds": 65536}),
    "a third of the last round": ("tail", UNITS * 4 // 3, 200, VECTOR, {"lds": 65536}),
    "a launch longer than its kernel": ("launch", UNITS, 4, VECTOR, {"options": ["--launch-overhead=10"]}),
    "waves of no work": ("dispatch", UNITS * 200, 1, "s_nop 0", {"block": 64, "load": ""}),
    "one wave a SIMD by its registers": ("one-wave", UNITS * 4, 40, CHASE, {"vgprs": 512, "accum": 256}),
    "one wave a SIMD by its LDS": ("one-wave", UNITS * 4, 40, CHASE, {"lds": 65536}),
    "atomics on one word": ("atomics", UNITS * 2, 10, "global_atomic_add v6, v5, v0, s[6:7] sc0\n  s_waitcnt vmcnt(0)", {}),
    "atomics at the end": ("atomics", UNITS * 2, 1, "s_nop 0", {"after": ".rept 8\n  global_atomic_add v5, v0, s[6:7]\n.endr"}),
    "a column of LDS": ("bank-conflicts", UNITS * 4, 60, READS, {"lds": 65536, "block": 256, "before": "v_lshlrev_b32_e32 v4, 7, v0"}),
    "lanes on lines of their own": ("uncoalesced", UNITS * 4, 30, LINES, {"before": "v_and_b32_e32 v7, 63, v0\n  v_lshlrev_b32_e32 v7, 7, v7"}),
    "spilled registers": ("scratch", UNITS * 4, 60, "scratch_store_dword off, v8, off\n  s_waitcnt vmcnt(0)\n  scratch_load_dword v8, off, off\n  s_waitcnt vmcnt(0)", {"scratch": 16}),
    "a chase through memory": ("global-latency", UNITS * 2, 40, CHASE, {}),
    "a chase through LDS": ("lds-latency", UNITS * 2, 200, "ds_read_b32 v6, v5\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v5, v5, v6", {"lds": 1024}),
    "scalars loaded in the loop": ("scalar-latency", UNITS * 2, 200, "s_load_dword s10, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)", {}),
    "one wave that works": ("barrier", UNITS * 2, 40, "s_barrier\n  s_cbranch_vccz .Lno\n  .rept 400\n  v_exp_f32_e32 v8, v8\n  .endr\n.Lno:",
                            {"before": "v_readfirstlane_b32 s10, v0\n  s_cmp_eq_u32 s10, 0\n  s_cselect_b64 vcc, -1, 0"}),
    "code that no cache holds": ("fetch", UNITS, 3, JUMPS, {}),
    "a chain from VALU to SALU": ("dependency", UNITS, 200, ".rept 20\n  v_readfirstlane_b32 s10, v8\n  s_add_i32 s10, s10, 1\n  v_mov_b32_e32 v8, s10\n.endr", {}),
    "waves asleep": ("sleep", UNITS * 2, 200, "s_sleep 10", {}),
    "matrix cores": ("matrix", UNITS * 4, 200, MATRIX, {}),
    "vector ALUs": ("valu", UNITS * 8, 60, VECTOR, {}),
    "wide reads of LDS": ("lds", UNITS * 4, 60, READS, {"lds": 16384}),
    "wide loads that L1 has": ("texture", UNITS * 4, 60, WIDE, {}),
    "a stream from memory": ("memory", UNITS * 8, 4, STREAM, {"before": f"s_mov_b32 s9, {UNITS * 8 * 256 * 16}"}),
}


def verdict(folder, number, name):
    cause, groups, turns, body, other = KERNELS[name]
    block = other.get("block", 256)
    text = TEMPLATE.format(block=block, turns=turns, body=body, load=other.get("load", "s_load_dwordx4 s[4:7], s[0:1], 0x0"), before=other.get("before", ""), after=other.get("after", ""),
                           vgprs=other.get("vgprs", 128), accum=other.get("accum", 128), lds=other.get("lds", 0),
                           scratch=other.get("scratch", 0), has_scratch=int("scratch" in other))
    path = os.path.join(folder, f"k{number}")
    with open(path + ".s", "w") as f:
        f.write(text)
    subprocess.run(["inflight", "asm", path + ".s", "-o", path + ".hsaco"], check=True)
    done = subprocess.run(["inflight", "trace", path + ".hsaco", "--report=json", f"--grid={groups}", f"--block={block}", "--kernarg=struct:ptr:b0,ptr:b1",
                           "--buffer=zeros:335544320:u8", "--buffer=zeros:16777216:u8", "--sample=4"] + other.get("options", []),
                          capture_output=True, text=True)
    assert done.returncode == 0, (name, done.stderr)
    return json.loads(done.stdout)["verdict"]


wrong = 0
for number, name in enumerate(KERNELS):
    if len(sys.argv) > 2 and sys.argv[2] not in name:
        continue
    found = verdict(sys.argv[1], number, name)
    expected = KERNELS[name][0]
    # What a kernel is bound by has no gain; all else foretells one.
    isRight = found["cause"] == expected and (found["gain"] >= 0.1) == (expected not in ("matrix", "valu", "lds", "texture", "memory"))
    wrong += not isRight
    print("right" if isRight else f"WRONG, not {expected}", f"{name}: {found['cause']}: {found['text']}", flush=True)
sys.exit(f"{wrong} of {len(KERNELS)} verdicts are wrong" if wrong else 0)
