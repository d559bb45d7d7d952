"""What scans have found, in a SQLite database: docs/scan.md says what its tables are."""
import json
import sqlite3
import time

FORMAT = 1  # of the tables

TABLES = """
CREATE TABLE scans(id INTEGER PRIMARY KEY, begun REAL, ended REAL, paths TEXT, version TEXT, rules TEXT);
CREATE TABLE contents(id INTEGER PRIMARY KEY, sha256 TEXT, version TEXT, rules TEXT, UNIQUE(sha256, version, rules));
CREATE TABLE programs(id INTEGER PRIMARY KEY, content INTEGER REFERENCES contents, entry TEXT, chip TEXT, sha256 TEXT, status INTEGER, seconds REAL,
                      peak_bytes INTEGER, instructions INTEGER, kernels INTEGER, error TEXT);
CREATE INDEX programs_of_content ON programs(content);
CREATE TABLE counts(program INTEGER REFERENCES programs, rule TEXT, number INTEGER);
CREATE INDEX counts_of_program ON counts(program);
CREATE TABLE findings(program INTEGER REFERENCES programs, rule TEXT, level TEXT, kernel TEXT, address INTEGER, instruction TEXT, message TEXT,
                      shape TEXT, family TEXT, finding TEXT);
CREATE INDEX findings_of_program ON findings(program);
CREATE TABLE files(scan INTEGER REFERENCES scans, path TEXT, size INTEGER, changed INTEGER, sha256 TEXT, content INTEGER REFERENCES contents, error TEXT,
                   PRIMARY KEY(scan, path)) WITHOUT ROWID;
"""


class StoreError(Exception):
    pass


class Store:
    def __init__(self, file):
        try:
            self.db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self.db.execute("PRAGMA journal_mode=WAL")
            self.db.execute("PRAGMA synchronous=NORMAL")
            found = self.db.execute("PRAGMA user_version").fetchone()[0]
            is_empty = not self.db.execute("SELECT name FROM sqlite_master LIMIT 1").fetchone()
            if found != FORMAT and not (found == 0 and is_empty):
                raise StoreError(f"'{file}' isn't a store of this version: its format is {found}, not {FORMAT}")
            if is_empty:
                self.db.executescript(f"BEGIN; {TABLES} PRAGMA user_version={FORMAT}; COMMIT;")
        except sqlite3.Error as error:
            raise StoreError(f"cannot use '{file}' as a store: {error}") from None

    def begin(self, paths, version, rules):
        self.scan = self.db.execute("INSERT INTO scans(begun, paths, version, rules) VALUES(?,?,?,?)", (time.time(), json.dumps(paths), version, rules)).lastrowid
        self.version, self.rules = version, rules
        return self.scan

    def end(self):
        self.db.execute("UPDATE scans SET ended=? WHERE id=?", (time.time(), self.scan))

    def stamps(self):
        """The contents of files as the last scan of each saw them: path to (size, time of change, SHA-256)."""
        rows = self.db.execute("SELECT path, size, changed, sha256 FROM files WHERE sha256 IS NOT NULL ORDER BY scan")
        return {path: (size, changed, digest) for path, size, changed, digest in rows}

    def known(self):
        """The contents that need nothing: SHA-256 to number."""
        return dict(self.db.execute("SELECT sha256, id FROM contents WHERE version=? AND rules=?", (self.version, self.rules)))

    def add_file(self, path, size, changed, digest, content, error=None):
        self.db.execute("INSERT OR REPLACE INTO files VALUES(?,?,?,?,?,?,?)", (self.scan, path, size, changed, digest, content, error))

    def add_content(self, digest, lines):
        """All of a file's programs, or nothing."""
        self.db.execute("BEGIN")
        try:
            content = self.db.execute("INSERT INTO contents(sha256, version, rules) VALUES(?,?,?)", (digest, self.version, self.rules)).lastrowid
            for line in lines:
                self._add_program(content, line)
            self.db.execute("COMMIT")
            return content
        except BaseException:
            self.db.execute("ROLLBACK")
            raise

    def _add_program(self, content, line):
        entry = line.get("file", line["path"])[len(line["path"]):]
        program = self.db.execute(
            "INSERT INTO programs(content, entry, chip, sha256, status, seconds, peak_bytes, instructions, kernels, error) VALUES(?,?,?,?,?,?,?,?,?,?)",
            (content, entry, line.get("chip"), line.get("sha256"), line["status"], line.get("seconds"), line.get("peak_bytes"), line.get("instructions"),
             len(line.get("kernels", [])), line.get("error"))).lastrowid
        self.db.executemany("INSERT INTO counts VALUES(?,?,?)", [(program, rule, number) for rule, number in line.get("counts", {}).items()])
        self.db.executemany("INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?)", [
            (program, one["rule"], one.get("level", "error"), one.get("kernel"), one.get("address"), one.get("instruction"), one["message"], shape(one),
             family(one.get("kernel", "")), json.dumps(one)) for one in line.get("findings", [])])

    def query(self, text, *values):
        return self.db.execute(text, values).fetchall()

    def scan_before(self, wanted):
        """The number of the scan that --since means."""
        if wanted == "last":
            rows = self.query("SELECT max(id) FROM scans WHERE id < ? AND ended IS NOT NULL", self.scan)
        elif wanted.isdigit():
            rows = self.query("SELECT id FROM scans WHERE id = ? AND id < ?", int(wanted), self.scan)
        else:
            rows = []
        if not rows or rows[0][0] is None:
            raise StoreError(f"no earlier scan '{wanted}' in the store")
        return rows[0][0]


def shape(finding):
    """The instructions of a finding, without their operands."""
    words = [finding.get("instruction", "").split(" ")[0]] + [one.get("instruction", "").split(" ")[0] for one in finding.get("related", [])[:1]]
    return " <- ".join(word for word in words if word)


def family(kernel):
    """A kernel's name without its numbers: generated kernels differ in those."""
    short, digits = [], False
    for letter in kernel.split("_MT")[0]:
        if not letter.isdigit():
            short.append(letter)
        elif not digits:
            short.append("#")
        digits = letter.isdigit()
    return "".join(short)[:80]
