"""inflight scan: checks the waits of whole trees of code, and keeps the results."""
import argparse
import concurrent.futures
import json
import os
import sqlite3
import subprocess
import sys
import threading

from . import summary, work
from .store import Store, StoreError

TOP = 20  # rows of each part of the summary
LEFT_ALONE = (".orig", ".bak", ".old", ".rej", ".tmp", "~")


def parser():
    made = argparse.ArgumentParser(prog="inflight scan", allow_abbrev=False, description=__doc__)
    made.add_argument("--store", default="inflight-scan.db", metavar="FILE", help="where results are kept, a SQLite database")
    made.add_argument("--mcpu", "-mcpu", metavar="CHIP", help="gfx90a, gfx942 or gfx950: code of that chip alone")
    made.add_argument("-W", action="append", default=[], metavar="RULE", help="levels of rules, as in `inflight waits`")
    made.add_argument("--latency-margin", metavar="N", help="as in `inflight waits`")
    made.add_argument("--hazards", action="store_true", help="wait states, too")
    made.add_argument("--time-limit", type=float, default=60, metavar="S", help="seconds of processor time for a kernel; 0: any")
    made.add_argument("--memory-limit", type=float, default=2000, metavar="M", help="MB of memory for a kernel; 0: any")
    made.add_argument("--max-findings", type=int, default=100, metavar="N", help="findings kept of each program; all are counted")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="files at a time")
    made.add_argument("--all", action="store_true", help="take files named .orig, .bak and the like, too")
    made.add_argument("--since", metavar="SCAN", help="what is new and what is gone since that scan: its number, or `last`")
    made.add_argument("--format", choices=("text", "json"), default="text", help="of the summary")
    made.add_argument("paths", nargs="+", metavar="PATH")
    return made


def fail(message):
    print(f"inflight scan: error: {message}", file=sys.stderr)
    sys.exit(2)


def waits_command(arguments):
    """The command without its files, and what of it decides on the findings."""
    rules = [f"-W{one}" for one in arguments.W]
    if arguments.latency_margin:
        rules.append(f"--latency-margin={arguments.latency_margin}")
    if arguments.hazards:
        rules.append("--hazards")
    if arguments.mcpu:
        rules.append(f"-mcpu={arguments.mcpu}")
    for name in ("time_limit", "memory_limit"):
        if getattr(arguments, name):
            rules.append(f"--{name.replace('_', '-')}={getattr(arguments, name):g}")
    rules.append(f"--max-findings={arguments.max_findings}")
    return [os.environ.get("INFLIGHT_COMMAND", "inflight"), "waits", "--format=jsonl", "--threads=1", *rules], " ".join(rules)


class Scan:
    def __init__(self, arguments, store):
        self.arguments, self.store = arguments, store
        self.command, rules = waits_command(arguments)
        said = subprocess.run([self.command[0], "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.number = store.begin(arguments.paths, said.split("\n")[0], rules)
        self.lock = threading.Lock()
        self.analysed = self.known_count = 0

    def run(self, files):
        stamps, known = self.store.stamps(), self.store.known()
        twins = {}  # by SHA-256: files that wait for the one that is analysed
        wanted = []
        self.store.db.execute("BEGIN")
        for path in files:
            try:
                size, changed = work.stamp(path)
                seen = stamps.get(path)
                digest = seen[2] if seen and seen[:2] == (size, changed) else work.digest(path)
            except OSError as error:
                self.store.add_file(path, None, None, None, None, f"cannot read it: {error.strerror}")
                continue
            if digest in known:
                self.store.add_file(path, size, changed, digest, known[digest])
                self.known_count += 1
            elif digest in twins:
                twins[digest].append((path, size, changed))
                self.known_count += 1
            else:
                twins[digest] = [(path, size, changed)]
                wanted.append((path, size))
        self.store.db.execute("COMMIT")
        self.waiting = {all[0][0]: (digest, all) for digest, all in twins.items()}
        # The largest first: none is left for the end.
        wanted.sort(key=lambda one: -one[1])
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            for done in concurrent.futures.as_completed([pool.submit(self.serve, batch) for batch in work.batches(wanted)]):
                done.result()
        self.store.end()

    def serve(self, batch):
        for path, lines in work.served(self.command, batch):
            digest, twins = self.waiting[path]
            with self.lock:
                self.analysed += 1
                self.keep(path, digest, twins, lines)

    def keep(self, path, digest, twins, lines):
        error = None
        try:
            if work.stamp(path) != twins[0][1:]:
                error = "changed while it was read"
        except OSError as gone:
            error = f"cannot read it: {gone.strerror}"
        # What a process ended at may be well another time.
        ended = next((line["error"] for line in lines if line.get("ended")), None)
        content = None if error or ended else self.store.add_content(digest, lines)
        for twin, size, changed in twins:
            self.store.add_file(twin, size, changed, digest if content else None, content, error or ended)

    def report(self, since):
        made = {"scan": self.number, "analysed": self.analysed, "known": self.known_count, "total": summary.totals(self.store, self.number),
                "groups": summary.groups(self.store, self.number), "errors": summary.errors(self.store, self.number)}
        if since is not None:
            made["since"] = since
            made.update(summary.changes(self.store, since, self.number))
        return made


def main(words=None):
    arguments = parser().parse_args(words)
    if arguments.jobs < 1 or arguments.max_findings < 0 or arguments.time_limit < 0 or arguments.memory_limit < 0:
        parser().error("--jobs is at least 1, limits and --max-findings at least 0")
    # The command has found them.
    files = [os.fsdecode(one) for one in sys.stdin.buffer.read().split(b"\0") if one]
    if not arguments.all:
        files = [one for one in files if one in arguments.paths or not one.endswith(LEFT_ALONE)]
    try:
        store = Store(arguments.store)
        scan = Scan(arguments, store)
        since = store.scan_before(arguments.since) if arguments.since else None
        scan.run(files)
        report = scan.report(since)
        status = summary.worst(store, scan.number)
    except StoreError as error:
        fail(error)
    except (sqlite3.Error, OSError) as error:
        fail(f"{error}; what is in '{arguments.store}' stays, and the next scan goes on from there")
    print(json.dumps(report, indent=2) if arguments.format == "json" else summary.text(report, TOP))
    sys.exit(status)


if __name__ == "__main__":
    main()
