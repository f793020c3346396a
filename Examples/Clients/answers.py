"""What a server may answer: good releases, and everything that goes wrong or is meant to do harm.

Every path is read by S3's rules, where "+" is a space.

A case is what the device had before (a release or 0), what it is offered, and what must come of it: "new", the release that
is offered; "old", the one before, untouched; or "either". A case makes the answers of a table by path, in which a value is
bytes or a function of the request.
"""
import hashlib, io, json, struct, threading, time, zipfile, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import releases

CASES = []


def case(name, must, before=1, offered=3, does=""):
    def add(change):
        CASES.append((name, must, before, offered, does, change))
        return change
    return add


class Site:
    """The files of a release as a table, to be changed."""
    def __init__(self, folder, scratch):
        self.scratch, self.folder = scratch, folder
        # The path of the folder on the server, as it comes in a URL.
        self.place = ""
        self.files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
                      if path.is_file() and ".packtool" not in path.parts}

    @property
    def index(self): return json.loads(self.files["index.json"])

    def archive(self): return max((pack["archive"] for pack in self.index["packs"]), key=lambda file: file["size"])["path"]

    def patch(self): return max((path for path in self.files if path.startswith("patches/") and path.endswith(".zip")), key=lambda path: len(self.files[path]))

    def patches(self): return [path for path in self.files if path.startswith("patches/") and path.endswith(".zip")]

    def release(self, originals):
        """The number of the release that is offered, also where the index comes in an answer of its own."""
        index = self.files["index.json"]
        return json.loads(index if isinstance(index, bytes) else originals["index.json"])["release"]

    def of(self, release):
        """Another release of the game."""
        return Site(self.folder.parent / str(release), self.scratch)

    def without_patches(self):
        for path in [path for path in self.files if path.startswith("patches/")]: del self.files[path]

    def publish(self, index, key=releases.KEY):
        """Another index, rightly signed: what the maker of the packs would have to do."""
        self.files["index.json"] = json.dumps(index, ensure_ascii=False, indent=2, sort_keys=True).encode()
        self.files["index.json.minisig"] = releases.sign(self.files["index.json"], key, self.scratch)

    def change(self, **members): self.publish(self.index | members)

    def replace(self, data, contents=None):
        """Another archive of the largest pack, which the index names as the right one."""
        index, path = self.index, self.archive()
        for pack in index["packs"]:
            if pack["archive"]["path"] == path:
                pack["archive"] |= {"size": len(data), "digest": "sha256:" + hashlib.sha256(data).hexdigest()}
                for key, value in (contents or {}).items(): pack[key] = value
        index.pop("patches", None)
        self.files[path] = data
        self.publish(index)

    def entries(self):
        archive = zipfile.ZipFile(io.BytesIO(self.files[self.archive()]))
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def zipped(entries, method=zipfile.ZIP_DEFLATED, change=lambda info: None):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            change(info)
            archive.writestr(info, data)
    return file.getvalue()


def contents(entries):
    """Size, count and digest of files as an index that tells no lies has them."""
    lines = "".join(f"{hashlib.sha256(data).hexdigest()} {len(data)} {name}\n" for name, data in sorted(entries, key=lambda entry: entry[0].encode()))
    return {"fileCount": len(entries), "size": sum(len(data) for _, data in entries), "digest": "sha256:" + hashlib.sha256(lines.encode()).hexdigest()}


# What goes on between request and answer.

def status(code, data=b"no\n"):
    return lambda request: request.answer(code, data)


def redirect(target):
    return lambda request: request.answer(302, b"", {"Location": target(request)})


