#!/usr/bin/env python3
"""A web server by the rules of Amazon S3's REST endpoint, over a folder as its bucket: for tests of clients.

    s3.py FOLDER [--port N] [--slow-down N] [--part-size BYTES] [--idle SECONDS]

Prints its URL. Only what a client that reads can see is here, each rule with its source; no signatures, no writing.
"""
import argparse, hashlib, pathlib, re, socket, sys, threading, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API = "https://docs.aws.amazon.com/AmazonS3/latest/API"


class Bucket:
    """The objects of a folder, by their keys."""

    def __init__(self, folder, part_size):
        self.folder, self.part_size = pathlib.Path(folder).resolve(), part_size

    def object(self, key):
        """The bytes of a key, or None. A key is a text, not a path: "a/../b" and "/a" are other keys than "b" and "a"."""
        path = self.folder / key
        if not key or key != str(path.relative_to(self.folder) if path.is_relative_to(self.folder) else ""): return None
        if any(part in ("", ".", "..") for part in key.split("/")) or not path.is_file(): return None
        return path.read_bytes()

    def etag(self, data):
        """Rule: an ETag is the MD5 only of an object that came in one part; of more, it is that of the parts' MD5s, and
        "-" with their number. It never is the SHA-256. Source: API/API_Object.html, ETag."""
        if len(data) <= self.part_size: return f'"{hashlib.md5(data).hexdigest()}"'
        parts = [hashlib.md5(data[start : start + self.part_size]).digest() for start in range(0, len(data), self.part_size)]
        return f'"{hashlib.md5(b"".join(parts)).hexdigest()}-{len(parts)}"'


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, folder, port=0, slow_down=0, part_size=256 << 10, idle=20):
        super().__init__(("127.0.0.1", port), Handler)
        self.bucket, self.idle = Bucket(folder, part_size), idle
        self.slow_down, self.lock = slow_down, threading.Lock()

    @property
    def url(self): return f"http://127.0.0.1:{self.server_port}"

    def is_too_fast(self, key):
        """Whether a request for a pack is one of the first, which a busy bucket refuses."""
        with self.lock:
            if not key.startswith("packs/") or self.slow_down == 0: return False
            self.slow_down -= 1
            return True

    def handle_error(self, request, client_address): pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "AmazonS3", ""

    def setup(self):
        # Rule: connections that nobody uses are closed without a word, after some 20 seconds. Sources: API/ErrorResponses.html,
        # RequestTimeout ("Idle connections will be closed"); github.com/durch/rust-s3/issues/405 (the time).
        self.timeout = self.server.idle
        super().setup()

    def do_GET(self): self.answer(has_body=True)

    def do_HEAD(self): self.answer(has_body=False)

    def do_POST(self): self.refuse(405, "MethodNotAllowed", "The specified method is not allowed against this resource.")

    do_PUT = do_DELETE = do_POST

    def answer(self, has_body):
        self.has_body = has_body
        # Rule: "+" in a path is a space, and a plus has to come as %2B. Sources: github.com/imgix/js-core/issues/88,
        # github.com/dnbert/prm/pull/46; docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html names "+" among the
        # characters that need special handling.
        raw = self.path.split("?", 1)[0].removeprefix("/").replace("+", " ")
        try: key = urllib.parse.unquote_to_bytes(raw).decode()
        except UnicodeDecodeError: return self.refuse(400, "InvalidURI", "Couldn't parse the specified URI.")
        # Rule: a bucket that is asked too fast answers 503 SlowDown. Source: API/ErrorResponses.html, SlowDown. That list does
        # not name Retry-After; stores and gateways with S3's interface send it, and a client has to take both.
        if self.server.is_too_fast(key):
            return self.refuse(503, "SlowDown", "Please reduce your request rate.", {"Retry-After": "1"})
        data = self.server.bucket.object(key)
        # Rule: a missing key is 403 to those who may not list the bucket, as all players. Source: API/API_GetObject.html,
        # Permissions. There are no folders, and no index of one.
        if data is None: return self.refuse(403, "AccessDenied", "Access Denied")
        tag = self.server.bucket.etag(data)
        headers = {"ETag": tag, "Accept-Ranges": "bytes", "Content-Type": "binary/octet-stream"}
        # Rule: If-None-Match with the ETag is 304 without a body. Source: API/API_GetObject.html, If-None-Match.
        known = self.headers["If-None-Match"]
        if known and tag in [each.strip() for each in known.split(",")]: return self.send(304, b"", {"ETag": tag})
        span = self.headers["Range"]
        # Rule: one range for each request; several are as none. Source: API/API_GetObject.html, Range.
        match = re.fullmatch(r"bytes=(\d*)-(\d*)", span.strip()) if span else None
        # Rule: If-Range with anything but the ETag itself gives the whole object. Source: RFC 9110, 13.1.5; a client that sends
        # a digest of its own, or the ETag of another server, begins again each time.
        condition = self.headers["If-Range"]
        if not match or match.groups() == ("", "") or condition not in (None, tag): return self.send(200, data, headers)
        first, last = match.groups()
        size = len(data)
        start = int(first) if first else max(0, size - int(last))
        end = min(int(last), size - 1) if first and last else size - 1
        # Rule: a range that begins after the end is 416 InvalidRange. Source: API/ErrorResponses.html, InvalidRange.
        if start >= size or end < start:
            return self.refuse(416, "InvalidRange", "The requested range is not satisfiable")
        self.send(206, data[start : end + 1], headers | {"Content-Range": f"bytes {start}-{end}/{size}"})

    def refuse(self, status, code, message, headers={}):
        """Rule: errors are XML. Source: API/ErrorResponses.html, REST error responses."""
        body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>'
        self.send(status, body.encode(), {"Content-Type": "application/xml"} | headers)

    def send(self, status, body, headers):
        self.send_response(status)
        if status != 304: self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items(): self.send_header(name, value)
        self.end_headers()
        try:
            if getattr(self, "has_body", True): self.wfile.write(body)
        except OSError: self.close_connection = True

    def log_message(self, *_): pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--slow-down", type=int, default=0)
    parser.add_argument("--part-size", type=int, default=256 << 10)
    parser.add_argument("--idle", type=float, default=20)
    options = parser.parse_args()
    server = Server(options.folder, options.port, options.slow_down, options.part_size, options.idle)
    print(server.url, flush=True)
    server.serve_forever(0.05)


if __name__ == "__main__": main()
