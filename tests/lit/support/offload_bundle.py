"""Offload bundles as clang's offload bundler makes them: offload_bundle.py OUTPUT ID=FILE... [--compress=VERSION]

VERSION is 1, 2 or 3, with a z behind it for zstd instead of zlib."""
import ctypes
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


def zstd(plain):
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = library.ZSTD_compress.restype = ctypes.c_size_t
    library.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
    library.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    out = ctypes.create_string_buffer(library.ZSTD_compressBound(len(plain)))
    size = library.ZSTD_compress(out, len(out), plain, len(plain), 3)
    return out.raw[:size]


def compress(plain, version, method):
    """The header's fields as llvm/Object/OffloadBundle.h describes them; method 0 is zlib, 1 is zstd."""
    data = (zlib.compress, zstd)[method](plain)
    digest = hashlib.md5(plain).digest()[:8]
    wide = "<Q" if version == 3 else "<I"
    sizes = struct.pack(wide, len(plain))
    if version >= 2:
        total = 4 + 4 + 2 * len(sizes) + len(digest) + len(data)
        sizes = struct.pack(wide, total) + sizes
    return b"CCOB" + struct.pack("<HH", version, method) + sizes + digest + data


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
            version = word.split("=")[1]
            result = compress(result, int(version.rstrip("z")), int(version.endswith("z")))
    with open(words[0], "wb") as f:
        f.write(result)
