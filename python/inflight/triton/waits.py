"""The waits of what Triton's compiler emits: verified as each kernel is compiled, on request relaxed."""
import contextlib
import uuid

import inflight
from inflight.findings import FindingsError


class Compiled:
    """What was found of one kernel: `name`, `waits` (inflight.waits()), and whether its assembly was changed."""

    def __init__(self, name, waits, relaxed):
        self.name, self.waits, self.relaxed = name, waits, relaxed

    def __repr__(self):
        return f"<inflight.triton.Compiled {self.name}: status {self.waits.status}, {len(self.waits.findings)} findings{', relaxed' if self.relaxed else ''}>"


def _visit(text, metadata, relax, raises, compiled):
    name = metadata.get("name", "<triton>") if isinstance(metadata, dict) else getattr(metadata, "name", "<triton>")
    verified = inflight.waits(text, "verify", name=name + ".s")
    errors = [finding for finding in verified.findings if finding.level == "error"]
    if errors and raises:
        raise FindingsError(errors)
    output = inflight.waits(text, "relax", name=name + ".s").output if relax and not errors else None
    changed = output is not None and output != text
    compiled.append(Compiled(name, verified, changed))
    return output if changed else text


@contextlib.contextmanager
def verified(relax=False, raises=True):
    """Kernels that Triton compiles inside have their waits verified: a missing one raises FindingsError, unless `raises` is false. With `relax`
    waits that are stronger than any later use needs are weakened before the kernel is assembled. The value of `with` lists what was compiled.

    with inflight.triton.verified() as kernels:
        kernel[grid](...)

    By Triton's hook for the stages of its compiler (knobs.runtime.add_stages_inspection_hook, 3.6 and later), with a
    key of its own, so that nothing comes from Triton's cache.
    """
    from triton import knobs

    if not hasattr(knobs.runtime, "add_stages_inspection_hook"):
        raise inflight.Error("inflight: this version of Triton has no hook for the stages of its compiler: 3.6 and later have")
    compiled = []
    key = "inflight " + uuid.uuid4().hex

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if stages is None:
            return key, key
        if "amdgcn" in stages:
            plain = stages["amdgcn"]
            stages["amdgcn"] = lambda source, metadata: _visit(plain(source, metadata), metadata, relax, raises, compiled)

    before, always = knobs.runtime.add_stages_inspection_hook, knobs.compilation.always_compile
    knobs.runtime.add_stages_inspection_hook = hook
    # Before 3.7 the hook's key is no part of the cache's.
    knobs.compilation.always_compile = True
    try:
        yield compiled
    finally:
        knobs.runtime.add_stages_inspection_hook, knobs.compilation.always_compile = before, always
