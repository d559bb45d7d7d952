#!/usr/bin/env python3
"""Random assembly and its mutants: what `inflight waits` says of it, against an interpreter of its own.

    tests/random/waits.py INFLIGHT FIRST_SEED COUNT [--mutants N] [--keep DIR] [--chip CHIP]

Each program has one to four waves with LDS DMA, LDS and scalar memory accesses, loops with constant trip counts, branches on the
wave's number and on an argument, barriers under branches and waves a barrier apart. The interpreter here (class Model) shares
nothing with Inflight: it runs each wave for every value of the argument and decides whether any order in which operations may
finish has a hazard. A program gets its waits by `--insert`; a second form of it has only those that the interpreter finds
needed. Mutants have a wait deleted or weakened, a counter left out, or two of these. A campaign is a large COUNT.

What must hold:
  - what `--insert` and `--relax` write has no hazard;
  - where there is one, the verdict isn't clean: `missed` counts those with status 0;
  - where there is none, there is no error: `false` counts those with status 1.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

LANES = 64
FULL = (1 << LANES) - 1

HEADER = """.amdgcn_target "amdgcn-amd-amdhsa--{chip}"
.amdhsa_code_object_version 5
.text
.p2align 8
.globl k
.type k,@function
k:
"""
FOOTER = """.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 8192
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
  .amdhsa_next_free_vgpr 64
  .amdhsa_next_free_sgpr 96
  .amdhsa_accum_offset 32
  .amdhsa_system_vgpr_workitem_id 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--{chip}
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 96
    .vgpr_count: 64
    .max_flat_workgroup_size: {lanes}
    .reqd_workgroup_size: [{lanes}, 1, 1]
    .args:
      - {{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global, .name: in}}
      - {{.offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global, .name: out}}
      - {{.offset: 16, .size: 4, .value_kind: by_value, .name: n}}
