import Formats
import Inspect
import Model
import Packing
import Pipeline
import System

/// All facts of a report.
///
/// They are computed once, and the sections of the report only format them.
struct ReportFacts: Sendable {
  let release: Release
  let names: TagNames
  let files: ReportFiles
  let findings: Findings
  let limits: [LimitUse]
  let pulledIn: PulledIntoInstall
  /// For each tag, the packs that a request for the tag downloads, and the number of these packs that also
  /// have other tags.
  let tags: [TagLoad]
  let timeline: LoadTimeline
  /// The update from the last baseline; nil if there is no baseline.
  let update: UpdateReport?
  let history: History?
  /// The tags that are in earlier releases but not in this release.
  let removedTags: [RemovedTag]
  /// The slices; nil if all devices get the same files.
  let slices: SlicesReport?
  let simulations: [SimulationRun]
  let largestFiles: [ReportFiles.LargeFile]

  static let maxFiles = 500

  init(
    _ subject: ReportSubject, findings: Findings, history: History? = nil,
    simulations: [SimulationRun] = []
  ) {
    release = subject.release
    names = TagNames(subject.release.packs.map(\.tags))
    files = subject.files
    self.findings = findings
    limits = LimitUse.all(
      of: subject.release, slices: subject.slices?.slices ?? [], limits: subject.limits,
      appBundleSize: subject.appSize)
    pulledIn = PulledIntoInstall(subject.release)
    tags = subject.release.tagLoads
    let largestDownload = subject.slices?.largestDownload
    timeline = LoadTimeline(
      largestDownload?.release ?? subject.release, on: largestDownload?.devices.first,
      appSize: subject.appSize)
    update = history?.updates.last.map { UpdateReport($0, having: []) }
    removedTags = history?.removedTags ?? []
    self.history = history.flatMap { $0.updates.count > 1 ? $0 : nil }
    slices = subject.slices
    self.simulations = simulations
    largestFiles = subject.files.largest(atMost: Self.maxFiles)
  }

  /// Whether there is no manifest and no index, so the report would be about nothing.
  var isWithoutSource: Bool {
    release.packs.isEmpty
      && findings.diagnostics.contains {
        $0.severity == .error && [.missingManifest, .missingIndex].contains($0.check)
      }
  }
}

/// The packs that a report is about.
///
/// They come from a plan or from a built folder.
struct ReportSubject: Sendable {
  let release: Release
  let files: ReportFiles
  let limits: LimitSettings
  /// The size of the app in bytes; nil if unknown.
  let appSize: Int64?
  /// The slices; nil if all devices get the same files.
  let slices: SlicesReport?

  /// Makes a subject from the packs of a plan.
  ///
  /// `packs` contains the packs that are built. `devices` contains the device classes for which slices are
  /// computed.
  init(_ plan: PackPlan, packs: [PublishedPack?]?, for devices: [DeviceClass] = [], appSize: Int64?) {
    release = Release(of: plan, packs: packs)
    files = ReportFiles(plan, release: release)
    limits = plan.manifest.limits
    self.appSize = appSize
    let hasSlices = plan.device == nil && !plan.tree.variants.isEmpty && !devices.isEmpty
    slices = hasSlices ? SlicesReport(of: plan, for: devices, appSize: appSize) : nil
  }

  /// Makes a subject without packs, for a report that contains only findings.
  ///
  /// `name` is the title of the report.
  init(nothing name: String) {
    release = Release(
      bundleIdentifier: name, profile: LimitProfile.appStore.name, packs: [], tags: [], order: [:],
      untagged: FileCount(), contents: nil)
    files = ReportFiles(packs: [], untagged: [])
    limits = LimitSettings(
      overrides: Dictionary(uniqueKeysWithValues: LimitKind.allCases.map { ($0, .init(nil)) }))
    appSize = nil
    slices = nil
  }

  /// Makes a subject from the packs of a release and all files of the release.
  ///
  /// The release comes from a built folder or a comparison.
  ///
  /// If the release is a plan, `manifest` is its manifest, and `variants` are the variants among its files.
  init(
    _ release: Release, contents: PublishedContents, manifest: Manifest? = nil,
    variants: ReleaseVariants? = nil
  ) {
    self.release = release
    files = ReportFiles(contents, packCount: release.packs.count)
    limits = manifest?.limits ?? LimitSettings(of: release)
    let appSize = manifest.flatMap { try? $0.appBundleSize().size }
    self.appSize = appSize
    slices = variants.map { SlicesReport(release, slices: $0.slices, for: $0.devices, appSize: appSize) }
  }
}

