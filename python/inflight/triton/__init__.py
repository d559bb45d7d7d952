"""Triton and Gluon programs on Inflight: no GPU, no ROCm, tensors on the CPU.

    import inflight.triton
    inflight.triton.activate("gfx950")

or, without a line in the program, TRITON_DEFAULT_BACKEND=inflight and INFLIGHT_CHIP=gfx950. INFLIGHT_CHECK=all (or names with commas) checks
every launch and prints what it finds.
"""
import os


def activate(chip=None):
    """Makes Inflight the device of this process; `chip`: gfx90a, gfx942 (default, or $INFLIGHT_CHIP) or gfx950."""
    from triton.runtime import driver as active

    from .driver import InflightDriver

    mine = InflightDriver(chip or os.environ.get("INFLIGHT_CHIP", "gfx942"))
    active.set_active(mine)
    return mine
