import numpy as np


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
    return row[-1]


def score(a, b):
    h, f, best = [0] * (len(b) + 1), [0] * (len(b) + 1), 0
    for x in a:
        last, h, e = h, [0] * (len(b) + 1), 0
        for j, y in enumerate(b, 1):
            e, f[j] = max(h[j - 1] - 5, e - 1), max(last[j] - 5, f[j] - 1)
            h[j] = max(0, last[j - 1] + (3 if x == y else -2), e, f[j])
            best = max(best, h[j])
    return best


def run(gpu):
    a, b = gpu.rng.integers(97, 101, 90, dtype=np.int8), gpu.rng.integers(97, 101, 110, dtype=np.int8)
    result = np.zeros(1, np.int32)
    gpu.launch("editDistance", [a, b, np.int32(90), np.int32(110), result], block=128)
    gpu.expect(result, [distance(a.tolist(), b.tolist())])
    queries, texts, scores = gpu.rng.integers(0, 4, (64, 20), dtype=np.uint8), gpu.rng.integers(0, 4, (64, 32), dtype=np.uint8), np.zeros(64, np.int16)
    gpu.launch("smithWaterman", [queries, texts, np.int32(20), np.int32(32), scores])
    gpu.expect(scores, [score(q.tolist(), t.tolist()) for q, t in zip(queries, texts)])
