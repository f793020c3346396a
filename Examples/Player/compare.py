#!/usr/bin/env python3
"""Plays random scenarios over random releases, simulated and for real, and compares the two.

    compare.py --packtool PROGRAM --player PROGRAM [--releases 3] [--scenarios 10] [--seed 1] [--tries 1] [--connections 1] [--order-only]
               [--only RELEASE:SCENARIO]

Compares of each request whether it was there, how it failed, and in which order requests were there; and when, within 5 % or
30 ms. Events that are less than that apart may change places. Times mean something only where nothing else runs on the machine:
with --order-only none are compared, and nothing hangs on them: no pause, no prefetch, no request that ends before it is there.
With --tries a scenario that disagrees is played again, since a busy machine is late; --only plays one of them alone.
"""
import argparse, json, os, pathlib, random, shutil, subprocess, sys, tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--packtool", default="packtool")
parser.add_argument("--player", default="Player")
for name, default in {"releases": 3, "scenarios": 10, "seed": 1, "tries": 1, "connections": 1}.items(): parser.add_argument(f"--{name}", type=int, default=default)
parser.add_argument("--order-only", action="store_true")
parser.add_argument("--only", action="append")
options = parser.parse_args()
TAGS = "ABCDE"
# The rate of a link in bytes per millisecond, a little too slow.
LINKS = {"3G": 90, "LTE": 1_000, "Fast 4G": 900, "DSL": 220, "Wi-Fi": 4_500}


