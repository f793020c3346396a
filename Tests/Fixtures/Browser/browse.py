#!/usr/bin/env python3
"""Opens pages of a folder in headless Chromium and says what became of them.

browse.py FOLDER < visits.json > results.json

A visit is {"page", "mode", "width", "dark", "script", "actions", "shot"}: `mode` is a key of MODES, `script` the body of
a function whose result is the visit's "value", `actions` a list of ["type", selector, text], ["click", selector] or
["key", selector, key], `shot` a file for a picture of `part`, [top, height], at `scale`. A result has "value", "console" (what the page logged or was refused), "requests" (all that the
browser asked the network for) and "served" (what it asked the server for).
"""
import base64, http.server, json, pathlib, shutil, socket, subprocess, sys, threading, time, urllib.error, urllib.request

# What a server says about a page. Jenkins says this of every report that it shows.
MODES = {
    "plain": None,
    "jenkins": "sandbox; default-src 'none'; img-src 'self'; style-src 'self';",
    "unscripted": "script-src 'none'",
    "unstyled": "style-src 'none'",
}
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}

folder = pathlib.Path(sys.argv[1])
served = []

class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        served.append(self.path)
        mode, _, name = self.path.lstrip("/").partition("/")
        path = folder / name
        if mode not in MODES or not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        if MODES[mode]: self.send_header("Content-Security-Policy", MODES[mode])
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
chromium = next(path for path in map(shutil.which, ["chromium", "chromium-browser", "google-chrome"]) if path)
driver = subprocess.Popen(
    ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=180) as response: return json.load(response)["value"]

def started():
    for _ in range(600):
        try: return call("GET", "/status")
        except (urllib.error.URLError, ConnectionError): time.sleep(0.1)
    raise SystemExit("chromedriver does not answer")

def visit(session, step):
    def send(path, body=None): return call("POST", f"/session/{session}{path}", body or {})
    def cdp(command, **parameters): return send("/goog/cdp/execute", {"cmd": command, "params": parameters})
    def element(selector):
        return next(iter(send("/element", {"using": "css selector", "value": selector}).values()))
    def log(kind): return send("/se/log", {"type": kind})

    cdp("Emulation.setDeviceMetricsOverride", width=step.get("width", 1440), height=900, deviceScaleFactor=1, mobile=False)
    scheme = "dark" if step.get("dark") else "light"
    cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    send("/url", {"url": "about:blank"})
    log("browser"), log("performance")
    served.clear()
    send("/url", {"url": f"{base}/{step.get('mode', 'plain')}/{step['page']}"})
    # The script draws once it has unpacked the list of files.
    if step.get("mode", "plain") in ("plain", "unstyled"):
        for _ in range(100):
            if cdp("Runtime.evaluate", expression="!document.querySelector('#find:empty')")["result"]["value"]: break
            time.sleep(0.05)
    for kind, selector, *rest in step.get("actions", []):
        if kind == "click": send(f"/element/{element(selector)}/click")
        else: send(f"/element/{element(selector)}/value", {"text": KEYS.get(rest[0], rest[0]) if kind == "key" else rest[0]})
    value = None
    if "script" in step:
        answer = cdp("Runtime.evaluate", expression=f"JSON.stringify((function(){{{step['script']}}})())", returnByValue=True)
        if "exceptionDetails" in answer: value = {"exception": answer["exceptionDetails"]}
        else: value = json.loads(answer["result"].get("value", "null"))
    if "shot" in step:
        top, height = step.get("part", [0, 900])
        clip = {"x": 0, "y": top, "width": step.get("width", 1440), "height": height, "scale": step.get("scale", 1)}
        image = cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        pathlib.Path(step["shot"]).write_bytes(base64.b64decode(image["data"]))
    events = [json.loads(entry["message"])["message"] for entry in log("performance")]
    requests = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    console = [entry["message"] for entry in log("browser")]
    return {
        "value": value, "console": console, "served": list(served),
        "requests": [url.replace(base, "") for url in requests if not url.startswith("about:")],
    }

try:
    started()
    options = {
        "binary": chromium,
        "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
    }
    session = call("POST", "/session", {"capabilities": {"alwaysMatch": {
        "browserName": "chrome", "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    }}})["sessionId"]
    print(json.dumps([visit(session, step) for step in json.load(sys.stdin)]))
    call("DELETE", f"/session/{session}")
finally:
    # A test may have blocked gentler signals, which is handed down to its programs.
    driver.kill()
    driver.wait()
