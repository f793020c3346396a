package import Formats
package import Model
package import Pipeline
package import System

/// The files of a plan that an app loads in several runs, grouped by scene.
package struct LoadedScenes: Sendable {
  /// A period that a run spends in one scene.
  package struct Visit: Sendable {
    /// The scene, as an index in `scenes`.
    package fileprivate(set) var scene: Int
    /// The number of microseconds since the first load of the run.
    package let start: Int64
    /// The indices, in the asset tree, of the loaded files.
    ///
    /// Each file occurs only once.
    package fileprivate(set) var files: [Int32] = []
  }

  /// A recorded run of the app.
  package struct Run: Sendable {
    /// The path of the run's log.
    package let name: String
    package fileprivate(set) var visits: [Visit] = []
  }

  /// The names of the scenes.
  package private(set) var scenes: [String] = []
  /// The runs that load at least one file of the plan.
  package private(set) var runs: [Run] = []
  package private(set) var findings: [Diagnostic] = []
  private var numbers: [String: Int] = [:]
  /// For each string, the number of scenes whose name is this string, or begins with this string and a space.
  private var beginnings: [String: Int] = [:]

  /// If a log does not mark scenes, a new scene begins after this number of seconds without a load.
  fileprivate static let pause = 2.0

  /// Reads logs.
  ///
  /// If there are globs in `sceneMarks`, a load that matches a glob begins a scene. The name of the scene
  /// consists of the characters that the wildcards match.
  ///
  /// - Throws: if a log exists but cannot be read.
  package init(tracesAt paths: [String], in plan: PackPlan, sceneMarks: [Glob], jobs: Int) throws(SystemError)
  {
    let files = FileNumbers(plan, marks: sceneMarks)
    let read = try onThreads(jobs, each: paths) { path throws(SystemError) in
      Reading(try LoadTrace(path: path), path: path, files: files)
    }
    var bursts: [(run: Int, visit: Int)] = []
    for (path, reading) in zip(paths, read) {
      findings += reading.findings
      if reading.visits.isEmpty { continue }
      var run = Run(name: path)
      for visit in reading.visits {
        if visit.scene == nil { bursts.append((runs.count, run.visits.count)) }
        let scene = visit.scene.map { number(of: $0) } ?? -1
        run.visits.append(Visit(scene: scene, start: visit.start, files: visit.files))
      }
      runs.append(run)
    }
    nameBursts(bursts, plan: plan)
  }

  private mutating func number(of scene: String) -> Int {
    if let known = numbers[scene] { return known }
    numbers[scene] = scenes.count
    scenes.append(scene)
    beginnings[scene, default: 0] += 1
    for blank in scene.indices where scene[blank] == " " {
      beginnings[String(scene[..<blank]), default: 0] += 1
    }
    return scenes.count - 1
  }

  /// Assigns scenes to bursts, which are groups of loads with short pauses.
  ///
  /// Two bursts belong to the same scene if at least half of all their files are in both bursts. The name of
  /// a scene is the name of a file that few other bursts load.
  private mutating func nameBursts(_ bursts: [(run: Int, visit: Int)], plan: PackPlan) {
    var counts: [Int32: Int] = [:]
    for (run, visit) in bursts { for file in runs[run].visits[visit].files { counts[file, default: 0] += 1 } }
    // The scenes that have been found so far, by each file in the first burst of the scene.
    var known: [Int32: [(scene: Int, files: Set<Int32>)]] = [:]
    for (run, visit) in bursts {
      let files = Set(runs[run].visits[visit].files)
      let rarest = files.sorted { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }
      let alike = rarest.prefix(8).lazy.compactMap { file in
        known[file]?.first { $0.files.intersection(files).count * 2 >= $0.files.union(files).count }?.scene
      }.first
      var scene = alike
      if scene == nil, let file = rarest.first(where: { (counts[$0] ?? 0) > 1 }) ?? rarest.first {
        let path = plan.tree.files[Int(file)].path
        let name = lastName(of: path).prefix { $0 != "." }
        let used = beginnings[String(name)] ?? 0
        scene = number(of: used == 0 && !name.isEmpty ? String(name) : "\(name) \(used + 1)")
        for file in rarest { known[file, default: []].append((scene ?? 0, files)) }
      }
      runs[run].visits[visit].scene = scene ?? 0
    }
  }
}

