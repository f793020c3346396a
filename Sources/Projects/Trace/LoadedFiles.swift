import Findings
import PackKit
import System

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
