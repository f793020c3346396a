package import Formats
package import Model
package import System

/// Makes a manifest from an Xcode project.
///
/// The positions in this manifest refer to the project file.
package struct XcodeImporter {
  /// Findings about settings that a build from the project uses, but that a manifest cannot express.
  package private(set) var settingsWithoutKey: [Diagnostic] = []
  /// Notes about files that Xcode would build instead of copying them.
  package private(set) var notes: [Diagnostic] = []
  /// The manifest; nil if the project contains nothing that packtool can build.
  package private(set) var manifest: Manifest?
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.diagnostics }
  private let findings: ProjectFindings
  /// The text of the project; nil if the file does not exist.
  package private(set) var text: SourceText?

  /// Whether a command's argument has the name of a project or of a workspace.
  package static func isProject(_ argument: String) -> Bool {
    let path = shortened(argument)
    return [".xcodeproj", ".pbxproj", XcodeWorkspace.suffix].contains { path.hasSuffix($0) }
  }

  /// Returns the path of the project file for an argument.
  ///
  /// For a workspace or a folder, returns the file of the only project in it.
  package static func projectPath(for argument: String) throws(SystemError) -> String {
    var path = shortened(argument)
    if path.hasSuffix(XcodeWorkspace.suffix) {
      let projects = try XcodeWorkspace(path).projects
      guard projects.count == 1 else { return joined(path, XcodeWorkspace.fileName) }
      path = projects[0]
    } else if !isProject(path), let only = projects(in: path).first, projects(in: path).count == 1 {
      path = only
    }
    return path.hasSuffix(".pbxproj") ? path : joined(path, "project.pbxproj")
  }

  /// Returns the first project in a folder; nil if there is no project, or if the path is not a folder.
  static func project(in folder: String) -> String? { projects(in: folder).first }

  private static func projects(in folder: String) -> [String] {
    let names = (try? FileOperations.names(in: folder)) ?? []
    // The project that CocoaPods generates has no tags, so it is not a candidate.
    return names.filter { $0.hasSuffix(".xcodeproj") && !$0.hasSuffix("Pods.xcodeproj") }.sorted()
      .map { joined(trimmed(folder), $0) }
  }

  /// Calls `find` with the subfolders of a folder, and returns the first result that is not nil.
  static func first(below folder: String, find: (String) -> String?) -> String? {
    for name in ((try? FileOperations.names(in: folder)) ?? []).sorted().prefix(1000) {
      if let found = find(joined(folder, name)) { return found }
    }
    return nil
  }

  /// Reads a project and inspects the files that it tags.
  package init(argument: String, choice: ProjectChoice) throws(SystemError) {
    if !Self.isProject(argument), try FileOperations.statusIfThere(argument)?.kind == .file {
      findings = ProjectFindings(SourceText(path: argument, bytes: []))
      // If the file is outside the checkout, only the refusal is reported, because any other message would
      // reveal something about the file.
      do throws(SystemError) {
        _ = try FileContents(of: argument, limit: 0)
      } catch {
        if let refusal = Diagnostic(refusing: error) {
          findings.add([refusal])
          return
        }
      }
      report(.missingManifest, message: "\(quoted(argument)) \(ForeignProject.advice(on: argument))")
      return
    }
    let path = try Self.projectPath(for: argument)
    findings = ProjectFindings(SourceText(path: path, bytes: []))
    if lastName(of: path) == XcodeWorkspace.fileName {
      try reportWorkspace(shortened(argument))
      return
    }
    let contents: FileContents
    do throws(SystemError) {
      contents = try FileContents(of: path, limit: OpenStepReader.maxTextSize)
    } catch {
      guard let refusal = Diagnostic(refusing: error) else { throw error }
      findings.add([refusal])
      return
    }
    switch contents {
    case .bytes(let bytes): try read(path, bytes: bytes, choice: choice)
    case .missing:
      guard try FileOperations.exists(argument) else {
        findings.text = SourceText(path: argument, bytes: [])
        report(
          .missingManifest,
          message:
            "\(quoted(argument)) does not exist; name an Xcode project or workspace, such as App.xcodeproj"
            + (Self.isProject(argument) ? "" : ", or manifests of \"ba-package\", such as Pack.json"))
        return
      }
      if let missing = try XcodeWorkspace.missingProject(of: shortened(argument)) {
        findings.add([missing])
        return
      }
      let projects = Self.projects(in: argument)
      let isFolder = projects.isEmpty && !Self.isProject(argument)
      let hint =
        projects.isEmpty
        ? Self.first(below: trimmed(argument), find: Self.project).map { "did you mean \(quoted($0))?" }
          ?? "name an Xcode project, such as App.xcodeproj"
        : "the folder has \(grouped(projects.count)) projects; name one: \(listed(projects, atMost: 20))"
      let subject =
        isFolder
        ? "the folder \(quoted(argument)) does not contain an Xcode project"
        : "\(quoted(path)) does not exist"
      report(.missingManifest, message: "\(subject); \(hint)")
    case .noFile, .tooLong:
      let most = ByteSize.exact(OpenStepReader.maxTextSize)
      report(.projectSyntax, message: "\(quoted(path)) is not a regular file, or has more than \(most)")
    }
  }

  private func reportWorkspace(_ workspace: String) throws(SystemError) {
    let projects = try XcodeWorkspace(workspace).projects
    report(
      .missingManifest,
      message: projects.isEmpty
        ? "the workspace \(quoted(workspace)) contains no project; name a project, such as App.xcodeproj"
        : "the workspace \(quoted(workspace)) has \(grouped(projects.count)) projects; name one: \(listed(projects, atMost: 20))"
    )
  }

  /// Reports a mistake that concerns the whole project.
  private func report(_ check: Check, message: String) {
    findings.add([Diagnostic(check, message: message, at: Place(findings.text.path))])
  }

  private mutating func read(_ path: String, bytes: [UInt8], choice: ProjectChoice) throws(SystemError) {
    do throws(PropertyList.Damage) {
      findings.text = try OpenStepText.text(path: path, bytes: bytes)
    } catch {
      return report(
        .projectSyntax,
        message:
          "Xcode cannot read this project: \(error.reason)")
    }
    text = findings.text
    // The project's parent folder, as the user would type it. If the project file is not in an .xcodeproj
    // folder, it is the folder of the file.
    let project = folderPath(of: path)
    let folder = project.hasSuffix(".xcodeproj") ? folderPath(of: project) : project
    guard let resources = try ProjectResources(in: folder, choice: choice, findings: findings) else { return }
    text = resources.text
    let tagged = resources.items.filter { !$0.tags.isEmpty || $0.isCatalog }
    let paths = tagged.map(\.path) + resources.folders.map(\.path)
    let commonFolder = try CommonFolder(of: paths, in: folder, root: choice.root)
    try makeManifest(of: resources, at: commonFolder, in: folder)
  }

  private mutating func makeManifest(
    of resources: ProjectResources, at commonFolder: CommonFolder, in projectFolder: String
  ) throws(SystemError) {
    let text = resources.text
    let resourcesOnDisk = try FoundResources(of: resources, in: commonFolder, findings: findings)
    let usable = resourcesOnDisk.found.filter(isUsable)
    reportMissing(resourcesOnDisk, usable: usable)
    notes = resources.notesOnBuilt(usable)
    let folding = RuleFolding(of: usable, in: try Folder(commonFolder.path))
    var manifest = Manifest(text: text, folder: projectFolder)
    manifest.sources =
      text.paths + resourcesOnDisk.sources.map { joined(commonFolder.path, $0.joined(separator: "/")) }
    manifest.root = Located(commonFolder.pathFromProject(to: folding.root), at: 0)
    manifest.rules = folding.rules
    manifest.bundledFiles = try resources.bundledFiles(in: commonFolder, relativeTo: folding.root)
    manifest.rulesOffset = folding.rules.first?.text.offset ?? 0
    addSettings(of: resources, into: &manifest)
    for tag in manifest.rules.lazy.flatMap(\.tags) where manifest.firstOffsets[tag.value] == nil {
      manifest.firstOffsets[tag.value] = tag.offset
    }
    let isIdentified = setIdentifier(of: resources, into: &manifest)
    if manifest.rules.isEmpty {
      let message =
        "no resource of the target \(quoted(resources.targetName)) has a tag that packtool can use; packtool "
        + "reads tags from the Resources phase, synchronized folders and asset catalogs"
      findings.add(.untaggedProject, message: message, at: 0)
    }
    reportLists(of: manifest)
    if isIdentified && !manifest.rules.isEmpty { self.manifest = manifest }
  }

  /// Returns the URL prefix in a setting; nil if the project does not have the setting, or if the value of
  /// the setting is not a valid URL prefix.
  private func urlPrefix(_ setting: Located<String>?) -> PackURLPrefix? {
    guard let setting, !setting.value.isEmpty else { return nil }
    do throws(PackURLPrefix.Mistake) {
      return try PackURLPrefix(setting.value)
    } catch {
      let message = "the URL prefix \(quoted(setting.value)) \(error.reason)"
      findings.add(.invalidURLPrefix, message: message, at: setting.offset)
      return nil
    }
  }

  private mutating func addSettings(of resources: ProjectResources, into manifest: inout Manifest) {
    manifest.initialInstallTags = resources.initialInstallTags
    manifest.prefetchTagOrder = resources.prefetchTagOrder
    manifest.packURLPrefix = urlPrefix(resources.packURLPrefix)
    manifest.layout.urlPrefix = manifest.packURLPrefix
    manifest.embedsPacks = resources.embedsPacks
    manifest.hasOwnPackManifest = resources.ownManifest != nil
    if let own = resources.ownManifest {
      let message =
        "\(quoted(own.value)) is among the resources, so Xcode does not write its own list of packs; with "
        + "the layout xcode, packtool does not write one either"
      findings.add(.ownManifest, message: message, at: own.offset)
    }
    if let prefix = resources.packURLPrefix, ["http:", "https:"].contains(prefix.value.lowercased()) {
      findings.add(
        .cutOffSetting,
        message:
          "ASSET_PACK_MANIFEST_URL_PREFIX is only \(quoted(prefix.value)), because \"//\" begins a comment in an .xcconfig "
          + "file; write \(quoted("\(prefix.value)/$()/"))", at: prefix.offset)
    }
    if resources.embedsPacks {
      let message =
        "the manifest cannot contain EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE; build the manifest with "
        + "--set layout.embedPacks=true"
      settingsWithoutKey.append(
        Diagnostic(.uncarriedSetting, message: message, at: Place(findings.text.path)))
    }
  }

  /// Reports missing files.
  ///
  /// If all tagged files are missing, there is a single finding. Otherwise, each missing file is reported
  /// separately as a file of the manifest.
  private mutating func reportMissing(_ resourcesOnDisk: FoundResources, usable: [FoundResources.Resource]) {
    let count = usable.count
    guard count > 1, usable.allSatisfy({ $0.kind == .missing }), let first = usable.first else {
      return settingsWithoutKey += resourcesOnDisk.missing
    }
    let names = listed(usable.map { $0.components.last ?? "" }, atMost: 3)
    let message =
      "all \(grouped(count)) tagged resources are missing: \(names); the manifest contains their tags, so "
      + "that you can build when the files exist"
    findings.add(.missingResource, message: message, at: first.offset)
  }

  private func setIdentifier(of resources: ProjectResources, into manifest: inout Manifest) -> Bool {
    guard let identifier = resources.bundleIdentifier, !identifier.value.isEmpty else {
      let state = resources.bundleIdentifier == nil ? "not set" : "empty"
      findings.add(
        .invalidValue,
        message:
          "PRODUCT_BUNDLE_IDENTIFIER is \(state) for the target \(quoted(resources.targetName)) in the configuration "
          + quoted(resources.configuration), at: resources.bundleIdentifier?.offset ?? 0)
      return false
    }
    manifest.bundleIdentifier = identifier.value
    guard let mistake = StringFormat.bundleIdentifier.mistake(in: identifier.value) else { return true }
    findings.add(mistake.check, message: mistake.message, at: identifier.offset)
    return false
  }

  /// Whether a manifest can express a path and its tags; if not, the function reports a finding.
  private func isUsable(_ resource: FoundResources.Resource) -> Bool {
    let formats =
      [(StringFormat.path(within: "the project"), resource.path, resource.offset)]
      + resource.tags.map { (StringFormat.tag, $0.value, $0.offset) }
    let mistakes = formats.compactMap { format, value, offset in
      format.mistake(in: value).map { ($0.check, $0.message, offset) }
    }
    for (check, message, offset) in mistakes { findings.add(check, message: message, at: offset) }
    return mistakes.isEmpty
  }

  /// Reports tags in the initial install and the prefetch order that no file has.
  ///
  /// Xcode accepts such tags, but a manifest must not contain them.
  private mutating func reportLists(of manifest: Manifest) {
    let known = Set(manifest.firstOffsets.keys)
    for (setting, tags) in [
      ("ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS", manifest.initialInstallTags),
      ("ON_DEMAND_RESOURCES_PREFETCH_ORDER", manifest.prefetchTagOrder),
    ] {
      reportUnknown(tags[...], in: setting, known: known, at: manifest.text)
    }
    let hasKnownInitialTag = manifest.initialInstallTags.contains { known.contains($0.value) }
    let front = manifest.prefetchTagOrder.prefix { !known.contains($0.value) }
    guard let first = front.first, front.count < manifest.prefetchTagOrder.count, !hasKnownInitialTag else {
      return
    }
    let message =
      "the prefetch order begins with \(counted(front.count, of: "tag")) that no resource has and that a "
      + "manifest cannot contain, so the other tags get other priorities; remove "
      + "\(front.count == 1 ? "it" : "them") from the project"
    settingsWithoutKey.append(
      Diagnostic(
        .uncarriedSetting, message: message, at: manifest.text.place(at: first.offset), severity: .warning))
  }
}

