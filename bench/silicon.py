#!/usr/bin/env python3
"""The timed machine beside thread traces of an MI350X: the same code, assembled again from the traces' listings.

    bench/silicon.py INFLIGHT TRACES [--only NAME] [--lines]

TRACES is a checkout of github.com/jhinpan/flydsl-kernel-profiling-lib. Its listings and traces belong to that project and aren't part of
this repository. For each kernel: the stalls of its instructions (median error; how many of them are within 15 % and 8 cycles), the time
of its waves, of the traced compute unit, and of the kernel. --lines prints the instructions beyond that.

A trace dates s_waitcnt, s_nop and s_barrier at their ends and counts their own issue as stall: so does this.
"""
import argparse
import collections
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

IMMEDIATE = 9  # the viewer's category of s_waitcnt, s_nop and s_barrier
LAUNCH = 1.5  # microseconds of a kernel that does next to nothing: 1.04 to 2 in the same tables (copyBuffer of 512 lanes)


class Kernel:
    """`arguments`: what `inflight run` takes; `microseconds`: the least of the launches in discover_kernel_trace.csv."""

    def __init__(self, grid, vgprs, lds, kernarg, arguments, microseconds, sample=0, block=256):
        self.grid, self.vgprs, self.lds, self.kernarg = grid, vgprs, lds, kernarg
        self.arguments, self.microseconds, self.sample, self.block = arguments, microseconds, sample, block


def pointer(spec, words=2):
    return [spec] + (words - 1) * ["i64:0"]


def rows(shape, row):
    """A matrix: pointer, two sizes, the row's stride."""
    return [f"zeros:{shape}", "i64:0", f"i64:{row}"]


def words(*numbers):
    """64-bit ones where negative: -stride."""
    return "".join((-n).to_bytes(8, "little").hex() if n < 0 else n.to_bytes(4, "little").hex() for n in numbers)


def tensor(spec, *numbers):
    """A tensor: pointer, sizes, strides as negative numbers; up to a multiple of eight bytes."""
    text = words(*numbers)
    return [spec, "bytes:" + text + "0" * (-len(text) % 16)]


def rope():
    """32 tokens of 8 heads of 128, one of keys and values; caches of 32 blocks of 16, not in the order of flash attention."""
    heads = [tensor(f"zeros:32x{n}x128:bf16", 32, n, 128, -128 * n, -128) for n in (8, 1, 1)]
    angles = 2 * tensor("zeros:8192x64:bf16", 8192, 64, -64)
    keys = tensor("zeros:32x1x8x16x16:bf16", 32, 1, 8, 16, 16, -2048, -2048, -256, -16)
    values = tensor("zeros:32x1x128x16:bf16", 32, 1, 128, 16, -2048, -2048, -16)
    return (heads[0] + heads[1] + heads[2] + tensor("random:32:i32:1", 32, 0) + angles + tensor("arange:32:i32", 32, 0) + keys + values
            + heads[0] + heads[1])