...
.end_amdgpu_metadata
"""
PROLOGUE = """  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dword s20, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  v_and_b32_e32 v3, 63, v0
  v_lshlrev_b32_e32 v2, 2, v3
  v_lshrrev_b32_e32 v4, 6, v0
  s_nop 0
  v_readfirstlane_b32 s21, v4
  s_mov_b64 s[40:41], exec"""
DATA = range(20, 26)  # vector registers that loads write
ARGUMENTS = range(8)  # all that conditions tell apart


class Generator:
    """A program without waits."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.waves = self.random.choice([1, 2, 2, 3, 4])
        self.lines, self.labels, self.counters = [], 0, 0
        self.emit(PROLOGUE)
        for i in range(36, 39):
            self.emit(f"  s_mov_b32 s{i}, {self.random.randrange(4)}")
        for i in DATA:
            self.emit(f"  v_mov_b32_e32 v{i}, {i}")
        self.emit("  v_mov_b32_e32 v10, 0")
        if self.random.random() < 0.3:
            self.swizzle()
        apart = self.waves > 1 and self.random.random() < 0.25
        if apart:
            self.barrier_of_some("s_cbranch_scc0")
        self.block(self.random.randrange(4, 12), 0, True)
        if apart:
            self.barrier_of_some("s_cbranch_scc1")
        for i in DATA:
            self.emit(f"  v_add_u32_e32 v10, v10, v{i}")
        self.emit("  global_store_dword v1, v10, s[6:7]\n  s_endpgm")

    def emit(self, text):
        self.lines += text.split("\n")

    def label(self):
        self.labels += 1
        return f".L{self.labels}"

    def chance(self, p):
        return self.random.random() < p

    def swizzle(self):
        """Another way for lanes to lie in their 256 bytes."""
        kind = self.random.randrange(3)
        if kind == 0:
            self.emit(f"  v_xor_b32_e32 v3, {self.random.randrange(1, 64)}, v3\n  v_lshlrev_b32_e32 v2, 2, v3")
        elif kind == 1:
            self.emit("  v_lshrrev_b32_e32 v5, 3, v3\n  v_xor_b32_e32 v3, v3, v5\n  v_lshlrev_b32_e32 v2, 2, v3")
        else:
            self.emit("  v_and_b32_e32 v5, 1, v3\n  v_lshlrev_b32_e32 v5, 6, v5\n  v_xor_b32_e32 v3, v3, v5\n"
                      f"  v_xor_b32_e32 v3, {64 * self.random.randrange(4)}, v3\n  v_lshlrev_b32_e32 v2, 2, v3")

    def address(self):
        """s50 = where 256 bytes of LDS begin."""
        var = f"s{self.random.randrange(36, 39)}"
        kind = self.random.randrange(6)
        if kind <= 1:
            self.emit(f"  s_lshl_b32 s50, {var}, 8")
        elif kind == 2:
            self.emit(f"  s_lshl_b32 s50, {var}, 8\n  s_lshl_b32 s51, s21, 10\n  s_add_u32 s50, s50, s51")
        elif kind == 3:
            self.emit(f"  s_lshl_b32 s50, s21, 8\n  s_addk_i32 s50, {self.random.choice([0, 0, 256, 768])}")
        elif kind == 4:
            self.emit("  s_lshl_b32 s50, s21, 8\n  s_xor_b32 s50, s50, 256")
        else:
            self.emit(f"  s_movk_i32 s50, {256 * self.random.randrange(4)}")

    def dma(self):
        self.address()
        self.emit("  s_mov_b32 m0, s50\n  s_nop 0\n  global_load_lds_dword v2, s[4:5]")

    def read(self):
        self.address()
        self.emit(f"  v_add_u32_e32 v9, s50, v2\n  ds_read_b32 v{self.random.choice(DATA)}, v9")

    def write(self):
        self.address()
        self.emit("  v_add_u32_e32 v9, s50, v2\n  ds_write_b32 v9, v0")

    def load(self):
        self.emit(f"  global_load_dword v{self.random.choice(DATA)}, v1, s[4:5]")

    def scalar(self):
        self.emit("  s_load_dword s70, s[0:1], 0x10")
        if self.chance(0.5):
            self.emit("  s_add_u32 s71, s71, s70" if self.chance(0.5) else "  s_mov_b32 s70, 0")

    def use(self):
        self.emit(f"  v_add_u32_e32 v10, v10, v{self.random.choice(DATA)}")

    def step(self):
        """Of the buffers' numbers."""
        var, other = self.random.sample(["s36", "s37", "s38"], 2)
        kind = self.random.randrange(7)
        if kind == 0:
            self.emit(f"  s_add_u32 {var}, {var}, {self.random.choice([1, 1, 3])}\n  s_and_b32 {var}, {var}, {self.random.choice([1, 3])}")
        elif kind == 1:
            self.emit(f"  s_xor_b32 {var}, {var}, {self.random.choice([1, 2])}")
        elif kind == 2:
            self.emit(f"  s_sub_u32 {var}, 3, {var}\n  s_and_b32 {var}, {var}, 3")
        elif kind == 3:
            self.emit(f"  s_mov_b32 s52, {var}\n  s_mov_b32 {var}, {other}\n  s_mov_b32 {other}, s52")
        elif kind == 4:
            self.emit(f"  s_add_u32 {var}, {var}, 1\n  s_cmp_eq_u32 {var}, 4\n  s_cselect_b32 {var}, 0, {var}")
        elif kind == 5:
            self.emit(f"  s_mov_b32 {var}, {self.random.randrange(4)}")
        else:
            self.emit(f"  s_add_u32 {var}, {var}, 1\n  s_min_u32 {var}, {var}, 3")

    def some_lanes(self):
        """A stretch in which half of the lanes are active."""
        low = self.random.choice([0xffff, 0xffff0000, 0, 0xff])
        high = self.random.choice([0, 0, 0xffff]) if low else 0xffffffff
        self.emit(f"  s_mov_b32 exec_lo, {low:#x}\n  s_mov_b32 exec_hi, {high:#x}")
        for _ in range(self.random.randrange(1, 3)):
            self.random.choice([self.load, self.use, self.read])()
        self.emit("  s_mov_b64 exec, s[40:41]")

    def wave_condition(self):
        self.emit(f"  s_cmp_{self.random.choice(['eq', 'lg', 'lt', 'ge'])}_u32 s21, {self.random.randrange(self.waves)}")

    def condition(self):
        """True when it is one of waves."""
        if self.waves > 1 and self.chance(0.5):
            self.wave_condition()
            return True
        kind = self.random.randrange(4)
        if kind == 0:
            self.emit(f"  s_cmp_{self.random.choice(['eq', 'lg', 'lt'])}_u32 s20, {self.random.choice([1, 3])}")
        else:
            self.emit(f"  s_bitcmp{self.random.choice('011')}_b32 s20, {self.random.choice([0, 0, 1])}")
        return False

    def barrier_of_some(self, branch):
        skip = self.label()
        self.emit(f"  s_cmp_eq_u32 s21, 0\n  {branch} {skip}\n  s_barrier\n{skip}:")

    def branch(self, depth, may_meet):
        of_waves = self.condition()
        other, end = self.label(), self.label()
        self.emit(f"  s_cbranch_scc{self.random.randrange(2)} {other}")
        meets = may_meet and self.chance(0.4)
        self.block(self.random.randrange(1, 4), depth + 1, may_meet and not of_waves)
        if meets and of_waves:
            self.emit("  s_barrier")
            self.block(self.random.randrange(2), depth + 1, False)
        self.emit(f"  s_branch {end}\n{other}:")
        if self.chance(0.6) or (meets and of_waves):
            self.block(self.random.randrange(1, 3), depth + 1, may_meet and not of_waves)
        if meets and of_waves:
            self.emit("  s_barrier")
            self.block(self.random.randrange(2), depth + 1, False)
        self.emit(f"{end}:")

    def loop(self, depth, may_meet):
        counter = f"s{60 + self.counters % 8}"
        self.counters += 1
        head = self.label()
        self.emit(f"  s_mov_b32 {counter}, 0\n{head}:")
        self.block(self.random.randrange(2, 5), depth + 1, may_meet)
        self.emit(f"  s_add_u32 {counter}, {counter}, 1\n  s_cmp_lt_u32 {counter}, {self.random.randrange(1, 5)}\n  s_cbranch_scc1 {head}")

    def block(self, count, depth, may_meet):
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.16:
                self.dma()
            elif kind < 0.32:
                self.read()
            elif kind < 0.42:
                self.write()
            elif kind < 0.50:
                self.load()
            elif kind < 0.53:
                self.scalar()
            elif kind < 0.62:
                self.use()
            elif kind < 0.72:
                self.step()
            elif kind < 0.75:
                self.some_lanes()
            elif kind < 0.83:
                if may_meet:
                    self.emit("  s_barrier")
            elif kind < 0.92:
                if depth < 3:
                    self.branch(depth, may_meet)
            elif depth < 2:
                self.loop(depth, may_meet)


