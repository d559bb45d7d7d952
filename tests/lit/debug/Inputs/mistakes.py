"""mistakes.py DIRECTORY FILE: runs squares.hsaco there with each value that FILE lists, `KIND STATUS VALUE: MESSAGE`."""
import re, subprocess, sys

kinds = {"BREAK": ("squares.hsaco", "--break"), "PLAIN": ("plain.hsaco", "--break"), "DUMP": ("squares.hsaco", "--dump"),
         "WATCH": ("squares.hsaco", "--watch")}
wrong = count = 0
for kind, status, value, message in re.findall(r"^([A-Z]+) (\d) (\S+): (.*)$", open(sys.argv[2]).read(), re.M):
    file, option = kinds[kind]
    run = subprocess.run(["inflight", "run", file, "--grid", "3", "--arg", "zeros:384:i32", f"{option}={value}"], cwd=sys.argv[1],
                         capture_output=True, text=True)
    count += 1
    if run.returncode != int(status) or message not in run.stderr or run.stdout:
        wrong += 1
        print(f"{option} {value}: status {run.returncode}, {run.stderr}{run.stdout}", file=sys.stderr)
sys.exit(wrong > 0 or count < 5)
