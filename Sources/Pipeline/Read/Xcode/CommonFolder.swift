import Formats
import System

/// The folder that contains all files of a project.
///
/// If all files are in the project's folder, it is the project's folder. Otherwise, it is the nearest parent
/// folder that contains all files. Files outside the repository or the requested root have no path.
struct CommonFolder {
  /// The path of the folder, as the user would type it.
  let path: String
  let bounds: ProjectBounds
  /// The path components from the folder to the project's folder.
  private let componentsToProject: [String]
  /// The number of path components of the folder.
  private let depth: Int

  /// Finds the common folder of files.
  ///
  /// `root` is the requested root; nil means the repository.
  init(of paths: [ProjectPath], in projectFolder: String, root: String?) throws(SystemError) {
    let bounds = try ProjectBounds(projectFolder: projectFolder, requestedRoot: root)
    // The last component of each path is not used. An item is opened from its parent folder, so the parent
    // folder must be within the bounds.
    depth =
      commonPrefix(of: [bounds.project] + paths.compactMap { bounds.absoluteComponents(of: $0)?.dropLast() })
      .count
    componentsToProject = Array(bounds.project.dropFirst(depth))
    path = joined(
      projectFolder.isEmpty ? "." : projectFolder,
      Array(repeating: "..", count: componentsToProject.count).joined(separator: "/"))
    self.bounds = bounds
  }

  /// Returns the path of a file relative to the folder; nil if the file is outside the folder, or if only
  /// Xcode knows the file's absolute path.
  func components(of path: ProjectPath) -> [String]? {
    bounds.absoluteComponents(of: path).map { Array($0.dropFirst(depth)) }
  }

  /// Returns the components of the absolute path for a path that is relative to the folder.
  func absoluteComponents(of components: [String]) -> [String] { bounds.project.prefix(depth) + components }

  /// Converts a path that is relative to the folder to a path that is relative to the project's folder.
  func pathFromProject(to components: [String]) -> String {
    let relative = relativeComponents(from: componentsToProject, to: components)
    return relative.isEmpty ? "." : relative.joined(separator: "/")
  }
}
