#!/usr/bin/env python3
"""A client of packs and patches: client.py URL STORE [TAG…]

Brings the packs of the tags, of all tags where none is given, to the release at URL. STORE is what the device has:
objects/<SHA-256 in hex> is a file; state.json tells the release and the files of each pack. Prints the bytes that were
fetched, as they were sent, and how many packs came by each way. Needs the program zstd, and packs that are zips.
"""
import gzip, hashlib, io, json, pathlib, subprocess, sys, urllib.parse, urllib.request, zipfile

base, store, tags = sys.argv[1].rstrip("/"), pathlib.Path(sys.argv[2]), sys.argv[3:]
fetched, ways = {"index": 0, "patches": 0, "archives": 0}, {"patches": 0, "archives": 0}


def sha256(data): return "sha256:" + hashlib.sha256(data).hexdigest()


def held(digest): return store / "objects" / digest.removeprefix("sha256:")


def checked(data, digest):
    if sha256(data) != digest: raise ValueError(f"what should be {digest} is not")
    return data


def fetch(kind, path, digest=None, **_):
    request = urllib.request.Request(f"{base}/{urllib.parse.quote(path)}", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        data, coding = answer.read(), answer.headers["Content-Encoding"]
    fetched[kind] += len(data)
    data = gzip.decompress(data) if coding == "gzip" else data
    return checked(data, digest) if digest else data


def put(path, data):
    path.with_suffix(".new").write_bytes(data)
    path.with_suffix(".new").replace(path)


def by_patch(pack, patch):
    archive = zipfile.ZipFile(io.BytesIO(fetch("patches", **patch)))
    recipe = json.loads(archive.read("patch.json"))
    if (recipe["formatVersion"], recipe["digest"]) != (1, pack["digest"]): raise ValueError("it makes another pack")
    for file in recipe["files"]:
        if file["as"] == "same":
            checked(held(file["from"]).read_bytes(), file["digest"])
            continue
        prefix = ["--long=31", f"--patch-from={held(file['from'])}"] if file["as"] == "patch" else []
        frame = archive.read(file["digest"].removeprefix("sha256:"))
        made = subprocess.run(["zstd", "-d", "-q", "-c", *prefix], input=frame, stdout=subprocess.PIPE).stdout
        put(held(file["digest"]), checked(made, file["digest"]))
    return {file["path"]: file["digest"] for file in recipe["files"]}


def by_archive(pack):
    archive = zipfile.ZipFile(io.BytesIO(fetch("archives", **pack["archive"])))
    files = {name: archive.read(name) for name in sorted(archive.namelist(), key=str.encode)}
    lines = "".join(f"{hashlib.sha256(data).hexdigest()} {len(data)} {name}\n" for name, data in files.items())
    checked(lines.encode(), pack["digest"])
    for data in files.values(): put(held(sha256(data)), data)
    return {name: sha256(data) for name, data in files.items()}


(store / "objects").mkdir(parents=True, exist_ok=True)
state = store / "state.json"
old = json.loads(state.read_bytes()) if state.exists() else {"release": None, "packs": {}}
index = json.loads(data := fetch("index", "index.json"))
asked = {id for tag in tags or index["tags"] for id in index["tags"].get(tag, {"packs": []})["packs"]}
packs = {pack["id"]: old["packs"][pack["id"]] for pack in index["packs"] if pack["id"] in old["packs"]}
try:
    lists = [entry for entry in index.get("patches", []) if entry["from"] == old["release"]]
    patches = {pack["id"]: pack["patch"] for entry in lists for pack in json.loads(fetch("index", **entry))["packs"]}
except Exception as error:
    patches = print(f"no patches: {error}", file=sys.stderr) or {}

for pack in index["packs"]:
    if pack["id"] not in asked or packs.get(pack["id"], {}).get("digest") == pack["digest"]: continue
    try:
        files, way = by_patch(pack, patches[pack["id"]]), "patches"
    except Exception as error:  # whatever is wrong with a patch, also that there is none: the archive has all
        if pack["id"] in patches: print(f"{pack['name']}: {error}", file=sys.stderr)
        files, way = by_archive(pack), "archives"
    packs[pack["id"]] = {"digest": pack["digest"], "files": files}
    ways[way] += 1

# The source of one pack may be in another, so old files go once all are made, and the state is written before.
put(state, json.dumps({"release": sha256(data), "packs": packs}).encode())
needed = {held(digest) for pack in packs.values() for digest in pack["files"].values()}
for path in set((store / "objects").iterdir()) - needed: path.unlink()
print(json.dumps({"fetched": fetched, "total": sum(fetched.values()), "packs": ways}))
