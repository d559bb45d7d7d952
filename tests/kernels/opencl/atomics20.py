import numpy as np


def run(gpu):
    ints, longs, flags = np.array([0, -1, 1, 0, 0], np.int32), np.zeros(2, np.uint64), np.zeros(8, np.uint32)
    gpu.launch("counters", [ints, longs, flags], grid=4)
    i = np.arange(256)
    gpu.expect(ints, [i.sum(), (i * 7 % 101).max(), -(i * 5 % 77).max(), 128, 4 * 5 + 128])
    gpu.expect(longs, np.array([int(i.sum()) << 33, 0], np.uint64))
    gpu.expect(flags, np.full(8, 0xffffffff, np.uint32))

    head, following = np.array([-1], np.int32), np.full(256, -5, np.int32)
    gpu.launch("stack_push", [head, following], grid=4)
    seen, node = [], int(head[0])
    while node >= 0 and len(seen) <= 256:
        seen.append(node)
        node = int(following[node])
    gpu.expect(np.sort(seen), i)

    lock, shared = np.zeros(2, np.int32), np.zeros(2, np.int32)
    gpu.launch("ticket_lock", [lock, shared, np.int32(2)], grid=5)
    value = 0
    for _ in range(10):
        value = value * 3 + 1
    gpu.expect(shared, [value, 2 * sum(range(5))])
    gpu.expect(lock, [10, 10])