WAIT = re.compile(r"s_waitcnt\s+(.*)")


def wait_of(line):
    """(vmcnt, lgkmcnt) of a wait; None for a counter that it leaves; None for another line."""
    found = WAIT.match(line.strip())
    if not found:
        return None
    counts = dict(re.findall(r"(\w+)\((\d+)\)", found[1]))
    return tuple(int(counts[name]) if name in counts else None for name in ("vmcnt", "lgkmcnt"))


def wait_text(counts):
    named = [f"{name}({count})" for name, count in zip(("vmcnt", "lgkmcnt"), counts) if count is not None]
    return "  s_waitcnt " + " ".join(named) if named else None


class Wrong(Exception):
    """Not a program of this subset."""


SCALAR = {
    "s_add_u32": lambda a, b: a + b, "s_sub_u32": lambda a, b: a - b, "s_and_b32": lambda a, b: a & b,
    "s_xor_b32": lambda a, b: a ^ b, "s_lshl_b32": lambda a, b: a << (b & 31), "s_min_u32": min,
}
COMPARE = {"s_cmp_eq_u32": lambda a, b: a == b, "s_cmp_lg_u32": lambda a, b: a != b, "s_cmp_lt_u32": lambda a, b: a < b,
           "s_cmp_ge_u32": lambda a, b: a >= b, "s_bitcmp1_b32": lambda a, b: a >> (b & 31) & 1 == 1,
           "s_bitcmp0_b32": lambda a, b: a >> (b & 31) & 1 == 0}
