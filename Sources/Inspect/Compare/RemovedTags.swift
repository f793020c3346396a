package import Formats
package import Model
import Pipeline
import System

/// A tag that is in an earlier release but not in the current release.
package struct RemovedTag: Sendable, Hashable {
  package let name: String
  /// The new name of the tag.
  ///
  /// It is nil unless exactly one new tag has the same files.
  package let newName: String?
  /// The path of the earlier release, as the user typed it.
  package let release: String
}

extension Comparison {
  /// The tags that are in the older release but not in the newer release, sorted by name.
  package var removedTags: [RemovedTag] { new.removedTags(since: old) }
}

extension History {
  /// The tags that are in any earlier release but not in the last release, sorted by name.
  package var removedTags: [RemovedTag] {
    guard let last = releases.last else { return [] }
    // Use the newest release that has the tag, because it shows best what happened to the tag.
    var tags: [String: RemovedTag] = [:]
    for tag in releases.dropLast().flatMap(last.removedTags) { tags[tag.name] = tag }
    return tags.values.sorted { $0.name.precedesInBytes($1.name) }
  }
}

extension [RemovedTag] {
  /// Returns a warning about each tag.
  ///
  /// If the new name of the tag is certain, the warning is at the position of this name in the manifest.
  package func findings(in manifest: Manifest?, path: String) -> [Diagnostic] {
    map { tag in
      let offset = manifest.map { manifest in
        tag.newName.flatMap { manifest.firstOffsets[$0] } ?? manifest.rulesOffset
      }
      let place = offset.flatMap { manifest?.text.place(at: $0) } ?? Place(path)
      let end =
        tag.newName.map { "the tag is called \(quoted($0)) now; did you mean \(quoted(tag.name))?" }
        ?? "give the tag to a file as long as apps request it"
      let message =
        "no file has the tag \(quoted(tag.name)) of the release \(quoted(tag.release)), so requests for it "
        + "fail in the app: \(end)"
      return Diagnostic(.removedTag, message: message, at: place)
    }
  }
}

extension ReleaseContents {
  /// Returns the tags that are in an earlier release but not in this release, sorted by name.
  fileprivate func removedTags(since earlier: ReleaseContents) -> [RemovedTag] {
    let (names, oldNames) = (Set(release.tags.map(\.name)), Set(earlier.release.tags.map(\.name)))
    let removed = earlier.release.tags.filter { !names.contains($0.name) }
    if removed.isEmpty { return [] }
    let added = release.tags.filter { !oldNames.contains($0.name) }
    let contents = fileSets(of: added)
    let oldContents = earlier.fileSets(of: removed)
    let addedByContents = Dictionary(grouping: added) { Set($0.packs.compactMap { contents[$0] }) }
    var guesses = Guesses()
    return removed.map { tag in
      let same = addedByContents[Set(tag.packs.compactMap { oldContents[$0] })] ?? []
      let near = guesses.nearest(to: tag.name, in: added.lazy.map(\.name))
      let newName = same.count == 1 ? same[0].name : near?.sureName
      return RemovedTag(name: tag.name, newName: newName, release: earlier.name)
    }
  }

  /// For each pack of the given tags, returns a digest of its files' contents, keyed by the pack's index.
  ///
  /// The digests do not depend on paths.
  private func fileSets(of tags: [Release.Tag]) -> [Int: Digest] {
    let packs = Set(tags.lazy.flatMap(\.packs))
    return Dictionary(
      uniqueKeysWithValues: packs.map { pack in
        var digest = ContentsDigest()
        for file in contents.files(of: pack).map({ self.digest($0).hex }).sorted() {
          digest.add(path: file, size: 0, fileDigest: .zero)
        }
        return (pack, digest.finish())
      })
  }
}
