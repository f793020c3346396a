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
  let rootText: String
  /// The names on the way from the folder to the project's.
  private let way: [String]
  private let bounds: SettingsBounds
  /// The number of names on the way to the folder.
  private let depth: Int

  /// The places of paths in a project's folder; `root` is the requested root, nil for the repository.
  ///
  /// - Throws: if a folder does not exist.
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
    rootText = bounds.rootText
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
    let shared = zip(way, components).prefix { $0.isSameInBytes(as: $1) }.count
    let path = Array(repeating: "..", count: way.count - shared) + components.dropFirst(shared)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

extension SettingsBounds {
  /// The names on the way to the project's folder, without links.
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
