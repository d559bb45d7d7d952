"""async_staged.py INFLIGHT async-copies.mlir: changes its kernel so that LDS DMA can't copy the tile. Each is copied through registers, says why, and
gives what numpy does."""
import itertools
import subprocess
import sys

import numpy

inflight, source = sys.argv[1:]
text = open(source).read()
text = text[text.index("gpu.module"):]
WORKGROUP = "memref<64x16xf32, #gpu.address_space<workgroup>>"
STORE = f"      vector.store %v, %tile[%row, %column] : {WORKGROUP}, vector<4xf32>\n"
LOAD = "      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>\n"
MASKED = """      %left = arith.subi %n, %at : index
      %m = vector.create_mask %left : vector<4xi1>
      %v = vector.maskedload %a[%row, %at], %m, PASS : memref<64x512xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
"""
FLAGGED = """      %word = memref.load %index[%row] : memref<64xindex>
      %flag = arith.cmpi slt, %word, %c16 : index
      %v = scf.if %flag -> vector<4xf32> {
        %u = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>
        scf.yield %u : vector<4xf32>
      } else {
        scf.yield %zero : vector<4xf32>
      }
"""
APART = "".join(f"      %v{e} = vector.extract %v[{3 - e}] : f32 from vector<4xf32>\n      %c{e}x = arith.constant {e} : index\n"
                f"      %at{e} = arith.addi %column, %c{e}x : index\n      memref.store %v{e}, %tile[%row, %at{e}] : {WORKGROUP}\n" for e in range(4))
INDEX = ("%n: index,", "%n: index, %index: memref<64xindex>,")
INDICES = numpy.random.default_rng(3).permutation(64)


def masked(other):
    def f(a, k, n):
        return numpy.where(numpy.arange(k, k + 16) < n, a[:, k:k + 16], other)
    return f


# Changes, why LDS DMA doesn't copy it, and what is in the tile.
VARIANTS = {
    "changed": ([(STORE, "      %w = arith.addf %v, %v : vector<4xf32>\n" + STORE.replace("%v", "%w"))], "isn't as it was loaded",
                lambda a, k, n: 2 * a[:, k:k + 16]),
    "with the counter": ([(STORE, "      %i = arith.index_cast %k : index to i32\n      %f = arith.sitofp %i : i32 to f32\n"
                           "      %b = vector.broadcast %f : f32 to vector<4xf32>\n      %w = arith.addf %v, %b : vector<4xf32>\n" +
                           STORE.replace("%v", "%w"))], "isn't as it was loaded", lambda a, k, n: a[:, k:k + 16] + k),
    "element by element": ([(STORE, APART)], "isn't as it was loaded", lambda a, k, n: a[:, k:k + 16].reshape(64, 4, 4)[:, :, ::-1].reshape(64, 16)),
    "of another lane": ([(STORE, "      %one = vector.extract %v[0] : f32 from vector<4xf32>\n      %distance = arith.constant 1 : i32\n"
                          "      %width = arith.constant 64 : i32\n      %theirs, %fine = gpu.shuffle xor %one, %distance, %width : f32\n"
                          "      %w = vector.broadcast %theirs : f32 to vector<4xf32>\n" + STORE.replace("%v", "%w"))], "isn't as it was loaded",
                        lambda a, k, n: numpy.repeat(a[:, k:k + 16:4].reshape(64, 2, 2)[:, :, ::-1].reshape(64, 4), 4, 1)),
    "a loaded row": ([(LOAD, "      %i = memref.load %index[%row] : memref<64xindex>\n" + LOAD.replace("%row", "%i")), INDEX],
                     "an address in global memory that isn't arithmetic", lambda a, k, n: a[INDICES, k:k + 16]),
    "a mask within a lane's elements": ([(LOAD, MASKED.replace("PASS", "%zero"))], "isn't known to be the same for the 4 elements", masked(0)),
    "ones where nothing is loaded": ([(LOAD, MASKED.replace("PASS", "%ones")),
                                      ("    %tile =", "    %ones = arith.constant dense<1.0> : vector<4xf32>\n    %tile =")],
                                     "isn't as it was loaded", masked(1)),
    "a mask that is loaded": ([(LOAD, FLAGGED), INDEX], "a mask that isn't arithmetic on the lane's id",
                              lambda a, k, n: numpy.where(INDICES[:, None] < 16, a[:, k:k + 16], 0)),
    "two tiles": ([(STORE, "      %w = arith.addf %v, %v : vector<4xf32>\n" + STORE + STORE.replace("%v", "%w").replace("%tile", "%other")),
                   ("    %t =", f"    %other = memref.alloc() : {WORKGROUP}\n    %t ="),
                   ("      %next = arith.addf %acc, %x", f"      %y = vector.load %other[%lane, %from] : {WORKGROUP}, vector<4xf32>\n"
                    "      %z = arith.subf %y, %x : vector<4xf32>\n      %next = arith.addf %acc, %z")],
                  "isn't as it was loaded", lambda a, k, n: a[:, k:k + 16]),
}


def expected(a, n, tile):
    t = numpy.arange(256)
    sums = numpy.zeros((256, 4), "f4")
    for k in range(0, n, 16):
        sums += tile(a, k, n)[t[:, None] % 64, t[:, None] // 64 * 4 + numpy.arange(4)]
    return sums


def run(code, a, arguments, n, tile):
    numpy.save("c.npy", expected(a, n, tile))
    subprocess.run([inflight, "run", code, "--arg", "a.npy", *arguments, "--arg", "zeros:256x4:f32", "--expect", f"{1 + len(arguments) // 2}=c.npy",
                    "--check=all"], check=True)


a = numpy.random.default_rng(1).integers(-9, 10, (64, 512)).astype("f4")
numpy.save("a.npy", a)
numpy.save("index.npy", INDICES)
for (name, (changes, why, tile)), (chip, stages) in itertools.product(VARIANTS.items(), (("gfx90a", 1), ("gfx942", 2), ("gfx950", 3))):
    changed = text
    for old, new in changes:
        assert old in changed, (name, old)
        changed = changed.replace(old, new, 1)
    for trips in (None, 1, 2, 3, 7):
        n = 16 * trips if trips else None
        # A number of iterations that is constant.
        open("k.mlir", "w").write(changed if not trips else changed.replace("%c4 = arith", f"%end = arith.constant {n} : index\n    %c4 = arith", 1)
                                  .replace("to %n step", "to %end step"))
        made = subprocess.run([inflight, "compile", f"-mcpu={chip}", f"--stages={stages}", "--verify-each", "--remarks",
                               "k.mlir", "-o", "k.hsaco"], capture_output=True, text=True)
        assert made.returncode == 0, (name, chip, made.stderr)
        staged = [line for line in made.stderr.splitlines() if "lanes load a tile two iterations ahead" in line]
        tiles = changed.count("memref.alloc") if trips != 1 else 0
        assert len(staged) == tiles and (not staged or any(why in line for line in staged)), (name, chip, trips, made.stderr)
        assert "aren't checked" not in made.stderr, (name, chip, made.stderr)
        for n in [n] if trips else (0, 16, 32, 48, 64, 100, 512):
            arguments = ["--arg", f"i64:{n}", *(["--arg", "index.npy"] if INDEX in changes else [])]
            run("k.hsaco", a, arguments, n, tile)
