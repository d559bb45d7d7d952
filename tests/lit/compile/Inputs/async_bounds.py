"""async_bounds.py INFLIGHT: a loop that stages 64 x 16 words of 96 x 16. Each form is copied by LDS DMA or says why not; results are numpy's."""
import subprocess
import sys

import numpy

inflight = sys.argv[1]
KERNEL = """gpu.module @m {
  gpu.func @k(%a: MEMORY, %o: memref<256xi32>, %x: memref<?xi32>, %pad: index, %n: index) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %rows = arith.constant 96 : index
    %lower = arith.constant LOWER : index
    %upper = arith.constant 96 : index
    %three = arith.constant 3 : i32
    %none = arith.constant 0 : i32
    %zero = arith.constant ZERO
    %tile = memref.alloc() : memref<64x16xTYPE, #gpu.address_space<workgroup>>
    %r = arith.divui %t, %c4 : index
    %piece = arith.remui %t, %c4 : index
    %c = arith.muli %piece, %c4 : index
    %wave = arith.divui %t, %c64 : index
    %lane = arith.remui %t, %c64 : index
    %sum = scf.for KIND%k = %lower to %upper step %c16 iter_args(%s = %none) -> (i32) {
BODY
      vector.store %v, %tile[%r, %c] : memref<64x16xTYPE, #gpu.address_space<workgroup>>, vector<4xTYPE>
      gpu.barrier
      %d = memref.load %tile[%lane, %wave] : memref<64x16xTYPE, #gpu.address_space<workgroup>>
      %bits = arith.bitcast %d : TYPE to i32
      %scaled = arith.muli %s, %three : i32
      %next = arith.addi %scaled, %bits : i32
      gpu.barrier
      scf.yield %next : i32
    }
    memref.store %sum, %o[%t] : memref<256xi32>
    gpu.return
  }
}
"""
BRANCH = """      %in = arith.cmpi {} : index
      %v = scf.if %in -> vector<4xTYPE> {{
{}        %u = vector.load %a[%row, %c] : MEMORY, vector<4xTYPE>
        scf.yield %u : vector<4xTYPE>
      }} else {{
        scf.yield %zero : vector<4xTYPE>
      }}"""
PLUS = "      %row = arith.addi %k, %r : index\n"
PADDED = "      %beside = arith.addi %k, %r : index\n      %row = arith.subi %beside, %pad : index\n"
BEFORE = "      %c32 = arith.constant 32 : index\n      %from = arith.addi %k, %c32 : index\n      %row = arith.addi %from, %r : index\n"
LISTED = "        %i = memref.load %x[%at] : memref<?xi32>\n        %index = arith.index_cast %i : i32 to index\n        %row = arith.addi %index, %r : index\n"
NUMBER = "      %at = arith.divui %k, %c16 : index\n"
DIVIDED = "        %q = arith.divui %k, %pad : index\n        %row = arith.addi %q, %r : index\n"
TRANSFER = ("      %nothing = arith.constant 0 : i32\n"
            "      %v = vector.transfer_read %a[%r, %c], %nothing {in_bounds = [true]} : MEMORY, vector<4xTYPE>")
COPIED, PAD, LENGTH = "tiles are copied by LDS DMA", 24, 3
INDICES = numpy.array([3, 29, 11], "i4")

