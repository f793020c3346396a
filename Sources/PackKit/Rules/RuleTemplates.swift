package import Formats

/// The rules that have tag templates, compiled.
struct RuleTemplates: Sendable {
  /// The tag that a template makes for one file.
  struct Filled {
    let tag: String
    let template: TagTemplate
  }

  private let captures: [RuleIndex.RuleID: GlobCaptures]
  private let rules: [ResourceRule]

  init(_ rules: [ResourceRule]) {
    self.rules = rules
    var captures: [RuleIndex.RuleID: GlobCaptures] = [:]
    for (number, rule) in rules.enumerated() where !rule.templates.isEmpty {
      captures[RuleIndex.RuleID(number)] = rule.captures
    }
    self.captures = captures
  }

  var isEmpty: Bool { captures.isEmpty }

  /// The tags that a rule's templates make for a file that it matches; nil if it has none.
  func tags(of rule: RuleIndex.RuleID, for path: String) -> [Filled]? {
    captures[rule].map { rules[Int(rule)].tags(from: $0, for: path) }
  }
}

extension ResourceRule {
  /// A rule with a glob; nil if a template is none, or the glob cannot fill it.
  package init?(
    glob: Glob, text: Located<String>, tags: [Located<String>], templates: [Located<String>]
  ) {
    let made = templates.compactMap { try? TagTemplate($0) }
    self.init(pattern: .glob(glob), text: text, tags: tags, templates: made)
    let most = made.map(\.highest).max() ?? 0
    guard made.count == templates.count, most == 0 || captures.map({ $0.fewest.wildcards >= most }) ?? false
    else { return nil }
  }

  /// Its glob, compiled to find what wildcards match; nil for a path, and for a glob with templates that is too long.
  var captures: GlobCaptures? {
    if case .glob(let glob) = pattern { GlobCaptures(glob) } else { nil }
  }

  fileprivate func tags(from captures: GlobCaptures, for path: String) -> [RuleTemplates.Filled] {
    guard let found = captures.captures(in: path) else { return [] }
    return templates.map { RuleTemplates.Filled(tag: $0.tag(of: found), template: $0) }
  }

  /// The tags that its templates make for the path of a file, if it matches that.
  package func madeTags(for path: String) -> [String] {
    templates.isEmpty ? [] : captures.map { tags(from: $0, for: path).map(\.tag) } ?? []
  }
}
