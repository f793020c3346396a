import Findings
import Formats

/// Tag templates, which depend on the glob beside them.
extension ManifestReader {
  /// Reports templates that their rule's glob cannot fill, and takes them out of the manifest.
  mutating func checkTemplates(of manifest: inout Manifest) {
    if !manifest.hasTemplates { return }
    for number in manifest.rules.indices where !manifest.rules[number].templates.isEmpty {
      guard let mistake = mistake(in: manifest.rules[number]) else { continue }
      findings.add(
        Diagnostic(mistake.check, mistake.message, at: manifest.text.place(at: mistake.offset)))
      manifest.rules[number].templates = []
    }
  }

  private func mistake(in rule: ResourceRule) -> (check: Check, message: String, offset: Int)? {
    guard case .glob = rule.pattern else {
      return (
        .invalidValue, "\"tagTemplates\" needs a \"glob\", whose wildcards it names; a \"path\" has none",
        rule.templates[0].text.offset
      )
    }
    guard let fewest = rule.captures?.fewest else {
      let most =
        "\(grouped(GlobCaptures.longestGlob)) bytes and stands for at most \(grouped(GlobCaptures.mostBranches)) patterns"
      return (
        .invalidPath,
        "a glob with \"tagTemplates\" has at most \(most); make several rules of \(quoted(rule.text.value))",
        rule.text.offset
      )
    }
    guard let template = rule.templates.first(where: { $0.highest > fewest.wildcards }) else { return nil }
    let braces = fewest.pattern == rule.text.value ? "" : ", for which its braces stand,"
    return (
      .invalidValue,
      "\(quoted(template.text.value)) names wildcard \(template.highest), but \(quoted(fewest.pattern))\(braces) has "
        + (fewest.wildcards == 0 ? "none" : "only \(grouped(fewest.wildcards))"), template.text.offset
    )
  }
}
