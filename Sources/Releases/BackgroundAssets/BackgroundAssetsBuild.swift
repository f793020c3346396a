package import Findings
import Formats
package import PackKit
package import System

/// A check of a folder in the layout `background-assets`: its packs, manifests and lists against one another.
package struct BackgroundAssetsBuild: Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The number of packs and of files, and the bytes of these.
  package private(set) var count: (packs: Int, files: Int64, size: Int64) = (0, 0, 0)
  /// All findings, in the order of the report.
  package private(set) var diagnostics: [Diagnostic] = []

  /// The path of the file that a build writes last.
  package var indexPath: String { joined(path, PublishedNames.tags) }

  /// Whether an argument is such a folder: it has manifests and a list of tags.
  package static func isOne(_ argument: String) throws(SystemError) -> Bool {
    for name in [PublishedNames.tags, PublishedNames.manifestsFolder]
    where try !FileOperations.exists(joined(trimmed(argument), name)) { return false }
    return try !FileOperations.exists(joined(trimmed(argument), PublishedNames.index))
  }

  /// Reads the lists and all packs on several threads; `profile` replaces that of Background Assets.
  ///
  /// - Throws: if the disk fails.
  package init(_ argument: String, profile: LimitProfile?, jobs: Int) throws(SystemError) {
    path = trimmed(argument)
    guard
      case .bytes(let bytes) = try FileContents(
        of: joined(path, PublishedNames.tags), limit: TagsFormat.longest)
    else {
      diagnostics = [
        Diagnostic(.missingIndex, "\(quoted(indexPath)) is no file, or too long", at: Place(indexPath))
      ]
      return
    }
    let tags = PublishedTags(SourceText(path: indexPath, bytes: bytes))
    let folder = path
    let room = NameRoom()
    let packs = try onThreads(jobs, each: tags.packs) { pack throws(SystemError) in
      try BackgroundPack(pack, tags.text, in: folder, room: room)
    }
    var found = FindingList(tags.diagnostics)
    for pack in packs { found.add(pack.diagnostics) }
    found.add(SharedNames(packs).findings)
    found.add(try surplus(packs))
    if !found.findings.hasErrors { found.add(limits(packs, tags, profile)) }
    count = (
      packs.count, packs.saturatingSum { Int64($0.files.count) }, packs.saturatingSum { $0.size }
    )
    diagnostics = found.findings.ordered(manifest: indexPath)
  }

  /// Findings about files that nothing names, and about missing ones.
  private func surplus(_ packs: [BackgroundPack]) throws(SystemError) -> [Diagnostic] {
    let files = [PublishedNames.tags, PublishedNames.tagsSource, PublishedNames.packageScript]
    let folders = [
      PublishedNames.packsFolder, PublishedNames.manifestsFolder, PublishedNames.archivesFolder,
      PublishedNames.recordFolder,
    ]
    var named = Set((files + folders))
    for pack in packs {
      named.insert(PublishedNames.folderPath(ofPack: pack.id))
      named.insert(PublishedNames.manifestPath(ofPack: pack.id))
      if let archive = pack.archivePath { named.insert(archive) }
    }
    let ids = Set(packs.map(\.id))
    var found: [Diagnostic] = []
    for folder in ["."] + folders.dropLast() {
      for name in try names(in: folder) where !named.contains(joined(folder, name)) {
        let place = Place(joined(path, joined(folder, name)))
        let pack = folder == PublishedNames.archivesFolder ? PublishedNames.pack(ofArchive: name) : nil
        let isStale = pack.map(ids.contains) == true
        let message =
          isStale
          ? "the archive is of another state of the pack \(quoted(pack ?? "")); remove it, and run \"package.sh\""
          : "\"tags.json\" does not name \(quoted(joined(folder, name)))"
        found.append(Diagnostic(.notInIndex, message, at: place))
      }
    }
    for name in files.dropFirst() where try !FileOperations.exists(joined(path, name)) {
      found.append(
        Diagnostic(.damagedIndex, "\(quoted(name)) is missing; build again", at: Place(joined(path, name))))
    }
    return found
  }

  private func names(in folder: String) throws(SystemError) -> [String] {
    let path = joined(path, folder)
    guard try FileOperations.statusIfThere(path)?.kind == .folder else { return [] }
    return try FileOperations.names(in: path)
  }

  /// Findings about limits; the store counts archives, so their sizes count where all are known.
  private func limits(
    _ packs: [BackgroundPack], _ tags: PublishedTags, _ profile: LimitProfile?
  ) -> [Diagnostic] {
    let areArchived = packs.allSatisfy { $0.archiveSize != nil }
    let listed = zip(packs, tags.packs).map { pack, tagged in
      Release.Pack(
        id: pack.id, name: pack.id, tags: tagged.tags, delivery: pack.delivery, priority: nil,
        fileCount: Int64(pack.files.count), size: areArchived ? pack.archiveSize ?? 0 : pack.size,
        published: nil)
    }
    let order = Dictionary(grouping: listed.indices) { listed[$0].delivery }
    let release = Release(
      bundleIdentifier: "", profile: "", packs: listed, tags: [], order: order, untagged: FileCount(),
      contents: nil)
    var limits = LimitSettings()
    limits.profile = profile ?? .backgroundAssets
    let places = ReleasePlaces(text: tags.text, tags: [:], packs: 0)
    let input = PackCheck.Input(release: release, limits: limits, places: places) { _, _ in [] }
    return PackCheck.limits.flatMap { $0.find(input) }
  }
}
