import Formats
import Model
import Pipeline
import System

/// A reason why the download of an update is large, with advice.
package struct Remark: Sendable {
  /// The kind of a remark; the raw value is its name in JSON.
  package enum Kind: String, Sendable {
    /// Few files of a pack are new or changed.
    ///
    /// If they get their own tag, devices do not have to download the other files again.
    case ownTag
    /// A pack is downloaded again because files were removed.
    case removedFiles
    /// Files moved between packs because their tag set changed.
    case moved
    /// Files were renamed without a change of content.
    case sameContent
    /// The delivery of a pack changed.
    case delivery
    /// Archives changed although their contents are the same.
    case repacked
    /// The app's identifier changed, and therefore the identifier of every pack changed.
    case bundleIdentifier
  }

  package let kind: Kind
  /// The message: lower case, names in quotes, exact numbers, without a full stop.
  package let message: String
  /// The tags of the pack that the remark is about.
  package private(set) var tags: [String] = []
  /// The files that the remark is about, by their paths inside the pack.
  package private(set) var files: [String] = []
  /// The name of the proposed tag.
  package private(set) var proposedTag: String?
  /// The number of bytes that the proposal saves, or would have saved.
  package private(set) var saving: Int64 = 0
}

extension Comparison {
  /// All remarks on an update.
  ///
  /// Proposals with the largest saving come first, and remarks without a proposal come last.
  package var remarks: [Remark] {
    let proposals = packs.compactMap { ownTag($0) ?? removedFiles($0) }
    let ordered = proposals.enumerated().sorted { ($1.1.saving, $0.0) < ($0.1.saving, $1.0) }.map(\.element)
    return bundleIdentifier + ordered + moved + sameContent + packs.compactMap(delivery) + repacked
  }

  /// A remark proposes a tag for a pack only if the pack is at least this many times as large as its new and
  /// changed files.
  private static let minRatio: Int64 = 4

  /// Proposes a tag for the few files of a pack that are new or changed.
  ///
  /// Returns nil if files left the pack, because devices must then download the whole pack again anyway.
  private func ownTag(_ pack: PackChange) -> Remark? {
    let paths = pack.files.compactMap { $0.new.map(new.path) }
    guard pack.status == .changed, !paths.isEmpty, paths.count == pack.files.count,
      pack.files.allSatisfy({ $0.otherPack == nil }), pack.fileBytes <= pack.size / Self.minRatio
    else { return nil }
    let tag = unusedTag(
      basedOn: combinedTag(pack.tags) + " update", notIn: Set(new.packs.lazy.flatMap(\.tags)))
    let changes = Set(pack.files.map(\.change))
    let what = changes.count == 2 ? "new and changed file" : changes == [.added] ? "new file" : "changed file"
    let costs =
      changes == [.added]
      ? ", and this update downloads \(ByteSize.exact(pack.fileBytes)) instead of "
        + "\(ByteSize.number(pack.size))"
      : "; this update still downloads \(ByteSize.exact(pack.size)), the next similar update "
        + "\(ByteSize.number(pack.fileBytes))"
    let message =
      "the pack of \(setNotation(pack.tags)) is downloaded again for \(counted(paths.count, of: what)), "
      + "\(listed(paths, atMost: 4)): add the tag \(quoted(tag)) to \(paths.count == 1 ? "it" : "them")\(costs)"
    return Remark(
      kind: .ownTag, message: message, tags: pack.tags, files: paths, proposedTag: tag,
      saving: pack.size - pack.fileBytes)
  }

  private func removedFiles(_ pack: PackChange) -> Remark? {
    guard pack.status == .changed, !pack.files.isEmpty, pack.download > 0,
      pack.files.allSatisfy({ $0.change == .removed && $0.otherPack == nil })
    else { return nil }
    let paths = pack.files.compactMap { $0.old.map(old.path) }
    let them = paths.count == 1 ? "it" : "them"
    let message =
      "the pack of \(setNotation(pack.tags)) is downloaded again, \(ByteSize.exact(pack.size)), only because "
      + "\(counted(paths.count, of: "file")) \(paths.count == 1 ? "was" : "were") removed, "
      + "\(listed(paths, atMost: 4)): keep \(them) until the pack changes anyway"
    return Remark(
      kind: .removedFiles, message: message, tags: pack.tags, files: paths, saving: pack.size)
  }

