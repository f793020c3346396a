"""A second implementation of the runtime of on-demand resources, to hold packtool's against.

Slow and plain on purpose: it keeps no queue, no counter and no cache, looks at everything again whenever something
happens, and reckons in fractions. Each line of the input is {"release", "updates", "scenario"}; each line of the output
is what `packtool simulate --format json` writes.
"""

import json
import sys
from fractions import Fraction

LINKS = {
    "edge": (240_000, 840_000), "3g": (780_000, 200_000), "dsl": (2_000_000, 10_000),
    "lte": (50_000_000, 115_000), "wi-fi": (40_000_000, 2_000), "wi-fi 802.11ac": (250_000_000, 2_000),
    "very bad network": (45_000, 1_000_000),
    "slow 4g": (1_440_000, 562_500), "fast 4g": (8_100_000, 165_000),
    # Nothing ever comes.
    "100% loss": (0, 0),
}
TIMES = {"us": 1, "ms": 10**3, "s": 10**6, "min": 60 * 10**6, "h": 3600 * 10**6, "day": 86400 * 10**6}
SIZES = {
    "B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
}
# Parts of a byte: a bit per second moves one in a microsecond.
BYTE = 8 * 10**6
RATES = {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9}


def ceil(number):
    return -((-number.numerator) // number.denominator)


def floor(number):
    return number.numerator // number.denominator


def measured(text, units):
    number = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/ ")
    return Fraction(number) * units[text[len(number):].strip()]


def time_of(text):
    return ceil(measured(text, TIMES))


def size_of(value):
    return floor(measured(value, SIZES)) if isinstance(value, str) else value


def link_of(value):
    if isinstance(value, dict):
        rate = value["rate"]
        return (floor(measured(rate, RATES)) if isinstance(rate, str) else rate, time_of(value["latency"]))
    return None if value.lower() == "none" else LINKS[value.lower()]


def keys_of(release):
    """The packs by what makes two of them the same; of one identifier, the first counts."""
    packs = {}
    seen = set()
    for pack in release["packs"]:
        if pack["id"] not in seen:
            packs[pack["id"], pack["content"], pack["size"]] = pack
        seen.add(pack["id"])
    return packs


def unrolled(steps):
    for step in steps:
        if "repeat" in step:
            for _ in range(step["repeat"]):
                yield from unrolled(step["steps"])
        else:
            yield step


class Request:
    def __init__(self, name, tags, began):
        self.name, self.tags, self.began = name, tags, began
        self.available = self.ended = self.error = None
        self.waited = 0
        self.size = None
        self.open = False
        self.packs = set()
        self.priority = 0.5


class World:
    def __init__(self, release, updates, scenario):
        self.updates = updates
        self.clock = 0
        self.link = self.first_link = link_of(scenario["link"])
        self.connections = scenario.get("connections", 1)
        self.patience = time_of(scenario.get("patience", "30 s"))
        self.info, self.staged, self.staging = {}, None, []
        device = scenario.get("device", {})
        self.space = size_of(device["space"]) if "space" in device else float("inf")
        self.limit = size_of(device["inUse"]) if "inUse" in device else 2 * 10**9
        self.take(release)
        self.stored, self.held_bytes, self.came, self.used = set(), {}, {}, set()
        self.ever_stored, self.last_use = set(), {}
        self.preserved = {}
        self.requests, self.named = [], {}
        self.served, self.shared_until = [], 0
        self.phase = "fresh"
        self.app_there = False
        self.not_prefetched = set()
        self.steps, self.stalls, self.stalled = [], 0, 0
        self.installed, self.errors = None, 0
        self.transferred, self.total = {}, 0
        self.downloads, self.purges = {}, {}
        self.unused = self.purged = self.over = 0
        self.peak_stored = self.peak_in_use = 0
        self.known = {pack["id"] for pack in release["packs"]}
        for other in updates.values():
            self.known |= {pack["id"] for pack in other["packs"]}
        self.run(scenario["steps"])

    def take(self, release):
        self.packs = keys_of(release)
        self.info.update(self.packs)
        keys = {key[0]: key for key in self.packs}
        self.initial, self.prefetch = ([keys[pack] for pack in release[name]] for name in ("initialInstall", "prefetch"))
        self.app = release.get("appSize")

    # What holds at a moment, looked up anew each time.

    def waiting(self):
        return [r for r in self.requests if r.open and not r.packs <= self.stored]

    def pinned(self):
        return {pack for r in self.requests if r.open for pack in r.packs}

    def sum_of(self, packs):
        return sum(self.info[pack]["size"] for pack in packs)

    def free(self):
        return self.space - sum(self.held_bytes.values())

    def wanted(self):
        """What is wanted and not there, best first and each once, with who wants it; of the best kind alone."""
        ranked = self.ranked()
        best = {}
        for item, who in ranked:
            if who == ranked[0][1]:
                best.setdefault(item, who)
        return list(best.items())

    def ranked(self):
        if self.phase == "installing":
            items = [] if self.app is None or self.app_there else [("app", "install")]
            return items + [(pack, "install") for pack in self.initial if pack not in self.stored]
        ranked = []
        for order, request in enumerate(self.requests):
            if request.open:
                for pack in request.packs - self.stored:
                    urgent = request.priority == "urgent"
                    rank = (0, 0) if urgent else (1, -request.priority)
                    ranked.append((rank, order, pack[0].encode(), pack))
        kinds = {0: "urgent", 1: "request"}
        items = [(pack, kinds[rank[0]]) for rank, _, _, pack in sorted(ranked)]
        items += [(pack, "staged") for pack in self.staging if pack not in self.stored]
        if self.phase == "installed":
            items += [
                (pack, "prefetch") for pack in self.prefetch
                if pack not in self.stored and pack not in self.not_prefetched
            ]
        return items

    # The link.

    def share(self):
        """Counts what came since the served packs were others: each with bytes under way got an equal part."""
        flowing = [t for t in self.served if t["flows"]]
        for transfer in flowing:
            part = floor(Fraction((self.clock - self.shared_until) * self.link[0], len(flowing)))
            transfer["came"] = min(transfer["came"] + part, transfer["rest"] * BYTE)
        self.shared_until = self.clock

    def stop(self, items=None):
        self.share()
        for transfer in [t for t in self.served if items is None or t["item"] in items]:
            self.served.remove(transfer)
            self.receive(transfer["item"], transfer["came"] // BYTE)

    def next_time(self):
        """When something happens on the link."""
        if self.link[0] == 0:
            return float("inf")
        flowing = [t for t in self.served if t["flows"]]
        times = [t["start"] + self.link[1] for t in self.served if not t["flows"]]
        for transfer in flowing:
            left = (transfer["rest"] * BYTE - transfer["came"]) * len(flowing)
            times.append(self.shared_until + ceil(Fraction(left, self.link[0])))
        return min(times, default=None)

    def receive(self, item, count):
        self.total += count
        if item != "app":
            self.came[item] = self.came.get(item, 0) + count
            self.transferred[item[0]] = self.transferred.get(item[0], 0) + count

    def look(self):
        while True:
            items = self.wanted()
            if self.phase == "installing" and not items:
                self.phase, self.installed = "installed", self.clock
                continue
            if not items or self.link is None:
                return self.stop()
            first = items[:self.connections]
            if any(not self.start(item, who) for item, who in first):
                continue
            names = {item for item, _ in first}
            return self.stop({t["item"] for t in self.served if t["item"] not in names})

    def start(self, item, who):
        if any(t["item"] == item for t in self.served):
            return True
        if item != "app" and item not in self.held_bytes:
            if not self.make_room(item, who):
                return False
            self.held_bytes[item] = self.info[item]["size"]
            self.peak_stored = max(self.peak_stored, sum(self.held_bytes.values()))
        rest = self.app if item == "app" else self.info[item]["transfer"] - self.came.get(item, 0)
        self.served.append({"item": item, "start": self.clock, "rest": max(0, rest), "came": 0, "flows": False})
        return True

    def make_room(self, pack, who):
        need = self.info[pack]["size"]
        if need <= self.free():
            return True
        if who == "prefetch":
            self.not_prefetched.add(pack)
            return False
        if who == "staged":
            self.staging = []
            return False
        pinned = self.pinned()
        gain = sum(size for other, size in self.held_bytes.items() if other not in pinned)
        if need > self.free() + gain:
            for request in [r for r in self.requests if r.open and pack in r.packs]:
                self.fail(request, "out-of-space")
                self.close(request)
            return False
        while need > self.free():
            self.purge_one()
        self.over += self.free() - need
        return True

    def purge_one(self):
        def key(pack):
            tags = self.info[pack]["tags"]
            use = self.last_use.get(pack, 0) if pack in self.ever_stored else 0
            return (max(self.preserved.get(tag, 0) for tag in tags), use, pack[0].encode(), pack not in self.packs)

        pinned = self.pinned()
        victims = sorted((p for p in self.held_bytes if p not in pinned), key=key)
        if not victims:
            return False
        victim = victims[0]
        self.stop({victim})
        self.purged += self.held_bytes[victim]
        self.purges[victim[0]] = self.purges.get(victim[0], 0) + 1
        self.not_prefetched.add(victim)
        self.drop(victim)
        return True

    def drop(self, pack):
        if pack not in self.used:
            self.unused += self.came.get(pack, 0)
        self.used.discard(pack)
        self.stored.discard(pack)
        self.held_bytes.pop(pack, None)
        self.came.pop(pack, None)

    def pass_time(self, until):
        while self.served and self.next_time() <= until:
            self.clock = self.next_time()
            self.share()
            for transfer in self.served:
                transfer["flows"] = transfer["flows"] or transfer["start"] + self.link[1] <= self.clock
            there = [t for t in self.served if t["flows"] and t["came"] == t["rest"] * BYTE]
            if not there:
                continue
            self.served.remove(there[0])
            item = there[0]["item"]
            self.receive(item, there[0]["rest"])
            if item == "app":
                self.app_there = True
            else:
                before = self.waiting()
                self.stored.add(item)
                self.ever_stored.add(item)
                self.last_use[item] = self.clock
                self.downloads[item[0]] = self.downloads.get(item[0], 0) + 1
                if item in self.pinned():
                    self.used.add(item)
                if set(self.staging) <= self.stored:
                    self.staging = []
                for request in before:
                    if request.packs <= self.stored:
                        request.available = self.clock
            self.look()
        self.clock = until

    # Requests.

    def fail(self, request, error):
        request.error = error
        self.errors += 1

    def close(self, request):
        if request.open:
            request.open = False
            request.ended = self.clock
            for pack in request.packs:
                self.last_use[pack] = self.clock
            self.forget_replaced(request.packs)

    def forget_replaced(self, packs):
        """Deletes those that no release offers and nobody holds."""
        for pack in packs - self.pinned():
            if pack not in self.packs and (self.staged is None or pack not in keys_of(self.staged)):
                self.stop({pack})
                self.drop(pack)
                self.ever_stored.discard(pack)
                self.not_prefetched.discard(pack)

    def put(self, release):
        old = self.packs
        self.take(release)
        self.phase, self.staged, self.staging = "updated", None, []
        self.forget_replaced(set(old))

    def missing_bytes(self, packs):
        """Bytes that packs still need, less those that are under way."""
        total = 0
        flowing = [t for t in self.served if t["flows"]]
        for pack in packs - self.stored:
            left = max(0, self.info[pack]["transfer"] - self.came.get(pack, 0))
            for transfer in [t for t in flowing if t["item"] == pack]:
                part = floor(Fraction((self.clock - self.shared_until) * self.link[0], len(flowing)))
                left -= min(transfer["came"] + part, transfer["rest"] * BYTE) // BYTE
            total += left
        return total

    def ask(self, step, key):
        request = Request(step["as"], step[key], self.clock)
        self.requests.append(request)
        self.named[request.name] = request
        there = {tag for pack in self.packs.values() for tag in pack["tags"]}
        if any(tag not in there for tag in request.tags):
            return self.fail(request, "invalid-tag")
        packs = {key for key, p in self.packs.items() if set(p["tags"]) & set(request.tags)}
        request.size = self.missing_bytes(packs)
        if self.sum_of(self.pinned() | packs) > self.limit:
            return self.fail(request, "in-use-limit")
        if not packs <= self.stored:
            if key == "conditional":
                return None
            if self.link is None:
                return self.fail(request, "offline")
        request.packs, request.open = packs, True
        request.priority = step.get("priority", 0.5)
        self.used |= packs & self.stored
        self.peak_in_use = max(self.peak_in_use, self.sum_of(self.pinned()))
        if packs <= self.stored:
            request.available = self.clock

    # Steps.

    def run(self, steps):
        for step in unrolled(steps):
            start = self.clock
            self.step_size = {}
            ended = self.step(step)
            if not ended:
                self.look()
            self.pass_time(self.clock)
            self.steps.append({"step": len(self.steps) + 1, "from": start, "to": self.clock, **self.step_size})
            if ended:
                break
        for request in self.requests:
            self.close(request)
        self.stop()
        for pack in list(self.held_bytes):
            self.drop(pack)

    def step(self, step):
        if "install" in step:
            total = sum(self.packs[pack]["size"] for pack in self.initial) + (self.app or 0)
            if self.link is None or total > self.space:
                self.errors += 1
                return True
            self.phase = "installing"
            self.look()
            while self.phase == "installing":
                if self.link[0] == 0:
                    self.pass_time(self.clock + self.patience)
                    self.errors += 1
                    return True
                self.pass_time(self.next_time())
        elif "begin" in step:
            self.ask(step, "begin")
        elif "conditional" in step:
            self.ask(step, "conditional")
        elif "end" in step:
            self.close(self.named[step["end"]])
        elif "await" in step:
            request, start = self.named[step["await"]], self.clock
            while request in self.waiting():
                if self.link[0] == 0:
                    self.pass_time(self.clock + self.patience)
                    self.fail(request, "timed-out")
                    self.close(request)
                else:
                    self.pass_time(self.next_time())
            if self.clock > start:
                self.stalls += 1
                self.stalled += self.clock - start
                request.waited += self.clock - start
        elif "priority" in step:
            self.named[step["priority"]].priority = step["to"]
        elif "preserve" in step:
            for tag in step["preserve"]:
                self.preserved[tag] = step["to"]
        elif "play" in step:
            self.pass_time(self.clock + time_of(step["play"]))
        elif "link" in step:
            self.stop()
            self.link = link_of(step["link"])
            if self.link is None:
                for request in self.waiting():
                    self.fail(request, "offline")
                    self.close(request)
        elif "space" in step:
            self.space = size_of(step["space"])
            if self.free() < 0:
                while self.free() < 0 and self.purge_one():
                    pass
                self.over += max(0, self.free())
        elif "quit" in step or "kill" in step:
            for request in self.requests:
                self.close(request)
            if "kill" in step:
                self.stop()
        elif "staged" in step:
            self.staged = self.updates[step["update"]]
            offered = keys_of(self.staged)
            self.info.update(offered)
            tags = {tag for pack in self.packs.values() for tag in pack["tags"]}
            there = {
                tag for tag in tags
                if all(key in self.stored for key, pack in self.packs.items() if tag in pack["tags"])
            }
            self.staging = sorted(key for key, pack in offered.items() if set(pack["tags"]) & there)
            self.step_size = {"downloadSize": self.missing_bytes(set(self.staging))}
            if set(self.staging) <= self.stored:
                self.staging = []
        elif "apply" in step:
            self.put(self.staged)
        elif "update" in step:
            self.stop()
            self.put(self.updates[step["update"]])
        return False

    def report(self):
        def pack(name):
            return {
                "id": name, "downloads": self.downloads.get(name, 0),
                "transferred": self.transferred.get(name, 0), "purges": self.purges.get(name, 0),
            }

        return {
            "formatVersion": 1,
            "link": self.first_link and {"rate": self.first_link[0], "latency": self.first_link[1]},
            "steps": self.steps,
            "requests": [
                {
                    "name": r.name, "tags": r.tags, "began": r.began, "available": r.available,
                    "ended": r.ended, "waited": r.waited, "error": r.error,
                    "downloadSize": r.size,
                }
                for r in self.requests
            ],
            "packs": [pack(name) for name in sorted(self.known, key=str.encode)],
            "summary": {
                "installed": self.installed, "stalls": self.stalls, "stalled": self.stalled,
                "transferred": self.total, "unused": self.unused,
                "purges": sum(self.purges.values()), "purged": self.purged, "overPurged": self.over,
                "peakStored": self.peak_stored, "peakInUse": self.peak_in_use,
                "errors": self.errors, "end": self.clock,
            },
        }


if __name__ == "__main__":
    for line in sys.stdin:
        task = json.loads(line)
        print(json.dumps(World(task["release"], task.get("updates", {}), task["scenario"]).report()))
