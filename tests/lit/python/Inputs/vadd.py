"""A kernel compiled, launched, checked and timed from Python, on numpy's memory."""
import pathlib
import sys
import threading

import numpy

import inflight

source = pathlib.Path(sys.argv[1]).read_text()
module = inflight.load(inflight.compile(source, "gfx942"))
vadd = module["vadd"]
a, b = numpy.random.rand(2, 1000).astype(numpy.float32)
c = numpy.zeros(1000, numpy.float32)

result = vadd[4, 256](a, b, c)
print("equal", numpy.array_equal(c, a + b), result.findings)
print("timed", vadd[(4,), (256,)](a, b, c, timed=True).microseconds > 0)

with inflight.check() as clean:
    vadd[4, 256](a, b, c)
print("clean", clean.findings)

try:
    with inflight.check():
        vadd[4, 256](a[:10].copy(), b, c)
except inflight.FindingsError as error:
    print("raised", error.findings[0].rule, error.findings[0].message)
with inflight.check(ignore=["memory"]):
    vadd[4, 256](a[:10].copy(), b, c)

for bad in (lambda: vadd[4, 256](a, b), lambda: vadd[4, 256](a, b, "c"), lambda: vadd[4, 2048](a, b, c), lambda: module["mul"],
            lambda: inflight.load(b"no ELF"), lambda: inflight.compile("func.func", name="k.mlir")):
    try:
        bad()
    except Exception as error:
        print("error", type(error).__name__, str(error).splitlines()[0])

assembly = inflight.compile(source, "gfx942", "asm")
found = inflight.waits(assembly.replace("s_waitcnt vmcnt(0)", ""), name="k.s")
print("waits", found.status, found.findings[0].rule, found.findings[0].line > 0)
print("inserted", "s_waitcnt vmcnt(0)" in inflight.waits(assembly, "insert").output)

lines = inflight.load(inflight.compile(source, "gfx942", name=sys.argv[1], debug=True))["vadd"]
try:
    with inflight.check():
        lines[4, 256](a[:10].copy(), b, c)
except inflight.FindingsError as error:
    print("place", error.findings[0].file.endswith("vadd.mlir"), "memref.load %a" in source.splitlines()[error.findings[0].line - 1])

places = [numpy.zeros(1000, numpy.float32) for _ in range(4)]
threads = [threading.Thread(target=lambda place=place: [vadd[4, 256](a, b, place) for _ in range(5)]) for place in places]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("threads", all(numpy.array_equal(place, a + b) for place in places))
