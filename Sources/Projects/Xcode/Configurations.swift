import Findings
import Formats
import PackKit
import System

struct Configurations {
  private(set) var names: [String] = []
  let defaultName: String?
  private(set) var settings: [String: PlistTree.Node] = [:]
  private(set) var files: [String: FileReference] = [:]
  private let project: XcodeProject

  /// A file by the id of its object, or by the id of a folder and a path below it.
  typealias FileReference = (id: String, path: String, offset: Int)

  init(of owner: PlistTree.Node, in project: XcodeProject) {
    self.project = project
    let tree = project.tree
    let list = tree.string(owner, "buildConfigurationList").flatMap { project.object($0) }
    defaultName = list.flatMap { tree.string($0, "defaultConfigurationName") }
    for id in list.map({ tree.strings($0, "buildConfigurations") }) ?? [] {
      guard let node = project.object(id.value), let name = tree.string(node, "name") else { continue }
      names.append(name)
      settings[name] = tree.value(node, "buildSettings")
      // Files in synchronized folders, which the project does not list, are given by an anchor and a path.
      let path = tree.string(node, "baseConfigurationReferenceRelativePath") ?? ""
      for (key, path) in [
        ("baseConfigurationReference", ""), ("baseConfigurationReferenceAnchor", path),
      ] {
        guard let file = tree.value(node, key), let id = tree.string(file) else { continue }
        files[name] = (id, path, tree.offset(of: file))
      }
    }
  }

  /// The requested configuration, or else the one that Xcode builds on the command line: the project's default.
  func choose(_ wanted: String?, of target: String, default projectDefault: String?) -> String? {
    guard let wanted else {
      let usual = [projectDefault, defaultName, "Release", names.first].compactMap { $0 }
      return usual.first { names.contains($0) } ?? "Release"
    }
    if names.contains(wanted) { return wanted }
    let message =
      "the target \(quoted(target)) has no configuration \(quoted(wanted))\(hint(at: wanted, among: names))"
    project.findings.add(.unknownConfiguration, message, at: project.tree.offset(of: project.root))
    return nil
  }

  /// The unexpanded values of a setting in all configurations; those of others where there are none.
  func values(of name: String, else others: Configurations? = nil) -> [String] {
    let values = names.compactMap { settings[$0].flatMap { project.tree.string($0, name) } }
    return values.isEmpty ? others?.values(of: name) ?? [] : values
  }
}

extension BuildSettings {
  /// The settings of owners in one configuration, in descending precedence; each one's file follows its own ones.
  init(
    of owners: [Configurations], _ configuration: String, in project: XcodeProject,
    _ files: consuming SettingsFiles
  ) throws(SystemError) {
    findings = project.findings
    build = (configuration, .iphoneos)
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
      guard let path = paths.path(of: file.id) else { continue }
      let found = try files.settings(of: path.appending(file.path), for: configuration, at: file.offset)
      // Later settings override earlier ones.
      for setting in found.reversed() { add(setting.value, as: setting.key) }
    }
  }
}
