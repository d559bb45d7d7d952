"""What SARIF 2.1.0 (OASIS Standard, 27 March 2020, section 3, and its JSON schema) says of the objects that reports are made of.

The schema itself is in no package of Debian's. So each object that Inflight writes is described here: which properties it may
have, of which type, and which it must have. A property that isn't described is an error; the standard closes its objects.
"""
import re

# RFC 3986, appendix A: what a relative or absolute reference is made of.
URI = re.compile(r"^(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$")
LEVELS = ("none", "note", "warning", "error")


def text(value, where):
    assert isinstance(value, str) and value, f"{where}: a string that isn't empty, not {value!r}"


def uri(value, where):
    assert isinstance(value, str) and URI.match(value), f"{where}: no URI: {value!r}"


def level(value, where):
    assert value in LEVELS, f"{where}: {value!r}"


def bag(value, where):
    assert isinstance(value, dict), where


def number_from(least):
    def check(value, where):
        assert isinstance(value, int) and not isinstance(value, bool) and value >= least, f"{where}: {value!r}"
    return check


def list_of(check):
    def each(values, where):
        assert isinstance(values, list), where
        for i, value in enumerate(values):
            check(value, f"{where}[{i}]")
            assert value not in values[:i], f"{where}[{i}]: twice"
    return each


def record(properties, required=(), one_of=()):
    def check(value, where):
        assert isinstance(value, dict), where
        for name, content in value.items():
            assert name in properties, f"{where}: no property {name!r}"
            properties[name](content, f"{where}.{name}")
        assert all(name in value for name in required), f"{where}: {required} are required"
        assert not one_of or any(name in value for name in one_of), f"{where}: one of {one_of} is required"
    return check


message = record({"text": text}, ["text"])                                                                             # 3.11
artifact = record({"uri": uri}, ["uri"])                                                                               # 3.4
region = record({"startLine": number_from(1), "startColumn": number_from(1)}, ["startLine"])                           # 3.30
address = record({"absoluteAddress": number_from(-1), "kind": text, "name": text}, ["absoluteAddress"])                # 3.32
physical = record({"artifactLocation": artifact, "region": region, "address": address}, one_of=["artifactLocation", "address"])  # 3.29
location = record({"physicalLocation": physical, "message": message})                                                  # 3.28
formatted = record({"text": text, "markdown": text}, ["text"])                                                         # 3.12
rule = record({"id": text, "shortDescription": formatted, "help": formatted}, ["id"])                                  # 3.49
driver = record({"name": text, "rules": list_of(rule)}, ["name"])                                                      # 3.19
result = record({"ruleId": text, "level": level, "message": message, "locations": list_of(location),
                 "relatedLocations": list_of(location), "properties": bag}, ["message"])                               # 3.27
run = record({"tool": record({"driver": driver}, ["driver"]), "results": list_of(result)}, ["tool"])                   # 3.14, 3.18
log = record({"$schema": uri, "version": text, "runs": list_of(run)}, ["version", "runs"])                             # 3.13


def check(report):
    log(report, "log")
    assert report["version"] == "2.1.0"
    for one in report["runs"]:
        rules = [r["id"] for r in one["tool"]["driver"].get("rules", [])]
        assert len(set(rules)) == len(rules), "rules have an id each (3.49.3)"
        for found in one.get("results", []):
            assert "ruleId" in found and found["ruleId"] in rules, "results name their rule (3.27.5)"
