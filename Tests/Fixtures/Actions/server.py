"""Stands in for what the recipes ask of GitHub and GitLab, as far as they do: what it knows lies in a folder."""
import http.server, json, pathlib, re, threading, urllib.parse

TOKEN = "secret"


class State:
    """runs.json, artifacts.json and comments.json as GitHub has them, zips in artifacts/, files in releases/, and the
    archive of a GitLab job in gitlab/REF/JOB.zip."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        (self.folder / "artifacts").mkdir(parents=True, exist_ok=True)

    def read(self, name):
        path = self.folder / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else []

    def write(self, name, value):
        (self.folder / f"{name}.json").write_text(json.dumps(value, indent=1))

    def add(self, kind, **fields):
        """Adds an object with the next number, the newest first as GitHub lists runs."""
        objects = self.read(kind)
        made = {"id": len(objects) + 1, **fields}
        self.write(kind, objects + [made] if kind == "comments" else [made] + objects)
        return made


def serve(state, writes=True):
    """Starts a server of a state and returns its address; without writes a token is that of a fork."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_): pass

        def answer(self, status, body=b"", **headers):
            if not isinstance(body, bytes): body = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": len(body), **headers}.items(): self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(body)

        def file(self, path):
            return self.answer(200, path.read_bytes()) if path.is_file() else self.answer(404)

        def handle_request(self):
            url = urllib.parse.urlsplit(self.path)
            query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with open(state.folder / "log", "a") as log: log.write(f"{self.command} {self.path}\n")
            for method, pattern, function in ROUTES:
                match = re.fullmatch(pattern, url.path)
                if match and method == self.command:
                    if url.path.startswith("/repos/") and self.headers["Authorization"] != f"Bearer {TOKEN}":
                        return self.answer(401)
                    if url.path.startswith("/repos/") and method != "GET" and not writes: return self.answer(403)
                    return function(self, query, body, *map(urllib.parse.unquote, match.groups()))
            self.answer(404)

        do_GET = do_POST = do_PATCH = handle_request

        def runs(self, query, _, workflow):
            assert set(query) == {"branch", "status", "per_page"}, query
            self.answer(200, {"workflow_runs": [
                run for run in state.read("runs") if run["workflow"] == workflow and
                run["head_branch"] == query["branch"] and run["conclusion"] == query["status"]]})

        def artifacts(self, query, _, run):
            self.answer(200, {"artifacts": [
                each for each in state.read("artifacts") if each["run"] == int(run) and each["name"] == query["name"]]})

        def archive(self, _, __, number):
            # Another host, which refuses whom it does not know: GitHub's artifacts are with such a one.
            host = f"localhost:{self.server.server_port}"
            self.answer(302, Location=f"http://{host}/storage/{number}.zip")

        def storage(self, _, __, name):
            if self.headers["Authorization"]: return self.answer(400)
            self.file(state.folder / "artifacts" / name)

        def comments(self, query, _, issue):
            found = [each for each in state.read("comments") if each["issue"] == int(issue)]
            size, page = int(query["per_page"]), int(query["page"])
            self.answer(200, found[(page - 1) * size:page * size])

        def comment(self, _, body, issue):
            text = json.loads(body)["body"]
            # GitHub takes blanks at the end away.
            self.answer(201, state.add(
                "comments", issue=int(issue), user={"login": "github-actions[bot]"}, body=text.rstrip()))

        def edit(self, _, body, number):
            comments = state.read("comments")
            each, = [each for each in comments if each["id"] == int(number)]
            each["body"] = json.loads(body)["body"].rstrip()
            state.write("comments", comments)
            self.answer(200, each)

        def latest(self, _, __, name):
            releases = sorted((state.folder / "releases").glob("v*"))
            if not releases: return self.answer(404)
            self.answer(302, Location=f"/own/packtool/releases/download/{releases[-1].name}/{name}")

        def release(self, _, __, tag, name): self.file(state.folder / "releases" / tag / name)

        def job(self, query, _, ref):
            tokens = (self.headers["JOB-TOKEN"], self.headers["PRIVATE-TOKEN"])
            if tokens not in [(TOKEN, None), (None, "own")]: return self.answer(401)
            path = f"{ref}/{query['job']}.zip"
            if not (state.folder / "gitlab" / path).is_file(): return self.answer(404)
            # Where GitLab keeps artifacts in object storage, that is another host.
            self.answer(302, Location=f"http://localhost:{self.server.server_port}/objects/{path}")

        def objects(self, _, __, path):
            # A host that must not see a token.
            if any(name in self.headers for name in ("JOB-TOKEN", "PRIVATE-TOKEN", "Authorization")):
                return self.answer(400)
            self.file(state.folder / "gitlab" / path)

    repository, tool = "/repos/studio/game", "/own/packtool/releases"
    ROUTES = [
        ("GET", f"{repository}/actions/workflows/([^/]+)/runs", Handler.runs),
        ("GET", f"{repository}/actions/runs/([0-9]+)/artifacts", Handler.artifacts),
        ("GET", f"{repository}/actions/artifacts/([0-9]+)/zip", Handler.archive),
        ("GET", "/storage/([0-9]+[.]zip)", Handler.storage),
        ("GET", "/objects/([^/]+/[^/]+[.]zip)", Handler.objects),
        ("GET", f"{repository}/issues/([0-9]+)/comments", Handler.comments),
        ("POST", f"{repository}/issues/([0-9]+)/comments", Handler.comment),
        ("PATCH", f"{repository}/issues/comments/([0-9]+)", Handler.edit),
        ("GET", f"{tool}/latest/download/([^/]+)", Handler.latest),
        ("GET", f"{tool}/download/([^/]+)/([^/]+)", Handler.release),
        ("GET", "/api/v4/projects/1/jobs/artifacts/([^/]+)/download", Handler.job),
    ]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
