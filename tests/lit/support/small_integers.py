"""Makes bytes of which every value is in every place of a word, and compares their conversions with numpy's."""
import sys

import numpy as np

lane = np.arange(256)
BYTES = np.stack([lane, lane * 7 + 1, lane * 13 + 5, lane * 29 + 3], axis=1).astype(np.uint8)

if sys.argv[1] == "make":
    np.save(sys.argv[2], BYTES.view(np.int8))
    sys.exit()

signed = BYTES.view(np.int8)


def same(name, *wanted):
    got = np.load(f"{sys.argv[2]}.{name}.npy")
    for part, want in zip(got, wanted, strict=True):
        assert part.shape == want.shape and part.tobytes() == want.tobytes(), f"{name}: {part[(part != want).any(-1)][:4]}"


def bfloats(numbers):
    return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.int16)  # exact


def nibbles(low, high):
    return np.stack([low, high], axis=-1).reshape(256, 8).astype(np.float16)


for name, kind in (("half", np.float16), ("single", np.float32)):
    same(name, signed.astype(kind), BYTES.astype(kind))
same("bfloat", bfloats(signed), bfloats(BYTES))
up = (BYTES << 4).astype(np.uint8)
same("nibbles", nibbles(up.view(np.int8) >> 4, signed >> 4), nibbles(up >> 4, BYTES >> 4))
same("shifted", (signed << 3).astype(np.int8), signed >> 3, up.view(np.int8) >> 3, signed >> np.array([1, 2, 3, 0], np.int8))
with np.errstate(over="ignore"):
    same("words", signed.view(np.int16).astype(np.float16), BYTES.view(np.uint16).astype(np.float16))
down = BYTES.view(np.uint32) >> np.array([4, 8, 20, 30], np.uint32)
same("fields", (down & np.array([255, 255, 15, 255])).astype(np.float32), down.astype(np.uint8).view(np.int8).astype(np.float32))
