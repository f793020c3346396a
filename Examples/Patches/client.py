#!/usr/bin/env python3
"""A client of packs and patches: client.py [--key KEY] URL STORE [TAG…]

Brings the packs of the tags, of all tags where none is given, to the release at URL, or leaves the store as it was and
ends with status 1. STORE is what the device has: objects/<SHA-256 in hex> is a file; state.json tells the release and the
files of each pack. KEY is a public key of minisign that must have signed the index. Prints the bytes that were fetched,
as they were sent, how many packs came by each way, and the files that an app can use now. Needs the program zstd, with
--key minisign, and packs that are zips.
"""
import argparse, hashlib, io, json, pathlib, subprocess, sys, tempfile, time, urllib.parse, urllib.request, zipfile, zlib

LONGEST = 64 << 20  # of an index, which nobody has said the size of before
parser = argparse.ArgumentParser()
for name, more in {"--key": {}, "url": {}, "store": {"type": pathlib.Path}, "tags": {"nargs": "*"}}.items():
    parser.add_argument(name, **more)
asked = parser.parse_args()
store, state = asked.store, asked.store / "state.json"
fetched, ways = {"index": 0, "patches": 0, "archives": 0}, {"patches": 0, "archives": 0}


def sha256(data): return "sha256:" + hashlib.sha256(data).hexdigest()


def held(digest): return store / "objects" / digest.removeprefix("sha256:")


def need(condition, what):
    if not condition: raise ValueError(what)


def checked(data, digest):
    need(sha256(data) == digest, f"what should be {digest} is not")
    return data


def is_plain(path): return all(part not in ("", ".", "..") for part in path.split("/")) and all(c >= " " and c != "\x7f" for c in path)


def is_in_pack(path): return is_plain(path) and "\\" not in path


def fetch(kind, path, size=LONGEST, digest=None, **_):
    need(is_plain(path), f"the path {path!r} leads elsewhere")
    headers = {"Accept-Encoding": "gzip"} if path.endswith(".json") else {}
    with urllib.request.urlopen(urllib.request.Request(f"{asked.url.rstrip('/')}/{urllib.parse.quote(path)}", headers=headers), timeout=20) as answer:
        need(answer.status == 200, f"{path}: status {answer.status}")
        data, coding = answer.read(size + 1), answer.headers["Content-Encoding"]
    fetched[kind] += len(data)
    data = zlib.decompressobj(31).decompress(data, size + 1) if headers and coding == "gzip" else data
    need(len(data) <= size, f"{path} is longer than {size} bytes")
    return checked(data, digest) if digest else data


def put(path, data):
    path.with_suffix(".new").write_bytes(data)
    path.with_suffix(".new").replace(path)


def is_signed(data, signature):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"index.json": data, "index.json.minisig": signature}.items(): pathlib.Path(folder, name).write_bytes(content)
        return subprocess.run(["minisign", "-V", "-q", "-P", asked.key, "-m", f"{folder}/index.json"]).returncode == 0


def newest(old):
    for attempt in range(2):  # a build may have published between the two
        data = fetch("index", "index.json")
        if not asked.key or is_signed(data, fetch("index", "index.json.minisig", 1 << 14)): break
        need(attempt == 0, "the index has no right signature")
    index = json.loads(data)
    need(index["formatVersion"] == 1, "the index is of a later version: update the app")
    need(old["app"] in (None, index["bundleIdentifier"]), "the index is of another app")
    need(index.get("release", 0) >= old["number"], "the index is older than one that was seen")
    need(index.get("expires", "9") > time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "the index has expired")
    return index, sha256(data)


def entry(archive, info, most=LONGEST):
    need(info.file_size <= most, f"{info.filename} is too long")
    with archive.open(info) as file: data = file.read(info.file_size + 1)
    need(len(data) == info.file_size, f"{info.filename} has another size")
    return data


def proved(pack, files):  # by path: size and digest
    lines = "".join(f"{digest[7:]} {size} {path}\n" for path, (size, digest) in sorted(files.items(), key=lambda file: file[0].encode()))
    need(all(map(is_in_pack, files)), "a path leads elsewhere")
    checked(lines.encode(), pack["digest"])
    return {path: digest for path, (_, digest) in files.items()}


