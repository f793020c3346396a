@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the data structures for a fast lookup in many globs.
@Suite struct ManyGlobTests {
  private func components(_ globs: [String]) throws -> [Glob.Component] {
    try globs.map { try #require(try Glob($0).branches[0].first) }
  }

  /// All components with the same rarest string are candidates.
  ///
  /// Components without a string are always candidates.
  @Test func `names are compared with the components whose texts they have`() throws {
    let globs = (0..<200).map { "level_\($0)_*" } + ["ab*", "*ab", "?", "x[0-9]y", "exactly"]
    let components = try components(globs)
    let texts = RareTexts(of: components)
    func candidates(_ name: String) -> [String] {
      texts.candidates(in: Array(name.utf8)[...]).map { globs[Int($0)] }
    }
    for number in [0, 7, 42, 199] { #expect(candidates("level_\(number)_x").contains("level_\(number)_*")) }
    #expect(candidates("level_7_x").count < 10)
    #expect(Set(candidates("ab")).isSuperset(of: ["ab*", "*ab", "?"]))
    #expect(candidates("zab").contains("*ab") && candidates("ab").count == Set(candidates("ab")).count)
    #expect(candidates("exactly").contains("exactly"))
    for name in ["a", "ab", "abab", "x5y", "level_1_", "level_11_1", "exactly", "é", ""] {
      let bytes = Array(name.utf8)[...]
      let matching = components.indices.filter { components[$0].matches(bytes) }
      #expect(Set(texts.candidates(in: bytes).map { Int($0) }).isSuperset(of: matching), "\(name)")
    }
  }

  /// The lookup uses only 16 bytes of a long string.
  @Test func `long texts are found by their ends`() throws {
    let long = String(repeating: "abcdefgh", count: 5)
    let globs = ["\(long)1*", "\(long)2*", "*1\(long)", "*\(long)2"]
    let components = try components(globs)
    let texts = RareTexts(of: components)
    for name in ["\(long)1", "\(long)2x", "x1\(long)", "\(long)2", "\(long)", "abc"] {
      let bytes = Array(name.utf8)[...]
      let matching = components.indices.filter { components[$0].matches(bytes) }
      #expect(Set(texts.candidates(in: bytes).map { Int($0) }).isSuperset(of: matching), "\(name)")
    }
  }

  /// The number of positions depends only on the globs, even for a deep path.
  @Test func `positions in globs are there once`() throws {
    let names = (0..<20).map { "d\($0)" }
    let rules = try names.map { name in
      ResourceRule(
        pattern: .glob(try Glob("**/\(name)/**/end")), text: Located(name, at: 0),
        tags: [Located(name, at: 0)])
    }
    let index = RuleMatcher(rules: rules, excludes: [])
    var random = SeededRandom(seed: 5)
    var state = index.root
    var met: Set<String> = []
    for _ in 0..<200 {
      let name = names[Int.random(in: names.indices, using: &random)]
      met.insert(name)
      state = index.state(below: Array(name.utf8)[...], in: state)
      #expect(state.positionCount <= 4 * names.count)
      let found = index.match(Array("end".utf8)[...], in: state).rules
      #expect(found.map { names[Int($0)] } == names.filter(met.contains))
    }
  }
}
