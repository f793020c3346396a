@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests that the result of a scan depends only on the rules and the files, but not on threads or the file
/// system.
@Suite struct ScanOrderTests {
  @Test(arguments: sample(3, of: Array(0..<8 as Range<UInt64>)))
  func `any tree and rules give what a plain reading of the rules gives`(seed: UInt64) throws {
    var random = TreeRandom(state: seed)
    let site = try ScanSite()
    let files = try random.writeFiles(100, in: site)
    let rules = random.rules(8, for: files)
    let excludes = (0..<2).map { _ in random.glob() }
    let expected = plainScan(files, rules, excludes)
    let manifest = try site.manifest(rules, exclude: excludes)
    for jobs in [1, 2, 8] {
      let scan = ScanResult(try AssetScan(of: manifest, leavingOut: nil, jobs: jobs), in: site.folder.path)
      #expect(scan.files == expected.files, "\(rules) \(excludes)")
      #expect(scan.untagged.files == expected.untagged)
      #expect(scan.findings.areAll { $0.contains("[no-match]") || $0.contains("[unused-exclude]") })
    }
  }

  /// The number of files for which `except` or `otherwise` decides shows that the rules are not idle.
  @Test func `rules with except and otherwise give what a plain reading of them gives`() throws {
    var decided = 0
    let seeds = sample(4, of: Array(100..<112 as Range<UInt64>))
    for seed in seeds {
      var random = TreeRandom(state: seed)
      let site = try ScanSite()
      let files = try random.writeFiles(100, in: site)
      let plain = random.rules(14, for: files)
      let rules = plain.map { random.selective($0, among: files) }
      let excludes = seed.isMultiple(of: 2) ? [] : [random.glob()]
      let expected = plainScan(files, rules, excludes)
      decided += Set(expected.files).symmetricDifference(plainScan(files, plain, excludes).files).count
      let manifest = try site.manifest(rules, exclude: excludes)
      for jobs in [1, 8] {
        let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: jobs)
        let result = ScanResult(scan, in: site.folder.path)
        #expect(result.files == expected.files, "seed \(seed): \(rules) \(excludes)")
        #expect(result.untagged.files == expected.untagged)
        let checks: Set<Check> = [.noMatch, .unusedExclude, .unusedExcept]
        #expect(scan.diagnostics.allSatisfy { checks.contains($0.check) })
        #expect(scan.diagnostics.count { $0.check == .noMatch } == expected.unusedRules)
        #expect(scan.diagnostics.count { $0.check == .unusedExcept } >= expected.idleExcepts)
      }
      // `explain` follows single paths.
      let index = RuleMatcher(manifest)
      let tagged = files.filter { !index.trace($0).rules.isEmpty }
      #expect(tagged.count == expected.files.count)
    }
    #expect(decided > 5 * seeds.count)
  }

  @Test func `findings come in one order`() throws {
    let site = try ScanSite()
    for folder in 0..<40 {
      try site.write("a/\(folder)/file")
      try site.link("a/\(folder)/dangling", to: "nowhere")
      try site.link("a/\(folder)/loop", to: "loop")
    }
    let first = try site.scan(.path("a", "A"), .path("missing", "B"), jobs: 1)
    #expect(first.findings.count == 81)
    for jobs in [2, 3, 8, 8, 8] {
      let again = try site.scan(.path("a", "A"), .path("missing", "B"), jobs: jobs)
      #expect(again.findings == first.findings)
      #expect(again.files == first.files)
    }
  }

  /// The scan finds more files than fit into one block.
  @Test(arguments: [1, 3]) func `many files in many folders stand in their order`(jobs: Int) throws {
    let site = try ScanSite()
    var paths: [String] = []
    for folder in ["a", "a/b", "c"] {
      paths += (0...FileList.blockSize / 2).map { "\(folder)/\($0)" }
    }
    for path in paths { try site.write(path, "") }
    let result = try site.scan(.path(".", "A"), jobs: jobs)
    #expect(result.paths == paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    let files = try #require(result.tree?.files)
    #expect(FileList(files).map(\.path) == result.paths)
    #expect(files.indices == 0..<paths.count && files[paths.count - 1].path == result.paths.last)
  }

  @Test func `all files are in byte order of their paths`() throws {
    let site = try ScanSite(
      "a/b", "a.b", "a-b", "a0", "A/z", "é", "z", "a b", "b/a/c", "b/a.c", "b/a-c")
    let paths = try site.scan(.path(".", "A")).paths.map { Array($0.utf8) }
    #expect(paths == paths.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(paths.count == 11)
  }
}

/// The result of a plain scan.
private struct PlainScan {
  var files: [String] = []
  var untagged = 0
  /// The number of rules that take no file.
  var unusedRules = 0
  /// The number of globs in `except` that match no path of a file that their rule matches.
  var idleExcepts = 0
}

