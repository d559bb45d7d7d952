"""A program as mypy sees it: test_types.py has it checked against the stubs."""
import inflight
import inflight.triton
import inflight.wave

code: bytes = inflight.compile("module {}", "gfx942")
text: str = inflight.compile("module {}", "gfx942", "asm")
kernel = inflight.load(code)["vadd"]
time = kernel[(4, 1), 256](1, 2.0, timed=True).microseconds
if time is not None:
    print(time + 1)
with inflight.check(ignore=["memory"]) as found:
    kernel.launch(4, (256, 1))
print([finding.line + 1 for finding in found.findings])
with inflight.trace(sample=1) as trace:
    kernel[4, 256]()
trace.save("page.html")
print(inflight.waits(text, "relax").status, inflight.device("gfx950")["lds_bytes"])
advisory = inflight.advise(kernel, (4, 1), 256, (inflight.aligned([]), 2.0), waits=1)
print(advisory.advice[0].gain + advisory.microseconds, advisory.relaxed or b"")
found_best = inflight.tune.search("tune.py", "gfx950", trials=3, done=lambda trial: print(trial.state))
found_best.save("best.json")
print(found_best.trials[0].number + 1, found_best.compile() + b"")
inflight.triton.activate("gfx950", cuda=True)
with inflight.triton.verified(relax=True) as kernels:
    print(kernels[0].waits.findings)
inflight.wave.activate()
