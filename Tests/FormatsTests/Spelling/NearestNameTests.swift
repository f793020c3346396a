import Formats
import Support
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("Levl 1", "Level 1"), ("Leevl 1", "Level 1"), ("Level  1", "Level 1"), ("LEVEL 1", "Level 1"),
    ("level 2", "Level 2"), ("Musik", "Music"), ("usic", "Music"), ("musci", "Music"), ("fo", "foo"),
    ("prefetchTags", "prefetchTagOrder"), ("initial_install_tags", "initialInstallTags"), ("ÉTÉ", "été"),
    ("Level 1", "Level 1"),
  ])
  func `the nearest is found`(_ name: String, _ expected: String) {
    let candidates = [
      "Level 2", "Level 1", "Music", "foo", "prefetchTagOrder", "initialInstallTags", "été", "", "x",
    ]
    #expect(nearest(to: name, in: candidates) == expected)
    #expect(nearest(to: name, in: candidates.reversed()) == expected)
  }

  @Test(
    arguments: [
      ("Castel", "Castle"), ("Musik", "Music"), ("Level 11", nil), ("Level 4", nil), ("Castles", "Castle"),
      ("cas", nil), ("MUSIC", "Music"),
    ] as [(String, String?)])
  func `what is near is sure where nothing else is`(_ name: String, _ expected: String?) {
    let candidates = ["Castle", "Music", "Level 1", "Level 2", "cat", "car", "Castle"]
    #expect(NearestName(to: name, in: candidates)?.sureName == expected)
  }

  @Test(arguments: ["", "y", "-x", "ab", "Boss", "Lev", "resource tags of all"])
  func `nothing is near`(_ name: String) {
    #expect(nearest(to: name, in: ["Level 1", "Music", "-q", "abcd", "prefetchTagOrder"]) == nil)
  }

  @Test func `an edit to every third letter is near`() {
    #expect(nearest(to: "abcdef", in: ["abXdeX"]) == "abXdeX")
    #expect(nearest(to: "abcdef", in: ["aXXdeX"]) == nil)
    #expect(nearest(to: "abcde", in: ["abXdeX"]) == "abXdeX")
    #expect(nearest(to: "abcde", in: ["abXXe"]) == nil)
    let long = String(repeating: "abcdefghij", count: 10)
    #expect(nearest(to: long, in: [long + "123456"]) == long + "123456")
    #expect(nearest(to: long, in: [long + "1234567"]) == nil)
    #expect(nearest(to: "1234567" + long, in: [long]) == nil)
    #expect(nearest(to: "123456" + long, in: [long]) == long)
  }

  @Test func `a wrong case is nearer than a wrong letter, a swap is one edit`() {
    #expect(nearest(to: "abc", in: ["abd", "ABC"]) == "ABC")
    #expect(nearest(to: "abc", in: ["acb"]) == "acb")
    #expect(nearest(to: "abcd", in: ["badc"]) == nil)
    #expect(nearest(to: "-V", in: ["-v", "-q"]) == "-v")
  }

  @Test func `the order of the candidates does not matter`() {
    #expect(nearest(to: "cat", in: ["hat", "bat", "rat"]) == "bat")
    #expect(nearest(to: "cat", in: ["bat", "rat", "hat"]) == "bat")
    #expect(nearest(to: "cat", in: Set(["rat", "hat", "cats", "bat"])) == "bat")
    #expect(nearest(to: "cat", in: [String]()) == nil)
  }

  @Test func `agrees with the plain algorithm`() {
    var random = SplitMix(state: 1)
    for _ in 0..<sample(1_000, of: 4_000) {
      let (first, second) = (random.word(), random.word())
      let edits = plainDistance(Array(first.unicodeScalars), Array(second.unicodeScalars))
      let isNear = edits * 3 <= max(first.count, second.count) && edits <= 6
      #expect((nearest(to: first, in: [second]) != nil) == isNear, "\(first) \(second)")
    }
  }

  /// If the long names were compared, the test would run for many minutes.
  @Test(.noHang) func `thousands of long or hostile candidates are quick`() {
    let huge = String(repeating: "a", count: 10_000_000)
    let alike = (0..<4_000).map { String(repeating: "ab", count: 95) + "\($0)" }
    let wanted = String(repeating: "ba", count: 95) + "no"
    #expect(nearest(to: wanted, in: alike) != nil)
    #expect(nearest(to: String(repeating: "abb", count: 63), in: alike) == nil)
    #expect(nearest(to: huge, in: alike) == nil)
    #expect(nearest(to: wanted, in: Array(repeating: huge, count: 10_000)) == nil)
  }

  @Test func `names over 200 scalars are skipped`() {
    let (fits, tooLong) = (String(repeating: "é", count: 200), String(repeating: "é", count: 201))
    #expect(nearest(to: fits, in: [tooLong]) == nil)
    #expect(nearest(to: tooLong, in: [fits, tooLong]) == nil)
    #expect(nearest(to: fits, in: [fits]) == fits)
  }

  @Test func `the phrase stands behind a message`() {
    #expect("unknown tag" + didYouMean("Level 1") == "unknown tag; did you mean \"Level 1\"?")
    #expect(didYouMean(nil) == "")
  }
}

/// Computes the optimal string alignment distance with the textbook algorithm, which fills the whole table.
private func plainDistance(_ source: [Unicode.Scalar], _ target: [Unicode.Scalar]) -> Int {
  var table = Array(repeating: Array(repeating: 0, count: target.count + 1), count: source.count + 1)
  for row in 0...source.count { table[row][0] = row }
  for column in 0...target.count { table[0][column] = column }
  for (row, first) in source.enumerated() {
    for (column, second) in target.enumerated() {
      var cost = table[row][column] + (first == second ? 0 : 1)
      cost = min(cost, table[row][column + 1] + 1, table[row + 1][column] + 1)
      if row > 0, column > 0, first == target[column - 1], source[row - 1] == second {
        cost = min(cost, table[row - 1][column - 1] + 1)
      }
      table[row + 1][column + 1] = cost
    }
  }
  return table[source.count][target.count]
}

/// A small random number generator.
///
/// It has a fixed seed, so failures are reproducible.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func word() -> String {
    String((0..<Int.random(in: 0...12, using: &self)).map { _ in "aab".randomElement(using: &self) ?? "a" })
  }
}
