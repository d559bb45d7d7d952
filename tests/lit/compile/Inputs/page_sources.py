"""The source that a page shows, and beside it which instructions come from each of its lines."""
import base64
import json
import re
import sys
import zlib

page = open(sys.argv[1]).read()
head = json.loads(zlib.decompress(base64.b64decode(re.search('id="head">([^<]*)<', page)[1])))
for source in head["sources"]:
    print(source["file"])
    for number, line in enumerate(source["text"].splitlines(), 1):
        here = [text for text, place in zip(head["code"]["text"], head["code"]["source"])
                if f"{source['file']}:{number}" in place.split(" -> ")]
        print(f"{line}  <- {'; '.join(here)}")
