import Formats
package import Model
import System

extension Manifest {
  /// The manifest's rules, simplified with tag templates.
  ///
  /// Several rules become one rule with a tag template if they differ only in one name that is also part of
  /// their tags.
  ///
  /// `Levels/1` with the tag "Level 1", `Levels/2` with "Level 2" and so on become `Levels/*/**` with "Level
  /// $1". The new rule is at the position of the first rule. The files on the disk are checked, because the
  /// new rule must not match a file that no rule matched before.
  package var foldedRules: [ResourceRule] {
    guard let root = try? Folder(rootPath) else { return rules }
    var folded: [ResourceRule?] = rules
    var groups: [FoldedGroup.Key: [FoldedGroup.Member]] = [:]
    for (number, rule) in rules.enumerated() {
      guard let (key, name) = FoldedGroup.place(of: rule, in: root) else { continue }
      groups[key, default: []].append(
        FoldedGroup.Member(number: number, name: name, tags: rule.tags.map(\.value)))
    }
    for (key, members) in groups where members.count >= severalRules {
      for group in FoldedGroup.candidates(key, members: members) where group.members.count >= severalRules {
        guard let rule = group.rule(in: root) else { continue }
        for member in group.members { folded[member.number] = nil }
        folded[group.members[0].number] = rule
        break
      }
    }
    return folded.compactMap { $0 }
  }
}

/// The minimum number of rules that are replaced with one rule.
///
/// From this number on, a rule with a template is easier to read.
private let severalRules = 3

/// Rules for files or folders in the same folder that can perhaps become one rule with a template.
struct FoldedGroup {
  /// The properties that all rules of a group have in common.
  struct Key: Hashable {
    let parent: [String]
    let kind: Kind
    /// The folder of the files inside their packs; nil if it is the same as the folder on the disk.
    let place: String?
    let tagCount: Int
  }

  /// The files that the rules match.
  enum Kind: String {
    /// The rule matches one file.
    case file = ""
    /// The rule matches the files directly in a folder.
    case within = "/*"
    /// The rule matches all files below a folder.
    case below = "/**"
  }

  /// One of the rules of the group.
  struct Member {
    /// The index of the rule in the manifest.
    let number: Int
    /// The name that distinguishes the rule from the other rules of the group.
    let name: String
    let tags: [String]
  }

  let members: [Member]
  let key: Key
  /// A glob that matches the names, and the reference, such as `$1`, that stands for their varying part in
  /// the template.
  let pattern: (glob: String, wildcard: String)
  /// The varying part of each name.
  let parts: [String]

  /// Returns the properties that a rule can have in common with other rules of a group, and the name that
  /// distinguishes the rule.
  ///
  /// The result is nil if a rule with a template cannot replace the rule.
  static func place(of rule: ResourceRule, in root: Folder) -> (Key, name: String)? {
    guard rule.traits == .none, rule.templates.isEmpty, rule.appliesToAllMatches else { return nil }
    var components: [String]
    var kind = Kind.within
    switch rule.pattern {
    case .path(let path):
      components = path.components
      guard let status = try? root.status(of: Array(path.text.utf8), symlinks: .followed) else { return nil }
      kind = status.kind == .folder ? .below : .file
    case .glob(let glob):
      components = glob.text.split(separator: "/").map(String.init)
      guard components.popLast() == "*" else { return nil }
    }
    guard let name = components.popLast(), (components + [name]).allSatisfy(Glob.isPlain) else { return nil }
    var place = rule.destination?.path.components
    // If a rule has a glob, matching files keep their own names in the destination folder.
    if place != nil, kind == .within || place?.popLast() != name { return nil }
    let key = Key(
      parent: components, kind: kind, place: place.map { $0.isEmpty ? "." : $0.joined(separator: "/") },
      tagCount: rule.tags.count)
    return (key, name)
  }

  /// Returns the groups of rules for which a template is tried.
  ///
  /// The names of a group differ in one part or in their last word, or they are numbers. A group of numbers
  /// leaves out names such as "Shared".
  static func candidates(_ key: Key, members: [Member]) -> [FoldedGroup] {
    let names = members.map { Array($0.name.unicodeScalars) }
    var ends = (front: commonPrefix(of: names), back: commonPrefix(of: names.map { $0.reversed() }))
    if let shortest = names.map(\.count).min(), ends.front + ends.back >= shortest { ends = (0, 0) }
    let (front, back) = (string(names[0].prefix(ends.front)), string(names[0].suffix(ends.back)))
    let parts = names.map { string($0.dropFirst(ends.front).dropLast(ends.back)) }
    var groups = [FoldedGroup(members: members, key: key, pattern: ("\(front)*\(back)", "$1"), parts: parts)]
    let words = names.compactMap(lastWord)
    if let first = words.first, words.count == names.count, words.allSatisfy({ $0.ends == first.ends }) {
      let glob = "*\(first.ends.front)*\(first.ends.back)"
      groups.append(FoldedGroup(members: members, key: key, pattern: (glob, "$2"), parts: words.map(\.word)))
    }
    let numbered = members.filter { $0.name.unicodeScalars.first.map(isDigit) ?? false }
    if numbered.count < members.count {
      groups.append(
        FoldedGroup(members: numbered, key: key, pattern: ("[0-9]*", "$1$2"), parts: numbered.map(\.name)))
    }
    return groups
  }

