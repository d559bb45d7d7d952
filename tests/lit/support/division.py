import sys
import numpy as np

t = sys.argv[1]
a, b, c = (np.load(f"{t}.{n}.npy") for n in "abc")
x = (a.astype(np.int64) * 1234567 - 50000000)
x = ((x + 2**31) % 2**32 - 2**31)
y = b.astype(np.int64) + 1
u = x % 2**32
quotient = np.trunc(x / y).astype(np.int64)
expected = np.stack([u // 7, u % 13, u // y, u % y, quotient, x - quotient * y, np.trunc(x / 8).astype(np.int64), x // 7], axis=1)
wrong = (expected - c) % 2**32 != 0
assert not wrong.any(), (np.argwhere(wrong)[:5], expected[wrong][:5], c[wrong][:5])