  /// The remarks about moved files: one remark for each pair of packs between which files moved.
  private var moved: [Remark] {
    let groups = Dictionary(grouping: moves) { [$0.oldPack, $0.newPack] }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { pair, moves in
      let (before, after) = (old.packs[pair[0]].tags, new.packs[pair[1]].tags)
      let gained = after.filter { !before.contains($0) }
      let lost = before.filter { !after.contains($0) }
      let causes = [(gained, "added"), (lost, "taken away")].filter { !$0.0.isEmpty }.map { tags, what in
        "\(tags.count == 1 ? "the tag" : "the tags") \(listed(tags)) \(tags.count == 1 ? "was" : "were") \(what)"
      }
      let size = moves.filter { !$0.isChanged }.reduce(Int64(0)) { $0.saturatingSum(with: new.size($1.file)) }
      let paths = moves.map { new.path($0.file) }
      let message =
        "\(counted(paths.count, of: "file")), \(listed(paths, atMost: 4)), moved from \(setNotation(before)) to "
        + "\(setNotation(after))\(causes.isEmpty ? "" : " because ")\(causes.joined(separator: " and ")): "
        + "\(ByteSize.exact(size)) are downloaded again that did not change"
      return Remark(kind: .moved, message: message, tags: after, files: paths, saving: 0)
    }
  }

  private var sameContent: [Remark] {
    let copies = packs.flatMap(\.files).filter { $0.sameContent != nil }
    guard let first = copies.first, let new = first.new, let match = first.sameContent else { return [] }
    let size = copies.reduce(Int64(0)) { $0.saturatingSum(with: $1.new.map(self.new.size) ?? 0) }
    let message =
      "\(counted(copies.count, of: "file")) with \(ByteSize.exact(size)) "
      + "\(copies.count == 1 ? "has" : "have") a new name but the content of an old file, such as "
      + "\(quoted(self.new.path(new))), which is the old \(quoted(old.path(match)))"
    let paths = copies.compactMap { $0.new.map(self.new.path) }
    return [Remark(kind: .sameContent, message: message, files: paths, saving: 0)]
  }

  private func delivery(_ pack: PackChange) -> Remark? {
    guard let old = pack.old, let new = pack.new else { return nil }
    let (before, after) = (self.old.packs[old].delivery, self.new.packs[new].delivery)
    if before == after { return nil }
    let message =
      "the pack of \(setNotation(pack.tags)), \(ByteSize.exact(pack.size)), is \(after.claim) now, no more "
      + before.claim
    return Remark(kind: .delivery, message: message, tags: pack.tags)
  }

  private var repacked: [Remark] {
    let packs = packs.filter(\.isRepacked)
    if packs.isEmpty { return [] }
    let message =
      "\(counted(packs.count, of: "pack")) "
      + "\(packs.count == 1 ? "has another archive" : "have other archives") although the content did not "
      + "change, for example because of another container, compression or version of packtool: devices "
      + "download nothing for this"
    return [Remark(kind: .repacked, message: message)]
  }

  private var bundleIdentifier: [Remark] {
    if old.bundleIdentifier == new.bundleIdentifier { return [] }
    let message =
      "the bundle identifier is \(quoted(new.bundleIdentifier)) and was \(quoted(old.bundleIdentifier)): "
      + "every pack has another identifier, so devices can keep nothing"
    return [Remark(kind: .bundleIdentifier, message: message)]
  }
}

/// Returns a tag that is not in a set of tags: the given name, or the name with a number appended.
func unusedTag(basedOn name: String, notIn tags: Set<String>) -> String {
  var number = 1
  while tags.contains(number == 1 ? name : "\(name) \(number)") { number += 1 }
  return number == 1 ? name : "\(name) \(number)"
}

extension Delivery {
  /// The delivery mode of a pack, as a part of a sentence in a message.
  fileprivate var claim: String {
    switch self {
    case .initialInstall: "in the initial install"
    case .prefetch: "prefetched"
    case .onDemand: "on demand"
    }
  }
}
