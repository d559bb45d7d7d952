"""What callers get wrong: each is an exception that says what to do, and the process goes on. Forks and threads."""
import ctypes
import os
import pathlib
import sys
import threading

import numpy

import inflight

source = pathlib.Path(sys.argv[1]).read_text()
image = inflight.compile(source, "gfx942")
module = inflight.load(image)
vadd = module["vadd"]
a, b = numpy.random.rand(2, 1000).astype(numpy.float32)
c = numpy.zeros(1000, numpy.float32)


def fails(name, call):
    try:
        call()
        print(name, "NOTHING")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {' | '.join(line.strip() for line in str(error).splitlines())}")


fails("count", lambda: vadd[4, 256](a, b))
fails("doubles", lambda: vadd[4, 256](a.astype("f8"), b, c))
fails("integers", lambda: vadd[4, 256](a.astype("i4"), b, c))
fails("halves", lambda: vadd[4, 256](a.astype("f2"), b, c))
fails("objects", lambda: vadd[4, 256](a.astype(object), b, c))
fails("byte order", lambda: vadd[4, 256](a.astype(">f4"), b, c))
fails("strides", lambda: vadd[4, 256](numpy.zeros(2000, numpy.float32)[::2], b, c))
fails("columns", lambda: vadd[4, 256](numpy.zeros((25, 40), numpy.float32).T, b, c))
fails("backwards", lambda: vadd[4, 256](a[::-1], b, c))
fails("read-only", lambda: vadd[4, 256](numpy.broadcast_to(numpy.float32(1), 1000), b, c))
fails("a number", lambda: vadd[4, 256](1.5, b, c))
fails("None", lambda: vadd[4, 256](None, b, c))
elsewhere = numpy.zeros(1 << 22, numpy.float32)  # far from other arrays
fails("an address", lambda: vadd[4, 256](elsewhere.ctypes.data + (1 << 23), b, c))
fails("no memory", lambda: vadd[4, 256](0x200000000000, b, c))
fails("foreign memory", lambda: inflight.default_context().register(0x200000000000, 4096))
fails("no workgroup", lambda: vadd[0, 256](a, b, c))
fails("half a workgroup", lambda: vadd[(1.5, 1), 256](a, b, c))
fails("negative", lambda: vadd[4, -256](a, b, c))
fails("four dimensions", lambda: vadd[(1, 1, 1, 1), 256](a, b, c))
fails("LDS", lambda: vadd[4, 256](a, b, c, lds=1 << 20))
fails("segment", lambda: vadd.launch(4, 256, kernarg=b"123"))
fails("device", lambda: vadd[4, 256](a, b, c, timed=True, device="MI355X"))
fails("check", lambda: vadd[4, 256](a, b, c, checks="races"))
fails("chip", lambda: inflight.load(image, "gfx950"))
fails("no code", lambda: inflight.load(b"\x7fELF and nothing else"))

# Memory that was registered and is gone.
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
place = libc.mmap(None, 4096, 3, 0x22, -1, 0)
context = inflight.Context()
mine = context.load(image)["vadd"]
context.register(place, 4096, "mine")
mine[4, 256](a, b, c)
libc.munmap(place, 4096)
fails("gone", lambda: mine[4, 256](place, b, c))
context.unregister(place)
mine[4, 256](a, b, c)
context.close()
fails("closed", lambda: mine[4, 256](a, b, c))

with inflight.check():
    vadd[4, 256](inflight.strided(a), b, c)
print("goes on", numpy.array_equal(c, a + b))

# Forks while other threads launch.
stop = False


def launches():
    result = numpy.zeros(1000, numpy.float32)
    while not stop:
        vadd[4, 256](a, b, result)


threads = [threading.Thread(target=launches) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(5):
    child = os.fork()
    if child == 0:
        result = numpy.zeros(1000, numpy.float32)
        vadd[4, 256](a, b, result)
        os._exit(0 if numpy.array_equal(result, a + b) else 1)
    print("child", os.waitpid(child, 0)[1])
stop = True
for thread in threads:
    thread.join()
