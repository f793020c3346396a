#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An absolute path in which all symlinks are resolved, as a list of names.
///
/// The names can contain any bytes.
package struct RealPath: Sendable, Hashable {
  package fileprivate(set) var names: [[UInt8]]

  package init(names: [String]) { self.names = names.map { Array($0.utf8) } }

  fileprivate init(_ bytes: [UInt8]) { names = bytes.split(separator: UInt8(ascii: "/")).map { Array($0) } }

  /// Resolves all symlinks in a path.
  ///
  /// - Throws: if nothing exists at the path, or if a folder on the way cannot be searched.
  package init(of path: String) throws(SystemError) {
    self.init(try FileOperations.realPath(of: path.isEmpty ? "." : path))
  }

  /// The path as text, for messages.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The path relative to "/", that is, without its leading slash.
  package var below: [UInt8] { Array(names.joined(separator: [UInt8(ascii: "/")])) }

  fileprivate var bytes: [UInt8] { [UInt8(ascii: "/")] + below }

  /// Whether another path is equal to this path or is below this path.
  package func contains(_ other: RealPath) -> Bool { other.names.starts(with: names) }

  fileprivate func has(_ name: String) throws(SystemError) -> Bool {
    try RealPath(bytes + [UInt8(ascii: "/")] + name.utf8).status() != nil
  }

  /// Returns the status of the file or symlink at the path; nil if nothing exists there or if a folder on the
  /// way cannot be searched.
  fileprivate func status() throws(SystemError) -> FileStatus? {
    var status = stat()
    if withCPath(bytes[...], body: { lstat($0, &status) }) == 0 { return FileStatus(status) }
    let error = SystemError(during: "access", path: text)
    if error.isMissing || error.isDenied || error.isTooLong || error.isLink { return nil }
    throw error
  }
}

/// A working tree of version control.
///
/// Its contents can come from a stranger, for example in a pull request. So the contents must not decide
/// which other files of the machine packtool reads.
package struct Checkout: Sendable, Hashable {
  package let folder: RealPath

  /// The names that mark the folder of a working tree.
  ///
  /// In a Git worktree or submodule, `.git` is a file.
  private static let marks = [".git", ".hg", ".svn"]

  /// Finds the outermost working tree that contains the folder, which can also be the top folder of the tree;
  /// nil if the folder is in no working tree.
  package init?(around folder: RealPath) throws(SystemError) {
    for count in 0...folder.names.count {
      var outer = folder
      outer.names.removeLast(folder.names.count - count)
      for mark in Self.marks where try outer.has(mark) {
        self.folder = outer
        return
      }
    }
    return nil
  }
}

/// The place that a path leads to.
///
/// The place is found by following the path's symlinks one by one.
package struct FollowedPath: Sendable {
  /// The path that the followed path leads to.
  ///
  /// If names do not exist, they are still part of this path.
  package private(set) var target: RealPath
  /// The folders that contain the symlinks on the way to the target.
  private var linkFolders: Set<RealPath> = []

  /// The maximum number of symlinks that Linux follows in one path.
  private static let maxLinks = 40

  /// Follows a path from the current directory.
  ///
  /// Returns nil if the path has too many symlinks.
  package init?(_ path: String) throws(SystemError) {
    target = path.utf8.first == UInt8(ascii: "/") ? RealPath([UInt8]()) : try RealPath(of: ".")
    var waiting: [[UInt8]] = RealPath(Array(path.utf8)).names.reversed()
    var links = 0
    while let name = waiting.popLast() {
      if name == [UInt8(ascii: ".")] { continue }
      if name.elementsEqual("..".utf8) {
        _ = target.names.popLast()
        continue
      }
      let folder = target
      target.names.append(name)
      guard try target.status()?.kind == .link else { continue }
      links += 1
      if links > Self.maxLinks { return nil }
      let link = try Folder("/").target(ofLink: target.below)
      linkFolders.insert(folder)
      target = link.first == UInt8(ascii: "/") ? RealPath([UInt8]()) : folder
      waiting += RealPath(link).names.reversed()
    }
  }

  /// The working tree that contains a symlink on the way but does not contain the target; nil if no symlink
  /// leads out of a working tree.
  package var checkoutLeft: Checkout? {
    get throws(SystemError) {
      for folder in linkFolders {
        if let checkout = try Checkout(around: folder), !checkout.folder.contains(target) { return checkout }
      }
      return nil
    }
  }
}

extension InputFile {
  /// Throws if a path leaves a checkout through a symlink.
  ///
  /// - Throws: an error whose `leavesCheckout` is true.
  static func refuseLeavingCheckout(_ path: String) throws(SystemError) {
    if RunScope.current.followsSymlinks { return }
    guard let followed = try FollowedPath(path), let checkout = try followed.checkoutLeft else { return }
    throw SystemError(leavingCheckout: path, to: followed.target.text, from: checkout.folder.text)
  }

  /// Whether a path leaves a checkout through a symlink.
  ///
  /// If so, packtool must not show any of the file's content.
  package static func leavesCheckout(_ path: String) -> Bool {
    (try? FollowedPath(path)?.checkoutLeft) != nil
  }
}
