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
  let bounds: SettingsBounds
  /// The names on the way from the folder to the project's.
  private let way: [String]
  /// The number of names on the way to the folder.
  private let depth: Int

  /// The places of paths in a project's folder; `root` is the requested root, nil for the repository.
  init(of paths: [ProjectPath], in projectFolder: String, root: String?) throws(SystemError) {
    let bounds = try SettingsBounds(project: projectFolder, root: root)
    // A folder is reached from the one above it.
    depth = commonFront(of: [bounds.project] + paths.compactMap { bounds.names(of: $0)?.dropLast() }).count
    way = Array(bounds.project.dropFirst(depth))
    folder = joined(
      projectFolder.isEmpty ? "." : projectFolder,
      Array(repeating: "..", count: way.count).joined(separator: "/"))
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
    let path = Findings.way(from: way, to: components)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

/// The folders below which files of a project are read: a project may name any file of the machine, messages quote what
/// is read, and packs are published.
struct SettingsBounds {
  /// The names on the way to the project's folder, without links.
  let project: [String]
  /// The names on the way to the other folder: the repository, or the requested one.
  private let root: [String]
  /// The name of that folder in messages.
  let rootText: String

  /// The bounds of a project's folder; `root` is the requested folder, nil for the repository.
  init(project folder: String, root: String?) throws(SystemError) {
    let folder = folder.isEmpty ? "." : folder
    project = try realNames(of: folder)
    self.root =
      if let root { try realNames(of: root) } else { try Self.repository(around: project, typed: folder) }
    rootText = root ?? text(self.root)
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
    } _: { () throws(SystemError) in
      try realNames(of: path.hasPrefix("/") ? path : "\(text(project))/\(path)")
    }
    guard let real else { return .missing }
    guard holds(real) else { return nil }
    let (top, path) = (try Folder("/"), Array(real.joined(separator: "/").utf8))
    guard let status = try top.statusWithoutLinks(of: path) else { return .missing }
    guard status.kind == .file else { return .noFile }
    guard let file = try top.openFileWithoutLinks(path) else { return .missing }
    return try FileContents(of: file, limit: limit)
  }

  /// The absolute names of a path, without resolving links.
  private func place(of path: String) -> [String] {
    var place = path.hasPrefix("/") ? [] : project
    for name in Projects.names(in: path) where name != "." {
      if name == ".." { _ = place.popLast() } else { place.append(name) }
    }
    return place
  }

  private func holds(_ names: [String]) -> Bool {
    [project, root].contains { names.count > $0.count && commonFront(of: [$0, names]).count == $0.count }
  }

  /// The nearest parent folder with a `.git` (a folder or, in a worktree, a file), else the project's own.
  private static func repository(
    around project: [String], typed folder: String
  ) throws(SystemError) -> [String] {
    if try FileOperations.exists(joined(folder, ".git")) { return project }
    for count in stride(from: project.count - 1, through: 0, by: -1) {
      let folder = Array(project.prefix(count))
      if try FileOperations.exists(text(folder + [".git"])) { return folder }
    }
    return project
  }
}

private func realNames(of path: String) throws(SystemError) -> [String] {
  names(in: String(decoding: try FileOperations.realPath(of: path), as: UTF8.self))
}

private func text(_ names: [String]) -> String { "/" + names.joined(separator: "/") }
