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

extension Container {
  /// The best number of packs to make at once.
  ///
  /// A compressor of a whole pack fills a processor's cache: two of them on one processor take a fifth longer.
  var maxConcurrentPacks: Int {
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
