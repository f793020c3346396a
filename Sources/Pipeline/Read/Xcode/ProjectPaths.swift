import Formats
import Model
import System

/// The paths of a project's files and groups.
///
/// A path is made of those of all groups around it, so that a short project could have long paths without end. Limits on
/// the depth of groups, on a path and on all paths together keep their making about as long as the project.
package struct ProjectPaths {
  private let project: XcodeProject
  /// The group of each object; the first if several list it.
  private var parents: [String: String] = [:]
  private var known: [String: Known] = [:]
  private var namesLeft = Self.maxNames
  private var bytesLeft = Self.maxBytes
  /// The kinds of excess that have been reported, each of which is reported once.
  private var reported: Set<String> = []

  /// The path of an object whose group's is known.
  private struct Known {
    /// Nil if a limit is exceeded.
    let path: ProjectPath?
    /// The number of groups around the object.
    let depth: Int
  }

  /// The deepest nesting of groups.
  package static let deepestGroup = 256
  /// The largest size of a path in bytes: the systems that Xcode and packtool run on open no longer one.
  package static let maxPathSize = 4096
  /// The largest number of names in the paths of all files and groups.
  package static let maxNames = 4 << 20
  /// The largest total size of all paths in bytes.
  package static let maxBytes = 64 << 20

  init(_ project: XcodeProject) {
    self.project = project
    for (id, node) in project.objects(where: { project.tree.value($0, key: "children") != nil }) {
      for child in project.tree.strings(node, key: "children") where parents[child.value] == nil {
        parents[child.value] = id
      }
    }
  }

  /// The path of an object; nil, with a finding, if groups form a cycle or a limit is exceeded.
  mutating func path(of id: String) -> ProjectPath? {
    var chain: [String] = []
    var seen: Set<String> = []
    var next: String? = id
    while let id = next {
      if let above = known[id] { return unwind(chain, from: above) }
      guard seen.insert(id).inserted else {
        reportCycle(chain, at: id)
        return nil
      }
      if let own = ownPath(of: id) {
        let top = Known(path: admitted(own, of: id), depth: 0)
        known[id] = top
        return unwind(chain, from: top)
      }
      chain.append(id)
      next = parents[id]
    }
    return unwind(chain, from: Known(path: project.folder, depth: 0))
  }

  /// Whether a path is within the limits, which it is counted towards; otherwise the excess is reported.
  mutating func admits(_ path: ProjectPath, of subject: @autoclosure () -> String, at offset: Int) -> Bool {
    let (names, bytes) = path.extent
    if bytes > Self.maxPathSize {
      let what =
        "\(subject()) has a path of \(counted(bytes, of: "byte")), at most \(grouped(Self.maxPathSize)) are followed"
      report(what, at: offset)
      return false
    }
    namesLeft -= names
    bytesLeft -= bytes
    if namesLeft >= 0 && bytesLeft >= 0 { return true }
    report(
      "the paths of all files and groups have more than \(grouped(Self.maxNames)) names or "
        + "\(ByteSize.exact(Self.maxBytes)); those from here on are not followed", at: offset, oncePer: "all")
    return false
  }

  private mutating func admitted(_ path: ProjectPath, of id: String) -> ProjectPath? {
    let project = project
    let offset = project.object(id).map { project.tree.offset(of: $0) } ?? 0
    return admits(path, of: project.title(of: id), at: offset) ? path : nil
  }

  private mutating func report(
    _ message: @autoclosure () -> String, at offset: Int, oncePer kind: String = "path"
  ) {
    if reported.insert(kind).inserted { project.findings.add(.projectSyntax, message: message(), at: offset) }
  }

  /// Computes the paths of a chain of groups, from a known one down.
  private mutating func unwind(_ chain: [String], from top: Known) -> ProjectPath? {
    let project = project
    var above = top
    for id in chain.reversed() {
      var path = above.path
      if above.depth >= Self.deepestGroup {
        if path != nil {
          report(
            "groups lie more than \(Self.deepestGroup) levels deep, at \(project.title(of: id))",
            at: project.object(id).map { project.tree.offset(of: $0) } ?? 0, oncePer: "depth")
        }
        path = nil
      }
      let own = project.object(id).flatMap { project.tree.string($0, key: "path") } ?? ""
      if let parent = path, !own.isEmpty { path = admitted(parent.appending(own), of: id) }
      above = Known(path: path, depth: above.depth + 1)
      known[id] = above
    }
    return above.path
  }

  /// The path of an object that is independent of its group; nil if it is not.
  private func ownPath(of id: String) -> ProjectPath? {
    guard let node = project.object(id) else { return nil }
    let own = project.tree.string(node, key: "path") ?? ""
    switch project.tree.string(node, key: "sourceTree") ?? "<group>" {
    case "<group>": return nil
    case "SOURCE_ROOT": return project.folder.appending(own)
    case "<absolute>": return .outside(own)
    case let tree: return .outside("$(\(tree))/\(own)")
    }
  }

  private func reportCycle(_ chain: [String], at id: String) {
    let cycle = chain.drop { $0 != id }
    let names = (cycle.prefix(10) + [id]).map { quoted($0) }.joined(separator: " in ")
    let node = project.object(id) ?? project.root
    project.findings.add(
      .damagedProject, message: "groups lie within one another in a circle: \(names)",
      at: project.tree.offset(of: node))
  }
}

