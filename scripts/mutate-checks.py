#!/usr/bin/python3
"""How many missing waits, barriers and wait states the checks of `inflight run` find.

    scripts/mutate-checks.py BUILD [--examples] [--code-objects DIR] [--kernels] [--handwritten] [--random N] [--chip LIST] [--level LIST]
                             [--only NAME,...] [--sample N] [--seed N] [--delivery WHEN] [--jobs N] [--verify] [--verbose]

Each kernel is changed in one place at a time: an s_waitcnt goes or becomes weaker, an s_barrier goes, an s_nop goes or
becomes shorter, a wait or a barrier changes places with its neighbour, a wait for vector memory goes after the next barrier, half of the waves run
one barrier after the others from some instruction on. Pairs: what a wait makes sure of happens twice, and the wait makes sure of the first
time only; two loads bring what they load to one register. LDS DMA: M0 keeps its value, an offset is another one's, scalar constants are
halved or none, so that rings have too few buffers or the wrong parity. --random makes N programs with several operations in flight to the same few
places, and mutants of them.
The mutant is run with --check=all. Whether what it lost was needed is judged by scripts/mutation/reference.py
and waitstates.py from a trace of the kernel as it was, for pairs and LDS DMA of the mutant itself. With --verify, `inflight waits` judges it as well: it has to notice what is
wrong because an operation is still in flight, but not barriers that are missing between accesses that were waited for.
Exit status 1 if a needed one is not found, or if something is found in a kernel as it was.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "mutation"))
sys.dont_write_bytecode = True
import cases as sources  # noqa: E402
from program import Program  # noqa: E402
from reference import Reference  # noqa: E402
from waitstates import WaitStates  # noqa: E402

ORDER_RULES = {"in-flight", "race", "write-after-read"}  # of programs whose values mean nothing
ALL_RULES = ORDER_RULES | {"hazard", "hazard-advice", "memory", "uninitialised", "barrier", "error"}
LONGEST_TRACE = 200_000_000  # bytes; rings with wrong constants may run for long
STEPS = 3_000_000  # instructions of a launch beyond which it takes too long to judge


def launch(inflight, code, options, prefix, extra):
    """(status, error text, results of all buffers); mutants may fault or never end."""
    outputs = []
    buffers = [i for i, spec in enumerate(w for o, w in zip(options, options[1:]) if o == "--arg")
               if spec.endswith(".npy") or spec.split(":")[0] in ("zeros", "random", "arange")]
    command = [inflight, "run", code, "--threads", "1"] + options + extra
    for index in buffers:
        path = f"{prefix}.out{index}.npy"
        if os.path.exists(path):
            os.remove(path)
        command += ["--out", f"{index}={path}"]
        outputs.append(path)
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "timeout", "", "", []
    return result.returncode, result.stdout, result.stderr, [open(p, "rb").read() if os.path.exists(p) else None for p in outputs]


def judge(case, options, work):
    """All mutants of a case: [(kind, mutant, why needed, rules found, whether results differ)] and complaints."""
    inflight = options.inflight
    program = Program(inflight, case.code, case.text)
    prefix = os.path.join(work, case.name.replace(" ", "_"))
    complaints, references, states = [], [], []
    half = None # of the waves of a workgroup; blocks of several dimensions number them otherwise
    for words in case.launches[:1]:
        block = words[words.index("--block") + 1].split(",") if "--block" in words else ["64"]
        if all(extent == "1" for extent in block[1:]) and int(block[0]) > 64:
            half = (int(block[0]) + 63) // 64 // 2
    for number, words in enumerate(case.launches):
        trace = f"{prefix}.trace"
        status, output, errors, result = launch(inflight, case.code, words, prefix, ["--stats"])
        executed = int(errors.split(" waves, ")[1].split()[0]) if " waves, " in errors else 0
        if status != 0 or executed > STEPS:
            complaints.append(f"{case.name}: launch {number} left out: " + (f"{executed} instructions" if status == 0 else errors[:300]))
            continue
        status, output, errors, result = launch(inflight, case.code, words, prefix, ["--trace", trace, "--check=all,hazard-advice", "--delivery", options.delivery, "--format=json"])
        reference = Reference(program, trace, half or 1)
        os.remove(trace)
        why = reference.reason()
        if case.may_be_wrong:
            rules = rules_of(output, status) & ORDER_RULES
            if why or rules:
                return case.name, [("random program", "as it is", why, sorted(rules), False, None)], []
            status = 0
        if status != 0:
            complaints.append(f"{case.name}: FOUND in the kernel as it is: {output[:1500]}{errors[:300]}")
        if why:
            complaints.append(f"{case.name}: WRONG by the reference as it is: {why}")
        references.append((words, reference, result, executed))
        states.append(WaitStates(program, reference))
        if states[-1].missing():
            complaints.append(f"{case.name}: WRONG by the reference as it is: {states[-1].missing()}")
    mutants = [m for m in program.mutants() if not (case.may_be_wrong and m.kind.startswith("nop")) and any(m.number in r.executed for _, r, _, _ in references)]
    if half and references and all(r.waves() > 1 for _, r, _, _ in references) and len({r.entry() for _, r, _, _ in references}) == 1:
        mutants += program.shifts(set.intersection(*(r.once() for _, r, _, _ in references)), references[0][1].entry(), half)
    verifies = options.verify and not subprocess.run([inflight, "waits", case.code], capture_output=True).returncode
    if options.verify and not verifies:
        complaints.append(f"{case.name}: verify left out: it doesn't pass as it is")
    if options.sample and len(mutants) > options.sample:
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    found = []
    for mutant in mutants:
        path = prefix + ".mutant.hsaco"
        program.assemble(mutant, path)
        why, rules, differs, verdict = None, set(), False, None
        if verifies and not mutant.kind.startswith("nop"):
            in_flight = any(mutant.number in r.executed and r.reason(mutant) and not r.reason(mutant, in_flight=False) for _, r, _, _ in references)
            verdict = (in_flight, {0: "clean", 1: "certain", 4: "undecided"}.get(subprocess.run([inflight, "waits", path], capture_output=True).returncode, "error"))
        for (words, reference, result, executed), wait in zip(references, states):
            if mutant.number not in reference.executed:
                continue
            trace = prefix + ".mutant.trace"
            status, output, errors, got = launch(inflight, path, words, prefix,
                                                 ["--check=all,hazard-advice", "--delivery", options.delivery, "--format=json", "--max-steps", str(10 * executed + 100000)] +
                                                 ([] if mutant.others is None else ["--trace", trace]))
            if mutant.others is None:
                why = why or (None if mutant.kind.startswith("nop") else reference.reason(mutant)) or wait.missing(mutant)
            elif not why and os.path.getsize(trace) < LONGEST_TRACE:
                why = Reference(Program(inflight, path, open(path + ".s").read()), trace, half or 1).reason()
            rules |= rules_of(output, status) & (ORDER_RULES if case.may_be_wrong or mutant.others is not None else ALL_RULES)
            differs |= mutant.others is None and (got != result or status not in (0, 1))
        note = annotation(program, mutant)
        if note is not None and note != bool(why):
            complaints.append(f"{case.name}: {mutant}: its comment says {'needed' if note else 'not needed'}, the reference says {why}")
        found.append((mutant.kind, str(mutant), why, sorted(rules), differs, verdict))
    return case.name, found, complaints


def rules_of(output, status):
    try:
        return {f["rule"] for f in json.loads(output)["findings"]}
    except ValueError:
        return {"error"} if status else set()


def annotation(program, mutant):
    """What a handwritten kernel says of the line: `// needed` or `// not needed`."""
    comment = program.lines[mutant.line].partition("//")[2].strip()
    if not mutant.kind.endswith("removed"):
        return None
    return False if comment.startswith("not needed") else True if comment.startswith("needed") else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    for name in ("examples", "kernels", "handwritten", "verify", "verbose"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("--code-objects")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="programs, which --seed chooses")
    parser.add_argument("--chip", default="gfx90a,gfx942,gfx950")
    parser.add_argument("--level", default="0,1,3")
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=0, help="mutants of a kernel, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delivery", default="latest")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.inflight = os.path.join(options.build, "bin", "inflight")
    chips, only = options.chip.split(","), [n for n in options.only.split(",") if n]
    totals = collections.defaultdict(collections.Counter)
    verdicts = collections.defaultdict(collections.Counter)
    failed, kernels = False, 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as work, \
            concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        def all_cases():
            if options.handwritten:
                yield from sources.handwritten(options.inflight, work)
            if options.random:
                yield from sources.random_programs(options.inflight, work, chips, options.seed, options.random)
            if options.examples:
                yield from sources.examples(options.inflight, work, chips)
            if options.code_objects:
                yield from sources.examples(options.inflight, work, chips, options.code_objects)
            if options.kernels:
                yield from sources.compiled_kernels(options.inflight, work, chips, options.level.split(","), only)

        running = [pool.submit(judge, case, options, work) for case in all_cases() if not only or case.name.split(" ")[-1].split(".")[0] in only]
        for future in running:
            name, found, complaints = future.result()
            kernels += 1
            for complaint in complaints:
                failed |= "left out" not in complaint
                print(complaint)
            for kind, mutant, why, rules, differs, verdict in found:
                if verdict and (verdict[0] or not why):
                    verdicts[kind][verdict] += 1
                    if verdict == (True, "clean"):
                        failed = True
                        print(f"{name}: VERIFY misses: {mutant}\n  needed: {why}")
                count = totals[kind]
                count["mutants"] += 1
                if why:
                    count["needed"] += 1
                    count["found" if rules else "wrong result only" if differs else "neither"] += 1
                    for rule in rules:
                        count["by " + rule] += 1
                    if not rules:
                        failed = True
                        print(f"{name}: NOT FOUND: {mutant}\n  needed: {why}" + ("; the result differs" if differs else ""))
                elif rules or differs:
                    count["found, not needed" if rules else "differs, not needed"] += 1
                    print(f"{name}: NOT NEEDED by the reference: {mutant}\n  found: {', '.join(rules) or 'nothing, but the result differs'}")
                if options.verbose:
                    print(f"{name}: {mutant}: {why or 'not needed'}: {', '.join(rules) or '-'}")
            sys.stdout.flush()
    columns = ["mutants", "needed", "found", "wrong result only", "neither", "found, not needed", "differs, not needed"]
    print(f"\n{kernels} kernels\n{'':24}" + "".join(f"{c:>20}" for c in columns))
    everything = collections.Counter()
    for kind, count in sorted(totals.items()):
        everything.update(count)
        print(f"{kind:24}" + "".join(f"{count[c]:20}" for c in columns))
    print(f"{'all':24}" + "".join(f"{everything[c]:20}" for c in columns))
    if everything["needed"]:
        print(f"{100 * everything['found'] / everything['needed']:.2f} % of the needed ones found: " +
              ", ".join(f"{k[3:]} {n}" for k, n in sorted(everything.items()) if k.startswith("by ")))
    if verdicts:
        columns = [(needed, what) for needed in (True, False) for what in ("certain", "undecided", "clean", "error")]
        print(f"\n{'by verify':24}" + "".join(f"{('needed, ' if n else 'not, ') + w:>20}" for n, w in columns))
        for kind, count in sorted(verdicts.items()):
            print(f"{kind:24}" + "".join(f"{count[c]:20}" for c in columns))
    return failed


if __name__ == "__main__":
    sys.exit(main())
