/// A scenario, and its result that was calculated by hand.
struct KnownScenario: Sendable, CustomStringConvertible {
  let name: String
  let release: String
  let steps: String
  let result: String
  var link = "8/1"
  /// The space in megabytes.
  var space: String?
  var inUse: String?
  /// The release that `update 2` installs.
  var update: String?
  var connections: Int

  init(
    _ name: String, _ release: String, _ steps: String, _ result: String, link: String = "8/1",
    space: String? = nil, inUse: String? = nil, update: String? = nil, connections: Int = 1
  ) {
    self.connections = connections
    self.name = name
    self.release = release
    self.steps = steps
    self.result = result
    self.link = link
    self.space = space
    self.inUse = inUse
    self.update = update
  }

  var description: String { name }

  /// The network has a latency of 1 s and a rate of 1 MB/s, unless a scenario contains another network.
  static let all =
    loading + sharing + order + failures + network + space + purges + install + updates + staged + rounding

  private static let sharing = [
    KnownScenario(
      "two at a time wait for one latency", "a:2 b:2", "begin r ab; await r",
      "r 0>5>5 w5 | end 5 stalls 1/5 got 4 stored 4 use 4", connections: 2),
    KnownScenario(
      "who is left has the whole link", "a:1 b:3", "begin r a; begin s b; await r; await s",
      "r 0>3>5 w3, s 0>5>5 w2 | end 5 stalls 2/5 got 4 stored 4 use 4", connections: 2),
    KnownScenario(
      "who comes later takes a share from its first byte on", "a:3 b:1",
      "begin r a; play 1; begin s b; await s; await r",
      "r 0>5>5 w1, s 1>4>5 w3 | end 5 stalls 2/4 got 4 stored 4 use 4", connections: 2),
    KnownScenario(
      "a third waits for a place", "a:1 b:1 c:1", "begin r ab; begin s c; await r; await s",
      "r 0>3>5 w3, s 0>5>5 w2 | end 5 stalls 2/5 got 3 stored 3 use 3", connections: 2),
    KnownScenario(
      "what is urgent suspends all others", "a:2 b:2 c:1",
      "begin r a; begin s b; play 2; begin t c urgent; await t; await r; await s",
      "r 0>8>8 w4, s 0>8>8, t 2>4>8 w2 | end 8 stalls 2/6 got 5 stored 5 use 5", connections: 2),
    KnownScenario(
      "nothing is fetched ahead while a request waits", "a:2 b:2 prefetch:b",
      "install; play 2; begin r a; await r; play 9",
      "r 2>5>14 w3 | end 14 installed 0 stalls 1/3 got 4 unused 2 stored 4 use 2",
      connections: 2),
  ]

  private static let loading = [
    KnownScenario(
      "a pack takes the latency and its bytes", "a:2", "begin r a; await r",
      "r 0>3>3 w3 | end 3 stalls 1/3 got 2 stored 2 use 2"),
    KnownScenario(
      "a pack of nothing takes the latency", "a:0", "begin r a; await r", "r 0>1>1 w1 | end 1 stalls 1/1"),
    KnownScenario(
      "a pack of nothing without latency takes no time", "a:0", "begin r a; await r", "r 0>0>0 | end 0",
      link: "8/0"),
    KnownScenario(
      "each pack has its latency", "a:1 ab:1", "begin r a; await r",
      "r 0>4>4 w4 | end 4 stalls 1/4 got 2 stored 2 use 2"),
    KnownScenario(
      "what is played is not waited", "a:2", "begin r a; play 1; await r",
      "r 0>3>3 w2 | end 3 stalls 1/2 got 2 stored 2 use 2"),
    KnownScenario(
      "begun early enough nobody waits", "a:2", "begin r a; play 5; await r",
      "r 0>3>5 | end 5 got 2 stored 2 use 2"),
    KnownScenario(
      "ready just in time is no stall", "a:2", "begin r a; play 3; await r",
      "r 0>3>3 | end 3 got 2 stored 2 use 2"),
    KnownScenario(
      "a second await takes no time", "a:2", "begin r a; await r; await r",
      "r 0>3>3 w3 | end 3 stalls 1/3 got 2 stored 2 use 2"),
    KnownScenario(
      "an await on what was closed takes no time", "a:2", "begin r a; end r; await r",
      "r 0>->0 | end 0 stored 2 use 2"),
    KnownScenario(
      "what was ended half way is kept half", "a:2", "begin r a; play 2; end r; play 5",
      "r 0>->2 | end 7 got 1 unused 1 stored 2 use 2"),
    KnownScenario(
      "what was left goes on with a new latency", "a:3", "begin r a; play 2; end r; begin s a; await s",
      "r 0>->2, s 2>5>5 w3 | end 5 stalls 1/3 got 3 stored 3 use 3"),
    KnownScenario(
      "within the latency nothing arrives", "a:2", "begin r a; play 0.5; end r",
      "r 0>->0.5 | end 0.5 stored 2 use 2"),
    KnownScenario(
      "the archive comes, the files are stored", "a:4/1", "begin r a; await r",
      "r 0>2>2 w2 | end 2 stalls 1/2 got 1 stored 4 use 4"),
    KnownScenario(
      "a shared pack comes once", "a:1 ab:2 b:1", "begin r a; await r; begin s b; await s",
      "r 0>5>7 w5, s 5>7>7 w2 | end 7 stalls 2/7 got 4 stored 4 use 4"),
    KnownScenario(
      "several tags are one set of packs", "a:1 ab:2 b:1", "begin r ab; await r",
      "r 0>7>7 w7 | end 7 stalls 1/7 got 4 stored 4 use 4"),
    KnownScenario(
      "a name means the newest", "a:1 b:2", "begin r a; await r; end r; begin r b; await r",
      "r 0>2>2 w2, r 2>5>5 w3 | end 5 stalls 2/5 got 3 stored 3 use 2"),
    KnownScenario(
      "quit closes all", "a:1 b:2", "begin r a; begin s b; play 2; quit; play 1",
      "r 0>2>2, s 0>->2 | end 3 got 1 stored 3 use 3"),
  ]

