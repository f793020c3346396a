import Formats
import Model
import System

/// The paths of a project's files and groups.
///
/// The path of an object contains the paths of all groups around the object, so a small project could have
/// extremely long paths. Limits on the depth of groups, on each path and on all paths together keep the work
/// proportional to the project's size.
package struct ProjectPaths {
  private let project: XcodeProject
  /// The group of each object.
  ///
  /// If several groups list an object, it is the first of these groups.
  private var parents: [String: String] = [:]
  private var known: [String: Known] = [:]
  private var namesLeft = Self.maxNames
  private var bytesLeft = Self.maxBytes
  /// The kinds of exceeded limits that have been reported; each kind is reported only once.
  private var reported: Set<String> = []

  /// The path of an object that has already been computed.
  private struct Known {
    /// The path; nil if a limit is exceeded.
    let path: ProjectPath?
    /// The number of groups that the object is nested in.
    let depth: Int
  }

  /// The maximum depth to which groups can be nested.
  package static let deepestGroup = 256
  /// The maximum size of a path in bytes.
  ///
  /// No system on which Xcode or packtool runs can open a longer path.
  package static let maxPathSize = 4096
  /// The maximum total number of components in the paths of all files and groups.
  package static let maxNames = 4 << 20
  /// The maximum total size of all paths in bytes.
  package static let maxBytes = 64 << 20

  init(_ project: XcodeProject) {
    self.project = project
    for (id, node) in project.objects(where: { project.tree.value($0, key: "children") != nil }) {
      for child in project.tree.strings(node, key: "children") where parents[child.value] == nil {
        parents[child.value] = id
      }
    }
  }

  /// Returns the path of an object.
  ///
  /// If groups form a cycle or a limit is exceeded, it reports a finding and returns nil.
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

  /// Adds the size of a path to the totals and returns whether they are within the limits.
  ///
  /// If a limit is exceeded, the function reports this.
  mutating func admits(_ path: ProjectPath, of subject: @autoclosure () -> String, at offset: Int) -> Bool {
    let (names, bytes) = path.extent
    if bytes > Self.maxPathSize {
      let what =
        "\(subject()) has a path of \(counted(bytes, of: "byte")); packtool follows paths of at most "
        + "\(grouped(Self.maxPathSize))"
      report(what, at: offset)
      return false
    }
    namesLeft -= names
    bytesLeft -= bytes
    if namesLeft >= 0 && bytesLeft >= 0 { return true }
    report(
      "the paths of all files and groups have more than \(grouped(Self.maxNames)) names or "
        + "\(ByteSize.exact(Self.maxBytes)); packtool does not follow those from here "
        + "on", at: offset, oncePer: "all")
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

  /// Computes the paths of a chain of groups, from a known path downward.
  private mutating func unwind(_ chain: [String], from top: Known) -> ProjectPath? {
    let project = project
    var above = top
    for id in chain.reversed() {
      var path = above.path
      if above.depth >= Self.deepestGroup {
        if path != nil {
          report(
            "groups are nested more than \(Self.deepestGroup) levels deep, at \(project.title(of: id))",
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

  /// Returns the path of an object if the path does not depend on the object's group; otherwise nil.
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
      .damagedProject, message: "groups contain each other in a circle: \(names)",
      at: project.tree.offset(of: node))
  }
}

enum ProjectPath: Sendable, Hashable {
  /// A path relative to the folder of the project, without `.` components.
  case inside([String])
  case outside(String)

  /// Returns this path with another path appended.
  ///
  /// If the other path is absolute, it replaces this path.
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

  /// The number of components, and the size in bytes with a slash for each component.
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

  /// The components of the path.
  var components: [String] {
    switch self {
    case .inside(let components): components
    case .outside(let path): names(in: path)
    }
  }

  /// The language folder that a file is in, such as `en.lproj`; nil if the file is in no language folder.
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

/// Returns the components of a path.
func names(in path: String) -> [String] { path.unicodeScalars.split(separator: "/").map(String.init) }

/// Returns the components that all paths begin with; empty if there are no paths.
func commonPrefix(of paths: [[String]]) -> [String] {
  paths.dropFirst().reduce(paths.first ?? []) { common, names in
    Array(common.prefix(zip(common, names).prefix { $0.isSameInBytes(as: $1) }.count))
  }
}

/// The places of a project's files: the folder that contains all files, and the files' paths relative to this
/// folder.
///
/// If all files are in the project's folder, the folder is the project's folder. Otherwise, it is the nearest
/// parent folder that contains all files. Files outside the repository or the requested root have no path.
struct ProjectPlaces {
  /// The path of the folder, as the user would type it.
  let folder: String
  let bounds: SettingsBounds
  /// The path components from the folder to the project's folder.
  private let names: [String]
  /// The number of path components of the folder.
  private let depth: Int

  /// Finds the places of files.
  ///
  /// `root` is the requested root; nil means the repository.
  init(of paths: [ProjectPath], in projectFolder: String, root: String?) throws(SystemError) {
    let bounds = try SettingsBounds(projectFolder: projectFolder, requestedRoot: root)
    // The last component of each path is not used. An item is opened from its parent folder, so the parent
    // folder must be within the bounds.
    depth = commonPrefix(of: [bounds.project] + paths.compactMap { bounds.names(of: $0)?.dropLast() }).count
    names = Array(bounds.project.dropFirst(depth))
    folder = joined(
      projectFolder.isEmpty ? "." : projectFolder,
      Array(repeating: "..", count: names.count).joined(separator: "/"))
    self.bounds = bounds
  }

  /// Returns the path of a file relative to the folder; nil if the file is outside the folder, or if only
  /// Xcode knows the file's absolute path.
  func components(of path: ProjectPath) -> [String]? {
    bounds.names(of: path).map { Array($0.dropFirst(depth)) }
  }

  /// Returns the components of the absolute path for a path that is relative to the folder.
  func names(below components: [String]) -> [String] { bounds.project.prefix(depth) + components }

  /// Converts a path that is relative to the folder to a path that is relative to the project's folder.
  func fromProject(_ components: [String]) -> String {
    let path = relativeComponents(from: names, to: components)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

/// The folders below which packtool reads files of a project.
///
/// The folders are limited because a project could refer to any file of the machine. Messages quote files,
/// and packs are published.
struct SettingsBounds {
  /// The components of the absolute path of the project's folder, with symlinks resolved.
  let project: [String]
  /// The project's folder, and either the requested folder or the checkout that contains the project.
  private let folders: [RealPath]
  /// The words with which messages describe the checkout or the requested folder.
  let rootText: String

  /// Creates the bounds for a project's folder.
  ///
  /// `requestedRoot` is the folder that the user requests; nil means the checkout.
  init(projectFolder folder: String, requestedRoot: String?) throws(SystemError) {
    let bounds = try InputBounds(ofInputsIn: folder, requestedRoot: requestedRoot)
    project = Pipeline.names(in: bounds.folder.text)
    // A project outside of any checkout can only use files in its own folder.
    let outer = bounds.outer ?? bounds.folder
    folders = [bounds.folder, outer]
    rootText = requestedRoot ?? outer.text
  }

  /// Returns the components of the absolute path of a project's file, without `..`; nil if the path is
  /// outside the bounds.
  func names(of path: ProjectPath) -> [String]? {
    switch path {
    case .inside(let components): return components.isEmpty ? nil : project + components
    case .outside(let text):
      // A path that begins with a setting is relative to a folder of Xcode or of a build, and packtool does
      // not know this folder.
      if text.hasPrefix("$") { return nil }
      let place = place(of: text)
      return holds(place) ? place : nil
    }
  }

  /// Reads a file of at most `limit` bytes.
  ///
  /// `path` is relative to the project's folder. The result is nil if the file is outside the permitted
  /// folders, or if a symlink in its path leads out of the folders.
  func contents(of path: String, limit: Int) throws(SystemError) -> FileContents? {
    // The path is checked before any access to the file. Otherwise, the result could reveal whether a file
    // outside the folders exists.
    guard holds(place(of: path)) else { return nil }
    let real = try unless {
      $0.isMissing || $0.isTooLong
    } call: { () throws(SystemError) in
      try RealPath(of: path.hasPrefix("/") ? path : "\(text(project))/\(path)")
    }
    guard let real else { return .missing }
    guard RunScope.current.followsSymlinks || holds(real) else { return nil }
    let (top, path) = (try Folder("/"), real.below)
    guard let status = try top.statusWithoutLinks(of: path) else { return .missing }
    guard status.kind == .file else { return .noFile }
    guard let file = try top.openFileWithoutLinks(path) else { return .missing }
    return try FileContents(of: file, limit: limit)
  }

  /// Returns the components of the absolute path, without resolving symlinks.
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

/// Returns the components of a path after all symlinks in it are resolved.
func realNames(of path: String) throws(SystemError) -> [String] {
  names(in: String(decoding: try FileOperations.realPath(of: path), as: UTF8.self))
}

private func text(_ names: [String]) -> String { "/" + names.joined(separator: "/") }
