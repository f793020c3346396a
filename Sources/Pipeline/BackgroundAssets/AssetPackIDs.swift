import Model
package import Formats
import System

/// The ids of a plan's packs: those of an id map, and new ones for packs that the map does not name.
package struct AssetPackIDs: Sendable {
  private var ids: [String: String] = [:]
  /// Every id that the map has given, and the new ones, by sorted tags with "+" between.
  package private(set) var map: [String: String]
  /// Whether packs have ids that the map does not name.
  package private(set) var hasNew = false
  /// Whether new ids are kept for later builds.
  private let hasMap: Bool
  /// Findings about ids that two packs would have.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Gives each pack its id; an id of the map is never given to other tags, even if it is no longer used.
  package init(of plan: PackPlan, map: [String: String]? = nil) {
    hasMap = map != nil
    self.map = map ?? [:]
    var given = Set(self.map.values.map { $0.lowercased() })
    var names: [String: AssetPack] = [:]
    // By tags, so that the ids do not depend on the app's identifier.
    for pack in plan.packs.sorted(by: { $0.tags.lexicographicallyPrecedes($1.tags) }) {
      let name = pack.tags.joined(separator: "+")
      if let other = names.updateValue(pack, forKey: name) {
        report("are \(quoted(name)) in an id map", first: other, second: pack, in: plan)
        continue
      }
      let id = self.map[name] ?? newID(of: pack, in: plan, given: &given)
      self.map[name] = id
      ids[pack.identity.identifier] = id
    }
    reportCollisions(in: plan)
  }

  /// The id of a pack; empty if it has none because of a finding.
  package func id(of pack: AssetPack) -> String { ids[pack.identity.identifier] ?? "" }

  private mutating func newID(of pack: AssetPack, in plan: PackPlan, given: inout Set<String>) -> String {
    hasNew = true
    let made = AssetPackID.made(of: pack.tags)
    var id = made
    // Without a map the next build would not know which of two packs had the plain id.
    if !hasMap { return id }
    var number = 2
    while !given.insert(id.lowercased()).inserted {
      id = "\(made)-\(number)"
      number += 1
    }
    return id
  }

  /// Reports packs with one id; letters' case does not count, since ids are names of folders.
  private mutating func reportCollisions(in plan: PackPlan) {
    var first: [String: AssetPack] = [:]
    for pack in plan.packs {
      let id = id(of: pack)
      guard !id.isEmpty, let other = first.updateValue(pack, forKey: id.lowercased()) else { continue }
      report("have the id \(quoted(id))", first: other, second: pack, in: plan)
    }
  }

  private mutating func report(_ what: String, first: AssetPack, second: AssetPack, in plan: PackPlan) {
    let message =
      "the packs of \(setNotation(first.tags)) and \(setNotation(second.tags)) both \(what); change a tag, or name their "
      + "ids in the file of \"--id-map\""
    diagnostics.append(
      Diagnostic(.identifierCollision, message: message, at: plan.place(ofTags: first.tags + second.tags)))
  }
}

/// The id of a Background Assets pack: letters, digits and hyphens of ASCII.
package enum AssetPackID {
  /// The largest length that is taken; an id is a file's and a folder's name.
  package static let maxSize = 200
  private static let maxTagCharacters = 40

  /// The id of the pack with these sorted tags: the tags, and the beginning of their digest.
  package static func made(of tags: [String]) -> String {
    var text = ""
    for character in tags.joined(separator: "-") {
      if isPlain(character) {
        text.append(character)
      } else if !text.isEmpty && text.last != "-" {
        text.append("-")
      }
    }
    if text.last == "-" { text.removeLast() }
    if text.isEmpty { text = "pack" }
    return "\(text.prefix(maxTagCharacters))-\(MD5.hex(of: tags.joined(separator: ":")).prefix(8))"
  }

  /// The mistake in an id, for the end of a message; nil if who hosts the pack takes it.
  package static func mistake(in id: String, host: AssetPackHost = .apple) -> String? {
    if id.isEmpty { return "is empty" }
    if host == .ownServer { return isName(id) ? nil : "is no name of a file" }
    if id.utf8.count > maxSize { return "is longer than \(maxSize) characters" }
    if id.hasPrefix("-") || id.hasSuffix("-") {
      return "begins or ends with a hyphen, which App Store Connect refuses"
    }
    if id.allSatisfy({ isPlain($0) || $0 == "-" }) { return nil }
    return "has other characters than letters, digits and hyphens, which App Store Connect refuses"
  }

  /// Whether an id can be the name of a folder, as those of self-hosted packs with dots in them.
  package static func isName(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= maxSize && id.first != "."
      && id.allSatisfy { isPlain($0) || "-._".contains($0) }
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}

extension PackPlan {
  /// The plan with every file below a folder that is named by its pack's id.
  package func prefixed(by ids: AssetPackIDs) -> PackPlan {
    var folders = Array(repeating: "", count: tree.tagSets.count)
    for pack in packs {
      guard let first = pack.files.first else { continue }
      folders[Int(tree.files[first].tagSet)] = ids.id(of: pack)
    }
    var tree = tree
    tree.files = FileList(
      self.tree.files.lazy.map { file in
        var file = file
        file.destination = "\(folders[Int(file.tagSet)])/\(file.packPath)"
        return file
      })
    return PackPlan(grouping: tree, of: manifest)
  }
}

/// The server that packs for Background Assets are downloaded from.
package enum AssetPackHost: Sendable {
  case apple
  /// A server of the developer's own, on which packs can have any names.
  case ownServer
}
