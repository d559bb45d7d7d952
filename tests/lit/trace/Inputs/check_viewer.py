"""check_viewer.py DIRECTORY: whether ROCprof Compute Viewer can load it, and whether its parts agree.

Required fields and their types are those that the viewer's readers take without a default (rocprof-compute-viewer 0.2,
src/data/json_emitter.cpp, src/data/wavemanager.cpp, src/code/codeload.cpp)."""
import collections, csv, glob, json, os, sys

directory = sys.argv[1]
folders = [f for f in glob.glob(directory + "/*") if os.path.isdir(f)]
assert len(folders) == 1 and os.path.basename(folders[0]) == "ui_output_agent_0_dispatch_1", folders
folder = folders[0]
tables = glob.glob(directory + "/*.csv")
assert [os.path.basename(t) for t in tables] == ["stats_ui_output_agent_0_dispatch_1.csv"], tables
assert not glob.glob(folder + "/*.tmp") and not glob.glob(folder + "/*.timeline")
load = lambda name: json.load(open(os.path.join(folder, name)))

names = load("filenames.json")
assert names["gfxip"] == 9 and names["gfxv"] == "vega"
assert names["thread_trace"] is True and names["pc_sampling"] is True
assert all(isinstance(c, str) for c in names["counter_names"])

code = load("code.json")
columns = code["header"]
assert columns.index("Stall_Reasons") == 12 and columns.index("PC_Issued") == 10 and columns.index("PC_Stalled") == 11
lines = {}
for row in code["code"]:
    assert len(row) == 13 and len(row[12]) == 10, row
    isa, _, number, source, codeobj, vaddr, hit, latency, stall, idle, issued, stalled, reasons = row
    assert isinstance(isa, str) and isinstance(source, str) and codeobj > 0
    assert number >= 0 and number not in lines
    assert latency == issued + stalled and stall == stalled == sum(reasons), row
    lines[number] = row
kernel = min(lines)
assert lines[kernel][0].startswith("; ") and lines[kernel][6] == 0

hits, latencies, stalls = collections.Counter(), collections.Counter(), collections.Counter()
starts = collections.defaultdict(list)
seen = set()
for se, simds in names["wave_filenames"].items():
    for simd, slots in simds.items():
        for slot, waves in slots.items():
            for wid, (name, begin, end) in waves.items():
                assert name == f"se{se}_sm{simd}_sl{slot}_wv{wid}.json" and name not in seen
                assert name.rfind("se") == 0  # where the viewer looks for code.json
                seen.add(name)
                wave = load(name)["wave"]
                assert (wave["simd"], wave["slot"], wave["begin"], wave["end"]) == (int(simd), int(slot), begin, end)
                assert isinstance(wave["id"], int) and isinstance(wave["cu"], int) and wave["workgroup_id"] >= 0
                last = begin
                for time, category, stall, duration, line in wave["instructions"]:
                    assert last <= time and time + duration <= end, (name, time)
                    assert 1 <= category <= 12 and 0 <= stall <= 32767 and stall <= duration and line in lines
                    text = lines[line][0]
                    assert (category == 9) == text.startswith(("s_waitcnt", "s_barrier", "s_nop", "s_sleep", "s_setprio")), (text, category)
                    assert (category == 11) == (text == "s_endpgm"), (text, category)  # as thread traces have it
                    assert category != 6 or text.startswith("v_")
                    assert category not in (7, 8) or text.startswith(("s_cbranch", "s_branch")), text
                    last = time
                    hits[line] += 1
                    latencies[line] += duration
                    stalls[line] += stall
                assert sum(duration for _, duration in wave["timeline"]) == end - begin, name
                assert all(0 <= state <= 4 and duration > 0 for state, duration in wave["timeline"])
                states = [state for state, _ in wave["timeline"]]
                assert all(a != b for a, b in zip(states, states[1:]))
                executing = sum(duration for state, duration in wave["timeline"] if state == 2)
                assert executing == sum(duration - stall for _, _, stall, duration, _ in wave["instructions"])
                for wait, sources in wave["waitcnt"]:
                    assert lines[wait][0].startswith("s_waitcnt"), lines[wait]
                    for source, _ in sources:
                        assert lines[source][0].split("_")[0] in ("global", "buffer", "flat", "ds", "s", "scratch"), lines[source]
                        assert ("vmcnt" in lines[wait][0]) or not lines[source][0].startswith("global")
                assert len({wait for wait, _ in wave["waitcnt"]}) == len(wave["waitcnt"])
                for key, value in wave["info"].items():
                    assert isinstance(value, int) and (key.endswith("_stall") or key + "_stall" in wave["info"])
                starts[se].append((begin, end))
files = {os.path.basename(f) for f in glob.glob(folder + "/se*_sm*.json")}
assert files == seen, files ^ seen
if "--some" not in sys.argv:
    for number, row in lines.items():
        assert (row[6], row[7], row[8]) == (hits[number], latencies[number], stalls[number]), row

occupancy = load("occupancy.json")
assert occupancy["dispatches"] == {"1": lines[kernel][3]}
for se, rows in occupancy.items():
    if not isinstance(rows, list) or not se.isdigit():
        continue
    assert all(len(row) == 11 and row[5] == 1 for row in rows)
    if "--some" not in sys.argv:
        assert sorted(row[0] for row in rows if row[4]) == sorted(begin for begin, _ in starts[se])
        assert sorted(row[0] for row in rows if not row[4]) == sorted(end for _, end in starts[se])
    dispatch, = occupancy["events"][se]
    assert dispatch["kind"] == "dispatch" and dispatch["entry_point"]["code_object_id"] == lines[kernel][4]

realtime = load("realtime.json")
assert realtime["metadata"]["frequency"] > 0
assert all(len(point) == 2 for se in starts for point in realtime["SE" + se])

def leaves(node):
    for child in node.values():
        yield from leaves(child) if isinstance(child, dict) else [child]
for leaf in leaves(load("snapshots.json")):
    assert os.path.isfile(os.path.join(folder, leaf)), leaf

rows = list(csv.reader(open(tables[0])))
assert rows[0] == ["CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source"]
assert len(rows) == 1 + len(lines)
for row, line in zip(rows[1:], (lines[n] for n in sorted(lines))):
    assert [row[2], int(row[1]), int(row[3]), int(row[4]), int(row[5]), int(row[6]), row[7]] == [line[0], line[5], *line[6:10], line[3]]
print(f"{len(seen)} waves, {sum(hits.values())} instructions")
