"""schemas_run.py FOLDER SOURCE CLANG: runs each verb that prints JSON on several inputs and checks what it prints against the schemas.
schemas_run.py FOLDER --one NAME TEXT: checks a text."""
import glob
import json
import os
import re
import subprocess
import sys

from schemas import Schemas

schemas = Schemas(sys.argv[1])
# Keys that no input here has: what tune writes (tests/python/test_tune.py checks that), and limits (tests/lit/waits/limits.test).
ELSEWHERE = ("trial/", "tuned/", "finding/limit")


def inflight(*words):
    """What is printed. Findings, differences and what is undecided are no failure."""
    run = subprocess.run(["inflight", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1, 4) or run.returncode and "inflight: error: " in run.stderr:
        sys.exit(f"inflight {' '.join(words)}: {run.stderr}")
    return run.stdout


def check(name, *words):
    schemas.check(name, json.loads(inflight(*words)), "inflight " + " ".join(words))


def check_lines(name, file):
    for line in open(file):
        schemas.check(name, json.loads(line), file)


def compiled(source, made, *options):
    inflight("compile", source, "-o", made, *options)
    return made


def objects(root, clang):
    made = [compiled(f"{root}/examples/{name}.mlir", f"{os.path.basename(name)}.{chip}.hsaco", f"-mcpu={chip}")
            for chip, name in (("gfx942", "vadd/vadd"), ("gfx950", "softmax/softmax"), ("gfx90a", "layernorm/layernorm"), ("gfx942", "gemm/gemm_f16_128_double"))]
    for source in (f"{root}/docs/advise/transpose.cl", f"{root}/tests/lit/checks/racy.cl"):
        made.append(os.path.basename(source) + ".hsaco")
        subprocess.run([clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-x", "cl", "-cl-std=CL2.0", "-O1", "-g", "-nogpulib", source, "-o", made[-1]], check=True,
                       stderr=subprocess.DEVNULL)
    return made


def waits(root, files, clang):
    everything = ["--verify", "--report", "--price", "--hazards", "-Wall", "--format=json"]
    without_prices = [word for word in everything if word != "--price"]
    for folder in ("tests/checks", "tests/lit/waits", "tests/lit/waits/Inputs", "docs/waits"):
        for file in sorted(glob.glob(f"{root}/{folder}/*.s")):
            text = open(file).read()
            has_prices = not re.search('amdgcn_target ".*--gfx1', text)
            check("waits", "waits", *([] if ".amdgcn_target" in text else ["-mcpu=gfx942"]), *(everything if has_prices else without_prices), file)
    subprocess.run([clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx1250", "-g", "-nogpulib", "-x", "assembler", f"{root}/tests/lit/waits/unjudged.s", "-o",
                    "unjudged.hsaco"], check=True, stderr=subprocess.DEVNULL)
    check("waits", "waits", *without_prices, "unjudged.hsaco")
    check("waits", "waits", *everything, *files)
    check("waits", "waits", "--format=json", *files)
    with open("waits.jsonl", "w") as out:
        out.write(inflight("waits", "--format=jsonl", *files, f"{root}/tests/lit/waits/Inputs/calls.s"))
        unusable = subprocess.run(["inflight", "waits", "--format=jsonl", "nothing.s"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        out.write(unusable.stdout)
        compiled = [file for file in files if file.endswith(".hsaco")][0]
        with open("known", "w") as known:
            known.writelines(json.loads(line)["code_sha256"] + "\n" for line in inflight("waits", "--format=jsonl", compiled).splitlines())
        out.write(inflight("waits", "--format=jsonl", "--known=known", compiled))
    check_lines("waits-line", "waits.jsonl")
    check("waits", "waits", "--report", "--format=json", files[0])
    inflight("waits", "--relax", f"{root}/docs/waits/double-buffer.s", "-o", "relaxed.s")
    check("waits-diff", "waits", "--diff", "-Wall", "--format=json", f"{root}/docs/waits/double-buffer.s", "relaxed.s")
    check("waits-diff", "waits", "--diff", "-Wall", "--format=json", "relaxed.s", f"{root}/docs/waits/double-buffer.s")
    # Waits that count on latency, and code that is too far away to look at all of it.
    header, adds = '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nk:\nds_read_b32 v4, v0\n', ".rept {}\nv_add_u32_e32 v1, v1, v1\n.endr\n"
    end = "v_mov_b32_e32 v3, v4\ns_endpgm\n" + open(f"{root}/tests/lit/waits/Inputs/k.descriptor").read()
    open("late.s", "w").write(header + adds.format(100) + end)
    open("far.s", "w").write(header + "s_waitcnt lgkmcnt(0)\n" + adds.format(70000) + end)
    check("waits", "waits", *everything, "late.s")
    check("waits", "waits", "--report", "--format=json", "far.s")
    # Wait states that are missing and those that nobody wants; a wait that counts on how long what stands between takes.
    for file in sorted(glob.glob(f"{root}/tests/checks/*.s")):
        text = re.sub(r"^\s*s_nop.*$", "", open(file).read(), flags=re.M)
        open("no-nops.s", "w").write(text.replace("s_endpgm", "s_nop 3\n  s_endpgm"))
        check("waits", "waits", "--report", "--verify", "--hazards", "-Wall", "--format=json", "no-nops.s")


def runs(root):
    """The handwritten kernels, as they are and without their waits or barriers."""
    for file in sorted(glob.glob(f"{root}/tests/checks/*.s")):
        text = open(file).read()
        launch = re.search(r"^// run: (.*)", text, re.M)[1].split()
        for number, pattern in enumerate((None, r"^\s*s_waitcnt.*$", r"^\s*s_barrier.*$")):
            open("run.s", "w").write(re.sub(pattern, "", text, flags=re.M) if pattern else text)
            inflight("asm", "run.s", "-o", "run.hsaco")
            check("findings", "run", "run.hsaco", *launch, "--check=all", "--format=json")
    check("findings", "run", "racy.cl.hsaco", "--block=128", "--arg=zeros:128:i32", "--arg=arange:128:i32", "--check=all", "--format=json")


VADD = ["vadd.gfx942.hsaco", "--grid=4", "--arg=random:1000:f32:1", "--arg=random:1000:f32:2", "--arg=zeros:1000:f32"]
TRANSPOSE = ["transpose.cl.hsaco", "--grid=32,32", "--arg=random:1024x1024:f32:1", "--arg=zeros:1024x1024:f32"]


def times():
    # One that is like launches that were measured.
    inflight("asm", "-mcpu=gfx950", f"{sys.argv[2]}/tests/lit/formats/Inputs/matrix.s", "-o", "matrix.hsaco")
    for verb, *words in (["run", "--timed"], ["advise"]):
        check("time" if verb == "run" else verb, verb, *words, "--format=json", "matrix.hsaco", "--grid=256", "--block=64")
    for words in (VADD, TRANSPOSE):
        check("time", "run", "--timed", "--format=json", *words)
        check("time", "run", "--timed", "--sample=1", "--format=json", *words)
        check("advise", "advise", "--format=json", *words)
        check("trace", "trace", "--report=json", *words)
        check("trace", "trace", "--report=json", "--metrics=json", *words)
        check("trace", "trace", "--metrics=json", *words)
    check("trace", "trace", "--report=json", "run.events")
    inflight("trace", "run.events", "--viewer=view")
    check("trace", "trace", "run.events", "--against=view", "--report=json")
    check("trace", "trace", "run.events", "--against=view", "--metrics=json")
    check("probe", "probe", "slots", "clock", "lds-queue", "smem-issue", "lds", "--format=json")
    check("probe", "probe", "chase", "-mcpu=gfx950", "--format=json")


def builds(files):
    """Two folders, with a kernel that is new, one that is gone, one that is worse and a budget that is broken."""
    for folder in ("old", "new"):
        os.makedirs(folder, exist_ok=True)
    copy = lambda file, to: open(to, "wb").write(open(file, "rb").read())
    for number, file in enumerate(files[:3]):
        if number != 1:
            copy(file, f"old/{file}")
        if number != 2:
            copy(file, f"new/{file}")
    copy(files[3], "old/gemm.hsaco")
    inflight("dis", "-o", "gemm.s", files[3])
    open("slow.s", "w").write(open("gemm.s").read().replace("s_barrier", "s_waitcnt vmcnt(0)\n\ts_barrier"))
    inflight("asm", "slow.s", "-o", "new/gemm.hsaco")
    open("budget.json", "w").write('{"*": {"vgprs": 1, "waits": "+0%"}}')
    check("diff", "diff", "--format=json", "--budget=budget.json", "old", "new")
    check("diff", "diff", "--format=json", "--no-price", "old", "old")
    open("renamed.s", "w").write(re.sub(r"\b(gemm\w*)", r"\1_again", open("slow.s").read()))
    inflight("asm", "renamed.s", "-o", "renamed.hsaco")
    check("diff", "diff", "--format=json", "--no-price", "old/gemm.hsaco", "renamed.hsaco")


def launches():
    inflight("exec", "--record=recording", "--", "./program")
    for what, words in (("plain", []), ("timed", ["--timed", "--timeline=timeline.json"]), ("checked", ["--check=all"])):
        inflight("exec", *words, f"--log=exec.{what}", "--", "./program", *(["more"] if what == "checked" else []))
        inflight("replay", *words, f"--log=replay.{what}", "recording")
        check_lines("launch", f"exec.{what}")
        check_lines("launch", f"replay.{what}")


def main(root, clang):
    files = objects(root, clang)
    inflight("asm", f"{sys.argv[2]}/tests/lit/formats/Inputs/newer.s", "-o", "newer.hsaco")
    inflight("asm", "-mcpu=gfx1201", f"{sys.argv[2]}/tests/lit/formats/Inputs/small-waves.s", "-o", "small-waves.hsaco")
    check("info", "info", "--format=json", "newer.hsaco", "small-waves.hsaco", *files)
    check("info", "info", "--format=json", "--kernel=vadd", files[0])
    waits(root, files, clang)
    runs(root)
    times()
    builds(files)
    launches()
    for name, count in schemas.checked.items():
        print(name, count)
    unseen = [key for key in schemas.unseen() if not key.startswith(ELSEWHERE)]
    print("keys that nothing had: " + ", ".join(unseen) if unseen else "every key was there")


if sys.argv[2] == "--one":
    schemas.check(sys.argv[3], json.loads(sys.argv[4]), "the text")
else:
    main(*sys.argv[2:])
