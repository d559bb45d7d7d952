"""declared.py LIBRARY HEADER [INCLUDE FOLDER]: functions that a header of HIP declares and the library doesn't export.

HEADER: hip/hip_runtime_api.h or so, which is preprocessed as C, or a text file with a name a line.
"""
import re
import subprocess
import sys

DECLARATION = re.compile(r"^\s*(?:extern\s+|__attribute__\s*\(\(.*?\)\)\s*|const\s+)*[A-Za-z_]\w*[\s*]+(_*hip\w+)\s*\(", re.S)


def declared(header, include):
    if header.endswith(".txt"):
        return set(open(header).read().split())
    command = ["clang-22", "-E", "-P", "-x", "c", "-D__HIP_PLATFORM_AMD__", "-I", include, "-include", header, "/dev/null"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Bodies of inline functions and of types go; what is left are declarations.
    while "{" in text:
        text, count = re.subn(r"\{[^{}]*\}", ";", text)
        if not count:
            break
    statements = [s for s in text.split(";") if not re.match(r"\s*(typedef|static)\b", s)]
    return {match.group(1) for match in map(DECLARATION.match, statements) if match}


def exported(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[2].split("@")[0] for line in text.splitlines() if len(line.split()) == 3}


library, header, *include = sys.argv[1:]
names = declared(header, include[0] if include else ".")
missing = sorted(names - exported(library))
print(f"{len(names)} functions, {len(missing)} missing:", *missing)
sys.exit(bool(missing))
