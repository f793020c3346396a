"""The corpora of the benchmarks: Debian's packages of data, and files made from a fixed seed."""
import json, math, random, shutil, struct, subprocess, sys, zlib

MIXED = ["flightgear-data-models", "hedgewars-data", "megaglest-data", "supertuxkart-data"]
# Games that no limit of compression was chosen by.
GAMES = ["extremetuxracer-data", "fillets-ng-data", "flare-game", "freedroidrpg-data", "freeorion-data",
         "hedgewars-data", "ktuberling-data", "supertux-data", "tuxpaint-stamps-default", "warzone2100-data",
         "wesnoth-1.16-data"]
# Other data of all kinds, each a corpus of its own.
TWELVE = ["7kaa-data", "boswars-data", "endless-sky-data", "gcompris-qt-data", "kstars-data", "marble-data",
          "neverball-data", "openttd-opengfx", "scorched3d-data", "simutrans-pak64", "trigger-rally-data",
          "warmux-data"]



def words(rng, size):
    """Text that compresses as text does."""
    chosen = rng.choices(VOCABULARY, k=size // 7 + 1)
    return " ".join(chosen).encode()[:size]


VOCABULARY = ["%06x" % random.Random(1).getrandbits(24) if i % 5 == 0 else
              "".join(random.Random(i).choices("aeioulnrst", k=2 + i % 9)) for i in range(4000)]


def write_manifest(folder, rules):
    manifest = {"bundleIdentifier": "com.example.benchmark", "root": "Assets", "resources": rules}
    (folder / "Manifest.json").write_text(json.dumps(manifest, indent=1))


def make_small(folder, files, tags):
    rng = random.Random(7)
    rules = []
    for number in range(max(1, files // 100)):
        path = f"area{number % 100:02d}/zone{number:05d}"
        target = folder / "Assets" / path
        target.mkdir(parents=True, exist_ok=True)
        rules.append({"path": path, "tags": [f"tag{number % tags:04d}"]})
        for index in range(100):
            size = int(rng.expovariate(1 / 1800)) + 20
            text = rng.random() < 0.6
            data = words(rng, size) if text else rng.randbytes(size)
            (target / f"file{index:03d}.{'json' if text else 'bin'}").write_bytes(data)
    write_manifest(folder, rules)


def make_rules(folder, files, tags):
    """A third text, a third tables of numbers, a third pieces of PNG, and a rule for each file."""
    rng = random.Random(13)
    picture = zlib.compress(rng.randbytes(1 << 20), 1)
    rules = []
    for number in range(files):
        size = int(rng.expovariate(1 / 1800)) + 20
        kind = number % 3
        if kind == 0:
            name, data = "json", words(rng, size)
        elif kind == 1:
            start, step = rng.randrange(1 << 20), rng.randrange(1, 64)
            name, data = "tbl", struct.pack(f"<{size // 8 + 1}Q",
                                            *range(start, start + step * (size // 8 + 1), step))[:size]
        else:
            start = rng.randrange(len(picture) - size)
            name, data = "png", b"\x89PNG\r\n\x1a\n"[:size] + picture[start:start + size - 8]
        path = f"zone{number // 500:04d}/file{number:06d}.{name}"
        target = folder / "Assets" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        rules.append({"path": path, "tags": [f"tag{number // 500 % tags:04d}"]})
    write_manifest(folder, rules)


def samples(rng, kind, size):
    """What a large file of a kind repeats: longer than what deflate looks back for."""
    out = bytearray()
    row = 0
    while len(out) < size:
        row += 1
        if kind == "video":
            out += rng.randbytes(1 << 16)
        elif kind == "png":
            piece = zlib.compress(words(rng, 1 << 18), 6)
            out += struct.pack(">I", len(piece)) + b"IDAT" + piece + rng.randbytes(4)
        elif kind == "rgba":
            level = row % 256
            for x in range(1024):
                noise = rng.getrandbits(2)
                out += bytes((level, (x // 4 + noise) % 256, (level + x // 8) % 256, 255))
        elif kind == "wav":
            for t in range(4096):
                wave = 9000 * math.sin((row * 4096 + t) * (0.02 + row % 7 * 0.003)) + rng.gauss(0, 60)
                out += struct.pack("<hh", int(wave), int(wave * 0.9))
        elif kind == "mesh":
            for x in range(512):
                out += struct.pack("<fff", x * 0.25, math.sin(x * 0.1) * math.cos(row * 0.1) + rng.random() * 0.01,
                                   row * 0.25)
        else:
            out += b'{"name": "' + words(rng, 40) + b'", "at": [%d, %d], "text": "' % (row, row * 7 % 1000) \
                + words(rng, 300) + b'"}\n'
    return bytes(out[:size])


def make_media(folder, size):
    """Six large files: video, a stream of PNG, raw pictures, sound, meshes, JSON."""
    rng = random.Random(17)
    (folder / "Assets").mkdir(parents=True, exist_ok=True)
    kinds = ["video", "png", "rgba", "wav", "mesh", "json"]
    for kind in kinds:
        data = samples(rng, kind, min(size, 8 << 20))
        with open(folder / "Assets" / f"one.{kind}", "wb") as out:
            for start in range(0, size, len(data)):
                out.write(data[:size - start])
    write_manifest(folder, [{"path": f"one.{kind}", "tags": [kind]} for kind in kinds])


def make_debian(folder, packages, packs):
    assets = folder / "Assets"
    assets.mkdir(parents=True, exist_ok=True)
    for package in packages:
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        deb = next(folder.glob(f"{package}_*.deb"))
        subprocess.run(["dpkg", "-x", deb, assets / package], check=True)
        deb.unlink()
    for link in [p for p in assets.rglob("*") if p.is_symlink()]:
        link.unlink()
    # The largest folder is opened again and again until there are as many as packs.
    def size(path):
        return sum(f.stat().st_size for f in path.rglob("*") if f.is_file())
    parts = {assets: size(assets)}
    while len(parts) < packs:
        folders = [p for p in parts if p.is_dir() and any(c.is_dir() for c in p.iterdir())]
        if not folders:
            break
        largest = max(folders, key=lambda p: parts[p])
        del parts[largest]
        for child in largest.iterdir():
            parts[child] = size(child) if child.is_dir() else child.stat().st_size
    # Folders of links alone are empty now.
    ordered = sorted((p for p in parts if parts[p]), key=lambda p: -parts[p])
    rules = [{"path": str(p.relative_to(assets)), "tags": [f"Pack {min(i, packs - 1)}"]} for i, p in enumerate(ordered)]
    write_manifest(folder, rules)


def corpus(folder, make, *arguments):
    """A corpus that is made once."""
    if not (folder / "done").exists():
        print(f"making {folder.name} …", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(folder, *arguments)
        write_lists(folder)
        (folder / "done").touch()
    return folder


def write_lists(folder):
    """For the peers: a file with the names of each pack's files."""
    packs = {}
    for rule in json.loads((folder / "Manifest.json").read_text())["resources"]:
        path = folder / "Assets" / rule["path"]
        files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]
        packs.setdefault(rule["tags"][0], []).extend(str(f.relative_to(folder / "Assets")) for f in files)
    lists = folder / "lists"
    lists.mkdir(exist_ok=True)
    for tag, names in packs.items():
        (lists / tag.replace(" ", "_")).write_text("\n".join(sorted(names)) + "\n")


def mixed(home):
    return corpus(home / "mixed", make_debian, MIXED, 64)


def games(home):
    return corpus(home / "games", make_debian, GAMES, 64)


def package(home, name):
    return corpus(home / name, make_debian, [name], 8)


def media(home, size):
    return corpus(home / "media", make_media, size)


def small(home, count, tags=64):
    return corpus(home / f"small-{count}-{tags}", make_small, count, tags)


def rules(home, count):
    return corpus(home / f"rules-{count}", make_rules, count, 64)
