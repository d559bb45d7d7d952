"""rpm.py FOLDER FILE.rpm: a package of the folder's files, as the format's description has it: a lead, a header of signatures, a header, cpio."""
import gzip
import os
import struct
import sys

folder, target = sys.argv[1:]


def header(entries):
    """Of (tag, text)."""
    index, store = b"", b""
    for tag, text in entries:
        index += struct.pack(">IIII", tag, 6, len(store), 1)
        store += text.encode() + b"\0"
    return b"\x8e\xad\xe8\x01\0\0\0\0" + struct.pack(">II", len(entries), len(store)) + index + store


def member(name, mode, content):
    encoded = name.encode() + b"\0"
    fields = [0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(encoded), 0]
    made = b"070701" + b"".join(b"%08x" % field for field in fields) + encoded
    made += b"\0" * (-len(made) % 4) + content
    return made + b"\0" * (-len(made) % 4)


archive = member("./opt", 0o40755, b"")
for name in sorted(os.listdir(folder)):
    archive += member(f"./opt/{name}", 0o100644, open(os.path.join(folder, name), "rb").read())
archive += member("./opt/link", 0o120777, b"nowhere") + member("TRAILER!!!", 0, b"")
lead = b"\xed\xab\xee\xdb\x03\0\0\0\0\x01" + b"code-1".ljust(66, b"\0") + struct.pack(">HH", 1, 5)
signatures = header([(1000, "none")])
with open(target, "wb") as out:
    out.write(lead.ljust(96, b"\0") + signatures + b"\0" * (-len(signatures) % 8))
    out.write(header([(1000, "code"), (1124, "cpio"), (1125, "gzip")]) + gzip.compress(archive))
