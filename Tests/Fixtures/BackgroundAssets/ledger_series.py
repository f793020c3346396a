#!/usr/bin/env python3
"""Builds random series of releases of self-hosted packs, and holds their versions to what devices need.

usage: ledger_series.py PACKTOOL SERIES [FIRST_SEED]

A series is a git repository of ten releases: packs are added, removed, renamed, changed, reverted, and two branches are
merged by git. The rules are stated here a second time, from the contents alone:
- a version never falls, not even of a pack that was gone for a while;
- it rises only where the contents differ from those of a parent;
- on a line of releases with all that was merged into it, one version of a pack means one content.
"""
import copy, hashlib, json, os, random, shutil, subprocess, sys, tempfile

PACKTOOL, COUNT = sys.argv[1], int(sys.argv[2])
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else 1
TOTALS = {"series": 0, "builds": 0, "rises": 0, "merges": 0, "conflicts": 0}


class Line:
    """A line of releases: what was ever given, and the last release."""

    def __init__(self):
        self.given = {}   # (id, version) -> the contents that had it on this line, or on one merged into it
        self.highest = {}  # id -> the highest version
        self.last = {}    # id -> (version, contents) of the last time that it was listed


class Series:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="ledger")
        self.counter = 0
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "a@b.c")
        self.git("config", "user.name", "a")
        self.tags = {}
        for _ in range(4):
            self.add()

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def git(self, *words, check=True):
        result = subprocess.run(["git", "-C", self.folder, *words], capture_output=True, text=True)
        assert not check or result.returncode == 0, (words, result.stdout, result.stderr)
        return result

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        # Another file, so that no build takes a change within a tick of the clock for none.
        open(self.path(name + ".new"), "w").write(text)
        os.replace(self.path(name + ".new"), self.path(name))

    def contents(self, folder):
        names = sorted(os.listdir(self.path("Assets", folder)))
        return hashlib.sha256(
            "".join(f"{n}\0{open(self.path('Assets', folder, n)).read()}\0" for n in names).encode()).hexdigest()

    # What a team does between two releases. Names of folders and tags sort at random, so that lines of the ledger do.
    def add(self):
        self.counter += 1
        folder = f"{self.random.choice('abcdefgh')}{self.counter}{self.random.randrange(1000)}"
        self.tags[folder] = f"Tag {folder}"
        self.write(f"Assets/{folder}/f", f"first of {folder}")

    def any(self):
        return self.random.choice(sorted(self.tags))

    def remove(self):
        if len(self.tags) > 2:
            self.tags.pop(self.any())  # the files stay, so that it may come back

    def come_back(self):
        gone = sorted(set(os.listdir(self.path("Assets"))) - set(self.tags))
        if gone:
            folder = self.random.choice(gone)
            self.tags[folder] = f"Tag {folder}"

    def rename(self):
        folder = self.any()
        new = f"{self.tags[folder]}x"
        if self.random.random() < 0.5 and os.path.exists(self.path("ledger.json")):
            ledger = json.load(open(self.path("ledger.json")))
            if self.tags[folder] in ledger["ids"] and new not in ledger["ids"]:
                ledger["ids"][new] = ledger["ids"].pop(self.tags[folder])
                self.write("ledger.json", json.dumps(ledger, indent=1))
        self.tags[folder] = new

    def change(self):
        self.write(f"Assets/{self.any()}/f", f"content {self.random.randrange(10**9)}")

    def revert(self):
        folder = self.any()
        self.write(f"Assets/{folder}/f", f"first of {folder}")

    def touch(self):
        os.utime(self.path("Assets", self.any(), "f"), (1, self.random.randrange(10**9)))

    def step(self):
        for _ in range(self.random.randrange(1, 4)):
            self.random.choice(
                [self.add, self.remove, self.come_back, self.rename, self.change, self.change, self.revert, self.touch])()

    def build(self, line, out, parents):
        rules = [{"path": f, "tags": [t]} for f, t in sorted(self.tags.items())]
        manifest = {"bundleIdentifier": "com.example.series", "root": "Assets", "resources": rules}
        if self.random.random() < 0.3:
            manifest["prefetchTagOrder"] = [self.tags[self.any()]]
        if self.random.random() < 0.2:
            manifest["onUpdate"] = True
        self.write("Manifest.json", json.dumps(manifest))
        words = ["build", self.folder, "-o", out, "--layout", "background-assets", "--self-hosted", "-q",
                 "--url-prefix", f"https://example.com/{self.random.randrange(99)}/",
                 "--ledger", self.path("ledger.json"), "--id-map", self.path("ledger.json")]
        if self.random.random() < 0.2:
            words.append("--no-cache")
        result = subprocess.run([PACKTOOL, *words], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        TOTALS["builds"] += 1
        ledger = json.load(open(self.path("ledger.json")))
        listed = {p["id"]: p for p in json.load(open(os.path.join(out, "download-manifest.json")))["assetPacks"]}
        folders = {ledger["ids"][t]: f for f, t in self.tags.items()}
        assert set(listed) == set(folders), (listed.keys(), folders)
        for id, pack in listed.items():
            version, contents = pack["version"], self.contents(folders[id])
            assert ledger["packs"][id]["version"] == version
            assert version >= line.highest.get(id, 0), f"{id} falls to {version}"
            assert line.given.setdefault((id, version), contents) == contents, f"{id} {version} is given twice"
            before = [p.last[id] for p in parents if id in p.last]
            if before and version > max(v for v, _ in before):
                TOTALS["rises"] += 1
                assert any(c != contents for _, c in before), f"{id} rises to {version} without a change"
            line.highest[id] = version
            line.last[id] = (version, contents)
        for id in line.highest:
            assert id in ledger["packs"], f"{id} is forgotten"
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "release")

    def merge(self, main, side, out):
        """Merges the branch by git, and does by hand what git leaves to people."""
        TOTALS["merges"] += 1
        tags = self.tags
        result = self.git("merge", "-q", "--no-edit", "side", check=False)
        if result.returncode != 0:
            TOTALS["conflicts"] += 1
            unmerged = set(self.git("diff", "--name-only", "--diff-filter=U").stdout.split())
            for name in sorted(unmerged, key="ledger.json".__eq__):  # the ledger last
                if name == "ledger.json":
                    refused = subprocess.run(
                        [PACKTOOL, "build", self.folder, "-o", out, "--layout", "background-assets", "--self-hosted",
                         "--url-prefix", "https://example.com/", "--ledger", self.path("ledger.json")],
                        capture_output=True, text=True)
                    assert refused.returncode == 1 and "merge conflict" in refused.stderr, refused.stderr
                    self.resolve()
                else:
                    self.git("checkout", self.random.choice(["--ours", "--theirs"]), "--", name, check=False)
        merged = Line()
        merged.given = {**side.given, **main.given}
        for key in set(side.given) & set(main.given):
            if side.given[key] != main.given[key]:
                merged.given[key] = None  # meant two contents already, and may mean none of them any more
        for id in set(main.highest) | set(side.highest):
            merged.highest[id] = max(main.highest.get(id, 0), side.highest.get(id, 0))
        merged.last = {**side.last, **main.last}
        self.tags = {f: t for f, t in {**self.side_tags, **tags}.items() if os.path.isdir(self.path("Assets", f))}
        ledger = json.load(open(self.path("ledger.json")))
        used = set()
        for folder, tag in sorted(self.tags.items()):  # one tag for each id, where both sides renamed one
            id = ledger["ids"].get(tag, tag)
            if id in used:
                del self.tags[folder]
            used.add(id)
        self.build(merged, out, [main, side])
        return merged

    def resolve(self):
        """One line for each pack: the higher version, and where both are the same of other contents, one more."""
        ours, theirs = (json.loads(self.git("show", f":{n}:ledger.json").stdout) for n in (2, 3))
        result = copy.deepcopy(ours)
        taken = set(ours["ids"].values())
        result["ids"].update({t: i for t, i in theirs["ids"].items() if t not in ours["ids"] and i not in taken})
        for id, theirs in theirs["packs"].items():
            mine = result["packs"].setdefault(id, theirs)
            if theirs["version"] > mine["version"]:
                result["packs"][id] = theirs
            elif theirs["version"] == mine["version"] and theirs["digest"] != mine["digest"]:
                mine["version"] += 1
        self.write("ledger.json", json.dumps(result, indent=2))

    def run(self):
        main, out = Line(), self.path("..", os.path.basename(self.folder) + "-main")
        other = self.path("..", os.path.basename(self.folder) + "-side")
        try:
            releases = 0
            while releases < 10:
                if 1 < releases < 8 and self.random.random() < 0.3:
                    base = copy.deepcopy(main)
                    tags = dict(self.tags)
                    self.git("checkout", "-q", "-b", "side")
                    side = base
                    shutil.rmtree(other, ignore_errors=True)
                    for _ in range(self.random.randrange(1, 3)):
                        self.step()
                        self.build(side, other, [side])
                        releases += 1
                    self.side_tags, self.tags = dict(self.tags), tags
                    self.git("checkout", "-q", "main")
                    self.step()
                    self.build(main, out, [main])
                    main = self.merge(main, side, out)
                    self.git("branch", "-q", "-D", "side")
                    releases += 2
                else:
                    self.step()
                    self.build(main, out, [main])
                    releases += 1
            TOTALS["series"] += 1
        finally:
            for folder in (out, other, self.folder):
                shutil.rmtree(folder, ignore_errors=True)


for seed in range(FIRST, FIRST + COUNT):
    try:
        Series(seed).run()
    except AssertionError as error:
        sys.exit(f"seed {seed}: {error}")
print(json.dumps(TOTALS))
