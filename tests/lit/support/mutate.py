"""Feeds mutated inputs to the three parsers: whatever comes in, an error or a result comes out.

    mutate.py INFLIGHT PREFIX SEED COUNT FILE...   (.hsaco to run and dis, .s to asm, .mlir to compile)
"""
import random
import subprocess
import sys

inflight, prefix, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(seed)
bad = 0
for name in sys.argv[5:]:
    kind = name.rsplit(".", 1)[1]
    original = open(name, "rb").read()
    for i in range(count):
        data = bytearray(original)
        for _ in range(random.randint(1, 12)):
            at = random.randrange(len(data))
            if kind == "hsaco":
                data[at] = random.randrange(256)
            elif random.random() < 0.5:
                data[at:at + random.randint(1, 8)] = b""
            else:
                start = random.randrange(len(original))
                data[at:at] = original[start:start + random.randint(1, 40)]
        if i % 5 == 0:
            data = data[:random.randrange(len(data))]
        path = f"{prefix}.{i}.{kind}"
        open(path, "wb").write(data)
        commands = {"s": [["asm", "-mcpu=gfx942", path, "-o", "/dev/null"]],
                    "mlir": [["compile", path, "-o", "/dev/null"]],
                    "hsaco": [["dis", path, "-o", "/dev/null"],
                              ["run", path, "--block", "256", "--threads", "1", "--max-steps", "2000000"] + (["--check=all"] if i % 2 else []) + 3 * ["--arg", "zeros:256:f32"]]}[kind]
        for command in commands:
            try:
                status = subprocess.run([inflight] + command, capture_output=True, timeout=60).returncode
            except subprocess.TimeoutExpired:
                status = "timeout"
            if status not in (0, 1, 2):
                bad += 1
                print(f"{path}: {command[0]}: {status}")
sys.exit(bad != 0)
