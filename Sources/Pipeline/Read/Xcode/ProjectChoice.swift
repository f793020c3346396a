import Formats
import Model
import System

/// The target and configuration of a project that the user chose.
package struct ProjectChoice: Sendable {
  package var target: String?
  package var configuration: String?
  /// The SDK to build for; nil to use the target's SDK.
  package var sdk: ProjectSDK?
  /// The folder that contains the permitted files: packtool reads and packs a file outside the project's
  /// folder only if the file is below this folder.
  ///
  /// If the value is nil, the repository that contains the project is this folder.
  package var root: String?

  package init(
    target: String? = nil, configuration: String? = nil, sdk: ProjectSDK? = nil, root: String? = nil
  ) {
    self.target = target
    self.configuration = configuration
    self.sdk = sdk
    self.root = root
  }
}

struct ProjectTarget {
  let node: PlistTree.Node
  let id: String
  let name: String
  let kind: TargetKind
  let configuration: String
  let settings: BuildSettings

  /// Reads the chosen target.
  ///
  /// If the choice is ambiguous or the target is missing, reports a finding and returns nil. If `folder` is
  /// nil, no settings file is read.
  init?(of project: XcodeProject, in folder: String?, choice: ProjectChoice) throws(SystemError) {
    let (tree, findings) = (project.tree, project.findings)
    let targets = tree.strings(project.root, key: "targets").compactMap { id -> Candidate? in
      guard let node = project.object(id.value) else {
        findings.add(
          .damagedProject, message: "the project's target \(quoted(id.value)) does not exist in the project",
          at: id.offset)
        return nil
      }
      let kind = TargetKind(productType: tree.string(node, key: "productType") ?? "")
      return Candidate(
        node: node, id: id.value, name: tree.string(node, key: "name") ?? id.value, kind: kind)
    }
    guard let target = Self.choose(among: targets, project: project, name: choice.target) else { return nil }
    (node, id) = (target.node, target.id)
    (name, kind) = (target.name, target.kind)
    let own = Configurations(of: node, in: project)
    let projects = Configurations(of: project.root, in: project)
    let chosen = own.configurationName(
      requested: choice.configuration, ofTarget: name, default: projects.defaultName)
    guard let configuration = chosen else { return nil }
    self.configuration = configuration
    if let root = choice.root, try FileOperations.statusIfThere(root)?.kind != .folder {
      findings.add(
        .invalidPath,
        message:
          "the folder \(quoted(root)) of --root does not exist or is not a folder",
        at: tree.offset(of: project.root))
      return nil
    }
    var settings = try BuildSettings(
      of: [own, projects], configuration: configuration, in: project,
      files: SettingsFiles(of: project, in: folder, root: choice.root))
    settings.addBuiltIn(target: name, kind: kind, project: project)
    settings.build.sdk = choice.sdk ?? settings.chosenSDK
    self.settings = settings
  }

  /// A target that the user can choose.
  private struct Candidate {
    let node: PlistTree.Node
    /// The identifier of the target's object in the project.
    let id: String
    let name: String
    let kind: TargetKind
  }

  private static func choose(
    among targets: [Candidate], project: XcodeProject, name: String?
  ) -> Candidate? {
    let findings = project.findings
    let offset = project.tree.offset(of: project.tree.value(project.root, key: "targets") ?? project.root)
    let names = targets.map(\.name)
    if let name {
      if let target = targets.first(where: { $0.name == name }) { return target }
      let hint = hint(for: name, among: names)
      findings.add(
        .unknownTarget,
        message: "the project does not have the target \(quoted(name))\(hint)", at: offset)
      return nil
    }
    let apps = mainApps(among: targets.filter(\.kind.isApp), project: project)
    if apps.count == 1 { return apps[0] }
    if apps.isEmpty {
      let known =
        names.isEmpty
        ? "" : "; name one of its targets with --set xcode.target=NAME: \(listed(names, atMost: 20))"
      findings.add(.unknownTarget, message: "the project has no app\(known)", at: offset)
    } else {
      findings.add(
        .severalTargets,
        message:
          "the project has \(grouped(apps.count)) apps; name one with --set xcode.target=NAME: \(listed(apps.map(\.name), atMost: 20))",
        at: offset)
    }
    return nil
  }

