"""The summary of a scan as one page of HTML, with nothing that it needs from elsewhere."""
import html

STYLE = """body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 2rem}td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #ddd}
td.n,th.n{text-align:right}code{font-size:13px}input{margin:.5rem 0;padding:.3rem;width:24rem}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}}"""
SCRIPT = """document.querySelectorAll("input").forEach(i=>i.addEventListener("input",()=>{const w=i.value.toLowerCase();
i.nextElementSibling.querySelectorAll("tbody tr").forEach(r=>{r.hidden=!r.textContent.toLowerCase().includes(w)})}))"""


def table(columns, rows):
    """`columns`: (title, key); numbers stand on the right."""
    is_number = {key: bool(rows) and isinstance(rows[0][key], int) for _, key in columns}
    cell = lambda tag, key, text: f'<{tag}{" class=n" if is_number[key] else ""}>{html.escape(str(text))}</{tag}>'
    head = "".join(cell("th", key, title) for title, key in columns)
    body = "\n".join("<tr>" + "".join(cell("td", key, row[key]) for _, key in columns) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def page(report, paths):
    total = report["total"]
    parts = [f"<h1>Scan {report['scan']}: {html.escape(' '.join(paths))}</h1>",
             f"<p>{total['files']} files, {total['distinct']} distinct; {report['analysed']} analysed, {report['known']} known. Programs: "
             + ", ".join(f"{number} {name}" for name, number in total["programs"].items()) + ".</p>"]

    def part(title, columns, rows):
        if rows:
            search = '<input placeholder="search" aria-label="search">' if len(rows) > 10 else ""
            parts.append(f"<h2>{html.escape(title)}</h2>{search}{table(columns, rows)}")

    part("Findings by rule", [("findings", "findings"), ("rule", "rule")], [{"findings": number, "rule": rule} for rule, number in total["findings"].items()])
    for name in ("new", "gone"):
        if "since" in report:
            part(f"{name.capitalize()} since scan {report['since']}: {sum(one['findings'] for one in report[name])}",
                 [("findings", "findings"), ("rule", "rule"), ("program", "program")], report[name])
    part("Findings that are alike", [("findings", "findings"), ("files", "files"), ("rule", "rule"), ("instructions", "shape"), ("kernels", "family"),
                                     ("example", "example")], report["groups"])
    part("That can't be used", [("file", "path"), ("why", "error")], report["errors"])
    return (f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>inflight scan {report["scan"]}</title><style>{STYLE}</style>\n'
            + "\n".join(parts) + f"\n<script>{SCRIPT}</script></html>\n")
