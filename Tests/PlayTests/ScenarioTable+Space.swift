/// Scenarios about space, purging, installs and updates.
extension KnownScenario {
  static let space = [
    KnownScenario(
      "more than the device has", "a:2", "begin r a; await r",
      "r 0>->0 !out-of-space | end 0 use 2 errors 1", space: "1"),
    KnownScenario(
      "just as much as the device has", "a:2", "begin r a; await r",
      "r 0>3>3 w3 | end 3 stalls 1/3 got 2 stored 2 use 2", space: "2"),
    KnownScenario(
      "what is in use is never purged", "a:2 b:2", "begin r a; await r; begin s b; play 1",
      "r 0>3>4 w3, s 3>->3 !out-of-space | end 4 stalls 1/3 got 2 stored 2 use 4 errors 1", space: "3"),
    KnownScenario(
      "all that want it fail", "a:2 b:2", "begin r a; begin s b; begin t ab; await r; play 1",
      "r 0>3>4 w3, s 0>->3 !out-of-space, t 0>->3 !out-of-space | end 4 stalls 1/3 got 2 stored 2 use 4 errors 2",
      space: "3"),
    KnownScenario(
      "a part keeps its space", "a:2 b:2", "begin r a; play 2; begin s b urgent; play 1",
      "r 0>3>3, s 2>->2 !out-of-space | end 3 got 2 stored 2 use 4 errors 1",
      space: "3"),
    KnownScenario(
      "less space purges what is not in use", "a:2 b:2",
      "begin r a; await r; end r; begin s b; await s; space 3; conditional c a",
      "r 0>3>3 w3, s 3>6>6 w3, c 6>->- | end 6 stalls 2/6 got 4 purges 1/2 over 1 stored 4 use 2"),
    KnownScenario(
      "less space leaves what is in use", "a:2 b:1", "begin r a; await r; space 1; begin s b; play 1",
      "r 0>3>4 w3, s 3>->3 !out-of-space | end 4 stalls 1/3 got 2 stored 2 use 3 errors 1"),
    KnownScenario(
      "less space stops a prefetch that is under way", "a:1 b:4 initial:a prefetch:b",
      "install; play 3; space 3; play 9; conditional c a",
      "c 14>14>14 | end 14 installed 2 got 3 unused 2 purges 1/4 over 2 stored 5 use 1"),
  ]

  static let purges = [
    KnownScenario(
      "purging frees more than is needed", "a:2 b:2", "begin r a; await r; end r; begin s b; await s",
      "r 0>3>3 w3, s 3>6>6 w3 | end 6 stalls 2/6 got 4 purges 1/2 over 1 stored 2 use 2", space: "3"),
    KnownScenario(
      "the least recently used goes first", "a:2 b:2 c:2",
      "begin r a; await r; end r; begin s b; await s; end s; begin t c; await t; conditional x a; conditional y b",
      "r 0>3>3 w3, s 3>6>6 w3, t 6>9>9 w3, x 9>->-, y 9>9>9 | end 9 stalls 3/9 got 6 purges 1/2 over 1 stored 4 use 4",
      space: "5"),
    KnownScenario(
      "used last is closed last", "a:2 b:2 c:2",
      "begin r a; await r; begin s b; await s; end s; play 1; end r; begin t c; await t; conditional x a",
      "r 0>3>7 w3, s 3>6>6 w3, t 7>10>10 w3, x 10>10>10 | end 10 stalls 3/9 got 6 purges 1/2 over 1 stored 4 use 4",
      space: "5"),
    KnownScenario(
      "what is preserved goes last", "a:2 b:2 c:2",
      "preserve a 0.5; begin r a; await r; end r; begin s b; await s; end s; begin t c; await t; conditional x a",
      "r 0>3>3 w3, s 3>6>6 w3, t 6>9>9 w3, x 9>9>9 | end 9 stalls 3/9 got 6 purges 1/2 over 1 stored 4 use 4",
      space: "5"),
    KnownScenario(
      "the highest of a pack's tags counts", "ab:2 c:2 d:2",
      "preserve b 0.9; preserve c 0.5; begin r a; await r; end r; begin s c; await s; end s; begin t d; await t; "
        + "conditional x a",
      "r 0>3>3 w3, s 3>6>6 w3, t 6>9>9 w3, x 9>9>9 | end 9 stalls 3/9 got 6 purges 1/2 over 1 stored 4 use 4",
      space: "5"),
    KnownScenario(
      "of equals the identifier decides", "a:2 b:2 c:2",
      "begin r b; begin s a; await s; quit; begin t c; await t; conditional x a; conditional y b",
      "r 0>3>6, s 0>6>6 w6, t 6>9>9 w3, x 9>->-, y 9>9>9 | end 9 stalls 2/9 got 6 purges 1/2 over 1 stored 4 use 4",
      space: "5"),
    KnownScenario(
      "what was never stored goes first", "a:2 b:2 c:2",
      "begin r a; await r; end r; begin s b; play 2; end s; begin t c; await t; conditional x a",
      "r 0>3>3 w3, s 3>->5, t 5>8>8 w3, x 8>8>8 "
        + "| end 8 stalls 2/6 got 5 unused 1 purges 1/2 over 1 stored 4 use 4", space: "5"),
    KnownScenario(
      "several go until it fits", "a:1 b:1 c:3",
      "begin r a; begin s b; await s; quit; begin t c; await t",
      "r 0>2>4, s 0>4>4 w4, t 4>8>8 w4 | end 8 stalls 2/8 got 5 purges 2/2 stored 3 use 3", space: "3"),
    KnownScenario(
      "a large pack goes for a small one", "a:4 b:1", "begin r a; await r; end r; begin s b; await s",
      "r 0>5>5 w5, s 5>7>7 w2 | end 7 stalls 2/7 got 5 purges 1/4 over 3 stored 4 use 4", space: "4"),
    KnownScenario(
      "nothing goes where it would not fit even then", "a:2 b:1 c:3",
      "begin r a; await r; begin s b; await s; end s; begin t c; conditional x b",
      "r 0>3>5 w3, s 3>5>5 w2, t 5>->5 !out-of-space, x 5>5>5 | end 5 stalls 2/5 got 3 stored 3 use 5 errors 1",
      space: "4"),
    KnownScenario(
      "what was purged comes again", "a:2 b:2",
      "begin r a; await r; end r; begin s b; await s; end s; begin t a; await t",
      "r 0>3>3 w3, s 3>6>6 w3, t 6>9>9 w3 | end 9 stalls 3/9 got 6 purges 2/4 over 2 stored 2 use 2",
      space: "3"),
    KnownScenario(
      "a copy that nobody held came for nothing", "a:1 b:2 c:3 initial:a prefetch:b",
      "install; play 3; begin r c; await r",
      "r 5>9>9 w4 | end 9 installed 2 stalls 1/4 got 6 unused 3 purges 2/3 over 1 stored 3 use 3", space: "4"),
  ]

