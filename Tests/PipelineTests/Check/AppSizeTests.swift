@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests limits for sizes that include the app if the manifest does not contain the size of the app.
@Suite struct AppSizeTests {
  private static let megabyte: Int64 = 1_000_000

  /// Returns the findings of the two checks.
  ///
  /// In the plan, the initial install is one file of the size `size`, and the untagged files have the size
  /// `untagged`.
  private func findings(
    installing size: Int64, untagged: Int64 = 0, _ members: String...
  ) throws -> [Diagnostic] {
    let lists = size > 0 ? "\"initialInstallTags\": [\"A\"]" : "\"initialInstallTags\": []"
    let synthetic = try SyntheticPlan(
      [.init("a", max(size, 1), "A"), .init("b", 2, "B")], [lists] + members)
    var tree = synthetic.plan.tree
    tree.untagged = FileCount(files: untagged > 0 ? 3 : 0, size: untagged)
    let plan = PackPlan(grouping: tree, of: synthetic.plan.manifest)
    var input = PackCheck.Input(of: plan)
    if case .size(let size)? = plan.manifest.appBundle { input.appBundleSize = size }
    return PackCheck.limits.flatMap { $0.find(input) }.filter {
      [.appBundleSize, .cellularSize].contains($0.check)
    }
  }

  /// Every first download contains the initial install, so the finding is certain.
  @Test func `the initial install is certain`() throws {
    let found = try findings(installing: 300 * Self.megabyte).filter { $0.check == .cellularSize }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.measurement == .init(300 * Self.megabyte, limit: 200 * Self.megabyte))
    // The finding points to the line in the manifest that contains the tag.
    #expect(found.first?.place.position?.line == 7)
    #expect(try findings(installing: 150 * Self.megabyte).allSatisfy { $0.check != .cellularSize })
  }

  /// Untagged files are possibly not part of the app, so they are never an error in a submission.
  @Test(arguments: [(Int64(2_147_483_649), Int64(2_147_483_648)), (4_000_000_000, 2_147_483_648)])
  func `untagged bytes are a warning`(size: Int64, limit: Int64) throws {
    let found = try findings(installing: 0, untagged: size)
    #expect(found.map(\.check) == [.appBundleSize, .cellularSize])
    #expect(found.first?.measurement == .init(size, limit: limit))
    for finding in found {
      #expect(finding.names("\"exclude\"", "\"appBundle\""))
      #expect(Policy(isSubmission: true).judge(finding)?.severity == .warning)
    }
  }

  @Test func `both are added up for cellular networks`() throws {
    let found = try findings(installing: 150 * Self.megabyte, untagged: 60 * Self.megabyte)
    #expect(found.map(\.check) == [.cellularSize])
    #expect(found.first?.measurement == .init(210 * Self.megabyte, limit: 200 * Self.megabyte))
    #expect(found.first?.names("\"exclude\"") == true)
  }

  /// A device gets the packs of only one language, so the notes list only the packs of one language.
  @Test(arguments: [nil, Int64(1)]) func `the largest packs are those of a device`(app: Int64?) throws {
    let packs = [("a", 60, nil), ("b", 150, "de"), ("c", 160, "en")].map { name, size, language in
      Release.Pack(
        id: name, name: name, tags: [name], delivery: .initialInstall, priority: 1, fileCount: 1,
        size: size * Self.megabyte, published: nil, language: language)
    }
    let release = Release(
      bundleIdentifier: "com.example.game", profile: LimitProfile.backgroundAssets.name, packs: packs,
      tags: [],
      order: [.initialInstall: [0, 1, 2]], untagged: FileCount(), contents: nil)
    var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
    manifest.limits.profile = .backgroundAssets
    var input = PackCheck.Input(release, manifest: manifest)
    input.appBundleSize = app
    let found = PackCheck.limits.flatMap { $0.find(input) }.filter { $0.check == .cellularSize }
    #expect(found.first?.measurement?.value == 220 * Self.megabyte + (app ?? 0))
    let notes = found.flatMap(\.notes).map(\.message)
    #expect(notes.count == 1 && notes[0].contains("\"c\"") && !notes[0].contains("\"b\""), "\(notes)")
  }

  /// If a check cannot run because the size of the app is unknown, it reports this.
  @Test func `sizes that are not checked are reported`() throws {
    let nothing = try findings(installing: 0)
    #expect(nothing.map(\.check) == [.appBundleSize, .cellularSize])
    #expect(nothing.areAll { $0.severity == .note })
    #expect(try findings(installing: 1).isEmpty)
    #expect(try findings(installing: 0, untagged: 1).isEmpty)
    #expect(try findings(installing: 0, "\"appBundle\": {\"size\": 1}").isEmpty)
    #expect(try findings(installing: 0, "\"limits\": \"app-store-tvos\"").map(\.check) == [.appBundleSize])
  }

  @Test func `a size below the untagged files is contradicted`() throws {
    let given = "\"appBundle\": {\"size\": 10000000}"
    let found = try findings(installing: 0, untagged: 10_000_001, given)
    #expect(found.map(\.check) == [.appBundleSize])
    #expect(found.first?.severity == .warning && found.first?.severityRule == .adjustable)
    #expect(found.first?.measurement == .init(10_000_001, limit: 10_000_000))
    #expect(try findings(installing: 0, untagged: 10_000_000, given).isEmpty)
  }
}

/// Tests limits of the store that a manifest raises or removes.
@Suite struct RaisedLimitTests {
  @Test(arguments: [
    ("\"packSize\": null", 1), ("\"packSize\": 536870913", 1), ("\"packSize\": \"512 MiB\"", 0),
    ("\"packSize\": 1", 0), ("\"packCount\": 1001", 1), ("\"packCount\": 1000", 0), ("\"tagSize\": null", 0),
    ("\"cellularSize\": \"1 GB\"", 0), ("\"packSize\": null, \"totalSize\": \"30 GB\"", 2),
  ])
  func `each is a note`(limits: String, count: Int) throws {
    let plan = try SyntheticPlan([.init("a", 2, "A")], "\"limits\": {\(limits)}")
    let found = plan.findings(appBundle: 1).filter { $0.check == .raisedLimit }
    #expect(found.map(\.severity) == Array(repeating: .note, count: count))
    #expect(found.allSatisfy { $0.place.position?.line == 6 })
  }

  /// A limit that the profile does not have cannot be raised.
  @Test func `the profile decides`() throws {
    let limits =
      "\"limits\": {\"profile\": \"background-assets\", \"packSize\": null, \"initialInstallSize\": \"9 GB\"}"
    #expect(try SyntheticPlan([.init("a", 2, "A")], limits).lines(of: "raised-limit") == [])
  }

  @Test func `the first tag of the list is the place`() throws {
    let half: Int64 = 150_000_000
    let plan = try SyntheticPlan(
      [.init("a", half, "A"), .init("b", half, "B"), .init("c", 1, "C")], #""initialInstallTags": ["B", "A"]"#
    )
    for app in [nil, Int64(0)] {
      let found = plan.findings(appBundle: app).filter { $0.check == .cellularSize }
      let finding = try #require(found.first)
      #expect(found.count == 1 && finding.measurement == .init(2 * half, limit: 200_000_000))
      #expect(finding.notes.count == 1 && finding.notes[0].message.names("\"A\"", "\"B\""))
      if app == nil { #expect(finding.place.position == Place.Position(line: 8, column: 26)) }
    }
  }
}
