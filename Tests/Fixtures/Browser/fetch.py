#!/usr/bin/env python3
"""Opens the page of `packtool serve` in headless Chromium, fetches a pack there, whole and in ranges, and says as JSON
what came of it.

fetch.py PAGE PACK
"""
import json, socket, subprocess, sys, time, urllib.error, urllib.request

page, pack = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
driver = subprocess.Popen(["chromedriver", f"--port={port}", "--allowed-ips=127.0.0.1"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)

FETCH = """
var pack = arguments[0], done = arguments[1], statuses = [];
function hex(buffer) { return Array.from(new Uint8Array(buffer)).map(b => b.toString(16).padStart(2, '0')).join('') }
async function get(range, more) {
  var headers = Object.assign(range ? { Range: 'bytes=' + range } : {}, more || {});
  var answer = await fetch(pack, { headers: headers, cache: 'no-store' });
  statuses.push(answer.status);
  return answer.arrayBuffer();
}
(async function () {
  var whole = await get();
  var first = await get('0-99999'), rest = await get('100000-');
  var joined = new Uint8Array(first.byteLength + rest.byteLength);
  joined.set(new Uint8Array(first), 0); joined.set(new Uint8Array(rest), first.byteLength);
  await get('0-9', { 'If-Range': '"other"' });
  await new Promise(next => setTimeout(next, 1000));
  done({ whole: hex(await crypto.subtle.digest('SHA-256', whole)), joined: hex(await crypto.subtle.digest('SHA-256', joined)),
    statuses: statuses, state: document.getElementById('state').textContent,
    fetched: Array.from(document.querySelectorAll('#tags tbody tr')).map(row => row.cells[3].textContent) });
})().catch(error => done({ error: String(error) }));
"""


def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=60) as answer:
        return json.load(answer)["value"]


try:
    for _ in range(100):
        try:
            ask("GET", "/status")
            break
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--disable-dev-shm-usage"]}
    session = ask("POST", "/session", {"capabilities": {"alwaysMatch": {
        "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"script": 30000}}}})["sessionId"]
    base = f"/session/{session}"
    try:
        ask("POST", base + "/url", {"url": page})
        value = ask("POST", base + "/execute/async", {"script": FETCH, "args": [pack]})
        log = ask("POST", base + "/se/log", {"type": "browser"})
        value["console"] = [line["message"] for line in log if "favicon.ico" not in line["message"]]
        print(json.dumps(value))
    finally:
        ask("DELETE", base)
finally:
    # A test may have blocked gentler signals, which is handed down to its programs.
    driver.kill()
    driver.wait()
