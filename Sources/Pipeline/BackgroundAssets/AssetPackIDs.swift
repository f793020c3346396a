import Model
package import Formats
import System

/// The ids of a plan's packs.
///
/// Packs in the ID lockfile (`--id-map`) keep their ids; all other packs get new ids.
package struct AssetPackIDs: Sendable {
  private var ids: [String: String] = [:]
  /// All ids of the ID lockfile and all new ids.
  ///
  /// The key is the pack's sorted tags, joined with "+".
  package private(set) var map: [String: String]
  /// Whether some packs have ids that are not in the ID lockfile.
  package private(set) var hasNew = false
  /// Whether the user specified an ID lockfile.
  ///
  /// If the user specified one, later builds find the new ids in the lockfile.
  private let hasMap: Bool
  /// Findings about packs that would have the same id.
  package private(set) var diagnostics: [Diagnostic] = []

  /// Assigns an id to each pack.
  ///
  /// An id in the lockfile is never assigned to other tags, even if no current pack uses the id.
  package init(of plan: PackPlan, map: [String: String]? = nil) {
    hasMap = map != nil
    self.map = map ?? [:]
    var given = Set(self.map.values.map { $0.lowercased() })
    var names: [String: AssetPack] = [:]
    // The packs are sorted by tags, because then the ids do not depend on the app's bundle identifier.
    for pack in plan.packs.sorted(by: { $0.tags.lexicographicallyPrecedes($1.tags) }) {
      let name = pack.tags.joined(separator: "+")
      if let other = names.updateValue(pack, forKey: name) {
        report("have the name \(quoted(name)) in an ID lockfile", first: other, second: pack, in: plan)
        continue
      }
      let id = self.map[name] ?? newID(of: pack, in: plan, given: &given)
      self.map[name] = id
      ids[pack.identity.identifier] = id
    }
    reportCollisions(in: plan)
  }

  /// Returns the id of a pack; empty if no id was assigned because of a finding.
  package func id(of pack: AssetPack) -> String { ids[pack.identity.identifier] ?? "" }

  private mutating func newID(of pack: AssetPack, in plan: PackPlan, given: inout Set<String>) -> String {
    hasNew = true
    let made = AssetPackID.made(of: pack.tags)
    var id = made
    // Without a lockfile, the next build would not know which of the two packs had the id without a number at
    // its end.
    if !hasMap { return id }
    var number = 2
    while !given.insert(id.lowercased()).inserted {
      id = "\(made)-\(number)"
      number += 1
    }
    return id
  }

  /// Reports packs that have the same id, ignoring case.
  ///
  /// Ids are names of folders, and many file systems ignore case.
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
      "the packs of \(setNotation(first.tags)) and \(setNotation(second.tags)) both \(what); change a tag, "
      + "or assign other ids in the file of \"--id-map\""
    diagnostics.append(
      Diagnostic(.identifierCollision, message: message, at: plan.place(ofTags: first.tags + second.tags)))
  }
}

/// The id of a Background Assets pack, which consists of ASCII letters, digits and hyphens.
package enum AssetPackID {
  /// The maximum length of an id.
  ///
  /// There is a maximum because the id is used as the name of a file and of a folder.
  package static let maxSize = 200
  private static let maxTagCharacters = 40

  /// Returns an id for the pack with these sorted tags: the tags, followed by the first digits of their MD5.
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

  /// Describes the mistake in an id.
  ///
  /// The result is worded as the end of a message; nil if the pack's host accepts the id.
  package static func mistake(in id: String, host: AssetPackHost = .apple) -> String? {
    if id.isEmpty { return "is empty" }
    if host == .ownServer { return isName(id) ? nil : "cannot be the name of a file" }
    if id.utf8.count > maxSize { return "is longer than \(maxSize) characters" }
    if id.hasPrefix("-") || id.hasSuffix("-") {
      return "begins or ends with a hyphen; App Store Connect refuses such ids"
    }
    if id.allSatisfy({ isPlain($0) || $0 == "-" }) { return nil }
    return "contains characters that App Store Connect refuses; use only letters, digits and hyphens"
  }

  /// Whether an id can be the name of a folder.
  ///
  /// Ids of packs on the developer's own server can also contain dots.
  package static func isName(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= maxSize && id.first != "."
      && id.allSatisfy { isPlain($0) || "-._".contains($0) }
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}

extension PackPlan {
  /// Returns the plan in which the files of each pack are in a folder whose name is the pack's id.
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

/// The server from which devices download Background Assets packs.
package enum AssetPackHost: Sendable {
  case apple
  /// The developer's own server.
  ///
  /// Its packs can have any names.
  case ownServer
}
