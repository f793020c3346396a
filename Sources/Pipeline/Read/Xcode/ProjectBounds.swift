import System

/// The folders below which packtool reads files of a project.
///
/// The folders are limited because a project could refer to any file of the machine. Messages quote files,
/// and packs are published.
struct ProjectBounds {
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
    project = names(in: bounds.folder.text)
    // A project outside of any checkout can only use files in its own folder.
    let outer = bounds.outer ?? bounds.folder
    folders = [bounds.folder, outer]
    rootText = requestedRoot ?? outer.text
  }

  /// Returns the components of the absolute path of a project's file, without `..`; nil if the path is
  /// outside the bounds.
  func absoluteComponents(of path: ProjectPath) -> [String]? {
    switch path {
    case .inside(let components): return components.isEmpty ? nil : project + components
    case .outside(let text):
      // A path that begins with a setting is relative to a folder of Xcode or of a build, and packtool does
      // not know this folder.
      if text.hasPrefix("$") { return nil }
      let components = absoluteComponents(of: text)
      return contains(components) ? components : nil
    }
  }

  /// Reads a file of at most `limit` bytes.
  ///
  /// `path` is relative to the project's folder. The result is nil if the file is outside the permitted
  /// folders, or if a symlink in its path leads out of the folders.
  func contents(of path: String, limit: Int) throws(SystemError) -> FileContents? {
    // The path is checked before any access to the file. Otherwise, the result could reveal whether a file
    // outside the folders exists.
    guard contains(absoluteComponents(of: path)) else { return nil }
    let real = try unless {
      $0.isMissing || $0.isTooLong
    } call: { () throws(SystemError) in
      try RealPath(of: path.hasPrefix("/") ? path : "\(text(project))/\(path)")
    }
    guard let real else { return .missing }
    guard RunScope.current.followsSymlinks || contains(real) else { return nil }
    let (top, path) = (try Folder("/"), real.below)
    guard let status = try top.statusWithoutLinks(of: path) else { return .missing }
    guard status.kind == .file else { return .noFile }
    guard let file = try top.openFileWithoutLinks(path) else { return .missing }
    return try FileContents(of: file, limit: limit)
  }

  /// Returns the components of the absolute path, without resolving symlinks.
  private func absoluteComponents(of path: String) -> [String] {
    var components = path.hasPrefix("/") ? [] : project
    for name in names(in: path) where name != "." {
      if name == ".." { _ = components.popLast() } else { components.append(name) }
    }
    return components
  }

  private func contains(_ components: [String]) -> Bool { contains(RealPath(names: components)) }

  private func contains(_ path: RealPath) -> Bool { folders.contains { $0 != path && $0.contains(path) } }
}

private func text(_ names: [String]) -> String { "/" + names.joined(separator: "/") }
