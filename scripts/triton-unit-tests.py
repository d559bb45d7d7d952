#!/usr/bin/env python3
"""Runs a sample of Triton's unit tests, or of a library's, on Inflight and holds what fails against a list with reasons.

    python scripts/triton-unit-tests.py [--chip gfx942] [--per-function 4] [--seconds 20] [--check LIST] [--at-most NAME=N ...] [--configs N] TRITON/python/test/unit/language/test_core.py ...

TRITON is a clone of github.com/triton-lang/triton, of about the version that is installed. Needs torch, triton, pytest and the package
(PYTHONPATH=python); the CPU stands for torch's device "cuda". The list is tests/python/triton-expected.txt; scripts/triton-libraries.sh has others.
Files of one name, as there are in unit/language and gluon, want a run each. Exit status 1 if a test fails, or a file can't be imported, that isn't in the list.
"""
import argparse
import fnmatch
import importlib.metadata
import os
import pathlib
import random
import signal
import sys

import pytest

LIST = pathlib.Path(__file__).parent.parent / "tests" / "python" / "triton-expected.txt"


class TooSlow(BaseException):
    pass


def read_expected(path):
    """Patterns of test names, each with the reason that the line of a comment before it states."""
    reason, expected = "", []
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            reason = line[1:].strip()
        elif line.strip():
            expected.append((line.strip(), reason))
    return expected


def listed_name(path, nodeid):
    """FOLDER/FILE::TEST[PARAMETERS], as the list has it."""
    return f"{path.parent.name}/{path.name}" + "".join(nodeid.partition("::")[1:])


def at_most(value, limit):
    """A parameter made smaller: a number, a shape, or the offsets of sequences that are one after another."""
    if isinstance(value, list) and all(isinstance(one, int) for one in value):
        return [one for one in value if one < limit] + [limit] if max(value, default=0) > limit else value
    if isinstance(value, tuple):
        return tuple(at_most(one, limit) for one in value)
    return min(value, limit) if isinstance(value, int) else value


def is_left_out(name, expected):
    """Whether the list has it as one that isn't to be run."""
    return any(reason.startswith("not run:") and fnmatch.fnmatchcase(name, pattern) for pattern, reason in expected)


def keep_configurations(count):
    """Has the autotuner try a few configurations of a kernel: it compiles each, which takes longer than the tests' sizes are worth."""
    from triton.runtime.autotuner import Autotuner

    prune = Autotuner.prune_configs
    Autotuner.prune_configs = lambda self, *arguments, **named: prune(self, *arguments, **named)[:count]


class Sample:
    """Keeps some parameters of each function, the same ones each time, makes them smaller, ends tests that last, and notes what fails."""

    def __init__(self, per_function, seconds, limits, expected):
        self.per_function, self.seconds, self.limits, self.expected = per_function, seconds, limits, expected
        self.passed, self.skipped, self.failed = set(), set(), {}
        self.names = {}  # by pytest's, which depend on where it is called

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        functions = {}
        for item in items:
            if not is_left_out(listed_name(item.path, item.nodeid), self.expected):
                functions.setdefault((item.path, item.nodeid.partition("[")[0]), []).append(item)
        kept = []
        for (_, name), group in functions.items():
            chosen = random.Random(name.rpartition("/")[2]).sample(range(len(group)), min(self.per_function, len(group)))
            kept += [group[number] for number in sorted(chosen)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept
        for item in kept:
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            parameters.update({name: at_most(parameters[name], limit) for name, limit in self.limits.items() if name in parameters})
        self.names = {item.nodeid: listed_name(item.path, item.nodeid) for item in items}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        def ring(number, frame):
            raise TooSlow(f"{self.seconds} s")

        # Processor time, so that what fails doesn't depend on what else the host does; and an end for tests that wait.
        signal.signal(signal.SIGPROF, ring)
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        signal.alarm(15 * self.seconds)
        yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)

    def note_failure(self, name, report):
        message = getattr(getattr(report.longrepr, "reprcrash", None), "message", str(report.longrepr))
        self.failed[name] = message.splitlines()[0][:200] if message else ""

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector):
        report = (yield).get_result()
        if report.failed:
            self.note_failure(listed_name(collector.path, ""), report)

    def pytest_runtest_logreport(self, report):
        name = self.names[report.nodeid]
        if report.failed:
            self.note_failure(name, report)
        elif report.skipped:
            self.skipped.add(name)
        elif report.when == "call":
            self.passed.add(name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--per-function", type=int, default=4)
    parser.add_argument("--seconds", type=int, default=20, help="processor time of one test")
    parser.add_argument("--check", help="checks of each launch: what they find fails the test")
    parser.add_argument("--at-most", action="append", default=[], metavar="NAME=N", help="the largest value of a parameter; its tests keep their names")
    parser.add_argument("--configs", type=int, metavar="N", help="configurations of a kernel that the autotuner tries")
    parser.add_argument("--expected", type=pathlib.Path, default=LIST)
    arguments = parser.parse_args()
    if any(entry.name == "inflight" for entry in importlib.metadata.entry_points(group="triton.backends")):
        # Some tests run Triton in another process.
        os.environ.update(TRITON_DEFAULT_BACKEND="inflight", INFLIGHT_CHIP=arguments.chip, INFLIGHT_CUDA="1")
    limits = {name: int(limit) for name, _, limit in (one.partition("=") for one in arguments.at_most)}
    expected = read_expected(arguments.expected)
    sample = Sample(arguments.per_function, arguments.seconds, limits, expected)
    if arguments.configs:
        keep_configurations(arguments.configs)
    options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--continue-on-collection-errors", "-p", "inflight_pytest", f"--inflight-chip={arguments.chip}", "--inflight-cuda"]
    # The fixtures are in the folder of all tests.
    options += [f"--confcutdir={folder}" for folder in pathlib.Path(arguments.files[0]).resolve().parents if folder.name == "test"][:1]
    if arguments.check:
        options.append(f"--inflight-check={arguments.check}")
    pytest.main([*options, *arguments.files], plugins=[sample])
    unexpected, reasons = {}, {}
    for name, message in sample.failed.items():
        reason = next((reason for pattern, reason in expected if fnmatch.fnmatchcase(name, pattern)), None)
        if reason is None:
            unexpected[name] = message
        else:
            reasons[reason] = reasons.get(reason, 0) + 1
    for name in sorted(sample.passed):
        if any(fnmatch.fnmatchcase(name, pattern) for pattern, _ in expected):
            print(f"triton-unit-tests: passes, though listed: {name}")
    print(f"triton-unit-tests: {arguments.chip}: {len(sample.passed)} passed, {len(sample.skipped)} skipped, {len(sample.failed)} failed, "
          f"{len(unexpected)} of these unexpected")
    for reason, count in sorted(reasons.items(), key=lambda one: -one[1]):
        print(f"  {count:3} {reason}")
    for name, message in sorted(unexpected.items()):
        print(f"  unexpected: {name}\n    {message}")
    sys.exit(1 if unexpected or not sample.passed else 0)


if __name__ == "__main__":
    main()
