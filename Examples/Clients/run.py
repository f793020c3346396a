#!/usr/bin/env python3
"""Tries a client of packs against good releases and hostile answers.

    run.py [--packtool PROGRAM] [--case NAME…] [--list] -- CLIENT…

CLIENT is a command in which {url}, {store} and {key} stand for the server, the folder that the client keeps, and the public
key of minisign. Each time it runs it brings all packs to the release at the URL, and ends with status 0; or it leaves what it
had and ends with status 1. Either way its last line of output is JSON: "release", the number of the release that an app gets
now, and "files", the SHA-256 ("sha256:…") of each file of it by its path. So the client of the example is tried:

    run.py -- python3 ../Patches/client.py --key {key} {url} {store}

Needs packtool and minisign. A client gets 60 seconds, 1 GiB of memory (--memory) and files of 64 MiB at the most.
"""
import argparse, hashlib, json, pathlib, resource, shutil, subprocess, sys, tempfile

import answers, releases

MOST_FILE, MOST_SECONDS, MOST_REQUESTS = 64 << 20, 60, 200
parser = argparse.ArgumentParser(usage=__doc__)
parser.add_argument("--packtool", default="packtool")
parser.add_argument("--memory", type=int, default=1 << 30)
parser.add_argument("--case", action="append")
parser.add_argument("--list", action="store_true")
parser.add_argument("client", nargs="*")
options = parser.parse_args()


class Fault(Exception): pass


def need(condition, what):
    if not condition: raise Fault(what)


def limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    if options.memory: resource.setrlimit(resource.RLIMIT_AS, (options.memory, options.memory))


def play(files, originals, store, place=""):
    """Runs the client once against some answers: its status, what it says an app has, and what it asked for."""
    server = answers.Server(files, place)
    server.originals = originals
    words = options.client
    for name, value in (("{url}", server.url), ("{store}", str(store)), ("{key}", releases.PUBLIC)): words = [word.replace(name, value) for word in words]
    try:
        run = subprocess.run(words, capture_output=True, timeout=MOST_SECONDS, preexec_fn=limits)
    except subprocess.TimeoutExpired:
        raise Fault(f"it took more than {MOST_SECONDS} s")
    finally:
        server.shutdown()
        server.server_close()
    errors = run.stderr.decode(errors="replace").strip()
    need(run.returncode in (0, 1), f"it ended with status {run.returncode}: {errors[-2000:]}")
    try:
        said = json.loads(run.stdout.decode().strip().split("\n")[-1])
        return run.returncode, (said["release"], said["files"]), server.asked, errors
    except (ValueError, KeyError, IndexError):
        raise Fault(f"its last line is not the JSON that is asked for: {run.stdout[-500:]!r} {errors[-2000:]}")


def right(release):
    """What an app has of a release."""
    return {name: "sha256:" + hashlib.sha256(data).hexdigest() for name, data in releases.files(release).items()} if release else {}


def try_case(name, must, before, offered, change, folders, scratch):
    sandbox = scratch / name
    store = sandbox / "inner" / "store"
    store.mkdir(parents=True)
    (sandbox / "evil").write_text("untouched")
    if before:
        files = answers.Site(folders[before], scratch).files
        status, (_, had), _, errors = play(files, files, store)
        need(status == 0 and had == right(before), f"it does not take release {before}: {errors}")
    site = answers.Site(folders[offered], scratch)
    originals = dict(site.files)
    change(site)
    status, (number, has), asked, errors = play(site.files, originals, store, site.place)
    need(len(asked) <= MOST_REQUESTS, f"it asked {len(asked)} times")
    took = status == 0
    need(took if must == "new" else not took or must == "either", f"it ended with status {status}: {errors}")
    is_part = not took and must in ("part", "either") and has.items() <= right(offered).items()
    need(is_part or has == right(offered if took else before), f"an app gets files that are not of {'the new' if took else 'the old'} release: {errors}")
    need(is_part or number == (site.release(originals) if took else before), f"it says that it has release {number}")
    if name == "nothing-new": need(not any(path.startswith("packs/") for path in asked), f"it fetched {asked}")
    # What harm was done must not last: the next good release gets through.
    last = len(folders) - 1
    files = answers.Site(folders[last], scratch)
    if (site_number := number) > last: files.change(release=site_number)
    status, (_, has), _, errors = play(files.files, files.files, store)
    need(status == 0 and has == right(last), f"it does not take release {last} after that: {errors}")
    others = [str(path) for path in sandbox.rglob("*") if path.name not in ("evil", "inner") and store not in (path, *path.parents)]
    need(not others and (sandbox / "evil").read_text() == "untouched", f"it wrote beside its store: {others}")
    shutil.rmtree(sandbox)


def main():
    if options.list:
        for name, must, before, offered, does, _ in answers.CASES: print(f"{name:32} release {before} → {offered}  {must:7} {does}")
        return 0
    need(options.client, "name a client: run.py -- CLIENT…")
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        folders = releases.build(options.packtool, scratch / "releases")
        chosen = [each for each in answers.CASES if not options.case or each[0] in options.case]
        faults = 0
        for name, must, before, offered, does, change in chosen:
            try:
                try_case(name, must, before, offered, change, folders, scratch)
                print(f"pass  {name}", flush=True)
            except Fault as fault:
                faults += 1
                print(f"FAIL  {name}: a client {does}; {fault}", flush=True)
        print(f"{len(chosen) - faults} of {len(chosen)} pass")
        return 1 if faults or not chosen else 0


try:
    sys.exit(main())
except Fault as fault:
    sys.exit(f"run.py: {fault}")