VECTOR = {"v_lshlrev_b32": lambda a, b: b << (a & 31), "v_lshrrev_b32": lambda a, b: b >> (a & 31), "v_and_b32": lambda a, b: a & b,
          "v_xor_b32": lambda a, b: a ^ b, "v_add_u32": lambda a, b: a + b}


def units(operand):
    """The registers of an operand, as bits: VGPRs, then SGPRs."""
    if found := re.fullmatch(r"([vs])(\d+)", operand):
        return 1 << int(found[2]) + (64 if found[1] == "s" else 0)
    if found := re.fullmatch(r"([vs])\[(\d+):(\d+)\]", operand):
        first, last = int(found[2]), int(found[3])
        return ((1 << last - first + 1) - 1) << first + (64 if found[1] == "s" else 0)
    return 0


Event = collections.namedtuple("Event", "kind line reads writes lanes touched argument")
"""kind: wait, barrier, alu, lds-read, lds-write, dma, load, store or scalar. `touched`: dwords of LDS, as bits;
`argument`: of scalar loads of one, which nobody writes: where it is."""


class Wave:
    """Runs one wave; notes what matters for waits. Values that come from memory are None."""

    def __init__(self, code, labels, number, argument):
        self.scalar = {20: argument, 71: 0, 70: 0}
        self.vector = {0: [number * LANES + lane for lane in range(LANES)]}
        self.exec, self.scc, self.m0 = FULL, False, 0
        self.events = []
        at = 0
        for _ in range(20000):
            line, name, operands = code[at]
            at += 1
            if name == "s_endpgm":
                return
            if name == "s_branch" or (name == "s_cbranch_scc1" and self.scc) or (name == "s_cbranch_scc0" and not self.scc):
                at = labels[operands[0]]
            elif name not in ("s_nop", "s_cbranch_scc0", "s_cbranch_scc1"):
                self.step(line, name, operands)
        raise Wrong("doesn't end")

    def value(self, operand):
        if found := re.fullmatch(r"s(\d+)", operand):
            return self.scalar[int(found[1])]
        if operand == "m0":
            return self.m0
        return int(operand, 0) & 0xffffffff

    def lanes_of(self, operand):
        if found := re.fullmatch(r"v(\d+)", operand):
            return self.vector[int(found[1])]
        return [self.value(operand)] * LANES

    def note(self, kind, line, reads=(), writes=(), touched=0, argument=None):
        bits = [0, 0]
        for i, operands in enumerate((reads, writes)):
            for operand in operands:
                bits[i] |= units(operand)
        self.events.append(Event(kind, line, bits[0], bits[1], self.exec, touched, argument))

    def set(self, operand, value):
        if operand == "m0":
            self.m0 = value & 0xffffffff
        elif operand == "exec_lo":
            self.exec = self.exec & ~0xffffffff | value & 0xffffffff
        elif operand == "exec_hi":
            self.exec = self.exec & 0xffffffff | (value & 0xffffffff) << 32
        else:
            self.scalar[int(operand[1:])] = value & 0xffffffff

    def dwords(self, addresses):
        touched = 0
        for lane, address in enumerate(addresses):
            if self.exec >> lane & 1:
                if address >= 65536 or address % 4:
                    raise Wrong("outside of LDS")
                touched |= 1 << address // 4
        return touched

    def step(self, line, name, operands):
        name = name.removesuffix("_e32").removesuffix("_e64")
        if name == "s_waitcnt":
            return self.events.append(Event("wait", line, 0, 0, 0, 0, None))
        if name == "s_barrier":
            return self.note("barrier", line)
        if name in COMPARE:
            self.note("alu", line, operands)
            self.scc = COMPARE[name](self.value(operands[0]), self.value(operands[1]))
        elif name in SCALAR:
            self.note("alu", line, operands[1:], operands[:1])
            self.set(operands[0], SCALAR[name](self.value(operands[1]), self.value(operands[2])))
        elif name in ("s_mov_b32", "s_movk_i32"):
            self.note("alu", line, operands[1:], operands[:1])
            self.set(operands[0], self.value(operands[1]))
        elif name == "s_addk_i32":
            self.note("alu", line, operands[:1], operands[:1])
            self.set(operands[0], self.value(operands[0]) + int(operands[1], 0))
        elif name == "s_cselect_b32":
            self.note("alu", line, operands[1:], operands[:1])
            self.set(operands[0], self.value(operands[1 if self.scc else 2]))
        elif name == "s_mov_b64":
            self.note("alu", line, operands[1:], operands[:1])
            if operands == ["exec", "s[40:41]"]:
                self.exec = FULL
            elif operands != ["s[40:41]", "exec"]:
                raise Wrong(name)
        elif name == "v_readfirstlane_b32":
            self.note("alu", line, operands[1:], operands[:1])
            self.set(operands[0], self.lanes_of(operands[1])[0])
        elif name == "v_mov_b32" or name in VECTOR:
            self.note("alu", line, operands[1:], operands[:1])
            self.arithmetic(name, operands)
        else:
            self.memory(line, name, operands)

    def arithmetic(self, name, operands):
        if self.exec != FULL and operands[0] not in ("v9", "v10"):
            raise Wrong("some lanes of " + operands[0])
        sources = [self.vector.get(int(o[1:])) if o[0] == "v" else self.lanes_of(o) for o in operands[1:]]
        result = None
        if None not in sources:
            result = sources[0] if name == "v_mov_b32" else [VECTOR[name](a, b) & 0xffffffff for a, b in zip(*sources)]
        self.vector[int(operands[0][1:])] = result

    def memory(self, line, name, operands):
        if name == "ds_read_b32":
            self.note("lds-read", line, operands[1:], operands[:1], self.dwords(self.lanes_of(operands[1])))
            self.vector[int(operands[0][1:])] = None
        elif name == "ds_write_b32":
            self.note("lds-write", line, operands, (), self.dwords(self.lanes_of(operands[0])))
        elif name == "global_load_lds_dword":
            self.note("dma", line, operands, (), self.dwords([self.m0 + 4 * lane for lane in range(LANES)]))
        elif name == "global_load_dword":
            self.note("load", line, operands[1:], operands[:1])
            self.vector[int(operands[0][1:])] = None
        elif name == "global_store_dword":
            self.note("store", line, operands)
        elif name.startswith("s_load_dword"):
            self.note("scalar", line, operands[1:2], operands[:1], argument=operands[2] if operands[1] == "s[0:1]" else None)
        else:
            raise Wrong(name)


