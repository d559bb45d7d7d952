import functools
import operator

import numpy as np


def expected(items, start4, bits, signed):
    mask = 2**bits - 1
    wrap = lambda v: (v & mask) - (2**bits if signed and v >> (bits - 1) & 1 else 0)
    i = [int(v) for v in items]
    return [wrap(v) for v in (sum(i), -2 * sum(i), min([0] + [wrap(v * 37 % 101 - 50) for v in i]), max([0] + [wrap(v * 53 % 103 - 50) for v in i]),
                              functools.reduce(operator.and_, [~(1 << v % 29) for v in i], start4), functools.reduce(operator.or_, [1 << v % 31 for v in i]),
                              functools.reduce(operator.xor, [v * v for v in i]))]


def run(gpu):
    n = 256
    i = np.arange(n)
    arrays = {}
    for kind, size in [(np.int32, 24), (np.uint32, 8), (np.int64, 8), (np.uint64, 24)]:
        arrays[kind] = np.zeros(size, kind)
        arrays[kind][4] = kind(0) if kind in (np.int32, np.int64) else np.iinfo(kind).max
        arrays[kind][4] = np.array(-1).astype(kind)
    tickets, f32, f64 = np.zeros(4 + 3 * n, np.uint32), np.zeros(4, np.float32), np.zeros(5)
    gpu.launch("integers", [*arrays.values(), tickets, f32, f64], grid=2, block=128)
    for kind, got in arrays.items():
        bits, signed = np.iinfo(kind).bits, np.iinfo(kind).min < 0
        # i is unsigned: i * 37 % 101 - 50 wraps in 32 bits before it is converted.
        fixed = [(v * 37 % 101 - 50) % 2**32 for v in range(n)], [(v * 53 % 103 - 50) % 2**32 for v in range(n)]
        convert = lambda v: v - 2**32 if signed and bits == 32 and v >= 2**31 else v
        want = expected(i, -1, bits, signed)
        want[2], want[3] = min([0] + [convert(v) for v in fixed[0]]), max([0] + [convert(v) for v in fixed[1]])
        gpu.expect(got[:7], np.array(want, object).astype(kind), what=str(kind))
        for block in range(2) if len(got) == 24 else []:
            part = i[128 * block:128 * (block + 1)]
            want = expected(part, -1, bits, signed)
            want[2], want[3] = min([0] + [convert(fixed[0][v]) for v in part]), max([0] + [convert(fixed[1][v]) for v in part])
            gpu.expect(got[8 + 8 * block:15 + 8 * block], np.array(want, object).astype(kind), what=f"LDS {kind}")
    gpu.expect(tickets[:3], [256 % 100, (0 - 256) % 71, 3 * n])
    gpu.expect(np.sort(tickets[4:4 + n]), np.sort(i % 100))
    gpu.expect(np.sort(tickets[4 + n:4 + 2 * n]), np.sort(-i % 71))
    gpu.expect(np.sort(tickets[4 + 2 * n:]), 3 * i)
    gpu.expect(f32, [i.sum() / 4, (i * 31 % 97).max(), i[:128].sum(), i[128:].sum()])
    gpu.expect(f64, [i.sum() / 2, (i * 31 % 89).max(), -(i * 31 % 83).max(), i[:128].sum() / 4, i[128:].sum() / 4])

    data, flag, out = np.zeros(64, np.int32), np.zeros(1, np.int32), np.zeros(64, np.int32)
    gpu.launch("handOver", [data, flag, out], grid=2)
    gpu.expect(out, 3 * np.arange(63, -1, -1))
