import subprocess
import sys

import numpy as np

inflight, code, t = sys.argv[1:4]
subprocess.run([inflight, "run", code, "--arg", "zeros:2x64:i32", "--out", f"0={t}.npy"], check=True)
lanes = np.arange(64)
buffers = [np.zeros(64, np.int32) for _ in range(3)]
total = np.zeros(64, np.int32)
for i in range(1000):
    buffers[0][:] = i + lanes
    total = total * np.int32(3) + buffers[1]
    buffers = buffers[1:] + buffers[:1]
result = np.load(f"{t}.npy")
assert (result[0] == total).all() and (result[1] == buffers[2]).all()
