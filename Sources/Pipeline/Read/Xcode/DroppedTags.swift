import Formats

/// Reports tags of build files that are not in the Resources phase of an app.
///
/// Xcode makes no packs for such files.
struct DroppedTags {
  private let project: XcodeProject
  private let target: ProjectTarget

  private var tree: PlistTree { project.tree }

  /// Prepares a search for tags of a project that Xcode ignores.
  ///
  /// The result does not depend on how the target's build uses the files.
  init(of project: XcodeProject, for target: ProjectTarget) {
    self.project = project
    self.target = target
  }

  /// Reports each build file with tags that Xcode ignores.
  ///
  /// The finding points to the tags.
  func report() {
    let tagged = project.objects { !tags(of: $0).isEmpty && tree.string($0, key: "isa") == "PBXBuildFile" }
    if tagged.isEmpty { return }
    let owners = owners
    for (id, node) in tagged {
      let reason =
        if tree.value(node, key: "fileRef") == nil {
          "it stands for no file"
        } else if let owner = owners[id] { reason(of: owner) } else { "it is in no build phase" as String? }
      guard let reason else { continue }
      let settings = tree.members(tree.value(node, key: "settings"))
      let key = settings.first { tree.string($0.key) == "ASSET_TAGS" }?.key
      Self.report(
        tags(of: node), of: name(ofFileOf: node), reason: reason, at: tree.offset(of: key ?? node),
        in: project.findings)
    }
  }

  private func tags(of buildFile: PlistTree.Node) -> [Located<String>] {
    tree.value(buildFile, key: "settings").map { tree.strings($0, key: "ASSET_TAGS") } ?? []
  }

  /// Returns the name of the file that a build file refers to.
  private func name(ofFileOf buildFile: PlistTree.Node) -> String {
    guard let id = tree.string(buildFile, key: "fileRef") else { return "a build file" }
    let file = project.object(id)
    return file.flatMap { tree.string($0, key: "path") ?? tree.string($0, key: "name") } ?? id
  }

  /// A build phase, and the target that it belongs to.
  private struct Owner {
    let target: PlistTree.Node
    let isChosen: Bool
    let phase: PlistTree.Node
  }

  /// The owner of each build file.
  ///
  /// If a build file has several owners, the chosen target is used if it is one of them, otherwise the first
  /// app.
  private var owners: [String: Owner] {
    let targets = tree.strings(project.root, key: "targets").compactMap { project.object($0.value) }
    let apps = targets.filter { Self.reason(ofTarget: $0, in: project) == nil }
    var owners: [String: Owner] = [:]
    // Each phase is read only once. Otherwise, reading would take too long if a project lists the same phase
    // or the same files many times.
    var seen: Set<String> = []
    for target in [self.target.node] + apps + targets {
      for id in tree.strings(target, key: "buildPhases") where seen.insert(id.value).inserted {
        guard let phase = project.object(id.value) else { continue }
        let owner = Owner(target: target, isChosen: target == self.target.node, phase: phase)
        for file in tree.strings(phase, key: "files") where owners[file.value] == nil {
          owners[file.value] = owner
        }
      }
    }
    return owners
  }

  /// Returns the reason why Xcode makes no packs from an owner's files.
  ///
  /// The result is nil if Xcode makes packs, either for the chosen target or for another target that packtool
  /// can import.
  private func reason(of owner: Owner) -> String? {
    if !owner.isChosen { return Self.reason(ofTarget: owner.target, in: project) }
    if tree.string(owner.phase, key: "isa") == "PBXResourcesBuildPhase" { return nil }
    let phase = Self.title(ofPhase: owner.phase, in: project)
    return "it is in the phase \(quoted(phase)), but Xcode makes packs only from the Resources phase"
  }

  /// Returns the reason why Xcode makes no packs for a target that was not chosen; nil if the target is an
  /// app.
  static func reason(ofTarget target: PlistTree.Node, in project: XcodeProject) -> String? {
    let kind = TargetKind(productType: project.tree.string(target, key: "productType") ?? "")
    if kind.isApp { return nil }
    let name = project.tree.string(target, key: "name") ?? "a target"
    return "it belongs to the target \(quoted(name)), \(kind.title), and only apps have packs"
  }

  /// Returns the name of a build phase for messages.
  static func title(ofPhase phase: PlistTree.Node, in project: XcodeProject) -> String {
    if let name = project.tree.string(phase, key: "name") { return name }
    switch project.tree.string(phase, key: "isa") {
    case "PBXCopyFilesBuildPhase": return "Copy Files"
    case "PBXFrameworksBuildPhase": return "Frameworks"
    case "PBXHeadersBuildPhase": return "Headers"
    case "PBXSourcesBuildPhase": return "Sources"
    case let other: return other ?? "phase"
    }
  }

  /// Reports the tags of one file that Xcode ignores.
  static func report(
    _ tags: [Located<String>], of file: String, reason: String, at offset: Int, in findings: ProjectFindings
  ) {
    findings.add(
      .droppedTag,
      message: "Xcode drops the \(tagList(tags)) of \(quoted(file)): \(reason)", at: offset)
  }
}