extension XcodeImporter {
  /// The maximum number of spaces in an unquoted tag that packtool recognizes.
  private static let maxParts = 16

  /// Reports the tags in a setting that no resource has.
  ///
  /// Each tag is reported once.
  ///
  /// If a tag consists of several words, the setting must contain it in quotes.
  private func reportUnknown(
    _ tags: ArraySlice<Located<String>>, in setting: String, known: Set<String>, at text: SourceText
  ) {
    var reported: Set<String> = []
    var rest = tags
    while let tag = rest.popFirst() {
      if known.contains(tag.value) { continue }
      let count = (1...Self.maxParts).last { count in
        count <= rest.count
          && known.contains(([tag] + rest.prefix(count)).map(\.value).joined(separator: " "))
      }
      let message: String
      if let count {
        let whole = ([tag] + rest.prefix(count)).map(\.value).joined(separator: " ")
        rest = rest.dropFirst(count)
        guard reported.insert(whole).inserted else { continue }
        message =
          "\(setting) has \(grouped(count + 1)) tags instead of \(quoted(whole)), because a space separates "
          + "tags; put the tag between quotation marks"
      } else {
        guard reported.insert(tag.value).inserted else { continue }
        message = "no resource has the tag \(quoted(tag.value)), which is in \(setting)"
      }
      findings.add([
        Diagnostic(.unknownTag, message: message, at: text.place(at: tag.offset), severity: .warning)
      ])
    }
  }
}

