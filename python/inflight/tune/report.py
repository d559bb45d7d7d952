"""What a search has found: a line while it runs, a table, JSON lines, a page."""
import html
import json
import shutil
import sys
import time

from ..timing import range_text

STATES = {"COMPLETE": "timed", "PRUNED": "left", "FAIL": "failed"}


class Progress:
    """A bar on a terminal; without one a line now and then would only fill logs."""

    def __init__(self, total, already):
        self.total, self.begin, self.already, self.count = total, time.monotonic(), already, already
        self.best = None
        self.shown = sys.stderr.isatty()

    def done(self, trial):
        self.count += 1
        if trial.value is not None and (self.best is None or trial.value < self.best):
            self.best = trial.value
        if self.shown:
            self._draw()

    def _draw(self):
        share = min(1, self.count / max(1, self.total))
        spent = time.monotonic() - self.begin
        left = spent / max(1, self.count - self.already) * max(0, self.total - self.count)
        text = f" {self.count}/{self.total}" + (f", best {self.best:.2f} us" if self.best is not None else "") + f", {left:.0f} s left"
        room = max(10, min(40, shutil.get_terminal_size().columns - len(text) - 3))
        sys.stderr.write("\r[" + "=" * int(share * room) + " " * (room - int(share * room)) + "]" + text + "\033[K")
        sys.stderr.flush()

    def close(self):
        if self.shown:
            sys.stderr.write("\r\033[K")


def line_of(trial):
    """Of the JSON lines."""
    one = {"trial": trial.number, "state": STATES.get(trial.state.name, trial.state.name.lower()), "parameters": trial.params,
           "microseconds": trial.value}
    one.update({name: value for name, value in trial.user_attrs.items() if name != "goal"})
    return json.dumps(one)


def _range(trial):
    text = range_text(trial.user_attrs.get("accuracy"))
    return text[:-len(" us")] if text.endswith(" us") else text.partition(" ")[0]


def table(ranking, most):
    """Text: the fastest trials, a column a parameter."""
    if not ranking:
        return "nothing could be timed\n"
    names = list(ranking[0].params)
    rows = [["us", "range", "of best", "busy MFMA", *names]]
    for trial in ranking[:most]:
        rows.append([f"{trial.value:.2f}", _range(trial), f"{trial.value / ranking[0].value:.2f}", f"{100 * trial.user_attrs.get('matrix_busy', 0):.0f} %",
                     *(str(trial.params[name]) for name in names)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() + "\n" for row in rows)


def page(study, ranking):
    """A page of its own: how the best came down, and what each value of a parameter reached."""
    trials = sorted(study.finished(), key=lambda trial: trial.number)
    goal = study.goal
    title = f"{study.template.file.rsplit('/', 1)[-1]} on {goal.chip}"
    parts = [f"<h1>{html.escape(title)}</h1>", f"<p>{len(trials)} trials of {study.template.size} choices, "
             f"{sum(trial.state.name == 'COMPLETE' for trial in trials)} timed to the end.</p>"]
    timed = [trial for trial in trials if trial.value is not None]
    if timed:
        parts += ["<h2>Time by trial</h2>", _history(trials, timed), "<h2>Best time by value</h2>", _values(timed)]
    if ranking:
        names = list(ranking[0].params)
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in (
            trial.number, f"{trial.value:.2f}", _range(trial), f"{trial.user_attrs.get('tflops', 0):.1f}", f"{100 * trial.user_attrs.get('matrix_busy', 0):.0f} %",
            *(trial.params[name] for name in names))) + "</tr>" for trial in ranking[:50])
        head = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in ("trial", "us", "range", "TFLOP/s", "busy MFMA", *names))
        parts += ["<h2>Fastest</h2>", f"<table><tr>{head}</tr>{rows}</table>"]
    whys = [trial for trial in trials if "why" in trial.user_attrs]
    if whys:
        rows = "".join(f"<tr><td>{trial.number}</td><td>{html.escape(STATES.get(trial.state.name, ''))}</td><td>{html.escape(str(trial.params))}</td>"
                       f"<td>{html.escape(trial.user_attrs['why'])}</td></tr>" for trial in whys)
        parts += ["<h2>Left out</h2>", f"<table>{rows}</table>"]
    style = ("body{font:14px/1.5 system-ui,sans-serif;max-width:980px;margin:2em auto;padding:0 1em;color:#1b1f27;background:#fff}"
             "table{border-collapse:collapse}td,th{padding:2px 10px;border-bottom:1px solid #d6d9df;text-align:right}h2{font-size:16px;margin-top:1.6em}"
             "svg{background:#f4f5f7;border-radius:6px}@media(prefers-color-scheme:dark){body{color:#e6e9ef;background:#12151b}svg{background:#1a1e26}"
             "td,th{border-color:#333b48}text{fill:#98a1b0}}")
    return (f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{html.escape(title)}</title><style>{style}</style></head>"
            f"<body><main>{''.join(parts)}</main></body></html>\n")


def _history(trials, timed):
    width, height, pad = 920, 220, 34
    low, high = min(trial.value for trial in timed), max(trial.value for trial in timed)
    across = lambda number: pad + (width - 2 * pad) * number / max(1, trials[-1].number)
    down = lambda value: 16 + (height - pad - 16) * (high - value) / (high - low) if high > low else height / 2
    dots = "".join(f"<circle cx='{across(trial.number):.1f}' cy='{down(trial.value):.1f}' r='3' fill='#3a78d8'><title>"
                   f"{trial.number}: {trial.value:.2f} us {html.escape(str(trial.params))}</title></circle>" for trial in timed)
    best, steps = None, []
    for trial in timed:
        if best is None or trial.value < best:
            if best is not None:
                steps.append(f"{across(trial.number):.1f},{down(best):.1f}")
            best = trial.value
            steps.append(f"{across(trial.number):.1f},{down(best):.1f}")
    steps.append(f"{width - pad},{down(best):.1f}")
    return (f"<svg width='{width}' height='{height}' role='img' aria-label='Time of each trial and the best so far'>"
            f"<polyline fill='none' stroke='#dd4026' stroke-width='2' points='{' '.join(steps)}'/>{dots}"
            f"<text x='4' y='{down(high):.0f}' font-size='11'>{high:.1f}</text><text x='4' y='{down(low):.0f}' font-size='11'>{low:.1f} us</text></svg>")


def _values(timed):
    rows = []
    for name in timed[0].params:
        best = {}
        for trial in timed:
            value = str(trial.params[name])
            best[value] = min(best.get(value, trial.value), trial.value)
        cells = ", ".join(f"{html.escape(value)}: {time:.2f} us" for value, time in sorted(best.items(), key=lambda one: one[1]))
        rows.append(f"<tr><td>{html.escape(name)}</td><td style='text-align:left'>{cells}</td></tr>")
    return f"<table>{''.join(rows)}</table>"
