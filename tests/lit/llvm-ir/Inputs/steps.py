"""Arguments and results of steps.ll."""
import sys

import numpy as np

prefix = sys.argv[1]
rng = np.random.default_rng(5)
lanes = np.arange(64)


def save(name, array, kind):
    np.save(f"{prefix}.{name}.npy", np.array(array, kind))


# Ordinary numbers, and those whose quotient or reciprocal is denormal, infinite or not a number.
special = np.array([0, -0.0, np.inf, -np.inf, 1e-45, 3e-39, 1.2e-38, 3.4e38, 1, -1], np.float32)
a = np.concatenate([rng.normal(size=24).astype(np.float32), np.repeat(special, 4)])
b = np.concatenate([rng.normal(size=24).astype(np.float32), np.tile(special, 4)])
b[(a == 0) & (b == 0) | np.isinf(a) & np.isinf(b)] = 3  # a NaN has no one sign
save("a", a, np.float32)
save("b", b, np.float32)
with np.errstate(all="ignore"):
    save("singles", a / b, np.float32)
    save("doubles", a.astype(np.float64) / b.astype(np.float64), np.float64)
    products = (a * np.float32(15)).astype(np.float32)
products[a == 0] = 0
words = np.zeros(192, np.uint32)
words[:64] = products.view(np.uint32)
words[64:128] = np.where(lanes % 3 == 0, 148, 7)
words[128:] = np.where(lanes == 5, 99, lanes)
save("lanes", words, np.uint32)
# Eighths up to 1 are numbers of 8 bits (three of mantissa, bias 8).
eighths = (lanes % 8 + 8) / 8
save("eighths", eighths, np.float32)
byte = 0x40 + lanes % 8
save("float8", byte | 0x40 << 8 | 0x48 << 16 | byte << 24, np.uint32)
data = rng.integers(0, 256, 2000, np.uint8)
save("bytes", data, np.uint8)
rows = np.zeros((64, 2000), np.uint8)
rows[:, :1900] = data[:1900]
rows[:, 8:1508] = data[:1500]
rows[:, 1907:2000] = 77
counter = lanes + 3
rows[:, :4] = (3 + np.where(counter == 9, 20, counter)).astype(np.uint32).view(np.uint8).reshape(64, 4)
save("copied", rows.reshape(-1), np.uint8)
