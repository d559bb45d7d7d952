import numpy as np


def run(gpu):
    out = np.zeros((64, 8), np.int32)
    gpu.launch("use", [out])
    names, nodes, want = ["wave", "lane", "", "register"], [(10, 2, (1, 2, 3)), (20, None, (4, 5, 6)), (30, 1, (7, 8, 9))], []
    primes = [p for p in range(2, 400) if all(p % q for q in range(2, int(p ** 0.5) + 1))]
    for i in range(64):
        node, total = [0, 2][i & 1], 0
        while node is not None:
            value, node_next, tail = nodes[node]
            total, node = total * 100 + value + tail[i % 3], node_next
        name = names[i & 3]
        want.append([len(name) * 256 + (ord(name[0]) if name else 0), total, int([0.5, 1.5, -2, 8][i & 3] * 2), i % 3 * 5 + i % 5 + 1, primes[i], i, 1, 104])
    gpu.expect(out, want)
