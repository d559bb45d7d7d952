#!/usr/bin/env python3
"""The timed machine beside times of AITER's assembly GEMMs that were measured on four products.

    bench/aiter.py INFLIGHT CHECKOUT [--half even|odd|all] [--launches N] [--family NAME] [--out TABLE.csv] [--plot PAGE.svg]
                   [--table TABLE.csv] [--accuracy RANGES.json] [OPTION...]

CHECKOUT is a checkout of github.com/ROCm/aiter; where there is none, the parts that are needed are cloned to it. Its tables
(aiter/configs) hold shape, kernel and microseconds of GEMMs that were tuned on hardware, its folder hsa the code objects. Neither is part
of this repository. How the times were made (aiter/test_common.py): mean of up to 100 launches on up to 101 copies of the arguments in
turn, so that data come from memory unless they are small.

The half of the launches whose SHA-1 is even is for fitting, the other one is held out. --launches takes so many of them, spread over
families and products. Options that begin with -- and aren't named above go to `inflight run`. --table reads times that --out has written
and launches nothing.
"""
import argparse
import collections
import concurrent.futures
import csv
import glob
import hashlib
import json
import math
import os
import re
import statistics
import subprocess
import sys

import lib

COMMIT = "e4048607a535ace3a2b51ded31b1c8c2d45c0879"
LAUNCH = 1.5  # microseconds of a launch, as in bench/silicon.py
MEMSET_BYTES = 4e6  # a microsecond: what streams of stores reach, 4 to 5 TB/s
DEVICES = {256: "MI355X", 304: "MI300X", 80: "MI308X"}  # the tables tell compute units only
RESULT_BYTES = 1 << 31  # larger results take the kernels' 32-bit offsets beyond their buffers
COPIES, COPIES_BYTES = 101, 32 << 30  # of the arguments, aiter/test_common.py
COMMENT = ("Measured times of launches divided by modelled ones: 90 % are from 'least' to 'most'. Made by bench/aiter.py --accuracy from the "
           "launches of ROCm/aiter's tuned tables whose SHA-1 is even.")
COLUMNS = ("code_object", "units", "M", "N", "K", "split", "dtype", "silicon_us")


