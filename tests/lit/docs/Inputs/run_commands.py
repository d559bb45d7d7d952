"""run_commands.py FILE.md DIRECTORY: runs the shell commands that the text shows, there, and stops at the first that fails."""
import re, subprocess, sys

text = open(sys.argv[1]).read()
commands = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
assert commands
subprocess.run(["bash", "-exc", "".join(commands)], cwd=sys.argv[2], check=True)
