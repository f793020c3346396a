#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An absolute path without links, by its names, which may have any bytes.
package struct RealPath: Sendable, Hashable {
  package fileprivate(set) var names: [[UInt8]]

  package init(names: [String]) { self.names = names.map { Array($0.utf8) } }

  fileprivate init(_ bytes: [UInt8]) { names = bytes.split(separator: UInt8(ascii: "/")).map { Array($0) } }

  /// The path with all links resolved.
  ///
  /// - Throws: if nothing is there, or a folder on the way cannot be searched.
  package init(of path: String) throws(SystemError) {
    self.init(try FileOperations.realPath(of: path.isEmpty ? "." : path))
  }

  /// The path as text, for messages.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The path below "/".
  package var below: [UInt8] { Array(names.joined(separator: [UInt8(ascii: "/")])) }

  fileprivate var bytes: [UInt8] { [UInt8(ascii: "/")] + below }

  /// Whether another path is this one, or below it.
  package func holds(_ other: RealPath) -> Bool { other.names.starts(with: names) }

  fileprivate func has(_ name: String) throws(SystemError) -> Bool {
    try RealPath(bytes + [UInt8(ascii: "/")] + name.utf8).status() != nil
  }

  /// The status of what is there, which may be a link; nil if nothing is, or it cannot be seen.
  fileprivate func status() throws(SystemError) -> FileStatus? {
    var status = stat()
    if withCPath(bytes[...], body: { lstat($0, &status) }) == 0 { return FileStatus(status) }
    let error = SystemError(during: "look at", path: text)
    if error.isMissing || error.isDenied || error.isTooLong || error.isLink { return nil }
    throw error
  }
}

/// A working tree of version control.
///
/// Its contents may come from a stranger, as those of a pull request do, so they do not decide which other files of the
/// machine packtool reads.
package struct Checkout: Sendable, Hashable {
  /// The folder of the working tree.
  package let folder: RealPath

  /// What marks the folder of a working tree; in a worktree or a submodule of Git, `.git` is a file.
  private static let marks = [".git", ".hg", ".svn"]

  /// The outermost working tree around a folder, or the folder itself; nil outside of any.
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

/// Where a path leads, followed link by link.
package struct FollowedPath: Sendable {
  /// The path that it leads to; names that do not exist are kept as they are.
  package private(set) var target: RealPath
  /// The folders that hold the links on the way.
  private var linkFolders: Set<RealPath> = []

  /// The number of links that Linux follows in one path.
  private static let maxLinks = 40

  /// Follows a path from the current directory; one with too many links leads nowhere, and nil is returned.
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

  /// The working tree that a link on the way is in and the path is not; nil if there is none.
  package var checkoutLeft: Checkout? {
    get throws(SystemError) {
      for folder in linkFolders {
        if let checkout = try Checkout(around: folder), !checkout.folder.holds(target) { return checkout }
      }
      return nil
    }
  }
}

extension InputFile {
  /// Refuses a path that leaves a checkout through a symbolic link.
  ///
  /// - Throws: an error whose `checkoutLeft` is not nil.
  static func refuseStray(_ path: String) throws(SystemError) {
    if RunScope.current.followsSymlinks { return }
    guard let way = try FollowedPath(path), let checkout = try way.checkoutLeft else { return }
    throw SystemError(straying: path, to: way.target.text, from: checkout.folder.text)
  }

  /// Whether a path leaves a checkout through a symbolic link, so that nothing of the file may be shown.
  package static func isStray(_ path: String) -> Bool {
    (try? FollowedPath(path)?.checkoutLeft) != nil
  }
}
