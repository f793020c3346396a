import Formats
import Model
import System

/// The tags inside an asset catalog.
///
/// They are read from the `Contents.json` of each of its folders. A folder with tags is packed as a whole,
/// including its `Contents.json`. This file specifies, for example, the scale of each image. Files directly
/// in the catalog's own folder do not belong to any item, so they are not packed.
struct AssetCatalog {
  /// A folder that gets tags.
  struct TaggedFolder {
    /// The path relative to the catalog.
    let components: [String]
    let tags: [String]
  }

  /// A folder of the catalog.
  ///
  /// The first element of `members` is the catalog itself.
  private struct Member {
    let components: [String]
    /// The index of the folder's parent folder; nil for the catalog itself.
    let parent: Int?
    /// The tags in the folder's `Contents.json`.
    var tags: [String] = []
    /// Whether a file is directly in the folder.
    var hasFiles = false
    /// Whether the folder or a folder in it has tags.
    var isTagged = false
    /// Whether the folder or a folder in it contains a file.
    var isFilled = false
  }

  /// The folders; each folder comes after its parent folder.
  private var members: [Member] = []
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  /// The paths of all `Contents.json` files that were read, relative to the catalog.
  private(set) var descriptions: [[String]] = []

  /// Reads all folders of a catalog.
  ///
  /// Symlinks are not followed.
  init(at path: String) throws(SystemError) {
    let root = try Folder(path)
    var waiting = [(member: Member(components: [], parent: nil), identity: try root.status().identity)]
    while let next = waiting.popLast() {
      let identity = next.identity
      var member = next.member
      let below = member.components.joined(separator: "/")
      let listing = try unless {
        $0.isMissing || $0.isDenied
      } call: { () throws(SystemError) in
        try root.listing(of: Array(below.utf8), expecting: identity)
      }
      guard let listing = listing ?? nil else {
        let folder = joined(path, below)
        report("\(quoted(folder)) cannot be read; packtool ignores the tags in it", at: Place(folder))
        continue
      }
      let entries = listing.entries.filter { !isNeverPacked(listing.name(of: $0)) }
      member.hasFiles = entries.contains { $0.status.kind != .folder }
      let names = entries.compactMap { entry in
        String(validating: listing.name(of: entry), as: UTF8.self).map { (name: $0, status: entry.status) }
      }
      if let file = names.first(where: { $0.name == CatalogContents.fileName && $0.status.kind == .file }) {
        member.tags = try tagsOfFolder(member.components, identity: file.status.identity, in: root)
        descriptions.append(member.components + [CatalogContents.fileName])
      }
      for folder in names.reversed() where folder.status.kind == .folder {
        waiting.append(
          (
            Member(components: member.components + [folder.name], parent: members.count),
            folder.status.identity
          ))
      }
      members.append(member)
    }
    summarize()
  }

  /// Updates each folder's properties with the properties of its subfolders.
  private mutating func summarize() {
    for number in members.indices.reversed() {
      if !members[number].tags.isEmpty { members[number].isTagged = true }
      if members[number].hasFiles { members[number].isFilled = true }
      guard let parent = members[number].parent else { continue }
      if members[number].isTagged { members[parent].isTagged = true }
      if members[number].isFilled { members[parent].isFilled = true }
    }
  }

  /// The folders with a tag that their parent folder does not have.
  ///
  /// Tags in the catalog's own `Contents.json` apply to all folders directly in the catalog.
  var taggedFolders: [TaggedFolder] {
    var known: [Set<String>] = []
    var found: [TaggedFolder] = []
    for member in members {
      guard let parent = member.parent else {
        known.append(Set(member.tags))
        continue
      }
      known.append(known[parent].union(member.tags))
      let isTop = members[parent].parent == nil
      let inherited = isTop ? [] : known[parent]
      if known.last == inherited || !member.isFilled { continue }
      let tags = (isTop ? members[parent].tags : []) + member.tags
      var seen: Set<String> = []
      found.append(
        TaggedFolder(components: member.components, tags: tags.filter { seen.insert($0).inserted }))
    }
    return found
  }

  /// The topmost folders that have no tags and contain no subfolders with tags.
  ///
  /// These folders get the tags that the project assigns to the whole catalog.
  var untaggedFolders: [[String]] {
    guard let top = members.first, top.tags.isEmpty, top.isFilled else { return [] }
    // If no file is directly in the catalog's own folder, one rule for the whole catalog has the same effect
    // as a rule for each folder.
    if !top.isTagged && !top.hasFiles { return [[]] }
    /// Whether a folder is the catalog itself, or a folder that has no tags but contains a folder with tags.
    var isOpen: [Bool] = []
    var found: [[String]] = []
    for member in members {
      guard let parent = member.parent else {
        isOpen.append(true)
        continue
      }
      isOpen.append(isOpen[parent] && member.isTagged && member.tags.isEmpty)
      if isOpen[parent] && !member.isTagged && member.isFilled { found.append(member.components) }
    }
    return found
  }

