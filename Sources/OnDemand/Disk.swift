import Foundation

/// Waits until written files are on the disk, so that they survive a power failure.
///
/// The calls are stored as values, so that tests can replace them. The tests check the order of the calls,
/// and what a store does if a call fails.
struct Disk: Sendable {
  typealias Call = @Sendable (URL) throws -> Void

  /// Waits for all files and names in a folder's file system; nil if the system has no such call.
  var syncFileSystem: Call? = Self.syncFileSystemCall
  /// Waits for the names in a folder, but not for the contents of its files.
  var syncNames: Call = Self.syncNames
  /// Waits for the contents of a file.
  var syncFile: Call = Self.syncFile

  /// Whether an error means that the disk is full, or that this user's disk quota is used up.
  static func isFull(_ error: any Error) -> Bool {
    switch error {
    case CocoaError.fileWriteOutOfSpace, POSIXError.ENOSPC, POSIXError.EDQUOT: true
    default:
      ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map(isFull) ?? false
    }
  }

  /// Waits for all files and names in a folder.
  ///
  /// Linux can sync a whole file system with one call. For a pack with many files, a separate call for each
  /// file would take ten times as long.
  func syncAll(in folder: URL) throws {
    // The call can fail although the folder is fine. For example, a file of another process cannot be
    // written, or a sandbox forbids the call.
    if let syncFileSystem, (try? syncFileSystem(folder)) != nil { return }
    let keys: [URLResourceKey] = [.isDirectoryKey]
    guard let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys) else {
      throw CocoaError(.fileReadUnknown)
    }
    for case let item as URL in found {
      let isFolder = try item.resourceValues(forKeys: Set(keys)).isDirectory == true
      if isFolder { try syncNames(item) } else { try syncFile(item) }
    }
    try syncNames(folder)
  }
}

/// The calls of the system.
extension Disk {
  private static func syncNames(_ folder: URL) throws {
    // Windows cannot open folders as files. This is not a problem, because its file system protects names
    // with a journal.
    #if !os(Windows)
      try withDescriptor(of: folder) { fsync($0) }
    #endif
  }

  private static func syncFile(_ file: URL) throws {
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    try handle.synchronize()
  }

  private static var syncFileSystemCall: Call? {
    #if os(Linux) || os(Android)
      guard let function = syncFileSystemFunction else { return nil }
      return { folder in try withDescriptor(of: folder) { function($0) } }
    #else
      return nil
    #endif
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

    /// The function `syncfs`, which the C library declares only for C programs; nil if the library does not
    /// have this function.
    private static let syncFileSystemFunction: SyncFileSystem? = dlsym(nil, "syncfs").map {
      unsafeBitCast($0, to: SyncFileSystem.self)
    }
  #endif
}
