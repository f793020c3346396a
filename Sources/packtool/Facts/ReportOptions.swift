import Findings
import Flags
import Formats
import PackKit
import Packing
import Projects
import Published
import Releases
import Simulation
import System

extension Flag {
  static func report(into target: Target<String?>) -> Flag {
    .value(
      "--report", valueName: "FILE", kind: .file(suffixes: [".html"]),
      summary: "also write a report with pictures, one HTML file", into: target)
  }

  static func built(into target: Target<String?>) -> Flag {
    .value(
      "--built", valueName: "DIR", kind: .folder,
      summary: "a folder that was built of the manifest: show packed sizes of packs that are still the same",
      into: target)
  }
}

extension Session {
  func write(_ facts: ReportFacts, to path: String) throws { try write(facts.page, to: path) }
}

extension ReportSubject {
  /// The packs of a preparation, or nothing where it came to no plan.
  init(_ prepared: Preparation, packs: [PublishedPack?]? = nil) throws {
    guard let plan = prepared.slice else {
      self.init(nothing: prepared.manifest?.bundleIdentifier ?? prepared.path)
      return
    }
    // A missing app bundle is a finding of the checks.
    self.init(
      plan, packs: packs, for: prepared.devices, appSize: try AppBundleMeasure(of: plan.manifest).size)
  }

  /// The packs of a built folder, or nothing where it is damaged.
  init(_ folder: BuiltFolder) {
    guard let release = folder.release, let contents = folder.contents else {
      self.init(nothing: folder.indexPath)
      return
    }
    self.init(release, contents)
  }
}

extension BuiltFolder {
  /// The findings about the folder and about the limits of what it holds.
  func findings(_ profile: LimitProfile?) -> [Diagnostic] {
    guard let index, let contents else { return allFindings }
    return allFindings + index.limitFindings(contents, profile)
  }
}

struct PlayedScenarios {
  private(set) var runs: [SimulationRun] = []
  private(set) var findings: [Diagnostic] = []
  private(set) var texts: [SourceText] = []

  /// Plays scenarios on a release; on none if it could not be read.
  init(_ paths: [String], on release: SimulatedRelease?, jobs: Int) throws(SystemError) {
    for path in paths {
      let reader = try ScenarioReader(path: path)
      findings += reader.diagnostics
      if let text = reader.text { texts.append(text) }
      guard let release, let play = try ScenarioPlay(reader, on: release, jobs: jobs) else { continue }
      findings += play.diagnostics
      if let result = play.result, let table = play.table {
        runs.append(SimulationRun(play.scenario, result, table, path: path))
      }
    }
  }
}

/// The releases before a report's, oldest first.
struct EarlierReleases {
  private(set) var releases: [ReleaseContents] = []
  private(set) var findings: [Diagnostic] = []

  init(_ paths: [String], device: DeviceClass?, _ shared: SharedOptions) throws(SystemError) {
    let readers = try ReleaseReader.read(
      paths, device: device, jobs: shared.workers, scanJobs: shared.scanWorkers)
    findings = readers.flatMap(\.diagnostics)
    releases = readers.compactMap(\.release)
  }

  /// The updates up to a release; nil without any, and where one of them could not be read or is for other devices.
  mutating func history(to newest: ReleaseContents?) -> History? {
    guard let newest, !releases.isEmpty, !findings.hasErrors else { return nil }
    let all = releases + [newest]
    if let mistake = deviceMistake(in: all.map { ($0.name, $0.release.device) }) {
      findings.append(Diagnostic(.missingIndex, mistake, at: Place(newest.name)))
      return nil
    }
    return History(all)
  }

  /// The release of a preparation with the digests of its files, which are read for it.
  mutating func newest(_ prepared: Preparation, jobs: Int) throws -> ReleaseContents? {
    guard let last = releases.last else { return nil }
    let (update, diagnostics) = try prepared.update(from: last, known: .nothing, jobs: jobs)
    findings += diagnostics
    return update?.new
  }
}

extension Preparation {
  /// The built packs of the plan by their number, of a folder or else of the baseline; nil where neither is named.
  func packs(
    builtIn folder: String?, baseline: String? = nil, _ shared: SharedOptions
  ) throws(SystemError) -> (packs: [PublishedPack?]?, findings: [Diagnostic]) {
    guard let path = folder ?? baseline else { return (nil, []) }
    if folder == nil, try !BuiltFolder.isNamed(by: path) { return (nil, []) }
    let built = try BuiltFolder(path)
    // The baseline is reported where the update from it is checked.
    let findings = folder == nil ? [] : built.allFindings
    guard let release = built.release, plan != nil else { return (nil, findings) }
    return (try builtPacks(of: release, in: built.path, jobs: shared.workers), findings)
  }
}
