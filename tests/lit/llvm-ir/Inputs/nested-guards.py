"""Input and result of nested-guards.ll, lane by lane."""
import sys
import numpy as np

name, rows = sys.argv[1], 150
values = (np.arange(rows * 4) % 23 + 0.1).astype(np.float32).reshape(rows, 4)
np.save(f"{name}.in.npy", values)
sums = np.zeros(64, np.float32)
for lane in range(64):
    a, b = np.ones(4), np.full(4, 2)
    for at in range(lane, 320, 64):
        if at < rows:
            a = values[at]
            if at + 20 < rows:
                b = values[at + 20]
        sums[lane] += a[0] * b[3]
np.save(f"{name}.out.npy", sums)

lane, words = np.arange(64), values.view(np.int32).ravel()[:64]
result = np.where((lane < 40) & (lane % 2 == 0), words, 5) & 12
masked = [result, np.where(lane < 30, result, 0), np.where(lane < 20, result, 0)]
np.save(f"{name}.masked.npy", np.concatenate(masked).astype(np.int32))
