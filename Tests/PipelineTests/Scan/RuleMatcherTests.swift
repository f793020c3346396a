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
    // A text that a name has twice makes one candidate.
    for name in ["abab", "ab_ab_ab", "level_1_level_1_"] {
      #expect(candidates(name).count == Set(candidates(name)).count, "\(name)")
    }
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

/// Tests what single paths find in an index of rules.
@Suite struct RuleTraceTests {
  private func index(_ rules: TestRule..., exclude: [String] = []) throws -> RuleMatcher {
    RuleMatcher(try ScanSite().manifest(rules, exclude: exclude))
  }

  private func passed(_ trace: RuleMatcher.Trace) -> [String] {
    trace.passed.map { "\($0.rule.text.value) \($0.except?.value.text ?? "otherwise")" }
  }

  @Test func `a rule takes a path once`() throws {
    let index = try index(.glob("{a,?,*}", "G"), .path("a", "P"), .glob("{a,[a-b]}", "H"), .path(".", "R"))
    #expect(index.trace("a").rules.map(\.text.value) == ["{a,?,*}", "a", "{a,[a-b]}", "."])
    #expect(index.trace("a/b").rules.map(\.text.value) == ["a", "."])
    #expect(index.trace("b").rules.map(\.text.value) == ["{a,?,*}", "{a,[a-b]}", "."])
    let name = Array("a".utf8)[...]
    #expect(index.match(name, in: index.root).rules == [1, 0, 2])
  }

  @Test func `the first except that matches a file is named`() throws {
    let index = try index(
      .path("x", "X").except("x/1"), .glob("a/*", "A").except("b", "a/2", "a/1", "a/*"),
      .glob("a/**", "B").except("a/b", "a/1"), .path("a", "rest").forTheRest)
    #expect(passed(index.trace("a/1")) == ["a/* a/1", "a/** a/1"])
    #expect(passed(index.trace("a/2")) == ["a/* a/2", "a otherwise"])
    #expect(index.trace("a/1").rules.map(\.text.value) == ["a"])
    #expect(index.trace("a/2").rules.map(\.text.value) == ["a/**"])
    #expect(passed(index.trace("a/b/c")) == ["a/** a/b"])
    #expect(passed(index.trace("x/1")) == ["x x/1"] && passed(index.trace("x/2")) == [])
  }

  @Test func `the first exclude on the way to a path is named`() throws {
    let index = try index(.path(".", "A"), exclude: ["**/c", "a", "a/b/*"])
    #expect(index.trace("a/b/c").exclude == "**/c" && index.trace("a/b/d").exclude == "a")
    #expect(index.trace("x/.git/c").exclude == ".git" && index.trace("x/y").exclude == nil)
    #expect(index.trace("a/b/c").rules.isEmpty && index.trace("x/y").rules.count == 1)
    #expect(index.firstExclude(matching: "a/b/c") == 0 && index.firstExclude(matching: "a/b/d") == 1)
    #expect(index.firstExclude(matching: "b") == nil && index.firstExclude(matching: "b/c/x") == 0)
    #expect(index.matches("x") && !index.matches("a"))
  }

  @Test func `a single glob is an index`() throws {
    let index = RuleMatcher(try Glob("**/*.{png,jpg}"))
    #expect(
      index.matches("a.png") && index.matches("a/b/c.jpg") && !index.matches("a.gif") && !index.matches("png")
    )
    #expect(index.trace("a.png").rules.map(\.text.value) == ["**/*.{png,jpg}"])
  }

  /// An index of texts is made for 32 globs, after 16 names.
  @Test(arguments: [31, 32, 33]) func `many globs find the same names before and after`(count: Int) throws {
    let globs = try (0..<count).map { number in
      ResourceRule(
        pattern: .glob(try Glob("level_\(number)_*")), text: Located("\(number)", at: 0),
        tags: [Located("T", at: 0)])
    }
    let index = RuleMatcher(rules: globs, excludes: [])
    for round in 0..<40 {
      let number = round % count
      let found = index.match(Array("level_\(number)_x".utf8)[...], in: index.root).rules
      #expect(found == [Int32(number)], "round \(round)")
      #expect(index.match(Array("other_\(number)".utf8)[...], in: index.root).rules == [])
    }
  }

  @Test func `a state below a folder keeps only what can match there`() throws {
    let index = try index(.glob("a/*/c", "A"), .path("b/c", "B"), .glob("**/d/e", "D"))
    func state(_ path: String) -> RuleMatcher.FolderState {
      path.split(separator: "/").reduce(index.root) { index.state(below: Array($1.utf8)[...], in: $0) }
    }
    #expect(index.root.mayMatch && state("a").mayMatch && state("b").mayMatch && state("x").mayMatch)
    #expect(state("x").positionCount == 2 && state("a").positionCount == 3 && state("a/y").positionCount == 3)
    #expect(state("x/d").positionCount == 3 && state("x/d/d").positionCount == 3)
    let plain = try self.index(.glob("a/*/c", "A"), .path("b/c", "B"))
    let below = plain.state(below: Array("x".utf8)[...], in: plain.root)
    #expect(!below.mayMatch && !plain.matchesNames(in: below) && plain.matchesNames(in: plain.root))
    let taken = plain.state(
      below: Array("c".utf8)[...], in: plain.state(below: Array("b".utf8)[...], in: plain.root))
    #expect(taken.mayMatch && taken.inherited == [1] && !plain.matchesNames(in: taken))
  }
}

