"""Whether the links of the staged pages lead somewhere, and no page's list has run into the paragraph before it: site.py FOLDER"""
import os
import pathlib
import re
import sys

pages = pathlib.Path(sys.argv[1], "pages")
found = list(pages.rglob("*.md"))
assert len(found) > 60 and (pages / "rules/missing-wait.md").exists() and (pages / "index.md").exists()
for path in found:
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
        assert re.match(r"[a-z]+:", target) or os.path.exists(path.parent / target), (path, target)
    assert not re.search(r"^[^\s|>#-][^\n]*\n- ", text, re.M), path
assert "| [`missing-wait`](rules/missing-wait.md) |" in (pages / "waits.md").read_text()
navigation = pathlib.Path(sys.argv[1], "mkdocs.yml").read_text()
assert "          - rules/missing-wait.md\n" in navigation and "- Rules: rules" not in navigation
