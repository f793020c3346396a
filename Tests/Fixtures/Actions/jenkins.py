"""Runs the steps of a Jenkinsfile for a branch: its shell lines as they are, and what its plugins copy and archive.

Usage, in a fresh workspace: jenkins.py FILE STATE BRANCH
"""
import glob, os, pathlib, re, shutil, subprocess, sys

text, state, branch = open(sys.argv[1]).read(), pathlib.Path(sys.argv[2]), sys.argv[3]
steps, post = text.split("post {")


def named(step, name): return re.search(rf"{name}: '([^']*)'", step)[1]


for shell, copy in re.findall(
        r"^ +(?:sh ((?s:'''.*?'''|'[^'\n]*'))|(copyArtifacts .*(?:(?<=,)\n.*)*))$", steps, flags=re.M):
    if shell:
        subprocess.run(["sh", "-xe", "-c", shell.strip("'").replace("\\\\", "\\")], check=True)
        continue
    assert "flatten: true" in copy and "optional: true" in copy and "lastSuccessful()" in copy, copy
    pattern, source = re.search(r"env\.JOB_NAME\.replaceFirst\('([^']*)', '([^']*)'\)", copy).groups()
    job = state / re.sub(pattern, source, f"studio/game/{branch}", count=1)
    target = pathlib.Path(named(copy, "target"))
    for each in named(copy, "filter").split(", "):
        for path in glob.glob(each, root_dir=job):
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(job / path, target)
assert pathlib.Path(re.search(r"recordIssues [^}]*sarif\(pattern: '([^']*)'", post)[1]).exists()
archived, left = named(post, "artifacts").removesuffix("/**"), named(post, "excludes").removesuffix("/**")
shutil.copytree(archived, state / f"studio/game/{branch}" / archived, dirs_exist_ok=True,
                ignore=lambda folder, names: [n for n in names if os.path.join(folder, n) == left])
