import Findings
import PackKit
import System

/// The folders below which files of a project are read: a project may name any file of the machine, messages quote what
/// is read, and packs are published.
struct SettingsBounds {
  /// The content of a file, if it may be read.
  enum Contents {
    case bytes([UInt8])
    case missing
    case noFile
    case tooLong
    /// The file is outside the folders, or a link on the way leads out.
    case outside
  }

  /// The components of the project folder's absolute path, without links.
  let project: [ArraySlice<UInt8>]
  /// The components of the other folder: the repository, or the requested one.
  private let root: [ArraySlice<UInt8>]
  /// The name of that folder in messages.
  let rootText: String

  /// The bounds of a project's folder; `root` is the requested folder, nil for the repository.
  ///
  /// - Throws: if a folder does not exist.
  init(project folder: String, root: String?) throws(SystemError) {
    project = components(of: try FileOperations.realPath(of: folder.isEmpty ? "." : folder))
    if let root {
      self.root = components(of: try FileOperations.realPath(of: root))
    } else {
      self.root = try Self.repository(around: project, typed: folder.isEmpty ? "." : folder)
    }
    rootText = root ?? text(self.root)
  }

  /// Reads a file of at most `limit` bytes by its path from the project's folder.
  func contents(of path: String, limit: Int) throws(SystemError) -> Contents {
    // Checked before any access, so that even the existence of a file outside is not disclosed.
    guard holds(place(of: path)) else { return .outside }
    let real: [ArraySlice<UInt8>]
    do throws(SystemError) {
      let place = path.hasPrefix("/") ? path : "\(text(project))/\(path)"
      real = components(of: try FileOperations.realPath(of: place))
    } catch {
      if error.isMissing || error.isTooLong { return .missing }
      throw error
    }
    guard holds(real) else { return .outside }
    let top = try Folder("/")
    guard let status = try top.statusWithoutLinks(of: joined(real)) else { return .missing }
    guard status.kind == .file else { return .noFile }
    guard let file = try top.openFileWithoutLinks(joined(real)) else { return .missing }
    guard try file.status().kind == .file else { return .noFile }
    return try file.contents(limit: limit).map(Contents.bytes) ?? .tooLong
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
