import Findings
import Formats
import PackKit
import Spelling
import System

/// What of a project is meant where it has several of a kind.
package struct ProjectChoice: Sendable {
  package var target: String?
  package var configuration: String?
  /// The folder below which files of settings are read; nil for that of the repository around the project.
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

  /// The target that is meant; nil, with a finding, where that cannot be told.
  ///
  /// Files of settings are looked for in the project's folder; where that is nil, nothing on the disk is looked at.
  ///
  /// - Throws: where the disk fails.
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
  /// The file of settings (.xcconfig) behind those of each.
  let files: [String: FileReference]

  /// A file by the id of its object, or of a folder's and a path below that.
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
      // Folders whose files the project does not list are anchors.
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

extension BuildSettings {
  /// The settings that owners give in one configuration, each with its file's behind its own; the first counts most.
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
      // What is set later counts.
      for setting in found.reversed() { add(setting.value, as: setting.key) }
    }
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