enum ProjectPath: Sendable, Hashable {
  /// Below the folder of the project, without `.` and `..`.
  case inside([String])
  case outside(String)

  /// This path extended by another, which may be absolute.
  func appending(_ path: String) -> ProjectPath {
    if path.utf8.first == UInt8(ascii: "/") { return .outside(path) }
    guard case .inside(var components) = self else {
      guard case .outside(let folder) = self, !path.isEmpty else { return self }
      return .outside("\(folder)/\(path)")
    }
    var above = 0
    for part in names(in: path) where part != "." {
      if part != ".." {
        components.append(part)
      } else if components.popLast() == nil {
        above += 1
      }
    }
    if above == 0 { return .inside(components) }
    return .outside((Array(repeating: "..", count: above) + components).joined(separator: "/"))
  }

  /// The number of names, and the size in bytes with a slash for each.
  var extent: (names: Int, bytes: Int) {
    switch self {
    case .inside(let components): (components.count, components.reduce(0) { $0 + $1.utf8.count + 1 })
    case .outside(let path): (path.utf8.count { $0 == UInt8(ascii: "/") } + 1, path.utf8.count)
    }
  }

  var folder: ProjectPath {
    switch self {
    case .inside(let components): .inside(components.dropLast())
    case .outside(let path): .outside(folderPath(of: path))
    }
  }

  /// The names on the way to it.
  var components: [String] {
    switch self {
    case .inside(let components): components
    case .outside(let path): names(in: path)
    }
  }

  /// The language folder that a file is in, such as `en.lproj`; nil outside of one.
  var region: String? {
    guard let folder = components.dropLast().last else { return nil }
    return folder.hasSuffix(".lproj") ? folder : nil
  }

  var text: String {
    switch self {
    case .inside(let components): components.isEmpty ? "." : components.joined(separator: "/")
    case .outside(let path): path
    }
  }
}

/// The names that a path is made of.
func names(in path: String) -> [String] { path.unicodeScalars.split(separator: "/").map(String.init) }

/// The names that all ways begin with; none if there is no way.
func commonPrefix(of paths: [[String]]) -> [String] {
  paths.dropFirst().reduce(paths.first ?? []) { common, names in
    Array(common.prefix(zip(common, names).prefix { $0.isSameInBytes(as: $1) }.count))
  }
}

/// Where the files of a project are: the folder from which all are reached, and their paths below it.
///
/// It is the project's own folder, or the nearest one above it from which also files beside it are reached. Files
/// outside the repository, or the requested root, have no path.
struct ProjectPlaces {
  /// The folder as the user would type it.
  let folder: String
  let bounds: SettingsBounds
  /// The names on the way from the folder to the project's.
  private let names: [String]
  /// The number of names on the way to the folder.
  private let depth: Int

