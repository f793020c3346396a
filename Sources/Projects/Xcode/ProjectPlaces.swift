import Findings
import PackKit
import System

/// Where the files of a project are: the folder from which all are reached, and their paths below it.
///
/// It is the project's own folder, or the nearest one above it from which also files beside it are reached. Files
/// outside the repository, or the requested root, have no path.
struct ProjectPlaces {
  /// The folder as the user would type it.
  let folder: String
  /// The name in messages of the folder that no file may be outside of.
  var rootText: String { bounds.rootText }
  /// The names on the way from the folder to the project's.
  private let way: [String]
  private let bounds: SettingsBounds
  /// The number of names on the way to the folder.
  private let depth: Int

  /// The places of paths in a project's folder; `root` is the requested root, nil for the repository.
  init(of paths: [ProjectPath], in projectFolder: String, root: String?) throws(SystemError) {
    let bounds = try SettingsBounds(project: projectFolder, root: root)
    let project = bounds.projectNames
    // A folder is reached from the one above it.
    let shared = paths.compactMap { bounds.names(of: $0)?.dropLast() }.map { names in
      zip(names, project).prefix { $0.isSameInBytes(as: $1) }.count
    }
    depth = min(shared.min() ?? project.count, project.count)
    way = Array(project.dropFirst(depth))
    folder = joined(
      projectFolder.isEmpty ? "." : projectFolder,
      Array(repeating: "..", count: way.count).joined(separator: "/"))
    self.bounds = bounds
  }

  /// The path of a file below the folder; nil if it is outside, or at a place that only Xcode knows.
  func components(of path: ProjectPath) -> [String]? {
    bounds.names(of: path).map { Array($0.dropFirst(depth)) }
  }

  /// The absolute names of a path; nil if it is outside, or at a place that only Xcode knows.
  func names(of path: ProjectPath) -> [String]? { bounds.names(of: path) }

  /// The absolute names of a path below the folder.
  func names(below components: [String]) -> [String] { bounds.projectNames.prefix(depth) + components }

  /// A path below the folder as seen from the project's folder.
  func fromProject(_ components: [String]) -> String {
    let path = Findings.way(from: way, to: components)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

extension SettingsBounds {
  var projectNames: [String] { strings(project) }

  /// The names on the way to a file of the project, without `..`; nil outside the bounds.
  func names(of path: ProjectPath) -> [String]? {
    switch path {
    case .inside(let components): return components.isEmpty ? nil : projectNames + components
    case .outside(let text):
      // A path that begins with a setting is relative to a folder of Xcode's or of a build.
      if text.hasPrefix("$") { return nil }
      let place = place(of: text)
      return holds(place) ? strings(place) : nil
    }
  }

  private func strings(_ names: [ArraySlice<UInt8>]) -> [String] {
    names.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The folders below which files of a project are read: a project may name any file of the machine, messages quote what
/// is read, and packs are published.
struct SettingsBounds {

  /// The components of the project folder's absolute path, without links.
  let project: [ArraySlice<UInt8>]
  /// The components of the other folder: the repository, or the requested one.
  private let root: [ArraySlice<UInt8>]
  /// The name of that folder in messages.
  let rootText: String

  /// The bounds of a project's folder; `root` is the requested folder, nil for the repository.
  init(project folder: String, root: String?) throws(SystemError) {
    project = components(of: try FileOperations.realPath(of: folder.isEmpty ? "." : folder))
    if let root {
      self.root = components(of: try FileOperations.realPath(of: root))
    } else {
      self.root = try Self.repository(around: project, typed: folder.isEmpty ? "." : folder)
    }
    rootText = root ?? text(self.root)
  }

  /// Reads a file of at most `limit` bytes by its path from the project's folder; nil if it is outside the folders, or a
  /// link on the way leads out.
  func contents(of path: String, limit: Int) throws(SystemError) -> FileContents? {
    // Checked before any access, so that even the existence of a file outside is not disclosed.
    guard holds(place(of: path)) else { return nil }
    let place = path.hasPrefix("/") ? path : "\(text(project))/\(path)"
    let real = try unless {
      $0.isMissing || $0.isTooLong
    } _: { () throws(SystemError) in
      components(of: try FileOperations.realPath(of: place))
    }
    guard let real else { return .missing }
    guard holds(real) else { return nil }
    let top = try Folder("/")
    guard let status = try top.statusWithoutLinks(of: joined(real)) else { return .missing }
    guard status.kind == .file else { return .noFile }
    guard let file = try top.openFileWithoutLinks(joined(real)) else { return .missing }
    return try FileContents(of: file, limit: limit)
  }

  /// The absolute components of a path, without resolving links.
  func place(of path: String) -> [ArraySlice<UInt8>] {
    var names = path.hasPrefix("/") ? [] : project
    for name in components(of: Array(path.utf8)) where !name.elementsEqual(".".utf8) {
      if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(name) }
    }
    return names
  }

  func holds(_ names: [ArraySlice<UInt8>]) -> Bool {
    [project, root].contains { names.count > $0.count && names.starts(with: $0) }
  }

  /// The nearest parent folder with a `.git` (a folder or, in a worktree, a file), else the project's own.
  private static func repository(
    around project: [ArraySlice<UInt8>], typed folder: String
  ) throws(SystemError) -> [ArraySlice<UInt8>] {
    if try FileOperations.exists(joined(folder, ".git")) { return project }
    for count in stride(from: project.count - 1, through: 0, by: -1) {
      let folder = Array(project.prefix(count))
      if try FileOperations.exists(text(folder + [Array(".git".utf8)[...]])) { return folder }
    }
    return project
  }
}

private func components(of path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }

private func joined(_ names: [ArraySlice<UInt8>]) -> [UInt8] {
  Array(names.joined(separator: [UInt8(ascii: "/")]))
}

private func text(_ names: [ArraySlice<UInt8>]) -> String {
  "/" + String(decoding: joined(names), as: UTF8.self)
}
