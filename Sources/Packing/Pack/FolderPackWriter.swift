import Formats
import Model
import Pipeline
import System

/// Writes a pack as a folder of plain files.
final class FolderPackWriter: PackWriter {
  private static let blockSize: Int64 = 1 << 20
  private static let filesInPiece = 64

  private let job: PackJob
  private let pack: AssetPack
  private let files: [AssetFile]
  private let path: String
  private let digests: Monitor<[Int: Digest]> = Monitor([:])
  /// Whether the file system might support clones.
  ///
  /// The value becomes false after the first clone that fails.
  private let clones = Monitor(true)
  private let madeFolders: Monitor<Set<ByteKey>> = Monitor([])

  init(_ pack: AssetPack, in job: PackJob, path: String) throws {
    self.job = job
    self.pack = pack
    self.path = path
    files = job.files(of: pack)
    try Self.makeFolder(path)
  }

  var pieceCount: Int { (files.count + Self.filesInPiece - 1) / Self.filesInPiece }

  func makePiece(_ number: Int, with compressor: inout EntryCompressor) throws {
    let start = number * Self.filesInPiece
    for index in start..<min(start + Self.filesInPiece, files.count) {
      let digest = try copy(files[index], with: &compressor)
      digests.change { $0[index] = digest }
    }
  }

  func finish() throws -> FinishedPack {
    let packed = digests.change { digests in
      files.indices.compactMap { digests[$0].map { PackedFile(digest: $0) } }
    }
    if let info = job.settings.info(of: pack) { try add(info) }
    return FinishedPack(files, packedFiles: packed, archive: nil, stagedPath: path)
  }

  /// Adds the pack's Info.plist, and sets the time of its folders to the newest time of the pack's files.
  private func add(_ description: ByteBuffer) throws {
    let info = "\(path)/\(PublishedNames.packInfo)"
    try FileOperations.write(description, toNew: info)
    let newest = job.settings.newestTime(of: files)
    try FileOperations.setModificationTime(of: info, nanoseconds: newest)
    for folder in madeFolders.change({ $0 }) {
      try FileOperations.setModificationTime(of: "\(path)/\(folder.text)", nanoseconds: newest)
    }
    try FileOperations.setModificationTime(of: path, nanoseconds: newest)
  }

  private func copy(_ file: AssetFile, with compressor: inout EntryCompressor) throws -> Digest {
    try makeFolder(of: file.packPath)
    let target = "\(path)/\(file.packPath)"
    var output = try OutputFile(creating: target, nextRead: .later)
    // The file is cloned before it is read. Reading detects whether the file has changed since the scan, so
    // the clone contains the bytes that were hashed.
    if clones.change({ $0 }), try !job.clone(file, by: &compressor.opener, into: &output) {
      clones.change { $0 = false }
    }
    for offset in stride(from: 0, to: file.size, by: Int(Self.blockSize)) {
      compressor.source.clear()
      let range = offset..<min(offset + Self.blockSize, file.size)
      guard try job.read(file, range: range, by: &compressor.opener, into: &compressor.source) else { break }
      try output.write(compressor.source)
      job.readCounter.addHashed(Int64(compressor.source.count))
    }
    let digest = try output.finish(modifiedSeconds: job.settings.modified).digest
    if job.settings.keepsTimes {
      try FileOperations.setModificationTime(of: target, nanoseconds: file.stamp.modified)
    }
    return digest
  }

  private static func makeFolder(_ path: String) throws {
    for folder in try FileOperations.makeFolder(path) { try FileOperations.publish(folder: folder) }
  }

  private func makeFolder(of file: String) throws {
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    let folder = file[..<slash]
    if madeFolders.change({ $0.contains(ByteKey(folder)) }) { return }
    try Self.makeFolder("\(path)/\(folder)")
    madeFolders.change { $0.formUnion(foldersAbove(file).map { ByteKey($0) }) }
  }
}
