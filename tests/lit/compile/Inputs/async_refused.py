"""async_refused.py INFLIGHT async-copies.mlir: changes its kernel in ways that make copying ahead wrong or unproven. Each must give its remark,
and the code of --async-copies=off."""
import subprocess
import sys

inflight, source = sys.argv[1:]
text = open(source).read()
text = text[text.index("gpu.module"):]
WORKGROUP = "memref<64x16xf32, #gpu.address_space<workgroup>>"
STORE = f"      vector.store %v, %tile[%row, %column] : {WORKGROUP}, vector<4xf32>\n"
BARRIER = "      gpu.barrier\n"
READ = f"      %x = vector.load %tile[%lane, %from] : {WORKGROUP}, vector<4xf32>\n"
LOAD = "      %v = vector.load %a[%row, %at] : memref<64x512xf32>, vector<4xf32>\n"
END = "      gpu.barrier\n      scf.yield"

VARIANTS = {
    "read before the barrier": ([(BARRIER + READ, READ + BARRIER)], "a read of the tile without a barrier after the stores"),
    "no barrier after the reads": ([(END, "      scf.yield")], "no barrier between a read of the tile and the next iteration's stores"),
    "two stores to the same bytes": ([(STORE, STORE + STORE)], "two stores to the same bytes of the tile"),
    "two copies to the same bytes": ([(LOAD, LOAD + LOAD.replace("%v", "%w").replace("%at", "%k")), (STORE, STORE + STORE.replace("%v", "%w"))],
                                     "two stores to the same bytes of the tile"),
    "lanes store to the same bytes": ([(STORE, STORE.replace("%row", "%part"))], "two stores to the same bytes of the tile"),
    "bytes that aren't stored": ([(STORE, STORE.replace("[%row, %column]", "[%half, %column]")),
                                  ("    %lane =", "    %c2 = arith.constant 2 : index\n    %double = arith.muli %row, %c2 : index\n"
                                   "    %half = arith.remui %double, %c64 : index\n    %lane =")],
                                 "two stores to the same bytes of the tile"),
    "a read that the stores don't reach": ([("memref<64x16xf32, #gpu", "memref<128x16xf32, #gpu"), ("%tile[%lane, ", "%tile[%t, "),
                                            ("256, 1, 1", "128, 1, 1"), ("%wave, %c4", "%wave, %c0")],
                                           "a read of bytes that the iteration doesn't store"),
    "a read after the loop": ([("    vector.store %sum, %c", READ.replace("%x", "%late") + "    vector.store %late, %c")],
                              "uses the tile's memory outside the loop"),
    "another loop's tile": ([("    %sum = scf.for", STORE.replace("%v", "%zero") + "    %sum = scf.for")],
                            "uses the tile's memory outside the loop"),
    "a value that is changed by what the loop carries": ([(STORE, "      %w = arith.addf %v, %acc : vector<4xf32>\n" + STORE.replace("%v", "%w"))],
                                                         "isn't as it was loaded"),
    "memory that is written in the loop": ([(END, "      vector.store %next, %a[%row, %at] : memref<64x512xf32>, vector<4xf32>\n" + END)],
                                           "in the loop, which has other effects"),
    "an address in LDS that changes": ([(BARRIER + READ, "      %moving = arith.remui %k, %c16 : index\n" + BARRIER + READ.replace("%from", "%moving"))],
                                       "isn't the same in all iterations"),
    "a conditional store": ([(STORE, "      %is = arith.cmpi ult, %t, %c64 : index\n      scf.if %is {\n  " + STORE + "      }\n")],
                            "inside a branch or an inner loop"),
    "an address that the loop carries": ([("iter_args(%acc = %zero) -> (vector<4xf32>)", "iter_args(%acc = %zero, %place = %c0) -> (vector<4xf32>, index)"),
                                          ("arith.addi %k, %column", "arith.addi %place, %column"), ("    %sum = scf", "    %sum:2 = scf"),
                                          ("scf.yield %next : vector<4xf32>", "%moved = arith.addi %place, %c16 : index\n      scf.yield %next, %moved : vector<4xf32>, index"),
                                          ("vector.store %sum,", "vector.store %sum#0,")], "carries from iteration to iteration"),
    "a bound that differs": ([("to %n step", "to %t step")], "a barrier that some waves of the workgroup might not come to"),
    "a barrier that some waves skip": ([("    %sum = scf.for", "    %is = arith.cmpi ult, %t, %c64 : index\n    scf.if %is {\n      gpu.barrier\n    }\n"
                                         "    %sum = scf.for")], "a barrier that some waves of the workgroup might not come to"),
    "waits of the author's": ([("    %sum = scf.for", "    amdgpu.memory_counter_wait load(0)\n    %sum = scf.for")],
                              "the kernel has waits, barriers or copies of its own"),
    "dynamic workgroup memory": ([("    %sum = scf.for", "    %more = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>\n"
                                   "    %byte = arith.constant 1 : i8\n"
                                   "    memref.store %byte, %more[%c0] : memref<?xi8, #gpu.address_space<workgroup>>\n    %sum = scf.for")], "whose place depends on what else is allocated"),
    "a workgroup of unknown size": ([("attributes {gpu.known_block_size = array<i32: 256, 1, 1>}", "")], "isn't known to be a number of whole waves"),
}
for name, (changes, remark) in VARIANTS.items():
    changed = text
    for old, new in changes:
        assert old in changed, (name, old)
        # A type stands in several places.
        changed = changed.replace(old, new) if old.startswith("memref<") else changed.replace(old, new, 1)
    open("k.mlir", "w").write(changed)

    def compile(*options):
        return subprocess.run([inflight, "compile", "-mcpu=gfx950", "--emit=asm", *options, "k.mlir", "-o", "-"], capture_output=True, text=True)
    result = compile("--remarks")
    assert result.returncode == 0, (name, result.stderr)
    lines = [line for line in result.stderr.splitlines() if "=async-copies]" in line]
    assert len(lines) == 1 and "tiles aren't copied by LDS DMA" in lines[0] and remark in lines[0], (name, lines)
    assert compile("--async-copies=off").stdout == result.stdout, name
