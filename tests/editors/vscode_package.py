"""What is in the packed extension: vscode_package.py FILE.vsix VERSION"""
import json
import re
import sys
import xml.etree.ElementTree
import zipfile

package, version = sys.argv[1:]
files = zipfile.ZipFile(package)
assert files.testzip() is None
names = set(files.namelist())
assert {"extension.vsixmanifest", "[Content_Types].xml", "extension/LICENSE.txt", "extension/README.md"} <= names, names
# The program is one file; nothing of what builds it is there.
assert not [name for name in names if "node_modules" in name or name.endswith((".ts", "package-lock.json"))], names
space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
manifest = xml.etree.ElementTree.fromstring(files.read("extension.vsixmanifest"))
identity = manifest.find("v:Metadata/v:Identity", space)
assert (identity.get("Id"), identity.get("Version"), identity.get("Publisher")) == ("inflight", version, "inflight"), identity.attrib
for asset in manifest.findall("v:Assets/v:Asset", space):
    assert asset.get("Path") in names, asset.attrib

extension = json.loads(files.read("extension/package.json"))
contributed = extension["contributes"]
parts = [extension["main"], *(one["configuration"] for one in contributed["languages"] if "configuration" in one), *(one["path"] for one in contributed["grammars"])]
for part in parts:
    assert f"extension/{part.removeprefix('./')}" in names, part
program = files.read("extension/dist/extension.js").decode()
for setting in contributed["configuration"]["properties"]:
    # One by which the client's own library shows messages.
    assert setting.removeprefix("inflight.") in program or setting == "inflight.trace.server", setting
for command in contributed["commands"]:
    assert command["command"] in program, command

grammar = json.loads(files.read("extension/amdgcn.tmLanguage.json"))
line = "  global_load_dword v2, v1, s[4:5] offset:0x10 ; loaded"
found = {pattern["name"]: re.findall(pattern["match"], line) for pattern in grammar["patterns"] if "match" in pattern}
assert found["comment.line.amdgcn"] and found["support.function.amdgcn"] and found["storage.modifier.amdgcn"] == ["offset"], found
assert len(found["variable.parameter.amdgcn"]) == 3, found
