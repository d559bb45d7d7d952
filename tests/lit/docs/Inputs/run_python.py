"""run_python.py FILE.md: runs the first python block of a document."""
import re
import sys

exec(compile(re.search(r"^```python\n(.*?)^```", open(sys.argv[1]).read(), re.M | re.S)[1], sys.argv[1], "exec"))
