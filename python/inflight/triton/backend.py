"""Triton's kernels by Inflight's compiler in place of LLVM's code generator: from the LLVM IR that Triton's own passes end with."""
import re
import warnings

import inflight

COMPILERS = ("llvm", "inflight")


def _key(compiler):
    return f"inflight's compiler {inflight.__version__}" if compiler == "inflight" else "llvm"


def _contracting(source):
    """With the permission to fuse that Triton doesn't write: it tells LLVM by an option."""
    return re.sub(r" = (fmul|fadd|fsub) ", r" = \1 contract ", source)


def _assembly(source, metadata, options, plain):
    """`source`: LLVM IR. What the compiler refuses LLVM compiles, with a warning that says why."""
    text = plain(source, metadata)  # sets what Triton wants in metadata
    try:
        return inflight.compile(_contracting(source) if options.enable_fp_fusion else source, options.arch, emit="asm", name=metadata["name"] + ".ll")
    except inflight.Error as error:
        warnings.warn(f"inflight: {metadata['name']} is compiled by LLVM: {_first_error(error)}", stacklevel=2)
    return text


def _first_error(error):
    lines = str(error).splitlines()
    return next((line for line in lines if "error:" in line), lines[0] if lines else "refused")


def use(compiler):
    """From now on kernels are compiled so. By Triton's hook for the stages of its compiler, of 3.6 and later."""
    from triton import knobs

    if compiler not in COMPILERS:
        raise ValueError(f"compiler must be one of {', '.join(COMPILERS)}, not {compiler!r}")
    if compiler == "llvm":
        knobs.runtime.add_stages_inspection_hook = None
        return
    if not hasattr(knobs.runtime, "add_stages_inspection_hook"):
        raise inflight.Error("inflight: this version of Triton has no hook for the stages of its compiler: 3.6 and later have")

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if stages is None:
            return _key(compiler), _key(compiler)
        plain = stages["amdgcn"]
        stages["amdgcn"] = lambda source, metadata: _assembly(source, metadata, options, plain)

    knobs.runtime.add_stages_inspection_hook = hook