/// Returns the tags of each file according to the contract.
///
/// The tags are computed in a loop over all files and rules.
private func plainScan(_ files: [String], _ rules: [TestRule], _ excludes: [String]) -> PlainScan {
  let globs = rules.map { $0.glob.map(expression) }
  let excepts = rules.map { ($0.except ?? []).map(expression) }
  let excludes = excludes.map(expression)
  var scan = PlainScan()
  var used: Set<Int> = []
  var busy: Set<[Int]> = []
  for file in files.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
    // If a folder is excluded, everything below it is excluded.
    let parts = file.split(separator: "/")
    let above = parts.indices.map { parts[...$0].joined(separator: "/") }
    if excludes.contains(where: { glob in above.contains { matches(glob, $0) } }) { continue }
    var taking = rules.indices.filter { number in
      let rule = rules[number]
      let isMatching =
        globs[number].map { matches($0, file) } ?? (file == rule.path! || file.hasPrefix("\(rule.path!)/"))
      if !isMatching { return false }
      let matching = excepts[number].indices.filter { glob in
        above.contains { matches(excepts[number][glob], $0) }
      }
      for glob in matching { busy.insert([number, glob]) }
      return matching.isEmpty
    }
    if taking.contains(where: { rules[$0].otherwise != true }) {
      taking.removeAll { rules[$0].otherwise == true }
    }
    used.formUnion(taking)
    if taking.isEmpty {
      scan.untagged += 1
    } else {
      let tags = Set(taking.flatMap { rules[$0].tags ?? [] }).sorted().joined(separator: ", ")
      scan.files.append("\(file) [\(tags)]")
    }
  }
  scan.unusedRules = rules.count - used.count
  scan.idleExcepts = excepts.reduce(0) { $0 + $1.count } - busy.count
  return scan
}

private func matches(_ expression: NSRegularExpression, _ path: String) -> Bool {
  expression.firstMatch(in: path, range: NSRange(path.startIndex..., in: path)) != nil
}

/// Returns the regular expression for a glob.
private func expression(of glob: String) -> NSRegularExpression {
  var text = "^"
  let parts = glob.split(separator: "/")
  for (index, part) in parts.enumerated() {
    let isLast = index == parts.count - 1
    if part == "**" {
      text += isLast ? ".+" : "(?:[^/]+/)*"
      continue
    }
    for character in part {
      switch character {
      case "*": text += "[^/]*"
      case "?": text += "[^/]"
      case "{": text += "(?:"
      case "}": text += ")"
      case ",": text += "|"
      case "[", "]", "-": text.append(character)
      default: text += NSRegularExpression.escapedPattern(for: String(character))
      }
    }
    if !isLast { text += "/" }
  }
  // swift-format-ignore: NeverUseForceTry
  return try! NSRegularExpression(pattern: text + "$")
}

/// Generates random trees and rules.
///
/// The trees and rules contain only a few names, so that many rules match. The result is always the same for
/// the same seed.
private struct TreeRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private mutating func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &self)! }

  private mutating func name() -> String { one(of: ["a", "b", "ab", "ba", "a.x", "b.x", "c.y", "é"]) }

  mutating func writeFiles(_ count: Int, in site: ScanSite) throws -> [String] {
    var files: Set<String> = []
    var folders: Set<String> = []
    for _ in 0..<count {
      let parts = (0..<Int.random(in: 1...4, using: &self)).map { _ in name() }
      let path = parts.joined(separator: "/")
      let above = parts.indices.dropLast().map { parts[...$0].joined(separator: "/") }
      guard !folders.contains(path), !above.contains(where: files.contains) else { continue }
      files.insert(path)
      folders.formUnion(above)
      try site.write(path)
    }
    return files.sorted()
  }

  /// Returns different rules for some of the files.
  mutating func rules(_ count: Int, for files: [String]) -> [TestRule] {
    var rules: [TestRule] = []
    for _ in 0..<count {
      let rule = rule(for: files)
      if !rules.contains(where: { $0.path == rule.path && $0.glob == rule.glob }) { rules.append(rule) }
    }
    return rules
  }

  /// Returns the rule, in 75 % of all cases with `except`, `otherwise` or both.
  mutating func selective(_ rule: TestRule, among files: [String]) -> TestRule {
    var rule = rule
    if Int.random(in: 0..<2, using: &self) == 0 {
      let parts = one(of: files).split(separator: "/")
      let folder = parts[..<Int.random(in: 1...parts.count, using: &self)].joined(separator: "/")
      rule.except = [glob(), one(of: [folder, "\(folder)/**", "**/\(parts[0])", "**/*.x"])]
    }
    if Int.random(in: 0..<2, using: &self) == 0 { rule.otherwise = true }
    return rule
  }

  private mutating func rule(for files: [String]) -> TestRule {
    let tag = one(of: ["A", "B", "C", "D", "E"])
    if Bool.random(using: &self) { return .glob(glob(), tag) }
    let parts = one(of: files).split(separator: "/")
    let depth = Int.random(in: 1...parts.count, using: &self)
    return .path(parts[..<depth].joined(separator: "/"), tag)
  }

  mutating func glob() -> String {
    let parts = ["*", "**", "?", "a*", "*.x", "[ab]", "[a-b]*", "{a,b}", "*{a,.x}", "a", "b", "?.?"]
    var glob: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &self) { glob.append(one(of: parts)) }
    return glob.joined(separator: "/")
  }
}