  /// Returns the number of characters that are equal at the beginning of all names.
  ///
  /// An incomplete word or number at the end is not counted.
  private static func commonPrefix(of names: [[Unicode.Scalar]]) -> Int {
    var count = names.map { zip($0, names[0]).prefix { $0 == $1 }.count }.min() ?? 0
    while count > 0, names.contains(where: { $0.count > count && isOneWord($0[count - 1], $0[count]) }) {
      count -= 1
    }
    return count
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isOneWord(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    isDigit(first) ? isDigit(second) : first.properties.isAlphabetic && second.properties.isAlphabetic
  }

  /// Returns the rule that replaces the group.
  ///
  /// Returns nil if no template can make the tags from the names, or if the rule would match other files.
  func rule(in root: Folder) -> ResourceRule? {
    guard let first = members.first else { return nil }
    let common = members.reduce(Set(first.tags)) { $0.intersection($1.tags) }
    let own = members.map { $0.tags.filter { !common.contains($0) } }
    guard own.allSatisfy({ $0.count == 1 }), let template = template(for: own.map { $0[0] }) else {
      return nil
    }
    let text = (key.parent + [pattern.glob]).joined(separator: "/") + key.kind.rawValue
    let constant = first.tags.filter(common.contains).map { Located($0, at: 0) }
    guard let glob = try? Glob(text),
      var rule = ResourceRule(
        glob: glob, text: Located(text, at: 0), tags: constant, templates: [Located(template, at: 0)])
    else { return nil }
    rule.destination = key.place.flatMap { place in
      (try? RelativePath(place)).map { ResourceRule.Destination(path: $0, isFolder: $0.isRoot) }
    }
    let expected = Dictionary(zip(members.map(\.name), own)) { first, _ in first }
    return gives(rule, expected: expected, in: root) ? rule : nil
  }

  /// Returns the template that makes these tags from the names; nil if no template can make them.
  private func template(for tags: [String]) -> String? {
    for place in tags[0].ranges(of: parts[0]) {
      let (front, back) = (tags[0][..<place.lowerBound], tags[0][place.upperBound...])
      let fits = zip(tags, parts).allSatisfy { $0 == front + $1 + back }
      // A digit after the wildcard would be read as part of the wildcard's number.
      if fits, !(back.unicodeScalars.first.map(Self.isDigit) ?? false) {
        return TagTemplate.literal(String(front)) + pattern.wildcard + TagTemplate.literal(String(back))
      }
    }
    return nil
  }

  /// Whether a rule assigns exactly the expected tags to entries of the folder, and assigns no tags to other
  /// entries.
  private func gives(_ rule: ResourceRule, expected: [String: [String]], in root: Folder) -> Bool {
    guard let listing = try? root.listing(of: Array(key.parent.joined(separator: "/").utf8)) else {
      return false
    }
    if key.kind == .file {
      // A manifest might be written to this folder, and the glob of a rule must not match it.
      let manifests = [Manifest.fileName, Manifest.fileNameWithComments].filter { expected[$0] == nil }
      let paths = manifests.map { (key.parent + [$0]).joined(separator: "/") }
      guard paths.allSatisfy({ rule.generatedTags(for: $0).isEmpty }) else { return false }
    }
    var seen = 0
    for entry in listing.entries where !isNeverPacked(listing.name(of: entry)) {
      guard let name = String(validating: listing.name(of: entry), as: UTF8.self) else { return false }
      let path = (key.parent + [name]).joined(separator: "/") + (key.kind == .file ? "" : "/file")
      if let tags = expected[name] {
        guard rule.generatedTags(for: path) == tags else { return false }
        seen += 1
      } else {
        let isOther = key.kind == .file ? entry.status.kind == .folder : entry.status.kind == .file
        guard isOther || rule.generatedTags(for: path).isEmpty else { return false }
      }
    }
    return seen == members.count
  }
}

/// Returns the last word of a name.
///
/// `ends` contains the characters before the word, including the separator, and the suffix after the word.
private func lastWord(of name: [Unicode.Scalar]) -> (word: String, ends: (front: String, back: String))? {
  let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
  guard let mark = stem.lastIndex(where: { "_- ".unicodeScalars.contains($0) }), mark > 0,
    mark + 1 < stem.endIndex
  else { return nil }
  return (string(stem[(mark + 1)...]), (string(stem[mark...mark]), string(name[stem.endIndex...])))
}

/// A short list of rules for the tagged files of a project.
///
/// If all files of a folder have the same tags, the folder gets one rule.
struct RuleFolding {
  /// The folder that all paths are relative to.
  ///
  /// This value is the folder's path, relative to the folder that contains all files.
  let root: [String]
  let rules: [ResourceRule]

