#!/usr/bin/env python3
"""Writes the GEMM examples: C (f32) = A x B^T, A is MxK and B is NxK, row-major.

A workgroup computes a TILE x TILE block of C. In each step it stages 64 bytes of K (or 128) of both inputs in LDS; each
wave multiplies its part with 16x16 matrix instructions whose accumulators the loop carries. How they get there:

    single   through registers into rows padded to 80 bytes; two barriers a step
    double   the same into two buffers which the loop swaps; the next step is loaded during this one; one barrier
    async    two buffers, filled by LDS DMA. DMA can't pad rows, so the 16-byte chunks of a row are permuted by
             the row's number instead: the lanes read permuted addresses, the fragments are read the same way

    generate.py             write all of them beside this file
"""
import os

VARIANTS = [  # name, element type, bytes, tile, waves in rows, waves in columns, M, N, K, mode, DMA bytes a lane
    ("gemm_f16_64", "f16", 2, 64, 2, 2, 128, 128, 128, "single", 0),
    ("gemm_f16_128", "f16", 2, 128, 2, 2, 256, 256, 128, "single", 0),
    ("gemm_f16_256", "f16", 2, 256, 2, 4, 256, 256, 128, "single", 0),
    ("gemm_bf16_128", "bf16", 2, 128, 2, 2, 256, 256, 128, "single", 0),
    ("gemm_fp8_128", "f8E4M3FNUZ", 1, 128, 2, 2, 256, 256, 256, "single", 0),
    ("gemm_fp8_ocp_128", "f8E4M3FN", 1, 128, 2, 2, 256, 256, 256, "single", 0),
    ("gemm_f16_128_double", "f16", 2, 128, 2, 2, 256, 256, 128, "double", 0),
    ("gemm_f16_128_async", "f16", 2, 128, 2, 2, 256, 256, 128, "async", 4),
    ("gemm_f16_128_async16", "f16", 2, 128, 2, 2, 256, 256, 128, "async", 16),
    # Batches of matrices with padded rows, no stride a power of two.
    ("gemm_batched_f16", "f16", 2, 64, 2, 2, 128, 128, 96, "single", 0),
]
BATCHED = {"gemm_batched_f16": {"count": 3, "row": 104, "matrix": 13400}}  # strides of A and B; C is dense
FRAGMENT = 16


