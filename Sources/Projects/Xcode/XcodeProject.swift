package import Findings
package import Formats
import PackKit

/// The objects of a project file, by their id.
package struct XcodeProject: Sendable {
  typealias Node = PlistTree.Node

  let tree: PlistTree
  private var objects: [String: Node] = [:]
  /// The object that stands for the project itself.
  let root: Node

  /// The project of a text; nil, with what is wrong, where it cannot be read.
  ///
  /// Touches no disk.
  package static func read(_ text: SourceText) -> (project: XcodeProject?, diagnostics: [Diagnostic]) {
    let (tree, diagnostics) = OpenStepReader.read(text)
    guard let tree else { return (nil, diagnostics) }
    var mistakes: [Diagnostic] = []
    let project = XcodeProject(tree, &mistakes)
    return (project, diagnostics + mistakes)
  }

  /// Objects with an id that another has which are told one by one.
  private static let mostDoubles = 20

  private init?(_ tree: PlistTree, _ mistakes: inout [Diagnostic]) {
    self.tree = tree
    func report(_ message: String, at node: Node) {
      let place = tree.text.place(at: tree.offset(of: node))
      mistakes.append(Diagnostic(.damagedProject, message, at: place))
    }
    guard let all = tree.value(tree.root, "objects"), tree.isDictionary(all) else {
      report("the project has no dictionary \"objects\"", at: tree.root)
      return nil
    }
    guard let id = tree.string(tree.root, "rootObject") else {
      report("the project does not name its \"rootObject\"", at: tree.root)
      return nil
    }
    var doubles = 0
    let members = tree.members(all)
    objects.reserveCapacity(members.count)
    for (key, value) in members {
      guard let id = tree.string(key) else { continue }
      if !tree.isDictionary(value) {
        report("the object \(quoted(id)) is no dictionary", at: value)
      } else if objects.updateValue(value, forKey: id) != nil {
        // A file that was pasted twice has as many of these as objects.
        doubles += 1
        if doubles <= Self.mostDoubles {
          report("the object \(quoted(id)) stands here again", at: key)
        }
      }
    }
    if doubles > Self.mostDoubles {
      report("\(grouped(doubles - Self.mostDoubles)) more objects stand in the file a second time", at: all)
    }
    guard let root = objects[id] else {
      let place = tree.value(tree.root, "rootObject") ?? tree.root
      report("the root object \(quoted(id)) is not among the objects", at: place)
      return nil
    }
    self.root = root
  }

  func object(_ id: String) -> Node? { objects[id] }

  /// The folder that paths are relative to.
  var folder: ProjectPath {
    ProjectPath.inside([]).appending(tree.string(root, "projectDirPath") ?? "")
  }

  /// Every object of a kind, in the order of the file.
  func objects(ofKind kind: String) -> [(id: String, node: Node)] {
    objects.filter { tree.string($0.value, "isa") == kind }.map { ($0.key, $0.value) }
      .sorted { $0.node < $1.node }
  }

  /// Every object that holds others, with their ids.
  var containers: [(id: String, node: Node, children: [Located<String>])] {
    objects.compactMap { id, node in
      tree.value(node, "children") == nil ? nil : (id, node, tree.strings(node, "children"))
    }.sorted { $0.node < $1.node }
  }

  /// What a message calls an object: its kind, its id and its name.
  func title(of id: String) -> String {
    guard let node = objects[id] else { return "the object \(quoted(id))" }
    let kind = tree.string(node, "isa") ?? "object"
    let name = tree.string(node, "name") ?? tree.string(node, "path")
    return "the \(kind) \(quoted(id))" + (name.map { ", \(quoted($0))" } ?? "")
  }
}

/// What was found while a project was followed, and where.
struct ProjectFindings {
  /// The project, and the files of settings that were read.
  private(set) var text: SourceText
  /// All that was found.
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  init(_ text: SourceText) {
    self.text = text
  }

  mutating func add(_ check: Check, _ message: String, at offset: Int) {
    findings.add(Diagnostic(check, message, at: text.place(at: offset)))
  }

  mutating func add(_ other: [Diagnostic]) { findings.add(other) }

  /// Takes in a file beside the project, and tells the offset of its first byte.
  mutating func include(_ file: SourceText) -> Int { text.append(file) }
}
