import Findings
import Formats
import System

/// Tags and destinations by rules.
extension ScanWorker {
  mutating func tagSet(of rules: [RuleIndex.RuleID]) -> TagSets.ID? {
    rules.reduce(nil) { set, rule in union(set, scanner.tagSets.ofRules[Int(rule)]) }
  }

  mutating func union(_ first: TagSets.ID?, _ second: TagSets.ID) -> TagSets.ID {
    guard let first, first != second else { return second }
    let pair = Int64(first) << 32 | Int64(second)
    if let known = unions[pair] { return known }
    let union = scanner.tagSets.union(first, second)
    unions[pair] = union
    return union
  }

  /// Adds the tags that templates make; nil if one is no tag, which is reported, or there are too many.
  mutating func addMadeTags(to tags: TagSets.ID?, of item: Item, _ path: String) -> TagSets.ID? {
    var all = tags
    for rule in item.ownRules {
      guard let made = scanner.templates.tags(of: rule, for: path) else { continue }
      for tag in made {
        guard let mistake = TextForm.tag.mistake(in: tag.tag) else { continue }
        for rule in item.rules { findings.isUsed[Int(rule)] = true }
        let message =
          "the template \(quoted(tag.template.text.value)) makes no tag for \(quoted(path)): \(mistake.message)"
        let place = scanner.manifest.text.place(at: tag.template.text.offset)
        findings.found.add(Diagnostic(mistake.check, message, at: place))
        return nil
      }
      guard let set = madeSet(of: made, by: rule) else { return nil }
      all = union(all, set)
    }
    return all
  }

  private mutating func madeSet(
    of made: [RuleTemplates.Filled], by rule: RuleIndex.RuleID
  ) -> TagSets.ID? {
    let key = MadeSet(rule: rule, tags: made.map { ByteKey($0.tag) })
    if let known = madeSets[key] { return known }
    let set = scanner.tagSets.set(of: made, by: rule)
    madeSets[key] = set
    return set
  }

  /// The path inside the pack, if a rule sets another than the path below the root.
  mutating func destination(of path: String, _ item: Item) -> String? {
    let rules = scanner.manifest.rules
    guard item.rules.contains(where: { rules[Int($0)].destination != nil }) else { return nil }
    let places = item.rules.map { (rule: rules[Int($0)], place: rules[Int($0)].place(ofFile: path)) }
    if let other = places.first(where: { !$0.place.isSameInBytes(as: places[0].place) }) {
      let text = scanner.manifest.text
      findings.found.add(
        Diagnostic(
          .twoDestinations,
          "this rule sends \(quoted(path)) to \(quoted(other.place)), another to \(quoted(places[0].place))",
          at: text.place(at: other.rule.text.offset),
          notes: [.init("the other rule is here", at: text.place(at: places[0].rule.text.offset))]))
    }
    return places[0].place
  }

  /// The path as text; nil, with a finding, if no archive can contain it.
  mutating func checkedPath(of item: Item) -> String? {
    let (path, form) = withPath(of: item) { (text(of: $0), PathForm(of: $0)) }
    guard let path else {
      report(.invalidName, "the name \(quoted(bytes: item.path)) is not UTF-8", item)
      return nil
    }
    if form.hasControlCharacter {
      report(.invalidName, "the name \(quoted(path)) has a control character", item)
      return nil
    }
    if form.hasBackslash {
      report(
        .invalidName,
        "the name \(quoted(path)) has a backslash, which some readers of packs take for a slash", item)
      return nil
    }
    return isTooLong(path.utf8.count, item) ? nil : path
  }

  /// Whether a path of this size in bytes is too long for archives, which is reported.
  mutating func isTooLong(_ count: Int, _ item: Item) -> Bool {
    if count <= RelativePath.longest { return false }
    report(
      .invalidName,
      "a path is \(counted(count, "byte")) long; an archive holds at most \(grouped(RelativePath.longest))",
      item)
    return true
  }
}

private func text(of bytes: Span<UInt8>) -> String? {
  do {
    return String(copying: try UTF8Span(validating: bytes))
  } catch {
    return nil
  }
}

extension ResourceRule {
  /// The path inside the pack of a file that the rule matches.
  fileprivate func place(ofFile path: String) -> String {
    guard let destination else { return path }
    let depth =
      switch pattern {
      case .path(let path): path.components.count
      case .glob(let glob): glob.fixedDepth
      }
    // Split by scalars, since a slash followed by a combining mark is one Character, which differs from "/".
    let components = path.unicodeScalars.split(separator: "/").map(String.init)
    var below = components.dropFirst(depth)
    // The destination of a rule for a single file is its new path, or with a trailing slash its folder.
    if below.isEmpty && destination.isFolder { below = components.suffix(1) }
    return (destination.path.components + below).joined(separator: "/")
  }
}
