"""Searches the parameters of a kernel template on the timed model: `inflight tune TEMPLATE.py`, or search() from Python.

A template is a Python file with

    parameters = {"tile": [64, 128, 256], "stages": [2, 3, 4]}      # names and the values to choose from
    settings = {"size": "4096x4096x4096"}                           # what --set NAME=VALUE changes, not searched

    def candidate(chip, tile, stages, size):
        '''What to compile and launch. ValueError says why a choice is impossible.'''
        return {"mlir": TEXT, "options": [f"--stages={stages}"], "grid": [32, 32], "args": ["random:4096x4096:f16:1", ...]}

`options` are those of `inflight compile`; "kernel", "block" and "lds" may be given, too. "check", if there, is a launch with the same keys,
small enough to run to its end with all checks: what wins must pass it.
"""
from .search import Tried, Tuned, search
from .study import Study
from .template import Template, TemplateError, TuneError

__all__ = ["Study", "Template", "TemplateError", "Tried", "TuneError", "Tuned", "search"]
