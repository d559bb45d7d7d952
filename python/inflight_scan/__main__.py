"""inflight scan: checks the waits of whole trees of code, and keeps the results."""
import argparse
import contextlib
import json
import os
import sys
import threading

from . import engines, summary, work
from .store import Store, StoreError

TOP = 20  # rows of each part of the summary
LEFT_ALONE = (".orig", ".bak", ".old", ".rej", ".tmp", "~")


def parser():
    made = argparse.ArgumentParser(prog="inflight scan", allow_abbrev=False, description=__doc__)
    made.add_argument("--store", default="inflight-scan.db", metavar="FILE", help="where results are kept: a SQLite database, or postgresql://HOST/DATABASE")
    made.add_argument("--mcpu", "-mcpu", metavar="CHIP", help="gfx942 and so on: code of that chip alone")
    made.add_argument("-W", action="append", default=[], metavar="RULE", help="levels of rules, as in `inflight waits`")
    made.add_argument("--latency-margin", metavar="N", help="as in `inflight waits`")
    made.add_argument("--hazards", action="store_true", help="wait states, too")
    made.add_argument("--time-limit", type=float, default=60, metavar="S", help="seconds of processor time for a kernel; 0: any")
    made.add_argument("--memory-limit", type=float, default=2000, metavar="M", help="MB of memory for a kernel; 0: any")
    made.add_argument("--max-findings", type=int, default=100, metavar="N", help="findings kept of each program; all are counted")
    made.add_argument("--jobs", type=int, metavar="N", help="files at a time")
    made.add_argument("--workers", metavar="CLUSTER", help="dask, dask:SCHEDULER, ray or ray:ADDRESS: on the machines of that cluster")
    made.add_argument("--all", action="store_true", help="take files named .orig, .bak and the like, too")
    made.add_argument("--since", metavar="SCAN", help="what is new and what is gone since that scan: its number, or `last`")
    made.add_argument("--format", choices=("text", "json"), default="text", help="of the summary")
    made.add_argument("--html", metavar="FILE", help="the summary as a page, too")
    made.add_argument("--parquet", metavar="DIR", help="write the store's tables there as Parquet files, too")
    made.add_argument("paths", nargs="+", metavar="PATH")
    return made


def fail(message):
    print(f"inflight scan: error: {message}", file=sys.stderr)
    sys.exit(2)


def inflight():
    return os.environ.get("INFLIGHT_COMMAND", "inflight")


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
    return [inflight(), "waits", "--format=jsonl", "--threads=1", *rules], " ".join(rules)


