import Findings
import System

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
    /// To what became something else while the link was followed.
    case changed
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

  /// How far a path has been followed.
  private struct Way {
    /// The names from the top of the file system, with no link among them.
    var names: [ArraySlice<UInt8>]
    /// What they stand for; nil for a folder that was come back to.
    var status: FileStatus?
    /// How many of the names lead to the output folder, while the way is in it.
    var outputDepth: Int?
    /// The links that were followed.
    var links: [String] = []
  }

  /// What one more name makes of a way.
  private enum Step {
    case further
    /// The name is a link with this text.
    case link([UInt8])
    case end(Outcome)
  }

  /// Where a path below the root leads, every link on the way followed.
  func resolve(_ path: [UInt8]) throws(SystemError) -> Outcome {
    var way = Way(names: rootNames)
    var waiting = names(of: path)
    while let name = waiting.popLast() {
      switch try follow(name, on: &way) {
      case .further: continue
      case .link(let target): waiting += names(of: target)
      case .end(let outcome): return outcome
      }
    }
    guard way.names.starts(with: rootNames) else { return .outside("/" + text(way.names)) }
    if way.outputDepth != nil { return .output }
    // A folder on the way that became a link after it was looked at may have led anywhere.
    let names = bytes(of: way.names)
    guard let status = try fileSystem.statusWithoutLinks(of: names),
      way.status == nil || way.status?.identity == status.identity
    else { return .changed }
    return .inside(status)
  }

  private func follow(_ name: ArraySlice<UInt8>, on way: inout Way) throws(SystemError) -> Step {
    let place = way.names + [name]
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      if let status = way.status, status.kind != .folder { return .end(.nowhere(display(place))) }
      if name.count == 2 { leave(&way) }
      return .further
    }
    let found: FileStatus
    do throws(SystemError) {
      found = try fileSystem.status(of: bytes(of: place), following: false)
    } catch {
      // A name that is too long for any file is one of no file.
      if error.isMissing || error.isTooLong { return .end(.nowhere(display(place))) }
      guard error.isDenied else { throw error }
      return .end(way.names.starts(with: rootNames) ? .closed(display(place)) : .outside(display(place)))
    }
    if found.kind == .link { return try follow(linkAt: place, on: &way) }
    way.names = place
    way.status = found
    if found.identity == output && place.count > rootNames.count { way.outputDepth = place.count }
    return .further
  }

  private func follow(linkAt place: [ArraySlice<UInt8>], on way: inout Way) throws(SystemError) -> Step {
    way.links.append(display(place))
    if way.links.count > Self.mostLinks {
      return .end(circle(in: way.links).map(Outcome.circle) ?? .endless)
    }
    let target = try fileSystem.target(ofLink: bytes(of: place))
    if target.first == UInt8(ascii: "/") { way = Way(names: [], links: way.links) }
    return .link(target)
  }

  /// Goes to the folder above.
  private func leave(_ way: inout Way) {
    _ = way.names.popLast()
    way.status = nil
    if let depth = way.outputDepth, way.names.count < depth { way.outputDepth = nil }
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
