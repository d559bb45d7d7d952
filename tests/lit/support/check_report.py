"""Whether standard input is a report of findings in JSON or SARIF 2.1.0, with a place in FILE.

    check_report.py json|sarif FILE
"""
import json
import sys

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
    # What the SARIF specification requires: 3.13, 3.14, 3.19, 3.27, 3.28, 3.29.
    assert report["version"] == "2.1.0" and report["$schema"].startswith("https://")
    (run,) = report["runs"]
    driver = run["tool"]["driver"]
    rules = [rule["id"] for rule in driver["rules"]]
    assert driver["name"] == "inflight" and len(set(rules)) == len(rules)
    assert run["results"]
    for result in run["results"]:
        assert result["ruleId"] in rules and result["level"] in ("none", "note", "warning", "error") and result["message"]["text"]
        for location in result["locations"] + result["relatedLocations"]:
            physical = location["physicalLocation"]
            assert physical["artifactLocation"]["uri"].endswith(name)
            assert physical["region"]["startLine"] >= 1 and physical["region"].get("startColumn", 1) >= 1
            assert physical["address"]["absoluteAddress"] >= 0
        assert all("text" in location["message"] for location in result["relatedLocations"])