/// Tests tag sets while several threads add to them.
@Suite struct SharedTagSetsTests {
  @Test func `rules with equal tags share a set`() throws {
    let site = try ScanSite()
    let tags = [["A"], ["A"], ["A", "B"], ["A"], ["B", "A"], ["B"], ["A", "B"], ["C"], ["C", "A"], ["C"]]
    let rules = tags.enumerated().map { TestRule(path: "\($0)", tags: $1) }
    let manifest = try site.manifest(rules)
    let shared = SharedTagSets(manifest)
    #expect(shared.ofRules.map { shared.value.sets.tags(of: $0) } == tags.map { $0.sorted() })
    #expect(shared.value.sets.count == 5 && !shared.isFull)
    for number in tags.indices { try site.write("\(number)") }
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 2)
    let found = try #require(scan.tree).files.map { scan.tree?.tagSets.tags(of: $0.tagSet) ?? [] }
    #expect(found == tags.map { $0.sorted() })
  }

  @Test func `without templates there is no limit`() throws {
    let manifest = try ScanSite().manifest([.path("a", "A"), .path("b", "B")])
    let shared = SharedTagSets(manifest, maxTags: 0)
    let union = shared.union(shared.ofRules[0], shared.ofRules[1])
    #expect(!shared.isFull && shared.value.sets.tags(of: union) == ["A", "B"])
  }

  /// The tags of a set count once, when the set is added.
  @Test func `with templates the tags of new sets count`() throws {
    let manifest = try ScanSite().manifest([
      .glob("*", templates: "T $1"), .path("b", "B"), .path("c", "C", "D"),
    ])
    let shared = SharedTagSets(manifest, maxTags: 3)
    let template = try #require(manifest.rules[0].templates.first)
    func made(_ tag: String) -> TagSets.ID? {
      shared.set(of: [GeneratedTagName(tag: tag, template: template)], by: 0)
    }
    let first = try #require(made("T 1"))
    #expect(made("T 1") == first && !shared.isFull)
    let union = shared.union(first, shared.ofRules[1])
    #expect(shared.value.sets.tags(of: union) == ["B", "T 1"] && !shared.isFull)
    #expect(shared.union(shared.ofRules[1], shared.ofRules[1]) == shared.ofRules[1])
    let full = shared.union(union, shared.ofRules[2])
    #expect(shared.value.sets.tags(of: full) == ["B", "C", "D", "T 1"] && shared.isFull)
    #expect(made("T 2") == nil && shared.union(first, shared.ofRules[2]) == first)
    #expect(shared.value.generated.keys.sorted() == ["T 1"] && shared.value.generated["T 1"]?.rules == [0])
  }

  @Test func `a generated tag is placed at its first template`() throws {
    let site = try ScanSite("a", "b")
    let manifest = try site.manifest([
      .glob("?", templates: "X", "$1"), .glob("[ab]", templates: "a"), .glob("*", templates: "X"),
    ])
    let tree = try #require(AssetScan(of: manifest, leavingOut: nil, jobs: 1).tree)
    let offsets = manifest.rules.map { rule in rule.templates.map(\.text.offset) }
    #expect(tree.generatedTags["X"]?.offset == offsets[0][0] && tree.generatedTags["X"]?.rules == [0, 2])
    #expect(tree.generatedTags["a"]?.offset == offsets[0][1] && tree.generatedTags["a"]?.rules == [0, 1])
    #expect(tree.generatedTags["b"]?.rules == [0] && tree.generatedTags.count == 3)
  }

  @Test func `lists and generated tags are compared`() throws {
    let site = try ScanSite()
    let names = ["m", "b", "y", "a", "x", "c", "z", "k"]
    for name in names { try site.write(name) }
    func findings(_ members: String) throws -> [Diagnostic] {
      try site.folder.writeManifest([.glob("?", templates: "$1")], root: "Assets", members: members)
      let manifest = try #require(try ManifestReader(argument: site.folder.path).manifest)
      return try AssetScan(of: manifest, leavingOut: nil, jobs: 4).diagnostics
    }
    let unlisted = try findings(#""tags": ["k"]"#)
    #expect(unlisted.areAll { $0.check == .unknownTag && $0.place == unlisted[0].place })
    let order = unlisted.compactMap { $0.namedValues.split(separator: " ").dropFirst().first }
    #expect(order == ["\"a\"", "\"b\"", "\"c\"", "\"m\"", "\"x\"", "\"y\"", "\"z\""])
    let missing = try findings(#""initialInstallTags": ["k", "quite new", "z"]"#)
    #expect(missing.map(\.checkAndValues) == [#"[unknown-tag] "quite new""#])
    #expect(missing.map(\.place.position?.line) == [7])
  }

  /// If a set has more tags than a file can have, it gets no further tags.
  @Test func `a file with too many tags makes few sets`() throws {
    let site = try ScanSite("a")
    let many = (0..<ResourceRule.maxTags).map { "t\($0)" }
    let rules =
      [TestRule(path: ".", tags: many)]
      + (0..<20).map { TestRule(glob: "{a,x\($0)}", tags: ["u\($0)"]) }
    let tree = try #require(try AssetScan(of: site.manifest(rules), leavingOut: nil, jobs: 1).tree)
    // There is a set for each rule, and one with a tag too many.
    #expect(tree.tagSets.count == 22)
    #expect(tree.tagSets.tags(of: tree.files[0].tagSet).count == ResourceRule.maxTags + 1)
  }
}
