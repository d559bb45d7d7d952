#!/usr/bin/env python3
"""What check.py says of small trees, each of which breaks one of its rules, or none."""
import pathlib
import subprocess
import sys
import tempfile

TABLE = """| folder | its one job | may use |
|---|---|---|
| `base` | below | LLVM |
| `house` | above | base |
| `house/floor` | lower room | |
| `house/roof` | upper room | floor |
"""
TREE = {
    "docs/architecture.md": TABLE,
    "tests/source/allowed.txt": "",
    "src/base/Base.h": "",
    "src/house/floor/Floor.h": '#include "base/Base.h"\n',
    "src/house/roof/Roof.cpp": '#include "base/Base.h"\n#include "house/floor/Floor.h"\n#include "house/roof/Roof.h"\n',
}

MANY = "\n  ".join(f"int a{i} = f(1, 2); void f{i}(int, int);" for i in range(30))

# What is different in the tree, and what is said of it.
CASES = {
    "as it should be": ({}, []),
    "a folder upwards": (
        {"src/base/Base.h": '\n#include "house/floor/Floor.h"\n'},
        ["src/base/Base.h:2: base may not use house (docs/architecture.md)"],
    ),
    "a neighbour upwards": (
        {"src/house/floor/Floor.h": '#include "house/roof/Roof.h"\n'},
        ["src/house/floor/Floor.h:1: house/floor may not use house/roof (docs/architecture.md)"],
    ),
    "deep inside": (
        {"src/house/floor/cellar/Deep.h": '#include "house/roof/Roof.h"\n'},
        ["src/house/floor/cellar/Deep.h:1: house/floor may not use house/roof (docs/architecture.md)"],
    ),
    "a folder without a row": ({"src/shed/Shed.h": ""}, ["docs/architecture.md: no row for src/shed"]),
    "a neighbour without a row": ({"src/house/attic/Attic.h": ""}, ["docs/architecture.md: no row for src/house/attic"]),
    "a table upwards": (
        {"docs/architecture.md": TABLE.replace("room | |", "room | roof |")},
        ["docs/architecture.md: src/house/floor may use src/house/roof, which has no row above it"],
    ),
    "files beside it": (
        {"src/house/House.h": "", "src/house/roof/Roof.cpp": '#include "house/House.h"\n'},
        ["src/house/roof/Roof.cpp:1: house/roof may not use house (docs/architecture.md)"],
    ),
    "files beside it, which the table allows": (
        {
            "docs/architecture.md": TABLE.replace("| floor |", "| floor, house |"),
            "src/house/House.h": "",
            "src/house/roof/Roof.cpp": '#include "house/House.h"\n',
        },
        [],
    ),
    "files beside it that use it as well": (
        {
            "docs/architecture.md": TABLE.replace("| floor |", "| floor, house |"),
            "src/house/House.h": '#include "house/roof/Roof.h"\n',
        },
        ["src/house/House.h:1: house may not use house/roof (docs/architecture.md)"],
    ),
    "a folder with many files": (
        {f"src/base/{i}.h": "" for i in range(30)},
        ["src/base: 31 files"],
    ),
    "a class with many members": (
        {"src/base/Base.h": f"// A comment, and one {{\nclass Big {{\n  {MANY}\n  int twice() const {{ return 2; }}\n}};\n"},
        ["src/base/Base.h:2: Big has 61 members"],
    ),
    "members of all kinds": (
        {
            "src/base/Base.h": f"struct Big {{\npublic:\n  {MANY}\n  using A = int; friend class B; enum {{ x, y }};\n"
            '  struct In { int a, b; int f() { return a; } };\n  Big() : a0{1}, a1(2) { f0(); }\n  const char *text = "a; b;";\n'
            "  std::map<int, int> one{{1, 2}}, two; struct { int c; } named;\n};\nstruct Other { int a; };\n"
        },
        ["src/base/Base.h:1: Big has 65 members"],
    ),
    "a record": ({"src/base/Base.h": "struct Record {\n" + "  int x, y;\n" * 40 + "  int sum() const;\n};\n"}, []),
    "a long file": ({"src/base/Base.h": "\n" * 601}, ["src/base/Base.h: 601 lines"]),
    "a mnemonic": (
        {"src/base/Base.h": 'if (name == "s_nop")\n'},
        ['src/base/Base.h:1: looks at a mnemonic\'s or a chip\'s text: if (name == "s_nop")'],
    ),
}

failed = False
for name, (changes, expected) in CASES.items():
    with tempfile.TemporaryDirectory() as directory:
        for path, text in {**TREE, **changes}.items():
            file = pathlib.Path(directory) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        check = pathlib.Path(__file__).parent / "check.py"
        done = subprocess.run([sys.executable, check, directory], capture_output=True, text=True)
        if done.stdout.splitlines() != expected or done.returncode != bool(expected) or done.stderr:
            failed = True
            print(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
sys.exit(failed)