class Model:
    """A program's hazards, whatever its waits: control flow and addresses don't depend on them."""

    def __init__(self, lines, waves):
        code, labels = [], {}
        self.waits = {}
        for number, line in enumerate(lines):
            text = line.split(";")[0].strip()
            if not text:
                continue
            if text.endswith(":"):
                labels[text[:-1]] = len(code)
                continue
            name, _, rest = text.partition(" ")
            if name == "s_waitcnt":
                self.waits[number] = wait_of(text)
            code.append((number, name, [part.strip() for part in rest.split(",")] if name != "s_waitcnt" else []))
        runs = {argument: [Wave(code, labels, wave, argument).events for wave in range(waves)] for argument in ARGUMENTS}
        self.runs = []
        for run in runs.values():
            if run not in self.runs:
                self.runs.append(run)

    def hazards(self, waits=None):
        """{(what, line that is too early, line in flight)}; None when a counter may have been full: not judged."""
        found = set()
        for run in self.runs:
            left = []
            for events in run:
                one = self.of_wave(events, self.waits if waits is None else waits, found)
                if one is None:
                    return None
                left.append(one)
            self.between(left, found)
        return found

    @staticmethod
    def of_wave(events, waits, found):
        """Hazards of a wave by itself. Returns what it touches and leaves in flight, from barrier to barrier."""
        vector, lds, scalar = [], [], []
        epochs, touched = [], []
        for event in events:
            kind = event.kind
            if kind == "wait":
                vm, lgkm = waits.get(event.line) or (None, None)
                if vm is not None and vm < len(vector):
                    vector = vector[len(vector) - vm:]
                if lgkm is not None:
                    if lgkm < len(lds):
                        lds = lds[len(lds) - lgkm:]
                    if lgkm == 0:
                        scalar = []
                continue
            if kind == "barrier":
                epochs.append((touched, [e for e in vector + lds if e.touched], event.line))
                touched = []
                continue
            uses = event.reads | event.writes
            for pending, in_order in ((vector, ("load",)), (lds, ("lds-read",)), (scalar, ())):
                for earlier in pending:
                    common = earlier.writes & uses
                    if kind == earlier.kind == "scalar" and event.argument and (event.writes, event.argument) == (earlier.writes, earlier.argument):
                        continue  # the same comes twice
                    if common and (earlier.lanes & event.lanes or earlier.kind == "scalar" or kind == "scalar"):
                        if kind in in_order and not common & event.reads:
                            continue
                        found.add(("register", event.line, earlier.line))
            if kind in ("lds-read", "lds-write"):
                for earlier in vector:
                    if earlier.touched & event.touched:
                        found.add(("dma", event.line, earlier.line))
                lds.append(event)
            elif kind == "dma":
                for earlier in lds:
                    if earlier.touched & event.touched:
                        found.add(("dma-over-read" if earlier.kind == "lds-read" else "dma-over-write", event.line, earlier.line))
                vector.append(event)
            elif kind in ("load", "store"):
                vector.append(event)
            elif kind == "scalar":
                scalar.append(event)
            if event.touched:
                touched.append(event)
            if len(vector) >= 60 or len(lds) + len(scalar) >= 15:
                return None
        epochs.append((touched, [], None))
        return epochs

    @staticmethod
    def between(waves, found):
        """What is in flight at a barrier, against what other waves do until the next one."""
        for i, mine in enumerate(waves):
            for epoch, (_, pending, barrier) in enumerate(mine):
                if not pending:
                    continue
                for j, theirs in enumerate(waves):
                    if j == i or epoch + 1 >= len(theirs):
                        continue
                    for earlier in pending:
                        for later in theirs[epoch + 1][0]:
                            if earlier.touched & later.touched and (earlier.kind != "lds-read" or later.kind != "lds-read"):
                                late_dma = earlier.kind == "lds-read" and later.kind == "dma"
                                found.add(("late-dma-over-read" if late_dma else "late", barrier, earlier.line))


