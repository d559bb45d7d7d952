"""python -m inflight: the command."""
import os
import shutil
import sys


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "inflight")
    command = here if os.path.exists(here) else shutil.which("inflight", path=os.pathsep.join(
        folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.realpath(os.path.join(folder, "inflight")) != os.path.realpath(sys.argv[0])))
    if command is None:
        sys.exit("inflight: the command isn't in this installation")
    os.execv(command, [command] + sys.argv[1:])


if __name__ == "__main__":
    main()
