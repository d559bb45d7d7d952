"""Input and result of wide-assembly.ll, by Python's integers."""
import sys
import numpy as np

name = sys.argv[1]
words = (np.arange(256, dtype=np.uint64) * 2654435761 + 12345).astype(np.uint32)
np.save(f"{name}.in.npy", words)
results = b""
for row in words.reshape(64, 4):
    value = int.from_bytes(row.tobytes(), "little")
    total = (value + (value >> 32 & 0xFFFFFFFF)) % 2**128 ^ (value >> 64 & 0xFFFFFFFF)
    results += total.to_bytes(16, "little")
np.save(f"{name}.out.npy", np.frombuffer(results, np.uint32))
