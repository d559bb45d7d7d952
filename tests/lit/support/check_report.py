"""Whether standard input is a report of findings in JSON or SARIF 2.1.0, with a place in FILE.

    check_report.py json|sarif FILE
"""
import json
import sys

import sarif

report = json.load(sys.stdin)
name = sys.argv[2]
if sys.argv[1] == "json":
    assert report["file"].endswith(".hsaco")
    finding = report["findings"][0]
    assert finding["rule"] == "race" and finding["file"].endswith(name) and finding["line"] > 0
    assert isinstance(finding["address"], int) and isinstance(finding["wave"], int) and finding["times"] >= 1
    assert finding["instruction"].startswith("ds_") and finding["message"] and finding["hint"]
    assert finding["related"][0]["instruction"].startswith("ds_") and finding["related"][0]["file"].endswith(name)
else:
    sarif.check(report)
    (run,) = report["runs"]
    assert run["tool"]["driver"]["name"] == "inflight" and run["results"]
    for result in run["results"]:
        for location in result["locations"] + result.get("relatedLocations", []):
            physical = location["physicalLocation"]
            assert physical["artifactLocation"]["uri"].endswith(name)
            assert ("region" in physical) == (not name.endswith(".hsaco")) and physical["address"]["absoluteAddress"] >= 0
        for location in result.get("relatedLocations", []):
            assert location["message"]["text"].endswith(" here " + location["physicalLocation"]["address"]["name"])
