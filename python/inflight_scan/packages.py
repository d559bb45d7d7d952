"""Packages, read without the tools that make them: wheels, Debian's and RPM's."""
import bz2
import gzip
import lzma
import os
import shutil
import struct
import subprocess
import tarfile
import zipfile

from .work import PackageError


def reader(path):
    """What reads the package, by its first bytes."""
    with open(path, "rb") as file:
        start = file.read(4)
    return {b"PK\3\4": _zip_members, b"!<ar": _deb_members}.get(start, _rpm_members)


def unpack(path, folder):
    """Writes its regular files below the folder; names that would lead out of it are an error."""
    try:
        for name, source in reader(path)(path):
            parts = [part for part in name.split("/") if part not in ("", ".")]
            if not parts:
                continue
            if ".." in parts or "\0" in name or "\n" in name:
                raise PackageError(f"a file in it is named '{name!r}'")
            target = os.path.join(folder, *parts)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as out:
                shutil.copyfileobj(source, out, 1 << 20)
    except (EOFError, ValueError, struct.error, zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, NotImplementedError, RuntimeError) as error:
        raise PackageError(f"it isn't whole: {error}") from error


def _zip_members(path):
    with zipfile.ZipFile(path) as package:
        for member in package.infolist():
            if not member.is_dir():
                with package.open(member) as source:
                    yield member.filename, source


def _decompressed(file):
    """The stream from here on, by its first bytes."""
    start = file.read(6)
    file.seek(-len(start), os.SEEK_CUR)
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)
    if start.startswith((b"\xfd7zXZ", b"]\0\0")):
        return lzma.LZMAFile(file)
    if start.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstd(file)
    return file


def _zstd(file):
    """Python has it from 3.14 on."""
    try:
        from compression import zstd
        return zstd.ZstdFile(file)
    except ImportError:
        pass
    if not shutil.which("zstd"):
        raise PackageError("it is compressed by zstd, and there is no program `zstd` (apt install zstd)")
    # A pipe: its end says nothing of a file that ends too early, but the archive in it does.
    file.flush() if file.writable() else None
    os.lseek(file.fileno(), file.tell(), os.SEEK_SET)
    return subprocess.Popen(["zstd", "-dcq"], stdin=file.fileno(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class _Part:
    """So many bytes of a stream that are read once."""

    def __init__(self, stream, size):
        self.stream, self.left = stream, size

    def read(self, count=-1):
        count = self.left if count < 0 else min(count, self.left)
        data = self.stream.read(count) if count else b""
        if len(data) < count and not data:
            raise EOFError("it ends too early")
        self.left -= len(data)
        return data


def _deb_members(path):
    with open(path, "rb", buffering=0) as raw, open(path, "rb") as package:
        package.seek(8)
        while header := package.read(60):
            name, size = header[:16].decode().strip().rstrip("/"), int(header[48:58])
            if name.startswith("data.tar"):
                raw.seek(package.tell())
                with tarfile.open(fileobj=_decompressed(raw), mode="r|") as archive:
                    for member in archive:
                        if member.isreg():
                            yield member.name, archive.extractfile(member)
                return
            package.seek(size + size % 2, os.SEEK_CUR)
        raise PackageError("there is no data.tar in it")


def _rpm_members(path):
    """After the lead two headers, the first padded to 8 bytes, then a compressed cpio archive."""
    with open(path, "rb", buffering=0) as package:
        package.seek(96)
        for is_first in (True, False):
            magic, _, entries, size = struct.unpack(">4s4sII", package.read(16))
            if magic != b"\x8e\xad\xe8\x01":
                raise PackageError("a header of it isn't one")
            package.seek(entries * 16 + size, os.SEEK_CUR)
            if is_first:
                package.seek(-package.tell() % 8, os.SEEK_CUR)
        yield from _cpio_members(_decompressed(package))


def _cpio_members(stream):
    """The format with "070701" or, with checksums, "070702"."""
    regular, kind = 0o100000, 0o170000

    def exactly(count):
        data = b""
        while len(data) < count:
            more = stream.read(count - len(data))
            if not more:
                raise EOFError("it ends too early")
            data += more
        return data

    while True:
        header = exactly(110)
        if header[:6] not in (b"070701", b"070702"):
            raise PackageError("its payload is no cpio archive that is known")
        fields = [int(header[6 + 8 * i:14 + 8 * i], 16) for i in range(13)]
        mode, size, name_size = fields[1], fields[6], fields[11]
        name = os.fsdecode(exactly(name_size)[:-1])
        exactly(-(110 + name_size) % 4)
        if name == "TRAILER!!!":
            return
        content = _Part(stream, size)
        if mode & kind == regular:
            yield name, content
        while content.left:
            content.read(min(content.left, 1 << 20))
        exactly(-size % 4)
