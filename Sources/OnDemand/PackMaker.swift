import Foundation

/// Makes the files of a pack in a folder, and checks that they match the index.
struct PackMaker {
  /// Whether the files are stored or only checked.
  enum Purpose { case store, check }

  /// The number of files and bytes of the pack that have not been made yet.
  private struct Remaining: Equatable {
    var count: Int64
    var size: Int64
  }

  private let files: URL
  private let pack: Catalog.Pack
  private let list: FileWriter
  private let purpose: Purpose
  private var remaining: Remaining
  private var last = ""

  init(_ pack: Catalog.Pack, in folder: URL, purpose: Purpose = .store) throws {
    (self.pack, self.purpose) = (pack, purpose)
    files = folder.appendingPathComponent("files", isDirectory: true)
    remaining = Remaining(count: pack.fileCount, size: pack.size)
    list = try FileWriter(folder.appendingPathComponent("list"))
  }

  /// Makes the next file.
  ///
  /// The files must be added in byte order of their paths. Throws an error if the task was cancelled.
  mutating func add(_ path: String, size: Int64, write: (FileWriter) throws -> Void) throws {
    try Task.checkCancellation()
    if !last.utf8.lexicographicallyPrecedes(path.utf8) {
      throw wrong("\"\(path)\" occurs twice, or is not in the order of the paths")
    }
    if remaining.count == 0 || !(0...remaining.size).contains(size) {
      throw wrong("it contains more files or bytes than the index states")
    }
    remaining = Remaining(count: remaining.count - 1, size: remaining.size - size)
    last = path
    let writer = try writer(for: path)
    try write(writer)
    let digest = try writer.finish()
    if writer.size != size { throw wrong("\"\(path)\" does not have its stated size") }
    try list.write(Data("\(digest) \(size) \(path)\n".utf8))
  }

  private func writer(for path: String) throws -> FileWriter {
    if purpose == .check { return FileWriter() }
    do {
      return try FileWriter(files.appendingPathComponent(path))
    } catch CocoaError.fileWriteFileExists, POSIXError.EEXIST {
      // Either the file system treats two paths of the pack as the same path, or one path is both a file and
      // a folder.
      throw wrong("two of its paths are the same path on this file system")
    }
  }

  func finish() throws {
    let isRight = try list.finish() == pack.digest.hex
    if remaining != Remaining(count: 0, size: 0) || !isRight {
      throw wrong("its contents do not match the index")
    }
  }

  /// Unpacks an archive, or only checks its contents.
  ///
  /// The caller must already have checked the archive's digest.
  static func unpack(
    _ archive: URL, pack: Catalog.Pack, into folder: URL, purpose: Purpose = .store
  ) throws {
    var zip = try ZipReader(archive)
    var maker = try PackMaker(pack, in: folder, purpose: purpose)
    while let entry = try zip.next() {
      try maker.add(entry.path, size: entry.size) { writer in try zip.read(entry) { try writer.write($0) } }
    }
    try maker.finish()
  }
}

/// Writes a file in pieces and computes its digest.
///
/// A writer without a file only computes the digest.
final class FileWriter: @unchecked Sendable {
  private let handle: FileHandle?
  private var digest = SHA256Digest()
  private(set) var size: Int64 = 0

  /// Makes a writer that only computes the digest.
  init() { handle = nil }

  enum Start {
    /// Makes the file and its folder. The file must not exist yet.
    case new
    /// Keeps the bytes of an existing file and appends to them.
    case resumed
  }

  /// Opens a file to append to it.
  ///
  /// The writer does not write with `Data`, because `Data` waits for the disk after each file. For a pack
  /// with many files, writing would take ten times as long.
  init(_ file: URL, start: Start = .new) throws {
    let folder = file.deletingLastPathComponent()
    if start == .new {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let handle: FileHandle
    #if os(Windows)
      do { try Data().write(to: file, options: .withoutOverwriting) } catch  where start == .resumed {}
      handle = try FileHandle(forUpdating: file)
    #else
      let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | (start == .resumed ? 0 : O_EXCL), 0o644)
      if descriptor < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    #endif
    self.handle = handle
    while start == .resumed, let data = try handle.read(upToCount: 1 << 18), !data.isEmpty {
      digest.update(data)
      size += Int64(data.count)
    }
  }

  func restart() throws {
    try handle?.truncate(atOffset: 0)
    (size, digest) = (0, SHA256Digest())
  }

  func write(_ bytes: some ContiguousBytes & DataProtocol) throws {
    // The address of an empty buffer can be nil.
    if bytes.isEmpty { return }
    digest.update(bytes)
    size += Int64(bytes.count)
    try handle?.write(contentsOf: bytes)
  }

  /// Closes the file and returns its digest.
  func finish() throws -> String {
    try handle?.close()
    return digest.hex()
  }
}
