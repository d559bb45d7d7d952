#!/usr/bin/env python3
"""Writes flash attention forward without asynchronous copies: O (f32) = softmax(Q K^T / sqrt(D)) V of f16, each HEADSxSxD.

Tiles of `keys` rows of K and V are stored to workgroup memory as they are, row after row. A workgroup of `waves` waves computes 32 rows of O a wave. What is
written down here is what costs time on every chip; what the compiler makes of the copies, of waits, priorities and the order is the compiler's business.

- A wave multiplies K Q^T, not Q K^T: each lane then holds scores of one query only, and as the accumulators of a product of 32 x 32 hold them, rounded to
  f16, they are a factor of the second product, O^T = V^T P^T.
- Iteration i multiplies the weights of tile i and V, and computes the scores of tile i + 1: one long stretch of products between two exponentials.
- Q is scaled by log2(e) / sqrt(D), and scores accumulate from minus the maximum on: exp2 takes them as they are.
- The maximum is that of the first tile, until weights grow so large that f16 might not hold them. Only then all is scaled by a new one (a branch).
- Products may be added in another order (inflight.reassociate): gfx950 has matrix instructions of twice the depth.
- A causal mask is a branch that only the tiles on the diagonal take. Workgroups begin with the most keys, and those with the fewest follow.

The grid is heads x tiles. On gfx950 V is transposed on its way from workgroup memory; `--chip=gfx942` transposes in registers.

    plain.py --size=16x4096x128 > attention.mlir
"""
import argparse

LOG2E, ROWS = 1.4426950408889634, 32
LARGEST = 4096.0  # sum of a lane's weights: f16 holds 16 times that
V16, PART = "vector<16xf32>", "vector<4xf16>, vector<4xf16>, vector<16xf32>"


