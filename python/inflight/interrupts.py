"""Signals during a launch: their handlers are called meanwhile, and what one raises ends the run and comes out of the launch."""
import _signal  # what `signal` wraps: its enumerations would take longer than a small launch
import contextlib
import signal
import threading

from ._library import Interrupted, InterruptedFunction

_SIGNALS = sorted(map(int, signal.valid_signals()))


class _Handlers:
    """Stand for the program's own handlers while a library call is under way, in which no Python code may raise."""

    def __init__(self):
        self.own = {number: handler for number in _SIGNALS if callable(handler := _signal.getsignal(number))}
        self.raised, self.wants_end = None, False
        self.asked = InterruptedFunction(lambda _: self.wants_end)

    def handle(self, number, frame):
        try:
            self.own[number](number, frame)
            # Others than Ctrl-C may be there to tell of progress, or of a child that has ended.
            self.wants_end |= number == signal.SIGINT
        except BaseException as error:
            self.raised, self.wants_end = self.raised or error, True

    def enter(self):
        for number in self.own:
            _signal.signal(number, self.handle)

    def leave(self):
        for number, handler in self.own.items():
            # A handler may have set another one.
            if _signal.getsignal(number) == self.handle:
                _signal.signal(number, handler)


@contextlib.contextmanager
def interruptible(launch):
    """Around the call that gets `launch`. Only the main thread is told of signals; launches of others go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = _Handlers()
    launch.interrupted = handlers.asked
    handlers.enter()
    failed = None
    try:
        yield
    except Interrupted as error:
        failed = error
    finally:
        handlers.leave()
        if handlers.raised is not None:
            raise handlers.raised
    if failed:
        raise failed
