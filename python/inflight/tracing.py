"""Timelines of launches, as pages of their own that notebooks show."""
import html
import os
import tempfile

from ._stack import Stack
from .timing import range_text

# A notebook keeps what it shows.
_MOST_SHOWN = 16 << 20


class Page:
    """The timeline of one launch: `html` is the page, `result` what the launch came to."""

    def __init__(self, kernel, result, page):
        self.kernel, self.result, self.html = kernel, result, page

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self):
        if len(self.html) > _MOST_SHOWN:
            return (f"<p>{html.escape(self.kernel)}: the page has {len(self.html) >> 20} MiB, too much for a notebook: save(FILE), or trace with "
                    "sample=1</p>")
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 720px; border: 0"></iframe>'

    def __repr__(self):
        return f"<inflight.Page {self.kernel}, {self.result.microseconds:.2f} us ({range_text(self.result.time['accuracy'])}), {len(self.html) >> 10} KiB>"


class Trace:
    """The pages of the launches inside trace()."""

    def __init__(self, kernel, launches, options):
        self.kernel, self.launches, self.options, self.pages = kernel, launches, options, []

    def wants(self, kernel):
        return len(self.pages) < self.launches and self.kernel in (None, kernel)

    def _repr_html_(self):
        if not self.pages:
            return "<p>no launch was traced</p>"
        return "".join(page._repr_html_() for page in self.pages)

    def save(self, path):
        """The first page; others get a number before the suffix."""
        stem, suffix = os.path.splitext(path)
        for number, page in enumerate(self.pages):
            page.save(f"{stem}.{number}{suffix}" if number else path)


_traces = Stack()


def trace(kernel=None, launches=1, **options):
    """The first launches inside, of the kernel with that name if one is named, are timed and leave a page each.

    with inflight.trace() as trace:
        kernel(...)
    trace                     # in a notebook: the page

    `options`: device=, clock=, sample=, warm= as for launches. With sample= the launch leaves its results unfinished.
    """
    return _traces.entering(Trace(kernel, launches, options))


def wanting(kernel):
    """The innermost trace() of this thread that wants a launch of this kernel, or None."""
    return next((one for one in reversed(_traces.entered) if one.wants(kernel)), None)


def traced(one, kernel, launch):
    """Calls launch(html=FILE, ...) and puts the page into a Trace."""
    handle, path = tempfile.mkstemp(suffix=".html")
    os.close(handle)
    try:
        result = launch(timed=True, checks=None, html=path, **one.options)
        with open(path, encoding="utf-8") as file:
            one.pages.append(Page(kernel, result, file.read()))
        return result
    finally:
        os.unlink(path)