# Lower bound, body, row of the counter and the tile's row, rows that are loaded, and what a remark says.
inside = lambda k, row: (row >= 0) & (row < 96)
FORMS = {
    "from below zero": (-32, PLUS + BRANCH.format("ult, %row, %rows", ""), lambda k, r: k + r, inside, COPIED),
    "padding of the launch": (0, PADDED + BRANCH.format("ult, %row, %rows", ""), lambda k, r: k + r - PAD, inside, COPIED),
    "sum of a negative counter": (-32, BEFORE + BRANCH.format("slt, %row, %rows", ""), lambda k, r: k + 32 + r, inside, COPIED),
    "two limits": (0, PADDED + "      %natural = arith.cmpi sge, %row, %c0 : index\n      %below = arith.cmpi slt, %row, %rows : index\n"
                   "      %in = arith.andi %natural, %below : i1\n" + BRANCH.format("", "").split("\n", 1)[1], lambda k, r: k + r - PAD, inside, COPIED),
    "a listed row": (0, NUMBER + BRANCH.format("slt, %at, %n", LISTED), lambda k, r: INDICES[min(k // 16, LENGTH - 1)] + r,
                     lambda k, row: (row >= 0) & (k // 16 < LENGTH), COPIED),
    "a divisor that may be zero": (0, BRANCH.format("slt, %c0, %pad", DIVIDED), lambda k, r: k // PAD + r, inside, COPIED),
    "a listed row in some lanes": (0, NUMBER + BRANCH.format("slt, %r, %n", LISTED), None, None, "'memref.load' in a branch that lanes may take differently"),
    "rows that aren't rows": (0, TRANSFER, None, None, "isn't as it was loaded"),
    "unsigned": (0, PLUS + BRANCH.format("ult, %row, %rows", ""), lambda k, r: k + r, inside, "doesn't count in the type index, signed"),
    "negative zero": (0, PLUS + BRANCH.format("ult, %row, %rows", ""), lambda k, r: k + r, inside, "isn't as it was loaded"),
}


def expected(a, lower, row_of, loads, zero):
    t = numpy.arange(256)
    sums, rows = numpy.zeros(256, "i4"), numpy.arange(64)
    for k in range(lower, 96, 16):
        row = row_of(k, rows) + 0 * rows
        tile = numpy.full((64, 16), zero)
        held = loads(k, row) & (row < 96)
        tile[held] = a[row[held]]
        sums = sums * 3 + tile[t % 64, t // 64].view("i4")
    return sums


def check(name, chip, stages):
    lower, body, row_of, loads, remark = FORMS[name]
    kind, zero = ("f32", "dense<-0.0>") if name == "negative zero" else ("i32", "dense<0>")
    memory = "memref<96x16xi32, strided<[1, 96]>>" if name == "rows that aren't rows" else f"memref<96x16x{kind}>"
    text = KERNEL.replace("BODY", body).replace("LOWER", str(lower)).replace("ZERO", f"{zero} : vector<4x{kind}>").replace("MEMORY", memory)
    text = text.replace("TYPE", kind).replace("KIND", "unsigned " if name == "unsigned" else "").replace("%d : i32 to i32", "%d : i32 to i32")
    open("k.mlir", "w").write(text)
    made = subprocess.run([inflight, "compile", f"-mcpu={chip}", f"--stages={stages}", "--verify-each", "--remarks", "k.mlir", "-o", "k.hsaco"],
                          capture_output=True, text=True)
    assert made.returncode == 0 and remark in made.stderr, (name, chip, made.stderr)
    if row_of is None:
        return
    a = numpy.random.default_rng(1).integers(0, 1000, (96, 16)).astype("f4" if kind == "f32" else "i4")
    numpy.save("a.npy", a)
    numpy.save("x.npy", INDICES)
    numpy.save("c.npy", expected(a, lower, row_of, loads, numpy.array(-0.0 if kind == "f32" else 0, a.dtype)))
    subprocess.run([inflight, "run", "k.hsaco", "--arg", "a.npy", "--arg", "zeros:256:i32", "--arg", "x.npy", "--arg", f"i64:{PAD}", "--arg",
                    f"i64:{LENGTH}", "--expect", "1=c.npy", "--check=all"], check=True)


for name in FORMS:
    for chip, stages in (("gfx90a", 3), ("gfx942", 2), ("gfx950", 2)) if FORMS[name][4] == COPIED else (("gfx950", 2),):
        check(name, chip, stages)

# Halves that lanes load one by one: a dword of a copy would be of two lanes, and guards are of one.
HALVES = """gpu.module @m {
  gpu.func @k(%a: memref<16x512xf16>, %n: index, %o: memref<256xf16>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %upper = arith.constant 512 : index
    %zero = arith.constant 0.0 : f16
    %tile = memref.alloc() : memref<16x16xf16, #gpu.address_space<workgroup>>
    %r = arith.divui %t, %c16 : index
    %c = arith.remui %t, %c16 : index
    %sum = scf.for %k = %c0 to %upper step %c16 iter_args(%s = %zero) -> (f16) {
      %column = arith.addi %k, %c : index
      %in = arith.cmpi slt, %column, %n : index
      %v = scf.if %in -> f16 {
        %u = memref.load %a[%r, %column] : memref<16x512xf16>
        scf.yield %u : f16
      } else {
        scf.yield %zero : f16
      }
      memref.store %v, %tile[%r, %c] : memref<16x16xf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %d = memref.load %tile[%c, %r] : memref<16x16xf16, #gpu.address_space<workgroup>>
      %next = arith.addf %s, %d : f16
      gpu.barrier
      scf.yield %next : f16
    }
    memref.store %sum, %o[%t] : memref<256xf16>
    gpu.return
  }
}
"""
open("k.mlir", "w").write(HALVES)
a = numpy.random.default_rng(2).integers(0, 8, (16, 512)).astype("f2")
numpy.save("a.npy", a)
a[:, 493:] = 0
numpy.save("c.npy", a.reshape(16, 32, 16).sum(axis=1).T.reshape(256))
subprocess.run([inflight, "compile", "-mcpu=gfx950", "k.mlir", "-o", "k.hsaco"], check=True)
subprocess.run([inflight, "run", "k.hsaco", "--arg", "a.npy", "--arg", "i64:493", "--arg", "zeros:256:f16", "--expect", "2=c.npy", "--check=all"], check=True)
