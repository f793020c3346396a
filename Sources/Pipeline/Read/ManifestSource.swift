package import Formats
package import Model
package import System

/// A kind of source from which a `Manifest` is read.
package enum ManifestSource: Sendable {
  /// An Xcode project, such as `App.xcodeproj`.
  case xcodeProject
  /// A manifest file, such as `Manifest.json`.
  case manifest

  /// The result of reading a source.
  package struct Reading: Sendable {
    /// The manifest; nil if the source could not be read, or if packtool cannot build from the source.
    package var manifest: Manifest?
    package let findings: [Diagnostic]
    /// The text of the source, even if it is not a valid manifest; nil if the file does not exist.
    package let text: SourceText?
    /// Findings about settings that a build uses but that cannot be written in a `Manifest.json`.
    package let settingsWithoutKey: [Diagnostic]
  }

  /// Creates the kind of source that an argument specifies: a project if the argument has the suffix of a
  /// project, otherwise a manifest.
  package init(argument: String) { self = XcodeImporter.isProject(argument) ? .xcodeProject : .manifest }

  /// Returns the path of the file that an argument refers to.
  package func path(for argument: String) throws(SystemError) -> String {
    switch self {
    case .xcodeProject: try XcodeImporter.projectPath(for: argument)
    case .manifest: try ManifestReader.manifestPath(for: argument)
    }
  }

  /// Reads the source that an argument refers to.
  package func read(
    _ argument: String, choice: ProjectChoice, scope: ManifestScope = .release
  ) throws(SystemError) -> Reading {
    switch self {
    case .xcodeProject:
      let importer = try XcodeImporter(argument: argument, choice: choice)
      return Reading(
        manifest: importer.manifest, findings: importer.diagnostics + importer.notes, text: importer.text,
        settingsWithoutKey: importer.settingsWithoutKey)
    case .manifest:
      let reader = try ManifestReader(argument: argument, scope: scope, guess: Self.guess)
      return Reading(
        manifest: reader.manifest, findings: reader.diagnostics, text: reader.text, settingsWithoutKey: [])
    }
  }

  /// Returns a hint for an argument without a manifest: another manifest source in the folder, or a file with
  /// a similar name.
  ///
  /// For a file that is not a manifest, such as a picture, the hint is the nearest manifest above the file.
  fileprivate static func guess(for argument: String) -> String? {
    if (try? FileOperations.statusIfThere(argument))??.kind == .file {
      return (try? source(above: argument)).flatMap(\.self).map { "did you mean \(quoted($0))?" }
    }
    if let hint = try? PublishedNames.hint(onBuild: argument) { return hint }
    if let hint = try? hint(onRoot: argument) { return hint }
    return source(near: argument).map { "did you mean \(quoted($0))?" }
  }

  /// The hint for an argument that is the root folder of a manifest in a parent folder; nil for all other
  /// arguments.
  private static func hint(onRoot argument: String) throws(SystemError) -> String? {
    guard let root = try FileOperations.statusIfThere(argument), root.kind == .folder,
      let steps = try pathUp(from: joined(argument, ".."), where: isSource)
    else { return nil }
    let folder = steps == "." ? joined(argument, "..") : joined(joined(argument, ".."), steps)
    let source = try ManifestReader.manifestPath(for: folder)
    guard let manifest = try ManifestReader(argument: source).manifest,
      try FileOperations.statusIfThere(manifest.rootPath)?.identity == root.identity
    else { return nil }
    let isHere =
      try FileOperations.statusIfThere(folder)?.identity == FileOperations.statusIfThere(".")?.identity
    return
      "\(quoted(argument)) is the root of the manifest \(quoted(isHere ? lastName(of: source) : source)); name "
      + "the manifest instead"
  }

  /// Returns the nearest manifest in a parent folder, if it already packs the files of a folder; otherwise nil.
  ///
  /// A manifest packs these files if the folder is its root, or if one of its rules matches the folder.
  package static func manifest(packingFolder folder: String) throws(SystemError) -> String? {
    let above = joined(folder, "..")
    guard let steps = try pathUp(from: above, where: isSource) else { return nil }
    let source = try ManifestReader.manifestPath(for: steps == "." ? above : joined(above, steps))
    guard let manifest = try ManifestReader(argument: source).manifest,
      try FileOperations.statusIfThere(manifest.rootPath)?.kind == .folder
    else { return nil }
    let root = try RealPath(of: manifest.rootPath), real = try RealPath(of: folder)
    guard root.contains(real) else { return nil }
    let below = real.names.dropFirst(root.names.count).joined(separator: [UInt8(ascii: "/")])
    guard let path = String(validating: below, as: UTF8.self) else { return nil }
    return path.isEmpty || !RuleMatcher(manifest).trace(path).rules.isEmpty ? source : nil
  }

  /// Returns the nearest manifest in the folder of a file or in one of its parent folders; nil if there is no
  /// manifest.
  private static func source(above file: String) throws(SystemError) -> String? {
    let folder = folderPath(of: file)
    guard let steps = try pathUp(from: folder, where: isSource) else { return nil }
    let found = joined(folder, steps)
    let isHere =
      try FileOperations.statusIfThere(found)?.identity == FileOperations.statusIfThere(".")?.identity
    let source = try ManifestReader.manifestPath(for: isHere ? "." : found)
    return isHere ? lastName(of: source) : source
  }

  /// Whether a manifest in a parent folder has this folder as its root.
  package static func isRoot(_ folder: String) throws(SystemError) -> Bool { try hint(onRoot: folder) != nil }

  private static func source(near argument: String) -> String? {
    if let project = XcodeImporter.project(in: argument) { return project }
    let isFolder = (try? FileOperations.statusIfThere(argument))??.kind == .folder
    let folder = isFolder ? trimmed(argument) : folderPath(of: argument)
    let names = ((try? FileOperations.names(in: folder)) ?? []).filter { $0.contains(".json") }
    let near = nearest(to: isFolder ? Manifest.fileName : lastName(of: argument), in: names)
    if let near { return joined(folder, near) }
    return XcodeImporter.first(below: folder) { below in
      let isSource = (try? isSource(folder: below)) == true
      return XcodeImporter.project(in: below) ?? (isSource ? joined(below, Manifest.fileName) : nil)
    }
  }

  /// Returns the folder to use if the user passes no argument.
  ///
  /// This is the nearest folder that contains a manifest, or "." if there is none. The search begins in the
  /// current folder and continues in its parent folders, as in Cargo. The search ends at a folder that
  /// packtool is not permitted to read.
  ///
  /// - Throws: if the file system fails, because a continued search might find the wrong manifest.
  package static func search() throws(SystemError) -> String {
    do throws(SystemError) {
      return try pathUp(from: ".", where: isSource) ?? "."
    } catch {
      if error.isDenied { return "." }
      throw error
    }
  }

  /// Returns the nearest manifest in the folder of a file or in one of its parent folders, if one of the
  /// manifest's rules matches the file; otherwise nil.
  ///
  /// The result is also nil if the manifest is one of `others`.
  package static func manifest(
    packing path: String, excluding others: Set<FileIdentity>
  ) throws(SystemError) -> String? {
    let folder = folderPath(of: path)
    guard let steps = try pathUp(from: folder, where: isSource) else { return nil }
    let source = try ManifestReader.manifestPath(for: joined(folder, steps))
    guard let identity = try FileOperations.statusIfThere(source)?.identity, !others.contains(identity),
      let manifest = try ManifestReader(argument: source).manifest,
      try FileOperations.statusIfThere(manifest.rootPath)?.kind == .folder
    else { return nil }
    let root = try RealPath(of: manifest.rootPath), file = try RealPath(of: path)
    guard root.contains(file) else { return nil }
    let below = file.names.dropFirst(root.names.count).joined(separator: [UInt8(ascii: "/")])
    guard let pathBelowRoot = String(validating: below, as: UTF8.self) else { return nil }
    return RuleMatcher(manifest).trace(pathBelowRoot).rules.isEmpty ? nil : source
  }

  /// Returns the message about an argument for which no file or folder exists; nil if the file or folder
  /// exists.
  package static func mistake(about argument: String) -> String? {
    let source = ManifestSource(argument: argument)
    guard let path = try? source.path(for: argument), (try? FileOperations.exists(path)) == false else {
      return nil
    }
    return (try? source.read(argument, choice: ProjectChoice()))?.findings.first?.message
  }

  /// Whether a folder is a manifest source or contains one.
  package static func isSource(folder: String) throws(SystemError) -> Bool {
    if ManifestSource(argument: folder) != .manifest { return true }
    for name in [Manifest.fileName, Manifest.fileNameWithComments]
    where try FileOperations.exists(joined(folder, name)) { return true }
    return false
  }
}

