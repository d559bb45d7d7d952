"""examples.py INFLIGHT [CHIP]: runs every example with time and looks at every output. What instructions spent must add up to what their waves did,
waits must be explained by the operations they waited for, and files must be whole (tests/lit/trace/Inputs)."""
import glob, json, os, subprocess, sys, tempfile

inflight, chip = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "gfx942"
here = os.path.dirname(os.path.abspath(__file__))
examples, checks = os.path.join(here, "../../examples"), os.path.join(here, "../lit/trace/Inputs")
failures = count = 0

def look(example, folder):
    source = os.path.join(examples, folder, example["file"])
    subprocess.run([inflight, "compile", "-mcpu=" + chip, source, "-o", "kernel.hsaco"], check=True)
    command = [inflight, "trace", "kernel.hsaco", "--kernel", example["kernel"], "--cus", "2", "--report=json", "--metrics=json",
               "--viewer", "viewer", "--perfetto", "run.json", "--html", "run.html", "--events", "run.events"]
    for option in ("grid", "block"):
        command += ["--" + option, ",".join(map(str, example[option]))]
    for argument in example["args"]:
        command += ["--arg", argument]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # Between pipes, before the first instruction and while stores are acknowledged a wave has none to issue.
    causes = report["causes"]
    assert sum(causes.values()) == report["wave_cycles"] == causes.get("no issue", 0) + sum(line["cycles"] for line in report["code"])
    for line in report["code"]:
        waited = line["causes"].get("waitcnt", 0)
        if line["instruction"].startswith("s_waitcnt"):
            assert waited == sum(wait["cycles"] for wait in line.get("waited_for", [])), line
    exposed = sum(line.get("memory", {}).get("exposed_cycles", 0) for line in report["code"])
    assert exposed == sum(wait["cycles"] for line in report["code"] for wait in line.get("waited_for", []))
    for table in report["metrics"].values():
        for name, metric in table.items():
            assert metric["unit"] not in ("pct", "Pct of Peak") or metric["value"] is None or 0 <= metric["value"] <= 100.001, (name, metric)
    for check, file in (("check_viewer.py", "viewer"), ("check_perfetto.py", "run.json")):
        subprocess.run(["/usr/bin/python3", os.path.join(checks, check), file], check=True, capture_output=True)

with tempfile.TemporaryDirectory() as directory:
    os.chdir(directory)
    for path in sorted(glob.glob(examples + "/*/example.json")):
        for example in json.load(open(path)):
            if chip not in example["targets"]:
                continue
            count += 1
            try:
                look(example, os.path.dirname(path))
            except (AssertionError, subprocess.CalledProcessError) as problem:
                failures += 1
                error = getattr(problem, "stderr", "") or ""
                print(f"{example['kernel']}: {problem}\n{error if isinstance(error, str) else error.decode()}")
print(f"{count} examples, {failures} failures")
sys.exit(failures != 0 or count == 0)