  static let install = [
    KnownScenario(
      "the app and then the packs", "a:2 initial:a app:5", "install",
      " | end 9 installed 9 got 7 unused 2 stored 2"),
    KnownScenario(
      "packs alone", "a:2 b:1 initial:b,a", "install; begin r a",
      "r 5>5>5 | end 5 installed 5 got 3 unused 1 stored 3 use 2"),
    KnownScenario("nothing to install", "a:2", "install", " | end 0 installed 0"),
    KnownScenario(
      "an install without a network", "a:2 initial:a", "install; play 3", " | end 0 errors 1", link: "none"),
    KnownScenario(
      "an install that does not fit", "a:2 initial:a", "install; play 3", " | end 0 errors 1", space: "1"),
    KnownScenario(
      "the app has to fit too", "a:2 initial:a app:2", "install; play 3", " | end 0 errors 1", space: "3"),
    KnownScenario(
      "then comes the prefetch", "a:2 b:2 initial:a prefetch:b", "install; play 3; begin r ab",
      "r 6>6>6 | end 6 installed 3 got 4 stored 4 use 4"),
    KnownScenario(
      "without an install nothing is prefetched", "a:2 b:2 prefetch:b", "play 9", " | end 9"),
    KnownScenario(
      "a request suspends the prefetch", "a:2 b:2 c:1 initial:a prefetch:b",
      "install; play 2; begin r c; await r; play 3",
      "r 5>7>10 w2 | end 10 installed 3 stalls 1/2 got 5 unused 4 stored 5 use 1"),
    KnownScenario(
      "a prefetch that is asked for goes on", "a:2 b:2 initial:a prefetch:b",
      "install; play 1.5; begin r b; await r",
      "r 4.5>6>6 w1.5 | end 6 installed 3 stalls 1/1.5 got 4 unused 2 stored 4 use 2"),
    KnownScenario(
      "a prefetch that the end of the app interrupts goes on with a new latency",
      "a:1 b:4 initial:a prefetch:b", "install; play 2; kill; play 3; begin r b; await r",
      "r 7>8>8 w1 | end 8 installed 2 stalls 1/1 got 5 unused 1 stored 5 use 4"),
    KnownScenario(
      "a prefetch goes on when requests are closed", "a:1 b:4 initial:a prefetch:b",
      "install; play 2; quit; play 3; begin r b; await r",
      "r 7>7>7 | end 7 installed 2 got 5 unused 1 stored 5 use 4"),
    KnownScenario(
      "a prefetch that does not fit is passed over", "a:2 b:2 c:1 initial:a prefetch:b,c",
      "install; play 4; begin r c; conditional x b",
      "r 7>7>7, x 7>->- | end 7 installed 3 got 3 unused 2 stored 3 use 1", space: "3"),
    KnownScenario(
      "passed over for good", "a:2 b:2 initial:a prefetch:b", "install; space 9; play 9",
      " | end 12 installed 3 got 2 unused 2 stored 2", space: "3"),
    KnownScenario(
      "what was purged is not prefetched again", "a:1 b:2 c:3 initial:a prefetch:b",
      "install; play 3; begin r c; await r; end r; space 9; play 9; conditional x b",
      "r 5>9>9 w4, x 18>->- | end 18 installed 2 stalls 1/4 got 6 unused 3 purges 2/3 over 1 stored 3 use 3",
      space: "4"),
  ]