  private mutating func tagsOfFolder(
    _ components: [String], identity: FileIdentity, in root: Folder
  ) throws(SystemError) -> [String] {
    let name = (components + [CatalogContents.fileName]).joined(separator: "/")
    let path = joined(root.path, name)
    let bytes = try unless {
      $0.isMissing || $0.isDenied
    } call: { () throws(SystemError) -> [UInt8]? in
      let file = try root.openFile(Array(name.utf8))
      return try file.status().identity == identity ? file.contents(limit: CatalogContents.maxSize) : nil
    }
    guard let bytes = bytes ?? nil else {
      report(
        "\(quoted(path)) cannot be read, or is too long; packtool ignores the tags in it", at: Place(path))
      return []
    }
    var reader = CatalogTagReader(SourceText(path: path, bytes: bytes, hasFixedName: true))
    let (tags, mistake) = reader.read()
    if let mistake {
      report("\(mistake.message); packtool ignores the tags of \(quoted(name))", at: mistake.place)
    }
    findings.add(reader.findings)
    return tags
  }

  private mutating func report(_ message: String, at place: Place) {
    findings.add(Diagnostic(.damagedProject, message: message, at: place, severity: .warning))
  }

  /// Returns the relative paths of all catalogs below a folder, at any depth.
  ///
  /// Folders for which `isClosed` returns true are not searched.
  static func catalogs(
    below path: String, exceptIn isClosed: (String) -> Bool
  ) throws(SystemError) -> [[String]] {
    var found: [[String]] = []
    var walk = FolderWalk(try Folder(path))
    while let entry = try walk.nextReadable() {
      guard entry.status.kind == .folder else { continue }
      let name = entry.path.split(separator: UInt8(ascii: "/")).last ?? []
      guard !isNeverPacked(name), let path = String(validating: entry.path, as: UTF8.self), !isClosed(path)
      else {
        walk.skipContents()
        continue
      }
      guard isCatalog(lastName(of: path)) else { continue }
      found.append(names(in: path))
      walk.skipContents()
    }
    return found.sorted { $0.joined(separator: "/").precedesInBytes($1.joined(separator: "/")) }
  }
}

/// Reads the tags in the `Contents.json` of a catalog's folder, and reports tags that Xcode ignores.
struct CatalogTagReader {
  private let text: SourceText
  private(set) var findings = FindingList()

  private static let key = "on-demand-resource-tags"
  /// The objects in which Xcode looks for tags.
  ///
  /// Older catalogs have the tags in the object "info", which describes the program that wrote the file.
  private static let owners = ["properties", "info"]

  init(_ text: SourceText) { self.text = text }

  /// Reads the tags.
  ///
  /// If the text is not valid JSON, `mistake` is the first mistake in it.
  mutating func read() -> (tags: [String], mistake: Diagnostic?) {
    let (value, mistakes) = JSONReader.read(text)
    guard let value, mistakes.isEmpty else { return ([], mistakes.first) }
    for member in JSONMembers(parent: value) where isLikelyTagKey(member.key) {
      let place = member.key == Self.key ? "" : " and unknown"
      report(
        member,
        message:
          "the key \(quoted(member.key)) is at the top of the file\(place), but tags must be in "
          + "\"properties\", under "
          + quoted(Self.key))
    }
    var tags: [String] = []
    for owner in Self.owners {
      guard let object = value.member(owner) else { continue }
      for member in JSONMembers(parent: object) {
        if member.key == Self.key {
          tags += readTags(member)
        } else if isLikelyTagKey(member.key) {
          report(
            member,
            message:
              "the key \(quoted(member.key)) is unknown; tags must be under \(quoted(Self.key))")
        }
      }
    }
    return (tags, nil)
  }

  private mutating func readTags(_ member: JSONMember) -> [String] {
    guard let elements = member.value.elements else {
      report(
        "the tags must be a list such as [\"Level 1\"], not \(member.value.typeName)", at: member.value.offset
      )
      return []
    }
    return elements.compactMap { element in
      if let tag = element.string { return tag }
      report("a tag must be a string such as \"Level 1\", not \(element.typeName)", at: element.offset)
      return nil
    }
  }

  /// Whether a key is probably a misspelled key for tags.
  private func isLikelyTagKey(_ key: String) -> Bool {
    if key.utf8.count > 2 * Self.key.utf8.count { return false }
    let letters = key.lowercased().filter(\.isLetter)
    return letters.hasPrefix("ondemand") || nearest(to: key, in: [Self.key]) != nil
  }

  /// Reports a key whose tags Xcode ignores, unless its list is empty.
  private mutating func report(_ member: JSONMember, message: String) {
    if let elements = member.value.elements, !elements.contains(where: { _ in true }) { return }
    report(message, at: member.keyOffset)
  }

  private mutating func report(_ message: String, at offset: Int) {
    findings.add(
      Diagnostic(
        .unknownTrait,
        message:
          "\(message); Xcode ignores the tags here", at: text.place(at: offset)))
  }
}
