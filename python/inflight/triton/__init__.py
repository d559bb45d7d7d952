"""Triton and Gluon programs on Inflight: no GPU, no ROCm, tensors on the CPU.

    import inflight.triton
    inflight.triton.activate("gfx950")

or, without a line in the program, TRITON_DEFAULT_BACKEND=inflight and INFLIGHT_CHIP=gfx950. INFLIGHT_CHECK=all (or names with commas) checks
every launch and prints what it finds. Programs that say device="cuda" want activate(cuda=True), or INFLIGHT_CUDA=1.
"""
import atexit
import os


if os.environ.get("TRITON_DEFAULT_BACKEND") == "inflight":
    # Triton imports this as it is imported; the driver is made at the first launch, when addresses of tensors have been asked for.
    from . import tensors

    tensors.watch()


def __getattr__(name):
    # Triton looks for its back ends' modules here, before it is imported itself.
    if name in ("verified", "Compiled"):
        from . import waits

        return getattr(waits, name)
    if name == "tensor":
        from .arrays import tensor

        return tensor
    if name == "compare":
        from .comparison import compare

        return compare
    if name == "prune_configs_by":
        from .pruning import prune_configs_by

        return prune_configs_by
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def activate(chip=None, cuda=None, compiler=None):
    """Makes Inflight the device of this process, and returns Triton's driver.

    `chip`: a chip or device, such as "gfx950" or "MI308X"; without one $INFLIGHT_CHIP or gfx942. `cuda`: torch's CPU stands for its device "cuda",
    too; without it as $INFLIGHT_CUDA says. `compiler`: "inflight" compiles kernels from their LLVM IR, "llvm" as Triton does, "both" runs what
    both make and keeps what differs for compare(); without it as $INFLIGHT_COMPILER says, or "llvm".
    """
    from triton.backends import Backend, backends
    from triton.runtime import driver as active

    from .compiler import InflightBackend
    from .driver import InflightDriver

    # In a source tree nobody has entered it.
    backends.setdefault("inflight", Backend(InflightBackend, InflightDriver))
    mine = InflightDriver(chip or os.environ.get("INFLIGHT_CHIP", "gfx942"), cuda)
    InflightDriver.activated = True
    active.set_active(mine)
    from .backend import use

    if compiler:
        use(compiler)
    elif compiler := os.environ.get("INFLIGHT_COMPILER"):
        use(compiler)
        if compiler == "both":  # the program has no line that asks for the table
            from .comparison import compare

            atexit.register(compare)
    return mine