/// The packs that are in the initial install because of one tag, although they also have tags that the
/// initial install does not list.
struct PulledIntoInstall: Sendable {
  /// The indices of the packs, the largest pack first.
  let packs: [Int]
  let size: Int64
  /// The packs' tags that the initial install does not list.
  ///
  /// The tag with the most bytes comes first.
  let tags: [String]

  init(_ release: Release) {
    let listed = Set(release.tags.lazy.filter { $0.delivery == .initialInstall }.map(\.name))
    func others(_ pack: Int) -> [String] { release.packs[pack].tags.filter { !listed.contains($0) } }
    let packs = release.order(of: .initialInstall).filter { !others($0).isEmpty }
    self.packs = packs.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    size = packs.saturatingSum { release.packs[$0].size }
    let shares = packs.flatMap { pack in others(pack).map { ($0, release.packs[pack].size) } }
    let sizes = Dictionary(shares) { $0.saturatingSum(with: $1) }
    tags = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

/// The packs that a request for a tag downloads.
struct TagLoad: Sendable {
  let tag: Release.Tag
  /// The total compressed size of the packs in bytes; nil if any of the packs is not built.
  let packedSize: Int64?
  /// The number of packs that also have other tags.
  let sharedPacks: Int
  /// The total size in bytes of the packs that also have other tags.
  let sharedSize: Int64
}

extension Release {
  var tagLoads: [TagLoad] {
    tags.map { tag in
      let shared = tag.packs.filter { packs[$0].tags.count > 1 }
      return TagLoad(
        tag: tag, packedSize: packedSize(of: tag.packs), sharedPacks: shared.count,
        sharedSize: shared.saturatingSum { packs[$0].size })
    }
  }
}

/// The files of a release, for a report: the files of each pack, and the files without tags.
struct ReportFiles: Sendable {
  struct File: Sendable {
    /// The path of the file inside its pack, or below the root.
    let path: String
    let size: Int64
    /// The compressed size in the pack's archive in bytes; nil if unknown.
    let packedSize: Int64?

    /// The path of the file's folder; "." for the root.
    var folder: Substring {
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? "."
    }

    /// The end of the file's name from its last dot on; empty if the name has no dot.
    var ending: Substring {
      let bytes = path.utf8
      guard let start = bytes.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }),
        bytes[start] == UInt8(ascii: ".")
      else { return "" }
      return path[start...]
    }
  }

  let packs: [[File]]
  /// The files without tags; empty if the caller did not list them.
  let untagged: [File]
}

extension ReportFiles {
  /// Creates the value from the files of a plan.
  ///
  /// `release` is the release of the plan, with the packs that are built.
  init(_ plan: PackPlan, release: Release) {
    packs = zip(plan.packs, release.packs).map { pack, published in
      let packed = published.published?.packedSizes
      return pack.files.enumerated().map { place, number in
        let file = plan.tree.files[number]
        return File(path: file.packPath, size: file.size, packedSize: packed?[place])
      }
    }
    untagged = plan.tree.untaggedFiles.map { File(path: $0.path, size: $0.size, packedSize: nil) }
  }

  init(_ contents: PublishedContents, packCount: Int) {
    packs = (0..<packCount).map { pack in
      contents.files(of: pack).map { number in
        File(
          path: String(decoding: contents.path(at: Int(number)), as: UTF8.self),
          size: contents.size(at: Int(number)),
          packedSize: contents.packedSize(at: Int(number)))
      }
    }
    untagged = []
  }

  /// The number and size of the files with each ending of a name, such as ".png".
  ///
  /// Endings are in lower case. Names without an ending have the key "".
  var countsByEnding: [String: FileCount] {
    var exact: [Substring: FileCount] = [:]
    for file in packs.joined() { exact[file.ending, default: FileCount()].add(file.size) }
    for file in untagged { exact[file.ending, default: FileCount()].add(file.size) }
    var counts: [String: FileCount] = [:]
    for (ending, count) in exact { counts[ending.lowercased(), default: FileCount()] += count }
    return counts
  }

  /// A file that is among the largest files.
  struct LargeFile: Sendable {
    let file: File
    /// The index of the file's pack in the release; nil if the file has no tags.
    let pack: Int?
  }

