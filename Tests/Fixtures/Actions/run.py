"""Runs a composite action as GitHub does, as far as packtool's needs it: inputs, expressions, conditions, outputs.

Reads {"action": FILE, "inputs": {...}, "github": {...}, "number": N} and writes what each step did, a JSON object a line. Actions of
others are not run: what they would get is written instead.
"""
import json, os, re, subprocess, sys, tempfile

import yaml

task = json.load(sys.stdin)
action = yaml.safe_load(open(task["action"]))
unknown = set(task["inputs"]) - set(action["inputs"])
assert not unknown, unknown
context = {
    "inputs": {name: task["inputs"].get(name, str(each.get("default", ""))) for name, each in action["inputs"].items()},
    "github": {**task["github"], "event": {"number": task["number"]}}, "runner": {"os": "Linux"}, "steps": {},
}


def value(path):
    found = context
    for part in path.split("."):
        assert part in found, "the expression names %s, which is unknown" % path
        found = found[part]
    assert not isinstance(found, dict), path
    return str(found)


def filled(text):
    return re.sub(r"\$\{\{ *([a-zA-Z_.]+) *\}\}", lambda match: value(match[1]), str(text))


def holds(condition, failed):
    if condition is None:
        return not failed
    results = []
    for part in condition.split("&&"):
        part = part.strip()
        match = re.fullmatch(r"([a-zA-Z_.]+) *== *'([^']*)'", part)
        assert part == "always()" or match, part
        results.append(part == "always()" or value(match[1]) == match[2])
    return all(results) and (not failed or "always()" in condition)


failed = False
for step in action["runs"]["steps"]:
    name = step.get("id") or step.get("uses") or step["run"].split()[0]
    if not holds(step.get("if"), failed):
        print(json.dumps({"step": name, "skipped": True}))
        continue
    if "uses" in step:
        print(json.dumps({"step": name, "with": {key: filled(text) for key, text in step["with"].items()}}))
        continue
    assert step["shell"] == "bash", step
    with tempfile.NamedTemporaryFile("r") as outputs:
        environment = {name: filled(text) for name, text in step.get("env", {}).items()}
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])]
        run = subprocess.run(
            script, capture_output=True, text=True, env={**os.environ, **environment, "GITHUB_OUTPUT": outputs.name})
        made = dict(line.split("=", 1) for line in outputs.read().splitlines())
    context["steps"][step.get("id", name)] = {"outputs": made}
    failed = failed or run.returncode != 0
    print(json.dumps({"step": name, "status": run.returncode, "log": run.stdout + run.stderr, "outputs": made}))
outputs = {name: filled(each["value"]) for name, each in action.get("outputs", {}).items()}
print(json.dumps({"step": "action", "status": 1 if failed else 0, "outputs": outputs}))
