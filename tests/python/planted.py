"""What the tests of planted bugs share: the line that a bug is on, and Triton's assembly changed on its way."""
import contextlib
import inspect
import re

import inflight
import triton


def line_of(kernel, mark="# BUG"):
    """The line of a kernel's source with this mark."""
    function = kernel.fn
    lines, first = inspect.getsourcelines(function)
    return next(first + number for number, line in enumerate(lines) if mark in line)


def found_by(kernel, grid, *arguments, **options):
    with inflight.check(raises=False) as found:
        kernel[grid](*arguments, **options)
    return found.findings


def assert_found(findings, rule, kernel, mark="# BUG"):
    assert findings, "nothing was found"
    places = {(finding.rule, finding.line) for finding in findings}
    for finding in findings:
        for other in finding.related:
            places.add((finding.rule, other.get("line")))
    assert (rule, line_of(kernel, mark)) in places, (rule, line_of(kernel, mark), [str(finding) for finding in findings])
    assert all(finding.file.endswith(inspect.getsourcefile(kernel.fn)) for finding in findings if finding.rule == rule)


@contextlib.contextmanager
def edited_assembly(edit):
    """Kernels compiled inside have their assembly changed by `edit`, before it is assembled."""
    key = "planted " + edit.key

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if backend is None:
            return key, key
        plain = stages["amdgcn"]
        stages["amdgcn"] = lambda source, metadata: edit(plain(source, metadata))

    runtime = triton.knobs.runtime
    before = runtime.add_stages_inspection_hook
    runtime.add_stages_inspection_hook = hook
    try:
        yield
    finally:
        runtime.add_stages_inspection_hook = before


def without(pattern, count=0):
    """An edit that leaves out the lines that match."""
    expression = re.compile(r"^\s*(?:" + pattern + r").*\n", re.MULTILINE)

    def edit(text):
        changed, times = expression.subn("", text, count=count)
        assert times, f"no line matches {pattern}"
        return changed

    edit.key = f"{pattern} {count}"  # for Triton's cache of compiled kernels
    return edit
