package import Formats
import Inspect
import Model
import Pipeline
package import System

/// The table of a built folder, with findings about files that cannot be served.
package struct BuiltTable {
  /// The table; nil if the folder cannot be served.
  package internal(set) var table: ServedTable?
  package internal(set) var diagnostics: [Diagnostic] = []
  /// The path of the folder's index, which a build replaces last.
  package internal(set) var indexPath: String

  /// The maximum number of attempts to read a folder that changes while it is read.
  private static let maxAttempts = 20

  /// Reads a built folder in any layout, and opens the files that it lists.
  ///
  /// - Throws: if the system fails, for example while reading a file.
  package init(_ argument: String) throws(SystemError) {
    self = try Self.reading(argument)
    for _ in 1..<Self.maxAttempts where table == nil && diagnostics.isEmpty {
      self = try Self.reading(argument)
    }
    if table == nil && diagnostics.isEmpty {
      let isLink = try FileOperations.statusIfThere(indexPath, symlinks: .notFollowed)?.kind == .link
      let what =
        isLink ? "is a symlink; replace it with the file" : "changes so often that packtool cannot read it"
      report(.damagedIndex, message: "\(quoted(indexPath)) \(what)", at: indexPath)
    }
  }

  private init(indexPath: String) { self.indexPath = indexPath }

  /// Reads the folder once.
  ///
  /// If the result has neither a table nor a finding, a build has been published in the meantime.
  private static func reading(_ argument: String) throws(SystemError) -> BuiltTable {
    let path = trimmed(argument)
    switch try BuiltFolderKind(of: path) {
    case .backgroundAssets: return try BuiltTable(backgroundAssets: path)
    case .apple: return try BuiltTable(hosted: path)
    case .packtool: return try BuiltTable(packtool: path)
    }
  }

  mutating func report(_ check: Check, message: String, at path: String, severity: Severity? = nil) {
    diagnostics.append(Diagnostic(check, message: message, at: Place(path), severity: severity))
  }

  /// Uses the finished table, unless a build has been published since the index was read.
  ///
  /// In that case, the newer index might list other packs.
  private mutating func adopt(_ draft: TableDraft, index: ServedFile, prefix: String? = nil) {
    if LiveRelease.stamp(indexPath) == index.stamp {
      table = ServedTable(draft, index: index, prefix: prefix)
    } else {
      diagnostics = []
    }
  }

  /// Reports that a pack is missing.
  ///
  /// The server answers requests for the pack with status 404, as it does for any unknown path.
  mutating func reportMissingPack(tags: [String], at path: String) {
    let message = "the pack of \(setNotation(tags)) is missing, so requests for it fail with 404"
    report(.missingPack, message: message, at: path, severity: .warning)
  }
}

// Tables of built folders with the `packtool` layout.
extension BuiltTable {
  fileprivate init(packtool argument: String) throws(SystemError) {
    let folder = try BuiltFolder(argument)
    self.init(indexPath: folder.indexPath)
    guard let index = folder.index, let contents = folder.contents, !folder.diagnostics.hasErrors else {
      diagnostics = folder.diagnostics
      return
    }
    var draft = try TableDraft(index.layout, in: folder.path)
    let digest = SHA256.digest(of: index.text.bytes)
    let (listPath, listFile) = (index.contents.path, index.contents.file)
    guard
      let indexFile = try draft.add(
        fileAt: lastName(of: indexPath), digest: digest, caching: .revalidated, content: .text),
      (try? indexFile.bytesDigest()) == digest,
      try draft.add(
        fileAt: listPath, digest: listFile.digest, expectedSize: listFile.size, caching: .immutable,
        content: .text)
        != nil
    else { return }
    // The signature belongs to the index that was read, because a build renames the signature just before the
    // index.
    if lastName(of: indexPath) == PublishedNames.index {
      try draft.add(fileAt: PublishedNames.signature, caching: .revalidated)
    }
    for set in folder.patches { try add(set, to: &draft, in: folder.path) }
    for (number, pack) in index.packs.enumerated() {
      draft.packs.append(.init(id: pack.id, tags: pack.tags, size: pack.archive.file.size))
      try add(pack, number: number, contents: contents, to: &draft, in: folder.path)
    }
    adopt(draft, index: indexFile)
  }

