import Formats
import Model
import System

/// The paths of a project's files and groups.
///
/// The path of an object contains the paths of all groups around the object, so a small project could have
/// extremely long paths. Limits on the depth of groups, on each path and on all paths together keep the work
/// proportional to the project's size.
package struct ProjectPathResolver {
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
        "\(subject()) has a path of \(counted(bytes, of: "byte")); packtool accepts paths of at most "
        + "\(grouped(Self.maxPathSize))"
      report(what, at: offset)
      return false
    }
    namesLeft -= names
    bytesLeft -= bytes
    if namesLeft >= 0 && bytesLeft >= 0 { return true }
    report(
      "the paths of all files and groups together have more than \(grouped(Self.maxNames)) names or "
        + "\(ByteSize.exact(Self.maxBytes)); packtool ignores the paths from here on",
      at: offset, oncePer: "all")
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
