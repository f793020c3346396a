import Archiving
import Model
import Pipeline
import System

/// Writes one pack into the staging folder, piece by piece.
///
/// Any thread may make any piece at any time; the writer writes them in order.
protocol PackWriter: Sendable {
  var pieceCount: Int { get }

  /// Makes one piece; each is requested once, in ascending order.
  func makePiece(_ number: Int, with compressor: inout EntryCompressor) throws

  /// Ends the pack once every piece has been made.
  func finish() throws -> FinishedPack
}

/// A complete pack: in the staging folder, or as it is published already.
struct FinishedPack: Sendable {
  /// The packed files, in the pack's order.
  let files: [PackedFile]
  /// The digest of the contents: the same in every container.
  let digest: Digest
  /// The size and digest of the archive, or of the contents for a folder.
  let archive: WrittenFile
  /// Whether it is a folder of files, not an archive.
  let isFolder: Bool
  /// The path of the staged archive or folder; empty for a kept pack.
  let stagedPath: String
  /// The pack as the last build or a release has published it; nil for one that was written.
  let kept: PublishedPack?

  /// A pack that was written of some files; `archive` is nil for a folder.
  init(_ files: [AssetFile], _ packed: [PackedFile], archive: WrittenFile?, stagedPath: String) {
    self.files = packed
    digest = ContentsDigest.digest(of: files, digests: packed.lazy.map(\.digest))
    isFolder = archive == nil
    self.archive = archive ?? WrittenFile(size: files.saturatingSum { $0.size }, digest: digest)
    self.stagedPath = stagedPath
    kept = nil
  }

  init(kept pack: PublishedPack, _ files: [PackedFile]) {
    (self.files, digest, archive, kept) = (files, pack.digest, pack.archive.file, pack)
    (isFolder, stagedPath) = (false, "")
  }
}

/// Everything that a pack's bytes depend on besides its files.
package struct PackSettings: Sendable {
  let container: Container
  let compression: Compression
  /// The time of every entry, in seconds since 1970.
  let modified: Int64
  var layout: any PackLayout
  /// Settings of the Apple layouts, which others ignore.
  let xcode: XcodeSettings

  init(
    _ container: Container, _ compression: Compression, _ modified: Int64, _ layout: any PackLayout,
    _ xcode: XcodeSettings
  ) {
    self.container = layout.container(container)
    self.compression = layout.compression(compression)
    self.modified = modified
    self.layout = layout
    self.xcode = xcode
  }

  /// The settings and versions that the bytes of a pack depend on; the first is packtool's version.
  func key(for manifest: Manifest) -> SettingsKey {
    SettingsKey(
      [
        .init(name: "packtool", value: packtoolVersion), .init(name: "layout", value: layout.kind.rawValue),
        .init(name: "container", value: container.rawValue),
        .init(name: "compression", value: compression.rawValue),
        .init(name: "entry time", value: "\(modified)"),
      ] + libraryVersions.map { .init(name: $0.name, value: $0.version) } + layout.key(for: manifest))
  }
}

extension PackSettings {
  /// The newest modification time of a pack's files, in nanoseconds since 1970.
  func newestTime(of files: [AssetFile]) -> Int64 {
    if layout.keepsTimes, let newest = files.map(\.stamp.modified).max() { return newest }
    // Nanoseconds overflow after the year 2262.
    let (nanoseconds, overflows) = modified.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : nanoseconds
  }
}

extension Container {
  /// The best number of packs to make at once.
  ///
  /// A compressor of a whole pack fills a processor's cache: two of them on one processor take a fifth longer.
  var mostPacksAtOnce: Int {
    switch self {
    case .tarGzip, .tarZstandard: availableProcessors()
    case .zip, .folder: .max
    }
  }

  /// A writer for one pack of a job, by its index in the plan; it reads no files yet.
  func writer(forPack number: Int, in job: PackJob, staging path: String) throws -> any PackWriter {
    let pack = job.plan.packs[number]
    let level = job.settings.compression
    return switch self {
    case .zip: try ZipPackWriter(pack, old: job.oldArchive(ofPack: number), in: job, path: path)
    case .tarGzip: TarPackWriter(pack, in: job, path: path) { _ in .gzip(level: level.zlibLevel) }
    case .tarZstandard:
      TarPackWriter(pack, in: job, path: path) { files in
        // Each file takes a header and padding.
        let size = pack.size + 1024 * Int64(files.count)
        return .zstandard(level.zstandard(forTarOf: size) { job.isMostlyRandom(files) })
      }
    case .folder: try FolderPackWriter(pack, in: job, path: path)
    }
  }
}
