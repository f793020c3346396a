"""Runs a composite action, or a job of a workflow, as GitHub does, as far as packtool's need it: inputs, expressions,
conditions, outputs, artifacts, and what the scripts ask of GitHub, by a server that stands in for it.

Reads {"action": FILE, "inputs": {...}} or {"workflow": FILE, "job": NAME, "matrix": {...}}, with {"event": NAME,
"branch": NAME, "state": FOLDER, "fork": true} in both, and writes what each step did, a JSON object a line. Actions of
others are not run: what they would get is written instead, and artifacts are kept in the state.
"""
import fnmatch, glob, json, os, pathlib, re, shutil, subprocess, sys, tempfile, zipfile

sys.dont_write_bytecode = True
import server
import yaml

task = json.load(sys.stdin)
state = server.State(task["state"])
fork = task.get("fork", False)
event, branch = task["event"], task["branch"]
address = server.serve(state, writes=not fork)
if "action" in task:
    definition = yaml.safe_load(open(task["action"]))
    steps, workflow = definition["runs"]["steps"], "packs.yml"
    unknown = set(task["inputs"]) - set(definition["inputs"])
    assert not unknown, unknown
    inputs = {name: task["inputs"].get(name, str(each["default"])) for name, each in definition["inputs"].items()}
else:
    # Whoever copies a workflow writes whose packtool it is.
    text = open(task["workflow"]).read().replace("OWNER/", "own/")
    definition, inputs, workflow = yaml.safe_load(text), {}, os.path.basename(task["workflow"])
    steps = definition["jobs"][task["job"]]["steps"]
github = {
    "event_name": event, "sha": "0123abc", "token": server.TOKEN, "action_repository": "own/packtool",
    "workspace": os.getcwd(), "repository": "studio/game", "server_url": address, "api_url": address,
    "ref": "refs/pull/7/merge" if event == "pull_request" else task.get("ref", f"refs/heads/{branch}"),
    "ref_name": task.get("ref", branch).split("/")[-1],
    "workflow_ref": f"studio/game/.github/workflows/{workflow}@" + task.get("ref", f"refs/heads/{branch}"),
    "event": {"number": 7, "repository": {"default_branch": "main"}},
}
context = {"inputs": inputs, "github": github, "runner": {"os": "Linux", "temp": tempfile.mkdtemp(dir=state.folder)},
           "steps": {}, "env": definition.get("env", {}), "matrix": task.get("matrix", {})}
repository = {"id": 1}
run = state.add("runs", workflow=workflow, head_branch=branch, conclusion=None, event=event, repository=repository,
                head_repository={"id": 2} if fork else repository)


def value(path):
    found = context
    for part in path.split("."):
        # What a step that did not run would have said is empty.
        if part not in found and path.startswith("steps."): return ""
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
        match = re.fullmatch(r"([a-zA-Z_.]+) *([!=]=) *'([^']*)'", part)
        assert part == "always()" or match, part
        results.append(part == "always()" or (value(match[1]) == match[3]) == (match[2] == "=="))
    return all(results) and (not failed or "always()" in condition)


def use(action, given):
    """What the actions do that later steps and runs see."""
    if action == "actions/upload-artifact":
        made = state.add("artifacts", name=given["name"], run=run["id"], expired=False)
        with zipfile.ZipFile(state.folder / f"artifacts/{made['id']}.zip", "w") as archive:
            paths = [path for line in given["path"].split("\n") for path in glob.glob(line)]
            # Names in it begin below what all paths have in common.
            folder = pathlib.Path(os.path.commonpath([p if os.path.isdir(p) else os.path.dirname(p) for p in paths]))
            for path in [below for path in map(pathlib.Path, paths) for below in [path, *path.rglob("*")]]:
                # Hidden files are left out.
                if not any(part.startswith(".") for part in path.relative_to(folder).parts):
                    archive.write(path, path.relative_to(folder))
    elif action == "actions/download-artifact":
        # Those of this pipeline: of each name the newest.
        for each in reversed(state.read("artifacts")):
            if fnmatch.fnmatch(each["name"], given["pattern"]):
                folder = os.path.join(given["path"], each["name"])
                shutil.rmtree(folder, ignore_errors=True)
                zipfile.ZipFile(state.folder / f"artifacts/{each['id']}.zip").extractall(folder)
    elif action == "actions/checkout" and given.get("repository"):
        os.makedirs(os.path.dirname(given["path"]), exist_ok=True)
        if not os.path.exists(given["path"]): os.symlink(pathlib.Path(__file__).resolve().parents[3], given["path"])


failed = False
for step in steps:
    name = step.get("id") or step.get("name") or step.get("uses", "").split("@")[0] or step["run"].split()[0]
    if not holds(step.get("if"), failed):
        print(json.dumps({"step": name, "skipped": True}))
        continue
    if "uses" in step:
        given = {key: filled(text) for key, text in step.get("with", {}).items()}
        use(step["uses"].split("@")[0], given)
        print(json.dumps({"step": name, "with": given}))
        continue
    assert "workflow" in task or step["shell"] == "bash", step
    with tempfile.NamedTemporaryFile("r") as outputs:
        environment = {
            **{"GITHUB_" + name.upper(): str(text) for name, text in github.items() if isinstance(text, str)},
            **{name: filled(text) for name, text in {**context["env"], **step.get("env", {})}.items()},
            "GITHUB_OUTPUT": outputs.name, "GITHUB_STEP_SUMMARY": str(state.folder / "summary"),
            "GITHUB_ACTION_PATH": os.path.dirname(task.get("action", "")), "RUNNER_TEMP": context["runner"]["temp"],
        }
        # The token reaches only a step that asks for it.
        del environment["GITHUB_TOKEN"]
        script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])]
        done = subprocess.run(script, capture_output=True, text=True, env={**os.environ, **environment})
        made = dict(line.split("=", 1) for line in outputs.read().splitlines())
    context["steps"][step.get("id", name)] = {"outputs": made}
    failed = failed or done.returncode != 0
    print(json.dumps({"step": name, "status": done.returncode, "log": done.stdout + done.stderr, "outputs": made}))
outputs = {name: filled(each["value"]) for name, each in definition.get("outputs", {}).items()}
runs = state.read("runs")
next(each for each in runs if each["id"] == run["id"])["conclusion"] = "failure" if failed else "success"
state.write("runs", runs)
shutil.rmtree(context["runner"]["temp"])
print(json.dumps({"step": "action", "status": 1 if failed else 0, "outputs": outputs}))
