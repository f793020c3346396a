import Spelling

/// What of a project is meant where it has several of a kind.
package struct ProjectChoice: Sendable {
  package var target: String?
  package var configuration: String?

  package init(target: String? = nil, configuration: String? = nil) {
    self.target = target
    self.configuration = configuration
  }
}

/// A target of a project with its build settings.
struct ProjectTarget {
  let node: PlistTree.Node
  let id: String
  let name: String
  let configuration: String
  let settings: BuildSettings

  /// The target that is meant; nil, with a finding, where that cannot be told.
  init?(of project: XcodeProject, _ choice: ProjectChoice, _ findings: inout ProjectFindings) {
    let tree = project.tree
    let targets = tree.strings(project.root, "targets").compactMap { id -> Candidate? in
      guard let node = project.object(id.value) else {
        findings.add(
          .damagedProject, "the project's target \(quoted(id.value)) is not among the objects", at: id.offset)
        return nil
      }
      return Candidate(node: node, id: id.value, name: tree.string(node, "name") ?? id.value)
    }
    guard let target = Self.choose(among: targets, project, choice.target, &findings) else { return nil }
    node = target.node
    id = target.id
    name = target.name
    let own = Configurations(of: node, in: project)
    guard let configuration = own.choose(choice.configuration, of: name, project, &findings) else {
      return nil
    }
    self.configuration = configuration
    let configurations = [own, Configurations(of: project.root, in: project)]
    for file in configurations.compactMap({ $0.files[configuration] }) {
      let path = project.object(file.value).flatMap { tree.string($0, "path") } ?? file.value
      findings.add(
        .unreadSettings,
        "the configuration \(quoted(configuration)) has settings in \(quoted(path)), which is not read",
        at: file.offset)
    }
    let layers = configurations.map { $0.settings[configuration] }
    let folder = project.tree.text.path
    settings = BuildSettings(
      tree, layers,
      builtIn: [
        "TARGET_NAME": name, "TARGETNAME": name, "CONFIGURATION": configuration, "PRODUCT_NAME": name,
        "PROJECT_NAME": projectName(ofFile: folder), "SRCROOT": ".", "SOURCE_ROOT": ".", "PROJECT_DIR": ".",
      ])
  }

  /// A target that may be the one that is meant.
  private struct Candidate {
    let node: PlistTree.Node
    let id: String
    let name: String
  }

  private static func choose(
    among targets: [Candidate], _ project: XcodeProject, _ name: String?, _ findings: inout ProjectFindings
  ) -> Candidate? {
    let offset = project.tree.offset(of: project.tree.value(project.root, "targets") ?? project.root)
    let names = targets.map(\.name)
    if let name {
      if let target = targets.first(where: { $0.name == name }) { return target }
      let hint = hint(at: name, among: names)
      findings.add(.unknownTarget, "the project has no target \(quoted(name))\(hint)", at: offset)
      return nil
    }
    let apps = targets.filter {
      project.tree.string($0.node, "productType")?.hasPrefix("com.apple.product-type.application") ?? false
    }
    if apps.count == 1 { return apps[0] }
    if apps.isEmpty {
      let known = names.isEmpty ? "" : "; name one of its targets with --target: \(listed(names, atMost: 20))"
      findings.add(.unknownTarget, "the project has no app\(known)", at: offset)
    } else {
      findings.add(
        .severalTargets,
        "the project has \(grouped(apps.count)) apps; name one with --target: \(listed(apps.map(\.name), atMost: 20))",
        at: offset)
    }
    return nil
  }
}

/// The configurations of a target or project.
private struct Configurations {
  let names: [String]
  private let defaultName: String?
  /// The build settings of each, by its name.
  let settings: [String: PlistTree.Node]
  /// The file of settings (.xcconfig) behind those of each, by its object's id.
  let files: [String: Located<String>]

  init(of owner: PlistTree.Node, in project: XcodeProject) {
    let tree = project.tree
    let list = tree.string(owner, "buildConfigurationList").flatMap { project.object($0) }
    defaultName = list.flatMap { tree.string($0, "defaultConfigurationName") }
    var names: [String] = []
    var settings: [String: PlistTree.Node] = [:]
    var files: [String: Located<String>] = [:]
    for id in list.map({ tree.strings($0, "buildConfigurations") }) ?? [] {
      guard let node = project.object(id.value), let name = tree.string(node, "name") else { continue }
      names.append(name)
      settings[name] = tree.value(node, "buildSettings")
      if let file = tree.value(node, "baseConfigurationReference"), let id = tree.string(file) {
        files[name] = Located(id, at: tree.offset(of: file))
      }
    }
    self.names = names
    self.settings = settings
    self.files = files
  }

  /// The configuration that is asked for, or else the one that Xcode builds on the command line.
  func choose(
    _ wanted: String?, of target: String, _ project: XcodeProject, _ findings: inout ProjectFindings
  ) -> String? {
    guard let wanted else {
      let usual = [defaultName, "Release", names.first].compactMap { $0 }
      return usual.first { names.contains($0) } ?? "Release"
    }
    if names.contains(wanted) { return wanted }
    let message =
      "the target \(quoted(target)) has no configuration \(quoted(wanted))\(hint(at: wanted, among: names))"
    findings.add(.unknownConfiguration, message, at: project.tree.offset(of: project.root))
    return nil
  }
}

/// What was probably meant by a name that is not among some others, or else all of them.
private func hint(at name: String, among names: [String]) -> String {
  let guess = nearest(to: name, in: names)
  return guess == nil ? "; it has \(listed(names, atMost: 20))" : suggestion(guess)
}

/// The name of a project by its file: that of the folder around it, without its suffix.
private func projectName(ofFile path: String) -> String {
  let components = path.split(separator: "/")
  let folder = components.last == "project.pbxproj" ? components.dropLast().last : components.last
  return folder.map { $0.hasSuffix(".xcodeproj") ? String($0.dropLast(10)) : String($0) } ?? ""
}