  static let staged = [
    KnownScenario(
      "the old pack stays until the update is applied", "a:2",
      "begin r a; await r; end r; stage 2; play 1; conditional s a; play 9; apply; begin t a; await t",
      "r 0>3>3 w3, s 4>4>13, t 13>13>13 | end 13 stalls 1/3 got 5 stored 5 use 5", update: "a:3!"),
    KnownScenario(
      "what has not come is missing", "a:2",
      "begin r a; await r; end r; stage 2; play 2; apply; play 3; begin t a; await t",
      "r 0>3>3 w3, t 8>11>11 w3 | end 11 stalls 2/6 got 5 stored 5 use 3", update: "a:3!"),
    KnownScenario(
      "a staged update comes after requests, and only for tags that are there", "a:2 b:1 c:1",
      "begin r a; await r; stage 2; play 2; begin t b; await t; play 9; apply; end r",
      "r 0>3>16 w3, t 5>7>16 w2 | end 16 stalls 2/5 got 6 unused 3 stored 6 use 3", update: "a:3! b:1 c:1!"),
    KnownScenario(
      "a staged update purges nothing", "a:2",
      "begin r a; await r; end r; stage 2; play 9; conditional s a; apply; begin t a; await t",
      "r 0>3>3 w3, s 12>12>12, t 12>->12 !out-of-space | end 12 stalls 1/3 got 2 stored 2 use 4 errors 1",
      space: "3", update: "a:2!"),
    KnownScenario(
      "a staged update waits for a network", "a:2",
      "begin r a; await r; end r; stage 2; play 2; link none; play 5; link 8/1; play 4; apply; begin t a",
      "r 0>3>3 w3, t 14>14>14 | end 14 stalls 1/3 got 5 stored 5 use 3", update: "a:3!"),
  ]

  static let updates = [
    KnownScenario(
      "what is the same stays", "a:2 b:1", "begin r a; await r; end r; update 2; begin s a; await s",
      "r 0>3>3 w3, s 3>3>3 | end 3 stalls 1/3 got 2 stored 2 use 2", update: "a:2 b:1!"),
    KnownScenario(
      "what is another comes whole", "a:2", "begin r a; await r; end r; update 2; play 9; begin s a; await s",
      "r 0>3>3 w3, s 12>16>16 w4 | end 16 stalls 2/7 got 5 stored 3 use 3", update: "a:3!"),
    KnownScenario(
      "what is gone is gone", "a:2 b:1", "begin r a; await r; quit; update 2; begin s a",
      "r 0>3>3 w3, s 3>->- !invalid-tag | end 3 stalls 1/3 got 2 stored 2 use 2 errors 1", update: "b:1"),
    KnownScenario(
      "a part of what is the same stays", "a:3", "begin r a; play 2; end r; update 2; begin s a; await s",
      "r 0>->2, s 2>5>5 w3 | end 5 stalls 1/3 got 3 stored 3 use 3", update: "a:3"),
    KnownScenario(
      "a part of what is another goes", "a:3", "begin r a; play 2; end r; update 2; begin s a; await s",
      "r 0>->2, s 2>6>6 w4 | end 6 stalls 1/4 got 4 unused 1 stored 3 use 3", update: "a:3!"),
    KnownScenario(
      "the prefetch is over", "a:2 b:4 initial:a prefetch:b",
      "install; play 2; update 2; play 9; begin r b; await r",
      "r 14>18>18 w4 | end 18 installed 3 stalls 1/4 got 6 unused 2 stored 6 use 4",
      update: "a:2 b:4 initial:a"),
    KnownScenario(
      "a replaced copy makes room without a purge", "a:2 b:3",
      "begin r a; await r; end r; update 2; begin s b; await s",
      "r 0>3>3 w3, s 3>7>7 w4 | end 7 stalls 2/7 got 5 stored 3 use 3", space: "3", update: "a:2! b:3"),
  ]

  static let rounding = [
    KnownScenario(
      "times round up", "a:0.000001", "begin r a; await r",
      "r 0>2.666667>2.666667 w2.666667 | end 2.666667 stalls 1/2.666667 got 0.000001 stored 0.000001 use 0.000001",
      link: "0.000003/0"),
    KnownScenario(
      "bytes round down", "a:2", "begin r a; play 1.000001; end r",
      "r 0>->1.000001 | end 1.000001 got 0.333333 unused 0.333333 stored 2 use 2", link: "2.666666/0"),
  ]
}
