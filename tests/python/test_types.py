"""The stubs: what they declare is there, and programs check against them."""
import ast
import pathlib
import sys

import inflight
import pytest

PACKAGE = pathlib.Path(inflight.__file__).parent


def test_programs_check():
    api = pytest.importorskip("mypy.api")
    out, errors, status = api.run(["--strict", "--cache-dir=/dev/null", str(pathlib.Path(__file__).with_name("typed.py"))])
    assert status == 0, out + errors
    out, errors, status = api.run(["--cache-dir=/dev/null", "-c", "import inflight\ninflight.load(1)\n"])
    assert status == 1 and "arg-type" in out


@pytest.mark.parametrize("module, folder", [(inflight, PACKAGE), (inflight.tune, PACKAGE / "tune")])
def test_stubs_name_what_there_is(module, folder):
    declared = set()
    for node in ast.parse((folder / "__init__.pyi").read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            declared.add(node.name)
    assert set(module.__all__) <= declared
    assert declared - {"Check", "Launcher"} <= set(module.__all__), sys.path
