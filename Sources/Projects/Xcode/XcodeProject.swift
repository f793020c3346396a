package import Findings
package import Formats
import PackKit

/// The objects of a project file, by their id.
package struct XcodeProject: Sendable {
  typealias Node = PlistTree.Node

  let tree: PlistTree
  private var objects: [String: Node] = [:]
  /// The object of the project itself.
  let root: Node

  /// Reads a project from its text, and no file; nil, with findings, if that is impossible.
  package static func read(_ text: SourceText) -> (project: XcodeProject?, diagnostics: [Diagnostic]) {
    let (tree, diagnostics) = OpenStepReader.read(text)
    guard let tree else { return (nil, diagnostics) }
    var mistakes: [Diagnostic] = []
    let project = XcodeProject(tree, &mistakes)
    return (project, diagnostics + mistakes)
  }

  /// The number of objects with a duplicate id that are reported individually.
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
        // A file that was pasted twice has one for each object.
        doubles += 1
        if doubles <= Self.mostDoubles {
          report("the object \(quoted(id)) is listed twice", at: key)
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

  /// The folder to which paths are relative.
  var folder: ProjectPath { ProjectPath.inside([]).appending(tree.string(root, "projectDirPath") ?? "") }

  func objects(ofKind kind: String) -> [(id: String, node: Node)] {
    objects.filter { tree.string($0.value, "isa") == kind }.map { ($0.key, $0.value) }
      .sorted { $0.node < $1.node }
  }

  /// Every object that contains others, with their ids.
  var containers: [(id: String, node: Node, children: [Located<String>])] {
    objects.compactMap { id, node in
      tree.value(node, "children") == nil ? nil : (id, node, tree.strings(node, "children"))
    }.sorted { $0.node < $1.node }
  }

  /// The name of an object in messages: its kind, id and name.
  func title(of id: String) -> String {
    guard let node = objects[id] else { return "the object \(quoted(id))" }
    let kind = tree.string(node, "isa") ?? "object"
    let name = tree.string(node, "name") ?? tree.string(node, "path")
    return "the \(kind) \(quoted(id))" + (name.map { ", \(quoted($0))" } ?? "")
  }
}

struct ProjectFindings {
  /// The text to which offsets refer: the project and the .xcconfig files that were read.
  private(set) var text: SourceText
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  init(_ text: SourceText) { self.text = text }

  mutating func add(_ check: Check, _ message: String, at offset: Int) {
    findings.add(Diagnostic(check, message, at: text.place(at: offset)))
  }

  mutating func add(_ other: [Diagnostic]) { findings.add(other) }

  /// Adds the finding on an id that no object has; `claim` says what refers to it.
  mutating func addMissing(_ claim: String, _ id: Located<String>) {
    add(.damagedProject, "\(claim) \(quoted(id.value)), which is not among the objects", at: id.offset)
  }

  /// Appends the text of another file and returns the offset of its first byte.
  mutating func include(_ file: SourceText) -> Int { text.append(file) }
}
