import Archiving

/// Follows symbolic links by hand, to tell where they lead and through what.
struct LinkResolver: Sendable {
  /// Where a link below the root leads.
  enum Outcome {
    case inside(FileStatus)
    case outside(String)
    case nowhere(String)
    /// The links of a circle, or of a chain longer than the kernel follows.
    case circle([String])
  }

  /// Links that the kernel follows in one path before it gives up.
  private static let mostLinks = 40

  private let fileSystem: Folder
  /// The names on the way from the top of the file system to the root, with no link among them.
  private let rootNames: [ArraySlice<UInt8>]

  init(root: String) throws(SystemError) {
    fileSystem = try Folder("/")
    rootNames = components(of: try FileOperations.realPath(of: root))
  }

  /// Where a path below the root leads, every link on the way followed.
  func resolve(_ path: [UInt8]) throws(SystemError) -> Outcome {
    var resolved = rootNames
    var waiting = Array(components(of: path).reversed())
    var links: [String] = []
    var status: FileStatus?
    while let name = waiting.popLast() {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        _ = resolved.popLast()
        status = nil
        continue
      }
      let path = Array((resolved + [name]).joined(separator: [UInt8(ascii: "/")]))
      let found: FileStatus
      do throws(SystemError) {
        found = try fileSystem.status(of: path, following: false)
      } catch {
        if error.isMissing { return .nowhere(display(resolved + [name])) }
        throw error
      }
      guard found.kind == .link else {
        resolved.append(name)
        status = found
        continue
      }
      links.append(display(resolved + [name]))
      if links.count > Self.mostLinks { return .circle(circle(in: links)) }
      let target = try fileSystem.target(ofLink: path)
      if target.first == UInt8(ascii: "/") { resolved = [] }
      waiting += components(of: target).reversed()
    }
    guard resolved.starts(with: rootNames) else { return .outside("/" + text(resolved)) }
    if let status { return .inside(status) }
    return .inside(try fileSystem.status(of: Array(text(resolved).utf8), following: false))
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

/// The part of a long list of links that comes again and again, each once.
private func circle(in links: [String]) -> [String] {
  guard let last = links.last, let previous = links.dropLast().lastIndex(of: last) else { return links }
  return Array(links[previous...])
}
