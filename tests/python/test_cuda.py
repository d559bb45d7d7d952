"""Programs that say device="cuda" (cuda_programs.py) and compile for it (compile_programs.py), in a process in which the CPU stands for it."""
import os
import pathlib
import subprocess
import sys

import inflight
import pytest

from conftest import CHIPS


@pytest.mark.parametrize("programs", ["cuda_programs.py", "compile_programs.py"])
@pytest.mark.parametrize("chip", CHIPS)
def test_programs(chip, programs, tmp_path):
    here = pathlib.Path(__file__).parent
    package = pathlib.Path(inflight.__file__).parent.parent
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "pytest", "-q", "-p", "inflight_pytest", "-p", "no:cacheprovider", "--noconftest",
                           f"--inflight-chip={chip}", "--inflight-cuda", str(here / programs)],
                          env={**os.environ, "PYTHONPATH": str(package), "TORCHINDUCTOR_CACHE_DIR": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_page(tmp_path):
    """What docs/triton.md shows."""
    root = pathlib.Path(__file__).parents[2]
    done = subprocess.run([sys.executable, root / "scripts" / "doc-outputs.py", "--folder", tmp_path, "docs/triton.md"], capture_output=True, text=True,
                          env={**os.environ, "INFLIGHT_PYTHON": sys.executable, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache")})
    assert done.returncode == 0, done.stdout + done.stderr
