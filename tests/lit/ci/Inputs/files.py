"""action.yml and .pre-commit-hooks.yaml have what their readers require. Without PyYAML only their keys' lines are looked at."""
import os, sys

root = sys.argv[1]
action = open(root + "/action.yml").read()
hooks = open(root + "/.pre-commit-hooks.yaml").read()
try:
    import yaml
except ImportError:
    assert "\nruns:\n  using: composite\n" in action and "- id: inflight-waits" in hooks
    sys.exit()
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
