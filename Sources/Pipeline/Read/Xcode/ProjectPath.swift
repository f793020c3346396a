import Formats
import System

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

/// Returns the components of a path after all symlinks in it are resolved.
func realNames(of path: String) throws(SystemError) -> [String] {
  names(in: String(decoding: try FileOperations.realPath(of: path), as: UTF8.self))
}
