@testable import Formats
@testable import Model
@testable import Play
import Support
import Testing

/// Tests the smallest lists of rules with which files get certain tags.
@Suite struct TagRulesTests {
  private func rules(_ files: [(path: String, tags: [String])]) -> [String] {
    TagRules(files).rules.map { rule in
      "\(rule.text.value) \((rule.tags.map(\.value) + rule.templates.map { _ in "$1" }).joined(separator: ","))"
    }
  }

  @Test func `folders and endings come before lists`() {
    #expect(rules([("a/1", ["A"]), ("a/b/2", ["A"])]) == [". A"])
    #expect(rules([("a/1", ["A"]), ("b/2", ["B"])]) == ["a A", "b B"])
    #expect(
      rules([("a/1.png", ["A"]), ("a/2.png", ["A"]), ("a/3.ogg", ["B"])]) == ["a/*.png A", "a/3.ogg B"])
    #expect(rules([("a/1", ["A"]), ("a/2", ["A"]), ("a/3", ["B"])]) == ["a/{1,2} A", "a/3 B"])
    #expect(rules([("x/1", ["A"]), ("y/1", ["A"]), ("z/1", ["B"])]) == ["{x,y}/** A", "z B"])
    #expect(rules([("a/1", ["A"]), ("a/2", [])]) == ["a/1 A"])
    #expect(rules([]) == [])
  }

  @Test func `folders with the names of their tags are one template`() {
    #expect(rules(["x", "y", "z"].map { ("l/\($0)/1", [$0]) }) == ["l/*/** $1"])
    #expect(rules(["x", "y"].map { ("l/\($0)/1", [$0]) }).count == 2)
    #expect(rules([("l/0", ["x"])] + ["x", "y", "z"].map { ("l/\($0)/1", [$0]) }).count == 4)
  }

  /// If a name contains special characters of globs, its file gets its own rule with a path.
  @Test func `names that are no globs are paths`() {
    let files: [(path: String, tags: [String])] = [
      ("a/b*", ["A"]), ("a/c,d", ["A"]), ("a/e", ["A"]), ("a/f", ["A"]), ("a/g", ["B"]),
    ]
    #expect(Set(rules(files)) == ["a/b* A", "a/c,d A", "a/{e,f} A", "a/g B"])
    #expect(
      Set(rules([("a{/1", ["A"]), ("a{/2", ["A"]), ("a{/3", ["B"])])) == ["a{/1 A", "a{/2 A", "a{/3 B"])
  }

  /// The order of the files does not matter.
  ///
  /// Rules are sorted by their tags. Alternatives in a glob are sorted by the names of the files.
  @Test func `rules are in the order of their tags`() {
    let files = (0..<12).map { (path: "a/\($0 * 7 % 12 + 10)", tags: ["T\($0 * 7 % 12 + 10)"]) }
    let expected = (10..<22).map { "a/\($0) T\($0)" }
    #expect(rules(files) == expected && rules(files.reversed()) == expected)
    let endings = (0..<8).flatMap { number in
      ["1", "2"].map { (path: "b/\($0).e\(number)", tags: ["A"]) }
    }
    #expect(rules(endings.shuffled() + [("b/x", ["B"])]).dropLast() == (0..<8).map { "b/*.e\($0) A" }[...])
  }

  @Test func `long lists are several`() throws {
    let names = (0..<40).map { "name\($0)" }
    let made = rules(names.map { ("a/\($0)", ["A"]) } + [("a/other", ["B"])])
    #expect(made.count > 3 && made.allSatisfy { $0.utf8.count < 110 })
    let listed = made.dropLast().flatMap { rule -> [String] in
      let parts = rule.split { $0 == "{" || $0 == "}" }
      if parts.count < 2 { return [String(rule.dropFirst(2).dropLast(2))] }
      return parts[1].split(separator: ",").map(String.init)
    }
    #expect(Set(listed) == Set(names) && listed.count == names.count)
  }
}