  private static let order = [
    KnownScenario(
      "the first begun comes first", "a:4 b:1", "begin r a; play 2; begin s b; await s",
      "r 0>5>7, s 2>7>7 w5 | end 7 stalls 1/5 got 5 stored 5 use 5"),
    KnownScenario(
      "urgent suspends all else", "a:4 b:1", "begin r a 1; play 2; begin s b urgent; await s; await r",
      "r 0>8>8 w4, s 2>4>8 w2 | end 8 stalls 2/6 got 5 stored 5 use 5"),
    KnownScenario(
      "of two urgent the first begun", "a:4 b:1", "begin r a urgent; play 2; begin s b urgent; await s",
      "r 0>5>7, s 2>7>7 w5 | end 7 stalls 1/5 got 5 stored 5 use 5"),
    KnownScenario(
      "a higher priority comes first", "a:4 b:1", "begin r a; play 2; begin s b 0.8; await s; await r",
      "r 0>8>8 w4, s 2>4>8 w2 | end 8 stalls 2/6 got 5 stored 5 use 5"),
    KnownScenario(
      "a lower priority comes last", "a:4 b:1", "begin r a; play 2; begin s b 0.4; await s",
      "r 0>5>7, s 2>7>7 w5 | end 7 stalls 1/5 got 5 stored 5 use 5"),
    KnownScenario(
      "a priority can rise", "a:4 b:1", "begin r a; begin s b; play 2; priority s 0.9; await s",
      "r 0>->4, s 0>4>4 w2 | end 4 stalls 1/2 got 2 unused 1 stored 5 use 5"),
    KnownScenario(
      "a priority can fall", "a:4 b:1", "begin r a; begin s b; play 2; priority r 0; await s",
      "r 0>->4, s 0>4>4 w2 | end 4 stalls 1/2 got 2 unused 1 stored 5 use 5"),
    KnownScenario(
      "who stays first goes on", "a:4", "begin r a; play 2; priority r 0.9; await r",
      "r 0>5>5 w3 | end 5 stalls 1/3 got 4 stored 4 use 4"),
    KnownScenario(
      "a pack has the best of its ranks", "a:1 ab:2 b:1", "begin r a 0.2; begin s b 0.9; await r",
      "r 0>7>7 w7, s 0>5>7 | end 7 stalls 1/7 got 4 stored 4 use 4"),
    KnownScenario(
      "within a request the identifier decides", "b:1 ab:3",
      "begin r b; play 4; end r; conditional c a; play 9",
      "r 0>->4, c 4>4>13 | end 13 got 3 stored 4 use 4"),
  ]

