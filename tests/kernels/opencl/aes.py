import numpy as np

FLAGS = ["-cl-std=CL1.2"]  # vload of each address space: the device libraries lack the generic ones


def aes_tables():
    """The S-box from logarithms to base 3 in GF(2^8)."""
    exp, x = [], 1
    for _ in range(255):
        exp.append(x)
        x ^= (x << 1) ^ (0x11b if x & 0x80 else 0)
    log = {v: i for i, v in enumerate(exp)}
    box = []
    for v in range(256):
        i = exp[-log[v] % 255] if v else 0
        box.append(i ^ 0x63)
        for n in range(1, 5):
            box[v] ^= (i << n | i >> (8 - n)) & 255
    return box


def encrypt(block, key, box):
    words = [list(key[i:i + 4]) for i in range(0, 16, 4)]
    rcon = 1
    for i in range(4, 44):
        t = list(words[-1])
        if i % 4 == 0:
            t = [box[v] for v in t[1:] + t[:1]]
            t[0] ^= rcon
            rcon = rcon << 1 ^ (0x11b if rcon & 0x80 else 0)
        words.append([a ^ b for a, b in zip(t, words[i - 4])])
    keys = [sum(words[i:i + 4], []) for i in range(0, 44, 4)]
    mul2 = lambda v: v << 1 ^ (0x11b if v & 0x80 else 0)
    state = [a ^ b for a, b in zip(block, keys[0])]
    for r in range(1, 11):
        state = [box[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if r < 10:
            mixed = []
            for c in range(0, 16, 4):
                a = state[c:c + 4]
                mixed += [mul2(a[i]) ^ mul2(a[(i + 1) % 4]) ^ a[(i + 1) % 4] ^ a[(i + 2) % 4] ^ a[(i + 3) % 4] for i in range(4)]
            state = mixed
        state = [a ^ b for a, b in zip(state, keys[r])]
    return state


def run(gpu):
    box = aes_tables()
    # The example of FIPS 197, appendix B.
    example = encrypt(bytes.fromhex("3243f6a8885a308d313198a2e0370734"), bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"), box)
    assert bytes(example).hex() == "3925841d02dc09fbdc118597196a0b32"
    n, nonce = 64, 0x0123456789abcdef
    key, text = gpu.rng.integers(0, 256, 16, dtype=np.uint8), gpu.rng.integers(0, 256, (n, 16), dtype=np.uint8)
    out = np.zeros_like(text)
    gpu.launch("aes_ctr", [text, out, key, np.uint64(nonce)], grid=1)
    stream = [encrypt(nonce.to_bytes(8, "big") + i.to_bytes(8, "big"), key.tolist(), box) for i in range(n)]
    gpu.expect(out, text ^ np.array(stream, np.uint8))
