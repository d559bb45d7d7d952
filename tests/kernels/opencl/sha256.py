import hashlib

import numpy as np


def run(gpu):
    messages = [gpu.rng.bytes(int(length)) for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 200, *gpu.rng.integers(0, 300, 60)]]
    text = np.frombuffer(b"".join(messages), np.uint8).copy()
    starts = np.concatenate([[0], np.cumsum([len(m) for m in messages])]).astype(np.uint32)
    digests = np.zeros((len(messages), 8), np.uint32)
    gpu.launch("sha256", [text, starts, digests, np.uint32(len(messages))], lanes=len(messages))
    gpu.expect(digests.byteswap().view(np.uint8), [list(hashlib.sha256(m).digest()) for m in messages])
