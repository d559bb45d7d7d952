import re

import numpy as np


def run(gpu):
    words = ["aba", "abab", "wave", "Front", "x", "lane;", "  ", "ab"]
    text = " ".join(words[i] for i in gpu.rng.integers(0, len(words), 300))
    for pattern in ("abab", "wave Front", "a", "nowhere"):
        found, count = np.zeros(len(text), np.uint32), np.zeros(1, np.uint32)
        gpu.launch("horspool", [np.frombuffer(text.encode(), np.int8).copy(), np.uint32(len(text)), np.frombuffer(pattern.encode(), np.int8).copy(),
                                np.uint32(len(pattern)), found, count, np.uint32(13)], grid=3)
        want = [m.start() for m in re.finditer(f"(?={pattern})", text)][:len(text)]
        gpu.expect(count, [len([w for w in want if w < 13 * 192])], what=pattern)
        gpu.expect(np.sort(found[:count[0]]), [w for w in want if w < 13 * 192], what=pattern)
    total, letters = np.zeros(1, np.uint32), np.zeros(26, np.uint32)
    gpu.launch("count_words", [np.frombuffer(text.encode(), np.int8).copy(), np.uint32(len(text)), total, letters], lanes=len(text), block=64)
    gpu.expect(total, [len(re.findall("[A-Za-z]+", text))])
    gpu.expect(letters, [text.lower().count(chr(97 + i)) for i in range(26)])
