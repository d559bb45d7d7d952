"""Numbers for funnel-shifts.ll, into a file; and with its results, whether the host computes the same."""
import sys

import numpy as np

if len(sys.argv) == 2:
    np.save(sys.argv[1], np.random.default_rng(1).integers(0, 2**32, (3, 64), np.uint32))
    sys.exit()
(a, b, c), out = np.load(sys.argv[1]).astype(np.uint64), np.load(sys.argv[2])
pair, amount = a << np.uint64(32) | b, c % np.uint64(32)
signed = [x.astype(np.uint32).astype(np.int32).astype(np.int64) for x in (a, b)]
wanted = [a << np.uint64(7) | a >> np.uint64(25), pair << amount >> np.uint64(32), pair >> amount, b, (signed[0] * signed[1]) >> 32]
for row, (got, want) in enumerate(zip(out, wanted)):
    assert (got == want.astype(np.uint64).astype(np.uint32)).all(), row