/// A file that users might pass instead of a project.
///
/// It is a file from which a tool generates an Xcode project, or a file of another tool.
private struct ForeignProject {
  /// The names or the suffixes of files of this kind.
  let names: [String]
  /// A description of the file, and advice about which file to pass instead.
  let advice: String

  private static let all = [
    ForeignProject(
      names: ["project.yml", "project.yaml"],
      advice:
        "is an XcodeGen specification; run \"xcodegen generate\" and name the .xcodeproj that it makes"),
    ForeignProject(
      names: ["Project.swift", "Workspace.swift"],
      advice: "is a Tuist manifest; run \"tuist generate\" and name the .xcodeproj that it makes"),
    ForeignProject(
      names: ["Package.swift"],
      advice:
        "is a Swift package, which has no On-Demand Resources; name an Xcode project, such as App.xcodeproj"),
    ForeignProject(
      names: [".csproj"],
      advice:
        "is a .NET project, whose tags packtool does not read; make a manifest with \"packtool init\""),
    ForeignProject(
      names: ["build.settings"],
      advice:
        "is a Solar2D file, whose tags packtool does not read; make a manifest with \"packtool init\""),
    ForeignProject(
      names: [".json"],
      advice:
        "is neither an Xcode project nor a manifest for ba-package (an object with \"assetPackID\")"),
  ]

