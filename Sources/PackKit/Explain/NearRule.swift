import Findings
import Formats
import Spelling

/// A rule that almost matched a file, and why it did not.
package struct NearRule: Sendable {
  package let rule: ResourceRule
  /// The part of a message after the rule's path.
  package let reason: String
  /// The distance from a match; lower is nearer.
  private let distance: Int

  /// The number of rules that are listed.
  private static let mostNamed = 3

  /// The rules nearest to an unmatched path, the nearest first.
  package static func all(near path: String, in manifest: Manifest) -> [NearRule] {
    let names = path.split(separator: "/").map(String.init)
    let near = manifest.rules.compactMap { rule in
      switch rule.pattern {
      case .path(let path): NearRule(rule, path.components, names)
      case .glob(let glob): NearRule(rule, glob, names)
      }
    }
    let ordered = near.enumerated().sorted { ($0.1.distance, $0.0) < ($1.1.distance, $1.0) }
    return ordered.prefix(mostNamed).map(\.element)
  }

  private init(_ rule: ResourceRule, _ distance: Int, _ reason: String) {
    self.rule = rule
    self.distance = distance
    self.reason = reason
  }

  /// A rule whose path is a typing error away from the file's path, or from that of a folder above it.
  private init?(_ rule: ResourceRule, _ wanted: [String], _ names: [String]) {
    let above = names.prefix(wanted.count).joined(separator: "/")
    let path = wanted.joined(separator: "/")
    if above == path {
      self.init(rule, 0, "differs from \(quoted(above)) in Unicode form")
    } else if above.lowercased() == path.lowercased() {
      self.init(rule, 0, "differs from \(quoted(above)) in upper and lower case")
    } else if wanted.count <= names.count, nearest(to: path, in: [above]) != nil {
      self.init(rule, 1, "is spelled almost like \(quoted(above))")
    } else {
      let shared = zip(wanted, names).prefix { $0 == $1 }.count
      guard shared > 0, shared < wanted.count else { return nil }
      self.init(rule, 100 - min(shared, 90), "means something else in \(quoted(folder(wanted, shared)))")
    }
  }

  /// A rule whose glob would match if written slightly differently.
  private init?(_ rule: ResourceRule, _ glob: Glob, _ names: [String]) {
    let slash = glob.text.lastIndex(of: "/")
    let folder = slash.map { glob.text[...$0] } ?? ""
    let last = slash.map { glob.text[glob.text.index(after: $0)...] } ?? glob.text[...]
    if let lowered = try? Glob(glob.text.lowercased()), lowered.matches(names.map { $0.lowercased() }) {
      self.init(rule, 0, "tells upper from lower case")
    } else if let deep = try? Glob("\(folder)**/\(last)"), deep.matches(names) {
      self.init(rule, 2, "does not look into folders; \(quoted(deep.text)) would match")
    } else if glob.fixedDepth > 0, let any = try? Glob("\(folder)*"), any.matches(names) {
      self.init(rule, 3, "means other names in the same folder")
    } else {
      let fixed = glob.text.split(separator: "/").prefix(glob.fixedDepth).map(String.init)
      let shared = zip(fixed, names).prefix { $0 == $1 }.count
      guard shared > 0 else { return nil }
      self.init(rule, 100 - min(shared, 90), "means other files in \(quoted(PackKit.folder(fixed, shared)))")
    }
  }
}

extension Glob {
  /// Whether the glob alone would match a file.
  fileprivate func matches(_ names: [String]) -> Bool {
    let rule = ResourceRule(pattern: .glob(self), text: Located(text, at: 0), tags: [])
    return !RuleTracer(rules: [rule], excludes: []).trace(names.joined(separator: "/")).rules.isEmpty
  }
}

/// The first components of a path as the path of a folder.
private func folder(_ names: [String], _ count: Int) -> String {
  names.prefix(count).joined(separator: "/")
}
