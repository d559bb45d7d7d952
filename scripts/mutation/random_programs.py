"""Random programs with several memory operations in flight to the same few registers and bytes.

Waits are put in by `inflight waits --insert`, or at random; what is then right or wrong is for reference.py to say. Waves branch nowhere, so
each executes the whole program; places are a lane's own, another wave's, or the same for all waves.
"""
import random

HEADER = """// run: --block {block} --arg arange:4096:i32 --arg zeros:4096:i32
.amdgcn_target "amdgcn-amd-amdhsa--{chip}"
.amdhsa_code_object_version 5
.text
.p2align 8
.protected k
.globl k
.type k,@function
k:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_and_b32_e32 v0, 0x3ff, v0
  v_lshlrev_b32_e32 v1, 2, v0
  v_xor_b32_e32 v2, 0x100, v1
  v_and_b32_e32 v3, 0xfc, v1
  v_mov_b32_e32 v9, 0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v5, s5
  v_add_co_u32_e32 v4, vcc, s4, v1
  s_nop 1
  v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
  s_mov_b64 s[8:9], src_shared_base
  v_mov_b32_e32 v6, v1
  s_nop 0
  v_mov_b32_e32 v7, s9
"""
FOOTER = """  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 8192
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 48
  .amdhsa_accum_offset 64
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--{chip}
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 54
    .vgpr_count: 64
    .max_flat_workgroup_size: {block}
    .reqd_workgroup_size: [{block}, 1, 1]
    .args:
      - {{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}}
      - {{.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}}
...
.end_amdgpu_metadata
"""


class Generator:
    """Of one program; `body` are its lines, waits being left out or put anywhere."""

    def __init__(self, seed, chip):
        self.random, self.chip = random.Random(seed), chip
        self.waves = self.random.choice([1, 2, 2, 3])
        self.own = self.random.random() < 0.7 # mostly a lane's own places: two waves meet seldom
        self.kinds = self.random.sample(["load", "lds_read", "lds_write", "dma", "dma", "store", "flat", "scalar", "atomic", "byte", "use"], 6) + ["use"]
        self.masked = self.random.random() < 0.3
        self.body = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def place(self):
        """A register with an offset for each lane: its own, the same lane's of another wave, the same for all waves."""
        return "v1" if self.own and self.random.random() < 0.9 else self.pick("v1", "v2", "v3")

    def offset(self):
        return 4 * 64 * self.waves * self.pick(0, 0, 1, 2) + self.pick(0, 0, 0, 4)

    def target(self):
        return self.pick(20, 21, 22, 23)

    def instruction(self, kind):
        pick, d, place, offset = self.pick, self.target(), self.place(), self.offset()
        two = pick(True, False)
        pair = f"v[{d & ~1}:{(d & ~1) + 1}]" if two else f"v{d}"
        if kind == "load":
            return [f"global_load_dword{'x2' if two else ''} {pair}, {place}, s[4:5] offset:{offset}"]
        if kind == "flat":
            return [f"flat_load_dword{'x2' if two else ''} {pair}, {pick('v[4:5]', 'v[6:7]')}"]
        if kind == "lds_read":
            return [f"ds_read_b32 v{d}, {place} offset:{offset}" if not two else f"ds_read2_b32 {pair}, {place} offset1:{pick(0, 1, 64)}"]
        if kind == "lds_write":
            return [f"ds_write_b32 {place}, v0 offset:{offset}"]
        if kind == "byte":
            return [pick(f"ds_write_b8 {place}, v0 offset:{offset + pick(0, 1)}", f"ds_read_u8 v{d}, {place} offset:{offset + pick(0, 1)}",
                         f"global_store_byte {place}, v0, s[6:7] offset:{offset + pick(0, 1)}", f"global_load_ubyte v{d}, {place}, s[6:7] offset:{offset + pick(0, 1)}")]
        if kind == "store":
            return [f"global_store_dword {place}, v0, s[6:7] offset:{offset}"]
        if kind == "atomic":
            return [pick(f"ds_add_u32 {place}, v0 offset:{offset}", f"global_atomic_add {place}, v0, s[6:7] offset:{offset}")]
        if kind == "scalar":
            return [pick("s_load_dword s20, s[4:5], 0x0", "s_load_dwordx2 s[20:21], s[4:5], 0x8", "s_load_dword s21, s[4:5], 0x4", "s_add_u32 s22, s20, s21")]
        if kind == "dma":
            # The address of LDS is that of a wave: its own place, or one for all.
            own = "s_lshl_b32 m0, s25, 8" if self.own else "s_mov_b32 m0, 0"
            return [own, "s_nop 0", f"global_load_lds_dword v1, s[4:5] offset:{pick(0, 0, 128, 4 * 64 * self.waves)}"]
        return [f"v_add_u32_e32 v{pick(30, 31)}, v{d}, v{pick(20, 21, 22, 23)}"]

    def generate(self):
        lines = ["v_readfirstlane_b32 s25, v0", "s_nop 3", "s_lshr_b32 s25, s25, 6"] + [f"v_mov_b32_e32 v{n}, 0" for n in (20, 21, 22, 23, 30, 31)]
        for _ in range(self.random.randrange(6, 16)):
            roll = self.random.random()
            if roll < 0.1 and self.waves > 1:
                lines.append("s_barrier")
            elif roll < 0.2 and self.masked:
                lines.append(f"s_mov_b64 exec, {self.pick('0xff', '0xff00', '-1')}")
            else:
                lines += self.instruction(self.pick(*self.kinds))
        # What was loaded is stored, behind all places: a load that races decides something.
        lines += ["s_mov_b64 exec, -1", "v_add_u32_e32 v30, v30, v31", "s_waitcnt vmcnt(0) lgkmcnt(0)"]
        lines += [f"v_xor_b32_e32 v30, v30, v{n}" for n in (20, 21, 22, 23)] + ["global_store_dword v1, v30, s[6:7] offset:3072"]
        self.body = lines
        return self

    def with_waits(self):
        """As it may be without a plan: a wait for anything at any place."""
        lines = []
        for line in self.body:
            if self.random.random() < 0.3:
                lines.append("s_waitcnt " + self.pick("vmcnt(0)", "vmcnt(1)", "vmcnt(2)", "lgkmcnt(0)", "lgkmcnt(1)", "vmcnt(0) lgkmcnt(0)", "vmcnt(1) lgkmcnt(0)"))
            lines.append(line)
        return lines

    def text(self, lines):
        block = 64 * self.waves
        return HEADER.format(block=block, chip=self.chip) + "".join(f"  {line}\n" for line in lines) + FOOTER.format(block=block, chip=self.chip)
