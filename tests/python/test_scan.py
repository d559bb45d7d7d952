"""inflight scan: the same store from PostgreSQL, Dask and Ray as from one process and SQLite; workers that are killed lose nothing."""
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time

import pytest
from servers import postgres  # noqa: F401

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INFLIGHT = os.environ.get("INFLIGHT_COMMAND", os.path.join(ROOT, "build", "bin", "inflight"))
FILES = 12
EVERY = ("SELECT f.path, p.status, c.rule, c.number, n.message FROM files f JOIN programs p ON p.content=f.content "
         "JOIN counts c ON c.program=coalesce(p.twin, p.id) JOIN findings n ON n.program=c.program AND n.rule=c.rule "
         "WHERE scan=(SELECT max(id) FROM scans) ORDER BY 1, 3, 5")


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    folder.mkdir()
    text = open(os.path.join(ROOT, "tests", "lit", "waits", "Inputs", "calls.s")).read()
    for i in range(FILES):
        (folder / f"{i:02}.s").write_text(text + f"; {i}\n")
    return folder


def start(tree, *words, command=INFLIGHT):
    process = subprocess.Popen([sys.executable, "-m", "inflight_scan", *words, "--", str(tree)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, cwd=tree.parent,
                               env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "python"), "INFLIGHT_COMMAND": str(command)})
    process.stdin.write("\0".join(sorted(map(str, tree.iterdir()))))
    process.stdin.close()
    return process


def scan(tree, *words, status=1, command=INFLIGHT):
    process = start(tree, *words, command=command)
    said = process.stdout.read()
    assert process.wait() == status, said
    return said


def rows(folder, store, text=EVERY):
    return sqlite3.connect(folder / store).execute(text).fetchall()


def slow_command(folder):
    """Says which files it was given, and by whom."""
    command = folder / "inflight"
    command.write_text(f"""#!{sys.executable}
import os, sys, time
words = sys.argv[1:]
if words[0] == "waits":
    open({str(folder)!r} + "/log", "a").write(words[-1] + " " + str(os.getppid()) + "\\n")
    time.sleep(0.5)
os.execv({INFLIGHT!r}, [{INFLIGHT!r}, *words])
""")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return command


def log(folder):
    return [line.split() for line in open(folder / "log")] if (folder / "log").exists() else []


def check_cluster(tmp_path, tree, workers):
    scan(tree, "--store=one.db")
    process = start(tree, "--store=many.db", f"--workers={workers}", "--jobs=2", command=slow_command(tmp_path))
    while len(log(tmp_path)) < 4:
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.05)
    os.kill(int(log(tmp_path)[-1][1]), signal.SIGKILL)
    said = process.stdout.read()
    assert process.wait() == 1 and f"{FILES} analysed" in said, said
    assert rows(tmp_path, "many.db") == rows(tmp_path, "one.db")
    assert len(log(tmp_path)) <= FILES + 1, log(tmp_path)
    assert f"0 analysed, {FILES} known" in scan(tree, "--store=many.db", f"--workers={workers}", command=tmp_path / "inflight")


def test_dask(tmp_path, tree):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        check_cluster(tmp_path, tree, f"dask:{cluster.scheduler_address}")


def test_ray(tmp_path, tree):
    pytest.importorskip("ray")
    check_cluster(tmp_path, tree, "ray")


def test_no_cluster(tmp_path, tree):
    pytest.importorskip("distributed")
    assert "no Dask scheduler at 'tcp://localhost:1'" in scan(tree, "--workers=dask:tcp://localhost:1", status=2)
    assert "--workers takes dask, dask:SCHEDULER, ray or ray:ADDRESS, not 'slurm'" in scan(tree, "--workers=slurm", status=2)


def test_postgres(tmp_path, tree, postgres):  # noqa: F811
    driver = pytest.importorskip("psycopg")
    scan(tree, "--store=one.db")
    scan(tree, f"--store={postgres}")
    with driver.connect(postgres) as base:
        assert base.execute(EVERY).fetchall() == rows(tmp_path, "one.db")
    (tree / "00.s").write_text((tree / "00.s").read_text().replace("v_mul_f32_e32", "v_sub_f32_e32"))
    said = scan(tree, f"--store={postgres}", "--since=last", "--format=json")
    assert '"analysed": 1' in said and f'"known": {FILES - 1}' in said, said
    with driver.connect(postgres) as base:
        base.execute("UPDATE store SET format=99")
    assert "isn't a store of this version: its format is 99, not 2" in scan(tree, f"--store={postgres}", status=2)
    assert "cannot use '/none?host=" in scan(tree, "--store=" + postgres.replace("/postgres?", "/none?"), status=2)


def test_parquet(tmp_path, tree):
    parquet = pytest.importorskip("pyarrow.parquet")
    scan(tree, "--store=one.db", "--parquet=tables")
    for name, in rows(tmp_path, "one.db", "SELECT name FROM sqlite_master WHERE type='table'"):
        table = parquet.read_table(tmp_path / "tables" / f"{name}.parquet")
        assert [tuple(row.values()) for row in table.to_pylist()] == rows(tmp_path, "one.db", f"SELECT * FROM {name}"), name
