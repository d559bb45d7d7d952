"""tile_sequence.py INFLIGHT examples/gemm: workgroups that compute several tiles. The next tile's copies start before results are stored, which wait for
nothing; what makes that wrong, or isn't proven, gives a remark."""
import re
import subprocess
import sys

inflight, folder = sys.argv[1:]
sys.path.insert(0, folder)
from plain import PlainGemm  # noqa: E402

SIZE = (256, 256, 512)
text = PlainGemm(tile=(64, 64), size=SIZE, workgroups=4, result="f16", turned=True).text()


def compiled(kernel, *options):
    with open("k.mlir", "w") as file:
        file.write(kernel)
    done = subprocess.run([inflight, "compile", "-mcpu=gfx950", "--stages=2", "--remarks", "--verify-each", "--emit=asm", *options, "k.mlir", "-o", "-"],
                          check=True, capture_output=True, text=True)
    return done.stdout, done.stderr


code, remarks = compiled(text)
assert "the next tile's copies start before this one's results are stored" in remarks, remarks
stores = [match.start() for match in re.finditer("buffer_store_dwordx4", code)]
copies = [match.start() for match in re.finditer("offen lds", code)]
assert copies[-1] < stores[-1], code
between = code[stores[-1]:]
wait = re.search(r"s_waitcnt vmcnt\((\d+)\)", between)
assert wait and int(wait[1]) >= 2, between

LAST = re.search(r"  scf.yield %m\w+", text)[0]  # of the loop over K
SEEN = f"""  %seen = memref.load %c[%k, %k] : memref<256x256xf16>
        %seen_f32 = arith.extf %seen : f16 to f32
        %all_seen = vector.broadcast %seen_f32 : f32 to vector<4xf32>
        %more = arith.addf {LAST.split()[-1]}, %all_seen : vector<4xf32>
      """
STORE = "      vector.store %t0_0"
REFUSED = {
    "memory that may be that of the results": ([(" {llvm.noalias}", "")], "what is copied isn't an argument with llvm.noalias"),
    "results go where copies come from": ([("%c[%or_0_0, %oc_0] : memref<256x256xf16>", "%a[%or_0_0, %oc_0] : memref<256x512xf16>")],
                                          "what is stored may be what is copied"),
    "a barrier between tiles": ([(STORE, "      gpu.barrier\n" + STORE)], "'gpu.barrier' outside the loop, which has other effects"),
    "memory before the loop": ([("      %bx =", "      %none = arith.constant 0.0 : f16\n      memref.store %none, %c[%id, %id] : memref<256x256xf16>\n      %bx =")],
                               "'memref.store' before the loop, which has effects"),
    "a load in the loop": ([(LAST, SEEN + LAST.replace(LAST.split()[-1], "%more"))], "the loop also loads what isn't copied"),
}
for name, (changes, reason) in REFUSED.items():
    kernel = text
    for old, new in changes:
        assert old in kernel, (name, old)
        kernel = kernel.replace(old, new)
    remarks = compiled(kernel)[1]
    assert f"the next tile's copies start after this one's results are stored: {reason}" in remarks, (name, remarks)
for size, options in (((256, 256, 480), []), ((256, 256, None), []), (SIZE, ["--stages=1"])):
    remarks = compiled(PlainGemm(tile=(64, 64), size=size, workgroups=4).text(), *options)[1]
    assert "are stored: its number of iterations isn't a constant multiple of two or more buffers" in remarks, (size, remarks)
