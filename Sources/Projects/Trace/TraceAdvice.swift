package import Findings
import Formats
package import PackKit
import System

/// The advice of a trace on a manifest: which tags are needed when, and which files have the wrong ones.
package struct TraceAdvice: Sendable {
  /// A scene of the trace.
  package struct Scene: Sendable {
    package let name: String
    /// Seconds from the first load of the trace to its first.
    package let start: Double
    /// The number of files below the root that it loads.
    package fileprivate(set) var fileCount = 0
    /// Bytes of these files.
    package fileprivate(set) var size: Int64 = 0
  }

  /// The files of a tag that a trace loads.
  package struct TagUse: Sendable {
    package let tag: String
    /// Seconds to the first load of a file that only this tag has, or of any where there are none; nil for never.
    package let first: Double?
    /// The scene of that load.
    package let scene: String?
    /// The number of its files that are loaded, and of all.
    package let loadedCount: Int
    package let fileCount: Int
  }

  /// A file and the tags that it should have.
  package struct FileAdvice: Sendable {
    /// The path below the root.
    package let path: String
    /// Bytes.
    package let size: Int64
    /// The scenes that load it; empty for none.
    package let scenes: [String]
    /// The tags that the trace suggests; empty where the file is best left as it is.
    package let tags: [String]
  }

  /// The scenes in the order in which they begin.
  package let scenes: [Scene]
  /// The tags in the order of their first loads, those never loaded last.
  package let tags: [TagUse]
  /// The tags that the first scene needs, in the order of their first loads.
  package let initialInstallTags: [String]
  /// The other tags that are loaded, in that order.
  package let prefetchTagOrder: [String]
  /// Tagged files that nothing loads, the largest first.
  package let neverLoaded: [FileAdvice]
  /// Files without tags that are loaded, but not by the first scene.
  package let untagged: [FileAdvice]
  /// The same for those that the first scene loads, which belong to the app bundle.
  package let untaggedAtStart: [FileAdvice]
  /// Paths below the root that are no files, in the order of the trace.
  package let missing: [String]
  /// The number of loads from outside the root.
  package let elsewhereCount: Int
  /// The error about a trace that names no file below the root.
  package private(set) var findings: [Diagnostic] = []

  /// Compares a trace with a plan, whose files without tags are listed.
  package init(_ trace: LoadTrace, _ plan: PackPlan) {
    let loaded = LoadedFiles(trace, in: plan)
    missing = loaded.missing
    elsewhereCount = loaded.elsewhereCount
    scenes = Self.scenes(of: trace, loaded)
    let tags = plan.tags.map { Self.use(of: $0, in: plan, loaded) }.sorted {
      ($0.first ?? .infinity, $0.tag) < ($1.first ?? .infinity, $1.tag)
    }
    self.tags = tags
    let first = scenes.first?.name
    initialInstallTags = tags.filter { $0.first != nil && $0.scene == first }.map(\.tag)
    prefetchTagOrder = tags.filter { $0.first != nil && $0.scene != first }.map(\.tag)
    neverLoaded = plan.tree.files.indices.filter { loaded.tagged[$0] == nil }.map { number in
      let file = plan.tree.files[number]
      return FileAdvice(path: file.path, size: file.size, scenes: [], tags: [])
    }.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
    let words = Self.words(for: scenes.map(\.name), tags)
    let files = loaded.untagged.map { path, use in
      let isAtStart = first.map(use.scenes.contains) ?? false
      let wanted = isAtStart ? [] : use.scenes.compactMap { words[$0] }
      return FileAdvice(path: path, size: use.size, scenes: use.scenes, tags: Set(wanted).sorted())
    }.sorted { $0.path.precedesInBytes($1.path) }
    untagged = files.filter { !$0.tags.isEmpty }
    untaggedAtStart = files.filter(\.tags.isEmpty)
    if let text = trace.text, let load = trace.loads.first, loaded.tagged.isEmpty, loaded.untagged.isEmpty {
      let message =
        "none of the \(counted(trace.loads.count, "path")) names a file below the root "
        + "\(quoted(plan.manifest.rootPath)), such as \(quoted(load.path)); record a run with this root"
      findings = [Diagnostic(.traceElsewhere, message, at: Place(text.path))]
    }
  }

  private static func scenes(of trace: LoadTrace, _ loaded: LoadedFiles) -> [Scene] {
    var numbers: [String: Int] = [:]
    var scenes: [Scene] = []
    for load in trace.loads where numbers[load.scene] == nil {
      numbers[load.scene] = scenes.count
      scenes.append(Scene(name: load.scene, start: load.time))
    }
    for use in Array(loaded.tagged.values) + loaded.untagged.values {
      for number in use.scenes.compactMap({ numbers[$0] }) {
        scenes[number].fileCount += 1
        scenes[number].size = scenes[number].size.saturatingSum(with: use.size)
      }
    }
    return scenes
  }

  /// The loaded part of a tag; of a file with several tags a trace does not say for which it was loaded.
  private static func use(
    of tag: PackPlan.Tag, in plan: PackPlan, _ loaded: LoadedFiles
  ) -> TagUse {
    let files = tag.packs.flatMap { plan.packs[$0].files }
    let own = tag.packs.filter { plan.packs[$0].tags.count == 1 }.flatMap { plan.packs[$0].files }
    let uses = (own.isEmpty ? files : own).compactMap { loaded.tagged[$0] }
    let first = uses.min { $0.first < $1.first }
    return TagUse(
      tag: tag.name, first: first?.first, scene: first?.scenes.first,
      loadedCount: files.count { loaded.tagged[$0] != nil }, fileCount: files.count)
  }

  /// The tag for what a scene loads: that of its name, or the first that it is the first to load, or else its name.
  private static func words(for scenes: [String], _ tags: [TagUse]) -> [String: String] {
    let named = Dictionary(tags.map { ($0.tag.lowercased(), $0.tag) }) { first, _ in first }
    let loaded = tags.filter { $0.first != nil }.compactMap { use in use.scene.map { ($0, use.tag) } }
    let first = Dictionary(loaded) { first, _ in first }
    var words: [String: String] = [:]
    for scene in scenes {
      let word = named[scene.lowercased()] ?? first[scene] ?? scene
      if TextForm.tag.mistake(in: word) == nil { words[scene] = word }
    }
    return words
  }
}