  private mutating func add(
    _ patches: PatchSet, to draft: inout TableDraft, in folder: String
  ) throws(SystemError) {
    let list = patches.list
    guard
      try draft.add(fileAt: list.path, digest: list.file.digest, caching: .immutable, content: .text) != nil
    else {
      return
    }
    for pack in patches.packs {
      let (path, file) = (pack.patch.path, pack.patch.file)
      if try draft.add(fileAt: path, digest: file.digest, expectedSize: file.size, caching: .immutable) != nil
      {
        continue
      }
      let message = "a patch for \(quoted(pack.id)) is missing, so devices download the whole pack instead"
      report(.damagedPatch, message: message, at: joined(folder, path), severity: .warning)
    }
  }

  private mutating func add(
    _ pack: PublishedIndex.Pack, number: Int, contents: PublishedContents, to draft: inout TableDraft,
    in folder: String
  ) throws(SystemError) {
    let archive = pack.archive
    let path = joined(folder, archive.path)
    guard let status = try FileOperations.statusIfThere(path, symlinks: .notFollowed) else {
      return reportMissingPack(tags: pack.tags, at: path)
    }
    if status.kind == .folder {
      for file in contents.files(of: number).map(Int.init) {
        let inside = "\(archive.path)/\(String(decoding: contents.path(at: file), as: UTF8.self))"
        if try draft.add(fileAt: inside, digest: contents.digest(at: file), caching: .immutable, pack: number)
          == nil
        {
          reportMissingPack(tags: pack.tags, at: joined(folder, inside))
        }
      }
      return
    }
    let (digest, size) = (archive.file.digest, archive.file.size)
    if try draft.add(
      fileAt: archive.path, digest: digest, expectedSize: size, caching: .immutable, pack: number) == nil
    {
      let message =
        "the pack of \(setNotation(pack.tags)) does not match the index, so requests for it fail with 404"
      report(.damagedPack, message: message, at: path, severity: .warning)
    }
  }
}

// The `hosted` layout: zipped packs, and the property list that devices read.
extension BuiltTable {
  fileprivate init(hosted path: String) throws(SystemError) {
    self.init(indexPath: joined(path, PublishedNames.assetPackManifest))
    let export = try XcodeExport(path, reading: .lists, jobs: 1)
    diagnostics = export.diagnostics.filter { $0.severity == .error }
    guard let resources = export.lists[PublishedNames.assetPackManifest]?["resources"]?.elements else {
      if diagnostics.isEmpty {
        report(
          .missingIndex,
          message:
            "\(quoted(path)) has no \(PublishedNames.assetPackManifest) for packs on a server; build with "
            + "--layout hosted",
          at: path)
      }
      return
    }
    var draft = try TableDraft(.hosted, in: path)
    guard let index = try draft.add(fileAt: PublishedNames.assetPackManifest, caching: .revalidated) else {
      return
    }
    var prefixes: Set<String> = []
    for resource in resources {
      guard let identifier = resource["bundleKey"]?.string,
        let url = resource["URL"]?.string.map(HostedURL.init(text:))
      else {
        report(.damagedIndex, message: "a resource has no \"bundleKey\" or no \"URL\"", at: indexPath)
        continue
      }
      try add(identifier, url: url, to: &draft, in: path)
      prefixes.insert(url.prefix)
    }
    if diagnostics.hasErrors { return }
    adopt(draft, index: index, prefix: prefixes.count == 1 ? prefixes.first : nil)
  }

  private mutating func add(
    _ identifier: String, url: HostedURL, to draft: inout TableDraft, in folder: String
  ) throws(SystemError) {
    let tags = url.tags(ofPack: identifier)
    let (number, others) = (draft.packs.count, url.path.map { [$0] } ?? [])
    guard let name = url.name,
      let file = try draft.add(fileAt: name, caching: .revalidated, pack: number, alsoAt: others)
    else { return reportMissingPack(tags: tags, at: joined(folder, url.name ?? identifier)) }
    draft.packs.append(.init(id: identifier, tags: tags, size: file.size))
  }
}

/// The URL of a pack in a property list.
struct HostedURL {
  let text: String

  /// The part of the URL before the name of the file.
  var prefix: String { text.lastIndex(of: "/").map { String(text[...$0]) } ?? "" }

  /// The path in the URL; nil if the URL has no valid path.
  var path: RequestPath? {
    let end = text.firstRange(of: "://")?.upperBound
    let slash = end.flatMap { text[$0...].firstIndex(of: "/") }
    return slash.flatMap { try? RequestPath(text[$0...].utf8) }
  }

  /// The decoded name of the pack's file.
  var name: String? { text.lastIndex(of: "/").flatMap { try? RequestPath(text[$0...].utf8).text } }

