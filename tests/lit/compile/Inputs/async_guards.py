"""async_guards.py INFLIGHT async-copies.mlir: its kernel on memory of fewer rows and columns than the tiles cover, in the ways in which programs
read zeros beyond the ends. Each is copied by LDS DMA; results are compared with numpy's."""
import subprocess
import sys

import numpy

inflight, source = sys.argv[1:]
text = open(source).read()
text = text[text.index("gpu.module"):]
ROWS, COLUMNS = 50, 500
MEMORY = f"memref<{ROWS}x{COLUMNS}xf32>"
LOAD = "      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>\n"
CONSTANTS = f"""    %rows = arith.constant {ROWS} : index
    %last = arith.constant {ROWS - 1} : index
    %columns = arith.constant {COLUMNS} : index
    %nothing = arith.constant 0.0 : f32
    %tile ="""
BRANCH = """      %in = arith.cmpi ult, %row, %rows : index
      %v = scf.if %in -> vector<4xf32> {{
        {}
        scf.yield %u : vector<4xf32>
      }} else {{
        scf.yield %zero : vector<4xf32>
      }}
"""
CLAMP = "      %r = arith.minui %row, %last : index\n"
MASKED = f"%u = vector.maskedload %a[%row, %at], %m, %zero : {MEMORY}, vector<4xi1>, vector<4xf32> into vector<4xf32>"
TRANSFER = f"%u = vector.transfer_read %a[%row, %at], %nothing {{in_bounds = [false]}} : {MEMORY}, vector<4xf32>"
NARROW = """      %t32 = arith.index_cast %t : index to i32
      %four = arith.constant 4 : i32
      %row32 = arith.divui %t32, %four : i32
      %part32 = arith.remui %t32, %four : i32
      %column32 = arith.muli %part32, %four : i32
      %k32 = arith.index_cast %k : index to i32
      %at32 = arith.addi %k32, %column32 : i32
      %end = arith.constant 500 : i32
      %i = arith.index_cast %row32 : i32 to index
      %j = arith.index_cast %at32 : i32 to index
      %is = arith.cmpi slt, %at32, %end : i32
      %m = vector.broadcast %is : i1 to vector<4xi1>
"""

FORMS = {  # and what stands in the rows beyond the last
    "transfer_read": (BRANCH.format(TRANSFER), "zeros"),
    "create_mask": ("      %left = arith.subi %columns, %at : index\n      %m = vector.create_mask %left : vector<4xi1>\n" + BRANCH.format(MASKED), "zeros"),
    "compared elements": (CLAMP + """      %count = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
      %first = vector.broadcast %at : index to vector<4xindex>
      %places = arith.addi %first, %count : vector<4xindex>
      %ends = vector.broadcast %columns : index to vector<4xindex>
      %m = arith.cmpi slt, %places, %ends : vector<4xindex>
      """ + MASKED.replace("%u", "%v").replace("[%row", "[%r") + "\n", "the last"),
    "both masks": ("""      %in = arith.cmpi ult, %row, %rows : index
      %of_row = vector.broadcast %in : i1 to vector<4xi1>
      %left = arith.subi %columns, %at : index
      %of_column = vector.create_mask %left : vector<4xi1>
      %m = arith.andi %of_row, %of_column : vector<4xi1>
      """ + MASKED.replace("%u", "%v") + "\n", "zeros"),
    "modulo": ("      %r = arith.remui %row, %rows : index\n" + TRANSFER.replace("%u", "      %v").replace("[%row", "[%r") + "\n", "the first"),
    "32 bits": (NARROW + BRANCH.format(MASKED.replace("%row, %at", "%i, %j")), "zeros"),
    "select": (CLAMP + f"      %u = vector.load %a[%r, %column] : {MEMORY}, vector<4xf32>\n"
               "      %is = arith.cmpi ult, %k, %c64 : index\n      %v = arith.select %is, %u, %zero : vector<4xf32>\n", "the last"),
}


def expected(a, name, beyond, n):
    """By lane of the workgroup: the sums of its four columns of all tiles."""
    padded = numpy.zeros((64, 512), "f4")
    padded[:ROWS, :COLUMNS] = a
    if beyond != "zeros":
        padded[ROWS:] = padded[ROWS - 1] if beyond == "the last" else padded[:64 - ROWS]
    if name == "select":  # the first tile four times
        padded = numpy.tile(padded[:, :16], 32)
        padded[:, 64:] = 0
    tiles = padded[:, :-(-n // 16) * 16].reshape(64, -1, 4, 4).sum(axis=1)
    return tiles.transpose(1, 0, 2).reshape(256, 4)


a = numpy.random.default_rng(5).integers(-8, 9, (ROWS, COLUMNS)).astype("f4")
numpy.save("a.npy", a)
FORMS["sizes of the launch"] = (FORMS["create_mask"][0].replace(MEMORY, "memref<?x?xf32>"), "zeros")
for name, (form, beyond) in FORMS.items():
    changed = text.replace(LOAD, form).replace("memref<64x512xf32>", MEMORY).replace("    %tile =", CONSTANTS, 1)
    assert changed != text
    if name == "sizes of the launch":
        changed = changed.replace(MEMORY, "memref<?x?xf32>").replace(f"%rows = arith.constant {ROWS} : index", "%rows = memref.dim %a, %c0 : memref<?x?xf32>")
        changed = changed.replace("attributes {", "attributes {inflight.dynamic_buffers, ")
    for bound, sizes in (("%n", (0, 16, 40, 500)), ("%columns", (500,))):
        open("k.mlir", "w").write(changed.replace("to %n step", f"to {bound} step"))
        for chip, stages in (("gfx942", 2), ("gfx950", 3), ("gfx950", 2)):
            made = subprocess.run([inflight, "compile", f"-mcpu={chip}", f"--stages={stages}", "--verify-each", "--remarks", "k.mlir", "-o", "k.hsaco"],
                                  capture_output=True, text=True)
            assert made.returncode == 0 and "tiles are copied by LDS DMA" in made.stderr, (name, chip, made.stderr)
            for n in sizes:
                numpy.save("c.npy", expected(a, name, beyond, n))
                subprocess.run([inflight, "run", "k.hsaco", "--arg", "a.npy", "--arg", f"i64:{n}", "--arg", "zeros:256x4:f32", "--expect", "2=c.npy",
                                "--check=all"], check=True)
