"""What a scan has come to."""
import collections

STATUS = {0: "clean", 1: "with findings", 2: "unusable", 4: "undecided"}


def totals(store, scan):
    files, unreadable, contents = store.query("SELECT count(content)+count(error), count(error), count(DISTINCT content) FROM files WHERE scan=?", scan)[0]
    statuses = dict(store.query("SELECT p.status, count(*) FROM files f JOIN programs p ON p.content=f.content WHERE f.scan=? GROUP BY 1", scan))
    rules = dict(store.query("SELECT c.rule, CAST(sum(c.number) AS BIGINT) FROM files f JOIN programs p ON p.content=f.content "
                             "JOIN counts c ON c.program=coalesce(p.twin, p.id) WHERE f.scan=? GROUP BY 1 ORDER BY 2 DESC, 1", scan))
    return {"files": files, "unreadable": unreadable, "distinct": contents,
            "programs": {name: statuses.get(status, 0) for status, name in STATUS.items()}, "findings": rules}


def groups(store, scan):
    """Findings that are alike, the most frequent first: of those kept, each file's."""
    rows = store.query("SELECT n.rule, n.shape, n.family, count(*), count(DISTINCT f.path), min(f.path) FROM files f JOIN programs p ON p.content=f.content "
                       "JOIN findings n ON n.program=coalesce(p.twin, p.id) WHERE f.scan=? GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3", scan)
    return [dict(zip(("rule", "shape", "family", "findings", "files", "example"), row)) for row in rows]


def errors(store, scan):
    rows = store.query("SELECT f.path, coalesce(f.error, p.error) FROM files f LEFT JOIN programs p ON p.content=f.content AND p.error IS NOT NULL "
                       "WHERE f.scan=? AND coalesce(f.error, p.error) IS NOT NULL ORDER BY 1", scan)
    return [{"path": path, "error": error} for path, error in rows]


def counts(store, scan):
    rows = store.query("SELECT f.path, p.entry, c.rule, c.number FROM files f JOIN programs p ON p.content=f.content "
                       "JOIN counts c ON c.program=coalesce(p.twin, p.id) WHERE f.scan=?", scan)
    return {(path + entry, rule): number for path, entry, rule, number in rows}


def changes(store, before, now):
    """Findings that came and that went, by program and rule."""
    old, new = counts(store, before), counts(store, now)
    found = {"new": collections.Counter(new), "gone": collections.Counter(old)}
    found["new"].subtract(old)
    found["gone"].subtract(new)
    return {name: [{"program": program, "rule": rule, "findings": number} for (program, rule), number in sorted(all.items()) if number > 0]
            for name, all in found.items()}


def worst(store, scan):
    statuses = {status for status, in store.query("SELECT DISTINCT p.status FROM files f JOIN programs p ON p.content=f.content WHERE f.scan=?", scan)}
    if store.query("SELECT 1 FROM files WHERE scan=? AND error IS NOT NULL LIMIT 1", scan):
        statuses.add(2)
    return next((status for status in (2, 1, 4) if status in statuses), 0)


def text(report, top):
    said = report["total"]
    programs = ", ".join(f"{number} {name}" for name, number in said["programs"].items())
    lines = [f"scan {report['scan']}: {said['files']} files ({said['distinct']} distinct): {report['analysed']} analysed, {report['known']} known; "
             f"programs: {programs}"]
    lines += [f"  {number:>8}  {rule}" for rule, number in said["findings"].items()]
    if report["groups"]:
        lines.append(f"\n{'findings':>10} {'files':>6}  rule, instructions, family")
        lines += [f"{one['findings']:>10} {one['files']:>6}  {one['rule']}: {one['shape']}: {one['family']}" for one in report["groups"][:top]]
        if len(report["groups"]) > top:
            lines.append(f"{'':>19}{len(report['groups']) - top} more groups")
    for name in ("new", "gone"):
        if "since" in report:
            lines.append(f"\n{name} since scan {report['since']}: {sum(one['findings'] for one in report[name])}")
            lines += [f"{one['findings']:>10}  {one['rule']}: {one['program']}" for one in report[name][:top]]
    if report["errors"]:
        lines.append(f"\nthat can't be used: {len(report['errors'])}")
        lines += [f"  {one['path']}: {one['error'].splitlines()[0]}" for one in report["errors"][:top]]
    return "\n".join(lines)
