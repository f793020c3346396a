#!/usr/bin/env python3
"""Plays a scenario against `packtool serve` by real downloads, and prints the microseconds that it took.

player.py URL SCENARIO

Takes the steps begin, await, play and end; packs are fetched one at a time, those of the request that began first in
the order of their identifiers, as `packtool simulate` does.
"""
import http.client, json, sys, threading, time, urllib.parse, urllib.request

url, scenario = sys.argv[1], json.load(open(sys.argv[2]))
host = urllib.parse.urlsplit(url).netloc
# The index is no part of a scenario, so its time does not count.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
index = json.load(opener.open(url + "index.json"))
packs = {pack["id"]: pack for pack in index["packs"]}
wanted, stored, requests, changed = [], set(), {}, threading.Condition()


def fetch():
    connection = http.client.HTTPConnection(host)
    while True:
        with changed:
            while not wanted: changed.wait()
            name = wanted[0]
        if name is None: return
        archive = packs[name]["archive"]
        connection.request("GET", "/" + urllib.parse.quote(archive["path"]))
        body = connection.getresponse().read()
        assert len(body) == archive["size"], name
        with changed:
            wanted.remove(name)
            stored.add(name)
            changed.notify_all()


downloads = threading.Thread(target=fetch, daemon=True)
downloads.start()
start = time.monotonic()
for step in scenario["steps"]:
    if "begin" in step:
        needed = sorted({name for tag in step["begin"] for name in index["tags"][tag]["packs"]})
        requests[step["as"]] = needed
        with changed:
            wanted += [name for name in needed if name not in stored and name not in wanted]
            changed.notify_all()
    elif "await" in step:
        with changed:
            while not stored.issuperset(requests[step["await"]]): changed.wait()
    elif "play" in step:
        amount, unit = step["play"].split()
        time.sleep(float(amount) * {"ms": 1e-3, "s": 1}[unit])
    elif "end" not in step:
        sys.exit(f"player: the step {step} is not known")
print(json.dumps({"end": round((time.monotonic() - start) * 1e6)}))
