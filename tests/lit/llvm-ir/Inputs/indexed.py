"""Inputs and results of indexed.ll, by numpy."""
import sys
import numpy as np

name = sys.argv[1]
values = (np.arange(64 * 16).reshape(64, 16) % 37 + 1).astype(np.float32)
np.save(f"{name}.in.npy", values)

singles = values.copy()
singles[:, 5] *= 2
np.save(f"{name}.singles.npy", np.concatenate([singles.ravel(), values[:, 5], np.zeros(64)]).astype(np.float32))

doubles = values[:, :4].astype(np.float64)
doubles[:, 2] = 1 / doubles[:, 2]
np.save(f"{name}.doubles.npy", doubles)

sums = values.copy()
for column in range(11):
    sums[1::2, column + 1] += sums[1::2, column]
np.save(f"{name}.loop.npy", sums)

# Of a matrix instruction's 16 words in lane l: row 8 (w // 4) + 4 (l // 32) + w % 4, column l % 32.
factors = values[:, 0].reshape(2, 32).astype(np.float64)
product = factors.T @ factors
word, lane = 9, np.arange(64)
rows = 8 * (word // 4) + 4 * (lane // 32) + word % 4
np.save(f"{name}.product.npy", product[rows, lane % 32].astype(np.float32))
