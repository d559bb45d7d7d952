"""inflight tune: searched, resumed, checked, on SQLite, PostgreSQL and a Dask cluster."""
import json
import os
import subprocess
import sys

import pytest

from servers import postgres  # noqa: F401

pytest.importorskip("optuna")

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEMPLATE = os.path.join(ROOT, "examples", "gemm", "tune.py")
SMALL = ["-mcpu=gfx942", "--set=size=256x256x256", "--sample=1", "--jobs=1", "--seed=1"]


def tune(folder, *words, template=TEMPLATE, fails=False):
    run = subprocess.run([sys.executable, "-m", "inflight.tune", str(template), *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "python")}, timeout=600)
    assert (run.returncode != 0) == fails, run.stdout
    return run.stdout


def lines(file):
    return [json.loads(line) for line in open(file, encoding="utf-8")]


def inflight(*words):
    return subprocess.run([os.path.join(ROOT, "build", "bin", "inflight"), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout


def check_schema(name, *values):
    """All of the keys are those of data/schemas."""
    pytest.importorskip("jsonschema")
    sys.path.insert(0, os.path.join(ROOT, "tests", "lit", "support"))
    from schemas import Schemas

    schemas = Schemas(os.path.join(ROOT, "data", "schemas"))
    for value in values:
        schemas.check(name, value, name)


def test_finds_compiles_and_goes_on(tmp_path):
    text = tune(tmp_path, *SMALL, "--trials=8", "--jsonl=a.jsonl", "--html=a.html", "-o", "best.json")
    trials = lines(tmp_path / "a.jsonl")
    timed = [trial for trial in trials if trial["state"] == "timed"]
    assert len(trials) == 8 and timed
    best = json.load(open(tmp_path / "best.json", encoding="utf-8"))
    assert best["microseconds"] == min(trial["microseconds"] for trial in timed)
    assert f"{best['microseconds']:.2f}" in text
    assert "<svg" in (tmp_path / "a.html").read_text()
    check_schema("trial", *trials)
    check_schema("tuned", best)

    # What it found is what compile makes of it.
    inflight("compile", f"--tuned={tmp_path}/best.json", "-o", f"{tmp_path}/best.hsaco")
    words = ["--grid=" + ",".join(map(str, best["grid"]))] + ["--arg=" + one for one in best["args"]]
    again = json.loads(inflight("run", "--timed", "--format=json", "--sample=1", f"{tmp_path}/best.hsaco", *words))
    assert again["microseconds"] == pytest.approx(best["microseconds"])

    # Two more trials, and the eight from before.
    tune(tmp_path, *SMALL, "--trials=10", "--jsonl=b.jsonl")
    assert len(lines(tmp_path / "b.jsonl")) == 10
    assert lines(tmp_path / "b.jsonl")[:8] == trials


def small_template(tmp_path, text):
    file = tmp_path / "template.py"
    file.write_text(text)
    return file


VADD = open(os.path.join(ROOT, "examples", "vadd", "vadd.mlir"), encoding="utf-8").read()
LAUNCH = '"grid": [4], "args": ["random:1000:f32:1", "random:1000:f32:2", "zeros:1000:f32"]'


def test_small_spaces_are_tried_whole_and_failures_are_told(tmp_path):
    template = small_template(tmp_path, f"""
mlir = {VADD!r}
parameters = {{"what": ["good", "impossible", "broken", "fault"]}}
def candidate(chip, what):
    if what == "impossible":
        raise ValueError("of no use")
    args = ["random:1000:f32:1", "random:10:f32:2" if what == "fault" else "random:1000:f32:2", "zeros:1000:f32"]
    return {{"mlir": "no MLIR" if what == "broken" else mlir, "grid": [4], "args": args}}
""")
    text = tune(tmp_path, "--trials=20", "--sample=0", "--jobs=2", "--jsonl=all.jsonl", template=template)
    why = {trial["parameters"]["what"]: trial.get("why", "") for trial in lines(tmp_path / "all.jsonl")}
    assert why.keys() == {"good", "impossible", "broken", "fault"}
    check_schema("trial", *lines(tmp_path / "all.jsonl"))
    assert why["good"] == "" and "of no use" in why["impossible"] and "error" in why["broken"] and "outside" in why["fault"]
    assert "4 trials of 4 choices: 1 timed, 1 left early, 2 failed" in text


def test_what_fails_its_check_doesnt_win(tmp_path):
    template = small_template(tmp_path, f"""
mlir = {VADD!r}
parameters = {{"n": [1000, 2000]}}
def launch(n, behind):
    return {{"mlir": mlir, "grid": [n // 250], "args": [f"random:{{n - behind}}:f32:1", f"random:{{n}}:f32:2", f"zeros:{{n}}:f32"]}}
def candidate(chip, n):
    return {{**launch(n, 0), "check": launch(n, 1 if n == 1000 else 0)}}
""")
    text = tune(tmp_path, "--trials=2", "--sample=0", "--jobs=1", "-o", "out.json", template=template)
    best = json.load(open(tmp_path / "out.json", encoding="utf-8"))
    assert best["parameters"] == {"n": 2000} or "is out" not in text


@pytest.mark.parametrize("text, message", [
    ("parameters = 3", "no 'parameters'"),
    ("parameters = {'a': [1]}", "no function 'candidate'"),
    ("raise OSError('gone')", "OSError: gone"),
    ("parameters = {'a': [1]}\ndef candidate(chip, a):\n  return 3", "returned int, not a dict"),
    ("parameters = {'a': [1]}\ndef candidate(chip, a):\n  return {'mlir': '', 'grid': [1], 'args': [], 'blok': 2}", "unknown blok"),
    ("parameters = {'a': [1]}\ndef candidate(chip, a):\n  return {'mlir': ''}", "no args, grid"),
])
def test_bad_templates(tmp_path, text, message):
    assert message in tune(tmp_path, template=small_template(tmp_path, text), fails=True)


def test_values_of_settings(tmp_path):
    template = small_template(tmp_path, "settings = {'n': 1}\nparameters = {'a': [1]}\ndef candidate(chip, a, n):\n  raise ValueError(n)\n")
    assert "the setting 'n' takes int, not 'abc'" in tune(tmp_path, "--set=n=abc", template=template, fails=True)

    from inflight.tune import Template, TemplateError
    names = {"parameters": {"a": [1]}, "candidate": print, "settings": {"fast": True}}
    assert [Template("t", {"fast": value}, names).settings["fast"] for value in ("false", "0", False, "True", "1")] == [False, False, False, True, True]
    with pytest.raises(TemplateError, match="the setting 'fast' takes bool, not 'no way'"):
        Template("t", {"fast": "no way"}, names)


def test_bad_command_lines(tmp_path):
    assert "no template" in tune(tmp_path, template="nowhere.py", fails=True)
    assert "has no setting 'foo'" in tune(tmp_path, "--set=foo=1", fails=True)
    assert "--set takes NAME=VALUE" in tune(tmp_path, "--set=size", fails=True)
    assert "unable to open database" in tune(tmp_path, "--storage=/nowhere/x.db", fails=True)
    assert "at least 1" in tune(tmp_path, "--trials=0", fails=True)
    assert "a storage that all of them reach" in tune(tmp_path, "--dask=localhost:1", fails=True)
    tune(tmp_path, *SMALL, "--trials=6", "--study=one")
    assert "is of another template" in tune(tmp_path, *SMALL, "--trials=1", "--study=one", "--set=type=bf16", fails=True)


def storage(postgres):
    """As SQLAlchemy names it."""
    pytest.importorskip("psycopg2")
    return postgres.replace("postgresql:", "postgresql+psycopg2:")


def test_postgres(tmp_path, postgres):
    tune(tmp_path, *SMALL, "--trials=4", f"--storage={storage(postgres)}", "--jsonl=a.jsonl")
    tune(tmp_path, *SMALL, "--trials=6", f"--storage={storage(postgres)}", "--jsonl=b.jsonl")
    assert len(lines(tmp_path / "b.jsonl")) == 6 and lines(tmp_path / "b.jsonl")[:4] == lines(tmp_path / "a.jsonl")


def test_dask(tmp_path, postgres):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        words = [word for word in SMALL if not word.startswith("--jobs") and not word.startswith("--seed")]
        tune(tmp_path, *words, "--trials=4", "--jobs=2", "--study=dask", f"--storage={storage(postgres)}", f"--dask={cluster.scheduler_address}", "--jsonl=a.jsonl")
    assert len(lines(tmp_path / "a.jsonl")) >= 4


def test_commands_of_the_documentation(tmp_path):
    """Its commands and programs, and what they print."""
    run = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "doc-outputs.py"), "--folder", str(tmp_path), "docs/tune.md"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "INFLIGHT_PYTHON": sys.executable})
    assert run.returncode == 0 and "2 outputs are as printed" in run.stdout and (tmp_path / "gemm.hsaco").exists(), run.stdout


