import Foundation

/// The folder of a store: where everything is, and how it gets there.
///
///     catalog, index        the current release, as this library and as the server write it
///     staged, staged.index  the same for a newer release that was not applied
///     history               earlier releases whose packs are still here
///     trust, state          what the store is bound to; when packs were used
///     packs/<key>/list      of a whole pack: a line "<sha256> <size> <path>" for each file
///     packs/<key>/files/    its files
///     archives/<key>/       the same for packs that stay archives: list, archive.zip
///     partial/<sha256>      a download, as far as it came
///     staging/              what is being made or removed
///
/// A pack gets into its place by one rename when it is whole and on the disk, so it is whole there, also
/// after a power failure. Downloads and `state` are not synced: a download is proved when it ends, and the
/// state is only advice.
struct StoreFolder: Sendable {
  let url: URL
  let keepsArchives: Bool
  private let packs: URL
  private let partial: URL
  private let staging: URL

  /// Makes what is missing, and removes what a store that was killed was making.
  init(_ url: URL, keepsArchives: Bool = false) throws {
    self.url = url
    self.keepsArchives = keepsArchives
    let folders = ["packs", "archives"].map { url.appendingPathComponent($0, isDirectory: true) }
    packs = folders[keepsArchives ? 1 : 0]
    partial = url.appendingPathComponent("partial", isDirectory: true)
    staging = url.appendingPathComponent("staging", isDirectory: true)
    // A store that was closed just now may remove the same.
    for old in [staging, folders[keepsArchives ? 0 : 1]] { try? FileManager.default.removeItem(at: old) }
    for folder in [packs, partial, staging] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  func pack(_ key: String) -> URL { packs.appendingPathComponent(key, isDirectory: true) }
  func file(_ path: String, of key: String) -> URL {
    URL(fileURLWithPath: "\(packs.path)/\(key)/files/\(path)", isDirectory: false)
  }
  func archive(of key: String) -> URL { pack(key).appendingPathComponent("archive.zip") }
  func list(of key: String) -> URL { pack(key).appendingPathComponent("list") }
  func download(_ digest: String) -> URL { partial.appendingPathComponent(digest) }

  func storedKeys() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: packs.path))
  }

  /// The bytes of each partial download, by digest.
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

  /// Waits until packs that were put in their places stay there; otherwise a power failure costs their
  /// download.
  func syncPacks() { try? Disk.syncNames(in: packs) }

  /// Takes a pack away atomically; its files go after that.
  func remove(pack key: String) {
    let away = newPlace
    if (try? FileManager.default.moveItem(at: pack(key), to: away)) == nil { return }
    deletions.async { [packs] in
      // A pack that is still in its place after a power failure has its files.
      try? Disk.syncNames(in: packs)
      try? FileManager.default.removeItem(at: away)
    }
  }

  /// Does something when all packs that were taken away so far are deleted.
  func afterDeletions(_ work: @escaping @Sendable () -> Void) { deletions.async(execute: work) }

  /// Does what the disk has to do after a change of the store.
  func perform(_ effect: StoreState.Effect) {
    switch effect {
    case .removePack(let key): remove(pack: key)
    case .removeDownload(let digest): remove(download: digest)
    }
  }

  func remove(download digest: String) { try? FileManager.default.removeItem(at: download(digest)) }

  /// The contents of a file of the store's own; nil if it does not exist.
  func read(_ name: String) throws -> Data? {
    let file = url.appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: file.path) { return nil }
    return try Data(contentsOf: file)
  }

  /// Replaces a file of the store's own; after a power failure it has either contents.
  func write(_ data: Data, to name: String) throws {
    // Foundation puts the contents on the disk before it renames the file.
    try data.write(to: url.appendingPathComponent(name), options: .atomic)
  }

  /// Puts the index of the staged release in the place of the current one's.
  func promoteIndex() throws {
    remove(file: "index")
    let staged = url.appendingPathComponent("staged.index")
    if !FileManager.default.fileExists(atPath: staged.path) { return }
    try FileManager.default.moveItem(at: staged, to: url.appendingPathComponent("index"))
  }

  func remove(file name: String) { try? FileManager.default.removeItem(at: url.appendingPathComponent(name)) }

  /// Waits until files of the store's own that were written stay.
  func syncFiles() throws { try Disk.syncNames(in: url) }

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
          throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        if !waits { throw OnDemandError.folderInUse }
        try await Task.sleep(nanoseconds: 50_000_000)
      }
    #endif
    return handle
  }
}

/// Where packs are deleted that were taken away.
private let deletions = DispatchQueue(label: "packtool.OnDemand.deletions")

/// The list of a stored pack's files.
struct PackList: Sendable {
  struct File: Sendable {
    let digest: String
    let size: Int64
    let path: String
  }

  let files: [File]

  /// Reads the list of a stored pack; nil if it is not the list that makes the pack's digest.
  init?(_ folder: StoreFolder, pack: Catalog.Pack) {
    guard let data = try? Data(contentsOf: folder.list(of: pack.key)),
      SHA256Digest.hex(of: data) == pack.digest.hex
    else { return nil }
    self.init(data)
  }

  init(_ data: Data) {
    // By bytes: a space and an accent after it, which can begin a name, are one Character.
    files = data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard fields.count == 3, let size = Int64(fields[1]) else { return nil }
      return File(digest: fields[0], size: size, path: fields[2])
    }
  }
}

extension StoreFolder {
  /// Finds files by the digests of their contents: in the packs that are likeliest to have them, then in all
  /// others.
  func files(withDigests digests: Set<String>, likeliest: [String]) -> [String: URL] {
    var (found, missing) = ([String: URL](), digests)
    func look(in key: String) {
      guard let data = try? Data(contentsOf: list(of: key)) else { return }
      for entry in PackList(data).files where missing.remove(entry.digest) != nil {
        found[entry.digest] = file(entry.path, of: key)
      }
    }
    for key in likeliest where !missing.isEmpty { look(in: key) }
    if missing.isEmpty { return found }
    for key in ((try? storedKeys()) ?? []).subtracting(likeliest) where !missing.isEmpty { look(in: key) }
    return found
  }

  /// Whether a stored pack still has the contents that its digest says.
  func isIntact(_ pack: Catalog.Pack) -> Bool {
    guard let list = PackList(self, pack: pack), Int64(list.files.count) == pack.fileCount else {
      return false
    }
    if keepsArchives { return digest(of: archive(of: pack.key)) == pack.archive.digest.hex }
    return list.files.allSatisfy { digest(of: file($0.path, of: pack.key)) == $0.digest }
  }

  private func digest(of file: URL) -> String? {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    var digest = SHA256Digest()
    do {
      while let data = try handle.read(upToCount: 1 << 18), !data.isEmpty { digest.update(data) }
    } catch {
      return nil
    }
    return digest.hex()
  }
}
