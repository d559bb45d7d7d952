"""Input and results of elements.ll."""
import sys

import numpy as np

SAFE = 4
rng = np.random.default_rng(5)
words = rng.integers(0, 1 << 32, (64, 4), np.uint32)
lane = np.arange(64)
narrow = (250 + lane + 7) % 256 % SAFE  # what wraps in eight bits
one = (lane ^ 1) & 1
inserted = words.copy()
inserted[lane, narrow] = lane
bytes_of = (words & 255).astype(np.uint8)
less = words[:, 0].astype(np.int64) - words[:, 1]
more = words[:, 0].astype(np.int64) + words[:, 1]
results = [words[lane, narrow], words[lane, one], np.bitwise_xor.reduce(inserted * np.array([1, 3, 5, 7], np.uint32), 1), bytes_of.view(np.uint32)[:, 0],
           np.maximum(less, 0), np.minimum(more, (1 << 32) - 1), np.maximum(words[:, 0].astype(np.int64) - 7, 0)]
np.save(sys.argv[1] + ".in.npy", words)
np.save(sys.argv[1] + ".out.npy", np.stack(results).astype(np.uint32))
np.save(sys.argv[1] + ".bytes.npy", bytes_of.view(np.uint32)[:, 0])
