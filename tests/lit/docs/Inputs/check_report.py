"""check_report.py FILE.md REPORT: every line of the report that the text shows, but for those left out by "...", was printed."""
import re
import sys

shown = re.search(r"^## The report\n```\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S)[1]
printed = {line.rstrip() for line in open(sys.argv[2])}
missing = [line for line in shown.splitlines() if line.strip() not in ("", "...") and line.rstrip() not in printed]
sys.exit("not printed:\n" + "\n".join(missing) if missing else 0)
