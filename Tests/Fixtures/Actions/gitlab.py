"""Runs the jobs of a .gitlab-ci.yml on a branch as GitLab does, as far as packtool's recipe needs it: rules, artifacts
between jobs, and those of the newest pipeline of a branch that succeeded, by a server that stands in for GitLab.

Usage, in a fresh checkout: gitlab.py FILE STATE BRANCH
"""
import os, shutil, subprocess, sys, zipfile

sys.dont_write_bytecode = True
import server
import yaml

jobs, state, branch = yaml.safe_load(open(sys.argv[1])), server.State(sys.argv[2]), sys.argv[3]
source = os.environ.get("CI_PIPELINE_SOURCE", "push")
variables = {
    "CI_API_V4_URL": server.serve(state) + "/api/v4", "CI_PROJECT_ID": "1", "CI_JOB_TOKEN": server.TOKEN,
    "CI_COMMIT_BRANCH": branch, "CI_DEFAULT_BRANCH": "main", "CI": "true",
}
made = {}
for name, job in jobs.items():
    if "rules" in job:
        assert job["rules"] == [{"if": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE =~ /^(push|schedule|web)$/"}]
        if branch != "main" or source not in ("push", "schedule", "web"): continue
    assert set(job.get("needs", [])) <= set(made)
    # Each job has a checkout of its own, with the artifacts of those that it needs.
    folder = state.folder / "checkout"
    shutil.copytree(".", folder)
    for needed in job.get("needs", []): zipfile.ZipFile(made[needed]).extractall(folder)
    subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(job["script"])], cwd=folder, check=True,
                   env={**os.environ, **variables})
    made[name] = state.folder / f"{name}.zip"
    with zipfile.ZipFile(made[name], "w") as archive:
        for top in job["artifacts"]["paths"]:
            for path in (folder / top).rglob("*"): archive.write(path, path.relative_to(folder))
    for report in job["artifacts"].get("reports", {}).values(): shutil.copy(folder / report, state.folder)
    shutil.rmtree(folder)
newest = state.folder / "gitlab" / branch
newest.mkdir(parents=True, exist_ok=True)
for path in made.values(): path.rename(newest / path.name)