  /// Returns the largest files.
  ///
  /// The largest file comes first. Files of equal size are sorted by path.
  func largest(atMost limit: Int) -> [LargeFile] {
    var large: [LargeFile] = []
    var least: Int64 = 0
    func add(_ files: [File], pack: Int?) {
      for file in files where file.size >= least {
        large.append(LargeFile(file: file, pack: pack))
        // Sorting all files would take much longer than sorting a few of them several times.
        if large.count >= 4 * limit {
          large = Array(large.sorted(by: Self.precedes).prefix(limit))
          least = large.last?.file.size ?? 0
        }
      }
    }
    for (number, files) in packs.enumerated() { add(files, pack: number) }
    add(untagged, pack: nil)
    return Array(large.sorted(by: Self.precedes).prefix(limit))
  }

  private static func precedes(_ one: LargeFile, _ other: LargeFile) -> Bool {
    if one.file.size != other.file.size { return one.file.size > other.file.size }
    if !one.file.path.isSameInBytes(as: other.file.path) {
      return one.file.path.precedesInBytes(other.file.path)
    }
    return (one.pack ?? .max) < (other.pack ?? .max)
  }
}

extension Flag {
  static func built(into target: Target<String?>) -> Flag {
    .value(
      "--built", valueName: "DIR", kind: .folder,
      summary: "a folder built from the manifest: show compressed sizes of packs that have not changed",
      into: target)
  }
}

extension ReportSubject {
  init(_ prepared: Preparation, packs: [PublishedPack?]? = nil) throws {
    guard let plan = prepared.slice else {
      self.init(nothing: prepared.manifest?.bundleIdentifier ?? prepared.path)
      return
    }
    // A missing app bundle is ignored here, because the checks report it.
    self.init(
      plan, packs: packs, for: prepared.devices, appSize: try plan.manifest.appBundleSize().size)
  }

  init(_ folder: BuiltFolder) {
    guard let release = folder.release, let contents = folder.contents else {
      self.init(nothing: folder.indexPath)
      return
    }
    self.init(release, contents: contents)
  }
}

extension BuiltFolder {
  func findings(_ profile: LimitProfile?) -> [Diagnostic] {
    guard let index, let contents else { return allFindings }
    return allFindings + index.limitFindings(contents, profile: profile)
  }
}

struct EarlierReleases {
  private(set) var releases: [ReleaseContents] = []
  private(set) var findings: [Diagnostic] = []

  init(_ readers: [ReleaseReader]) {
    findings = readers.flatMap(\.diagnostics)
    releases = readers.compactMap(\.release)
  }

  /// Returns the updates up to a release.
  ///
  /// Returns nil if there are no earlier releases, or if one of the releases cannot be read or is for other
  /// devices.
  mutating func history(to newest: ReleaseContents?) -> History? {
    guard let newest, !releases.isEmpty, !findings.hasErrors else { return nil }
    let all = releases + [newest]
    if let mistake = deviceMistake(in: all.map { ($0.name, $0.release.device) }) {
      findings.append(Diagnostic(.missingIndex, message: mistake, at: Place(newest.name)))
      return nil
    }
    return History(all)
  }

  /// Returns the release of a manifest with the digests of its files.
  ///
  /// The function reads all files to compute the digests.
  mutating func newest(_ prepared: Preparation, jobs: Int) throws -> ReleaseContents? {
    guard let last = releases.last else { return nil }
    let (update, diagnostics) = try prepared.update(from: last, unchanged: .nothing, jobs: jobs)
    findings += diagnostics
    return update?.new
  }
}

extension Preparation {
  /// Returns the built packs of the plan, by the pack's index.
  ///
  /// The packs are in the given folder or, if no folder is given, in the baseline. Returns nil if neither is
  /// given.
  func packs(
    builtIn folder: String?, baseline: String? = nil, shared: SharedOptions
  ) throws(SystemError) -> (packs: [PublishedPack?]?, findings: [Diagnostic]) {
    guard let path = folder ?? baseline else { return (nil, []) }
    if folder == nil, try !BuiltFolder.isNamed(by: path) { return (nil, []) }
    let built = try BuiltFolder(path)
    // Problems of the baseline are ignored here, because the command reports them when it checks the update.
    let findings = folder == nil ? [] : built.allFindings
    guard let release = built.release, plan != nil else { return (nil, findings) }
    return (try builtPacks(of: release, in: built.path, jobs: shared.workers), findings)
  }
}
