"""What `with` statements of a thread have entered, innermost last."""
import contextlib
import threading


class Stack(threading.local):
    def __init__(self):
        self.entered = []

    @contextlib.contextmanager
    def entering(self, one):
        self.entered.append(one)
        try:
            yield one
        finally:
            self.entered.remove(one)
