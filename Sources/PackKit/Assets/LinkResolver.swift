import Archiving

/// Follows symbolic links by hand, to tell where they lead and through what.
struct LinkResolver: Sendable {
  /// Where a link below the root leads.
  enum Outcome {
    case inside(FileStatus)
    /// Into the folder that the build writes to.
    case output
    case outside(String)
    case nowhere(String)
    /// To or through what may not be read.
    case closed(String)
    /// The links of a circle.
    case circle([String])
    /// Through more links than the kernel follows.
    case endless
  }

  /// Links that the kernel follows in one path before it gives up.
  static let mostLinks = 40

  private let fileSystem: Folder
  /// The names on the way from the top of the file system to the root, with no link among them.
  private let rootNames: [ArraySlice<UInt8>]
  private let output: FileIdentity?

  init(root: String, output: FileIdentity?) throws(SystemError) {
    self.output = output
    fileSystem = try Folder("/")
    rootNames = components(of: try FileOperations.realPath(of: root))
  }

  /// Where a path below the root leads, every link on the way followed.
  func resolve(_ path: [UInt8]) throws(SystemError) -> Outcome {
    var resolved = rootNames
    var waiting = names(of: path)
    var links: [String] = []
    /// What `resolved` stands for; nil for a folder that was come back to.
    var status: FileStatus?
    /// How many of the names lead to the output folder, while the way is in it.
    var outputDepth: Int?
    while let name = waiting.popLast() {
      if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
        if let status, status.kind != .folder { return .nowhere(display(resolved + [name])) }
        if name.count == 1 { continue }
        _ = resolved.popLast()
        status = nil
        if let depth = outputDepth, resolved.count < depth { outputDepth = nil }
        continue
      }
      let path = bytes(of: resolved + [name])
      let found: FileStatus
      do throws(SystemError) {
        found = try fileSystem.status(of: path, following: false)
      } catch {
        let place = display(resolved + [name])
        // A name that is too long for any file is one of no file.
        if error.isMissing || error.isTooLong { return .nowhere(place) }
        if error.isDenied { return resolved.starts(with: rootNames) ? .closed(place) : .outside(place) }
        throw error
      }
      guard found.kind == .link else {
        resolved.append(name)
        status = found
        if found.identity == output && resolved.count > rootNames.count { outputDepth = resolved.count }
        continue
      }
      links.append(display(resolved + [name]))
      if links.count > Self.mostLinks { return circle(in: links).map(Outcome.circle) ?? .endless }
      let target = try fileSystem.target(ofLink: path)
      if target.first == UInt8(ascii: "/") {
        resolved = []
        status = nil
        outputDepth = nil
      }
      waiting += names(of: target)
    }
    guard resolved.starts(with: rootNames) else { return .outside("/" + text(resolved)) }
    if outputDepth != nil { return .output }
    if let status { return .inside(status) }
    return .inside(try fileSystem.status(of: bytes(of: resolved), following: false))
  }

  /// The names of a path, the first one last; a slash at the end is the folder itself.
  private func names(of path: [UInt8]) -> [ArraySlice<UInt8>] {
    let end: [ArraySlice<UInt8>] = path.last == UInt8(ascii: "/") ? [[UInt8(ascii: ".")]] : []
    return end + components(of: path).reversed()
  }

  private func bytes(of names: [ArraySlice<UInt8>]) -> [UInt8] {
    names.isEmpty ? [UInt8(ascii: ".")] : Array(names.joined(separator: [UInt8(ascii: "/")]))
  }

  /// A path as messages show it: below the root without what leads there.
  private func display(_ names: [ArraySlice<UInt8>]) -> String {
    names.starts(with: rootNames) ? text(names.dropFirst(rootNames.count)) : "/" + text(names)
  }

  private func text(_ names: some Sequence<ArraySlice<UInt8>>) -> String {
    names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }
}

private func components(of path: [UInt8]) -> [ArraySlice<UInt8>] {
  path.split(separator: UInt8(ascii: "/"))
}

/// The part of a long list of links that comes again and again, each once; nil where none does.
private func circle(in links: [String]) -> [String]? {
  guard let last = links.last, let previous = links.dropLast().lastIndex(of: last) else { return nil }
  return Array(links[previous...].dropLast())
}
