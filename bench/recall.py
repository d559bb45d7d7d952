#!/usr/bin/env python3
"""Whether the timed machine would have chosen what tuning on hardware did: AITER's assembly GEMMs that were candidates for a shape.

    bench/recall.py INFLIGHT CHECKOUT [--half even|odd|all] [--shapes N] [--family NAME] [--out TABLE.csv] [--table TABLE.csv]
                    [--page PAGE.md] [--measured] [OPTION...]

CHECKOUT is a checkout of github.com/ROCm/aiter with its history, as bench/aiter.py makes it. A row of its tuned tables whose winner is an
assembly kernel is a shape; the candidates are the kernels and splits of K that AITER's tuners time for it (csrc/**/*_tune.py), of those
kernels that were there when the row came. Each is launched on the timed machine, and the place of hardware's winner among them is what is
asked for. --half tells which shapes, and they are taken in turn from families and products, by their SHA-1.
--measured launches only kernels whose time stands in the tables or stood there before a faster one was found, of shapes that have several.
Options that begin with -- and aren't named above go to `inflight run`. --table reads what --out has written, and launches nothing.
"""
import collections
import csv
import io
import os
import re
import statistics
import subprocess
import sys

import aiter

SEMAPHORES = 16 * 64  # tiles of a split BF16 GEMM, aiter/ops/gemm_op_a16w16.py
SHAPE = ("family", "dtype", "M", "N", "K", "silicon_us")
FIELDS = SHAPE + ("code_object", "split", "is_winner", "measured_us", "model_us", "most_us")


class Kernel:
    """A row of the tables in hsa/."""

    def __init__(self, family, chip, row):
        self.name, self.code = row["knl_name"], f"{chip}/{family}/{row['co_name']}"
        self.rows, self.columns = (int(row.get(f"tile_{one}") or row.get(f"tile{one}") or row[f"tile_{one.lower()}"]) for one in "MN")
        self.can_split = int(row["splitK"]) != 0
        self.is_shuffled = int(row.get("bpreshuffle") or row.get("bPreshuffle") or 0) != 0


def kernels(checkout):
    """By chip and family."""
    found = collections.defaultdict(list)
    for path in aiter.kernel_tables(checkout):
        chip, family = path.split("/")[-3:-1]
        with open(path) as f:
            found[chip, family] += [Kernel(family, chip, row) for row in csv.DictReader(f)]
    return found


class History:
    """When kernels and rows came, and what else of a shape was measured before others were faster."""

    def __init__(self, checkout):
        self.kernels, self.rows = {}, {}  # time of the first commit, by code object's file and by row
        self.measured = collections.defaultdict(dict)  # by shape: microseconds by kernel and split
        time, blobs = 0, {}
        for line in self._git(checkout, "log", "--reverse", "--raw", "--no-abbrev", "--no-renames", "--format=%ct", "--", "aiter/configs", "hsa").splitlines():
            if line.isdigit():
                time = int(line)
            elif line.startswith(":"):
                blob, path = line.split()[3], line.split("\t")[-1]
                if path.endswith(".co"):
                    self.kernels.setdefault(os.path.basename(path), time)
                elif path.endswith(".csv") and "gemm" in path and "untuned" not in path and blob.strip("0"):
                    blobs.setdefault(blob, (time, path))
        for blob, (time, path) in blobs.items():
            self._read(time, path, self._git(checkout, "cat-file", "blob", blob))

    @staticmethod
    def _git(checkout, *words):
        return subprocess.run(["git", "-C", checkout, *words], check=True, capture_output=True, text=True, errors="replace").stdout

    def _read(self, time, path, text):
        reader = csv.DictReader(io.StringIO(text))
        if not {"M", "N", "K", "us", "kernelName", "splitK", "cu_num"} <= set(reader.fieldnames or ()):
            return
        for row in reader:
            shape = (row["cu_num"], row["M"], row["N"], row["K"], aiter.dtype_of(row, path))
            kernel = (row["kernelName"], row["splitK"])
            self.rows.setdefault((shape, kernel, row["us"]), time)
            self.measured[shape][kernel] = row["us"]


def splits_of_128(k):
    """get_valid_asm_splitK_list of csrc/ck_gemm_a8w8_blockscale/gemm_a8w8_blockscale_tune.py"""
    def parts(split):
        return aiter.ceildiv(k, aiter.ceildiv(aiter.ceildiv(k, split), 128) * 128)
    return [split for split in range(1, 9) if parts(split) == split] or [1]


def bf16_splits(launch, kernel):
    """_get_asm_tasks of csrc/gemm_a16w16/gemm_a16w16_tune.py"""
    if not kernel.can_split:
        return [1]
    tiles = aiter.ceildiv(launch.m, kernel.rows) * aiter.ceildiv(launch.n, kernel.columns)
    most = launch.units // tiles if tiles < launch.units else 4
    return range(2, min(most, 16) + 1) if tiles <= SEMAPHORES else []


