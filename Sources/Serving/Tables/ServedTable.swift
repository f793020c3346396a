import Archiving
import Formats
package import Model
import Pipeline
import System

/// The files of a release, keyed by their URL path.
///
/// The server serves no other files.
package final class ServedTable: Sendable {
  /// A pack of the release.
  package struct Pack: Sendable {
    package let id: String
    package let tags: [String]
    /// The size of the pack's archive, or of its files, in bytes.
    package let size: Int64
  }

  package let layout: Layout
  package let packs: [Pack]
  /// All tags in order, each with the indices of its packs in `packs`.
  package let tags: [(name: String, packs: [Int])]
  /// The index of the release, which a build replaces last.
  package let index: ServedFile
  /// The URL prefix in the index; nil if the index has no prefix.
  package let prefix: String?
  private let files: [ByteKey: ServedFile]

  init(_ draft: TableDraft, index: ServedFile, prefix: String? = nil) {
    layout = draft.layout
    packs = draft.packs
    var tags: [String: [Int]] = [:]
    for (number, pack) in draft.packs.enumerated() {
      for tag in pack.tags { tags[tag, default: []].append(number) }
    }
    self.tags = tags.sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, $0.value) }
    self.index = index
    self.prefix = prefix
    files = draft.files
  }

  /// Returns the file at a path; nil for paths that are not in the release.
  package subscript(path: RequestPath) -> ServedFile? { files[path.key] }

  /// All paths that are served, sorted.
  var paths: [String] { files.keys.map(\.text).sorted { $0.precedesInBytes($1) } }

  /// For each pack, the number of its bytes that clients have downloaded.
  ///
  /// Each byte is counted once.
  var fetchedSizes: [Int64] {
    var sizes = Array(repeating: Int64(0), count: packs.count)
    // A file with several URLs is counted only at its own path.
    for (path, file) in files where path == ByteKey(file.path) {
      if let pack = file.pack {
        sizes[pack] = sizes[pack].saturatingSum(with: file.fetched.change { $0.size })
      }
    }
    return sizes
  }

  /// Copies, for unchanged files, the ranges of downloaded bytes from the previous table.
  func adoptFetched(from other: ServedTable) {
    for (path, file) in files {
      guard let old = other.files[path], old.stamp == file.stamp else { continue }
      let fetched = old.fetched.change { $0 }
      file.fetched.change { $0 = fetched }
    }
  }

  /// The size of all packs in bytes.
  package var size: Int64 { packs.saturatingSum(\.size) }
}

/// A table that is being made while the folder is read.
struct TableDraft {
  let layout: Layout
  var packs: [ServedTable.Pack] = []
  private(set) var files: [ByteKey: ServedFile] = [:]
  private let folder: Folder

  init(_ layout: Layout, in path: String) throws(SystemError) {
    self.layout = layout
    folder = try Folder(path)
  }

  /// The kind of a file's contents.
  enum Content {
    /// Text.
    ///
    /// Clients that accept compressed text get it compressed.
    case text
    case other
  }

  /// Opens a file below the folder, without following symlinks, and assigns one or more URLs to it.
  ///
  /// Returns nil if the file does not exist or does not have the expected size.
  @discardableResult
  mutating func add(
    fileAt path: String, digest: Digest? = nil, expectedSize size: Int64? = nil, caching: ServedFile.Caching,
    pack: Int? = nil, alsoAt others: [RequestPath] = [], content: Content = .other
  ) throws(SystemError) -> ServedFile? {
    guard let input = try input(path) else { return nil }
    let status = try input.status()
    if status.kind != .file || status.size != size ?? status.size { return nil }
    var variants: [ServedFile] = []
    if content == .text {
      guard let bytes = try input.contents(limit: IndexFormat.maxSize) else { return nil }
      for coding in ContentCoding.allCases {
        let coded = try InputFile(holding: coding.compressed(bytes.span.bytes), name: path)
        let status = try coded.status()
        if status.size < bytes.count {
          variants.append(ServedFile(path, file: coded, status: status, caching: caching, coding: coding))
        }
      }
    }
    let file = ServedFile(
      path, file: input, status: status, digest: digest, caching: caching, pack: pack, variants: variants)
    files[ByteKey(path)] = file
    for other in others where files[other.key] == nil { files[other.key] = file }
    return file
  }

  private func input(_ path: String) throws(SystemError) -> InputFile? {
    guard PublishedPath.isPlain(path) else { return nil }
    return try folder.openFileWithoutLinks(Array(path.utf8))
  }
}
