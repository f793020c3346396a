package import PackKit
import Formats
import System

/// Rules that differ in one name alone, which is part of their tags too, as one rule with a tag template.
///
/// `Levels/1` with the tag "Level 1", `Levels/2` with "Level 2" and so on become `Levels/*/**` with "Level $1".
package struct TemplateFolding {
  /// The rules, of which those that were folded stand where the first of them was.
  package let rules: [ResourceRule]

  /// The number of rules from which on one in their place is easier to read.
  private static let severalRules = 3

  /// Folds the rules of a manifest, whose files are looked at: what no rule tagged gets no tag by a template.
  package init(_ manifest: Manifest) {
    guard let root = try? Folder(manifest.rootPath) else {
      rules = manifest.rules
      return
    }
    var rules: [ResourceRule?] = manifest.rules
    var groups: [FoldedGroup.Key: [FoldedGroup.Member]] = [:]
    for (number, rule) in manifest.rules.enumerated() {
      guard let (key, name) = FoldedGroup.place(of: rule, in: root) else { continue }
      let member = FoldedGroup.Member(number: number, name: name, tags: rule.tags.map(\.value))
      groups[key, default: []].append(member)
    }
    for (key, members) in groups where members.count >= Self.severalRules {
      for group in FoldedGroup.candidates(key, members) where group.members.count >= Self.severalRules {
        guard let rule = group.rule(in: root) else { continue }
        for member in group.members { rules[member.number] = nil }
        rules[group.members[0].number] = rule
        break
      }
    }
    self.rules = rules.compactMap { $0 }
  }
}
