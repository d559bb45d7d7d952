"""Triton's kernels by Inflight's compiler in place of LLVM's code generator: from the LLVM IR that Triton's own passes end with."""
import re
import warnings

import inflight

from . import comparison

COMPILERS = ("llvm", "inflight", "both")


def _key(compiler):
    """Triton keeps what is compiled under it."""
    return "llvm" if compiler == "llvm" else f"{compiler}: inflight's compiler {inflight.__version__}"


def _contracting(source):
    """With the permission to fuse that Triton doesn't write: it tells LLVM by an option."""
    return re.sub(r" = (fmul|fadd|fsub) ", r" = \1 contract ", source)


def _compiled(source, metadata, options, emit):
    """From LLVM IR."""
    return inflight.compile(_contracting(source) if options.enable_fp_fusion else source, options.arch, emit=emit, name=metadata["name"] + ".ll")


def _assembly(source, metadata, options, plain):
    """What the compiler refuses LLVM compiles, with a warning that says why."""
    text = plain(source, metadata)  # sets what Triton wants in metadata
    try:
        return _compiled(source, metadata, options, "asm")
    except inflight.Error as error:
        warnings.warn(f"inflight: {metadata['name']} is compiled by LLVM: {_first_error(error)}", stacklevel=2)
    return text


def _both(source, metadata, options, plain):
    """LLVM's, with what the other compiler makes of it in the metadata."""
    text = plain(source, metadata)
    try:
        comparison.put(metadata, _compiled(source, metadata, options, "hsaco"))
    except inflight.Error as error:
        comparison.put(metadata, b"", _first_error(error))
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
        replacement = _both if compiler == "both" else _assembly
        stages["amdgcn"] = lambda source, metadata: replacement(source, metadata, options, plain)

    knobs.runtime.add_stages_inspection_hook = hook