  /// The places of paths in a project's folder; `root` is the requested root, nil for the repository.
  init(of paths: [ProjectPath], in projectFolder: String, root: String?) throws(SystemError) {
    let bounds = try SettingsBounds(projectFolder: projectFolder, requestedRoot: root)
    // A folder is reached from the one above it.
    depth = commonPrefix(of: [bounds.project] + paths.compactMap { bounds.names(of: $0)?.dropLast() }).count
    names = Array(bounds.project.dropFirst(depth))
    folder = joined(
      projectFolder.isEmpty ? "." : projectFolder,
      Array(repeating: "..", count: names.count).joined(separator: "/"))
    self.bounds = bounds
  }

  /// The path of a file below the folder; nil if it is outside, or at a place that only Xcode knows.
  func components(of path: ProjectPath) -> [String]? {
    bounds.names(of: path).map { Array($0.dropFirst(depth)) }
  }

  /// The absolute names of a path below the folder.
  func names(below components: [String]) -> [String] { bounds.project.prefix(depth) + components }

  /// A path below the folder as seen from the project's folder.
  func fromProject(_ components: [String]) -> String {
    let path = relativeComponents(from: names, to: components)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

/// The folders below which files of a project are read: a project may name any file of the machine, messages quote what
/// is read, and packs are published.
struct SettingsBounds {
  /// The names on the way to the project's folder, without links.
  let project: [String]
  /// The project's folder, and the other one: the checkout around it, or the requested folder.
  private let folders: [RealPath]
  /// The name of the other folder in messages.
  let rootText: String

  /// The bounds of a project's folder; `requestedRoot` is the requested folder, nil for the checkout.
  init(projectFolder folder: String, requestedRoot: String?) throws(SystemError) {
    let bounds = try InputBounds(ofInputsIn: folder, requestedRoot: requestedRoot)
    project = Pipeline.names(in: bounds.folder.text)
    // A project outside of any checkout names files of its own folder only.
    let outer = bounds.outer ?? bounds.folder
    folders = [bounds.folder, outer]
    rootText = requestedRoot ?? outer.text
  }

  /// The names on the way to a file of the project, without `..`; nil outside the bounds.
  func names(of path: ProjectPath) -> [String]? {
    switch path {
    case .inside(let components): return components.isEmpty ? nil : project + components
    case .outside(let text):
      // A path that begins with a setting is relative to a folder of Xcode's or of a build.
      if text.hasPrefix("$") { return nil }
      let place = place(of: text)
      return holds(place) ? place : nil
    }
  }

  /// Reads a file of at most `limit` bytes by its path from the project's folder; nil if it is outside the folders, or a
  /// link on the way leads out.
  func contents(of path: String, limit: Int) throws(SystemError) -> FileContents? {
    // Checked before any access, so that even the existence of a file outside is not disclosed.
    guard holds(place(of: path)) else { return nil }
    let real = try unless {
      $0.isMissing || $0.isTooLong
    } call: { () throws(SystemError) in
      try RealPath(of: path.hasPrefix("/") ? path : "\(text(project))/\(path)")
    }
    guard let real else { return .missing }
    guard holds(real) else { return nil }
    let (top, path) = (try Folder("/"), real.below)
    guard let status = try top.statusWithoutLinks(of: path) else { return .missing }
    guard status.kind == .file else { return .noFile }
    guard let file = try top.openFileWithoutLinks(path) else { return .missing }
    return try FileContents(of: file, limit: limit)
  }

  /// The absolute names of a path, without resolving links.
  private func place(of path: String) -> [String] {
    var place = path.hasPrefix("/") ? [] : project
    for name in Pipeline.names(in: path) where name != "." {
      if name == ".." { _ = place.popLast() } else { place.append(name) }
    }
    return place
  }

  private func holds(_ names: [String]) -> Bool { holds(RealPath(names: names)) }

  private func holds(_ path: RealPath) -> Bool { folders.contains { $0 != path && $0.holds(path) } }
}

/// The names on the way to a path, without links.
func realNames(of path: String) throws(SystemError) -> [String] {
  names(in: String(decoding: try FileOperations.realPath(of: path), as: UTF8.self))
}

private func text(_ names: [String]) -> String { "/" + names.joined(separator: "/") }
