import Foundation
import Model
import Pipeline
@testable import Play
@testable import packtool
import Support
import Testing

/// Tests that a simulated update keeps packs whose contents are the same.
///
/// `diff` has the same result. The times of the files must not matter.
@Suite struct UpdateContentTests {
  enum Times: CaseIterable {
    /// The times of a fresh copy.
    case fresh
    /// A different time for each file.
    case shuffled
    /// The same time for all files.
    case equal
  }

  private static let example = "\(packageFolder)/Examples/LevelUpdate"
  /// Two releases, as folders of assets and as builds, and a copy of the first release.
  private static let releases = ["1.0", "1.0 copied", "1.0 built", "1.1", "1.1 built"]

  private static func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, source) in [("1.0", "1.0"), ("1.0 copied", "1.0"), ("1.1", "1.1")] {
      try FileManager.default.copyItem(atPath: "\(example)/\(source)", toPath: folder.path(name))
    }
    for name in ["1.0", "1.1"] {
      #expect(runTool("build", folder.path(name), "-o", folder.path("\(name) built")).status == .done)
    }
    return folder
  }

  private static func set(_ times: Times, in folder: TemporaryFolder) throws {
    if times == .fresh { return }
    let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    for (number, name) in names.sorted().enumerated() {
      let seconds = times == .equal ? 0 : number * 7919 % 997
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(name))
    }
  }

  /// Returns the identifiers of packs that a device had before an update and downloads again after it.
  private func renewed(from old: String, to new: String, in folder: TemporaryFolder) throws -> Set<String> {
    try folder.write(
      "update.json",
      """
      { "link": "3G", "steps": [
        { "begin": ["Level 1", "Level 2"], "as": "old" }, { "await": "old" }, { "end": "old" },
        { "update": "\(new)" }, { "begin": ["Level 1", "Level 2"], "as": "new" }, { "await": "new" } ] }
      """)
    let run = runTool("simulate", folder.path("update.json"), folder.path(old), "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let packs = try #require(object?["packs"] as? [[String: Any]])
    return Set(packs.filter { $0["downloads"] as? Int == 2 }.compactMap { $0["id"] as? String })
  }

  @Test(arguments: Times.allCases) func `updates agree with diff`(times: Times) throws {
    let folder = try Self.site()
    try Self.set(times, in: folder)
    for old in Self.releases {
      for new in Self.releases where new != old {
        let report = try DiffReport(folder.path(old), folder.path(new))
        let changed = report.packs.filter { $0.status == "changed" }
        #expect(changed.isEmpty == (old.prefix(3) == new.prefix(3)), "\(old) to \(new)")
        #expect(
          try renewed(from: old, to: new, in: folder) == Set(changed.map(\.id)), "\(old) to \(new), \(times)")
      }
    }
  }

  /// For the same bytes, a check in CI must have the same result.
  @Test(arguments: Times.allCases) func `verdicts do not depend on times`(times: Times) throws {
    let folder = try Self.site()
    try Self.set(times, in: folder)
    let needed = 24_811 + 25_334 + 22_682 + 25_334 + 2731
    for (limit, status) in [(needed, ExitStatus.done), (needed - 1, .inputHasErrors)] {
      try folder.write(
        "s.json",
        """
        { "link": "3G", "steps": [
          { "begin": ["Level 1", "Level 2"], "as": "old" }, { "await": "old" }, { "end": "old" },
          { "update": "1.1" }, { "begin": ["Level 1", "Level 2"], "as": "new" }, { "await": "new" } ],
          "expect": { "downloaded": \(limit) } }
        """)
      let scenario = folder.path("s.json")
      for old in ["1.0", "1.0 copied"] {
        #expect(runTool("validate", folder.path(old), "--scenario", scenario).status == status)
        let page = folder.path("page.html")
        #expect(runTool("report", folder.path(old), "--scenario", scenario, "-o", page).status == status)
      }
    }
  }

  /// The packs are downloaded again because an update replaced them, not because they were purged.
  ///
  /// A preservation priority would not help.
  @Test func `no advice is given about purges without any`() throws {
    let folder = try Self.site()
    _ = try renewed(from: "1.0", to: "1.1", in: folder)
    let text = runTool("simulate", folder.path("update.json"), folder.path("1.0")).output
    #expect(!text.contains("preserve"), "\(text)")
  }

  /// Only packs that could be the same are read: the packs of Level 2 and the hero.
  ///
  /// Level 1 has more files now, so it is not read.
  @Test func `only files of equal size are read`() throws {
    let folder = try Self.site()
    let first = try SimulatedReleaseReader(.init(argument: folder.path("1.0"), jobs: 2))
    func bytesRead(beside others: String...) throws -> Int64 {
      let readers = try others.map { try SimulatedReleaseReader(.init(argument: folder.path($0), jobs: 2)) }
      return try ComparedReleases([first] + readers, jobs: 2).readCounter.count.read
    }
    let (level, hero): (Int64, Int64) = (25_334, 2731)
    #expect(try bytesRead(beside: "1.1") == 2 * (level + hero))
    #expect(try bytesRead(beside: "1.1 built") == level + hero)
    #expect(try bytesRead(beside: "1.0 built") == 22_682 + level + hero)
    #expect(try bytesRead() == 0)
  }
}
