"""Matrix instructions on the registers of a wave, after the layouts in the ISA manuals: lane i + M*b +
M*B*g holds row (column) i of block b and the k of group g; results follow `places`."""
import numpy as np

lanes = np.arange(64)


def places(m, blocks, count, is_f64):
    """Block, row and column of each lane's results."""
    r = np.arange(count)[None, :]
    lane = lanes[:, None]
    if is_f64 and m == 4:
        return lane // 4 % 4 + 0 * r, lane // 16 + 0 * r, lane % 4 + 0 * r
    if is_f64:
        return 0 * lane * r, lane // 16 + 4 * r, lane % 16 + 0 * r
    if m == 4:
        return lane // 4 + 0 * r, r + 0 * lane, lane % 4 + 0 * r
    if m == 16:
        return r // 4 + 0 * lane, 4 * (lane // 16) + r % 4, lane % 16 + 0 * r
    return r // 16 + 0 * lane, 8 * (r % 16 // 4) + 4 * (lane // 32) + r % 4, lane % 32 + 0 * r


def multiply(m, blocks, a, b, c, is_f64=False):
    """a and b are 64 x elements, c is 64 x results."""
    depth = a.shape[1]
    groups = 64 // (m * blocks)
    matrix = []
    for operand in (a, b):
        full = np.zeros((blocks, m, groups * depth), operand.dtype)
        for lane in range(64):
            i, block, group = lane % m, lane // m % blocks, lane // (m * blocks)
            full[block, i, group * depth:(group + 1) * depth] = operand[lane]
        matrix.append(full)
    product = np.einsum("bik,bjk->bij", *matrix)
    block, row, column = places(m, blocks, c.shape[1], is_f64)
    return product[block, row, column] + c
