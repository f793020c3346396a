import Foundation

/// The folder of a store.
///
/// It contains all files that the store keeps on the disk.
///
///     catalog, index        the current release, as this library and as the server write it
///     staged, staged.index  the same for a newer release that is not applied yet
///     history               earlier releases whose packs are still here
///     trust, state          the app and releases that the store is bound to; times of use
///     packs/<key>/list      of a whole pack: a line "<sha256> <size> <path>" for each file
///     packs/<key>/files/    its files
///     archives/<key>/       the same for packs that stay archives: list, archive.zip
///     partial/<sha256>      a download that has not ended
///     staging/              files that are being made or removed
///
/// A pack gets its name with one rename, after all its files are on the disk. So a pack with its final name
/// is complete, even after a power failure. Downloads and `state` are not synced, because the digest of a
/// download is checked at its end, and the store works without the state.
struct StoreFolder: Sendable {
  let url: URL
  let keepsArchives: Bool
  private let disk: Disk
  private let packs: URL
  private let partial: URL
  private let staging: URL

  /// Opens a store's folder and makes its missing subfolders.
  ///
  /// Removes unfinished files, and packs that were stored with the other value of `keepsArchives`.
  init(_ url: URL, keepsArchives: Bool = false, disk: Disk = Disk()) throws {
    self.url = url
    self.disk = disk
    self.keepsArchives = keepsArchives
    let folders = ["packs", "archives"].map { url.appendingPathComponent($0, isDirectory: true) }
    packs = folders[keepsArchives ? 1 : 0]
    partial = url.appendingPathComponent("partial", isDirectory: true)
    staging = url.appendingPathComponent("staging", isDirectory: true)
    // Ignore errors, because a store that was closed a moment ago may remove the same folders.
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

  /// Returns the number of bytes of each partial download, by digest.
  func downloads() throws -> [String: Int64] {
    let names = try FileManager.default.contentsOfDirectory(atPath: partial.path)
    let sizes = names.map { try? download($0).resourceValues(forKeys: [.fileSizeKey]).fileSize }
    return Dictionary(uniqueKeysWithValues: zip(names, sizes.map { Int64($0 ?? 0) }))
  }

  /// A path at which no file exists yet.
  var newPlace: URL { staging.appendingPathComponent(UUID().uuidString, isDirectory: true) }

  /// Waits until all files of a new pack are on the disk, before `publish` moves it into place.
  func sync(_ made: URL) throws { try disk.syncAll(in: made) }

  /// Moves a pack into place.
  ///
  /// The files of the pack must have been synced before.
  func publish(_ folder: URL, as key: String) throws {
    remove(pack: key)
    try FileManager.default.moveItem(at: folder, to: pack(key))
  }

  /// Waits until the new names of packs are on the disk.
  ///
  /// Without this wait, the packs might have to be downloaded again after a power failure.
  func syncPacks() { try? disk.syncNames(packs) }

  /// Renames a pack atomically.
  ///
  /// The store then no longer finds the pack. Its files are deleted later.
  func remove(pack key: String) {
    let away = newPlace
    if (try? FileManager.default.moveItem(at: pack(key), to: away)) == nil { return }
    deletions.async { [packs, disk] in
      // The rename must be on the disk before files are deleted. Otherwise, after a power failure, a pack
      // could have its name but not all its files.
      try? disk.syncNames(packs)
      try? FileManager.default.removeItem(at: away)
    }
  }

  /// Calls a function when the files of all packs that have been removed so far are deleted.
  func afterDeletions(_ work: @escaping @Sendable () -> Void) { deletions.async(execute: work) }

  /// Carries out an effect: makes a change of the store's state on the disk.
  func perform(_ effect: StoreState.Effect) {
    switch effect {
    case .removePack(let key): remove(pack: key)
    case .removeDownload(let digest): remove(download: digest)
    }
  }

  func remove(download digest: String) { try? FileManager.default.removeItem(at: download(digest)) }

  /// Returns the contents of one of the store's own files; nil if the file does not exist.
  func read(_ name: String) throws -> Data? {
    let file = url.appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: file.path) { return nil }
    return try Data(contentsOf: file)
  }

  /// Replaces one of the store's own files.
  ///
  /// After a power failure, the file has either the old or the new contents.
  func write(_ data: Data, to name: String) throws {
    // Foundation writes the contents to the disk before it renames the file.
    try data.write(to: url.appendingPathComponent(name), options: .atomic)
  }

  /// Replaces the index of the current release with the index of the staged release.
  func promoteIndex() throws {
    remove(file: "index")
    let staged = url.appendingPathComponent("staged.index")
    if !FileManager.default.fileExists(atPath: staged.path) { return }
    try FileManager.default.moveItem(at: staged, to: url.appendingPathComponent("index"))
  }

  func remove(file name: String) { try? FileManager.default.removeItem(at: url.appendingPathComponent(name)) }

  /// Waits until the names of the store's own files are on the disk.
  func syncFiles() throws { try disk.syncNames(url) }

  /// Locks a folder so that only one store at a time can use it.
  ///
  /// The lock ends when the handle is closed or the process ends.
  static func lock(_ folder: URL, waits: Bool) async throws -> FileHandle {
    let file = folder.appendingPathComponent("lock")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data().write(to: file, options: .withoutOverwriting)
    let handle = try FileHandle(forUpdating: file)
    #if !os(Windows)
      // Foundation has no lock between processes; `flock` comes from the C library, which Foundation
      // re-exports.
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

/// The queue on which removed packs are deleted.
private let deletions = DispatchQueue(label: "packtool.OnDemand.deletions")

extension StoreFolder {
  /// Finds stored files whose contents have the given digests.
  ///
  /// The function first searches the packs that most likely contain the files, and then all other packs.
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

  /// Whether the files of a stored pack still have the digests that are in the pack's list.
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