def candidates(launch, known, history, are_splits_tuned):
    """The kernels and splits that AITER's tuner had to time for its shape, each with what it took where that is known."""
    chip, family = launch.code.split("/")[:2]
    shape = tuple(map(str, (launch.units, launch.m, launch.n, launch.k))) + (launch.dtype,)
    winner = next(kernel.name for kernel in known[chip, family] if kernel.code == launch.code)
    time = history.rows[shape, (winner, str(launch.split)), launch.text]
    for kernel in known[chip, family]:
        if kernel.is_shuffled != (family != "bf16gemm") or (family == "fp8gemm_blockscale" and launch.n % kernel.columns):
            continue
        if history.kernels[os.path.basename(kernel.code)] > time:
            continue
        splits = [0 if family == "f4gemm" else 1]
        if family == "bf16gemm":
            splits = bf16_splits(launch, kernel)
        elif are_splits_tuned and kernel.can_split:
            splits = splits_of_128(launch.k)
        for split in splits:
            one = aiter.Launch(kernel.code, launch.units, launch.m, launch.n, launch.k, split, launch.dtype, launch.text)
            one.measured = history.measured[shape].get((kernel.name, str(split)), "")
            yield one


def measure(inflight, checkout, launch, tried, options):
    """Rows of FIELDS; none if hardware's winner isn't among several candidates."""
    if len(tried) < 2 or not any((one.code, one.split) == (launch.code, launch.split) for one in tried):
        return
    for one in tried:
        is_winner = (one.code, one.split) == (launch.code, launch.split)
        try:
            model = aiter.run(inflight, checkout, one, options)
        except aiter.LaunchError as error:
            print(f"recall: {error}", file=sys.stderr)
            model = {"microseconds": float("inf"), "accuracy": {}}
        yield dict(zip(FIELDS, map(str, (launch.family, launch.dtype, launch.m, launch.n, launch.k, launch.silicon, one.code, one.split, int(is_winner),
                                         launch.text if is_winner else one.measured, round(model["microseconds"], 3),
                                         model["accuracy"].get("most_microseconds", "")))))


def in_turn(launches):
    """One of each family after the other, by their keys, so that the begin is as good a sample as the whole."""
    places = collections.Counter()
    for launch in sorted(launches, key=lambda launch: launch.key):
        launch.turn = places[launch.family]
        places[launch.family] += 1
    return sorted(launches, key=lambda launch: (launch.turn, launch.family))


class Shape:
    """Candidates, the model's first in front."""

    def __init__(self, rows):
        self.family = rows[0]["family"]
        self.rows = sorted(rows, key=lambda row: float(row["model_us"]))
        self.first, self.winner = self.rows[0], next(row for row in rows if row["is_winner"] == "1")
        self.silicon = float(self.winner["silicon_us"])
        self.place = sum(float(row["model_us"]) <= float(self.winner["model_us"]) for row in rows)  # behind those that take as long
        self.quarter = max(1, aiter.ceildiv(len(rows), 4))

    def lead(self):
        """How much faster than the winner the model takes its first to be."""
        return float(self.winner["model_us"]) / float(self.first["model_us"]) - 1

    def loss(self):
        """How much longer than the winner the model's first took on hardware; where that isn't known, in nine of ten launches at most."""
        if self.place == 1:
            return 0.0
        took = self.first["measured_us"] or self.first["most_us"]
        return max(0.0, float(took) / self.silicon - 1) if took else None

    def pairs(self):
        """Whether the model orders the winner and each other kernel that was measured as hardware does."""
        for row in self.rows:
            if row["measured_us"] and row is not self.winner and float(row["measured_us"]) > 1.02 * self.silicon:
                yield float(row["model_us"]) > float(self.winner["model_us"])


def shapes(rows):
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in SHAPE)].append(row)
    return [Shape(some) for some in found.values()]


def apart(one):
    """How much longer the slowest measured kernel took than the best."""
    return max(float(row["measured_us"]) for row in one.rows) / one.silicon - 1


def measured_line(name, some):
    pairs = [is_right for one in some for is_right in one.pairs()]
    losses = sorted(one.loss() for one in some)
    return (f"| {name} | {len(some)} | {100 * statistics.median(apart(one) for one in some):.0f} % | {percent(sum(pairs), len(pairs))} | "
            f"{100 * statistics.mean(losses):.1f} % | {100 * losses[int(0.95 * len(losses))]:.1f} % |")


MEASURED_HEAD = ["| | shapes | measured times apart, median | pairs in order | loss, mean | loss, p95 |", "|" + 6 * "---|"]


