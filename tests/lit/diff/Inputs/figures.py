"""figures.py DIFF.json KERNEL NOTES: the figures of a kernel are those that llvm-readelf --notes prints."""
import json
import re
import sys

names = {"vgprs": "vgpr_count", "agprs": "agpr_count", "sgprs": "sgpr_count", "lds_bytes": "group_segment_fixed_size",
         "scratch_bytes": "private_segment_fixed_size", "vgpr_spills": "vgpr_spill_count",
         "sgpr_spills": "sgpr_spill_count"}
after = next(c["after"] for c in json.load(open(sys.argv[1]))["changes"] if c["kernel"] == sys.argv[2])
notes = open(sys.argv[3]).read()
for figure, name in names.items():
    stated = int(re.search(rf"\.{name}:\s*(\d+)", notes).group(1))
    if after[figure] != stated:
        sys.exit(f"{figure}: {after[figure]}, the notes say {stated}")
