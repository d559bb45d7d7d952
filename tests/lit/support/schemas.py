"""schemas.py FOLDER: JSON against the schemas in FOLDER, by Python's jsonschema."""
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("schemas: error: Python's jsonschema is missing (Debian: python3-jsonschema)")


def rewritten(node, name):
    """With references that hold in one document of all schemas: those between files and those inside one are then alike."""
    if isinstance(node, list):
        return [rewritten(one, name) for one in node]
    if not isinstance(node, dict):
        return node
    made = {key: rewritten(value, name) for key, value in node.items()}
    reference = made.get("$ref")
    if isinstance(reference, str):
        made["$ref"] = f"#/$defs/{name}{reference[1:]}" if reference.startswith("#") else "#/$defs/" + reference.removesuffix(".json")
    return made


def properties_of(node, path):
    """What objects may have, by the object's place in the schema; complaints about objects that are open or say nothing about a property."""
    if isinstance(node, list):
        for one in node:
            yield from properties_of(one, path)
        return
    if not isinstance(node, dict):
        return
    isObject = node.get("type") == "object" or isinstance(node.get("type"), list) and "object" in node["type"]
    if isObject:
        assert "additionalProperties" in node and node["additionalProperties"] is not True, f"{path}: open"
        assert node.get("description"), f"{path}: no description"
    for name, value in node.get("properties", {}).items() if isObject else ():
        assert "$ref" in value or value.get("description"), f"{path}/{name}: no description"
        yield path, name
    for key, value in node.items():
        if key in ("properties", "$defs"):
            for name, one in value.items():
                yield from properties_of(one, f"{path}/{name}")
        elif key in ("items", "additionalProperties", "oneOf"):
            yield from properties_of(value, path)


class Schemas:
    def __init__(self, folder):
        self.files = {file.stem: json.loads(file.read_text()) for file in sorted(pathlib.Path(folder).glob("*.json"))}
        self.all = {"$defs": {name: rewritten(schema, name) for name, schema in self.files.items()}}
        for schema in self.files.values():
            Draft202012Validator.check_schema(schema)
        self.seen = set()
        self.checked = dict.fromkeys(self.files, 0)

    def check(self, name, value, what):
        errors = list(Draft202012Validator({**self.all, "$ref": f"#/$defs/{name}"}).iter_errors(value))
        if errors:
            sys.exit(f"{what}: not as {name}.json says:\n" + "\n".join(f"  {error.json_path}: {error.message[:300]}" for error in errors[:5]))
        self.checked[name] += 1
        self._see(self.files[name], name, value, name)

    def _see(self, schema, path, value, name):
        """Notes which properties the value has."""
        if "$ref" in schema:
            reference = schema["$ref"]
            if reference.startswith("#"):
                return self._see(self.files[name]["$defs"][reference.rpartition("/")[2]], f"{name}/{reference.rpartition('/')[2]}", value, name)
            other = reference.removesuffix(".json")
            return self._see(self.files[other], other, value, other)
        for one in schema.get("oneOf", ()):
            if Draft202012Validator({**self.all, **rewritten(one, name)}).is_valid(value):
                self._see(one, path, value, name)
        if isinstance(value, list) and "items" in schema:
            for one in value:
                self._see(schema["items"], path, one, name)
        if isinstance(value, dict):
            for key, one in value.items():
                inner = schema.get("properties", {}).get(key)
                if inner is not None:
                    self.seen.add((path, key))
                    self._see(inner, f"{path}/{key}", one, name)
                elif isinstance(schema.get("additionalProperties"), dict):
                    self._see(schema["additionalProperties"], path, one, name)

    def unseen(self):
        known = {place for name, schema in self.files.items() for place in properties_of(schema, name)}
        return sorted(f"{path}/{key}" for path, key in known - self.seen)
