"""Recordings as other versions and other tools write them, and broken ones: recording.py COMMAND ...

The formats are written down here once more, from HIP Record & Replay's and kerncap's documents.
"""
import glob, json, os, random, shutil, struct, subprocess, sys

# Numbers of version 6 and 5, of version 3 and 4.
NUMBERS = {"hipMalloc": (215, 224), "hipHostMalloc": (197, 206), "hipMemcpy": (259, 271), "hipMemcpyAsync": (268, 280),
           "hipMemcpy2DAsync": (261, 273), "hipMemsetD8Async": (299, 311), "hipModuleLaunchKernel": (308, 321),
           "hipStreamCreateWithPriority": (336, 358), "hipStreamSynchronize": (346, 369),
           "hipStreamWaitEvent": (348, 371), "hipEventCreate": (76, 85), "hipEventRecord": (81, 90),
           "hipDeviceSynchronize": (66, 75), "__hipRegisterFatBinary": (547, 2)}


def archive(folder):
    found = glob.glob(folder + "/pid-*/events.bin")
    assert len(found) == 1, found
    return found[0]


def records(data):
    place = 8
    while place < len(data):
        number, sequence, time, thread, length = struct.unpack_from("<HQQQI", data, place)
        yield number, sequence, time, thread, data[place + 32 : place + length]
        place += length


def convert(source, target, version, functions=545):
    """Writes a recording of version 6 as an older one, or with another number of functions in HIP's table."""
    version, functions = int(version), int(functions)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    path = archive(target)
    data = open(path, "rb").read()
    names = {new: old for new, old in NUMBERS.values()}
    launch = NUMBERS["hipModuleLaunchKernel"][0]
    out = data[:4] + struct.pack("<HH", version, 0)
    for number, sequence, time, thread, body in records(data):
        if number == launch and version < 6:
            body = body[:-8]  # no attributes
        if number != 0xFFFF:
            assert number in names, number
            if version < 5:
                number = names[number]
            elif number >= 545:
                number += functions - 545
        length = 32 + len(body)
        out += struct.pack("<HQQQ", number, sequence, time, thread)
        out += struct.pack("<HI", length, 0) if version < 4 else struct.pack("<IH", length, 0)
        out += body
    open(path, "wb").write(out)


def kerncap(folder, code, wrong=""):
    """A dispatch of saxpy(x, y, 1000, 999), with the memory it leaves."""
    import numpy

    shutil.rmtree(folder, ignore_errors=True)
    for name in ("memory", "output"):
        os.makedirs(f"{folder}/{name}")
    x, y = 0x610000001000, 0x610000003200  # in pages that both have a part of
    n = 1000
    before = numpy.arange(n, dtype=numpy.float32)
    after = 4 * before + 2 * before
    if wrong:
        after[17] += 1
    for base, start, end in ((x, before, before), (y, 2 * before, after)):
        start.astype(numpy.float32).tofile(f"{folder}/memory/region_{base:x}.bin")
        end.astype(numpy.float32).tofile(f"{folder}/output/region_{base:x}.bin")
    regions = [{"base": base, "size": 4 * n} for base in (x, y)]
    json.dump({"regions": regions}, open(folder + "/memory_regions.json", "w"))
    open(folder + "/scale.bin", "wb").write(struct.pack("<f", 4))
    json.dump({"variables": [{"name": "scale", "size": 4, "blob": "scale.bin"}]}, open(folder + "/module_variables.json", "w"))
    open(folder + "/kernarg.bin", "wb").write(struct.pack("<QQii", x, y, n, n - 1))
    shutil.copy(code, folder + "/kernel.hsaco")
    json.dump({"demangled_name": "saxpy", "mangled_name": "_Z5saxpyPKfPfii", "grid": [1024, 1, 1], "block": [64, 1, 1],
               "group_segment_size": 0, "kernarg_size": 24}, open(folder + "/dispatch.json", "w"))


def changed(source, target, name, change):
    """The recording with one of its JSON files changed."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    value = json.load(open(f"{target}/{name}"))
    change(value)
    json.dump(value, open(f"{target}/{name}", "w"))


def blob(source, target, path):
    """The variable's bytes come from another file."""
    changed(source, target, "module_variables.json", lambda value: value["variables"][0].update(blob=path))


def enormous(source, target):
    changed(source, target, "dispatch.json", lambda value: value.update(grid=[256, 1, 542356737]))


def mutate(source, target, seed, count, *command):
    """Breaks files of a recording in random ways: whatever is there, the command ends with a status of its own."""
    random.seed(int(seed))
    statuses = {}
    for _ in range(int(count)):
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
        files = sorted(f for f in glob.glob(target + "/**", recursive=True) if os.path.isfile(f))
        events = [f for f in files if f.endswith(("events.bin", ".json"))]
        path = random.choice(events if random.random() < 0.9 else files)
        data = bytearray(open(path, "rb").read())
        for _ in range(random.choice((1, 1, 2, 5))):
            if not data:
                break
            place = random.randrange(len(data))
            kind = random.randrange(5)
            if kind == 0:
                data[place] ^= 1 << random.randrange(8)
            elif kind == 1:
                data[place : place + 8] = random.choice((b"\xff" * 8, bytes(8), b"\0\0\0\0\0\0\0\x80", b"\0\0\0\0\0\x40\0\0"))
            elif kind == 2:
                del data[place:]
            elif kind == 3:
                del data[place : place + random.randrange(1, 64)]
            else:
                data[place:place] = random.randbytes(random.randrange(1, 40))
        open(path, "wb").write(data)
        run = subprocess.run([*command, target], capture_output=True, timeout=120)
        if run.returncode not in (0, 1, 2) or (run.returncode and not run.stderr + run.stdout):
            shutil.copytree(target, target + ".failed", dirs_exist_ok=True)
            sys.exit(f"status {run.returncode} of a broken {path}, kept in {target}.failed: {run.stderr.decode()[-500:]}")
        statuses[run.returncode] = statuses.get(run.returncode, 0) + 1
    print(statuses)
    assert statuses.get(1, 0) > int(count) // 8


globals()[sys.argv[1]](*sys.argv[2:])
