"""Good releases of a small game, as packtool builds and signs them: four, each with patches from those before."""
import json, pathlib, random, shutil, subprocess

HERE = pathlib.Path(__file__).parent
KEY, OTHER = HERE / "app.key", HERE / "other.key"
PUBLIC = (HERE / "app.pub").read_text().split("\n")[1]
MANIFEST = {
    "bundleIdentifier": "com.example.clients", "root": "Assets", "initialInstallTags": ["Start"],
    "resources": [{"path": "start", "tags": ["Start"]}, {"path": "level 1", "tags": ["Level 1"]},
                  {"path": "level é", "tags": ["Level é"]}, {"path": "shared", "tags": ["Level 1", "Level é"]},
                  # All that a URL or a file system could take for something else.
                  {"path": "odd", "tags": ["50% #1?&;=:@+ %2B"]}],
}


def files(release):
    """The files of a release: some stay, one changes a little, one moves, one comes."""
    dice = random.Random(7)
    noise = {name: bytearray(dice.randbytes(size)) for name, size in
             {"level 1/map.bin": 60_000, "level é/map.bin": 40_000, "shared/music.bin": 90_000, "start/logo.bin": 5_000}.items()}
    noise["level 1/map.bin"][100 * release] ^= 1
    noise["shared/music.bin"][2_000] = release // 2
    texts = {"level 1/words.txt": "word " * 4_000 + f"release {release}", "start/empty": "", "level é/größe.txt": "groß " * 200,
             "odd/a:b? 100%+#&%20.txt": f"odd {release}\n" * 20, f"start/{'old' if release < 3 else 'new'} name.txt": "moved\n" * 50, "shared/release.txt": f"{release}\n"}
    return {name: bytes(data) for name, data in noise.items()} | {name: text.encode() for name, text in texts.items()}


def build(packtool, folder, count=4):
    """Builds the releases to folder/1, folder/2 …"""
    for release in range(1, count + 1):
        project = folder / "project"
        shutil.rmtree(project, ignore_errors=True)
        for name, data in files(release).items():
            path = project / "Assets" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (project / "Manifest.json").write_text(json.dumps(MANIFEST))
        flags = [word for old in range(1, release) for word in ("--patch-from", folder / str(old))]
        subprocess.run([packtool, "build", project, "-o", folder / str(release), "--sign", KEY, "--quiet", *flags], check=True)
    return [None] + [folder / str(release) for release in range(1, count + 1)]


def sign(index, key, folder, comment="file:index.json"):
    """The signature of any index, by minisign itself: what packtool would not build has to be signed, too."""
    path = folder / "index.json"
    path.write_bytes(index)
    subprocess.run(["minisign", "-S", "-l", "-s", key, "-m", path, "-t", comment], check=True, stdout=subprocess.DEVNULL)
    return path.with_name("index.json.minisig").read_bytes()