def cut(data):
    def answer(request):
        request.answer(200, data[: len(data) // 2], {"Content-Length": str(len(data))})
        request.close_connection = True
    return answer


def longer(data, length):
    def answer(request):
        request.answer(200, data, {"Content-Length": str(length)})
        request.close_connection = True
    return answer


def endless(request):
    request.answer(200, b"", {"Content-Length": None})
    request.close_connection = True
    try:
        for _ in range(4_000): request.wfile.write(bytes(1 << 18))  # 1 GB, for those who do not stop
    except OSError: pass


def once(first, then):
    """One answer for the first request, another for all later ones."""
    seen = []
    def answer(request):
        seen.append(0)
        (first if len(seen) == 1 else request.plainly(then))(request)
    return answer


def busy(code, headers, then):
    """One refusal that asks to wait, then the file."""
    return once(lambda request: request.answer(code, b"busy\n", headers), then)


def at_other_servers(data, tag, most=None):
    """The file as servers have it that know nothing of packtool: other validators, by which alone If-Range gives a part.

    With `most`, a connection ends after that many bytes.
    """
    def answer(request):
        wanted, first, code, headers = request.headers["Range"], 0, 200, {"ETag": tag}
        if wanted and request.headers["If-Range"] in (None, tag):
            first = int(wanted.removeprefix("bytes=").partition("-")[0])
            if first >= len(data): return request.answer(416, b"")
            code, headers = 206, headers | {"Content-Range": f"bytes {first}-{len(data) - 1}/{len(data)}"}
        rest = data[first:]
        request.answer(code, rest[:most], headers | {"Content-Length": str(len(rest))})
        if most and most < len(rest): request.close_connection = True
    return answer


def ranged(answer, data):
    """An answer for requests with a range, and the file for others, which is cut at first so that a client asks for a rest."""
    first = once(cut(data), data)
    return lambda request: answer(request) if request.headers["Range"] else first(request)


def bomb(size): return zlib.compressobj(9, wbits=31).compress(b"") + (lambda z: z.compress(bytes(size)) + z.flush())(zlib.compressobj(9, wbits=31))


# Good releases.

for before, offered in [(0, 1), (1, 2), (2, 3), (1, 3), (1, 4), (3, 4)]:
    case(f"release-{before}-to-{offered}", "new", before, offered, "takes the release")(lambda site: None)
case("nothing-new", "new", 3, 3, "fetches no pack again")(lambda site: None)


@case("folder-of-app-version", "new", does="appends paths to the URL of a folder, one for each version of the app")
def _(site): site.place = "app%202%2Bbeta"


@case("connections-closed", "new", does="opens another connection where the server closes each")
def _(site):
    def closing(data):
        def answer(request):
            request.plainly(data)(request)
            request.close_connection = True
        return answer
    for path, data in list(site.files.items()): site.files[path] = closing(data)


@case("index-busy-once", "either", does="asks again later, as Retry-After says, or keeps what it has")
def _(site): site.files["index.json"] = busy(503, {"Retry-After": "1"}, site.files["index.json"])


@case("without-patches", "new", does="takes archives")
def _(site):
    site.without_patches()
    index = site.index
    del index["patches"]
    site.publish(index)


@case("unknown-keys", "new", does="passes over keys that it does not know")
def _(site): site.change(future={"a": [1]}, release=9)


@case("expires-later", "new", does="takes it")
def _(site): site.change(expires="2099-01-01T00:00:00Z")


# The index and its signature.

for code in (403, 404, 500, 503):
    @case(f"index-{code}", "old", does="keeps what it has and tries later")
    def _(site, code=code): site.files["index.json"] = status(code)


@case("index-cut", "old", does="sees that bytes are missing")
def _(site): site.files["index.json"] = cut(site.files["index.json"])


@case("index-page", "old", does="takes a page of a login, status 200, for no index")
def _(site): site.files["index.json"] = b"<html>Please log in</html>"


@case("index-endless", "old", does="stops at a limit of its own")
def _(site): site.files["index.json"] = endless


@case("index-bomb", "old", does="stops at the same limit where the answer is compressed")
def _(site):
    data = bomb(1 << 30)
    site.files["index.json"] = lambda request: request.answer(200, data, {"Content-Encoding": "gzip"})


@case("index-deep", "old", does="survives brackets without end")
def _(site): site.files["index.json"] = b"[" * 1_000_000


@case("index-later-version", "old", does="takes no form that it does not know, and says that the app is too old")
def _(site): site.change(formatVersion=2)


@case("index-other-app", "old", does="takes no release of another app by the same key")
def _(site): site.change(bundleIdentifier="com.example.another")


@case("index-changed", "old", does="sees that the index is not the one that was signed")
def _(site): site.files["index.json"] = site.files["index.json"].replace(b"Start", b"Stork")


for name, data in {"404": status(404), "page": b"<html>", "empty": b"", "long": b"x" * 10_000_000, "endless": endless}.items():
    @case(f"signature-{name}", "old", does="takes no index without its signature")
    def _(site, data=data): site.files["index.json.minisig"] = data


@case("signature-wrong-key", "old", does="takes its own key's signature alone")
def _(site): site.publish(site.index, releases.OTHER)


@case("signature-forged-id", "old", does="takes the identifier of a key for no proof")
def _(site):
    import base64
    right, wrong = site.files["index.json.minisig"].split(b"\n"), releases.sign(site.files["index.json"], releases.OTHER, site.scratch).split(b"\n")
    wrong[1] = base64.b64encode(base64.b64decode(right[1])[:10] + base64.b64decode(wrong[1])[10:])
    site.files["index.json.minisig"] = b"\n".join(wrong)


@case("signature-of-another-release", "old", does="sees that index and signature are not of one release; asks for both again, later")
def _(site): site.files["index.json.minisig"] = releases.sign(b"{}", releases.KEY, site.scratch)


@case("signature-comment-changed", "old", does="checks the second signature, of the trusted comment, too")
def _(site): site.files["index.json.minisig"] = site.files["index.json.minisig"].replace(b"release:3", b"release:9")


@case("signature-in-between", "new", does="asks for both once more where a build published between the two")
def _(site): site.files["index.json.minisig"] = once(lambda request: request.answer(200, releases.sign(b"{}", releases.KEY, site.scratch)), site.files["index.json.minisig"])


case("rollback", "old", 3, 1, "takes no release with a lower number than it has seen, rightly signed as it is")(lambda site: None)


@case("rollback-without-number", "old", 3, does="takes an index without a number for one that is older")
def _(site):
    index = site.index
    del index["release"]
    site.publish(index)


@case("expired", "old", does="takes no release that has expired")
def _(site): site.change(release=9, expires="2020-01-01T00:00:00Z")


for name, path in {"parent": "../../evil", "absolute": "/etc/hostname", "inner": "packs/../../evil", "url": "http://localhost:1/x", "backslash": "packs\\..\\evil"}.items():
    @case(f"index-path-{name}", "old", does="writes to no path of an index")
    def _(site, path=path):
        index = site.index
        for pack in index["packs"]: pack["archive"]["path"] = path
        index.pop("patches")
        site.publish(index)


# Archives. Patches would save the client from these, so there are none.

def archive_case(name, must, does):
    def add(change):
        @case(f"archive-{name}", must, does=does)
        def _(site):
            site.without_patches()
            path = site.archive()
            site.files[path] = change(site, site.files[path])
        return change
    return add


for code in (403, 404, 416, 500, 503):
    archive_case(str(code), "part", "names the pack that it lacks, keeps the release before")(lambda site, data, code=code: status(code))
archive_case("once-503", "either", "tries again later")(lambda site, data: once(status(503), data))
archive_case("429-once", "either", "asks again when Retry-After says")(lambda site, data: busy(429, {"Retry-After": "1"}, data))
archive_case("slow-down", "either", "asks again when S3 says so")(lambda site, data: busy(503, {"Retry-After": "1", "Content-Type": "application/xml"}, data))
archive_case("range-of-other-servers", "either", "resumes, or begins again, at servers whose ETags are not SHA-256")(
    lambda site, data: once(cut(data), at_other_servers(data, '"6b081562-2dc7a2"')))
archive_case("range-of-multipart", "either", "resumes, or begins again, where the ETag is no digest at all")(
    lambda site, data: once(cut(data), at_other_servers(data, '"9b2cf535f27731c974343645a3985328-3"')))
archive_case("cut-each-time", "either", "gets the whole in parts, if it resumes")(
    lambda site, data: at_other_servers(data, '"6b081562-2dc7a2"', most=len(data) // 3 + 1))
archive_case("total-unknown", "either", "takes a range whose total the server does not say")(
    lambda site, data: ranged(lambda request: request.answer(206, data[len(data) // 2 :], {"Content-Range": f"bytes {len(data) // 2}-{len(data) - 1}/*"}), data))
archive_case("total-of-another", "either", "sees that a range is of a file of another size")(
    lambda site, data: ranged(lambda request: request.answer(206, data[len(data) // 2 :], {"Content-Range": f"bytes {len(data) // 2}-{len(data) - 1}/{len(data) + 1}"}), data))
archive_case("410", "part", "names the pack that it lacks, keeps the release before")(lambda site, data: status(410))


@case("archive-gone-for-a-newer-release", "either", 1, 4, does="fetches the index again where a pack is gone, once, and takes the newer release")
def _(site):
    old = site.of(3)
    for name in ("index.json", "index.json.minisig"):
        newer = site.files[name]
        def answer(request, name=name, newer=newer):
            # The old index first; from the first refused pack on, the new one.
            request.plainly(newer if any(path.startswith("packs/") for path in request.server.asked) else old.files[name])(request)
        site.files[name] = answer
    site.without_patches()


archive_case("cut", "part", "gives nothing of a part to the app")(lambda site, data: cut(data))
archive_case("cut-once", "either", "goes on where it was cut, or begins anew")(lambda site, data: once(cut(data), data))
archive_case("empty", "part", "checks the digest")(lambda site, data: b"")
archive_case("longer", "part", "stops at the size that the index says")(lambda site, data: data + b"more")
archive_case("endless", "part", "stops at the size that the index says")(lambda site, data: endless)
archive_case("length-too-large", "part", "believes no Content-Length")(lambda site, data: longer(data[:100], 1 << 40))
archive_case("length-too-small", "part", "sees that bytes are missing")(lambda site, data: longer(data[:100], 100))
archive_case("one-bit", "part", "checks the digest of every archive")(lambda site, data: data[:-30] + bytes([data[-30] ^ 1]) + data[-29:])
archive_case("of-another-pack", "part", "checks the digest of every archive")(
    lambda site, data: site.files[min((pack["archive"] for pack in site.index["packs"]), key=lambda file: file["size"])["path"]])
archive_case("page", "part", "takes a page with status 200 for no archive")(lambda site, data: b"<html>Please log in</html>")
archive_case("redirect", "new", "may follow a redirection, since it checks what comes")(
    lambda site, data: redirect(lambda request: f"/moved/{request.path.lstrip('/')}"))
archive_case("redirect-to-page", "part", "checks what comes")(lambda site, data: redirect(lambda request: "/index.json"))
archive_case("redirect-loop", "part", "follows no redirection for ever")(lambda site, data: redirect(lambda request: request.path))
archive_case("redirect-to-file", "part", "follows no redirection to another scheme")(lambda site, data: redirect(lambda request: "file:///etc/hostname"))
archive_case("compressed", "either", "asks for no compression of archives")(lambda site, data: lambda request: request.answer(200, bomb(1 << 30), {"Content-Encoding": "gzip"}))
archive_case("range-416", "either", "begins anew where the rest is refused")(lambda site, data: ranged(status(416), data))
archive_case("range-ignored", "either", "begins anew where all comes in place of the rest")(lambda site, data: ranged(lambda request: request.plainly(data)(request), data))
archive_case("range-of-another-place", "either", "sees where the part that comes begins")(
    lambda site, data: ranged(lambda request: request.answer(206, data[:100], {"Content-Range": f"bytes 0-99/{len(data)}"}), data))
archive_case("range-of-another-file", "either", "checks the digest of what it has put together")(
    lambda site, data: ranged(lambda request: request.answer(206, bytes(len(data) - len(data) // 2), {"Content-Range": f"bytes {len(data) // 2}-{len(data) - 1}/{len(data)}"}), data))


@case("mixed-releases", "part", does="gives the app no packs of two releases at once")
def _(site):
    site.without_patches()
    site.files[site.archive()] = status(404)


# Zips whose digest is right: whoever makes the packs may be attacked, too.

def zip_case(name, does):
    def add(change):
        @case(f"zip-{name}", "part", does=does)
        def _(site): change(site)
        return change
    return add


def with_entry(name, change=lambda info: None, data=b"evil"):
    """An archive with one entry more, which the index and its digest of contents count."""
    def make(site):
        entries = site.entries() + [(name, data)]
        site.replace(zipped(entries, change=lambda info: change(info) if info.filename == name else None), contents(entries))
    return make


def as_link(info): info.external_attr = 0o120777 << 16


zip_case("parent", "refuses a name with \"..\"")(with_entry("../evil"))
zip_case("parent-inside", "refuses it anywhere in a name")(with_entry("level/../../../evil"))
zip_case("absolute", "refuses a name that begins with \"/\"")(with_entry("/tmp/evil"))
zip_case("backslash", "refuses a backslash, which is a slash elsewhere")(with_entry("..\\evil"))
zip_case("dot", "refuses \".\" and empty parts, by which one file has two names")(with_entry("level 1/./map.bin"))
zip_case("control", "refuses control characters")(with_entry("a\nb"))
zip_case("link", "makes no symbolic links")(with_entry("link", as_link, b"/etc/hostname"))
zip_case("folder", "takes no entry that is no file")(with_entry("folder/", data=b""))


@zip_case("twins", "refuses a second entry of one name")
def _(site):
    import warnings
    warnings.simplefilter("ignore")
    entries = site.entries()
    site.replace(zipped(entries + [(entries[0][0], b"evil")]), {"fileCount": len(entries) + 1, "size": sum(len(data) for _, data in entries) + 4})


@zip_case("more", "refuses a file that the digest of contents does not count")
def _(site): site.replace(zipped(site.entries() + [("more", b"")]))


@zip_case("fewer", "refuses an archive that lacks one")
def _(site): site.replace(zipped(site.entries()[1:]))


@zip_case("other-contents", "checks the digest of contents")
def _(site): site.replace(zipped([(name, bytes(len(data))) for name, data in site.entries()]))


@zip_case("garbage", "survives an archive that is none")
def _(site): site.replace(b"PK\x03\x04" + bytes(5_000))


@zip_case("bomb", "unpacks no more than the index says")
def _(site): site.replace(zipped([(name, bytes(1 << 28)) for name, _ in site.entries()[:1]]))


@zip_case("lying-size", "stops where an entry has more bytes than its header says")
def _(site):
    data = bytearray(zipped([(name, bytes(1 << 28)) for name, _ in site.entries()[:1]]))
    central = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, 22, 10)
    struct.pack_into("<I", data, central + 24, 10)
    site.replace(bytes(data), {"fileCount": 1, "size": 10})


@zip_case("encrypted", "refuses what it cannot read")
def _(site):
    data = bytearray(site.files[site.archive()])
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        data[at + place] |= 1
    site.replace(bytes(data))


# Patches: whatever is wrong with one, the archive has all.

def patch_case(name, does="takes the archive"):
    def add(change):
        @case(f"patch-{name}", "new", does=does)
        def _(site): change(site)
        return change
    return add


def every_patch(answer):
    def change(site):
        for path in site.patches(): site.files[path] = answer(site.files[path])
    return change


def lists(answer):
    def change(site):
        for path in [path for path in site.files if path.startswith("patches/") and path.endswith(".json")]: site.files[path] = answer(site.files[path])
    return change


patch_case("404")(every_patch(lambda data: status(404)))
patch_case("cut")(every_patch(cut))
patch_case("endless")(every_patch(lambda data: endless))
patch_case("one-bit")(every_patch(lambda data: data[:-30] + bytes([data[-30] ^ 1]) + data[-29:]))
patch_case("list-404")(lists(lambda data: status(404)))
patch_case("list-page")(lists(lambda data: b"<html>"))


def relisted(remake):
    """Patches of other bytes, with lists and an index that name them as the right ones."""
    def change(site):
        index = site.index
        for entry in index["patches"]:
            names = json.loads(site.files[entry["path"]])
            for pack in names["packs"]:
                data = site.files[pack["patch"]["path"]] = remake(site.files[pack["patch"]["path"]])
                pack["patch"] |= {"size": len(data), "digest": "sha256:" + hashlib.sha256(data).hexdigest()}
            data = site.files[entry["path"]] = json.dumps(names).encode()
            entry |= {"size": len(data), "digest": "sha256:" + hashlib.sha256(data).hexdigest()}
        site.publish(index)
    return change


def recipe(change):
    """The same patch with another recipe."""
    def remake(data):
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = [(info.filename, archive.read(info)) for info in archive.infolist()]
        made = json.loads(entries[0][1])
        change(made["files"])
        return zipped([("patch.json", json.dumps(made).encode())] + entries[1:], zipfile.ZIP_STORED)
    return relisted(remake)


patch_case("garbage")(relisted(lambda data: b"PK\x05\x06" + bytes(18)))
patch_case("lacks-frames")(relisted(lambda data: zipped([("patch.json", zipfile.ZipFile(io.BytesIO(data)).read("patch.json"))], zipfile.ZIP_STORED)))
patch_case("other-frames")(relisted(lambda data: data.replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xff")))
patch_case("unknown-source")(recipe(lambda files: [file.update({"from": "sha256:" + "0" * 64}) for file in files if file["as"] != "whole"]))
patch_case("parent", "writes to no path of a recipe, and takes the archive")(recipe(lambda files: files[0].update({"path": "../../evil"})))
patch_case("source-path", "takes no digest for a path")(recipe(lambda files: [file.update({"from": "sha256:../../../../etc/hostname"}) for file in files if file["as"] == "patch"]))
patch_case("size-too-large", "makes no more than the recipe and the index say")(recipe(lambda files: [file.update(size=1 << 40) for file in files]))


class Server(ThreadingHTTPServer):
    """Plays the answers of a site on the loopback."""
    daemon_threads = True

    def __init__(self, files, place=""):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.asked, self.place = files, [], place
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self): return f"http://127.0.0.1:{self.server_port}" + (f"/{self.place}" if self.place else "")

    def handle_error(self, request, client_address): pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        # As S3 does it: a plus in a path is a space, so that a client has to send %2B for a plus in a name.
        path = unquote(self.path.split("?")[0].replace("+", " ")).lstrip("/")
        # Each path has to lead into the folder of the URL.
        if self.server.place: path = path.removeprefix(unquote(self.server.place) + "/") if path.startswith(unquote(self.server.place) + "/") else "elsewhere"
        self.server.asked.append(path)
        if path.startswith("moved/"): return self.plainly(self.server.originals[path.removeprefix("moved/")])(self)
        answer = self.server.files.get(path)
        if answer is None: return self.answer(404, b"no\n")
        (answer if callable(answer) else self.plainly(answer))(self)

    def plainly(self, data):
        """The file, or the part of it that is asked for."""
        tag = '"' + hashlib.sha256(data).hexdigest() + '"'
        def answer(request):
            if request.headers["If-None-Match"] == tag: return request.answer(304, b"", {"ETag": tag, "Content-Length": None})
            wanted = request.headers["Range"]
            if wanted and request.headers["If-Range"] in (None, tag):
                first, _, last = wanted.removeprefix("bytes=").partition("-")
                first, last = int(first), min(int(last or len(data) - 1), len(data) - 1)
                if first > last: return request.answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})
                return request.answer(206, data[first : last + 1], {"ETag": tag, "Content-Range": f"bytes {first}-{last}/{len(data)}"})
            request.answer(200, data, {"ETag": tag})
        return answer

    def answer(self, code, data, headers={}):
        try:
            self.send_response(code)
            for name, value in ({"Content-Length": str(len(data))} | headers).items():
                if value is not None: self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except OSError: self.close_connection = True

    def log_message(self, *_): pass
