"""The share of instructions that the line table of `inflight compile -g` gives a line, and a line that fits.

    line_share.py INFLIGHT LEAST FILE... [-- OPTIONS OF inflight compile]

Prints a row a file and fails if a share is below LEAST percent. LLVM's tools read the table and the code. A line fits if
it says what instructions of that class come from: matrix instructions from a line with `mfma` or a product, stores from
a line that stores. Instructions of other classes aren't judged.
"""
import bisect
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

LLVM = "/usr/lib/llvm-22/bin/"
# Mnemonic, and what its line says.
KINDS = [
    (r"v_s?mfma", r"mfma|wmma|dot|contract|matmul"),
    (r"(buffer|global)_load.* lds|global_load_lds", r"load|copy|gather|transfer_read|scf.for|for "),
    (r"(buffer|global|flat)_load", r"load|transfer_read|copy|gather"),
    (r"(buffer|global|flat)_store", r"store|transfer_write|copy|scatter"),
    (r"(buffer|global|flat)_atomic", r"atomic"),
    (r"ds_(read|load)", r"load|transfer_read|shuffle|reduc|permute"),
    (r"ds_(write|store)", r"store|transfer_write|copy|reduc|insert"),
    (r"ds_b?permute|ds_swizzle", r"shuffle|reduc|permute|bpermute|swizzle|exchange"),
    (r"s_barrier", r"barrier|scf.for|for "),
    (r"s_load", r"func|load|def |void|grid_dim|num_groups"),
    (r"v_(pk_)?(add|sub|mul|fma|fmac|max|min)3?_f(16|32|64)", r"[a-z]f\b|f[a-z]+\b|math\.|exp|log|sqrt|reduc|num|shuffle|rem|div"),
    (r"v_exp_", r"exp|tanh|pow"),
    (r"v_sqrt_|v_rsq_", r"sqrt|rsq"),
    (r"s_endpgm", r"return|func|def "),
]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def line_table(path):
    """Addresses, sorted, and (file, line) from each on; a file's number is looked up in its table."""
    text = output(LLVM + "llvm-dwarfdump", "--debug-line", path)
    files = {int(number): name for number, name in re.findall(r'file_names\[ *(\d+)\]:\n +name: "(.*)"', text)}
    rows = re.findall(r"^0x([0-9a-f]+) +(\d+) +\d+ +(\d+) ", text, re.M)
    return [int(a, 16) for a, _, _ in rows], [(files.get(int(file)), int(line)) for _, line, file in rows]


def instructions(path):
    """(address, text) without the padding after kernels."""
    text = output(LLVM + "llvm-objdump", "-d", "--no-show-raw-insn", path)
    ended = False
    for line in text.splitlines():
        if line.endswith(">:"):
            ended = False
        found = re.match(r"\t(.*?)\s*// ([0-9A-F]+)", line)
        if found and not ended:
            yield int(found[2], 16), found[1]
            ended = found[1].startswith("s_endpgm")


def measure(path):
    """Counts: all, with line, judged, fitting; and what doesn't fit, by mnemonic and line."""
    addresses, places = line_table(path)
    texts, counts, wrong = {}, Counter(), Counter()

    def text(file, line):
        if file not in texts:
            texts[file] = Path(file).read_text().splitlines() if Path(file).exists() else None
        # An operation may begin on the line that is told and go on.
        return None if texts[file] is None else texts[file][line - 1]

    for address, instruction in instructions(path):
        counts["all"] += 1
        row = bisect.bisect_right(addresses, address) - 1
        file, line = places[row] if row >= 0 else (None, 0)
        if not line:
            continue
        counts["lines"] += 1
        says = text(file, line)
        kind = next((words for mnemonic, words in KINDS if re.match(mnemonic, instruction)), None)
        if not kind or says is None:
            continue
        counts["judged"] += 1
        if re.search(kind, says):
            counts["fit"] += 1
        else:
            wrong[instruction.split()[0], line, says.strip()[:80]] += 1
    return counts, wrong


def main():
    words, options = sys.argv[1:], []
    if "--" in words:
        options = words[words.index("--") + 1:]
        words = words[:words.index("--")]
    inflight, least, files = words[0], float(words[1]), words[2:]
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        for file in files:
            path = f"{directory}/kernel.o"
            done = subprocess.run([inflight, "compile", "-g", *options, "--emit=obj", file, "-o", path],
                                  capture_output=True, text=True)
            if done.returncode:
                print(f"{Path(file).name}: {done.stderr.splitlines()[0]}")
                continue
            counts, wrong = measure(path)
            share = 100 * counts["lines"] / counts["all"]
            fit = 100 * counts["fit"] / counts["judged"] if counts["judged"] else 100
            print(f"{Path(file).name}: {counts['all']} instructions, {share:.1f} % with a line; "
                  f"{counts['judged']} judged, {fit:.1f} % fit")
            for (mnemonic, line, says), times in wrong.most_common(5):
                print(f"    {times} x {mnemonic} at {line}: {says}")
            failed |= share < least or fit < least
    sys.exit(failed)


main()