def ceildiv(a, b):
    return -(-a // b)


class LaunchError(Exception):
    pass


class Launch:
    table = ""  # that it is from

    def __init__(self, *values):
        self.code, units, m, n, k, split, self.dtype, self.text = values
        self.units, self.m, self.n, self.k, self.split, self.silicon = int(units), int(m), int(n), int(k), int(split), float(self.text)
        self.key = hashlib.sha1(repr((self.code, str(m), str(n), str(k), str(split), self.dtype, self.text)).encode()).hexdigest()
        self.family = f"{self.code.split('/')[1]} {self.device}"
        self.model = {}

    @property
    def device(self):
        return DEVICES[self.units]

    @property
    def is_even(self):
        return int(self.key, 16) % 2 == 0

    def tile(self):
        found = re.search(r"_(\d+)x(\d+)(?:_|\.)", os.path.basename(self.code))
        return int(found[1]), int(found[2])


def pointer(number):
    return [f"ptr:b{number}", "pad:8"]


def null():
    return ["null", "pad:8"]


def word(value):
    return [f"i32:{value}", "pad:12"]


def real(value):
    return [f"f32:{value}", "pad:12"]


def words(*values):
    return [part for value in values for part in word(value)]


def bf16gemm(launch):
    """csrc/py_itfs_cu/asm_gemm_a16w16.cu"""
    m, n, k, split = launch.m, launch.n, launch.k, max(1, launch.split)
    rows, columns = launch.tile()
    is_narrow = launch.dtype.endswith("bfloat16")
    row = n * (2 if is_narrow else 4)
    buffers = [f"{m}x{n}:{'u16' if is_narrow else 'f32'}", f"{m}x{k}:u16", f"{n}x{k}:u16", "65536:u32"]
    arguments = (pointer(0) + null() + pointer(1) + pointer(2) + real(1) + real(0)
                 + words(row, 0, row, 0, k * 2, 0, k * 2, 0, m, n, k, split, int(is_narrow)) + null() + word(0)
                 + (pointer(3) if split > 1 else null()))
    return buffers, arguments, (ceildiv(n, columns), ceildiv(m, rows), split)


def f4gemm(launch):
    """csrc/py_itfs_cu/asm_gemm_a4w4.cu"""
    m, n, k, split = launch.m, launch.n, launch.k, launch.split
    rows, columns = launch.tile()
    scales = ceildiv(k // 32, 8) * 8
    buffers = [f"{ceildiv(m, 32) * 32}x{n}:u16", f"{m}x{k // 2}:u8", f"{n}x{k // 2}:u8", f"{ceildiv(m, 256) * 256}x{scales}:u8",
               f"{ceildiv(n, 256) * 256}x{scales}:u8"]
    part = ceildiv(ceildiv(k, 1 << split), 256) * 256
    arguments = (pointer(0) + null() + pointer(1) + pointer(2) + real(1) + real(0) + words(0, 0, n, 0, k, 0, k, 0, m, n, k) + pointer(3)
                 + pointer(4) + words(scales, 0, scales, 0) + [f"i32:{split}"])
    return buffers, arguments, (ceildiv(n, columns), ceildiv(m, rows), ceildiv(k, part) if split else 1)


def fp8gemm_blockscale(launch):
    """csrc/py_itfs_cu/asm_a8w8_blockscale_bpreshuffle.cu"""
    m, n, k, split = launch.m, launch.n, launch.k, max(1, launch.split)
    rows, columns = launch.tile()
    buffers = [f"{m}x{n}:u16", f"{m}x{k}:u8", f"{n}x{k}:u8", f"{k // 128}x{m}:f32", f"{ceildiv(n, 128)}x{k // 128}:f32", f"{n}:f32"]
    arguments = [part for number in range(6) for part in pointer(number)]
    arguments += words(m, n, k, k, k, n * 2, split, m, ceildiv(n, 128), ceildiv(k, 128))
    return buffers, arguments, (n // columns * split, ceildiv(m, rows), 1)


def i8gemm(launch):
    """csrc/py_itfs_cu/asm_gemm_a8w8.cu"""
    m, n, k, split = launch.m, launch.n, launch.k, max(1, launch.split)
    rows, columns = launch.tile()
    buffers = [f"{m}x{n}:u16", f"{m}x{k}:i8", f"{n}x{k}:i8", f"{m}:f32", f"{n}:f32", f"{n}:f32"]
    arguments = [part for number in range(6) for part in pointer(number)]
    arguments += words(m, n, k, k, k, n * 2, split)
    return buffers, arguments, (ceildiv(n, columns) * split, ceildiv(m, rows), 1)


def cleared(bytes_):
    """Microseconds of a launch that clears so many bytes."""
    return LAUNCH + bytes_ / MEMSET_BYTES


def memset(launch):
    """Microseconds in which a launcher clears the result before workgroups add parts of K to it; AITER's times have it in them."""
    parts = {"f4gemm": 1 << launch.split, "fp8gemm_blockscale": launch.split, "i8gemm": launch.split}.get(launch.family.split()[0], 1)
    return cleared(launch.m * launch.n * 2) if parts > 1 else 0.0


FAMILIES = {"bf16gemm": bf16gemm, "f4gemm": f4gemm, "fp8gemm_blockscale": fp8gemm_blockscale, "i8gemm": i8gemm}


def clone(checkout):
    """What is read of AITER, at the commit that the figures of docs/fidelity.md are from."""
    def git(*words):
        subprocess.run(["git", *words], check=True)
    git("clone", "--quiet", "--no-checkout", "--filter=blob:none", "https://github.com/ROCm/aiter", checkout)
    git("-C", checkout, "sparse-checkout", "set", "aiter/configs", *(f"hsa/{chip}/{family}" for chip in ("gfx942", "gfx950") for family in FAMILIES))
    git("-C", checkout, "checkout", "--quiet", COMMIT)


def kernel_tables(checkout):
    return [table for table in sorted(glob.glob(f"{checkout}/hsa/gfx9*/*/*.csv")) if table.split("/")[-2] in FAMILIES]


def code_objects(checkout):
    """By chip and kernel name."""
    found = {}
    for table in kernel_tables(checkout):
        chip, family = table.split("/")[-3:-1]
        with open(table) as f:
            for row in csv.DictReader(f):
                found[chip, row["knl_name"]] = f"{chip}/{family}/{row['co_name']}"
    return found


def dtype_of(row, table):
    if "outdtype" in row:
        return f"{row['dtype']}/{row['outdtype']}"
    return row.get("q_dtype_w") or ("a4w4" if "a4w4" in table else "a8w8")


def all_launches(checkout):
    """Each once, though several tables may have it."""
    codes, found = code_objects(checkout), {}
    for table in sorted(glob.glob(f"{checkout}/aiter/configs/**/*.csv", recursive=True)):
        with open(table) as f:
            reader = csv.DictReader(f)
            if "untuned" in table or not {"gfx", "kernelName", "us", "M", "splitK"} <= set(reader.fieldnames or ()):
                continue
            for row in reader:
                code = codes.get((row["gfx"], row["kernelName"]))
                if code and int(row["M"]) * int(row["N"]) * 2 <= RESULT_BYTES:
                    launch = Launch(code, row["cu_num"], row["M"], row["N"], row["K"], row["splitK"], dtype_of(row, table), row["us"])
                    launch.table = table
                    found[launch.key] = launch
    return list(found.values())


def chosen(launches, family, half):
    return [one for one in launches if family in one.family and (half == "all" or one.is_even == (half == "even"))]


def spread(launches, count):
    """So many of them, of each family as much as its share of the square roots; which ones, their keys tell."""
    families = collections.defaultdict(list)
    for launch in sorted(launches, key=lambda launch: launch.key):
        families[launch.family].append(launch)
    roots = sum(len(one) ** 0.5 for one in families.values())
    return [launch for one in families.values() for launch in one[:max(1, round(count * len(one) ** 0.5 / roots))]] if count else launches


def rotated(buffers):
    """Bytes of all copies of the arguments that a measurement goes through."""
    bytes_ = 0
    for shape, kind in (buffer.split(":") for buffer in buffers):
        bytes_ += math.prod(map(int, shape.split("x"))) * int(kind[1:]) // 8
    return bytes_ * max(1, min(COPIES, COPIES_BYTES // bytes_))


def timed(inflight, code, device, grid, overhead, rotate, arguments, buffers, options):
    """What `run --format=json` says of a launch."""
    command = [inflight, "run", "--timed", "--format=json", code, f"--device={device}", "--block=256", "--threads=1",
               "--grid=" + ",".join(map(str, grid)), "--sample=3", f"--launch-overhead={overhead}", f"--rotate={rotate}",
               "--kernarg=struct:" + ",".join(arguments)] + options
    for buffer in buffers:
        command += ["--buffer", buffer]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise LaunchError(f"{code}: {' '.join(command[8:])}: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def run(inflight, checkout, launch, options):
    buffers, arguments, grid = FAMILIES[launch.family.split()[0]](launch)
    return timed(inflight, f"{checkout}/hsa/{launch.code}", launch.device, grid, LAUNCH + memset(launch), rotated(buffers), arguments,
                 ["zeros:" + buffer for buffer in buffers], options)


def read_table(path):
    with open(path) as f:
        for row in csv.DictReader(f):
            launch = Launch(*(row[column] for column in COLUMNS))
            launch.model = {name: number(value) for name, value in row.items() if name not in COLUMNS}
            yield launch


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def flat(model):
    """Objects in it as columns: load.matrix and so on."""
    found = {}
    for name, value in model.items():
        found.update({f"{name}.{inner}": part for inner, part in value.items()} if isinstance(value, dict) else {name: value})
    return found


def write_table(path, launches):
    names = sorted({name for one in launches for name in one.model})
    with open(path, "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(list(COLUMNS) + names)
        for one in launches:
            writer.writerow([one.code, one.units, one.m, one.n, one.k, one.split, one.dtype, one.text] + [one.model.get(name) for name in names])


def error(launch):
    return launch.model["microseconds"] / launch.silicon - 1


def line(name, launches):
    errors = sorted(error(one) for one in launches)
    def at(part):
        return 100 * errors[min(len(errors) - 1, int(part * len(errors)))]
    middle = 100 * statistics.median(abs(e) for e in errors)
    near = 100 * sum(abs(e) <= 0.2 for e in errors) / len(errors)
    return (f"| {name} | {len(errors)} | {100 * statistics.median(errors):+.1f} % | {middle:.1f} % | {at(0.1):+.1f} % | {at(0.9):+.1f} % | {near:.0f} % "
            f"| {lib.rank_correlation([one.model['microseconds'] for one in launches], [one.silicon for one in launches]):.3f} |")


def groups(launches):
    """By family and product; by length; by how busy matrix cores are."""
    def by(key):
        found = collections.defaultdict(list)
        for one in launches:
            found[key(one)].append(one)
        return [(name, found[name]) for name in sorted(found)]
    def bucket(value, limits, unit):
        for below, above in zip(limits, limits[1:]):
            if value < above:
                return f"{below:4g} to {above:g} {unit}"
        return f"{limits[-1]:4g} {unit} and more"
    return (by(lambda one: one.family) + by(lambda one: bucket(one.silicon, (0, 10, 30, 100, 1000), "us"))
            + by(lambda one: bucket(100 * one.model["matrix_busy"], (0, 20, 40, 60, 80), "% of the matrix cores")))


HEAD = "| launches | | median | median error | p10 | p90 | within 20 % | rank correlation |\n|" + 8 * "---|"


def summary(launches):
    return "\n".join([HEAD] + [line(name, some) for name, some in groups(launches) + [("all", launches)]])


def halves(launches):
    """By family and product, the half that numbers were fitted to beside the other one: for docs/fidelity.md."""
    rows = [HEAD]
    for family in sorted({one.family for one in launches}) + ["all"]:
        for name, is_even in (("even half", True), ("odd half", False)):
            some = [one for one in launches if one.is_even == is_even and family in (one.family, "all")]
            rows += [line(f"{family}, {name}", some)] if some else []
    return "\n".join(rows) + "\n"


BOUND = lib.data("accuracy.json")["bound_percent"] / 100  # of the matrix cores' time or of memory's peak
PEAKS = {name: lib.data("devices.json")[name]["memory_gbytes_per_second"]["value"] for name in DEVICES.values()}
LENGTHS = (0, 10, 30, 100, 1000, 1e9)  # microseconds
FEWEST, FEWEST_OF_ALL = 20, 12  # launches that tell a range: of a length, of all lengths


def bound(launch):
    if launch.model["matrix_busy"] >= BOUND:
        return "matrix"
    return "memory" if launch.model["memory_gbytes_per_second"] >= BOUND * PEAKS[launch.device] else "latency"


def interval(launches):
    """What 90 % of launches took, divided by their modelled times; as wide as so few need it to be."""
    ratios = sorted(one.silicon / one.model["microseconds"] for one in launches)
    outside = int(0.05 * (len(ratios) + 1))
    return ratios[max(0, outside - 1)], ratios[min(len(ratios) - 1, len(ratios) - outside)]


def accuracy(launches):
    """Of each product, bound and length; of a length with few launches the bound's, and of a bound with few the product's."""
    found = []
    for device, chip, units in (("MI355X", "gfx950", 256), ("MI300X", "gfx942", 304), ("MI308X", "gfx942", 80)):
        product = [one for one in launches if one.device == device]
        for name in ("matrix", "memory", "latency"):
            alike = [one for one in product if bound(one) == name]
            times = [one.model["microseconds"] for one in alike]
            for below, above in zip(LENGTHS, LENGTHS[1:]):
                some = [one for one in alike if below <= one.model["microseconds"] < above]
                used = next((group for group, least in ((some, FEWEST), (alike, FEWEST_OF_ALL), (product, FEWEST_OF_ALL)) if len(group) >= least), [])
                if some and used:
                    least, most = interval(used)
                    found.append({"chip": chip, "units": units, "bound": name, "from_us": round(max(below, 0.9 * min(times)), 2),
                                  "to_us": round(min(above, 1.1 * max(times)), 2), "launches": len(used), "least": round(least, 3),
                                  "most": round(most, 3)})
    return found


def covered(launches, ranges):
    """Part of the launches that are alike to some and within their range, and the median half-width of these, in percent."""
    inside, widths, outside = 0, [], 0
    for one in launches:
        time = one.model["microseconds"]
        group = next((g for g in ranges if g["units"] == one.units and g["bound"] == bound(one) and g["from_us"] <= time < g["to_us"]), None)
        if not group:
            outside += 1
            continue
        inside += group["least"] <= one.silicon / time <= group["most"]
        widths.append(50 * (group["most"] - group["least"]))
    return (f"{100 * inside / max(1, len(widths)):.1f} % of {len(widths)} launches within their range, median half-width "
            f"{statistics.median(widths or [0]):.1f} %; {outside} outside of what was compared")


def printed(launches):
    """Likewise, of the ranges that the runs gave."""
    known = [one for one in launches if one.model.get("accuracy.most_microseconds")]
    inside = sum(one.model["accuracy.least_microseconds"] <= one.silicon <= one.model["accuracy.most_microseconds"] for one in known)
    widths = [50 * (one.model["accuracy.most_microseconds"] - one.model["accuracy.least_microseconds"]) / one.model["microseconds"] for one in known]
    return (f"{100 * inside / max(1, len(known)):.1f} % of {len(known)} launches within the range that the run gave, median half-width "
            f"{statistics.median(widths or [0]):.1f} %; {len(launches) - len(known)} outside of what was compared")


def plot(path, launches):
    """Model against silicon, a panel for each family: error over time, its colour the matrix cores' share."""
    families = sorted({one.family for one in launches})
    width, height, left = 900, 150, 60
    left_log, span = math.log10(min(one.silicon for one in launches)), 0.0
    span = max(1e-9, math.log10(max(one.silicon for one in launches)) - left_log)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 20}" height="{len(families) * height + 40}" font-family="sans-serif" '
             'font-size="11"><rect width="100%" height="100%" fill="white"/>']
    for row, family in enumerate(families):
        top = 20 + row * height
        def y(part):
            return top + (height - 30) * (0.5 - max(-0.6, min(0.6, part)) / 1.2)
        for part in (-0.5, -0.2, 0, 0.2, 0.5):
            parts.append(f'<line x1="{left}" x2="{width}" y1="{y(part):.1f}" y2="{y(part):.1f}" stroke="{"#888" if not part else "#ddd"}"/>'
                         f'<text x="{left - 6}" y="{y(part) + 4:.1f}" text-anchor="end">{100 * part:+.0f} %</text>')
        for decade in range(math.ceil(left_log), math.floor(left_log + span) + 1):
            x = left + (width - left) * (decade - left_log) / span
            parts.append(f'<text x="{x:.1f}" y="{top + height - 18}" text-anchor="middle">{10 ** decade:g} us</text>')
        parts.append(f'<text x="{left}" y="{top - 4}" font-weight="bold">{family}: model against silicon</text>')
        for one in launches:
            if one.family == family:
                x = left + (width - left) * (math.log10(one.silicon) - left_log) / span
                busy = max(0.0, min(1.0, one.model["matrix_busy"]))
                parts.append(f'<circle cx="{x:.1f}" cy="{y(error(one)):.1f}" r="2" fill="hsl({240 - 240 * busy:.0f},80%,45%)" fill-opacity="0.6">'
                             f"<title>{one.code} {one.m} {one.n} {one.k} {one.split}: {one.silicon:.1f} us, model {one.model['microseconds']:.1f}</title></circle>")
    parts.append(f'<text x="{left}" y="{len(families) * height + 32}">blue: matrix cores idle; red: busy all of the time</text></svg>')
    with open(path, "w") as f:
        f.write("\n".join(parts) + "\n")


def argument_parser(description):
    """What every bench on these tables takes."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("inflight")
    made.add_argument("checkout")
    made.add_argument("--half", choices=("even", "odd", "all"), default="even")
    made.add_argument("--family", default="")
    made.add_argument("--out")
    made.add_argument("--table")
    return made


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--launches", type=int, default=0)
    parser.add_argument("--plot")
    parser.add_argument("--accuracy", help="data/accuracy.json, to be written")
    arguments, options = parser.parse_known_args()
    if arguments.table:
        launches = list(read_table(arguments.table))
    else:
        if not os.path.isdir(arguments.checkout):
            clone(arguments.checkout)
        launches = all_launches(arguments.checkout)
    launches = spread(chosen(launches, arguments.family, arguments.half), arguments.launches)
    if not launches:
        sys.exit("aiter: error: no launches")
    if not arguments.table:
        try:
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                models = pool.map(lambda one: run(arguments.inflight, arguments.checkout, one, options), launches)
                for number_, (one, model) in enumerate(zip(launches, models)):
                    one.model = flat(model)
                    if sys.stderr.isatty():
                        print(f"\r{number_ + 1} of {len(launches)}", end="", file=sys.stderr)
        except LaunchError as error_:
            sys.exit(f"aiter: error: {error_}")
    if arguments.out:
        write_table(arguments.out, launches)
    if arguments.plot:
        plot(arguments.plot, launches)
    print(summary(launches))
    print(printed(launches))
    # Ranges from half of the launches, tried on the other half.
    parts = [[one for one in launches if int(one.key, 16) // 2 % 2 == part] for part in (0, 1)]
    for here, there in (parts, parts[::-1]):
        print(covered(there, accuracy(here)))
    if arguments.accuracy:
        with open(arguments.accuracy, "w") as f:
            json.dump({"comment": COMMENT, "launch_us": LAUNCH, "bound_percent": round(100 * BOUND), "groups": accuracy(launches)}, f, indent=1)
            f.write("\n")


if __name__ == "__main__":
    main()
