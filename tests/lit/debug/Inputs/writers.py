"""writers.py FILE.json: what --watch tells of writers.s against a walk through it here."""
import json, sys

lds, add, dma, rest, out = json.load(open(sys.argv[1]))["watches"]


def spread(watch):
    """Of each byte (mnemonic, wave, lanes of its piece), or None."""
    names = {}
    for piece in watch["last_written"]:
        for byte in range(piece["begin"], piece["end"]):
            names[byte] = (piece["instruction"].split()[0], piece["wave"], piece["lanes"]) if "wave" in piece else None
    assert sorted(names) == list(range(watch["begin"], watch["end"]))
    return names


def dwords(text):
    return [int.from_bytes(bytes(text[i:i + 4]), "little") for i in range(0, len(text), 4)]


# 0x0-0x40: the first wave's numbers, a byte of each replaced; then eight dwords by lanes 4 to 7 of the second wave.
assert lds["writes"] == 3 and len(lds["last"]) == 3 and lds["workgroup"] == [0, 0, 0]
write, byte, two = lds["last"]
assert not any(w["atomic"] for w in lds["last"]) and (write["wave"], byte["wave"], two["wave"]) == (0, 0, 1)
assert [(c["begin"], c["lanes"], c["before"], dwords(c["after"])) for c in write["bytes"]] == [
    (4 * i, [i], None, [i]) for i in range(16)]
assert [(c["begin"], c["lanes"], c["before"], c["after"]) for c in byte["bytes"]] == [
    (4 * i + 1, [i], [0], [7]) for i in range(16)]
# Each lane writes its number and, four bytes on, 7: there the next lane's number is overwritten.
assert [(c["begin"], c["lanes"], dwords(c["before"]), dwords(c["after"])) for c in two["bytes"]] == [
    (4 * i, [lane for lane in (i - 1, i) if 4 <= lane < 8], [i | 0x700], [68 if i == 4 else 7]) for i in range(4, 9)]
for at, who in spread(lds).items():
    expected = "ds_write2_b32" if 16 <= at < 36 else "ds_write_b8" if at % 4 == 1 else "ds_write_b32"
    assert who[0] == expected and who[1] == (16 <= at < 36) and (expected == "ds_write2_b32" or at // 4 in who[2]), (at, who)

# 64 lanes add 7.
assert add["writes"] == 1 and add["last"][0]["atomic"]
assert add["last"][0]["bytes"] == [{"begin": 0x200, "lanes": list(range(64)), "before": None, "after": [448 % 256, 448 // 256, 0, 0]}]

# DMA: a dword of the first argument for each lane.
assert dma["last"][0]["instruction"].startswith("global_load_lds_dword")
assert [dwords(c["after"]) for c in dma["last"][0]["bytes"]] == [[100 + i] for i in range(64)]
assert rest["writes"] == 0 and rest["last_written"] == [{"begin": 0x204, "end": 0x300}], rest

# out[0]: each wave of both workgroups stores its first lane's number, then 7; out[1] is added to; out[3] by one lane.
steps = []
memory = [1000 + i for i in range(4)]
for workgroup in (0, 1):
    for wave in (0, 1):
        if wave == 0:
            steps.append(("global_store_dword", workgroup, wave, list(memory), memory := [0, 1, 2, 3]))
        steps.append(("flat_store_dword", workgroup, wave, memory[:1], [7]))
        memory = [7] + memory[1:]
        steps.append(("global_atomic_add", workgroup, wave, [memory[1]], [memory[1] + 7 * 64]))
        memory = [7, memory[1] + 7 * 64] + memory[2:]
        if wave == 0:
            steps.append(("buffer_store_dword", workgroup, wave, [memory[3]], [7]))
            memory[3] = 7
assert out["writes"] == len(steps) == 12
told = [(w["instruction"].split()[0], w["workgroup"][0], w["wave"], [d for c in w["bytes"] for d in dwords(c["before"])],
         [d for c in w["bytes"] for d in dwords(c["after"])]) for w in out["last"]]
assert told == steps, (told, steps)
assert [(p["begin"], p["end"], p["instruction"].split()[0], p["wave"], p["lanes"]) for p in out["last_written"]] == [
    (0, 4, "flat_store_dword", 1, [63]), (4, 8, "global_atomic_add", 1, [63]), (8, 12, "global_store_dword", 0, [2]),
    (12, 16, "buffer_store_dword", 0, [3])], out["last_written"]
