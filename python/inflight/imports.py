"""What is to be done to a module once it is there."""
import importlib.abc
import importlib.util
import sys


class _Finder(importlib.abc.MetaPathFinder):
    """Finds nothing itself."""

    def __init__(self, name, call):
        self.name, self.call = name, call

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self.call(module)

            spec.loader.exec_module = exec_module
        return spec


def when_imported(name, call):
    """Calls `call` with the module `name`: now if it has been imported, otherwise when it is, once however often it is asked for."""
    if name in sys.modules:
        call(sys.modules[name])
    elif not any(isinstance(finder, _Finder) and (finder.name, finder.call) == (name, call) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(name, call))