  /// Returns the advice about a file that is not a project.
  static func advice(on path: String) -> String {
    let name = lastName(of: path)
    let known = all.first { $0.names.contains { $0.hasPrefix(".") ? name.hasSuffix($0) : name == $0 } }
    return known?.advice ?? "is not an Xcode project; name a project, such as App.xcodeproj"
  }
}

/// The projects that an Xcode workspace lists in its `contents.xcworkspacedata`.
struct XcodeWorkspace {
  static let suffix = ".xcworkspace"
  static let fileName = "contents.xcworkspacedata"
  private static let maxFileSize = 1 << 20
  private static let deepest = 64
  /// Linux refuses paths of this size in bytes or more.
  ///
  /// Without this limit, nested groups could make very long paths.
  private static let maxPathSize = 4096

  /// The paths of the projects, as the user would type them.
  ///
  /// Projects of CocoaPods are not included.
  private(set) var projects: [String] = []

  /// The place of the first project in the text of the workspace; nil if there is no project.
  private var firstPlace: Place?

  /// Returns the finding about a workspace whose only project does not exist; nil if the path is not a
  /// workspace, or if the workspace refers to no project.
  static func missingProject(of path: String) throws(SystemError) -> Diagnostic? {
    guard path.hasSuffix(suffix) else { return nil }
    let workspace = try XcodeWorkspace(path)
    guard let project = workspace.projects.first, let place = workspace.firstPlace else { return nil }
    let message =
      "the workspace refers to the project \(quoted(project)), which does not exist; correct the workspace, or "
      + "name an Xcode project, such as App.xcodeproj"
    return Diagnostic(.missingManifest, message: message, at: place)
  }

