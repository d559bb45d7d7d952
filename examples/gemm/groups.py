#!/usr/bin/env python3
"""Writes GEMM kernels with asynchronous copies in groups: C (f32) = A x B^T.

Each group is the copies of one slice of K (nvgpu.device_async_copy, nvgpu.device_async_create_group). Slices run ahead
by one less than there are buffers; each iteration waits until all groups but so many of the youngest have arrived
(nvgpu.device_async_wait), meets the other waves, starts the copies of a later slice, and multiplies. Pieces of rows are
exchanged, so that reads have no bank conflicts. docs/compile.md says what holds for such operations.

    groups.py --type=f16 --tile=128x128 --size=4096x4096x4096 --buffers=3 > gemm.mlir
    groups.py --tile=128x128 --size=4096x4096x? > gemm.mlir      K is an argument, of at least buffers - 1 slices
"""
import argparse

from plain import FRAGMENT, TYPES, PlainGemm, parse


class GroupGemm(PlainGemm):
    def __init__(self, *args, buffers=3, guarded=False, **named):
        """`guarded`: the loop has an iteration for each slice, and a branch around the copies; otherwise the last slices are computed
        after it."""
        super().__init__(*args, **named)
        self.buffers, self.guarded = buffers, guarded

    def body(self):
        m, n, k = self.size
        self.mem = {"a": self.memory(m, k), "b": self.memory(n, k), "c": self.memory(m, n, element="f32")}
        self.lds = {x: f"memref<{self.buffers}x{t}x{self.step}x{self.element}, #gpu.address_space<workgroup>>" for x, t in zip("ab", self.tile)}
        self.acc = [(i, j) for i in range(self.counts[0]) for j in range(self.counts[1])]
        self.types = ", ".join("vector<4xf32>" for _ in self.acc)
        for x in "ab":
            self.w(f"%{x}s = memref.alloc() : {self.lds[x]}")
        self.places()
        ahead = self.buffers - 1
        self.w(f"%k_size = memref.dim %a, {self.c(1)} : {self.mem['a']}" if k is None else f"%k_size = arith.constant {k} : index")
        for i in range(ahead):
            self.w(f"%first{i} = arith.constant {i * self.step} : index")
            self.copies(f"p{i}", f"%first{i}", self.c(i), 4)
        self.w(f"%begin = arith.constant {0 if self.guarded else ahead * self.step} : index")
        inits = ", ".join(f"%i{i}_{j} = %zero" for i, j in self.acc)
        self.w(f"%r:{len(self.acc)} = scf.for %k = %begin to %k_size step {self.c(self.step)} iter_args({inits}) -> ({self.types}) {{")
        self.w(f"%slice = arith.divui %k, {self.c(self.step)} : index", 6)
        shift = ahead if self.guarded else 0
        self.w(f"%into = arith.addi %slice, {self.c(shift)} : index", 6)
        self.w(f"%from = arith.addi %slice, {self.c(0 if self.guarded else 1)} : index", 6)  # ahead slices back, of buffers
        for name in ("into", "from"):
            self.w(f"%{name}_buffer = arith.remui %{name}, {self.c(self.buffers)} : index", 6)
        self.w(f"%ahead = arith.addi %k, {self.c(shift * self.step)} : index", 6)
        self.wait(ahead - 1, 6)
        if self.guarded:
            self.w("%is_more = arith.cmpi ult, %ahead, %k_size : index", 6)
            self.w("scf.if %is_more {", 6)
        self.copies("m", "%ahead", "%into_buffer", 6, commits=not self.guarded)
        if self.guarded:
            self.w("}", 6)
            self.w("%group_m = nvgpu.device_async_create_group {}", 6)
        current = self.multiply("m", "%from_buffer", {at: f"%i{at[0]}_{at[1]}" for at in self.acc}, 6)
        self.w(f"scf.yield {', '.join(current[at] for at in self.acc)} : {self.types}", 6)
        self.w("}")
        current = {at: f"%r#{i}" for i, at in enumerate(self.acc)}
        for i in range(0 if self.guarded else ahead):
            if i == 0:
                self.w(f"%slices = arith.divui %k_size, {self.c(self.step)} : index")
            self.w(f"%last{i} = arith.addi %slices, {self.c(1 + i)} : index")
            self.w(f"%last_buffer{i} = arith.remui %last{i}, {self.c(self.buffers)} : index")
            self.wait(ahead - 1 - i, 4)
            current = self.multiply(f"e{i}", f"%last_buffer{i}", current, 4)
        self.finish(current)

    def places(self):
        for text in ("%t = gpu.thread_id x", "%bx = gpu.block_id x", "%by = gpu.block_id y"):
            self.w(text)
        self.per_row = self.step // self.chunk
        for name, op, left, right in (
                ("row0", "muli", "by", self.tile[0]), ("col0", "muli", "bx", self.tile[1]), ("lane", "remui", "t", 64),
                ("wave", "divui", "t", 64), ("wave_r", "divui", "wave", self.waves[1]), ("wave_c", "remui", "wave", self.waves[1]),
                ("wr0", "muli", "wave_r", self.tile[0] // self.waves[0]), ("wc0", "muli", "wave_c", self.tile[1] // self.waves[1]),
                ("inner", "remui", "lane", 16), ("outer", "divui", "lane", 16), ("lr0", "divui", "t", self.per_row),
                ("chunk", "remui", "t", self.per_row), ("lc", "muli", "chunk", self.chunk), ("fk0", "muli", "outer", self.part)):
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right)} : index")
        self.rows = self.lanes // self.per_row  # that all lanes copy at once
        # Rows of 128 bytes fill the banks; of several that do together the pieces aren't exchanged.
        together = max(128 // (self.step * self.bytes), 1)
        for x, base, lds_rows in (("a", "row0", self.tile[0]), ("b", "col0", self.tile[1])):
            for i in range(lds_rows // self.rows):
                self.w(f"%l{x}{i} = arith.addi %lr0, {self.c(i * self.rows)} : index")
                self.w(f"%g{x}{i} = arith.addi %{base}, %l{x}{i} : index")
        self.exchange("lr0", together, "x_store")
        self.w("%sx = arith.xori %chunk, %x_store : index")
        self.w(f"%sc = arith.muli %sx, {self.c(self.chunk)} : index")
        for x, base, count in (("a", "wr0", self.counts[0]), ("b", "wc0", self.counts[1])):
            self.w(f"%f{x} = arith.addi %{base}, %inner : index")
            for i in range(count):
                self.w(f"%f{x}{i} = arith.addi %f{x}, {self.c(i * FRAGMENT)} : index")
        self.exchange("inner", together, "x_load")
        for s in range(self.step // self.depth):
            self.w(f"%k{s} = arith.addi %fk0, {self.c(s * self.depth)} : index")
            self.w(f"%kp{s} = arith.divui %k{s}, {self.c(self.chunk)} : index")
            self.w(f"%kr{s} = arith.remui %k{s}, {self.c(self.chunk)} : index")
            self.w(f"%kx{s} = arith.xori %kp{s}, %x_load : index")
            self.w(f"%kc{s} = arith.muli %kx{s}, {self.c(self.chunk)} : index")
            self.w(f"%kk{s} = arith.addi %kc{s}, %kr{s} : index")

    def exchange(self, row, together, name):
        self.w(f"%{name}_rows = arith.divui %{row}, {self.c(together)} : index")
        self.w(f"%{name} = arith.remui %{name}_rows, {self.c(self.per_row)} : index")

    def copies(self, name, k, buffer, indent, commits=True):
        self.w(f"%col_{name} = arith.addi {k}, %lc : index", indent)
        tokens = []
        for x, lds_rows in (("a", self.tile[0]), ("b", self.tile[1])):
            for i in range(lds_rows // self.rows):
                tokens.append(f"%t{x}{i}_{name}")
                self.w(f"{tokens[-1]} = nvgpu.device_async_copy %{x}[%g{x}{i}, %col_{name}], %{x}s[{buffer}, %l{x}{i}, %sc], {self.chunk} : "
                       f"{self.mem[x]} to {self.lds[x]}", indent)
        if commits:
            self.w(f"%group_{name} = nvgpu.device_async_create_group {', '.join(tokens)}", indent)

    def wait(self, groups, indent):
        self.w(f"nvgpu.device_async_wait %group_p0 {{numGroups = {groups} : i32}}", indent)
        self.w("gpu.barrier", indent)

    def multiply(self, name, buffer, current, indent):
        current = dict(current)
        part = f"vector<{self.part}x{self.element}>"
        for s in range(self.step // self.depth):
            for x, count in (("a", self.counts[0]), ("b", self.counts[1])):
                for i in range(count):
                    self.w(f"%{x}_{name}_{s}_{i} = vector.load %{x}s[{buffer}, %f{x}{i}, %kk{s}] : {self.lds[x]}, {part}", indent)
            for i, j in self.acc:
                self.w(f"%{name}_{s}_{i}_{j} = amdgpu.mfma 16x16x{self.depth} %a_{name}_{s}_{i} * %b_{name}_{s}_{j} + {current[i, j]} blgp = none"
                       f" : {part}, {part}, vector<4xf32>", indent)
                current[i, j] = f"%{name}_{s}_{i}_{j}"
        return current


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--type", default="f16", choices=[name for name in TYPES if TYPES[name] > 1])
    parser.add_argument("--tile", default="128x128", type=parse, help="rows x columns of C a workgroup")
    parser.add_argument("--waves", default="2x2", type=parse)
    parser.add_argument("--size", default="4096x4096x4096", type=parse, help="M x N x K; ? for an argument")
    parser.add_argument("--step", default=64, type=int, help="bytes of K a slice")
    parser.add_argument("--buffers", default=3, type=int)
    parser.add_argument("--guarded", action="store_true", help="a branch around the copies in the loop instead of slices after it")
    parser.add_argument("--wide", action="store_true", help="matrix instructions of twice the depth (gfx950)")
    parser.add_argument("--name", default="gemm")
    a = parser.parse_args()
    print(GroupGemm(a.type, a.tile, a.waves, a.size, a.step, 0, a.wide, a.name, buffers=a.buffers, guarded=a.guarded).text(), end="")
