"""check_perfetto.py FILE: whether the slices of each track nest, flows lead from operations to waits and counters say what the slices do."""
import collections, gzip, json, sys

name = sys.argv[1]
trace = json.load(gzip.open(name) if name.endswith(".gz") else open(name))
events = trace["traceEvents"]
kinds = collections.Counter(event["ph"] for event in events)
cycles = lambda us: round(us * 1000)
tracks, processes, slices, counters, flows = {}, {}, collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(dict)
open_waves = collections.defaultdict(list)
for event in events:
    place = event["pid"], event["tid"]
    kind = event["ph"]
    if kind == "M":
        if event["name"] == "thread_name":
            tracks[place] = event["args"]["name"]
        elif event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
    elif kind == "X":
        begin = cycles(event["ts"])
        slices[place].append((begin, begin + cycles(event["dur"]), event["name"], event.get("cat")))
        assert event["cat"] == "stall" or event["args"]["address"].startswith("0x")
    elif kind == "B":
        assert not open_waves[place], place
        open_waves[place].append(event)
    elif kind == "E":
        begin = cycles(open_waves[place].pop()["ts"])
        slices[place].append((begin, cycles(event["ts"]), "wave", None))
    elif kind == "C":
        (unit, value), = event["args"].items()
        assert value >= 0 and (unit != "%" or value <= 100), event
        counters[event["pid"], event["name"]].append((cycles(event["ts"]), value))
    elif kind in "sf":
        assert kind not in flows[event["id"]]
        flows[event["id"]][kind] = (place, cycles(event["ts"]))
    else:
        assert False, event
assert not any(open_waves.values())
assert set(slices) <= set(tracks), set(slices) - set(tracks)
assert {pid for pid, _ in tracks} <= set(processes)

leaf = collections.defaultdict(dict)
for place, found in slices.items():
    found.sort(key=lambda s: (s[0], -s[1]))
    stack = []
    for begin, end, what, category in found:
        assert begin < end, (tracks[place], what, begin, end)
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], f"{tracks[place]}: {what} at {begin} reaches out of the slice around it"
        stack.append(end)
        assert (what == "wave") == (len(stack) == 1) or "SIMD" not in tracks[place] or " of SIMD" in tracks[place], (tracks[place], what)
        if what != "wave":
            leaf[place][begin] = (what, category)

for number, ends in flows.items():
    (place, issued), (other, arrived) = ends["s"], ends["f"]
    assert place == other and issued < arrived, (number, ends)
    assert leaf[place][issued][1] in ("VMEM", "LDS", "SMEM", "FLAT"), leaf[place][issued]
    assert leaf[place][arrived] == ("waitcnt", "stall") or leaf[place][arrived][0].startswith("s_waitcnt"), leaf[place][arrived]

for (process, what), values in counters.items():
    times = [time for time, _ in values]
    assert times == sorted(times), (processes[process], what)
    if what == "waves":
        assert values[-1][1] == 0
for pid, process in processes.items():
    assert process.endswith((": waves", ": pipes")), process
issued = sum(len([1 for s in found if s[3] not in ("stall", None)]) for place, found in slices.items() if processes[place[0]].endswith("waves"))
print(f"{issued} instructions, {len(flows)} flows, {len(counters)} counters, {sum(1 for t in tracks.values() if 'slot' in t)} slots")