def least_waits(model, waits):
    """Weaker waits without a hazard, none of which can be weakened by itself."""
    waits = dict(waits)
    for line in list(waits):
        for counter, most in ((0, 12), (1, 10)):
            counts = waits[line]
            if counts[counter] is None:
                continue
            for weaker in [None] + list(range(most, counts[counter], -1)):
                trial = dict(waits)
                trial[line] = tuple(weaker if i == counter else c for i, c in enumerate(counts))
                if model.hazards(trial) == set():
                    waits = trial
                    break
    return waits


def mutants_of(waits, rng, count):
    """Changes of one or two waits."""
    def change(mutant, line):
        counts = mutant[line]
        counters = [i for i in (0, 1) if counts[i] is not None]
        if not counters:
            return
        counter = rng.choice(counters)
        kind = rng.randrange(3)
        value = None if kind == 0 else counts[counter] + (1 if kind == 1 else rng.randrange(1, 5))
        mutant[line] = tuple(value if i == counter else c for i, c in enumerate(counts))
        if kind == 0 and rng.random() < 0.4:
            mutant[line] = (None, None)

    made = []
    lines = [line for line, counts in waits.items() if counts != (None, None)]
    for _ in range(count if lines else 0):
        mutant = dict(waits)
        for line in rng.sample(lines, min(len(lines), rng.choice([1, 1, 1, 2]))):
            change(mutant, line)
        if mutant not in made and mutant != waits:
            made.append(mutant)
    return made