class Attention:
    def __init__(self, heads, length, dim, keys=None, causal=False, waves=4, transposes=True, name="attention"):
        self.heads, self.length, self.dim, self.causal, self.waves, self.name = heads, length, dim, causal, waves, name
        self.keys = keys or (64 if dim <= 64 else 32)
        self.transposes = transposes  # the chip, while it reads
        self.q, self.out = (f"memref<{heads}x{length}x{dim}x{t}>" for t in ("f16", "f32"))
        self.lds = f"memref<{self.keys}x{dim}xf16, #gpu.address_space<workgroup>>"
        self.blocks, self.steps, self.parts = self.keys // 32, self.keys // 8, dim // 32

    def w(self, text, indent=4):
        self.lines.append(" " * indent + text)

    def c(self, value):
        self.constants.add(value)
        return f"%c{value}"

    def grid(self):
        return f"{self.heads},{self.length // ROWS // self.waves}"

    def text(self):
        self.lines, self.constants = [], set()
        self.ids()
        self.queries()
        self.loop()
        self.store()
        head = [f"gpu.module @{self.name}_module {{", f"  gpu.func @{self.name}(%q: {self.q}, %k: {self.q}, %v: {self.q}, %o: {self.out}) kernel",
                f"      attributes {{gpu.known_block_size = array<i32: {64 * self.waves}, 1, 1>, inflight.reassociate}} {{"]
        head += [f"    %c{value} = arith.constant {value} : index" for value in sorted(self.constants)]
        return "\n".join(head + self.lines + ["    gpu.return", "  }", "}"]) + "\n"

    def ids(self):
        inside = ", ".join(str(8 * (i // 4) + i % 4) for i in range(16))
        for text in (f"%zero = arith.constant dense<0.0> : {V16}", "%zero_s = arith.constant 0.0 : f32", "%one_s = arith.constant 1.0 : f32",
                     f"%masked = arith.constant dense<0xFF800000> : {V16}", "%none = arith.constant 0 : i64",
                     f"%largest = arith.constant {LARGEST:.1f} : f32", "%unset = arith.constant -1.0 : f32",
                     f"%scale = arith.constant dense<{LOG2E / self.dim ** 0.5:.9e}> : vector<8xf32>",
                     "%i32 = arith.constant 32 : i32", "%i64 = arith.constant 64 : i32", f"%inside = arith.constant dense<[{inside}]> : vector<16xi32>",
                     f"%lds_k = memref.alloc() : {self.lds}", f"%lds_v = memref.alloc() : {self.lds}",
                     "%t = gpu.thread_id x", "%head = gpu.block_id x", "%block = gpu.block_id y"):
            self.w(text)
        tiles = self.length // ROWS // self.waves
        if self.causal and tiles > 1:
            self.w(f"%descending = arith.subi {self.c(tiles - 1)}, %block : index")
            self.w(f"%ascending = arith.subi %block, {self.c((tiles + 1) // 2)} : index")
            self.w(f"%is_first = arith.cmpi ult, %block, {self.c((tiles + 1) // 2)} : index")
            self.w("%tile = arith.select %is_first, %descending, %ascending : index")
        else:
            self.w(f"%tile = arith.addi %block, {self.c(0)} : index")
        chunks = self.dim // 8
        for name, op, left, right in (
                ("lane", "remui", "t", 64), ("wave", "divui", "t", 64), ("in32", "remui", "lane", 32), ("half", "divui", "lane", 32), ("in16", "remui", "lane", 16),
                ("group", "divui", "in32", 16), ("four", "muli", "half", 4), ("eight", "muli", "half", 8), ("tile_row", "muli", "tile", ROWS * self.waves),
                ("wave_row", "muli", "wave", ROWS), ("row", "divui", "t", chunks), ("chunk", "remui", "t", chunks), ("column", "muli", "chunk", 8)):
            self.w(f"%{name} = arith.{op} %{left}, {self.c(right)} : index")
        self.w("%query_first = arith.addi %tile_row, %wave_row : index")
        self.w("%query = arith.addi %query_first, %in32 : index")
        self.v_ids()
        for i in range(self.dim // 16):
            self.w(f"%depth{i} = arith.addi %eight, {self.c(16 * i)} : index")
        for i in range(self.blocks):
            self.w(f"%key_row{i} = arith.addi %in32, {self.c(32 * i)} : index")
            self.w(f"%key_first{i} = arith.addi %four, {self.c(32 * i)} : index")

    def v_ids(self):
        """Where this lane reads V."""
        if self.transposes:  # 16 lanes read four keys by sixteen elements; each gets four keys of one element
            self.w(f"%v_row = arith.divui %in16, {self.c(4)} : index")
            self.w(f"%v_part = arith.remui %in16, {self.c(4)} : index")
            self.w(f"%v_four = arith.muli %v_part, {self.c(4)} : index")
            self.w(f"%v_sixteen = arith.muli %group, {self.c(16)} : index")
            self.w("%v_column = arith.addi %v_four, %v_sixteen : index")
            self.w("%v_key = arith.addi %four, %v_row : index")
            for i in range(self.steps):
                self.w(f"%v_key{i} = arith.addi %v_key, {self.c(8 * i)} : index")
            for d in range(self.parts):
                self.w(f"%v_column{d} = arith.addi %v_column, {self.c(32 * d)} : index")
        else:  # four rows of as many neighbouring elements as there are accumulators
            self.w(f"%v_column = arith.muli %in32, {self.c(self.parts)} : index")
            for i in range(self.keys // 2):
                self.w(f"%v_key{i} = arith.addi %four, {self.c(8 * (i // 4) + i % 4)} : index")

    def queries(self):
        """This lane's part of Q, scaled."""
        for i in range(self.dim // 16):
            self.w(f"%q_in{i} = vector.load %q[%head, %query, %depth{i}] : {self.q}, vector<8xf16>")
        for i in range(self.dim // 16):
            self.w(f"%q_wide{i} = arith.extf %q_in{i} : vector<8xf16> to vector<8xf32>")
            self.w(f"%q_scaled{i} = arith.mulf %q_wide{i}, %scale : vector<8xf32>")
            self.w(f"%q_narrow{i} = arith.truncf %q_scaled{i} : vector<8xf32> to vector<8xf16>")
            self.slices(f"%q_narrow{i}", [f"%q{2 * i}", f"%q{2 * i + 1}"], "f16", 4)
        self.w("%query_i = arith.index_cast %query : index to i32")
        self.w("%queries = vector.broadcast %query_i : i32 to vector<16xi32>")

    def slices(self, source, names, element, indent):
        for i, name in enumerate(names):
            self.w(f"{name} = vector.extract_strided_slice {source} {{offsets = [{4 * i}], sizes = [4], strides = [1]}} : "
                   f"vector<{4 * len(names)}x{element}> to vector<4x{element}>", indent)

    def scores(self, rows, tag, init, indent):
        """K Q^T: rows are keys, columns queries. `rows`: memref, first indices, type."""
        memref, first, type = rows
        result = []
        for block in range(self.blocks):
            current = init
            for i in range(self.dim // 16):
                self.w(f"%{tag}k{block}_{i} = vector.load {memref}[{first}%key_row{block}, %depth{i}] : {type}, vector<8xf16>", indent)
                self.slices(f"%{tag}k{block}_{i}", [f"%{tag}k{block}_{i}_{j}" for j in range(2)], "f16", indent)
                for j in range(2):
                    name = f"%{tag}s{block}_{i}_{j}"
                    self.w(f"{name} = amdgpu.mfma 32x32x8 %{tag}k{block}_{i}_{j} * %q{2 * i + j} + {current} blgp = none : {PART}", indent)
                    current = name
            result.append(current)
        return result

    def loop(self):
        rows = 64 * self.waves // (self.dim // 8)
        for i in range(self.keys // rows):
            self.w(f"%row{i} = arith.addi %row, {self.c(rows * i)} : index")
        self.w("// The first tile's scores, as nothing is stored yet, straight from memory.")
        first = self.scores(("%k", "%head, ", self.q), "first_", "%zero", 4)
        end = self.c(self.length)
        if self.causal:
            self.w(f"%end = arith.addi %tile_row, {self.c(ROWS * self.waves)} : index")
            end = "%end"
        carried = [("less", "%zero", V16), ("l", "%zero_s", "f32"), ("most", "%unset", "f32")]
        carried += [(f"o{d}", "%zero", V16) for d in range(self.parts)] + [(f"s{block}", first[block], V16) for block in range(self.blocks)]
        inits, types = ", ".join(f"%{name} = {value}" for name, value, _ in carried), ", ".join(type for _, _, type in carried)
        self.w(f"%r:{len(carried)} = scf.for %kv = {self.c(0)} to {end} step {self.c(self.keys)} iter_args({inits}) -> ({types}) {{")
        self.w(f"%beyond = arith.addi %kv, {self.c(self.keys)} : index", 6)
        self.w(f"%next = arith.minui %beyond, {self.c(self.length - self.keys)} : index", 6)  # the last scores aren't used
        for i in range(self.keys // rows):
            for x, start in (("k", "%next"), ("v", "%kv")):
                self.w(f"%{x}_from{i} = arith.addi {start}, %row{i} : index", 6)
                self.w(f"%{x}_in{i} = vector.load %{x}[%head, %{x}_from{i}, %column] : {self.q}, vector<8xf16>", 6)
        for i in range(self.keys // rows):
            for x in "kv":
                self.w(f"vector.store %{x}_in{i}, %lds_{x}[%row{i}, %column] : {self.lds}, vector<8xf16>", 6)
        self.w("gpu.barrier", 6)
        state, p, o = self.softmax(self.mask([f"%s{block}" for block in range(self.blocks)]))
        scores = self.scores(("%lds_k", "", self.lds), "", state[0], 6)
        o = self.products(p, o)
        self.w("gpu.barrier", 6)
        self.w(f"scf.yield {', '.join(state + o + scores)} : {types}", 6)
        self.w("}")

    def mask(self, score):
        if not self.causal:
            return score
        types = ", ".join([V16] * self.blocks)
        self.w("%is_diagonal = arith.cmpi ugt, %beyond, %tile_row : index", 6)
        self.w(f"%seen:{self.blocks} = scf.if %is_diagonal -> ({types}) {{", 6)
        for block in range(self.blocks):
            self.w(f"%key{block} = arith.addi %kv, %key_first{block} : index", 8)
            self.w(f"%key{block}_i = arith.index_cast %key{block} : index to i32", 8)
            self.w(f"%key{block}_v = vector.broadcast %key{block}_i : i32 to vector<16xi32>", 8)
            self.w(f"%keys{block} = arith.addi %key{block}_v, %inside : vector<16xi32>", 8)
            self.w(f"%is_seen{block} = arith.cmpi sle, %keys{block}, %queries : vector<16xi32>", 8)
            self.w(f"%seen_score{block} = arith.select %is_seen{block}, {score[block]}, %masked : vector<16xi1>, {V16}", 8)
        self.w(f"scf.yield {', '.join(f'%seen_score{block}' for block in range(self.blocks))} : {types}", 8)
        self.w("} else {", 6)
        self.w(f"scf.yield {', '.join(score)} : {types}", 8)
        self.w("}", 6)
        return [f"%seen#{block}" for block in range(self.blocks)]

    def weights(self, score, tag, indent):
        """exp2 of the scores, rounded to f16, and this lane's sum of that."""
        totals = []
        for block, value in enumerate(score):
            self.w(f"%{tag}p{block} = math.exp2 {value} fastmath<afn> : {V16}", indent)
            self.w(f"%{tag}h{block} = arith.truncf %{tag}p{block} : {V16} to vector<16xf16>", indent)
            self.w(f"%{tag}rounded{block} = arith.extf %{tag}h{block} : vector<16xf16> to {V16}", indent)
            self.w(f"%{tag}sum{block} = vector.reduction <add>, %{tag}rounded{block} : {V16} into f32", indent)
            totals.append(f"%{tag}sum{block}")
        for block, value in enumerate(totals[1:]):
            self.w(f"%{tag}total{block} = arith.addf {totals[0]}, {value} : f32", indent)
            totals[0] = f"%{tag}total{block}"
        return [f"%{tag}h{block}" for block in range(self.blocks)], totals[0]

    def softmax(self, score):
        """What the loop carries of it, the parts of P, and O so far."""
        p, total = self.weights(score, "", 6)
        o = [f"%o{d}" for d in range(self.parts)]
        self.w(f"%is_large = arith.cmpf ugt, {total}, %most : f32", 6)
        self.w("%large_lanes = rocdl.ballot %is_large : i64", 6)
        self.w("%any_large = arith.cmpi ne, %large_lanes, %none : i64", 6)
        old = ["%less", "%l", "%most", total] + p + o
        types = ", ".join([V16, "f32", "f32", "f32"] + ["vector<16xf16>"] * self.blocks + [V16] * self.parts)
        self.w(f"%now:{len(old)} = scf.if %any_large -> ({types}) {{", 6)
        self.w(f"scf.yield {', '.join(self.rescale(score))} : {types}", 8)
        self.w("} else {", 6)
        self.w(f"scf.yield {', '.join(old)} : {types}", 8)
        self.w("}", 6)
        now = [f"%now#{i}" for i in range(len(old))]
        for block in range(self.blocks):
            self.slices(now[4 + block], [f"%p{block}_{i}" for i in range(4)], "f16", 6)
        self.w(f"%l_new = arith.addf {now[1]}, {now[3]} : f32", 6)
        return [now[0], "%l_new", now[2]], [f"%p{i // 4}_{i % 4}" for i in range(self.steps)], now[4 + self.blocks:]

    def rescale(self, score):
        """The new maximum, and all that depends on it: at first whatever it is, later only if it is larger."""
        mine = self.fold("arith.maxnumf", score, "max", 8, " fastmath<nnan>")
        self.w(f"%mine = vector.reduction <maxnumf>, {mine} fastmath<nnan> : {V16} into f32", 8)
        maximum = self.across("arith.maxnumf", "%mine", "mine", 8, " fastmath<nnan>")
        self.w("%is_first_tile = arith.cmpf olt, %most, %zero_s : f32", 8)
        self.w(f"%larger = arith.maxnumf {maximum}, %zero_s fastmath<nnan> : f32", 8)
        self.w(f"%by = arith.select %is_first_tile, {maximum}, %larger : f32", 8)
        self.w("%by_less = arith.negf %by : f32", 8)
        self.w(f"%by_all = vector.broadcast %by_less : f32 to {V16}", 8)
        self.w(f"%less_new = arith.addf %less, %by_all : {V16}", 8)
        self.w("%shrink = math.exp2 %by_less fastmath<afn> : f32", 8)
        self.w(f"%shrinks = vector.broadcast %shrink : f32 to {V16}", 8)
        self.w("%l_less = arith.mulf %l, %shrink : f32", 8)
        for d in range(self.parts):
            self.w(f"%o_less{d} = arith.mulf %o{d}, %shrinks : {V16}", 8)
        for block, value in enumerate(score):
            self.w(f"%score_less{block} = arith.addf {value}, %by_all : {V16}", 8)
        p, total = self.weights([f"%score_less{block}" for block in range(self.blocks)], "again_", 8)
        return ["%less_new", "%l_less", "%largest", total] + p + [f"%o_less{d}" for d in range(self.parts)]

    def products(self, p, o):
        """O^T + V^T P^T."""
        o = list(o)
        if not self.transposes:
            for i in range(self.steps):
                self.v_rows(i)
        for d in range(self.parts):
            for i in range(self.steps):
                self.v_factor(d, i)
                self.w(f"%o{d}_{i} = amdgpu.mfma 32x32x8 %v{d}_{i} * {p[i]} + {o[d]} blgp = none : {PART}", 6)
                o[d] = f"%o{d}_{i}"
        return o

    def v_factor(self, d, i):
        """Of V^T, for eight keys."""
        if self.transposes:
            self.w(f"%v{d}_{i} = amdgpu.transpose_load %lds_v[%v_key{i}, %v_column{d}] : {self.lds} -> vector<4xf16>", 6)
        else:
            self.w(f"%v{d}_{i} = vector.from_elements {', '.join(f'%v_element{i}_{r}_{d}' for r in range(4))} : vector<4xf16>", 6)

    def v_rows(self, i):
        row = f"vector<{self.parts}xf16>"
        for r in range(4):
            self.w(f"%v_row{i}_{r} = vector.load %lds_v[%v_key{4 * i + r}, %v_column] : {self.lds}, {row}", 6)
            for d in range(self.parts):
                self.w(f"%v_element{i}_{r}_{d} = vector.extract %v_row{i}_{r}[{d}] : f16 from {row}", 6)

    def store(self):
        total = self.across("arith.addf", "%r#1", "total", 4)
        self.w(f"%inverse = arith.divf %one_s, {total} : f32")
        self.w(f"%inverses = vector.broadcast %inverse : f32 to {V16}")
        for d in range(self.parts):
            self.w(f"%out{d} = arith.mulf %r#{3 + d}, %inverses : {V16}")
        if self.transposes:
            for d in range(self.parts):
                self.slices(f"%out{d}", [f"%out{d}_{i}" for i in range(4)], "f32", 4)
                for i in range(4):
                    self.w(f"%out_column{d}_{i} = arith.addi %four, {self.c(32 * d + 8 * i)} : index")
                    self.w(f"vector.store %out{d}_{i}, %o[%head, %query, %out_column{d}_{i}] : {self.out}, vector<4xf32>")
            return
        self.w(f"%out_first = arith.muli %four, {self.c(self.parts)} : index")
        for e in range(16):
            for d in range(self.parts):
                self.w(f"%out{d}_{e} = vector.extract %out{d}[{e}] : f32 from {V16}")
            self.w(f"%row_out{e} = vector.from_elements {', '.join(f'%out{d}_{e}' for d in range(self.parts))} : vector<{self.parts}xf32>")
            self.w(f"%out_column{e} = arith.addi %out_first, {self.c(self.parts * (8 * (e // 4) + e % 4))} : index")
            self.w(f"vector.store %row_out{e}, %o[%head, %query, %out_column{e}] : {self.out}, vector<{self.parts}xf32>")

    def fold(self, op, values, tag, indent, flags=""):
        current = values[0]
        for i, value in enumerate(values[1:]):
            self.w(f"%{tag}{i} = {op} {current}, {value}{flags} : {V16}", indent)
            current = f"%{tag}{i}"
        return current

    def across(self, op, value, tag, indent, flags=""):
        """The reduction over the two lanes that hold one query."""
        self.w(f"%{tag}_other, %{tag}_valid = gpu.shuffle xor {value}, %i32, %i64 : f32", indent)
        self.w(f"%{tag}_both = {op} {value}, %{tag}_other{flags} : f32", indent)
        return f"%{tag}_both"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="16x4096x128", type=lambda text: tuple(map(int, text.split("x"))), help="heads x length x head dimension")
    parser.add_argument("--keys", type=int, help="rows of a tile: a multiple of 32")
    parser.add_argument("--waves", default=4, type=int, help="of a workgroup")
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--chip", default="gfx950")
    parser.add_argument("--name", default="attention")
    a = parser.parse_args()
    print(Attention(*a.size, a.keys, a.causal, a.waves, a.chip == "gfx950", a.name).text(), end="")
