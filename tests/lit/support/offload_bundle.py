"""Offload bundles as clang's offload bundler makes them: offload_bundle.py OUTPUT ID=FILE... [--compress=VERSION]"""
import hashlib
import struct
import sys
import zlib

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def bundle(entries, alignment=4096):
    """entries: (identifier, bytes). The host's entry comes first and is empty."""
    entries = [("host-x86_64-unknown-linux-gnu", b"")] + list(entries)
    header = len(MAGIC) + 8 + sum(24 + len(name) for name, _ in entries)
    out, body, at = MAGIC + struct.pack("<Q", len(entries)), b"", header
    for name, data in entries:
        padding = -at % alignment if data else 0
        body, at = body + bytes(padding), at + padding
        out += struct.pack("<QQQ", at, len(data), len(name)) + name.encode()
        body, at = body + data, at + len(data)
    return out + body


def compress(plain, version):
    """The header's fields as llvm/Object/OffloadBundle.h describes them; method 0 is zlib."""
    data = zlib.compress(plain)
    digest = hashlib.md5(plain).digest()[:8]
    wide = "<Q" if version == 3 else "<I"
    sizes = struct.pack(wide, len(plain))
    if version >= 2:
        total = 4 + 4 + 2 * len(sizes) + len(digest) + len(data)
        sizes = struct.pack(wide, total) + sizes
    return b"CCOB" + struct.pack("<HH", version, 0) + sizes + digest + data


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if not word.startswith("--compress=")]
    entries = []
    for word in words[1:]:
        name, file = word.split("=")
        with open(file, "rb") as f:
            entries.append((name, f.read()))
    result = bundle(entries)
    for word in sys.argv[1:]:
        if word.startswith("--compress="):
            result = compress(result, int(word.split("=")[1]))
    with open(words[0], "wb") as f:
        f.write(result)