def version():
    """What the command is; it says so when it starts this."""
    if said := os.environ.get("INFLIGHT_COMMAND_VERSION"):
        return said
    import subprocess
    return subprocess.run([inflight(), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[0]


class Scan:
    def __init__(self, arguments, store, resources):
        self.arguments, self.store, self.resources = arguments, store, resources
        self.chip = arguments.mcpu or ""
        self.command, rules = waits_command(arguments)
        self.number = store.begin(arguments.paths, version(), rules)
        self.lock = threading.Lock()
        self.analysed = self.known_count = 0
        self.stamps, self.stamps_of_all, self.known = store.stamps(of_last=True), None, store.known()
        self.waiting = {}  # by the path that is looked at: SHA-256, and all the files with that content as (name, size, changed)
        self.waiting_for = {}  # SHA-256 to that path
        self.unpacked = {}  # by the path that is looked at: the folder of the package that it is unpacked in
        self.temporary = self.codes = None
        self.folders = 0  # that packages were unpacked in
        self.engine = engines.engine(arguments.workers, arguments.jobs, os.cpu_count() or 1, self.command, self.serve, self.take)

    def run(self, files):
        self.engine.run(self.tasks(files))
        self.store.end()

    def prepare(self):
        """Before the first file is looked at."""
        if self.temporary:
            return
        import tempfile
        self.temporary = self.resources.enter_context(tempfile.TemporaryDirectory(prefix="inflight-scan-"))
        self.codes = os.path.join(self.temporary, "codes")  # what needs no look
        with self.lock, open(self.codes, "w") as out:
            out.writelines(code + "\n" for code in self.store.known_code())

    def tasks(self, files):
        """Batches of files that have to be looked at; packages one after the other, as there is room for more."""
        wanted, wrapped, kept = [], [], []
        with self.lock, self.store.transaction():
            for path in files:
                try:
                    size, changed = work.stamp(path)
                    digest = self.digest_seen(path, size, changed)
                    if digest not in self.known:
                        if work.is_package(path):
                            wrapped.append(path)
                            continue
                        digest = digest or work.digest(path)
                except OSError as error:
                    kept.append((path, None, None, None, None, f"cannot read it: {error.strerror}"))
                    continue
                if self.expect(path, path, size, changed, digest, kept):
                    wanted.append((path, size))
            self.store.add_files(kept)
        if wanted:
            self.prepare()
        # The largest first: none is left for the end.
        wanted.sort(key=lambda one: -one[1])
        yield from work.batches(wanted, self.engine.most_files)
        for path in wrapped:
            yield from self.package_tasks(path)

    def digest_seen(self, path, size, changed):
        """The SHA-256 of a file that a scan has seen as it is; else None."""
        seen = self.stamps.get(path)
        if not seen:
            if self.stamps_of_all is None:
                self.stamps_of_all = self.store.stamps(of_last=False)
            seen = self.stamps_of_all.get(path)
        return seen[2] if seen and seen[:2] == (size, changed) else None

    def expect(self, name, path, size, changed, digest, kept):
        """Whether a file has to be looked at; else it is among those to keep, or will be kept with the one that is."""
        if digest in self.known:
            kept.append((name, size, changed, digest, self.known[digest], None))
            self.known_count += 1
            return False
        if digest in self.waiting_for:
            self.waiting[self.waiting_for[digest]][1].append((name, size, changed))
            self.known_count += 1
            return False
        self.waiting[path] = (digest, [(name, size, changed)])
        self.waiting_for[digest] = path
        return True

    def package_tasks(self, path):
        try:
            size, changed = work.stamp(path)
            digest = self.digest_seen(path, size, changed) or work.digest(path)
            with self.lock:
                members = self.store.members(digest, self.chip)
            folder = None
            if members is None or any(one not in self.known for _, one in members):
                self.prepare()
                folder = os.path.join(self.temporary, str(self.folders))
                self.folders += 1
                os.mkdir(folder)
                members = self.unpack(path, folder, digest)
            if work.stamp(path) != (size, changed):
                raise work.PackageError("changed while it was read")
            if not members and path in self.arguments.paths:
                raise work.PackageError("no code of a supported chip in it")
        except (OSError, work.PackageError) as error:
            with self.lock:
                self.store.add_files([(path, None, None, None, None, f"cannot unpack it: {getattr(error, 'strerror', None) or error}")])
            return
        wanted, kept = [], [(path, size, changed, digest, None, None)]
        with self.lock, self.store.transaction():
            for name, one in members:
                inside = os.path.join(folder or "", name)
                if self.expect(f"{path}!/{name}", inside, size, changed, one, kept):
                    self.unpacked[inside] = folder
                    wanted.append((inside, os.path.getsize(inside)))
            self.store.add_files(kept)
        left = {inside for inside, _ in wanted}
        for name, _ in members:
            if folder and os.path.join(folder, name) not in left:
                os.remove(os.path.join(folder, name))
        wanted.sort(key=lambda one: -one[1])
        yield from work.batches(wanted, self.engine.most_files)

    def unpack(self, path, folder, digest):
        """(name, SHA-256) of its files with code; only those stay in the folder."""
        import shutil
        import subprocess
        from . import packages
        try:
            packages.unpack(path, folder)
            command = [inflight(), "scan", "--list", *([f"-mcpu={self.chip}"] if self.chip else []), folder]
            listed = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        except BaseException:
            shutil.rmtree(folder)
            raise
        found = {os.fsdecode(one) for one in listed.split(b"\n") if one}
        for top, _, names in os.walk(folder):
            for name in names:
                if os.path.join(top, name) not in found:
                    os.remove(os.path.join(top, name))
        members = [(os.path.relpath(one, folder), work.digest(one)) for one in sorted(found)
                   if self.arguments.all or not one.endswith(LEFT_ALONE)]
        with self.lock, self.store.transaction():
            self.store.add_members(digest, self.chip, members)
        return members

    def serve(self, batch):
        again = []
        for path, lines in work.served([*self.command, f"--known={self.codes}"], batch):
            if not self.take(path, lines, self.after(path)):
                again.append(path)
        # Those whose twin hasn't been kept.
        for path, lines in work.served(self.command, again):
            self.take(path, lines, self.after(path))

    @staticmethod
    def after(path):
        try:
            return work.stamp(path)
        except OSError as gone:
            return f"cannot read it: {gone.strerror}"

    def take(self, path, lines, after):
        """Keeps what a file has come to; False if it has to be looked at once more."""
        with self.lock:
            digest, twins = self.waiting[path]
            # What a process ended at may be well another time.
            error = next((line["error"] for line in lines if line.get("ended")), None)
            if path not in self.unpacked and after != twins[0][1:] and not error:
                error = "changed while it was read" if isinstance(after, tuple) else after or "cannot read it"
            content = None if error else self.store.add_content(digest, lines)
            if not error and content is None:
                return False
            self.analysed += 1
            self.store.add_files([(twin, size, changed, digest if content else None, content, error) for twin, size, changed in twins])
            if content:
                self.known[digest] = content
                with open(self.codes, "a") as out:
                    out.writelines(line["code_sha256"] + "\n" for line in lines if "code_sha256" in line and not line.get("known"))
            del self.waiting[path], self.waiting_for[digest]
            if self.unpacked.pop(path, None):
                os.remove(path)
        return True

    def report(self, since):
        made = {"scan": self.number, "analysed": self.analysed, "known": self.known_count, "total": summary.totals(self.store, self.number),
                "groups": summary.groups(self.store, self.number), "errors": summary.errors(self.store, self.number)}
        if since is not None:
            made["since"] = since
            made.update(summary.changes(self.store, since, self.number))
        return made


def main(words=None):
    arguments = parser().parse_args(words)
    if (arguments.jobs or 1) < 1 or arguments.max_findings < 0 or arguments.time_limit < 0 or arguments.memory_limit < 0:
        parser().error("--jobs is at least 1, limits and --max-findings at least 0")
    # The command has found them.
    files = [os.fsdecode(one) for one in sys.stdin.buffer.read().split(b"\0") if one]
    if not arguments.all:
        files = [one for one in files if one in arguments.paths or not one.endswith(LEFT_ALONE)]
    try:
        store = Store(arguments.store)
    except StoreError as error:
        fail(error)
    try:
        with contextlib.ExitStack() as resources:
            scan = Scan(arguments, store, resources)
            since = store.scan_before(arguments.since) if arguments.since else None
            scan.run(files)
        report = scan.report(since)
        status = summary.worst(store, scan.number)
        if arguments.parquet:
            store.write_parquet(arguments.parquet)
        if arguments.html:
            from . import page
            with open(arguments.html, "w") as out:
                out.write(page.page(report, arguments.paths))
    except (StoreError, engines.EngineError) as error:
        fail(error)
    except (store.Error, OSError) as error:
        fail(f"{str(error).strip()}; what is in the store stays, and the next scan goes on from there")
    print(json.dumps(report, indent=2) if arguments.format == "json" else summary.text(report, TOP))
    sys.exit(status)


if __name__ == "__main__":
    main()
