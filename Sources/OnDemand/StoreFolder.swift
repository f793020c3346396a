import Foundation

/// The folder of a store: what is where, and how it gets there.
///
///     state                 what is known of the store, by rename
///     catalog               the packs of the release in place, as a checked index has them, by rename
///     packs/<key>/list      of a whole pack: a line "<sha256> <size> <path>" for each file
///     packs/<key>/files/    its files
///     partial/<sha256>      a download, as far as it came
///     staging/              what is being made or removed
///
/// A pack gets into `packs` by one rename when it is whole and on the disk, so what is there is whole, also after a power
/// cut. Downloads and `state` are not waited for: a download is proved when it ends, and the state is only advice.
struct StoreFolder: Sendable {
  let url: URL
  private var packs: URL { url.appendingPathComponent("packs", isDirectory: true) }
  private var partial: URL { url.appendingPathComponent("partial", isDirectory: true) }
  private var staging: URL { url.appendingPathComponent("staging", isDirectory: true) }

  /// Makes what is missing, and removes what a store that was killed had under way.
  init(_ url: URL) throws {
    self.url = url
    // What a store that was closed just now removes may go at the same time.
    try? FileManager.default.removeItem(at: staging)
    for folder in [packs, partial, staging] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  private func pack(_ key: String) -> URL { packs.appendingPathComponent(key, isDirectory: true) }
  func file(_ path: String, of key: String) -> URL { pack(key).appendingPathComponent("files/\(path)") }
  func download(_ digest: String) -> URL { partial.appendingPathComponent(digest) }

  func storedKeys() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: packs.path))
  }

  /// The bytes of each download that is under way, by digest.
  func downloads() throws -> [String: Int64] {
    let names = try FileManager.default.contentsOfDirectory(atPath: partial.path)
    let sizes = names.map { try? download($0).resourceValues(forKeys: [.fileSizeKey]).fileSize }
    return Dictionary(uniqueKeysWithValues: zip(names, sizes.map { Int64($0 ?? 0) }))
  }

  /// A place that nothing has.
  var newPlace: URL { staging.appendingPathComponent(UUID().uuidString, isDirectory: true) }

  /// Waits until the disk has a pack that is to be put in its place.
  func sync(_ made: URL) throws { try Disk.syncAll(in: made) }

  /// Puts a pack in its place, after its files were synced.
  func publish(_ folder: URL, as key: String) throws {
    remove(pack: key)
    try FileManager.default.moveItem(at: folder, to: pack(key))
  }

  /// Waits until packs that were put in their places stay there; if not, a power cut costs their download.
  func syncPacks() { try? Disk.syncNames(in: packs) }

  /// Takes a pack away, whole at once; its files go after that.
  func remove(pack key: String) {
    let away = newPlace
    if (try? FileManager.default.moveItem(at: pack(key), to: away)) == nil { return }
    DispatchQueue.global(qos: .utility).async { [packs] in
      // A pack that is still in its place after a power cut has its files.
      try? Disk.syncNames(in: packs)
      try? FileManager.default.removeItem(at: away)
    }
  }

  func remove(download digest: String) { try? FileManager.default.removeItem(at: download(digest)) }

  /// What a file of the store's own has; nil where there is none, or no such thing in it.
  func read<Value: Decodable>(_ type: Value.Type, name: String) throws -> Value? {
    let file = url.appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: file.path) { return nil }
    let data = try Data(contentsOf: file)
    return try? JSONDecoder().decode(type, from: data)
  }

  /// Replaces a file of the store's own; after a power cut it has either contents.
  func write(_ value: some Encodable, to name: String) throws {
    // Foundation puts the contents on the disk before it renames the file.
    try JSONEncoder().encode(value).write(to: url.appendingPathComponent(name), options: .atomic)
  }

  /// Waits until files of the store's own that were written stay.
  func syncFiles() throws { try Disk.syncNames(in: url) }

  /// The files of all packs by the digest of their contents, for patches.
  func filesByDigest() throws -> [String: URL] {
    var files: [String: URL] = [:]
    for key in try storedKeys() {
      let list = (try? Data(contentsOf: pack(key).appendingPathComponent("list"))) ?? Data()
      // By bytes: a space and an accent after it, which may begin a name, are one Character.
      for line in list.split(separator: UInt8(ascii: "\n")) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
          String(decoding: $0, as: UTF8.self)
        }
        if fields.count == 3 { files[fields[0]] = file(fields[2], of: key) }
      }
    }
    return files
  }

  /// Locks a folder for one store at a time, until the handle is closed or the process ends.
  static func lock(_ folder: URL, waits: Bool) async throws -> FileHandle {
    let file = folder.appendingPathComponent("lock")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data().write(to: file, options: .withoutOverwriting)
    let handle = try FileHandle(forUpdating: file)
    #if !os(Windows)
      // Foundation has no lock between processes; it re-exports the C library that has this one.
      while flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno != EWOULDBLOCK && errno != EINTR {
          throw OnDemandError.storage("the folder cannot be locked")
        }
        if !waits { throw OnDemandError.folderInUse }
        do { try await Task.sleep(nanoseconds: 50_000_000) } catch { throw OnDemandError.ended }
      }
    #endif
    return handle
  }
}