  /// Returns the apps that are not companions of other apps; all apps if every app is a companion.
  private static func mainApps(among apps: [Candidate], project: XcodeProject) -> [Candidate] {
    let projects = Configurations(of: project.root, in: project)
    let main = apps.filter { app in
      let sdks = Configurations(of: app.node, in: project).values(of: "SDKROOT", else: projects)
      return !app.kind.isCompanion && !sdks.contains { $0.hasPrefix("watch") }
    }
    return main.isEmpty ? apps : main
  }
}

/// Returns a hint that contains the name that the user probably intended, or all names.
func hint(for name: String, among names: [String]) -> String {
  let guess = nearest(to: name, in: names)
  return guess == nil ? "; it has \(listed(names, atMost: 20))" : suggestion(guess)
}

struct Configurations {
  private(set) var names: [String] = []
  let defaultName: String?
  private(set) var settings: [String: PlistTree.Node] = [:]
  private(set) var files: [String: FileReference] = [:]
  private let project: XcodeProject

  /// A file that the project refers to.
  struct FileReference {
    /// The id of the project's object for the file, or for a folder that contains the file.
    let id: String
    /// The path of the file relative to that folder; empty if the object is the file itself.
    let path: String
    /// The offset of the reference in the project's text, in bytes.
    let offset: Int
  }

  init(of owner: PlistTree.Node, in project: XcodeProject) {
    self.project = project
    let tree = project.tree
    let list = tree.string(owner, key: "buildConfigurationList").flatMap { project.object($0) }
    defaultName = list.flatMap { tree.string($0, key: "defaultConfigurationName") }
    for id in list.map({ tree.strings($0, key: "buildConfigurations") }) ?? [] {
      guard let node = project.object(id.value), let name = tree.string(node, key: "name") else { continue }
      names.append(name)
      settings[name] = tree.value(node, key: "buildSettings")
      // The project does not list the files of synchronized folders. A reference to such a file has two
      // parts: the folder, which is called the anchor, and a relative path.
      let path = tree.string(node, key: "baseConfigurationReferenceRelativePath") ?? ""
      for (key, path) in [
        ("baseConfigurationReference", ""), ("baseConfigurationReferenceAnchor", path),
      ] {
        guard let file = tree.value(node, key: key), let id = tree.string(file) else { continue }
        files[name] = FileReference(id: id, path: path, offset: tree.offset(of: file))
      }
    }
  }

  /// Returns the name of the requested configuration.
  ///
  /// If the user requests none, returns the project's default configuration, as `xcodebuild` does.
  func configurationName(requested wanted: String?, ofTarget target: String, default projectDefault: String?)
    -> String?
  {
    guard let wanted else {
      let usual = [projectDefault, defaultName, "Release", names.first].compactMap { $0 }
      return usual.first { names.contains($0) } ?? "Release"
    }
    if names.contains(wanted) { return wanted }
    let message =
      "the target \(quoted(target)) does not have the configuration "
      + "\(quoted(wanted))\(hint(for: wanted, among: names))"
    project.findings.add(.unknownConfiguration, message: message, at: project.tree.offset(of: project.root))
    return nil
  }

  /// Returns the unexpanded values of a setting in all configurations.
  ///
  /// If there are no such values, it returns the values of the setting in `others`.
  func values(of name: String, else others: Configurations? = nil) -> [String] {
    let values = names.compactMap { settings[$0].flatMap { project.tree.string($0, key: name) } }
    return values.isEmpty ? others?.values(of: name) ?? [] : values
  }
}

extension BuildSettings {
  /// Reads the settings of several owners, such as the target and the project, in one configuration.
  ///
  /// The first owner has the highest precedence.
  ///
  /// An owner's settings file comes directly after the owner's own settings.
  init(
    of owners: [Configurations], configuration: String, in project: XcodeProject,
    files: consuming SettingsFiles
  ) throws(SystemError) {
    findings = project.findings
    build = SettingCondition.Build(configuration: configuration, sdk: .iphoneos)
    var paths = ProjectPathResolver(project)
    for owner in owners {
      if let node = owner.settings[configuration] { add(node, of: project.tree) }
      guard let file = owner.files[configuration] else { continue }
      guard project.object(file.id) != nil else {
        findings.add(
          .unreadSettings,
          message:
            "the configuration \(quoted(configuration)) has settings in the file \(quoted(file.id)), which "
            + "does not exist in the project",
          at: file.offset)
        continue
      }
      guard let path = paths.path(of: file.id) else { continue }
      let found = try files.settings(of: path.appending(file.path), for: configuration, at: file.offset)
      // The settings are added in reverse order, because later settings in a file override earlier settings.
      for setting in found.reversed() { add(setting.value, as: setting.key) }
    }
  }
}
