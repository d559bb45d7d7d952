"""What the kernels of aggregates.ll compute, by numpy."""
import sys

import numpy as np

random = np.random.default_rng(7)
fields = np.dtype({"names": ["a", "b", "c", "d"], "formats": ["u1", "<u4", ("<u2", 2), "<u8"], "offsets": [0, 4, 8, 16], "itemsize": 24})
before, old = (random.integers(0, 2**32, 64 * 6, dtype=np.uint32) for _ in range(2))
after = old.copy()
rows, read = after.view(fields), before.view(fields)
for name in fields.names:
    rows[name] = read[name]
rows["c"][:, 0] = read["c"][:, 1]

grown = before[:64] >> 16
while (small := grown <= 1000000).any():
    grown[small] = grown[small] << 1 | 1

for name, words in (("in", before), ("old", old), ("out", after), ("words", np.where(np.arange(64) < 32, before[:64], 0).astype(np.uint32)), ("halves", grown)):
    np.save(f"{sys.argv[1]}.{name}.npy", words)
