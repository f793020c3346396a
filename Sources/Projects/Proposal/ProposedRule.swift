import Findings
import Formats
package import PackKit

/// A rule that a proposal makes, and why.
package struct ProposedRule: Sendable {
  /// The rule as a manifest has it, without places.
  package let rule: ResourceRule
  /// Why it was made, as the end of a line.
  package let reason: String

  /// A rule for a folder with all below it.
  init?(folder path: String, tag: String, _ reason: String) {
    guard let path = try? RelativePath(path.isEmpty ? "." : path), TextForm.tag.mistake(in: tag) == nil else {
      return nil
    }
    rule = ResourceRule(
      pattern: .path(path), text: Located(path.text, at: 0), tags: [Located(tag, at: 0)])
    self.reason = reason
  }

  /// A rule whose glob has a template, or a tag; nil for what no glob can name.
  init?(glob text: String, template: String? = nil, tag: String? = nil, _ reason: String) {
    guard let glob = try? Glob(text) else { return nil }
    let located = template.map { Located($0, at: 0) }
    guard
      let rule = ResourceRule(
        glob: glob, text: Located(text, at: 0), tags: tag.map { [Located($0, at: 0)] } ?? [],
        templates: located.map { [$0] } ?? [])
    else { return nil }
    self.rule = rule
    self.reason = reason
  }
}

/// A folder that stays in the app bundle, and why.
package struct KeptFolder: Sendable {
  /// The path below the root.
  package let path: String
  package let fileCount: Int
  /// Bytes.
  package let size: Int64
  package let reason: String
}
