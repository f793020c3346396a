#!/usr/bin/env python3
"""Requests a tag through OnDemandC with ctypes, shows the progress, and prints a file of the tag.

    request.py LIBRARY STORE URL "Level 1" Levels/1/map.json

LIBRARY is libOnDemandC.so, as `swift build --product OnDemandC` makes it.
"""
import ctypes, sys, time

RUNNING = 0


def load(path):
    """The library, with the types of the functions that this program calls."""
    library = ctypes.CDLL(path)
    texts = ctypes.POINTER(ctypes.c_char_p)
    sizes = ctypes.POINTER(ctypes.c_int64)
    for name, result, arguments in [
        ("od_error", ctypes.c_char_p, []),
        ("od_open", ctypes.c_void_p, [ctypes.c_char_p] * 3),
        ("od_close", None, [ctypes.c_void_p]),
        ("od_request", ctypes.c_void_p, [ctypes.c_void_p, texts, ctypes.c_int32]),
        ("od_poll", ctypes.c_int32, [ctypes.c_void_p, sizes, sizes]),
        ("od_path", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_char_p]),
        ("od_end", None, [ctypes.c_void_p]),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def main(library, store, url, tag, path):
    od = load(library)

    def need(value, what):
        if not value: sys.exit(f"{what}: {od.od_error().decode()}")
        return value

    opened = need(od.od_open(store.encode(), url.encode(), None), "open")
    tags = (ctypes.c_char_p * 1)(tag.encode())
    request = need(od.od_request(opened, tags, 1), "request")
    done, total, shown = ctypes.c_int64(), ctypes.c_int64(), None
    while (status := od.od_poll(request, done, total)) == RUNNING:
        if done.value != shown: print(f"{done.value} of {total.value} bytes", file=sys.stderr)
        shown = done.value
        time.sleep(1 / 60)
    need(status > 0, tag)
    print(f"{done.value} of {total.value} bytes, done", file=sys.stderr)
    with open(need(od.od_path(request, path.encode()), path), "rb") as file: sys.stdout.buffer.write(file.read())
    od.od_end(request)
    od.od_close(opened)


if len(sys.argv) != 6: sys.exit(__doc__)
main(*sys.argv[1:])
