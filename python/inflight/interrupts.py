"""Ctrl-C during a launch: the run ends, then the signal's own handler is called, which raises KeyboardInterrupt."""
import contextlib
import signal
import threading

from ._library import Interrupted, InterruptedFunction


class _Noted:
    """What comes instead of the handler while a library call is under way, in which no Python code may raise."""

    def __init__(self):
        self.frame = self.number = None
        self.asked = InterruptedFunction(lambda _: self.number is not None)

    def handler(self, number, frame):
        self.number, self.frame = number, frame


@contextlib.contextmanager
def interruptible(launch):
    """Around the call that gets `launch`. Only the main thread is told of signals; those of others go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    own = signal.getsignal(signal.SIGINT)
    if not callable(own):  # ignored, left to the system, or not Python's
        yield
        return
    noted = _Noted()
    launch.interrupted = noted.asked
    signal.signal(signal.SIGINT, noted.handler)
    failed = None
    try:
        yield
    except Interrupted as error:
        failed = error
    finally:
        signal.signal(signal.SIGINT, own)
        if noted.number is not None:
            own(noted.number, noted.frame)
    if failed:
        raise failed
