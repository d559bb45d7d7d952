import sys

import numpy as np

from kernels import Kernels, bf16_to_f32, same

code = Kernels(sys.argv)
rng = np.random.default_rng(29)


def table(name):
    """What each byte means."""
    fnuz, mantissa = name.endswith("FNUZ"), 2 if "E5M2" in name else 3
    bias = (15 if mantissa == 2 else 7) + fnuz
    values = []
    for byte in range(128):
        exponent, rest = byte >> mantissa, byte % (1 << mantissa)
        value = rest * 2.0 ** (1 - bias - mantissa) if exponent == 0 else (rest + (1 << mantissa)) * 2.0 ** (exponent - bias - mantissa)
        if name == "f8E4M3FN" and byte == 0x7F or name == "f8E5M2" and byte > 0x7C:
            value = np.nan
        values.append(np.inf if name == "f8E5M2" and byte == 0x7C else value)
    values = np.array(values)
    negative = -values
    if fnuz:
        negative[0] = np.nan
    return np.concatenate([values, negative])


def nearest(name, numbers):
    """Rounded to nearest, to the even byte of two."""
    values = table(name)[:128]
    finite = np.where(np.isfinite(values))[0]
    result = []
    for number in numbers.ravel():
        distance = np.abs(values[finite] - abs(number))
        candidates = finite[distance == distance.min()]
        byte = candidates[0] if len(candidates) == 1 or candidates[0] % 2 == 0 else candidates[1]
        result.append(np.copysign(values[byte], number) if byte or not name.endswith("FNUZ") else 0.0)
    return np.array(result).reshape(numbers.shape)


for name in ("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3FN", "f8E5M2"):
    meaning = table(name)
    bytes_ = rng.permutation(256).astype(np.uint8).reshape(64, 4)
    same(code.run(f"extend_{name}", bytes_, np.zeros((64, 4), np.float32))[1], meaning[bytes_].astype(np.float32))
    # From the smallest denormal to the largest number, with ties.
    x = (2.0 ** rng.uniform(-18, 7.8, (64, 3)) * rng.choice([1, -1], (64, 3))).astype(np.float32)
    finite = np.sort(meaning[np.isfinite(meaning) & (np.abs(meaning) < 230)])
    x.ravel()[:64] = ((finite[1:] + finite[:-1]) / 2)[rng.permutation(len(finite) - 1)[:64]]
    x[63] = [0.0, -0.0, 1.0]
    got = code.run(f"truncate_{name}", x, np.zeros((64, 3), np.uint8))[1]
    same(meaning[got], nearest(name, x))
    x = (2.0 ** rng.uniform(-9, 7.8, 64)).astype(np.float16)
    got = code.run(f"scalar_{name}", x, np.zeros(64, np.uint16))[1]
    same(bf16_to_f32(got), nearest(name, x.astype(np.float64)))
