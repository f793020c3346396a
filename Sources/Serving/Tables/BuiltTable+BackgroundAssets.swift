import Findings
import Formats
import PackKit
import Releases
import System

// The layout background-assets: archives where `ba-package` has made them, else the files that go into them.
extension BuiltTable {
  init(backgroundAssets path: String) throws(SystemError) {
    self.init(indexPath: joined(path, PublishedNames.tags))
    try readBackgroundAssets(path)
  }

  private mutating func readBackgroundAssets(_ path: String) throws(SystemError) {
    guard case .bytes(let bytes) = try FileContents(of: indexPath, limit: TagsFormat.longest) else {
      return report(.missingIndex, "\(quoted(indexPath)) is no file, or too long", at: indexPath)
    }
    let list = PublishedTags(SourceText(path: indexPath, bytes: bytes))
    diagnostics = list.diagnostics
    if diagnostics.hasErrors { return }
    var draft = try TableDraft(.backgroundAssets, in: path)
    guard let index = try draft.open(PublishedNames.tags, .revalidated) else { return }
    draft.add(index)
    for pack in list.packs { try add(pack, to: &draft, in: path) }
    if !index.isCurrent(at: indexPath) {
      diagnostics = []
      return
    }
    table = ServedTable(draft, index: index)
  }

  private mutating func add(
    _ pack: PublishedTags.Pack, to draft: inout TableDraft, in folder: String
  ) throws(SystemError) {
    let number = draft.packs.count
    let manifest = PublishedNames.manifestPath(ofPack: pack.id)
    if let file = try draft.open(manifest, .revalidated) { draft.add(file) }
    if let contents = pack.digest,
      case .bytes(let bytes) = try FileContents(
        of: joined(folder, manifest), limit: BackgroundManifestReader.longest)
    {
      let archive = PublishedNames.archivePath(ofPack: pack.id, contents, manifest: bytes)
      if let file = try draft.open(archive, .revalidated, pack: number) {
        draft.packs.append(.init(id: pack.id, tags: pack.tags, size: file.size))
        return draft.add(file)
      }
    }
    draft.packs.append(.init(id: pack.id, tags: pack.tags, size: pack.size))
    for name in try selected(by: joined(folder, manifest)) {
      let path = joined(PublishedNames.folderPath(ofPack: pack.id), name)
      guard let file = try draft.open(path, .revalidated, pack: number) else {
        reportMissing(pack.tags, at: joined(folder, path))
        continue
      }
      draft.add(file)
    }
  }

  /// The files that a manifest of packtool's selects.
  private mutating func selected(by path: String) throws(SystemError) -> [String] {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: BackgroundManifestReader.longest) else {
      report(.damagedIndex, "the manifest \(quoted(path)) is missing; build again", at: path)
      return []
    }
    let reader = BackgroundManifestReader(text: SourceText(path: path, bytes: bytes))
    diagnostics += reader.diagnostics
    return (reader.manifest?.selectors ?? []).compactMap { selector in
      switch selector {
      case .file(let path): path
      case .fileSource(let path, let destination) where path == destination: path
      default: nil
      }
    }
  }
}