  private typealias Resource = FoundResources.Resource

  init(of resources: [FoundResources.Resource], in folder: Folder) {
    let drafts = Self.folded(resources, in: folder)
    var root = commonPrefix(of: drafts.map { $0.kind == .entries ? $0.components : $0.components.dropLast() })
    // If all files of a folder are missing, the folder itself can also be missing.
    while !root.isEmpty, !Self.isThere(root, in: folder) { root.removeLast() }
    // The entries of a catalog are variants only if the catalog's own folder is below the root.
    if let catalog = root.firstIndex(where: { isCatalog($0) }) { root.removeSubrange(catalog...) }
    self.root = root
    rules = drafts.compactMap { Self.rule(for: $0, rootDepth: root.count) }
  }

  /// Combines resources that are files of the same folder into one resource, if the folder has no other
  /// files.
  private static func folded(_ resources: [Resource], in folder: Folder) -> [Resource] {
    let files = Dictionary(grouping: resources.filter { $0.kind == .file }) { file in
      file.components.dropLast().map { ByteKey($0) }
    }
    let folded = files.values.flatMap { members in whole(members, in: folder).map { [$0] } ?? members }
    return (resources.filter { $0.kind != .file } + folded).sorted { $0.path.precedesInBytes($1.path) }
  }

  /// Returns one resource for all files of a folder; nil if the tags of the files differ, or if the folder
  /// has other files.
  private static func whole(_ members: [Resource], in folder: Folder) -> Resource? {
    guard members.count > 1, let first = members.first else { return nil }
    let parent = Array(first.components.dropLast())
    if parent.isEmpty { return nil }
    let tags = Set(first.tags.map(\.value))
    let place = first.destination.dropLast()
    guard members.allSatisfy({ Set($0.tags.map(\.value)) == tags && $0.destination.dropLast() == place }),
      let listing = try? folder.listing(of: Array(parent.joined(separator: "/").utf8))
    else { return nil }
    let entries = listing.entries.filter { !isNeverPacked(listing.name(of: $0)) }
    let names = Set(members.map { Array(($0.components.last ?? "").utf8) })
    let others = entries.filter { $0.status.kind != .folder && !names.contains(Array(listing.name(of: $0))) }
    if !others.isEmpty { return nil }
    let hasFolders = entries.contains { $0.status.kind == .folder }
    let isPlain = parent.allSatisfy(Glob.isPlain)
    // Localized files keep their own rules, because OnDemandResources.plist must list them individually. With
    // a rule for their folder, it would list only the folder.
    let isGlob = hasFolders || !place.isEmpty
    if isGlob && !isPlain { return nil }
    return Resource(
      components: parent, kind: isGlob ? .entries : .folder, tags: first.tags, destination: Array(place),
      offset: first.offset)
  }

  private static func isThere(_ components: [String], in folder: Folder) -> Bool {
    (try? folder.status(of: Array(components.joined(separator: "/").utf8), symlinks: .followed))?.kind
      == .folder
  }

  private static func rule(for resource: Resource, rootDepth: Int) -> ResourceRule? {
    let (components, isGlob) = (Array(resource.components.dropFirst(rootDepth)), resource.kind == .entries)
    let text = (components + (isGlob ? ["*"] : [])).joined(separator: "/")
    let pattern: ResourceRule.Pattern? =
      isGlob ? (try? Glob(text)).map { .glob($0) } : (try? RelativePath(text)).map { .path($0) }
    guard let pattern else { return nil }
    var rule = ResourceRule(
      pattern: pattern, text: Located(text, at: resource.offset), tags: resource.tags, destination: nil)
    // Names that differ in Unicode normalization are different names.
    if resource.destination.map({ ByteKey($0) }) != components.map({ ByteKey($0) }) {
      let place = resource.destination.isEmpty ? "." : resource.destination.joined(separator: "/")
      rule.destination = (try? RelativePath(place)).map {
        ResourceRule.Destination(path: $0, isFolder: resource.destination.isEmpty)
      }
    }
    return rule
  }
}
