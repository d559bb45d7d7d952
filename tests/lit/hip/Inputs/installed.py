"""Runs declared.py over HIP's own headers, where there are some."""
import os
import subprocess
import sys

script, library = sys.argv[1:]
folder = os.environ.get("INFLIGHT_HIP_HEADERS", "/usr/include")
for header in ("hip/hip_runtime_api.h", "hip/hiprtc.h"):
    if os.path.exists(os.path.join(folder, header)):
        subprocess.run([sys.executable, script, library, header, folder], check=True)