def unfrozen(frame, source, size):
    with tempfile.NamedTemporaryFile() as file:
        pathlib.Path(file.name).write_bytes(frame)
        prefix = [f"--patch-from={held(source)}"] if source else []
        with subprocess.Popen(["zstd", "-d", "-q", "-c", "--long=27", *prefix, file.name], stdout=subprocess.PIPE) as zstd:
            data = zstd.stdout.read(size + 1)
            zstd.kill()
    return data


def by_patch(pack, patch):
    archive = zipfile.ZipFile(io.BytesIO(fetch("patches", **patch)))
    recipe = json.loads(entry(archive, archive.getinfo("patch.json")))
    need(recipe["formatVersion"] == 1 and sum(file["size"] for file in recipe["files"]) == pack["size"], "it makes another pack")
    files = proved(pack, {file["path"]: (file["size"], file["digest"]) for file in recipe["files"]})
    for file in recipe["files"]:
        if file["as"] == "same":
            checked(held(file["digest"]).read_bytes(), file["digest"])
            continue
        frame = entry(archive, archive.getinfo(file["digest"].removeprefix("sha256:")))
        put(held(file["digest"]), checked(unfrozen(frame, file["from"] if file["as"] == "patch" else None, file["size"]), file["digest"]))
    return files


def by_archive(pack):
    archive = zipfile.ZipFile(io.BytesIO(fetch("archives", **pack["archive"])))
    entries = archive.infolist()
    need(sum(info.file_size for info in entries) == pack["size"] and len(entries) == pack["fileCount"], "the archive has other files")
    need(all(info.external_attr >> 28 in (0, 8) for info in entries), "an entry is no file")
    data = {info.filename: entry(archive, info, pack["size"]) for info in entries}
    files = proved(pack, {path: (len(content), sha256(content)) for path, content in data.items()})
    for content in data.values(): put(held(sha256(content)), content)
    return files


def update(old):
    index, release = newest(old)
    wanted = {id for tag in asked.tags or index["tags"] for id in index["tags"].get(tag, {"packs": []})["packs"]}
    packs = {pack["id"]: old["packs"][pack["id"]] for pack in index["packs"] if pack["id"] in old["packs"]}
    try:
        lists = [patches for patches in index.get("patches", []) if patches["from"] == old["release"]]
        patches = {pack["id"]: pack["patch"] for each in lists for pack in json.loads(fetch("index", **each))["packs"]}
    except Exception as error:
        patches = print(f"no patches: {error}", file=sys.stderr) or {}
    for pack in index["packs"]:
        if pack["id"] not in wanted or packs.get(pack["id"], {}).get("digest") == pack["digest"]: continue
        try:
            files, way = by_patch(pack, patches[pack["id"]]), "patches"
        except Exception as error:  # whatever is wrong with a patch, also that there is none: the archive has all
            if pack["id"] in patches: print(f"{pack['name']}: {error}", file=sys.stderr)
            files, way = by_archive(pack), "archives"
        packs[pack["id"]] = {"digest": pack["digest"], "tags": pack["tags"], "files": files}
        ways[way] += 1
    return {"release": release, "number": index.get("release", 0), "app": index["bundleIdentifier"], "packs": packs}


(store / "objects").mkdir(parents=True, exist_ok=True)
now = json.loads(state.read_bytes()) if state.exists() else {"release": None, "number": 0, "app": None, "packs": {}}
try:
    now, status = update(now), 0
    put(state, json.dumps(now).encode())
    # The source of one pack may be in another, so old files go once all are made and the state is written.
    needed = {held(digest) for pack in now["packs"].values() for digest in pack["files"].values()}
    for path in set((store / "objects").iterdir()) - needed: path.unlink()
except Exception as error:
    status = print(f"nothing is changed: {error}", file=sys.stderr) or 1
packs = [pack for pack in now["packs"].values() if not asked.tags or set(asked.tags) & set(pack["tags"])]
files = {path: sha256(held(digest).read_bytes()) for pack in packs for path, digest in pack["files"].items()}
print(json.dumps({"fetched": fetched, "total": sum(fetched.values()), "packs": ways, "release": now["number"], "files": files}))
sys.exit(status)