def slack(time): return max(30_000, time // 20)


def is_near(size, other, time, simulated):
    """Whether two download sizes are equal, or differ only by bytes that OnDemand has not counted yet: it counts every 128 KiB of a transfer."""
    busy = any(r["began"] <= time < (r["available"] or r["ended"] or time + 1) for r in simulated["requests"] if r["began"] < time or not options.order_only)
    return size == other or (busy or not options.order_only) and abs(size - other) <= simulated["link"]["rate"] * slack(time) // 8_000_000 + 131_072 * options.connections


def build(dice, folder):
    """Two releases that follow one another, of which the second has patches; the sizes of all packs together."""
    sets = [[tag] for tag in TAGS] + [sorted(dice.sample(TAGS, dice.randint(2, 3))) for _ in range(2)]
    manifest = {"bundleIdentifier": "com.example.random", "root": "Assets", "resources": [{"path": str(number), "tags": tags} for number, tags in enumerate(sets)],
                "initialInstallTags": dice.sample(TAGS, dice.randint(0, 2)), "prefetchTagOrder": []}
    if not options.order_only: manifest["prefetchTagOrder"] = dice.sample([tag for tag in TAGS if tag not in manifest["initialInstallTags"]], dice.randint(0, 2))
    data = {f"{number}/{file}": dice.randbytes(dice.randint(0, 60_000)) for number in range(len(sets)) for file in range(dice.randint(1, 3))}
    (folder / "Manifest.json").write_text(json.dumps(manifest))
    for release in (1, 2):
        for name, content in data.items():
            (folder / "Assets" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "Assets" / name).write_bytes(content)
        flags = ["--patch-from", str(folder / "1")] if release == 2 else []
        subprocess.run([options.packtool, "build", folder, "-o", folder / str(release), "--quiet", "--set", "compression=store", *flags], check=True, stderr=subprocess.DEVNULL)
        for name in dice.sample(sorted(data), len(data) // 3): data[name] = data[name][: len(data[name]) // 2] + b"changed" + data[name][len(data[name]) // 2 :]
    return sum(pack["size"] for pack in json.loads((folder / "1/index.json").read_text())["packs"])


def scenario(dice, size):
    steps, open_names, count, updates, has_staged = [], [], 0, 1, False
    if dice.random() < 0.5: steps.append({"install": True})
    for _ in range(dice.randint(5, 12)):
        kind = dice.choices(["begin", "await", "end", "play", "conditional", "priority", "preserve", "quit", "update", "loss"], [8, 5, 4, 0 if options.order_only else 7, 2, 2, 1, 1, 2, 1])[0]
        # A server has one release, so that nothing may wait for packs of the old one when it gets the new one. What is fetched
        # ahead goes on while an update is found, for which the player's clock stands still: so it ends before.
        if kind == "update" and updates and steps and "install" in steps[0]: steps.append({"play": None})
        if kind == "update" or options.order_only and kind in ("quit", "conditional", "loss"): steps += [{"await": name} for name in open_names]
        if kind == "begin":
            count += 1
            step = {"begin": dice.sample(TAGS, dice.randint(1, 2)), "as": f"r{count}"}
            if dice.random() < 0.5: step["priority"] = dice.choice([0, 0.2, 0.8, 1, "urgent"])
            open_names.append(step["as"])
            steps.append(step)
        elif kind == "conditional":
            count += 1
            steps.append({"conditional": [dice.choice(TAGS)], "as": f"c{count}"})
        elif kind == "play": steps.append({"play": f"{dice.randint(20, 500)} ms"})
        elif kind == "preserve": steps.append({"preserve": [dice.choice(TAGS)], "to": round(dice.random(), 2)})
        elif kind == "quit":
            steps.append({dice.choice(["quit", "kill"]): True})
            open_names.clear()
        elif kind == "update" and updates and dice.random() < 0.5:
            steps += [{"quit": True}, {"update": "2"}]
            updates = 0
            open_names.clear()
        elif kind == "update" and updates:
            # Long enough for all of it where only the order counts.
            steps += [{"update": "2", "staged": True}, {"play": "2 s" if options.order_only else f"{dice.randint(20, 1500)} ms"}, {"apply": True}]
            updates = 0
            has_staged = True
        elif kind == "loss":
            count += 1
            steps += [{"link": "100% Loss"}, {"begin": dice.sample(TAGS, 2), "as": f"r{count}"}, {"await": f"r{count}"}, {"link": None}]
            open_names.append(f"r{count}")
        elif open_names:
            name = dice.choice(open_names)
            if kind == "priority": steps.append({"priority": name, "to": dice.choice([0, 0.9, "urgent"])})
            elif kind == "await": steps.append({"await": name})
            elif kind == "end":
                steps += [{"await": name}] * options.order_only + [{"end": name}]
                open_names.remove(name)
    if options.order_only: steps += [{"await": name} for name in open_names]
    # A request that fails at once has time to say so.
    steps.append({"play": "50 ms"})
    device = {}
    if dice.random() < 0.3: device["space"] = int(size * dice.uniform(0.4, 0.9))
    if dice.random() < 0.2: device["inUse"] = int(size * dice.uniform(0.3, 0.8))
    link = "Wi-Fi" if has_staged and options.order_only else dice.choice(list(LINKS))
    for step in steps:
        if "play" in step and step["play"] is None: step["play"] = f"{1_000 + size // LINKS[link]} ms"
    # After a network that loses everything, that of the server is back.
    for step in steps:
        if "link" in step and step["link"] is None: step["link"] = link
    return {"link": link, "patience": "200 ms", "connections": options.connections, "device": device, "steps": steps}


def faults(simulated, measured):
    found = []
    pairs = list(zip(simulated["requests"], measured["requests"]))
    if len(simulated["requests"]) != len(measured["requests"]): return [f"{len(simulated['requests'])} requests and {len(measured['requests'])}"]
    events = []
    for step, (model, real) in enumerate(zip(simulated["steps"], measured["steps"])):
        if "downloadSize" in model and not is_near(model["downloadSize"], real["downloadSize"], model["from"], simulated):
            found.append(f"step {step + 1}: {model['downloadSize']} bytes to download and {real['downloadSize']}")
    for model, real in pairs:
        size = model["downloadSize"]
        if size is not None and not is_near(size, real["downloadSize"], model["began"], simulated):
            found.append(f"{model['name']}: {size} bytes to download and {real['downloadSize']}")
        there, was = model["available"], real.get("available")
        if model["error"] != real.get("error"):
            # One that ends in the moment in which it fails may have failed or not.
            if None in (model["error"], real.get("error")) and abs((model["ended"] or 0) - (real.get("ended") or 0)) <= slack(model["ended"] or 0): continue
            found.append(f"{model['name']}: {model['error']} and {real.get('error')}")
        elif (there is None) != (was is None):
            # One that ends in the moment in which it arrives may be there or not.
            ended, arrived = model["ended"] or 0, was if there is None else there
            if abs(ended - arrived) > slack(arrived): found.append(f"{model['name']}: there at {there} and {was}")
        elif there is not None:
            events.append((there, was, model["name"]))
            if not options.order_only and abs(there - was) > slack(there): found.append(f"{model['name']}: there at {there} and {was}")
    for there, was, name in events:
        for later, then, other in events:
            if later - there > slack(later) and then < was: found.append(f"{name} is before {other}, and behind")
    return found


def play(case, folder, scratch):
    served = scratch / "served"
    shutil.rmtree(served, ignore_errors=True)
    shutil.copytree(folder / "1", served)
    file = folder / "scenario.json"
    file.write_text(json.dumps(case))
    run = subprocess.run([options.packtool, "simulate", file, folder / "1", "--format", "json"], capture_output=True, text=True)
    if run.returncode: return None, f"cannot be simulated: {run.stderr}"
    simulated = json.loads(run.stdout)
    (scratch / "simulated.json").write_text(run.stdout)
    server = subprocess.Popen([options.packtool, "serve", served, "--link", case["link"]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        server.stdout.readline()
        url = server.stdout.readline().strip()
        words = [options.player, file, url, "--simulated", scratch / "simulated.json", "--folder", served, "--json", scratch / "measured.json"]
        run = subprocess.run(words, capture_output=True, text=True, timeout=300)
    finally:
        server.terminate()
        server.wait()
    if run.returncode: return None, f"cannot be played: {run.stderr}"
    return faults(simulated, json.loads((scratch / "measured.json").read_text())), run.stdout


wrong = played = requests = again = 0
with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    for release in range(options.releases):
        dice = random.Random(options.seed * 1_000 + release)
        folder = scratch / f"release {release}"
        folder.mkdir()
        size = build(dice, folder)
        for number in range(options.scenarios):
            case = scenario(dice, size)
            if options.only and f"{release}:{number}" not in options.only: continue
            for attempt in range(options.tries):
                found, text = play(case, folder, scratch)
                if found == []: break
            again += attempt > 0
            played += 1
            requests += sum("begin" in step or "conditional" in step for step in case["steps"])
            if found is None or found:
                wrong += 1
                print(f"release {release}, scenario {number}: {found}\n{json.dumps(case)}\n{text}", flush=True)
print(f"{played - wrong} of {played} scenarios agree, {requests} requests over {options.releases} releases" + (f"; {again} were played again" if again else ""))
sys.exit(1 if wrong else 0)