/// The name of the file in which users save the output of `packtool schema`.
package let schemaName = "Manifest.schema.json"

/// Returns the path of the JSON Schema, relative to the folder of a manifest.
///
/// Editors find the schema with the manifest's key `$schema`. The function looks for the schema in the folder
/// of the manifest and in its parent folders. If it does not find the schema, the result is a path next to
/// the manifest.
package func schemaPath(relativeTo manifest: String) throws(SystemError) -> String {
  let steps = try pathUp(from: folderPath(of: manifest)) { folder throws(SystemError) in
    try FileOperations.exists(joined(folder, schemaName))
  }
  return joined(steps ?? ".", schemaName)
}

/// Returns the relative path, such as `../..`, from a folder to the nearest folder for which `isWanted` is true.
///
/// The function tries the folder itself (".") first, and then its parent folders.
private func pathUp(
  from start: String, where isWanted: (String) throws(SystemError) -> Bool
) throws(SystemError) -> String? {
  var path = "."
  var last: FileIdentity?
  while let status = try FileOperations.statusIfThere(joined(start, path)), status.identity != last {
    if try isWanted(joined(start, path)) { return path }
    last = status.identity
    path = joined(path, "..")
  }
  return nil
}

/// A manifest's text, and the edits that convert the text to packtool's style.
package struct ManifestStyle {
  /// The manifest's path as the user would type it.
  package let path: String
  /// The text of the manifest; nil if the file does not exist.
  package let text: SourceText?
  /// The text, converted to packtool's style; nil if the original text has syntax mistakes.
  package let edited: EditedText?
  /// Findings that explain why the manifest could not be read.
  package let findings: [Diagnostic]
  /// A description of the file if it is not a manifest, worded as the end of a sentence.
  package private(set) var otherKind: String?

  /// Reads the manifest for a command's argument: a file, or a folder that contains a Manifest.json.
  ///
  /// A text that is longer than `maxTextSize` keeps its style.
  package init(_ argument: String, maxTextSize: Int = JSONStyle.maxTextSize) throws(SystemError) {
    path = try ManifestReader.manifestPath(for: argument)
    let reader = try ManifestReader(argument: argument, guess: ManifestSource.guess)
    text = reader.text
    guard let text else {
      edited = nil
      findings = reader.diagnostics
      return
    }
    let name = lastName(of: path)
    otherKind = reader.value.flatMap { Self.otherKind(of: $0, named: name) }
    guard otherKind == nil else {
      (edited, findings) = (nil, [])
      return
    }
    // Only syntax mistakes affect the style; `validate` reports all other mistakes.
    let mistakes = reader.diagnostics.filter { $0.check == .jsonSyntax }
    let edits =
      mistakes.isEmpty && text.bytes.count <= maxTextSize ? JSONStyle.edits(of: text) : nil
    edited = edits.map { EditedText(text, edits: $0) }
    if mistakes.isEmpty, edits == nil {
      let message =
        "the manifest is longer than the \(ByteSize.exact(maxTextSize)) that fmt accepts, or would "
        + "become longer than \(ByteSize.exact(JSONStyle.maxResultSize))"
      findings = [Diagnostic(.jsonSyntax, message: message, at: Place(path))]
    } else {
      findings = mistakes
    }
  }

  /// Describes a JSON file that is not a manifest.
  ///
  /// Returns nil for a manifest. Other files with the key "resources" belong to other tools, so packtool does
  /// not change their style.
  private static func otherKind(of value: JSONValue, named name: String) -> String? {
    if RecognizedFileKind(named: name) == .manifest { return nil }
    let isManifest = value.hasMembers(["bundleIdentifier", "resources"])
    if isManifest || value.hasMembers(["assetPackID", "fileSelectors"]) { return nil }
    if let known = RecognizedFileKind(value: value), known != .manifest { return "is \(known.words)" }
    return "is not a manifest; a manifest has \"bundleIdentifier\" and \"resources\""
  }

  /// The finding about a manifest whose style differs from packtool's style; empty if the style is right.
  package var remarks: [Diagnostic] {
    guard let edited, let first = edited.edits.first else { return [] }
    let message = "from here on, the text is not in packtool's style; \"packtool fmt\" corrects the style"
    return [Diagnostic(.otherStyle, message: message, at: edited.text.place(at: first.range.lowerBound))]
  }
}
