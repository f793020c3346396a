package import Formats
import Model
package import Pipeline
package import System

/// The contents of `tags.json`, read from a folder that was built for Background Assets, with the offset of
/// each part.
package struct PublishedTags {
  /// A pack as `tags.json` describes it.
  package struct Pack {
    package let id: String
    package let tags: [String]
    /// The size of the files in bytes.
    package let size: Int64
    package let digest: Digest?
    let offset: Int
  }

  let text: SourceText
  /// The packs, sorted by id.
  package private(set) var packs: [Pack] = []
  /// A tag with its packs.
  struct Tag: Sendable {
    let tag: String
    /// The ids of the tag's packs.
    let ids: [String]
    let offset: Int
  }

  private(set) var tags: [Tag] = []
  /// The limits that the manifest changes from the values of its profile.
  private(set) var ownLimits: LimitSettings.Overrides = [:]
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  /// The maximum number of packs that packtool reads from the file.
  package static let maxPacks = 10_000

  /// Reads the file.
  ///
  /// If you host the packs on your own server, a pack's identifier can be any file name.
  package init(_ text: SourceText, host: AssetPackHost) {
    self.text = text
    let (value, mistakes) = JSONReader.read(text)
    var checker = ShapeChecker(text: text, document: "the list of tags")
    if let value { checker.check(value, shape: Self.shape, key: "") }
    findings.add((mistakes + checker.findings.findings).map { $0.of(.damagedIndex) })
    guard findings.isEmpty, let value else { return }
    if value.member("formatVersion")?.wholeNumber != Int64(TagsFormat.version) {
      report(
        "the format version is not \(TagsFormat.version), the version that this packtool reads",
        at: value.offset)
    }
    let count = JSONMembers(parent: value.member("packs") ?? value).reduce(0) { count, _ in count + 1 }
    if count > Self.maxPacks {
      let most = grouped(Self.maxPacks)
      report("the file lists \(grouped(count)) packs; packtool reads at most \(most)", at: value.offset)
      return
    }
    read(value, host: host)
    checkTags()
  }

  private static let shape = Shape.object(
    ObjectShape(keys: [
      KeyShape("formatVersion", shape: .positiveNumber, isRequired: true),
      KeyShape("tags", shape: .table(of: .list(of: .text(.anything), atLeast: 1)), isRequired: true),
      KeyShape("packs", shape: .table(of: .object(packShape)), isRequired: true),
      // Only builds whose manifest changes limits have this key.
      KeyShape("ownLimits", shape: .table(of: .either(.wholeNumber, or: .null))),
    ]))
  private static let packShape = ObjectShape(keys: [
    KeyShape(
      "tags", shape: .list(of: .text(.tag), atLeast: 1, atMost: ResourceRule.maxTags), isRequired: true),
    KeyShape("size", shape: .wholeNumber, isRequired: true),
    KeyShape("digest", shape: .text(.anything), isRequired: true),
  ])

  private mutating func read(_ value: JSONValue, host: AssetPackHost) {
    for member in JSONMembers(parent: value.member("packs") ?? value) {
      let digest = member.value.member("digest")?.digest
      if digest == nil {
        report("the digest of \(quoted(member.key)) is not a SHA-256", at: member.value.offset)
      }
      if !AssetPackID.isName(member.key) {
        report("the id \(quoted(member.key)) cannot be the name of a folder", at: member.keyOffset)
        continue
      }
      if let mistake = AssetPackID.mistake(in: member.key, host: host) {
        findings.add(
          Diagnostic(
            .invalidPackID, message: "the id \(quoted(member.key)) \(mistake)",
            at: text.place(at: member.keyOffset)))
      }
      packs.append(
        Pack(
          id: member.key, tags: (member.value.member("tags")?.elements?.compactMap(\.string) ?? []).sorted(),
          size: member.value.member("size")?.wholeNumber ?? 0, digest: digest, offset: member.keyOffset))
    }
    packs.sort { $0.id.precedesInBytes($1.id) }
    if let limits = value.member("ownLimits") { ownLimits = IndexFormat.ownLimits(of: limits) ?? [:] }
    for member in JSONMembers(parent: value.member("tags") ?? value) {
      let ids = member.value.elements?.compactMap(\.string) ?? []
      tags.append(Tag(tag: member.key, ids: ids, offset: member.keyOffset))
    }
  }

  /// Checks that the file's list of tags agrees with its list of packs.
  private mutating func checkTags() {
    var ids: [String: Set<String>] = [:]
    for pack in packs { for tag in pack.tags { ids[tag, default: []].insert(pack.id) } }
    for tag in tags where Set(tag.ids) != ids[tag.tag] ?? [] {
      report("the tag \(quoted(tag.tag)) names other packs than those that carry it", at: tag.offset)
    }
    let known = Set(tags.map(\.tag))
    for tag in ids.keys.filter({ !known.contains($0) }).sorted() {
      report("the tag \(quoted(tag)) of a pack is not listed", at: 0)
    }
    var sets: [[String]: String] = [:]
    for pack in packs {
      guard let other = sets.updateValue(pack.id, forKey: pack.tags) else { continue }
      report("the packs \(quoted(other)) and \(quoted(pack.id)) have the same tags", at: pack.offset)
    }
  }

  private mutating func report(_ message: String, at offset: Int) {
    findings.add(Diagnostic(.damagedIndex, message: message, at: text.place(at: offset)))
  }
}