class Tool:
    def __init__(self, inflight, directory, chip):
        self.inflight, self.directory, self.chip = inflight, directory, chip

    def text(self, lines, waves):
        return HEADER.format(chip=self.chip) + "\n".join(lines) + "\n" + FOOTER.format(chip=self.chip, lanes=waves * LANES)

    def write(self, name, lines, waves):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            file.write(self.text(lines, waves))
        return path

    def body(self, path):
        with open(path) as file:
            text = file.read()
        return text[text.index("\nk:\n") + 4:text.index(".section .rodata")].rstrip("\n").split("\n")

    def run(self, *arguments):
        return subprocess.run([self.inflight, "waits", *arguments], capture_output=True, text=True)

    def edit(self, how, paths):
        """In place. Files that it refuses stay as they are."""
        for first in range(0, len(paths), 500):
            self.run(how, "-i", *paths[first:first + 500])

    def verify(self, paths):
        """[(status, [(rule, line of the body)])] of each."""
        verdicts = []
        offset = HEADER.count("\n") + 1
        for first in range(0, len(paths), 500):
            result = self.run("--format=json", *paths[first:first + 500])
            for file in json.loads(result.stdout)["files"]:
                findings = [(finding["rule"], finding.get("line", 0) - offset) for finding in file.get("findings", [])]
                rules = {rule for rule, _ in findings}
                status = 1 if rules & {"missing-wait", "counts-on-latency"} else 4 if rules & {"undecided", "counts-on-dma"} else 0
                verdicts.append((status, findings))
        if len(verdicts) != len(paths):
            raise RuntimeError(result.stderr)
        return verdicts


def with_waits(lines, waits):
    """The program with its waits changed; a line that is left empty stays, so that lines keep their numbers."""
    changed = list(lines)
    for line, counts in waits.items():
        changed[line] = wait_text(counts) or ""
    return changed


