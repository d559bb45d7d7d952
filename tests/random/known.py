"""Defects of clang 22 that checked runs of random programs find, so that the driver can tell them from new ones.

Each is a rule of findings and a property of the code around the two instructions; docs/hazards.md explains them. A finding
that no entry explains is a problem.
"""
import bisect
import re
import subprocess

LINE = re.compile(r"^\s+(\S+)(.*?)\s*// ([0-9A-F]+):(?:.*<\S+?\+0x([0-9a-f]+)>)?")


class Code:
    """Functions and the targets of branches, from a disassembly."""

    def __init__(self, path):
        text = subprocess.run(["llvm-objdump-22", "-d", path], capture_output=True, text=True, check=True).stdout
        self.starts, self.addresses, self.targets = [], [], set()
        for line in text.splitlines():
            if label := re.match(r"^([0-9a-f]+) <.*>:$", line):
                self.starts.append(int(label[1], 16))
            elif found := LINE.match(line):
                self.addresses.append(int(found[3], 16))
                if found[1].startswith(("s_cbranch", "s_branch")) and found[4]:
                    self.targets.add(self.starts[-1] + int(found[4], 16))

    def function(self, address):
        return bisect.bisect_right(self.starts, address)

    def before(self, address, count):
        """The addresses of the `count` instructions before one, and its own."""
        end = bisect.bisect_right(self.addresses, address)
        return self.addresses[max(0, end - 1 - count):end]


def across_functions(code, finding, other):
    return code.function(finding["address"]) != code.function(other["address"])


def behind_a_meeting_of_paths(code, finding, other):
    wanted = int(re.search(r"must follow by (\d+) wait state", finding["message"])[1])
    return any(place in code.targets and not place <= other["address"] <= finding["address"] for place in code.before(finding["address"], wanted))


KNOWN = [
    ("hazard", across_functions, "wait states between functions: each is compiled as if no instruction preceded it and none followed"),
    ("hazard", behind_a_meeting_of_paths, "wait states where paths meet: the search looks at a block once, by whichever path comes first, the longer one perhaps"),
]


def explain(code, finding):
    """Why the compiler does this; None for what isn't known."""
    for rule, matches, reason in KNOWN:
        if finding["rule"] == rule and finding.get("related") and matches(code, finding, finding["related"][0]):
            return reason
    return None
