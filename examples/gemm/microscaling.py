"""Matrices of the OCP Microscaling formats (MX, specification 1.0), as kernels of plain.py take them."""
import numpy

BLOCK = 32  # elements with one scale


def table(exponent_bits, mantissa_bits, bias):
    """Values by code: sign, exponent, mantissa. These formats have no infinities and no NaNs."""
    values = []
    for code in range(1 << 1 + exponent_bits + mantissa_bits):
        mantissa = (code & (1 << mantissa_bits) - 1) / (1 << mantissa_bits)
        exponent = code >> mantissa_bits & (1 << exponent_bits) - 1
        magnitude = (mantissa + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
        values.append(-magnitude if code >> exponent_bits + mantissa_bits else magnitude)
    return numpy.array(values)


TABLES = {"f4E2M1FN": table(2, 1, 1), "f6E2M3FN": table(2, 3, 1), "f6E3M2FN": table(3, 2, 3)}


def pack(codes, bits):
    """Each row's codes one after the other, low bits first, as bytes."""
    each = numpy.unpackbits(codes[..., None], axis=2, bitorder="little", count=bits)
    return numpy.packbits(each.reshape(len(codes), -1), axis=1, bitorder="little")


def shuffle_factor(packed, element):
    """The order of plain.py --shuffled=all: of 16 rows and 128 elements each lane's first 16 bytes, then each one's last 8."""
    rows, count = packed.shape
    part = 16 if element == "f4E2M1FN" else 24
    lanes = packed.reshape(rows // 16, 16, count // (4 * part), 4, part).transpose(0, 2, 3, 1, 4)
    parts = [lanes[..., first:last].reshape(rows // 16, count // (4 * part), -1) for first, last in ((0, 16), (16, part))]
    return numpy.concatenate(parts, axis=2).reshape(rows // 16, count * 16)


def random_matrix(generator, element, rows, k):
    """Bytes in memory, scales (E8M0: powers of two, biased by 127), and the numbers that they mean. The scales are close
    to each other, so that sums of products are exact in f32."""
    values = TABLES[element]
    codes = generator.integers(0, len(values), (rows, k), dtype="u1")
    scales = generator.integers(126, 129, (rows, k // BLOCK), dtype="u1")
    factors = numpy.repeat(2.0 ** (scales.astype(int) - 127), BLOCK, axis=1)
    return pack(codes, len(values).bit_length() - 1), scales, values[codes] * factors


def shuffle(scales, slices=2):
    """The order of plain.py --shuffled. 256 bytes are a wave's for 16x16x128: a lane's four bytes are for `slices` of 128
    elements, each of as many fragments of 16 rows. Two by two are what AITER calls e8m0_shuffle."""
    rows, count = scales.shape
    fragments = 4 // slices
    group = 16 * fragments
    parts = scales.reshape(rows // group, fragments, 16, count // (4 * slices), slices, 4)
    return parts.transpose(0, 3, 5, 2, 4, 1).reshape(rows // group, count * group)
