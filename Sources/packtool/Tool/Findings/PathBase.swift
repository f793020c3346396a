import Findings
import System

/// The folder that paths in reports for services are relative to: GitHub's workspace, or else the current folder.
struct PathBase: Sendable {
  /// The absolute path; empty if the current folder has none.
  let folder: String
  /// Whether it is GitHub's workspace.
  let isWorkspace: Bool
  /// The absolute path of the current folder.
  private let current: String

  /// The workspace only counts for a run inside of it.
  init(_ environment: [String: String]) {
    let current = Self.absolute(".") ?? ""
    let workspace = environment["GITHUB_WORKSPACE"].flatMap(Self.absolute)
    isWorkspace = workspace.map { current == $0 || current.hasPrefix($0 + "/") } ?? false
    folder = isWorkspace ? workspace ?? current : current
    self.current = current
  }

  /// A path relative to the base; nil if it leads elsewhere.
  func relative(_ path: String) -> String? {
    let whole = absolute(path)
    guard !folder.isEmpty, whole.utf8.count > folder.utf8.count + 1, whole.hasPrefix(folder + "/") else {
      return nil
    }
    return String(whole.dropFirst(folder.count + 1))
  }

  /// The absolute path without "." and "..", which a file need not exist for.
  func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : "\(current)/\(path)").split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func absolute(_ path: String) -> String? {
    (try? FileOperations.realPath(of: path)).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