  /// Returns the tags in the pack's name; empty if the name was shortened or has another format.
  func tags(ofPack identifier: String) -> [String] {
    guard let name, let mark = identifier.firstRange(of: PackIdentity.mark) else { return [] }
    let (app, digest) = (identifier[..<mark.lowerBound], identifier[mark.upperBound...])
    let (front, back) = ("\(app).", "-\(digest)\(PublishedNames.packSuffix)")
    guard name.hasPrefix(front), name.hasSuffix(back), name.utf8.count > front.utf8.count + back.utf8.count
    else {
      return []
    }
    let names = name.dropFirst(front.count).dropLast(back.count).split(separator: "+").map(String.init)
    let tags = names.sorted { $0.precedesInBytes($1) }
    return PackIdentity(tags: tags, bundleIdentifier: String(app)).identifier == identifier ? tags : []
  }
}

// The `background-assets` layout. The table contains the archives that `ba-package` made or, if there are
// none, the files of the packs.
extension BuiltTable {
  fileprivate init(backgroundAssets path: String) throws(SystemError) {
    self.init(indexPath: joined(path, PublishedNames.tags))
    guard case .bytes(let bytes) = try FileContents(of: indexPath, limit: TagsFormat.maxSize) else {
      report(.missingIndex, message: "\(quoted(indexPath)) is not a file, or is too large", at: indexPath)
      return
    }
    let downloads = try DownloadManifest(reading: joined(path, PublishedNames.downloadManifest))
    let host: AssetPackHost = downloads == nil ? .apple : .ownServer
    let list = PublishedTags(SourceText(path: indexPath, bytes: bytes), host: host)
    diagnostics = list.diagnostics + (downloads?.diagnostics ?? [])
    if diagnostics.hasErrors { return }
    var draft = try TableDraft(.backgroundAssets, in: path)
    guard let index = try draft.add(fileAt: PublishedNames.tags, caching: .revalidated) else { return }
    if downloads != nil {
      let others = [RequestPath(decoded: "manifest")]
      try draft.add(fileAt: PublishedNames.downloadManifest, caching: .revalidated, alsoAt: others)
    }
    for pack in list.packs {
      try add(pack, url: downloads?.pack(pack.id).map { HostedURL(text: $0.url) }, to: &draft, in: path)
    }
    let prefixes = Set((downloads?.packs ?? []).map { HostedURL(text: $0.url).prefix })
    adopt(draft, index: index, prefix: prefixes.count == 1 ? prefixes.first : nil)
  }

  private mutating func add(
    _ pack: PublishedTags.Pack, url: HostedURL?, to draft: inout TableDraft, in folder: String
  ) throws(SystemError) {
    let number = draft.packs.count
    let manifest = PublishedNames.manifestPath(ofPack: pack.id)
    try draft.add(fileAt: manifest, caching: .revalidated)
    if let contents = pack.digest,
      case .bytes(let bytes) = try FileContents(
        of: joined(folder, manifest), limit: BackgroundManifestReader.maxSize)
    {
      let archive = PublishedNames.archivePath(
        ofPack: pack.id, contentsDigest: contents, manifestBytes: bytes)
      let others = url.map { [RequestPath(decoded: "assets/\(pack.id)"), $0.path].compactMap(\.self) }
      if let file = try draft.add(fileAt: archive, caching: .revalidated, pack: number, alsoAt: others ?? [])
      {
        return draft.packs.append(.init(id: pack.id, tags: pack.tags, size: file.size))
      }
      if url != nil {
        let message =
          "the pack \(quoted(pack.id)) has no archive yet, so requests for it fail with 404; run package.sh"
        report(.missingPack, message: message, at: joined(folder, archive), severity: .warning)
      }
    }
    draft.packs.append(.init(id: pack.id, tags: pack.tags, size: pack.size))
    for name in try selected(by: joined(folder, manifest), host: url == nil ? .apple : .ownServer) {
      let path = joined(PublishedNames.folderPath(ofPack: pack.id), name)
      if try draft.add(fileAt: path, caching: .revalidated, pack: number) == nil {
        reportMissingPack(tags: pack.tags, at: joined(folder, path))
      }
    }
  }

  /// Returns the files that a manifest selects.
  ///
  /// packtool must have written the manifest.
  private mutating func selected(by path: String, host: AssetPackHost) throws(SystemError) -> [String] {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: BackgroundManifestReader.maxSize) else {
      report(.damagedIndex, message: "the manifest \(quoted(path)) is missing; build again", at: path)
      return []
    }
    let reader = BackgroundManifestReader(
      text: SourceText(path: path, bytes: bytes), packHost: host)
    diagnostics += reader.diagnostics
    return (reader.manifest?.selectors ?? []).compactMap(\.plainFile)
  }
}
