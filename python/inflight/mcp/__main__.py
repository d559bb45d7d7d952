"""inflight mcp: serves agents by the Model Context Protocol, on standard input and output."""
import argparse
import pathlib
import sys



def number(word):
    made = int(word)
    if made < 1:
        raise argparse.ArgumentTypeError(f"{word} isn't 1 or more")
    return made


def parser():
    made = argparse.ArgumentParser(prog="inflight mcp", allow_abbrev=False, description=__doc__)
    made.add_argument("--folder", default=".", metavar="DIR", help="where tools read and write files, and nowhere else (default: the current folder)")
    made.add_argument("--seconds", type=number, default=120, metavar="N", help="what a call may take (default 120)")
    made.add_argument("--memory", type=number, default=4096, metavar="MIB", help="memory that a call may take (default 4096)")
    made.add_argument("--answer", type=number, default=48, metavar="KIB", help="size of an answer (default 48): lists are shortened to fit")
    made.add_argument("--calls", type=number, default=2, metavar="N", help="calls at a time; others wait (default 2)")
    return made


def main(words=None):
    arguments = parser().parse_args(words)
    folder = pathlib.Path(arguments.folder).resolve()
    if not folder.is_dir():
        sys.exit(f"inflight mcp: error: no folder '{arguments.folder}'")
    try:
        from .bounded import Limits, Workshop
        from .server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "anyio"):
            raise
        sys.exit("inflight mcp: error: the Model Context Protocol's SDK isn't there; pip install 'mcp>=2'")
    serve(Workshop(folder, Limits(arguments.seconds, arguments.memory << 20, arguments.answer << 10, arguments.calls)))


if __name__ == "__main__":
    main()