class Gemm:
    def __init__(self, name, element, size, tile, wave_rows, wave_columns, m, n, k, mode="single", dma=0,
                 step_bytes=64, wide=False, stages=2, dies=None):
        """`wide`: a lane reads 16 bytes of a row of LDS at once, which are its part of two matrix instructions: the order
        of K differs from the rows', alike in A and B. `stages`: buffers of "async", which fetches all but one ahead.
        `dies`: in rows and columns; workgroups go to those in turn, and each is to compute one block of C, for its L2."""
        self.__dict__.update(locals())
        self.waves = wave_rows * wave_columns
        self.lanes = 64 * self.waves
        self.step = step_bytes // size       # elements of K a step
        self.chunk = 16 // size              # elements of a 16-byte access
        self.part = 8 // size                # elements of A or B a lane gives to a matrix instruction
        self.depth = 4 * self.part           # K of a matrix instruction
        self.row = (step_bytes if dma else step_bytes + 16) // size  # elements of an LDS row
        self.rows, self.columns = tile // wave_rows, tile // wave_columns
        self.mi, self.ni = self.rows // FRAGMENT, self.columns // FRAGMENT
        self.acc = [(i, j) for i in range(self.mi) for j in range(self.ni)]
        self.row_chunks = step_bytes // 16
        self.chunks = tile * self.row_chunks // self.lanes  # 16-byte accesses of each lane for each input
        self.batch = BATCHED.get(name)
        space = ", #gpu.address_space<global>" if dma else ""

        def memory(what, rows, columns, type):
            if not self.batch:
                return f"memref<{rows}x{columns}x{type}{space}>"
            layout = "" if what == "c" else f", strided<[{self.batch['matrix']}, {self.batch['row']}, 1]>"
            return f"memref<{self.batch['count']}x{rows}x{columns}x{type}{layout}{space}>"
        self.mem = {"a": memory("a", m, k, element), "b": memory("b", n, k, element), "c": memory("c", m, n, "f32")}
        self.lds = f"memref<{tile}x{self.row}x{element}, #gpu.address_space<workgroup>>"
        self.wide_type, self.narrow = f"vector<{self.chunk}x{element}>", f"vector<{self.part}x{element}>"
        self.at = "%batch, " if self.batch else ""
        self.types = ", ".join("vector<4xf32>" for _ in self.acc)
        self.lines = []

    def w(self, text, indent=4):
        self.lines.append(" " * indent + text)

    def add(self, name, base, offset, indent):
        """name = base + offset, or base itself."""
        if not offset:
            return base
        self.w(f"{name} = arith.addi {base}, %k{offset} : index", indent)
        return name

    def load(self, k, indent):
        self.w(f"%load_k{k[1:]} = arith.addi {k}, %load_col : index", indent)
        for x in "ab":
            for i in range(self.chunks):
                self.w(f"%v_{x}{i}{k[1:]} = vector.load %{x}[{self.at}%gr_{x}{i}, %load_k{k[1:]}] : {self.mem[x]}, {self.wide_type}", indent)

    def stage(self, k, to, indent):
        for x in "ab":
            for i in range(self.chunks):
                self.w(f"vector.store %v_{x}{i}{k[1:]}, {to[x]}[%lr{i}, %load_col] : {self.lds}, {self.wide_type}", indent)

    def fetch(self, k, to, indent):
        """LDS DMA of one step."""
        width = self.dma // self.size
        self.w(f"%load_k{k[1:]} = arith.addi {k}, %load_col : index", indent)
        for x in "ab":
            for i in range(self.rounds):
                self.w(f"amdgpu.gather_to_lds %{x}[%gr_{x}{i}, %load_k{k[1:]}], {to[x]}[%to{i}, %k0]"
                       f" : vector<{width}x{self.element}>, {self.mem[x]}, {self.lds}", indent)

    def multiply(self, lds, current, tag, indent):
        current = dict(current)
        for s in range(self.step // self.depth):
            self.read(lds, s, tag, indent)
            self.products(s, current, tag, indent)
        return current

    def read(self, lds, s, tag, indent):
        """The lane's factors of the matrix instructions number s."""
        for x, count in (("a", self.mi), ("b", self.ni)):
            for i in range(count if self.wide else 0):
                whole = f"%{tag}w_{x}{s // 2}_{i}"
                if s % 2 == 0:
                    self.w(f"{whole} = vector.load {lds[x]}[%fr_{x}{i}, %depth{s // 2}] : {self.lds}, {self.wide_type}", indent)
                self.w(f"%{tag}f_{x}{s}_{i} = vector.extract_strided_slice {whole} {{offsets = [{s % 2 * self.part}],"
                       f" sizes = [{self.part}], strides = [1]}} : {self.wide_type} to {self.narrow}", indent)
            for i in range(0 if self.wide else count):
                self.w(f"%{tag}f_{x}{s}_{i} = vector.load {lds[x]}[%fr_{x}{i}, %depth{s}] : {self.lds}, {self.narrow}", indent)

    def products(self, s, current, tag, indent):
        for i, j in self.acc:
            self.w(f"%{tag}m{s}_{i}_{j} = amdgpu.mfma 16x16x{self.depth} %{tag}f_a{s}_{i} * %{tag}f_b{s}_{j} + {current[i, j]}"
                   f" blgp = none : {self.narrow}, {self.narrow}, vector<4xf32>", indent)
            current[i, j] = f"%{tag}m{s}_{i}_{j}"

    def header(self):
        buffers = {"single": "one buffer", "double": "two LDS buffers", "async": f"two LDS buffers filled by DMA, {self.dma} bytes a lane"}
        buffers = buffers["async" if self.dma else self.mode]
        self.w(f"// {self.m}x{self.n}x{self.k}{', ' + str(self.batch['count']) + ' matrices' if self.batch else ''}, "
               f"tile {self.tile}x{self.tile}, {self.waves} waves, {buffers}. Made by generate.py.", 0)
        self.w(f"gpu.module @{self.name}_module {{", 0)
        self.w(f"gpu.func @{self.name}(%a: {self.mem['a']}, %b: {self.mem['b']}, %c: {self.mem['c']}) kernel", 2)
        self.w(f"attributes {{gpu.known_block_size = array<i32: {self.lanes}, 1, 1>, inflight.reassociate}} {{", 6)
        width = self.dma // self.size
        self.rounds = self.tile * self.step_bytes // (self.lanes * self.dma) if self.dma else 0
        self.piece = 64 * self.dma // self.step_bytes  # rows of LDS that a wave fills with one DMA instruction
        ahead = self.step * (self.stages - 1)
        values = {ahead, self.k - ahead, *range(0, ahead, self.step), 0, 2, self.row_chunks - 1, 4, 8, 16, 64, self.tile, self.step, self.k, self.k - self.step, self.part, self.chunk, self.wave_columns, self.rows, self.columns}
        values |= {i * FRAGMENT for i in range(max(self.mi, self.ni))} | {s * self.depth for s in range(self.step // self.depth)}
        values |= {i * FRAGMENT + r for i in range(self.mi) for r in range(4)}
        values |= {i * self.lanes // self.row_chunks for i in range(self.chunks)} | {self.row_chunks}
        if self.dma:
            values |= {i * self.waves * self.piece for i in range(self.rounds)} | {self.piece, self.step // width, self.chunk // width, width}
        for value in sorted(values):
            self.w(f"%k{value} = arith.constant {value} : index")
        self.w("%zero = arith.constant dense<0.0> : vector<4xf32>")
        for i in range(1 if self.mode == "single" else self.stages):
            for x in "ab":
                self.w(f"%lds_{x}{i} = memref.alloc() : {self.lds}")
        self.w("%t = gpu.thread_id x")
        for axis in "xy":
            self.w(f"%{'block_' if self.dies else 'b'}{axis} = gpu.block_id {axis}")
        if self.batch:
            self.w("%batch = gpu.block_id z")
        if self.dies:
            rows, columns = self.dies
            blocks = (self.m // self.tile // rows, self.n // self.tile // columns)
            for name, value in (("grid", self.n // self.tile), ("dies", rows * columns), ("die_columns", columns), ("rows", blocks[0]), ("columns", blocks[1])):
                self.w(f"%{name}_c = arith.constant {value} : index")
            self.w("%flat_y = arith.muli %block_y, %grid_c : index")
            self.w("%flat = arith.addi %flat_y, %block_x : index")
            self.w("%die = arith.remui %flat, %dies_c : index")
            self.w("%in_die = arith.divui %flat, %dies_c : index")
            for axis, op, count in (("y", "divui", "rows"), ("x", "remui", "columns")):
                self.w(f"%die_{axis} = arith.{op} %die, %die_columns_c : index")
                self.w(f"%in_die_{axis} = arith.{op} %in_die, %columns_c : index")
                self.w(f"%first_{axis} = arith.muli %die_{axis}, %{count}_c : index")
                self.w(f"%b{axis} = arith.addi %first_{axis}, %in_die_{axis} : index")
        self.w(f"%row0 = arith.muli %by, %k{self.tile} : index")
        self.w(f"%col0 = arith.muli %bx, %k{self.tile} : index")
        self.w("%lane = arith.remui %t, %k64 : index")
        self.w("%wave = arith.divui %t, %k64 : index")
        self.w(f"%wave_r = arith.divui %wave, %k{self.wave_columns} : index")
        self.w(f"%wave_c = arith.remui %wave, %k{self.wave_columns} : index")
        self.w(f"%wave_row = arith.muli %wave_r, %k{self.rows} : index")
        self.w(f"%wave_col = arith.muli %wave_c, %k{self.columns} : index")
        self.w("%in16 = arith.remui %lane, %k16 : index")
        self.w("%quarter = arith.divui %lane, %k16 : index")

    def addresses(self):
        # What a lane loads.
        if self.dma:
            width = self.dma // self.size
            self.w("// A lane fetches the chunk that belongs where the DMA puts it: its chunk of the row, permuted by the row.")
            self.w("%wave_i = arith.index_cast %wave : index to i32")
            self.w("%wave_u = rocdl.readfirstlane %wave_i : i32")
            self.w("%wave_s = arith.index_cast %wave_u : i32 to index")
            self.w(f"%to0 = arith.muli %wave_s, %k{self.piece} : index")
            self.w(f"%in_piece = arith.divui %lane, %k{self.step // width} : index")
            self.w("%lr0 = arith.addi %to0, %in_piece : index")
            self.w(f"%in_row = arith.remui %lane, %k{self.step // width} : index")
            self.w(f"%to_chunk = arith.divui %in_row, %k{self.chunk // width} : index")
            self.w(f"%in_chunk = arith.remui %in_row, %k{self.chunk // width} : index")
            self.w("%row_half = arith.divui %lr0, %k2 : index")
            self.w(f"%row_key = arith.andi %row_half, %k{self.row_chunks - 1} : index")
            self.w("%from_chunk = arith.xori %to_chunk, %row_key : index")
            self.w(f"%from_col = arith.muli %from_chunk, %k{self.chunk} : index")
            self.w(f"%in_chunk_col = arith.muli %in_chunk, %k{width} : index")
            self.w("%load_col = arith.addi %from_col, %in_chunk_col : index")
            count, stride = self.rounds, self.waves * self.piece
            assert stride % (2 * self.row_chunks) == 0, "all rows that a lane fetches are to be permuted alike"
            for i in range(1, count):
                self.w(f"%to{i} = arith.addi %to0, %k{i * stride} : index")
        else:
            self.w(f"%lr0 = arith.divui %t, %k{self.row_chunks} : index")
            self.w(f"%load_q = arith.remui %t, %k{self.row_chunks} : index")
            self.w(f"%load_col = arith.muli %load_q, %k{self.chunk} : index")
            count, stride = self.chunks, self.lanes // self.row_chunks
        for i in range(1, count):
            self.w(f"%lr{i} = arith.addi %lr0, %k{i * stride} : index")
        for x, base in (("a", "row0"), ("b", "col0")):
            for i in range(count):
                self.w(f"%gr_{x}{i} = arith.addi %{base}, %lr{i} : index")
        # What it multiplies.
        for x, base, number in (("a", "wave_row", self.mi), ("b", "wave_col", self.ni)):
            self.w(f"%fr_{x}0 = arith.addi %{base}, %in16 : index")
            for i in range(1, number):
                self.w(f"%fr_{x}{i} = arith.addi %fr_{x}0, %k{i * FRAGMENT} : index")
        if self.wide:
            if self.dma:
                self.w("%key_half = arith.divui %in16, %k2 : index")
                self.w(f"%key = arith.andi %key_half, %k{self.row_chunks - 1} : index")
            for s in range(self.row_chunks // 4):
                chunk = self.add(f"%chunk{s}", "%quarter", 4 * s, 4)
                place = f"%place{s}" if self.dma else chunk
                if self.dma:
                    self.w(f"{place} = arith.xori {chunk}, %key : index")
                self.w(f"%depth{s} = arith.muli {place}, %k{self.chunk} : index")
        elif self.dma:
            self.w("%key_half = arith.divui %in16, %k2 : index")
            self.w(f"%key = arith.andi %key_half, %k{self.row_chunks - 1} : index")
            self.w("%quarter_chunk = arith.divui %quarter, %k2 : index")
            self.w("%quarter_half = arith.remui %quarter, %k2 : index")
            self.w(f"%half_col = arith.muli %quarter_half, %k{self.part} : index")
            for s in range(self.step // self.depth):
                chunk = self.add(f"%chunk{s}", "%quarter_chunk", 2 * s, 4)
                self.w(f"%place{s} = arith.xori {chunk}, %key : index")
                self.w(f"%place_col{s} = arith.muli %place{s}, %k{self.chunk} : index")
                self.w(f"%depth{s} = arith.addi %place_col{s}, %half_col : index")
        else:
            self.w(f"%depth0 = arith.muli %quarter, %k{self.part} : index")
            for s in range(1, self.step // self.depth):
                self.w(f"%depth{s} = arith.addi %depth0, %k{s * self.depth} : index")

    def loop(self):
        inits = ", ".join(f"%acc{i}_{j} = %zero" for i, j in self.acc)
        start = {x: f"%acc{x[0]}_{x[1]}" for x in self.acc}
        first = {"a": "%lds_a0", "b": "%lds_b0"}
        if self.mode == "single":
            self.w(f"%r:{len(self.acc)} = scf.for %kk = %k0 to %k{self.k} step %k{self.step} iter_args({inits}) -> ({self.types}) {{")
            self.load("%kk", 6)
            self.w("gpu.barrier", 6)
            self.stage("%kk", first, 6)
            self.w("gpu.barrier", 6)
            current = self.multiply(first, start, "", 6)
            self.w(f"scf.yield {', '.join(current[x] for x in self.acc)} : {self.types}", 6)
            self.w("}")
            return {x: f"%r#{i}" for i, x in enumerate(self.acc)}
        # Two buffers: the loop runs one step less and fills the buffer of the step after.
        if self.mode == "double":
            self.load("%k0", 4)
            self.stage("%k0", first, 4)
            self.w("gpu.barrier")
        else:
            for i in range(self.stages - 1):
                self.fetch(f"%k{i * self.step}", {x: f"%lds_{x}{i}" for x in "ab"}, 4)
        names = ["this", *(f"between{i}" for i in range(1, self.stages - 1)), "next"]
        swap = ", ".join(f"%{name}_{x} = %lds_{x}{i}" for i, name in enumerate(names) for x in "ab")
        types = self.types + 2 * self.stages * f", {self.lds}"
        count, ahead = len(self.acc), self.step * (self.stages - 1)
        self.w(f"%r:{count + 2 * self.stages} = scf.for %kk = %k0 to %k{self.k - ahead} step %k{self.step} iter_args({inits}, {swap}) -> ({types}) {{")
        this, following = {"a": "%this_a", "b": "%this_b"}, {"a": "%next_a", "b": "%next_b"}
        self.w(f"%kn = arith.addi %kk, %k{ahead} : index", 6)
        if self.mode == "double":
            self.load("%kn", 6)
            current = self.multiply(this, start, "", 6)
            self.stage("%kn", following, 6)
            self.w("gpu.barrier", 6)
        else:
            # After the barrier all of this step has arrived and nobody reads the other buffer any more.
            self.arrive(self.stages - 2, 6)
            self.fetch("%kn", following, 6)
            current = self.multiply(this, start, "", 6)
        swapped = ", ".join(f"%{name}_{x}" for name in names[1:] + names[:1] for x in "ab")
        self.w(f"scf.yield {', '.join(current[x] for x in self.acc)}, {swapped} : {types}", 6)
        self.w("}")
        current = {x: f"%r#{i}" for i, x in enumerate(self.acc)}
        for i in range(self.stages - 1):
            if self.mode == "async":
                self.arrive(self.stages - 2 - i, 4)
            last = {"a": f"%r#{count + 2 * i}", "b": f"%r#{count + 2 * i + 1}"}
            current = self.multiply(last, current, "last_" if self.stages == 2 else f"last{i}_", 4)
        return current

    def arrive(self, ahead, indent):
        """The oldest step is there for all waves; `ahead` younger ones may still be on their way."""
        self.w(f"amdgpu.memory_counter_wait load({ahead * 2 * self.rounds})", indent)
        self.w("gpu.barrier", indent)

    def finish(self, result):
        self.w("%out_r0 = arith.addi %row0, %wave_row : index")
        self.w("%out_c0 = arith.addi %col0, %wave_col : index")
        self.w("%sub_row = arith.muli %quarter, %k4 : index")
        self.w("%out_r1 = arith.addi %out_r0, %sub_row : index")
        self.w("%out_c1 = arith.addi %out_c0, %in16 : index")
        column = [self.add(f"%oc{j}", "%out_c1", j * FRAGMENT, 4) for j in range(self.ni)]
        for i in range(self.mi):
            for r in range(4):
                row = self.add(f"%or{i}_{r}", "%out_r1", i * FRAGMENT + r, 4)
                for j in range(self.ni):
                    self.w(f"%e{i}_{j}_{r} = vector.extract {result[i, j]}[{r}] : f32 from vector<4xf32>")
                    self.w(f"memref.store %e{i}_{j}_{r}, %c[{self.at}{row}, {column[j]}] : {self.mem['c']}")
        self.w("gpu.return")
        self.w("}", 2)
        self.w("}", 0)

    def text(self):
        self.header()
        self.addresses()
        self.finish(self.loop())
        return "\n".join(self.lines) + "\n"


def generate(*variant, **options):
    """The text of a kernel; tests make variants of their own with it."""
    return Gemm(*variant, **options).text()


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    for variant in VARIANTS:
        with open(os.path.join(folder, variant[0] + ".mlir"), "w") as file:
            file.write(generate(*variant))