def percent(count, of):
    return f"{count} ({100 * count / of:.0f} %)" if of else "-"


def line(name, some):
    count = len(some)
    def within(limit):
        return percent(sum(one.place <= limit(one) for one in some), count)
    leads = sorted(one.lead() for one in some)
    losses = [one.loss() for one in some if one.loss() is not None]
    pairs = [is_right for one in some for is_right in one.pairs()]
    return (f"| {name} | {count} | {statistics.median(len(one.rows) for one in some):.0f} | {within(lambda one: 1)} | {within(lambda one: 3)} | "
            f"{within(lambda one: one.quarter)} | {100 * leads[int(0.9 * count)]:.1f} % | {100 * statistics.mean(losses or [0]):.1f} % | "
            f"{sum(pairs)} of {len(pairs)} |")


def summary(some, is_measured=False):
    families = collections.defaultdict(list)
    for one in some:
        families[one.family].append(one)
    head = ["| | shapes | candidates, median | hardware's best is the model's first | among its first three | in its first quarter | lead lost, p90 "
            "| loss, mean, at most | pairs in order |", "|" + 9 * "---|"]
    if is_measured:
        head, by_family = MEASURED_HEAD, measured_line
    else:
        by_family = line
    return "\n".join(head + [by_family(name, families[name]) for name in sorted(families)] + [by_family("all", some)])


def kernel_text(row):
    """Its tile and split."""
    tile = re.search(r"_(\d+x\d+)(?:_|\.)", os.path.basename(row["code_object"]))[1]
    return tile if int(row["split"]) < 2 else f"{tile}, split {row['split']}"


def misses(some):
    """With a line above; empty if there is none."""
    head = ["Neither among the first three nor in the first quarter:", "",
            "| | M | N | K | hardware's best | us | by the model | place | of | the model's first | by the model | measured |", "|" + 12 * "---|"]
    text = []
    for one in sorted(some, key=lambda one: (one.family, one.lead())):
        if one.place > max(3, one.quarter):
            text.append(f"| {one.family} | {one.winner['M']} | {one.winner['N']} | {one.winner['K']} | {kernel_text(one.winner)} | {one.silicon:.1f} | "
                        f"{float(one.winner['model_us']):.1f} | {one.place} | {len(one.rows)} | {kernel_text(one.first)} | {float(one.first['model_us']):.1f} | "
                        f"{one.first['measured_us'] or '-'} |")
    return "\n".join(head + text) if text else ""


def write_page(path, printed, is_measured):
    """Between two marks of the page."""
    begin, end = f"<!-- printed by bench/recall.py{' --measured' if is_measured else ''} -->\n", "<!-- end -->"
    with open(path) as f:
        before, _, rest = f.read().partition(begin)
    with open(path, "w") as f:
        f.write(f"{before}{begin}{printed}\n{end}{rest.partition(end)[2]}")


def main():
    parser = aiter.argument_parser(__doc__)
    parser.add_argument("--shapes", type=int, default=0)
    parser.add_argument("--measured", action="store_true")
    parser.add_argument("--page", help="docs/recall.md, whose table is written anew")
    arguments, options = parser.parse_known_args()
    rows = []
    if arguments.table:
        with open(arguments.table) as f:
            rows = list(csv.DictReader(f))
    else:
        if not os.path.isdir(arguments.checkout):
            aiter.clone(arguments.checkout)
        every = aiter.all_launches(arguments.checkout)
        split_tuned = {(one.table, one.units) for one in every if one.split > 1}
        known, history = kernels(arguments.checkout), History(arguments.checkout)
        launches = in_turn(aiter.chosen(every, arguments.family, arguments.half))
        table = open(arguments.out or os.devnull, "w", newline="")
        out = csv.DictWriter(table, FIELDS, lineterminator="\n")
        out.writeheader()
        left = arguments.shapes or len(launches)
        for number, launch in enumerate(launches):
            tried = list(candidates(launch, known, history, (launch.table, launch.units) in split_tuned))
            if arguments.measured:
                tried = [one for one in tried if one.measured]
            some = list(measure(arguments.inflight, arguments.checkout, launch, tried, options))
            rows += some
            out.writerows(some)
            table.flush()  # it takes hours
            left -= bool(some)
            if not left:
                break
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {len(launches)}", end="", file=sys.stderr)
    if not rows:
        sys.exit("recall: error: no shapes")
    some = shapes(rows)
    printed = summary(some, arguments.measured)
    if not arguments.measured:
        printed = f"{printed}\n\n{misses(some)}".rstrip()
    if arguments.page:
        write_page(arguments.page, printed, arguments.measured)
    print(printed)


if __name__ == "__main__":
    main()
