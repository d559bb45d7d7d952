"""Benchmarks by modelled time: what Triton's do_bench and autotuner and events of a device measure."""


def range_text(accuracy):
    """What nine of ten launches took that are alike and were measured, of a modelled time's `accuracy`."""
    if not accuracy or not accuracy["launches"]:
        return "outside of what was compared"
    return "{least_microseconds:.2f} to {most_microseconds:.2f} us".format(**accuracy)


class Timing:
    """While do_bench measures, launches are timed and their modelled times added up."""

    depth = 0
    microseconds = 0.0


def modelled_milliseconds(call):
    """Runs `call` once; the time that its launches take on the modelled device."""
    Timing.depth += 1
    before, Timing.microseconds = Timing.microseconds, 0.0
    try:
        call()
        return Timing.microseconds * 1e-3
    finally:
        Timing.microseconds = before
        Timing.depth -= 1


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean", **rest):
    """triton.testing.do_bench by modelled time: the model is deterministic, so one launch says all."""
    milliseconds = modelled_milliseconds(fn)
    if quantiles is not None:
        return [milliseconds] * len(quantiles) if len(quantiles) > 1 else milliseconds
    return [milliseconds] if return_mode == "all" else milliseconds


class Event:
    def record(self, stream=None):
        self.at = Timing.microseconds

    def elapsed_time(self, other):
        return (other.at - self.at) * 1e-3

    def synchronize(self):
        pass


class DeviceInterface:
    """What benchmarks ask of torch.cuda."""

    def synchronize(self, device=None):
        pass

    def current_device(self):
        return 0

    def Event(self, enable_timing=True):
        return Event()