def candidate(chip, n, behind):
    """Reads `behind` elements too many in its check."""
    if n == 3:
        raise ValueError("of no use")
    launch = lambda short: {"mlir": VADD, "grid": [n], "args": [f"random:{250 * n - short}:f32:1", f"random:{250 * n}:f32:2", f"zeros:{250 * n}:f32"]}
    return {**launch(0), "check": launch(behind if n == 4 else 0)}


def test_search_from_python(tmp_path):
    from inflight import tune as api
    done = []
    space = {"parameters": {"n": [3, 4, 8]}, "settings": {"behind": 1}}
    found = api.search(candidate, "gfx942", **space, trials=5, sample=0, jobs=1, done=done.append)
    assert found.parameters == {"n": 8} and found.choices == 3 and found.settings == {"behind": 1} and found.device == "MI300X"
    assert sorted(one.number for one in done) == [one.number for one in found.trials] == [0, 1, 2]
    by_choice = {one.parameters["n"]: one for one in found.trials}
    assert by_choice[3].state == "left" and by_choice[3].why == "impossible: of no use" and by_choice[3].microseconds is None
    assert by_choice[4].state == "timed" and by_choice[4].why.startswith("with all checks: ")
    assert by_choice[8].why == "" and by_choice[8].microseconds == found.microseconds > 0 and by_choice[8].cycles == found.cycles

    # What the search has timed is what it compiles, and what the command makes of the file.
    found.save(tmp_path / "best.json")
    inflight("compile", f"--tuned={tmp_path}/best.json", "-o", f"{tmp_path}/best.hsaco")
    assert found.compile() == (tmp_path / "best.hsaco").read_bytes()

    # A search with a storage is the command's, and the other way round.
    words = ["-mcpu=gfx942", "--trials=2", "--sample=1", "--jobs=1", "--seed=1", "--set=size=256x256x256"]
    tune(tmp_path, *words, "--trials=6", "--jsonl=a.jsonl")
    again = api.search(TEMPLATE, "gfx942", settings={"size": "256x256x256"}, sample=1, jobs=1, trials=6, storage=str(tmp_path / "inflight-tune.db"))
    assert [one.microseconds for one in again.trials] == [one["microseconds"] for one in lines(tmp_path / "a.jsonl")]


def test_search_that_cant_be(tmp_path):
    from inflight import Error, tune as api
    with pytest.raises(api.TuneError, match="no choice compiles.*the first: impossible: of no use"):
        api.search(candidate, "gfx942", parameters={"n": [3]}, settings={"behind": 0}, trials=1)
    with pytest.raises(api.TuneError, match="unable to open database"):
        api.search(candidate, parameters={"n": [4]}, settings={"behind": 0}, storage="/nowhere/x.db")
    with pytest.raises(api.TemplateError, match="no template"):
        api.search(tmp_path / "nowhere.py")
    with pytest.raises(api.TemplateError, match="candidate: no 'parameters'"):
        api.search(candidate)
    with pytest.raises(ValueError, match="at least 1"):
        api.search(TEMPLATE, trials=0)
    with pytest.raises(TypeError, match="has its parameters itself"):
        api.search(TEMPLATE, parameters={"n": [1]})
    assert issubclass(api.TuneError, Error)
