import System

/// Follows symlinks one by one, to find their target and all symlinks on the way to it.
struct SymlinkResolver: Sendable {
  /// The result of following a symlink below the root.
  enum Outcome {
    case inside(FileStatus)
    /// The target is outside the root, where symlinks are allowed to lead.
    case followedOut(FileStatus)
    /// The target is in the folder that the build writes to.
    case output
    case outside(String)
    case nowhere(String)
    /// packtool is not permitted to read the target or a folder that leads to it.
    case closed(String)
    case cycle([String])
    /// The path contains more symlinks than the kernel follows.
    case endless
    /// A file or folder changed while the symlink was followed.
    case changed
  }

  /// The maximum number of symlinks that the kernel follows in one path.
  static let maxLinks = 40

  private let fileSystem: Folder
  /// The components of the root's absolute path, with symlinks resolved.
  private let rootNames: [ArraySlice<UInt8>]
  private let output: FileIdentity?
  /// Whether symlinks can lead out of the root.
  let followsAll: Bool

  init(root: String, leavingOut output: FileIdentity?) throws(SystemError) {
    self.output = output
    followsAll = RunScope.current.followsSymlinks
    fileSystem = try Folder("/")
    rootNames = components(of: try FileOperations.realPath(of: root))
  }

  /// The state of a path that is being followed.
  private struct Resolution {
    /// The components of the absolute path so far, with symlinks resolved.
    var names: [ArraySlice<UInt8>]
    /// The status of the file or folder at that path; nil after a step to a parent folder.
    var status: FileStatus?
    /// The number of components of the output folder's path; nil while the path so far is not inside the
    /// output folder.
    var outputDepth: Int?
    var links: [String] = []
    /// The components that remain to be followed, in reverse order.
    var waiting: [ArraySlice<UInt8>]
  }

  /// Returns the target of a path below the root, following every symlink in the path.
  func resolve(_ path: [UInt8]) throws(SystemError) -> Outcome {
    var resolution = Resolution(names: rootNames, waiting: names(of: path))
    while let name = resolution.waiting.popLast() {
      if let end = try follow(name, on: &resolution) { return end }
    }
    let isInside = resolution.names.starts(with: rootNames)
    guard followsAll || isInside else {
      return .outside("/" + text(resolution.names))
    }
    if resolution.outputDepth != nil { return .output }
    // If a folder was replaced by a symlink after its check, the path could lead anywhere.
    let names = bytes(of: resolution.names)
    guard let status = try fileSystem.statusWithoutLinks(of: names),
      resolution.status == nil || resolution.status?.identity == status.identity
    else { return .changed }
    return isInside ? .inside(status) : .followedOut(status)
  }

  /// Follows one component; nil if there is no result yet.
  private func follow(_ name: ArraySlice<UInt8>, on resolution: inout Resolution) throws(SystemError)
    -> Outcome?
  {
    let place = resolution.names + [name]
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      if let status = resolution.status, status.kind != .folder { return .nowhere(display(place)) }
      if name.count == 2 { leave(&resolution) }
      return nil
    }
    let found: FileStatus
    do throws(SystemError) {
      found = try fileSystem.status(of: bytes(of: place), symlinks: .notFollowed)
    } catch {
      // A name that is too long for any file cannot exist.
      if error.isMissing || error.isTooLong { return .nowhere(display(place)) }
      guard error.isDenied else { throw error }
      return followsAll || resolution.names.starts(with: rootNames)
        ? .closed(display(place)) : .outside(display(place))
    }
    if found.kind == .link { return try follow(linkAt: place, on: &resolution) }
    resolution.names = place
    resolution.status = found
    if found.identity == output && place.count > rootNames.count { resolution.outputDepth = place.count }
    return nil
  }

  private func follow(linkAt place: [ArraySlice<UInt8>], on resolution: inout Resolution) throws(SystemError)
    -> Outcome?
  {
    resolution.links.append(display(place))
    if resolution.links.count > Self.maxLinks {
      return cycle(in: resolution.links).map(Outcome.cycle) ?? .endless
    }
    let target = try fileSystem.target(ofLink: bytes(of: place))
    if target.first == UInt8(ascii: "/") {
      resolution = Resolution(names: [], links: resolution.links, waiting: resolution.waiting)
    }
    resolution.waiting += names(of: target)
    return nil
  }

  /// Moves to the parent folder.
  private func leave(_ resolution: inout Resolution) {
    _ = resolution.names.popLast()
    resolution.status = nil
    if let depth = resolution.outputDepth, resolution.names.count < depth { resolution.outputDepth = nil }
  }

  /// Returns the components of a path in reverse order.
  ///
  /// A trailing slash becomes the component ".".
  private func names(of path: [UInt8]) -> [ArraySlice<UInt8>] {
    let end: [ArraySlice<UInt8>] = path.last == UInt8(ascii: "/") ? [[UInt8(ascii: ".")]] : []
    return end + components(of: path).reversed()
  }

  private func bytes(of names: [ArraySlice<UInt8>]) -> [UInt8] {
    names.isEmpty ? [UInt8(ascii: ".")] : Array(names.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Returns a path for messages.
  ///
  /// If the path is below the root, it is relative to the root.
  private func display(_ names: [ArraySlice<UInt8>]) -> String {
    names.starts(with: rootNames) ? text(names.dropFirst(rootNames.count)) : "/" + text(names)
  }

  private func text(_ names: some Sequence<ArraySlice<UInt8>>) -> String {
    names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }
}

private func components(of path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }

/// Returns the part that repeats in a long list of symlinks; nil if no part repeats.
private func cycle(in links: [String]) -> [String]? {
  guard let last = links.last, let previous = links.dropLast().lastIndex(of: last) else { return nil }
  return Array(links[previous...].dropLast())
}
