"""A timeline and a table of record.hip: kernels of a stream one after another, and the same durations in both."""
import csv, json, sys

events = json.load(open(sys.argv[1]))["traceEvents"]
kernels = [e for e in events if e["ph"] == "X"]
assert [e["name"] for e in kernels] == ["_Z4fillPiii"] + 3 * ["_Z5scalePi4Pairi"], kernels
fill, first, second, last = kernels
assert fill["tid"] != first["tid"] == second["tid"] != last["tid"]
end = lambda e: e["ts"] + e["dur"]
assert abs(first["ts"] - end(fill)) < 1e-6 and abs(second["ts"] - end(first)) < 1e-6
assert all(e["dur"] > 0 for e in kernels)
copies = [e for e in events if e["ph"] == "i"]
assert {"set", "host to device", "device to host"} <= {e["name"] for e in copies}, copies
table = {row["Name"]: row for row in csv.DictReader(open(sys.argv[2]))}
scale = table["_Z5scalePi4Pairi"]
durations = [1000 * e["dur"] for e in kernels[1:]]
assert scale["Calls"] == "3" and abs(float(scale["AverageNs"]) - sum(durations) / 3) < 1e-3
assert float(scale["MinNs"]) == round(min(durations)) and float(scale["MaxNs"]) == round(max(durations))
assert abs(sum(float(row["Percentage"]) for row in table.values()) - 100) < 0.1