  /// Reads the workspace in a folder.
  ///
  /// If it cannot be read, it has no projects.
  init(_ path: String) throws(SystemError) {
    let file = joined(path, Self.fileName)
    guard case .bytes(let bytes) = try FileContents(of: file, limit: Self.maxFileSize) else { return }
    let folder = folderPath(of: path)
    // A group has its own location, and the locations inside the group are relative to the group's location.
    var groups = [folder]
    var seen: Set<String> = []
    let text = String(decoding: bytes, as: UTF8.self)
    for tag in text.split(separator: "<").dropFirst() {
      if tag.hasPrefix("/Group"), groups.count > 1 { groups.removeLast() }
      guard let location = Self.location(in: tag),
        let place = Self.place(location, group: groups.last ?? folder, folder: folder),
        place.utf8.count < Self.maxPathSize
      else { continue }
      if tag.hasPrefix("Group"), groups.count < Self.deepest { groups.append(place) }
      let isProject =
        tag.hasPrefix("FileRef") && place.hasSuffix(".xcodeproj") && lastName(of: place) != "Pods.xcodeproj"
      guard isProject, seen.insert(place).inserted else { continue }
      if projects.isEmpty {
        // The tag begins one byte before its name.
        let offset = text.utf8.distance(from: text.startIndex, to: tag.startIndex) - 1
        firstPlace = SourceText(path: file, bytes: bytes).place(at: offset)
      }
      projects.append(place)
    }
    // The workspace inside an .xcodeproj folder refers to that project itself.
    if projects.isEmpty, folder.hasSuffix(".xcodeproj") { projects = [folder] }
  }

