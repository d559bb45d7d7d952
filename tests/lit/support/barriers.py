# barriers.py make PREFIX: five tiles, and what the kernels skewed and roles make of them.
import sys
import numpy as np

prefix = sys.argv[2]
tiles = np.random.default_rng(1).integers(0, 1000, (5, 128), dtype=np.int32)
np.save(prefix + ".in.npy", tiles)
np.save(prefix + ".skewed.npy", tiles.sum(0, dtype=np.int32)[np.arange(128) ^ 64])
roles = np.zeros(128, np.int32)
roles[:64] = tiles.reshape(-1)[:320].reshape(5, 64).sum(0)
np.save(prefix + ".roles.npy", roles)
