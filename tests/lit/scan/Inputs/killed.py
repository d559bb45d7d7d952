"""killed.py FOLDER: scans that are killed or have no room, and files at which the analysis is, or that change meanwhile."""
import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time

folder = os.path.join(sys.argv[1], "killed")
tree = os.path.join(folder, "tree")
os.makedirs(tree)
text = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "waits", "Inputs", "calls.s")).read()
for i in range(40):
    with open(os.path.join(tree, f"{i:02}.s"), "w") as out:
        out.write(text + f"; {i}\n" * (i + 1))

# A command that says which files it was given, takes its time, and dies where it is told to.
command = os.path.join(folder, "inflight")
with open(command, "w") as out:
    out.write(f"""#!{sys.executable}
import os, signal, subprocess, sys, time
words = sys.argv[1:]
if words[0] != "waits":
    os.execvp("inflight", ["inflight", *words])
files = words[words.index("--") + 1:]
for file in files:
    if file.endswith(os.environ.get("DIES_AT", "nowhere")):
        os.kill(os.getpid(), signal.SIGKILL)
    open({folder!r} + "/log", "a").write(file + "\\n")
    if file.endswith(os.environ.get("CHANGES", "nowhere")):
        open(file, "a").write("; more\\n")
    subprocess.run(["inflight", *words[:words.index("--")], file])
    time.sleep(float(os.environ.get("TAKES", "0")))
""")
os.chmod(command, os.stat(command).st_mode | stat.S_IXUSR)


def scan(store, room=None, **environment):
    files = "\0".join(sorted(os.path.join(tree, name) for name in os.listdir(tree)))
    process = subprocess.Popen([sys.executable, "-m", "inflight_scan", f"--store={folder}/{store}", "--jobs=2", "--", tree], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                               preexec_fn=room and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))),
                               env={**os.environ, "INFLIGHT_COMMAND": command, **environment})
    process.stdin.write(files)
    process.stdin.close()
    return process


def rows(store, text):
    return sqlite3.connect(f"{folder}/{store}").execute(text).fetchall()


def log():
    return open(f"{folder}/log").read().split()


whole = scan("whole.db")
said = whole.stdout.read()
assert whole.wait() == 1, said
os.remove(f"{folder}/log")
killed = scan("a.db", TAKES="0.2")
while not os.path.exists(f"{folder}/log") or len(log()) < 6:
    time.sleep(0.05)
os.killpg(killed.pid, signal.SIGKILL)
killed.wait()
begun = len(log())
kept = rows("a.db", "SELECT count(*) FROM contents")[0][0]
assert 0 < kept < 40 and begun - kept <= 2, (begun, kept)
again = scan("a.db")
assert again.wait() == 1, again.stdout.read()
assert len(log()) - begun == 40 - kept, (len(log()), begun, kept)
every = "SELECT f.path, p.status, c.rule, c.number FROM files f JOIN programs p USING(content) JOIN counts c ON c.program=p.id WHERE scan=(SELECT max(id) FROM scans) ORDER BY 1, 3"
assert rows("a.db", every) == rows("whole.db", every)
print("killed, went on, the same")

dies = scan("b.db", DIES_AT="07.s")
said = dies.stdout.read()
assert dies.wait() == 2 and "07.s: inflight waits ended: signal 9" in said and "39 with findings" in said, said
again = scan("b.db")
said = again.stdout.read()
assert again.wait() == 1 and "1 analysed, 39 known" in said, said
print("named, tried again")

changes = scan("c.db", CHANGES="11.s")
said = changes.stdout.read()
assert changes.wait() == 2 and "11.s: changed while it was read" in said and "39 with findings" in said, said
again = scan("c.db")
said = again.stdout.read()
assert again.wait() == 1 and "1 analysed, 39 known" in said, said
print("changed, named, read again")

full = scan("d.db", room=200000)
said = full.stdout.read()
assert full.wait() == 2 and "what is in the store stays, and the next scan goes on from there" in said, said
kept = rows("d.db", "SELECT count(*) FROM contents")[0][0]
assert 0 < kept < 40, kept
again = scan("d.db")
said = again.stdout.read()
assert again.wait() == 1 and f"{40 - kept} analysed, {kept} known" in said, said
assert rows("d.db", "PRAGMA integrity_check") == [("ok",)]
print("full, went on")
