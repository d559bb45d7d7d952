import numpy as np


def run(gpu):
    n = 120
    edges = gpu.rng.integers(0, n, (110, 2), dtype=np.int32)
    adjacency = np.zeros((n, n), bool)
    adjacency[edges[:, 0], edges[:, 1]] = adjacency[edges[:, 1], edges[:, 0]] = True
    rows, columns = np.concatenate([[0], adjacency.sum(1).cumsum()]).astype(np.int32), np.nonzero(adjacency)[1].astype(np.int32)
    label, want = np.arange(n), np.full(n, -1, np.int32)
    for _ in range(n):
        for a, b in edges:
            label[a] = label[b] = min(label[a], label[b])
    start = int(np.bincount(label).argmax())
    level, reached = 0, {start}
    want[start] = 0
    while reached:
        level += 1
        reached = {int(t) for node in reached for t in np.nonzero(adjacency[node])[0] if want[t] < 0}
        want[list(reached)] = level

    distance, frontier, size = np.full(n, -1, np.int32), np.zeros(n, np.int32), 1
    distance[start], frontier[0] = 0, start
    for level in range(1, n):
        following, count = np.zeros(n, np.int32), np.zeros(1, np.int32)
        gpu.launch("bfsStep", [rows, columns, distance, frontier, np.int32(size), following, count, np.int32(level)], grid=2)
        frontier, size = following, int(count[0])
        if not size:
            break
    gpu.expect(distance, want)

    parent = np.arange(n, dtype=np.int32)
    gpu.launch("unite", [edges, np.int32(len(edges)), parent], grid=2)
    gpu.launch("flatten", [parent, np.int32(n)], grid=2)
    gpu.expect(parent, label)

    n = 40
    d = np.where(gpu.rng.random((n, n)) < 0.1, gpu.rng.integers(1, 20, (n, n)), np.inf).astype(np.float32)
    np.fill_diagonal(d, 0)
    want = d.copy()
    for k in range(n):
        want = np.minimum(want, want[:, k:k + 1] + want[k:k + 1])
    gpu.launch("floydWarshall", [d, np.int32(n)], block=256, lds=4 * n)
    gpu.expect(d, want)
