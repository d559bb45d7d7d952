"""What the kernels of vectors.ll compute, by numpy."""
import sys

import numpy as np

words = np.random.default_rng(5).integers(0, 2**32, 256, dtype=np.uint32)
np.save(sys.argv[1] + ".a.npy", words)

rows = words.reshape(64, 4)
odd = rows % 2 == 1
packed = np.zeros_like(rows)
for lane in range(64):
    packed[lane, : odd[lane].sum()] = rows[lane, odd[lane]]
scattered = np.where(rows >= 2**31, rows, 0).T
parts = [np.where(odd.any(1), odd.argmax(1), 4), np.where(odd, rows, 2**32 - 1), np.where(odd, words[rows & 255], 7), packed, scattered]
np.save(sys.argv[1] + ".out.npy", np.concatenate([part.reshape(-1) for part in parts]).astype(np.uint32))

sums = np.zeros((64, 2), np.uint32)
for lane in range(64):
    at = [lane, lane ^ 1]
    for _ in range(4):
        read = words[at]
        sums[lane] += read
        far = [place + 64 for place in at]
        at = [far[i] if read[i] > 2**31 else far[1 - i] for i in range(2)]
np.save(sys.argv[1] + ".sums.npy", np.concatenate([sums.reshape(-1), np.zeros(384, np.uint32)]))
