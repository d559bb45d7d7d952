import numpy as np

SPHERES = [((0, 0, 5), 1, 0.5), ((1.5, 0.3, 4), 0.7, 0.0), ((-1.6, -0.2, 4.5), 0.9, 0.8), ((0, -101.2, 5), 100, 0.1)]


def nearest(start, along):
    best, distance = -1, np.inf
    for i, (centre, radius, _) in enumerate(SPHERES):
        d = np.array(centre) - start
        b = d @ along
        root = b * b - d @ d + radius ** 2
        if root >= 0:
            for t in (b - root ** 0.5, b + root ** 0.5):
                if t > 1e-3 and t < distance:
                    best, distance = i, t
                    break
                elif t > 1e-3:
                    break
    return best, distance


def run(gpu):
    w, h = 24, 20
    image, ids = np.zeros((h, w), np.float32), np.zeros((h, w), np.uint8)
    gpu.launch("trace", [image, ids, np.int32(w), np.int32(h)], grid=(3, 3), block=(8, 8))
    unit = lambda v: v / np.sqrt(v @ v)
    want, first = np.zeros((h, w)), np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            start, along, weight = np.zeros(3), unit(np.array([(x + 0.5) / w * 2 - 1, 1 - (y + 0.5) / h * 2, 1.5])), 1.0
            for bounce in range(3):
                if weight <= 0.01:
                    break
                s, t = nearest(start, along)
                if s < 0:
                    want[y, x] += weight * 0.2
                    break
                first[y, x] = s + 1 if bounce == 0 else first[y, x]
                p = start + along * t
                n, light = unit(p - SPHERES[s][0]), unit(np.array([5, 8, -3]) - p)
                lit = nearest(p, light)[0] < 0 and n @ light >= 0
                want[y, x] += weight * (1 - SPHERES[s][2]) * (0.1 + n @ light if lit else 0.1)
                weight *= SPHERES[s][2]
                start, along = p, along - n * (2 * (n @ along))
    # At the edges of spheres and shadows single precision may decide otherwise.
    gpu.expect((ids != first).mean() < 0.02, True)
    gpu.expect((np.abs(image - want) > 2e-3).mean() < 0.02, True)
