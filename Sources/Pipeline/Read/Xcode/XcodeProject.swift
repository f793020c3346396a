import Formats
import Model

/// The objects of a project file, by their id.
struct XcodeProject {
  typealias Node = PlistTree.Node

  let tree: PlistTree
  let findings: ProjectFindings
  private var objects: [String: Node] = [:]
  /// The object of the project itself.
  let root: Node

  /// The maximum number of duplicate objects that are reported individually.
  private static let maxDuplicates = 20

  /// Reads a project from the text in `findings`, without reading any file.
  ///
  /// If the text is not a project, reports a finding and returns nil.
  init?(_ findings: ProjectFindings) {
    let (tree, mistakes) = OpenStepReader.read(findings.text)
    findings.add(mistakes)
    guard let tree else { return nil }
    self.tree = tree
    self.findings = findings
    func report(_ message: String, at node: Node) {
      findings.add(.damagedProject, message: message, at: tree.offset(of: node))
    }
    guard let all = tree.value(tree.root, key: "objects"), tree.isDictionary(all) else {
      report("the project has no dictionary \"objects\"", at: tree.root)
      return nil
    }
    guard let id = tree.string(tree.root, key: "rootObject") else {
      report("the project does not name its \"rootObject\"", at: tree.root)
      return nil
    }
    var doubles = 0
    let members = tree.members(all)
    objects.reserveCapacity(members.count)
    for (key, value) in members {
      guard let id = tree.string(key) else { continue }
      if !tree.isDictionary(value) {
        report("the object \(quoted(id)) is not a dictionary", at: value)
      } else if objects.updateValue(value, forKey: id) != nil {
        // If the text was pasted twice, every object is a duplicate.
        doubles += 1
        if doubles <= Self.maxDuplicates {
          report("the object \(quoted(id)) is listed twice", at: key)
        }
      }
    }
    if doubles > Self.maxDuplicates {
      report("\(grouped(doubles - Self.maxDuplicates)) more objects are in the file twice", at: all)
    }
    guard let root = objects[id] else {
      let place = tree.value(tree.root, key: "rootObject") ?? tree.root
      report("the root object \(quoted(id)) is not among the objects", at: place)
      return nil
    }
    self.root = root
  }

  func object(_ id: String) -> Node? { objects[id] }

  /// The folder that the project's paths are relative to.
  var folder: ProjectPath { ProjectPath.inside([]).appending(tree.string(root, key: "projectDirPath") ?? "") }

  /// Returns the objects for which `isIncluded` is true, in the order of the file.
  func objects(where isIncluded: (Node) -> Bool) -> [(id: String, node: Node)] {
    objects.filter { isIncluded($0.value) }.map { ($0.key, $0.value) }.sorted { $0.node < $1.node }
  }

  /// Returns the description of an object for messages: its kind, id and name.
  func title(of id: String) -> String {
    guard let node = objects[id] else { return "the object \(quoted(id))" }
    let kind = tree.string(node, key: "isa") ?? "object"
    let name = tree.string(node, key: "name") ?? tree.string(node, key: "path")
    return "the \(kind) \(quoted(id))" + (name.map { ", \(quoted($0))" } ?? "")
  }
}

/// The findings about a project.
///
/// All code that reads a part of the project adds its findings here.
final class ProjectFindings {
  /// The text that offsets refer to: the project file, followed by the .xcconfig files that were read.
  var text: SourceText
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  init(_ text: SourceText) { self.text = text }

  func add(_ check: Check, message: String, at offset: Int) {
    findings.add(Diagnostic(check, message: message, at: text.place(at: offset)))
  }

  func add(_ other: [Diagnostic]) { findings.add(other) }

  /// Adds the finding about an id that no object has.
  ///
  /// `subject` describes the object that refers to the id.
  func addMissing(_ subject: String, id: Located<String>) {
    add(
      .damagedProject, message: "\(subject) \(quoted(id.value)), which is not among the objects",
      at: id.offset)
  }
}
