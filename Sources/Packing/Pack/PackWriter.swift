import Archiving
import Model
import Pipeline
import System

/// Writes one pack into the staging folder, piece by piece.
///
/// Any thread can make any piece at any time. The writer writes the pieces in order.
protocol PackWriter: Sendable {
  var pieceCount: Int { get }

  /// Makes one piece.
  ///
  /// The queue requests each piece only once, in ascending order.
  func makePiece(_ number: Int, with compressor: inout EntryCompressor) throws

  /// Completes the pack after every piece has been made.
  func finish() throws -> FinishedPack
}

extension Container {
  /// The best number of packs to make at the same time.
  ///
  /// A compressor of a whole pack fills a processor's cache. If two such compressors share a processor, both
  /// together take 20 % longer.
  var maxConcurrentPacks: Int {
    switch self {
    case .tarGzip, .tarZstandard: availableProcessors()
    case .zip, .folder: .max
    }
  }

  /// Creates a writer for one pack of a job, given by its index in the plan.
  ///
  /// The initializer does not read any files yet.
  func writer(forPack number: Int, in job: PackJob, staging path: String) throws -> any PackWriter {
    let pack = job.plan.packs[number]
    let level = job.settings.compression
    return switch self {
    case .zip: try ZipPackWriter(pack, old: job.oldArchive(ofPack: number), in: job, path: path)
    case .tarGzip: TarPackWriter(pack, in: job, path: path) { _ in .gzip(level: level.zlibLevel) }
    case .tarZstandard:
      TarPackWriter(pack, in: job, path: path) { files in
        // The additional bytes are for the tar header and padding of each file.
        let size = pack.size + 1024 * Int64(files.count)
        return .zstandard(level.zstandard(forTarOf: size) { job.isMostlyRandom(files) })
      }
    case .folder: try FolderPackWriter(pack, in: job, path: path)
    }
  }
}
