package import Findings
import Formats
package import PackKit
package import System

/// A manifest that a person might write for a folder of assets, for that person to read and mend.
package struct ManifestProposal: Sendable {
  /// The manifest, less what only a file has: places and text.
  package private(set) var manifest: Manifest
  package let rules: [ProposedRule]
  /// Folders without tags, and why.
  package let kept: [KeptFolder]
  /// Files that are left out since they would be errors, by the path below the root.
  package private(set) var leftOut: [String] = []

  /// Files of editors of pictures and models, which no app reads.
  private static let sourceSuffixes = ["psd", "xcf", "kra", "blend", "blend1", "aseprite", "ai", "fla"]
  /// The game engines whose projects are known by a file, and the folders in which they keep what they can make again.
  private static let engines: [(name: String, mark: String, caches: [String])] = [
    (
      "Unity", "ProjectSettings/ProjectVersion.txt",
      ["Library", "Temp", "Logs", "UserSettings", "ProjectSettings"]
    ),
    ("Godot", "project.godot", [".godot", ".import"]),
    ("Unreal", ".uproject", ["DerivedDataCache", "Intermediate", "Saved", "Binaries"]),
  ]
  /// The name of the game engine whose project the folder is.
  package private(set) var engine: String?

  private static let mostLeftOut = 100

  /// Looks at the files below a folder for a manifest at a path, which sees the folder as `start`; nil if there are none.
  package init?(
    folder: String, path: String, seenAs start: String = ".", bundleIdentifier: String, jobs: Int
  ) throws(SystemError) {
    let empty = SourceText(path: path, bytes: [])
    let scan = try AssetScan(
      of: Manifest(text: empty, folder: folder), output: nil, jobs: jobs, listsUntagged: true)
    var files = (scan.tree?.untaggedFiles ?? []).filter { $0.path != lastName(of: path) }
    let engine = Self.engines.first { engine in
      files.contains {
        $0.path.hasSuffix(engine.mark) && !$0.path.dropLast(engine.mark.utf8.count).contains("/")
      }
    }
    let caches = engine?.caches ?? []
    files.removeAll { file in caches.contains { file.path.hasPrefix("\($0)/") } }
    let root = FolderTree(of: files).rootPath
    let below = files.compactMap { $0.below(root) }
    let tree = FolderTree(of: below)
    let name = root.isEmpty ? lastName(of: trimmed(folder)) : lastName(of: root)
    let proposal = RuleProposal(
      tree, LanguageSuffixes(of: below), noun: TagWords.isGeneric(name) ? "Part" : TagWords.singular(name))
    if proposal.rules.isEmpty { return nil }
    rules = proposal.rules
    kept = proposal.kept
    var manifest = Manifest(text: empty, folder: folderPath(of: path))
    manifest.bundleIdentifier = bundleIdentifier
    manifest.root = Located(joined(start, root), at: 0)
    manifest.rules = proposal.rules.map(\.rule)
    let suffixes = Set(below.compactMap { $0.path.split(separator: ".").last?.lowercased() })
    for suffix in Self.sourceSuffixes where suffixes.contains(suffix) {
      if let glob = try? Glob("**/*.\(suffix)") { manifest.excludes.append(glob) }
    }
    for cache in caches where root.isEmpty {
      if let glob = try? Glob("\(cache)/**"),
        try FileOperations.exists(joined(folder, cache), following: false)
      {
        manifest.excludes.append(glob)
      }
    }
    self.engine = engine?.name
    manifest.initialInstallTags = proposal.initialInstallTags.map { Located($0, at: 0) }
    manifest.prefetchTagOrder = proposal.prefetchTagOrder.map { Located($0, at: 0) }
    for tag in proposal.initialInstallTags + proposal.prefetchTagOrder { manifest.firstPlaces[tag] = 0 }
    self.manifest = manifest
  }

  /// The text of the manifest's file.
  package func text(schema: String?) -> ByteBuffer {
    manifest.formatted(root: manifest.root.value, schema: schema)
  }

  /// The same without the files that errors are about; nil if there are none, or too many.
  package func leavingOut(filesOf errors: [Diagnostic]) -> ManifestProposal? {
    let prefix = manifest.rootPath == "." ? "" : manifest.rootPath + "/"
    var paths: [String] = []
    for error in errors
    where error.severity == .error && error.place.path.hasPrefix(prefix)
      && error.place.path != manifest.text.path
    {
      let path = String(error.place.path.dropFirst(prefix.count))
      if !path.isEmpty, !paths.contains(path), !leftOut.contains(path) { paths.append(path) }
    }
    guard !paths.isEmpty, paths.count + leftOut.count <= Self.mostLeftOut else { return nil }
    var proposal = self
    proposal.leftOut += paths
    for path in paths {
      guard let glob = try? Glob(Self.escaped(path)) else { return nil }
      proposal.manifest.excludes.append(glob)
    }
    return proposal
  }

  /// The same with lists that name no other tags; nil if they name none.
  package func listing(only tags: Set<String>) -> ManifestProposal? {
    let listed = manifest.initialInstallTags + manifest.prefetchTagOrder
    if listed.allSatisfy({ tags.contains($0.value) }) { return nil }
    var proposal = self
    proposal.manifest.initialInstallTags.removeAll { !tags.contains($0.value) }
    proposal.manifest.prefetchTagOrder.removeAll { !tags.contains($0.value) }
    return proposal
  }

  /// A glob for exactly one path.
  private static func escaped(_ path: String) -> String {
    path.map { "*?[{".contains($0) ? "[\($0)]" : String($0) }.joined()
  }
}

extension UntaggedFile {
  /// The same file with its path below a folder; nil if it is elsewhere.
  fileprivate func below(_ folder: String) -> UntaggedFile? {
    if folder.isEmpty { return self }
    guard path.hasPrefix(folder + "/") else { return nil }
    return UntaggedFile(path: String(path.dropFirst(folder.count + 1)), size: size)
  }
}