class Campaign:
    def __init__(self, options, directory):
        self.options = options
        self.tool = Tool(options.inflight, directory, options.chip)
        self.counts = collections.Counter()
        self.failures = []

    def fail(self, kind, name, lines, waves, detail):
        self.counts[kind] += 1
        self.failures.append((kind, name, detail))
        if self.options.keep:
            os.makedirs(self.options.keep, exist_ok=True)
            with open(os.path.join(self.options.keep, f"{kind}-{name}.s"), "w") as file:
                file.write("".join(f"// {part}\n" for part in detail) + self.tool.text(lines, waves))

    def check_edit(self, what, name, path, waves):
        """The model of what was written; None when it has hazards or isn't judged."""
        lines = self.tool.body(path)
        model = Model(lines, waves)
        hazards = model.hazards()
        if hazards is None:
            self.counts["not judged"] += 1
            return None
        self.counts[what] += 1
        if hazards:
            self.fail(what + " with a hazard", name, lines, waves, sorted(map(str, hazards)))
            return None
        return lines, model

    def run(self, seeds):
        programs, paths = [], []
        for seed in seeds:
            generator = Generator(seed)
            try:
                Model(generator.lines, generator.waves)
            except Wrong:
                continue
            programs.append((seed, generator))
            paths.append(self.tool.write(f"{seed}.s", generator.lines, generator.waves))
        self.tool.edit("--insert", paths)
        cases = []  # name, lines, waves, hazards
        right = []
        for (seed, generator), path in zip(programs, paths):
            checked = self.check_edit("inserted", f"{seed}", path, generator.waves)
            if not checked:
                continue
            lines, model = checked
            rng = random.Random(seed + 1)
            least = least_waits(model, model.waits)
            for form, waits in (("i", model.waits), ("m", least)):
                cases.append((f"{seed}{form}", with_waits(lines, waits), generator.waves, set()))
                right.append(cases[-1])
                for i, mutant in enumerate(mutants_of(waits, rng, self.options.mutants // 2)):
                    hazards = model.hazards(mutant)
                    if hazards is not None:
                        cases.append((f"{seed}{form}{i}", with_waits(lines, mutant), generator.waves, hazards))
        self.judge(cases)
        self.relax(right)

    def judge(self, cases):
        paths = [self.tool.write(f"{name}.s", lines, waves) for name, lines, waves, _ in cases]
        for (name, lines, waves, hazards), (status, findings) in zip(cases, self.tool.verify(paths)):
            rules = sorted({rule for rule, _ in findings})
            kind = "with a hazard" if hazards else "right"
            self.counts[f"{kind}, status {status}"] += 1
            detail = [str(f) for f in findings] + sorted(map(str, hazards))
            if hazards and status == 0:
                self.fail("missed", name, lines, waves, detail)
            # What it says of LDS DMA over reads must be all that is open.
            if hazards and rules == ["counts-on-dma"]:
                if not all(what in ("dma-over-read", "late-dma-over-read") for what, _, _ in hazards):
                    self.fail("masked", name, lines, waves, detail)
            if not hazards and status == 1:
                self.fail("false", name, lines, waves, detail)

    def relax(self, right):
        """Programs that are right, with stricter waits besides."""
        paths = []
        for name, lines, waves, _ in right:
            rng = random.Random(name)
            strict = []
            for line in lines:
                if rng.random() < 0.08:
                    strict.append(rng.choice(["  s_waitcnt vmcnt(0)", "  s_waitcnt lgkmcnt(0)", "  s_waitcnt vmcnt(0) lgkmcnt(0)", "  s_waitcnt vmcnt(1)"]))
                if line:
                    strict.append(line)
            paths.append(self.tool.write(f"{name}r.s", strict, waves))
        self.tool.edit("--relax", paths)
        for (name, lines, waves, _), path in zip(right, paths):
            self.check_edit("relaxed", name + "r", path, waves)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--mutants", type=int, default=20, help="of each program")
    parser.add_argument("--keep", help="where programs go that were judged wrongly")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--most-false", type=float, default=0.01, help="share of right programs that may be called wrong")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        campaign = Campaign(options, directory)
        for first in range(options.first, options.first + options.count, 50):
            campaign.run(range(first, min(first + 50, options.first + options.count)))
    for name, count in sorted(campaign.counts.items()):
        print(f"{name}: {count}")
    for kind, name, detail in campaign.failures[:20]:
        print(f"{kind} {name}: {'; '.join(detail)}")
    counts = campaign.counts
    judged = sum(count for name, count in counts.items() if name.startswith("right"))
    wrong = counts["missed"] + counts["inserted with a hazard"] + counts["relaxed with a hazard"]
    sys.exit(wrong != 0 or counts["false"] > options.most_false * judged)


if __name__ == "__main__":
    main()
