package import Archiving

/// Writes one pack into the staging folder, piece by piece.
///
/// Any thread may make any piece at any time; a writer puts what it makes in order by itself.
protocol PackWriter: Sendable {
  /// How many pieces the pack is made of.
  var pieceCount: Int { get }

  /// Makes one piece; every piece is asked for once, a lower one never later than a higher one.
  func makePiece(_ number: Int, at bench: inout Workbench) throws

  /// Ends the pack once every piece has been made.
  func finish() throws -> WrittenPack
}

/// A pack that has been written but not published.
package struct WrittenPack: Sendable {
  /// The digest of each of the pack's files, in the pack's order.
  package let fileDigests: [Digest]
  /// The digest of the contents: the same in every container.
  package let digest: Digest
  /// The archive's size and digest; those of the contents for a folder.
  package let archive: WrittenFile
  /// Where it was written.
  package let stagedPath: String
}

/// What a pack's bytes depend on besides its files.
package struct PackSettings: Sendable {
  package let container: Container
  /// The time of every entry, in seconds since 1970.
  package let modified: Int64
  /// The level of libdeflate or zlib.
  package var deflateLevel = 6
  /// The level of zstd.
  package var zstandardLevel = 3

  package init(container: Container, modified: Int64) {
    self.container = container
    self.modified = modified
  }
}

extension Container {
  /// A writer for one pack of a job.
  func writer(for pack: AssetPack, in job: PackJob, staging path: String) throws -> any PackWriter {
    switch self {
    case .zip: try ZipPackWriter(pack, in: job, path: path)
    case .tarGzip, .tarZstandard: TarPackWriter(pack, in: job, path: path)
    case .folder: try FolderPackWriter(pack, in: job, path: path)
    }
  }
}
