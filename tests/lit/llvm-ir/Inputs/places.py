"""Input and results of places.ll."""
import sys

import numpy as np

numbers = np.random.default_rng(3).integers(0, 256, 32).astype(np.uint8)
apart, overlapping = numbers.copy(), numbers.copy()
with np.errstate(over="ignore"):
    apart[16] += apart[8]
    apart[24] += apart[16]
    for at, addend in ((8, 81985529216486895), (12, 1234605616436508552)):
        number = np.frombuffer(overlapping[at : at + 8].tobytes(), np.uint64) + np.uint64(addend)
        overlapping[at : at + 8] = np.frombuffer(number.tobytes(), np.uint8)
for name, values in (("in", numbers), ("apart", apart), ("overlapping", overlapping)):
    np.save(f"{sys.argv[1]}.{name}.npy", values)
