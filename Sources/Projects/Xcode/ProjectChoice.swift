import Findings
import Formats
import PackKit
import Spelling
import System

/// The chosen target and configuration of a project.
package struct ProjectChoice: Sendable {
  package var target: String?
  package var configuration: String?
  /// The folder below which .xcconfig files are read; nil for the repository that contains the project.
  package var root: String?

  package init(target: String? = nil, configuration: String? = nil, root: String? = nil) {
    self.target = target
    self.configuration = configuration
    self.root = root
  }
}

/// A target of a project with its build settings.
struct ProjectTarget {
  let node: PlistTree.Node
  let id: String
  let name: String
  let configuration: String
  let settings: BuildSettings

  /// The chosen target; nil, with a finding, if the choice is ambiguous or missing.
  ///
  /// Files of settings are searched in the project's folder; if that is nil, no file is read.
  ///
  /// - Throws: if the disk fails.
  init?(
    of project: XcodeProject, in folder: String?, _ choice: ProjectChoice, _ findings: inout ProjectFindings
  ) throws(SystemError) {
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
    if let root = choice.root, try FileOperations.statusIfThere(root)?.kind != .folder {
      findings.add(.invalidPath, "\(quoted(root)) of --root is no folder", at: tree.offset(of: project.root))
      return nil
    }
    settings = try BuildSettings(
      of: [own, Configurations(of: project.root, in: project)], configuration, target: name, in: project,
      SettingsFiles(of: project, in: folder, root: choice.root), &findings)
  }

  /// A target that may be the chosen one.
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
  /// The .xcconfig file of each.
  let files: [String: FileReference]

  /// A file by the id of its object, or by the id of a folder and a path below it.
  struct FileReference {
    let id: String
    let path: String
    let offset: Int
  }

  init(of owner: PlistTree.Node, in project: XcodeProject) {
    let tree = project.tree
    let list = tree.string(owner, "buildConfigurationList").flatMap { project.object($0) }
    defaultName = list.flatMap { tree.string($0, "defaultConfigurationName") }
    var names: [String] = []
    var settings: [String: PlistTree.Node] = [:]
    var files: [String: FileReference] = [:]
    for id in list.map({ tree.strings($0, "buildConfigurations") }) ?? [] {
      guard let node = project.object(id.value), let name = tree.string(node, "name") else { continue }
      names.append(name)
      settings[name] = tree.value(node, "buildSettings")
      // Files in synchronized folders, which the project does not list, are given by an anchor and a path.
      for (key, path) in [
        ("baseConfigurationReference", ""),
        (
          "baseConfigurationReferenceAnchor",
          tree.string(node, "baseConfigurationReferenceRelativePath") ?? ""
        ),
      ] {
        guard let file = tree.value(node, key), let id = tree.string(file) else { continue }
        files[name] = FileReference(id: id, path: path, offset: tree.offset(of: file))
      }
    }
    self.names = names
    self.settings = settings
    self.files = files
  }

  /// The requested configuration, or else the one that Xcode builds on the command line.
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

extension BuildSettings {
  /// The settings of several owners in one configuration, in descending precedence; each owner's file follows its
  /// own ones.
  fileprivate init(
    of owners: [Configurations], _ configuration: String, target: String, in project: XcodeProject,
    _ files: consuming SettingsFiles, _ findings: inout ProjectFindings
  ) throws(SystemError) {
    self.init(
      configuration: configuration,
      builtIn: [
        "TARGET_NAME": target, "TARGETNAME": target, "CONFIGURATION": configuration, "PRODUCT_NAME": target,
        "PROJECT_NAME": projectName(ofFile: project.tree.text.path), "SRCROOT": ".", "SOURCE_ROOT": ".",
        "PROJECT_DIR": ".",
      ])
    var paths = ProjectPaths(project)
    for owner in owners {
      if let node = owner.settings[configuration] { add(node, of: project.tree) }
      guard let file = owner.files[configuration] else { continue }
      guard project.object(file.id) != nil else {
        findings.add(
          .unreadSettings,
          "the configuration \(quoted(configuration)) has settings in the file \(quoted(file.id)), which is not among "
            + "the objects", at: file.offset)
        continue
      }
      guard let path = paths.path(of: file.id, &findings) else { continue }
      let found = try files.settings(
        of: path.appending(file.path), for: configuration, at: file.offset, &findings)
      // Later settings override earlier ones.
      for setting in found.reversed() { add(setting.value, as: setting.key) }
    }
  }
}

/// The probably intended name, or else all names.
private func hint(at name: String, among names: [String]) -> String {
  let guess = nearest(to: name, in: names)
  return guess == nil ? "; it has \(listed(names, atMost: 20))" : suggestion(guess)
}

/// The name of a project by the path of its file: that of the .xcodeproj folder without its suffix.
private func projectName(ofFile path: String) -> String {
  let components = path.split(separator: "/")
  let folder = components.last == "project.pbxproj" ? components.dropLast().last : components.last
  return folder.map { $0.hasSuffix(".xcodeproj") ? String($0.dropLast(10)) : String($0) } ?? ""
}
