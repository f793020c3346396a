import Archiving
import Formats
import Model
import Pipeline
import System

/// The URLs of a release with their files; nothing else is served.
package final class ServedTable: Sendable {
  /// The layouts that can be served; the raw value is the name in flags.
  package enum Layout: String, Sendable {
    case packtool
    case hosted
    case backgroundAssets = "background-assets"
  }

  /// One pack.
  package struct Pack: Sendable {
    package let id: String
    package let tags: [String]
    /// Bytes of its archive or its files.
    package let size: Int64
  }

  package let layout: Layout
  package let packs: [Pack]
  /// Every tag with its packs, by their places, in order.
  package let tags: [(name: String, packs: [Int])]
  /// The file that a build replaces last.
  package let index: ServedFile
  /// The URL prefix in the index; nil if it has none.
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

  /// The file of a path; nil for all that the release does not name.
  package subscript(path: RequestPath) -> ServedFile? { files[path.key] }

  /// Every path below which something is served, in order.
  var paths: [String] { files.keys.map(\.text).sorted { $0.precedesInBytes($1) } }

  /// Bytes of each pack that were fetched, each counted once.
  var fetchedSizes: [Int64] {
    var sizes = Array(repeating: Int64(0), count: packs.count)
    // A file with several URLs counts at its own.
    for (path, file) in files where path == ByteKey(file.path) {
      if let pack = file.pack {
        sizes[pack] = sizes[pack].saturatingSum(with: file.fetched.change { $0.size })
      }
    }
    return sizes
  }

  /// Takes over what was fetched of files that are the same in a table before.
  func adoptFetched(from other: ServedTable) {
    for (path, file) in files {
      guard let old = other.files[path], old.stamp == file.stamp else { continue }
      let fetched = old.fetched.change { $0 }
      file.fetched.change { $0 = fetched }
    }
  }

  /// Bytes of all packs.
  package var size: Int64 { packs.saturatingSum(\.size) }
}

/// A table while its folder is read.
struct TableDraft {
  let layout: ServedTable.Layout
  var packs: [ServedTable.Pack] = []
  private(set) var files: [ByteKey: ServedFile] = [:]
  private let folder: Folder

  init(_ layout: ServedTable.Layout, in path: String) throws(SystemError) {
    self.layout = layout
    folder = try Folder(path)
  }

  /// What a file holds.
  enum Content {
    /// Text, which is sent compressed to clients that accept that.
    case text
    case other
  }

  /// Opens a file at a path below the folder, in which no component is a link, and gives it its URL, and further ones; nil
  /// where there is no such file, or none of a size that is known.
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
