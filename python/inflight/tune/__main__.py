"""inflight tune: searches the parameters of a kernel template on the timed model."""
import argparse
import os
import sys

from ..timing import range_text
from . import report
from .search import Tuned
from .study import Goal, distribute, is_local, opened, storage_url
from .template import Template, TuneError


def parser():
    made = argparse.ArgumentParser(prog="inflight tune", allow_abbrev=False, description=__doc__)
    made.add_argument("template", metavar="TEMPLATE.py", help="names the parameters and makes a kernel of a choice")
    made.add_argument("--mcpu", "-mcpu", dest="chip", default="gfx942", metavar="CHIP", help="gfx90a, gfx942 (default) or gfx950")
    made.add_argument("--device", metavar="NAME", help="the product: MI300X, MI355X, ... (default: the chip's usual one)")
    made.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="changes a setting of the template")
    made.add_argument("--trials", type=int, default=50, metavar="N", help="choices to try, those of earlier runs included (default 50)")
    made.add_argument("--sample", type=int, default=6, metavar="N", help="workgroups per compute unit that are timed (default 6; 0: all)")
    made.add_argument("--storage", default="inflight-tune.db", metavar="URL", help="where trials are kept: a file (SQLite), or any URL that Optuna takes")
    made.add_argument("--study", metavar="NAME", help="name in the storage (default: of template, chip and settings); it is gone on with if it is there")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="trials at a time; with --dask and --ray workers (default: processors)")
    made.add_argument("--dask", metavar="ADDRESS", help="have a Dask cluster's workers search: its scheduler's address")
    made.add_argument("--ray", nargs="?", const="", metavar="ADDRESS", help="the same with Ray; without an address Ray's own on this machine")
    made.add_argument("--seed", type=int, metavar="N", help="makes a search with --jobs=1 the same each time")
    made.add_argument("--timeout", type=float, metavar="SECONDS", help="for one compilation or run (default: none)")
    made.add_argument("--top", type=int, default=10, metavar="N", help="rows of the table (default 10)")
    made.add_argument("--jsonl", metavar="FILE", help="a line of JSON for each trial")
    made.add_argument("--html", metavar="FILE", help="a page with the search")
    made.add_argument("-o", "--o", dest="output", metavar="FILE", help="the result, for `inflight compile --tuned=FILE` (default: TEMPLATE.CHIP.tuned.json)")
    return made


def fail(message):
    sys.exit(f"inflight tune: error: {message}")


def settings_of(words):
    pairs = [word.partition("=") for word in words]
    for name, equals, _ in pairs:
        if not equals:
            fail(f"--set takes NAME=VALUE, not '{name}'")
    return {name: value for name, _, value in pairs}


def write(file, text):
    try:
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        fail(f"cannot write '{file}': {error.strerror}")


def goal_of(arguments, template):
    return Goal.of(template, arguments.chip, arguments.device, arguments.sample, arguments.timeout, storage_url(arguments.storage), arguments.study)


def main(words=None):
    arguments = parser().parse_args(words)
    if arguments.trials < 1 or arguments.jobs < 1 or arguments.sample < 0 or arguments.top < 1:
        parser().error("--trials, --jobs and --top are at least 1, --sample at least 0")
    try:
        template = Template(arguments.template, settings_of(arguments.set))
        goal = goal_of(arguments, template)
        study = opened(goal, template)
        search(arguments, goal, study)
        conclude(arguments, study)
    except TuneError as error:
        fail(error)


def search(arguments, goal, study):
    if arguments.dask is not None or arguments.ray is not None:
        distribute(goal, arguments.trials, arguments.jobs, arguments.dask, arguments.ray)
        return
    progress = report.Progress(min(arguments.trials, study.template.size), len(study.finished()))
    try:
        study.run(arguments.trials, jobs=arguments.jobs, seed=arguments.seed, done=progress.done)
    except KeyboardInterrupt:
        sys.exit("inflight tune: interrupted; the same command goes on" if is_local(goal.storage) else "inflight tune: interrupted")
    finally:
        progress.close()


def conclude(arguments, study):
    trials = sorted(study.finished(), key=lambda trial: trial.number)
    ranking = study.ranking()
    if arguments.jsonl:
        write(arguments.jsonl, "".join(report.line_of(trial) + "\n" for trial in trials))
    if arguments.html:
        write(arguments.html, report.page(study, ranking))
    sys.stdout.write(report.table(ranking, arguments.top))
    left = sum(trial.state.name == "PRUNED" for trial in trials)
    failed = [trial for trial in trials if trial.state.name == "FAIL"]
    print(f"{len(trials)} trials of {study.template.size} choices: {len(trials) - left - len(failed)} timed, {left} left early, {len(failed)} failed")
    for trial in failed[:3]:
        print(f"  trial {trial.number}: {trial.user_attrs.get('why', 'it broke off')}")
    found = study.winner(lambda trial, why: print(f"  trial {trial.number} is out: {why}"))
    if not found:
        fail("no choice compiles, runs and passes its checks")
    best = Tuned.of(study, *found)
    output = arguments.output or f"{os.path.splitext(os.path.basename(arguments.template))[0]}.{arguments.chip}.tuned.json"
    write(output, best.text())
    print(f"{output}: {best.microseconds:.2f} us ({range_text(best.accuracy)}); inflight compile --tuned={output}")


if __name__ == "__main__":
    main()