def logits():
    """32 sequences of the test's lengths (a generator of seed 0), as its schedule cuts them: up to 17 chunks of 256 tokens a workgroup."""
    lengths = (65088, 37504, 94080, 95424, 39168, 63360, 93056, 74944, 47040, 48960, 76736, 62656, 51008, 93760, 55296, 77696, 74688, 67520,
               87872, 84096, 78656, 64064, 41216, 52736, 85248, 42752, 96704, 60480, 55616, 49664, 33984, 94656)
    info, most = "", 17
    for batch, length in enumerate(lengths):
        chunks = -(-length // 256)
        for start in range(0, chunks, most):
            info += words(batch, start, min(most, chunks - start), length)
    return (tensor("zeros:32x131072:f32", 32, 131072, -131072) + tensor("zeros:32x1x64x64:i8", 32, 1, 64, 64, -4096, -4096, -64)
            + tensor("zeros:32x1x1x4x16x4:i8", 32, 1, 1, 4, 16, 4, -256, -256, -256, -64, -4)
            + tensor("zeros:65536x1x4x64x16:i8", 65536, 1, 4, 64, 16, -4096, -4096, -1024, -16)
            + tensor("zeros:65536x1x4x64:i8", 65536, 1, 4, 64, -256, -256, -64) + tensor("arange:32x2048:i32", 32, 2048, -2048)
            + tensor("zeros:32x64:f32", 32, 64, -64) + ["array:bytes:" + info, "bytes:" + words(507, 4, -4), "bytes:" + words(131072, 0)])


KERNELS = {
    "vec_add": Kernel("10000", 16, 0, 48, 3 * pointer("zeros:10240000:f32"), 18.08),
    "softmax": Kernel("32768", 48, 512, 96, rows("32768x8192:bf16", 8192) + 6 * ["i64:0"] + rows("32768x8192:bf16", 8192), 178.16, 64),
    "rmsnorm": Kernel("1024", 64, 512, 80, rows("1024x8192:bf16", 8192) + ["zeros:8192:bf16"] + 3 * ["i64:0"] + rows("1024x8192:bf16", 8192), 7.68),
    "layernorm": Kernel("256", 72, 512, 80,
                        rows("256x8192:bf16", 8192) + 2 * pointer("zeros:8192:bf16") + rows("256x8192:bf16", 8192), 4.56),
    "quant": Kernel("4096", 48, 512, 72, pointer("zeros:4096x8192:f16", 3) + pointer("zeros:4096x8192:i8", 3) + pointer("zeros:4096:f32", 3), 17.12),
    "topk_gating_softmax": Kernel("512", 56, 0, 104, rows("16384x128:bf16", 128) + rows("16384x6:f32", 6) + 2 * rows("16384x6:i32", 6) + ["i64:16384"],
                                  6.88),
    "moe_reduce": Kernel("16384,4", 56, 0, 96,
                         ["zeros:16384x8x7168:f16", "i64:0", "bytes:00000000" + (8 * 7168).to_bytes(8, "little").hex() + (7168).to_bytes(8, "little").hex()
                          + "00000000", "zeros:16384x7168:f16", "i64:0", "i64:7168"] + 3 * ["i64:0"] + ["i64:16384"], 362.08, 48),
    "fused_rope_cache": Kernel("8,32", 16, 0, 392, rope(), 2.12, block=64),
    "pa_mqa_logits_fp4": Kernel("507", 96, 0, 336, logits(), 30.04),
}


def trace_directory(traces, name):
    found = glob.glob(f"{traces}/examples/{name}/att_viewer/big/ui_output_*/code.json")
    return os.path.dirname(found[0]) if found else None


def listing(directory):
    """(address, text) by line, of the instructions."""
    with open(directory + "/code.json") as f:
        return {row[2]: (row[5], row[0]) for row in json.load(f)["code"] if not row[0].startswith(";")}


def clock(directory):
    """MHz of the shader clock while it was traced: power has it below the peak, by a quarter in moe_reduce."""
    with open(directory + "/realtime.json") as f:
        times = json.load(f)
    (first, begin), *_, (last, end) = times["SE0"]
    return (last - first) / (end - begin) * times["metadata"]["frequency"] / 1e6


def waves(directory):
    made = []
    for path in sorted(glob.glob(directory + "/se*_wv*.json")):
        with open(path) as f:
            wave = json.load(f)["wave"]
        if wave["instructions"]:
            wave["engine"] = os.path.basename(path).split("_")[0]
            made.append(wave)
    return made


def assembly(code, kernel):
    """The listing as a kernel of its own, at an address with the same place in a line of the instruction cache."""
    lines = ['.amdgcn_target "amdgcn-amd-amdhsa--gfx950"', ".text", ".globl k", ".p2align 8", ".type k,@function", "k:"]
    lines += ["  " + text for _, text in sorted(code.values())]
    vgprs = (kernel.vgprs + 3) // 4 * 4
    lines += [".rodata", ".p2align 6", ".amdhsa_kernel k", f" .amdhsa_next_free_vgpr {vgprs}", " .amdhsa_next_free_sgpr 32",
              f" .amdhsa_accum_offset {vgprs}", f" .amdhsa_group_segment_fixed_size {kernel.lds}", " .amdhsa_user_sgpr_kernarg_segment_ptr 1",
              f" .amdhsa_kernarg_size {kernel.kernarg}", " .amdhsa_system_sgpr_workgroup_id_x 1"]
    lines += [" .amdhsa_system_sgpr_workgroup_id_y 1"] if "," in kernel.grid else []
    arguments, offset = "", 0
    for spec in kernel.arguments:
        size = len(spec[6:]) // 2 if spec.startswith("bytes:") else 8
        kind = "by_value" if spec.startswith(("i64:", "bytes:")) else "global_buffer"
        space = ", .address_space: global" if kind == "global_buffer" else ""
        arguments += f"      - {{.offset: {offset}, .size: {size}, .value_kind: {kind}{space}}}\n"
        offset += size
    assert offset == kernel.kernarg, f"{offset} bytes of arguments, not {kernel.kernarg}"
    lines += [".end_amdhsa_kernel", ".amdgpu_metadata", "---", "amdhsa.version: [1, 2]", "amdhsa.kernels:", "  - .name: k", "    .symbol: k.kd",
              f"    .kernarg_segment_size: {kernel.kernarg}", "    .kernarg_segment_align: 8", f"    .group_segment_fixed_size: {kernel.lds}",
              "    .private_segment_fixed_size: 0", "    .wavefront_size: 64", "    .sgpr_count: 32", f"    .vgpr_count: {vgprs}",
              f"    .max_flat_workgroup_size: {kernel.block}", "    .args:\n" + arguments.rstrip("\n"), "...", ".end_amdgpu_metadata", ""]
    return "\n".join(lines)


def by_address(code, made):
    """Stalls by address from the first instruction; lifetimes of waves; and from the last issue to the wave's end."""
    base = min(address for address, _ in code.values())
    stalls, lives, ends = collections.defaultdict(list), [], []
    for wave in made:
        last = wave["begin"]
        for time, category, stall, duration, line in wave["instructions"]:
            stall = max(stall, duration) if category == IMMEDIATE else stall
            stalls[code[line][0] - base].append(stall)
            last = time + stall
        lives.append(wave["end"] - wave["begin"])
        ends.append(wave["end"] - last)
    return stalls, lives, ends


def span(made):
    """Of the compute unit, the longest of the traced ones; each shader engine has its own clock."""
    by_engine = collections.defaultdict(list)
    for wave in made:
        by_engine[wave["engine"]].append(wave)
    return max(max(w["end"] for w in unit) - min(w["begin"] for w in unit) for unit in by_engine.values())


def percentiles(values):
    ordered = sorted(values)
    return [ordered[min(len(ordered) - 1, int(part * len(ordered)))] for part in (0.1, 0.5, 0.9)]


def replay(inflight, kernel, code, mhz, folder):
    source, binary = folder + "/k.s", folder + "/k.hsaco"
    with open(source, "w") as f:
        f.write(assembly(code, kernel))
    subprocess.run([inflight, "asm", "-mcpu=gfx950", source, "-o", binary], check=True)
    launch = [binary, "--device=MI350X", f"--clock={mhz:.0f}", "--warm", f"--grid={kernel.grid}", f"--block={kernel.block}"]
    launch += [f"--sample={kernel.sample}"] if kernel.sample else []
    for spec in kernel.arguments:
        launch += ["--arg", spec]
    subprocess.run([inflight, "trace", f"--viewer={folder}/out", "--viewer-waves=10000"] + launch, check=True, capture_output=True)
    timed = subprocess.run([inflight, "run", "--timed"] + launch, check=True, capture_output=True, text=True)
    microseconds = LAUNCH + float(re.search(r"device: \d+ cycles, ([\d.]+) us", timed.stderr)[1])
    return os.path.dirname(glob.glob(folder + "/out/ui_output_*/code.json")[0]), microseconds


def compare(name, kernel, arguments):
    directory = trace_directory(arguments.traces, name)
    if not directory:
        sys.exit(f"silicon: error: {arguments.traces} has no trace of {name}")
    code = listing(directory)
    with tempfile.TemporaryDirectory() as folder:
        ours, microseconds = replay(arguments.inflight, kernel, code, clock(directory), folder)
        model_code, model_waves = listing(ours), waves(ours)
    silicon_waves = waves(directory)
    silicon, lives, ends = by_address(code, silicon_waves)
    model, model_lives, model_ends = by_address(model_code, model_waves)
    texts = {address: text for address, text in code.values()}
    base = min(texts)
    errors, beyond = [], []
    for address in sorted(set(silicon) & set(model)):
        there, here = statistics.mean(silicon[address]), statistics.mean(model[address])
        errors.append(abs(there - here))
        if errors[-1] > 0.15 * there + 8:
            beyond.append(f"    {base + address:#06x}  {there:8.1f}  {here:8.1f}  {texts[base + address]}")
    life, model_life = statistics.mean(lives), statistics.mean(model_lives)
    print(f"| {name} | {len(errors)} | {statistics.median(errors):.1f} | {100 * (1 - len(beyond) / len(errors)):.0f} % "
          f"| {life:.0f} | {model_life:.0f} | {100 * (model_life / life - 1):+.0f} % "
          f"| {statistics.median(ends):.0f} | {statistics.median(model_ends):.0f} "
          + (f"| {span(silicon_waves)} | {span(model_waves)} " if not kernel.sample else "| | ")
          + f"| {kernel.microseconds:.1f} | {microseconds:.1f} | {100 * (microseconds / kernel.microseconds - 1):+.0f} % |")
    if arguments.lines:
        print("\n".join(["    address   silicon     model  stall a hit"] + beyond))
    return errors, len(beyond)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("traces")
    parser.add_argument("--only", default="")
    parser.add_argument("--lines", action="store_true")
    arguments = parser.parse_args()
    print("| kernel | instructions | stall, median error | within 15 % + 8 | wave | model | | end | model | unit | model | us | model | |")
    print("|" + 14 * "---|")
    errors, beyond = [], 0
    for name, kernel in KERNELS.items():
        if arguments.only in name:
            found, more = compare(name, kernel, arguments)
            errors += found
            beyond += more
    if errors:
        print(f"\nall {len(errors)} instructions: median error {statistics.median(errors):.1f} cycles, {100 * (1 - beyond / len(errors)):.1f} % within 15 % + 8")


if __name__ == "__main__":
    main()
