import Foundation

/// Waits until the disk has what was written, so that it survives a power cut.
enum Disk {
  /// Whether an error says that the disk, or this user's share of it, is full.
  static func isFull(_ error: any Error) -> Bool {
    switch error {
    case CocoaError.fileWriteOutOfSpace, POSIXError.ENOSPC, POSIXError.EDQUOT: true
    default:
      ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map(isFull) ?? false
    }
  }

  /// Waits for all files and names in a folder.
  ///
  /// Linux has one call for all of them; a call for each file takes ten times as long for a pack of many.
  static func syncAll(in folder: URL) throws {
    #if os(Linux) || os(Android)
      // It also fails for a file of somebody else's, and sandboxes refuse it.
      if let syncFileSystem, (try? withDescriptor(of: folder, call: syncFileSystem)) != nil { return }
    #endif
    let keys: [URLResourceKey] = [.isDirectoryKey]
    guard let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys) else {
      throw CocoaError(.fileReadUnknown)
    }
    for case let item as URL in found {
      let isFolder = try item.resourceValues(forKeys: Set(keys)).isDirectory == true
      if isFolder { try syncNames(in: item) } else { try syncFile(item) }
    }
    try syncNames(in: folder)
  }

  /// Waits for the names in a folder, not for what is in its files.
  static func syncNames(in folder: URL) throws {
    // Windows writes names with its journal, and cannot open folders as files.
    #if !os(Windows)
      try withDescriptor(of: folder) { fsync($0) }
    #endif
  }

  private static func syncFile(_ file: URL) throws {
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    try handle.synchronize()
  }

  #if !os(Windows)
    private static func withDescriptor(of folder: URL, call: (Int32) -> Int32) throws {
      let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { throw lastError }
      defer { close(descriptor) }
      if call(descriptor) != 0 { throw lastError }
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  #endif

  #if os(Linux) || os(Android)
    private typealias SyncFileSystem = @convention(c) (Int32) -> Int32

    /// `syncfs`, which the C library declares only for programs in C; nil where it has none.
    private static let syncFileSystem: SyncFileSystem? = dlsym(nil, "syncfs").map {
      unsafeBitCast($0, to: SyncFileSystem.self)
    }
  #endif
}