/// The files of a plan that a trace loaded, and when.
struct LoadedFiles {
  /// The first load of each tagged file, by its number in the tree, and the scenes that load it.
  private(set) var tagged: [Int: FileUse] = [:]
  /// The same for files without tags, by their paths.
  private(set) var untagged: [String: FileUse] = [:]
  /// Paths below the root that are no files there, in the order of the trace.
  private(set) var missing: [String] = []
  /// The number of loads from elsewhere.
  private(set) var elsewhereCount = 0

  private let roots: [String]

  init(_ trace: LoadTrace, in plan: PackPlan) {
    let root = plan.manifest.rootPath
    let real = (try? FileOperations.realPath(of: root)).flatMap { String(validating: $0, as: UTF8.self) }
    roots = [real, root == "." ? nil : root].compactMap { $0 }.map { $0 + "/" }
    let numbers = Dictionary(
      zip(plan.tree.files.map { ByteKey($0.path) }, plan.tree.files.indices)
    ) { first, _ in first }
    let sizes = Dictionary(plan.tree.untaggedFiles.map { (ByteKey($0.path), $0.size) }) { first, _ in first }
    var unknown: Set<ByteKey> = []
    for load in trace.loads {
      guard let path = pathBelowRoot(load.path) else {
        elsewhereCount += 1
        continue
      }
      let key = ByteKey(path)
      if let number = numbers[key] {
        tagged[number, default: FileUse(load, size: plan.tree.files[number].size)].add(load)
      } else if let size = sizes[key] {
        untagged[path, default: FileUse(load, size: size)].add(load)
      } else if unknown.insert(key).inserted {
        missing.append(path)
      }
    }
  }

  /// A path of a trace as one below the root; nil for an absolute one elsewhere, and for what is no path.
  private func pathBelowRoot(_ text: String) -> String? {
    for root in roots where text.hasPrefix(root) { return normal(String(text.dropFirst(root.count))) }
    return normal(text)
  }

  private func normal(_ text: String) -> String? { (try? RelativePath(text))?.text }
}

/// When a file was loaded first, and by which scenes.
struct FileUse {
  /// Seconds since the first load of the trace.
  private(set) var first: Double
  /// The scenes in the order of their first loads.
  private(set) var scenes: [String] = []
  private var known: Set<String> = []
  /// Bytes of the file.
  let size: Int64

  init(_ load: LoadTrace.Load, size: Int64) {
    first = load.time
    self.size = size
  }

  mutating func add(_ load: LoadTrace.Load) {
    first = min(first, load.time)
    if known.insert(load.scene).inserted { scenes.append(load.scene) }
  }
}