extension LoadedScenes {
  /// Splits the runs into training runs (75 %) and held-out runs (25 %).
  ///
  /// Returns nil if there are fewer than two runs.
  func split(seed: UInt64) -> (trainingRuns: LoadedScenes, heldOut: LoadedScenes)? {
    if runs.count < 2 { return nil }
    var random = RandomNumbers(seed: seed)
    var places = Array(runs.indices)
    for place in places.indices.reversed() { places.swapAt(place, random.number(in: 0...place)) }
    let count = max(1, runs.count / 4)
    var parts = (self, self)
    parts.0.runs = places.dropFirst(count).sorted().map { runs[$0] }
    parts.1.runs = places.prefix(count).sorted().map { runs[$0] }
    return parts
  }
}

/// A log, converted to visits to scenes.
///
/// The scenes have no numbers yet.
private struct Reading {
  /// The loads of one scene.
  struct Visit {
    /// The name of the scene; nil if the new scene is only recognized by a pause.
    let scene: String?
    let start: Int64
    var files: [Int32] = []
  }

  private(set) var visits: [Visit] = []
  private(set) var findings: [Diagnostic]

  init(_ trace: LoadTrace, path: String, files: FileNumbers) {
    findings = trace.findings
    let hasScenes = trace.hasScenes || files.haveScenes
    var scene: String?
    var logged: (scene: String?, marks: Int)?
    var last = -Double.infinity
    var seen: Set<Int32> = []
    for load in trace.loads {
      guard let file = files.number(of: load.path) else { continue }
      // A scene mark in the log ends a scene that began with the load of a file.
      if hasScenes, logged.map({ $0 != (load.scene, load.marks) }) ?? true {
        (scene, logged) = (load.scene, (load.scene, load.marks))
      }
      if let name = files.scenes[file] { scene = name }
      let isNew = hasScenes ? visits.last?.scene != scene : load.time - last > LoadedScenes.pause
      if isNew || visits.isEmpty {
        visits.append(Visit(scene: scene, start: Int64(min(load.time, 1e9) * 1e6)))
        seen = []
      }
      last = load.time
      if seen.insert(file).inserted { visits[visits.count - 1].files.append(file) }
    }
    guard visits.isEmpty, let example = trace.loads.first else { return }
    let message =
      "none of the \(counted(trace.loads.count, of: "path")) names a tagged file below the root "
      + "\(quoted(files.root)), such as \(quoted(String(decoding: example.path, as: UTF8.self))); record a "
      + "run with this root"
    findings.append(Diagnostic(.traceElsewhere, message: message, at: Place(path)))
  }
}

extension GlobCaptures {
  /// Returns the name of the scene that begins with the load of a file: the characters that the wildcards
  /// match or, if there are none, the file's name.
  ///
  /// Returns nil if no scene begins with this file. The name does not include the file's extension.
  fileprivate func name(of path: String) -> String? {
    guard let found = captures(in: path)?.filter({ !$0.isEmpty }) else { return nil }
    let name = found.isEmpty ? String(lastName(of: path).prefix { $0 != "." }) : found.joined(separator: " ")
    return name.replacing("/", with: " ")
  }
}

/// The files of a plan, keyed by the paths that logs can contain for them, and the scenes that begin with the
/// load of some files.
private struct FileNumbers: Sendable {
  private let numbers: [ByteKey: Int32]
  let root: String
  private let roots: [[UInt8]]
  let haveScenes: Bool
  private(set) var scenes: [Int32: String] = [:]

  init(_ plan: PackPlan, marks: [Glob]) {
    let paths = plan.tree.files.map(\.path)
    numbers = Dictionary(zip(paths.map { ByteKey($0) }, 0...)) { first, _ in first }
    root = plan.manifest.rootPath
    let real = try? FileOperations.realPath(of: root)
    roots = [real, root == "." ? nil : Array(root.utf8)].compactMap { $0.map { $0 + [UInt8(ascii: "/")] } }
    let captures = marks.compactMap(GlobCaptures.init)
    haveScenes = !captures.isEmpty
    for (number, path) in zip(Int32(0)..., paths) where haveScenes {
      scenes[number] = captures.lazy.compactMap { $0.name(of: path) }.first
    }
  }

  func number(of path: ArraySlice<UInt8>) -> Int32? {
    if let number = numbers[ByteKey(utf8: Array(path))] { return number }
    let below = roots.first { path.starts(with: $0) }.map { path.dropFirst($0.count) } ?? path
    if let number = numbers[ByteKey(utf8: Array(below))] { return number }
    // The remaining paths have another spelling, or are not in the plan.
    let text = String(decoding: below, as: UTF8.self)
    return (try? RelativePath(text)).flatMap { numbers[ByteKey($0.text)] }
  }
}
