"""Findings in the words of who has written the kernel in Triton or Gluon."""
import dataclasses

_BARRIER = "an s_barrier between them, and a wait for the first before it"


def _place(address, file, line, column):
    return (file, line, column) if file else address


def _places(finding):
    """Where it is, whichever side comes first."""
    others = (_place(other.get("address"), other.get("file"), other.get("line"), other.get("column")) for other in finding.related)
    return frozenset([_place(finding.address, finding.file, finding.line, finding.column), *others])


def _reworded(finding, barrier):
    # LDS is the compiler's in Triton: what is wrong there no barrier of the program makes right.
    if finding.hint == _BARRIER and (barrier != TRITON or "LDS" not in finding.message):
        return dataclasses.replace(finding, hint=f"a {barrier} between them")
    return finding


TRITON, GLUON = "tl.debug_barrier()", "gl.barrier()"


def revised(findings, barrier):
    """One finding for each rule and place in the source: the compiler makes several instructions of one operation, and repeats them in loops that it
    unrolls. `barrier`: what the program would write for one."""
    found = {}
    for finding in findings:
        key = finding.rule, finding.level, _places(finding)
        first = found.setdefault(key, finding)
        if first is not finding:
            times = first.facts.get("times", 1) + finding.facts.get("times", 1)
            facts = {**first.facts, "times": times, "instructions": first.facts.get("instructions", 1) + 1}
            found[key] = dataclasses.replace(first, facts=facts)
    return [_reworded(finding, barrier) for finding in found.values()]
