import Archiving

/// Writes a pack as the zip archive that devices stream from a web server: one piece, front to back.
final class HostedPackWriter: PackWriter {
  /// Bytes that are read at once.
  private static let blockSize: Int64 = 1 << 20

  private let job: PackJob
  private let pack: AssetPack
  private let files: [AssetFile]
  private let path: String
  private let written = Monitor<WrittenPack?>(nil)

  init(_ pack: AssetPack, in job: PackJob, path: String) {
    self.job = job
    self.pack = pack
    self.path = path
    files = job.files(of: pack)
  }

  let pieceCount = 1

  func makePiece(_: Int, at bench: inout Workbench) throws {
    bench.clock.skip()
    let time = ZipTime(secondsSince1970: job.settings.modified)
    var zip = ZipWriter(try OutputFile(creating: path, use: .later), modified: time)
    let folders = folders
    let info = PackInfo(of: pack).bytes
    try zip.appendFolder(named: ZipMetadata.folder)
    let metadata = ZipMetadata(
      recordCount: files.count + folders.reduce(0) { $0 + $1.count } + 1, size: pack.size + Int64(info.count))
    try zip.append(whole: metadata.bytes, named: ZipMetadata.path, marksUTF8: false)
    var packed: [PackedFile] = []
    for (file, above) in Swift.zip(files, folders) {
      for folder in above { try zip.appendFolder(named: folder) }
      guard let one = try write(file, to: &zip, at: &bench) else { return }
      packed.append(one)
    }
    try zip.append(whole: info, named: PackInfo.name)
    let result = WrittenPack(files, packed, archive: try zip.finish(), stagedPath: path)
    written.change { $0 = result }
  }

  func finish() throws -> WrittenPack {
    guard let pack = written.change({ $0 }) else { preconditionFailure("a pack ends after its piece") }
    return pack
  }

  /// Writes a file in blocks; nil, after a finding, where it is no longer the one that was scanned.
  private func write(
    _ file: AssetFile, to zip: inout ZipWriter, at bench: inout Workbench
  ) throws -> PackedFile? {
    var checksum = Checksum()
    if file.size > Self.blockSize {
      try zip.beginEntry(name: file.packPath, method: .stored, size: file.size)
    }
    for offset in stride(from: 0, to: max(file.size, 1), by: Int(Self.blockSize)) {
      bench.source.clear()
      let range = offset..<min(offset + Self.blockSize, file.size)
      guard try job.read(file, range, by: &bench.opener, into: &bench.source) else { return nil }
      let count = range.upperBound - range.lowerBound
      bench.clock.lap(.read, bytes: count)
      let source = bench.source
      source.withBytes {
        bench.digest.update($0)
        checksum.update($0)
      }
      bench.clock.lap(.hash, bytes: count)
      if file.size > Self.blockSize { try source.withBytes { try zip.append(block: $0) } }
      bench.clock.lap(.write, bytes: count)
    }
    if file.size > Self.blockSize {
      try zip.endEntry(checksum: checksum)
    } else {
      let entry = ZipEntry(
        name: file.packPath, method: .stored, size: file.size, compressedSize: file.size, checksum: checksum)
      let source = bench.source
      _ = try source.withBytes { try zip.append(entry, payload: $0) }
    }
    return PackedFile(digest: bench.digest.finish(), entry: nil)
  }

  /// For each file the folders around it that no file before it lies in, the outermost first.
  private var folders: [[String]] {
    var seen: Set<[UInt8]> = []
    return files.map { file in
      var above: [String] = []
      let path = Array(file.packPath.utf8)
      for (place, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
        let folder = Array(path[..<place])
        if seen.insert(folder).inserted { above.append(String(decoding: folder, as: UTF8.self)) }
      }
      return above
    }
  }
}

/// Models the file at the front of a hosted pack by which a device unpacks it while it is still downloading.
struct ZipMetadata: Sendable {
  static let folder = "META-INF"
  static let path = "META-INF/com.apple.ZipMetadata.plist"

  /// The entries behind this one, folders included.
  let recordCount: Int
  /// Bytes of all files behind this one.
  let size: Int64

  var bytes: ByteBuffer {
    BinaryPlist.bytes(
      of: .dictionary([
        "RecordCount": .integer(Int64(recordCount)),
        // The modes as Apple's tools store them: 16 bits with a sign, 040755 and 0100644.
        "StandardDirectoryPerms": .integer(16877), "StandardFilePerms": .integer(-32348),
        "TotalUncompressedBytes": .integer(size), "Version": .integer(2),
      ]))
  }
}

extension ZipWriter {
  /// Writes a stored entry whose bytes are at hand.
  fileprivate mutating func append(
    whole bytes: ByteBuffer, named name: String, marksUTF8: Bool = true
  ) throws(SystemError) {
    var checksum = Checksum()
    bytes.withBytes { checksum.update($0) }
    let entry = ZipEntry(
      name: name, method: .stored, size: Int64(bytes.count), compressedSize: Int64(bytes.count),
      checksum: checksum)
    _ = try bytes.withBytes { bytes throws(SystemError) in
      try append(marksUTF8 ? entry : entry.withoutUTF8Mark(), payload: bytes)
    }
  }
}
