import numpy as np


def encode(data):
    """A greedy encoder of the format that lz_decode.cl describes."""
    def run_length(n):
        return bytes([255] * (n // 255) + [n % 255])

    out, seen, i, start = bytearray(), {}, 0, 0
    while i + 4 <= len(data):
        key, previous = data[i:i + 4], seen.get(data[i:i + 4])
        seen[key] = i
        if previous is None or i - previous > 65535:
            i += 1
            continue
        length = 4
        while i + length < len(data) and data[previous + length] == data[i + length]:
            length += 1
        literals = i - start
        out.append(min(literals, 15) << 4 | min(length - 4, 15))
        out += run_length(literals - 15) if literals >= 15 else b""
        out += data[start:i] + (i - previous).to_bytes(2, "little")
        out += run_length(length - 19) if length >= 19 else b""
        i += length
        start = i
    literals = len(data) - start
    out.append(min(literals, 15) << 4)
    out += run_length(literals - 15) if literals >= 15 else b""
    return bytes(out + data[start:])


def run(gpu):
    rng = gpu.rng
    texts = [b"", b"a" * 700, b"abc" * 200] + [bytes(rng.integers(0, int(rng.integers(2, 200)), int(rng.integers(1, 900)), dtype=np.uint8)) for _ in range(61)]
    coded = [encode(t) for t in texts]
    starts = np.concatenate([[0], np.cumsum([len(c) for c in coded])]).astype(np.uint32)
    out, sizes = np.zeros((64, 1024), np.uint8), np.zeros(64, np.uint32)
    gpu.launch("lz_decode", [np.frombuffer(b"".join(coded), np.uint8).copy(), starts, out, np.uint32(1024), sizes], grid=1)
    gpu.expect(sizes, [len(t) for t in texts])
    for got, text in zip(out, texts):
        gpu.expect(got[:len(text)], np.frombuffer(text, np.uint8))