/// What the server sent cannot be right.
func wrong(_ reason: String) -> OnDemandError { .damaged(pack: nil, reason: reason) }

extension OnDemandError {
  /// Of what ended a transfer, or came while something was written or read.
  init(_ error: any Error, pack: String? = nil) {
    switch error {
    case OnDemandError.refused(nil, let status): self = .refused(pack: pack, status: status)
    case OnDemandError.damaged(nil, let reason): self = .damaged(pack: pack, reason: reason)
    case let known as OnDemandError: self = known
    case is URLError: self = .offline
    case CocoaError.fileWriteOutOfSpace, POSIXError.ENOSPC: self = .outOfSpace(needed: 0)
    default: self = .storage(error.localizedDescription)
    }
  }
}

/// Makes the files of a pack in a folder, and proves that they are what the index says.
struct PackMaker {
  private let folder: URL
  private let pack: Catalog.Pack
  private let list: FileWriter
  /// What may still come.
  private var left: (count: Int64, size: Int64)
  private var last = ""

  init(_ pack: Catalog.Pack, in folder: URL) throws {
    (self.pack, self.folder) = (pack, folder.appendingPathComponent("files", isDirectory: true))
    left = (pack.fileCount, pack.size)
    list = try FileWriter(folder.appendingPathComponent("list"))
  }

  /// Makes the next file, in byte order of the paths, unless nobody wants the pack any more.
  mutating func add(_ path: String, size: Int64, write: (FileWriter) throws -> Void) throws {
    try Task.checkCancellation()
    if !last.utf8.lexicographicallyPrecedes(path.utf8) {
      throw wrong("\"\(path)\" comes twice or out of order")
    }
    if left.count == 0 || !(0...left.size).contains(size) {
      throw wrong("it has more files or bytes than the index says")
    }
    (left.count, left.size, last) = (left.count - 1, left.size - size, path)
    let writer: FileWriter
    do {
      writer = try FileWriter(folder.appendingPathComponent(path))
    } catch CocoaError.fileWriteFileExists, POSIXError.EEXIST {
      // To this disk, or because a file is also a folder.
      throw wrong("two of its paths are one")
    }
    try write(writer)
    let digest = try writer.finish()
    if writer.size != size { throw wrong("\"\(path)\" has another size than it says") }
    try list.write(Data("\(digest) \(size) \(path)\n".utf8))
  }

  func finish() throws {
    let isRight = try list.finish() == pack.digest.hex
    if left != (0, 0) || !isRight { throw wrong("its contents are not those of the index") }
  }

  /// Unpacks an archive that was proved whole.
  static func unpack(_ archive: URL, pack: Catalog.Pack, into folder: URL) throws {
    var zip = try ZipReader(archive)
    var maker = try PackMaker(pack, in: folder)
    while let entry = try zip.next() {
      try maker.add(entry.path, size: entry.size) { writer in try zip.read(entry) { try writer.write($0) } }
    }
    try maker.finish()
  }
}

/// A file that is written a part at a time.
final class FileWriter: @unchecked Sendable {
  private let handle: FileHandle
  private var digest = SHA256Digest()
  private(set) var size: Int64 = 0

  /// Makes a file, and its folder, where there must be none, or goes on with what is there.
  ///
  /// Not by `Data`, which waits for the disk after each file, and takes ten times as long for a pack of many.
  init(_ file: URL, goesOn: Bool = false) throws {
    let folder = file.deletingLastPathComponent()
    if !goesOn { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    #if os(Windows)
      do { try Data().write(to: file, options: .withoutOverwriting) } catch  where goesOn {}
      handle = try FileHandle(forUpdating: file)
    #else
      let descriptor = open(file.path, O_RDWR | O_CREAT | (goesOn ? 0 : O_EXCL), 0o644)
      if descriptor < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    #endif
    while goesOn, let data = try handle.read(upToCount: 1 << 18), !data.isEmpty {
      digest.update(data)
      size += Int64(data.count)
    }
  }

  func restart() throws {
    try handle.truncate(atOffset: 0)
    (size, digest) = (0, SHA256Digest())
  }

  func write(_ bytes: some ContiguousBytes & DataProtocol) throws {
    // Of no bytes, there may be no address either.
    if bytes.isEmpty { return }
    digest.update(bytes)
    size += Int64(bytes.count)
    try handle.write(contentsOf: bytes)
  }

  /// Ends the file; its digest.
  func finish() throws -> String {
    try handle.close()
    return digest.hex()
  }
}
