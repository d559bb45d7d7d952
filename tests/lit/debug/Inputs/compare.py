"""compare.py FILE.json: the values of `--dump` in squares.s against those computed here."""
import json, struct, sys

report = json.load(open(sys.argv[1]))
assert report["notes"] == [], report["notes"]
stops = report["stops"]
assert [(s["workgroup"], s["wave"], s["hit"]) for s in stops] == [([g, 0, 0], w, 2) for g in (0, 1, 2) for w in (0, 1)]


def half(x):
    return struct.unpack("e", struct.pack("e", x))[0]


def bits(x):
    return struct.unpack("H", struct.pack("e", x))[0]


for stop in stops:
    assert stop["reason"] == "break" and stop["break"] == "loop" and stop["instruction"] == "v_add_u32_e32 v1, s4, v1"
    assert (stop["exec"], stop["vcc"], stop["scc"], stop["m0"]) == (2**64 - 1, 0, 1, 0)
    lanes = [64 * stop["wave"] + lane for lane in range(64)]
    v1, v2, v3, a0, s4, vcc, lds, odd, out = stop["dump"]
    assert v1 == {"register": "v1", "type": "i32", "values": [x * x + 3 for x in lanes]}, v1
    assert v2 == {"register": "v2", "type": "f32", "values": [x / 2 for x in lanes]}, v2
    assert v3["values"] == [bits(x / 2) | bits(-(x / 2)) << 16 for x in lanes], v3
    assert a0 == {"register": "a0", "type": "f16", "values": [v for x in lanes for v in (half(x / 2), half(-(x / 2)))]}, a0
    assert s4 == {"register": "s[4:5]", "values": [2, 512 * stop["workgroup"][0]]}, s4
    assert vcc == {"register": "vcc", "values": [0, 0]}, vcc
    # The second wave has not written its squares when the first one stops.
    assert lds == {"memory": "lds", "begin": 0xf8, "end": 0x108, "type": "i32",
                   "values": [62**2, 63**2, 64**2 * stop["wave"], 65**2 * stop["wave"]]}, lds
    assert odd == {"memory": "lds", "begin": 3, "end": 9, "type": "u8", "values": [0, 1, 0, 0, 0, 4]}, odd
    first = stop["workgroup"][0] or stop["wave"]  # whether the first wave has stored
    assert out == {"memory": "argument 0 ('out')", "begin": 16, "end": 24,
                   "values": [4 * 4 + 6, 5 * 5 + 6] if first else [0, 0]}, out
    reads = {value["register"]: value["values"] for value in stop["reads"]}
    assert reads == {"s4": [2], "v1": [x * x + 3 for x in lanes]}, reads
    assert [value["register"] for value in stop["writes"]] == ["v1"]