  private static let failures = [
    KnownScenario(
      "an unknown tag", "a:1", "begin r x; await r", "r 0>->- !invalid-tag | end 0 errors 1"),
    KnownScenario(
      "an unknown tag among known ones", "a:1", "begin r ax", "r 0>->- !invalid-tag | end 0 errors 1"),
    KnownScenario(
      "conditional with an unknown tag", "a:1", "conditional r x", "r 0>->- !invalid-tag | end 0 errors 1"),
    KnownScenario(
      "an unknown tag is reported before the network", "a:1", "begin r x",
      "r 0>->- !invalid-tag | end 0 errors 1",
      link: "none"),
    KnownScenario(
      "more in use than allowed", "a:2 b:2", "begin r a; begin s b; await r",
      "r 0>3>3 w3, s 0>->- !in-use-limit | end 3 stalls 1/3 got 2 stored 2 use 2 errors 1", inUse: "3"),
    KnownScenario(
      "just as much in use as allowed", "a:2 b:2", "begin r a; begin s b; await s",
      "r 0>3>6, s 0>6>6 w6 | end 6 stalls 1/6 got 4 stored 4 use 4", inUse: "4"),
    KnownScenario(
      "in use counts a shared pack once", "a:1 ab:1 b:1", "begin r a; begin s b; await s",
      "r 0>4>6, s 0>6>6 w6 | end 6 stalls 1/6 got 3 stored 3 use 3", inUse: "3"),
    KnownScenario(
      "what was ended is not in use", "a:2 b:2", "begin r a; await r; end r; begin s b; await s",
      "r 0>3>3 w3, s 3>6>6 w3 | end 6 stalls 2/6 got 4 stored 4 use 2", inUse: "2"),
    KnownScenario(
      "conditional holds to the limit too", "a:2 b:2",
      "begin r a; await r; end r; begin s b; await s; conditional c a",
      "r 0>3>3 w3, s 3>6>6 w3, c 6>->- !in-use-limit | end 6 stalls 2/6 got 4 stored 4 use 2 errors 1",
      inUse: "3"),
    KnownScenario("conditional on nothing there", "a:2", "conditional c a; await c", "c 0>->- | end 0"),
    KnownScenario(
      "conditional on a part", "a:2", "begin r a; play 2; end r; conditional c a",
      "r 0>->2, c 2>->- | end 2 got 1 unused 1 stored 2 use 2"),
    KnownScenario(
      "conditional on all there", "a:2", "begin r a; await r; end r; conditional c a; play 1",
      "r 0>3>3 w3, c 3>3>4 | end 4 stalls 1/3 got 2 stored 2 use 2"),
  ]

  private static let network = [
    KnownScenario(
      "begun without a network", "a:1", "begin r a", "r 0>->- !offline | end 0 errors 1", link: "none"),
    KnownScenario(
      "what is there needs no network", "a:2", "begin r a; await r; end r; link none; begin s a",
      "r 0>3>3 w3, s 3>3>3 | end 3 stalls 1/3 got 2 stored 2 use 2"),
    KnownScenario(
      "what waits fails when the network goes", "a:2", "begin r a; play 2; link none; await r; play 1",
      "r 0>->2 !offline | end 3 got 1 unused 1 stored 2 use 2 errors 1"),
    KnownScenario(
      "what is available does not", "a:2", "begin r a; await r; link none; play 1",
      "r 0>3>4 w3 | end 4 stalls 1/3 got 2 stored 2 use 2"),
    KnownScenario(
      "a part is kept until the network is back", "a:2",
      "begin r a; play 2; link none; play 1; link 8/1; begin s a; await s",
      "r 0>->2 !offline, s 3>5>5 w2 | end 5 stalls 1/2 got 2 stored 2 use 2 errors 1"),
    KnownScenario(
      "a faster link begins with its latency", "a:4", "begin r a; play 2; link 16/1; await r",
      "r 0>4.5>4.5 w2.5 | end 4.5 stalls 1/2.5 got 4 stored 4 use 4"),
    KnownScenario(
      "the same link again is a change", "a:4", "begin r a; play 2; link 8/1; await r",
      "r 0>6>6 w4 | end 6 stalls 1/4 got 4 stored 4 use 4"),
    KnownScenario(
      "a prefetch waits for the network", "a:2 b:2 initial:a prefetch:b",
      "install; play 2; link none; play 5; link 8/1; play 2; begin r b",
      "r 12>12>12 | end 12 installed 3 got 4 unused 2 stored 4 use 2"),
  ]
}