  /// Returns the value of the attribute `location` of an XML tag.
  private static func location(in tag: Substring) -> Substring? {
    guard let range = tag.firstRange(of: "location") else { return nil }
    let parts = tag[range.upperBound...].split(
      separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? parts[1] : nil
  }

  /// Returns the path in a location such as `group:App/App.xcodeproj`; nil for other kinds of locations.
  private static func place(_ location: Substring, group: String, folder: String) -> String? {
    let parts = location.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let path = trimmed(String(parts[1]))
    switch parts[0] {
    case "group": return joined(group, path)
    case "container": return joined(folder, path)
    case "absolute": return path
    default: return nil
    }
  }
}

/// The suffixes of files that Xcode does not just copy, each with the end of a message about them.
private let builtKinds = [
  (["png"], "compresses such files"),
  (["tif", "tiff"], "can combine such files with their other scales"),
  (["plist"], "converts such files to the binary format"),
  (["strings", "stringsdict"], "converts such files to the binary format"),
  (["xcstrings"], "makes .strings files from such files"),
  (["storyboard"], "makes a .storyboardc from such files"),
  (["xib"], "makes a .nib from such files"),
  (["xcdatamodel", "xcdatamodeld"], "makes a .mom or .momd from such files"),
  (["xcmappingmodel"], "makes a .cdm from such files"),
  (["mlmodel", "mlpackage"], "makes an .mlmodelc from such files"),
  (["atlas"], "makes an .atlasc from such files"),
  (["scnassets", "dae"], "makes such files ready for SceneKit"),
  (["metal"], "makes a default.metallib from such files"),
  (["rcproject"], "makes a .reality from such files"),
  (["intentdefinition"], "makes code from such files"),
  (["rkassets"], "makes a .reality from such files"),
  (["skybox"], "makes a texture from such files"),
  (["referenceobject"], "compiles such files for object tracking"),
  (["aimodel"], "compiles such files"),
  (["skatlas"], "makes a texture atlas from such files"),
  (["icon", "iconset"], "makes icons from such files"),
  (["xcstickers"], "compiles the stickers in such files"),
  (["cl"], "compiles such files for OpenCL"),
  (["instrpkg"], "builds an Instruments package from such files"),
]

extension ProjectResources {
  /// Returns a note for each kind of file that Xcode would build instead of copying.
  ///
  /// The note points to the first file of that kind.
  fileprivate func notesOnBuilt(_ resources: [FoundResources.Resource]) -> [Diagnostic] {
    var groups: [String: [FoundResources.Resource]] = [:]
    for resource in resources where resource.kind != .catalog {
      let name = resource.components.last ?? ""
      guard let dot = name.lastIndex(of: ".") else { continue }
      groups[name[name.index(after: dot)...].lowercased(), default: []].append(resource)
    }
    if !compressesImages { groups["png"] = nil }
    return builtKinds.flatMap { suffixes, product in
      suffixes.compactMap { suffix in groups[suffix].map { note(on: $0, suffix: suffix, product: product) } }
    }
  }

  private func note(
    on resources: [FoundResources.Resource], suffix: String, product: String
  ) -> Diagnostic {
    let count = resources.count
    let message =
      "\(grouped(count)) .\(suffix) \(count == 1 ? "file has tags and is" : "files have tags and are") "
      + "packed unchanged; Xcode \(product)"
    return Diagnostic(
      .builtResource, message: message, at: text.place(at: resources.map(\.offset).min() ?? 0))
  }
}
