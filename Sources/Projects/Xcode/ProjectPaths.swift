import Findings
import Formats
import PackKit

/// The paths of a project's files and groups.
struct ProjectPaths {
  private let project: XcodeProject
  /// The group of each object; the first if several list it.
  private var parents: [String: String] = [:]
  private var known: [String: ProjectPath] = [:]

  init(_ project: XcodeProject) {
    self.project = project
    for (id, node) in project.objects(where: { project.tree.value($0, "children") != nil }) {
      for child in project.tree.strings(node, "children") where parents[child.value] == nil {
        parents[child.value] = id
      }
    }
  }

  /// The path of an object; nil, with a finding, if groups form a cycle.
  mutating func path(of id: String) -> ProjectPath? {
    var chain: [String] = []
    var seen: Set<String> = []
    var next: String? = id
    var path: ProjectPath?
    while let id = next, path == nil {
      if let path = known[id] { return unwind(chain, from: path) }
      guard seen.insert(id).inserted else {
        reportCircle(chain, at: id)
        return nil
      }
      chain.append(id)
      path = ownPath(of: id)
      next = parents[id]
    }
    if path != nil { known[chain.removeLast()] = path }
    return unwind(chain, from: path ?? project.folder)
  }

  /// Computes the paths of a chain of groups, from a known one down.
  private mutating func unwind(_ chain: [String], from top: ProjectPath) -> ProjectPath {
    var path = top
    for id in chain.reversed() {
      if let own = project.object(id).flatMap({ project.tree.string($0, "path") }) {
        path = path.appending(own)
      }
      known[id] = path
    }
    return path
  }

  /// The path of an object that is independent of its group; nil if it is not.
  private func ownPath(of id: String) -> ProjectPath? {
    guard let node = project.object(id) else { return nil }
    let own = project.tree.string(node, "path") ?? ""
    switch project.tree.string(node, "sourceTree") ?? "<group>" {
    case "<group>": return nil
    case "SOURCE_ROOT": return project.folder.appending(own)
    case "<absolute>": return .outside(own)
    case let tree: return .outside("$(\(tree))/\(own)")
    }
  }

  private func reportCircle(_ chain: [String], at id: String) {
    let circle = chain.drop { $0 != id }
    let way = (circle.prefix(10) + [id]).map { quoted($0) }.joined(separator: " in ")
    let node = project.object(id) ?? project.root
    project.findings.add(
      .damagedProject, "groups lie within one another in a circle: \(way)", at: project.tree.offset(of: node))
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
func commonFront(of ways: [[String]]) -> [String] {
  ways.dropFirst().reduce(ways.first ?? []) { common, way in
    Array(common.prefix(zip(common, way).prefix { $0.isSameInBytes(as: $1) }.count))
  }
}
