"""What is in action.yml, .pre-commit-hooks.yaml and .github is what GitHub and pre-commit require, and names what there is. The whole of GitHub's schemas
is for scripts/check-workflows.sh, which wants PyPI and npm."""
import json, os, pathlib, re, subprocess, sys

import yaml

root = sys.argv[1]
action = open(root + "/action.yml").read()
hooks = open(root + "/.pre-commit-hooks.yaml").read()
action = yaml.safe_load(action)
assert action["name"] and action["description"] and action["runs"]["using"] == "composite"
for step in action["runs"]["steps"]:
    assert ("uses" in step) != ("run" in step), step
    assert "uses" in step or step["shell"] == "bash", step
run = action["runs"]["steps"][-1]
named = {value.split("inputs.")[1].split(" ")[0] for value in run["env"].values()}
assert named == set(action["inputs"]), named ^ set(action["inputs"])
assert os.access(root + "/.ci/action.sh", os.X_OK)
for script in ("install-deps.sh", "build.sh"):
    assert os.access(root + "/scripts/" + script, os.X_OK)
for hook in yaml.safe_load(hooks):
    assert {"id", "name", "entry", "language", "files"} <= set(hook), hook

scripts = re.compile(r"(?:^|[\s;&|])((?:scripts|tests/fuzz)/[\w-]+\.sh|\./test\b)")
ran = set()
for path in sorted(pathlib.Path(root, ".github/workflows").glob("*.yml")):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}, path  # what needs more says so in its job
    for name, job in workflow["jobs"].items():
        assert job.get("needs", name) in workflow["jobs"], (path, name)
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), (path, name, step)
            assert "uses" not in step or step["uses"] == "./" or re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"]), (path, step)
            text = step.get("run", "")
            assert "${{" not in text, (path, step)  # what others write comes by the environment
            subprocess.run(["bash", "-n"], input=text, text=True, check=True)
            ran.update(scripts.findall(text))
        if any("campaign.sh" in step.get("run", "") for step in job["steps"]):
            known = re.search(r"counts=\((.*)\)", pathlib.Path(root, "scripts/campaign.sh").read_text())[1]
            assert set(job["strategy"]["matrix"]["part"]) == set(re.findall(r"\[([\w-]+)\]", known)), job
assert {"./test", "scripts/campaign.sh", "scripts/release.sh", "tests/fuzz/run.sh"} <= ran, ran
for script in ran:
    assert os.access(os.path.join(root, script), os.X_OK), script
for path in pathlib.Path(root, ".github/ISSUE_TEMPLATE").glob("*.yml"):
    form = yaml.safe_load(path.read_text())
    assert path.name == "config.yml" or (form["name"] and form["description"] and "object" in [part["id"] for part in form["body"]]), path

version = re.search(r"^project\(inflight VERSION (\S+)", pathlib.Path(root, "CMakeLists.txt").read_text(), re.M)[1]
subprocess.run([os.path.join(root, "scripts/changes.sh"), version], check=True, stdout=subprocess.DEVNULL)
for path in pathlib.Path(root).glob("[ew]*/*/package.json"):
    assert json.loads(path.read_text())["version"] == version, path
