@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests plans with some of the packs of another plan.
@Suite struct PlanPartTests {
  private func plan() throws -> PackPlan {
    try makePlan(
      [
        PlannedFile("a", ["A"], size: 1), PlannedFile("b", ["A", "B"], size: 20),
        PlannedFile("c", ["B"], size: 300),
        PlannedFile("d", ["C"], size: 4000), PlannedFile("e", ["A"], size: 50_000),
      ], initial: ["B"], prefetch: ["A"])
  }

  private func number(_ tags: [String], in plan: PackPlan) throws -> Int {
    try #require(plan.packs.firstIndex { $0.tags == tags })
  }

  @Test func `a part has the tags and the order of its packs`() throws {
    let plan = try plan()
    let numbers = try [["A"], ["A", "B"]].map { try number($0, in: plan) }.sorted()
    let part = plan.part(numbers)
    #expect(part.packs.map(\.tags) == numbers.map { plan.packs[$0].tags })
    #expect(part.tags.map(\.name) == ["A", "B"] && part.tags.map(\.size) == [50_021, 20])
    #expect(part.tags.map(\.delivery) == [.prefetch, .initialInstall])
    #expect(part.tagSets(of: .initialInstall) == [["A", "B"]] && part.tagSets(of: .prefetch) == [["A"]])
    #expect(part.tagSets(of: .onDemand) == [] && part.tree.files.count == 5)
    let both = try number(["A", "B"], in: part)
    #expect(part.tags.map(\.packs) == [[0, 1], [both]])
    #expect(plan.part([]).packs.isEmpty && plan.part([]).tags.isEmpty)
  }

  @Test func `each file has its pack`() throws {
    let plan = try plan()
    let sets = [["A"], ["A", "B"], ["B"], ["C"], ["A"]]
    #expect(plan.packOfFile.map { plan.packs[Int($0)].tags } == sets)
    #expect(plan.tree.files.map { plan.packs[plan.packOfTagSet[Int($0.tagSet)]].tags } == sets)
    let part = plan.part([try number(["C"], in: plan)])
    #expect(part.packOfFile == [-1, -1, -1, 0, -1])
  }

  @Test func `files are in the order of their paths in packs`() throws {
    var files = [
      PlannedFile("a", ["A"], destination: "z"), PlannedFile("b", ["B"], destination: "y"),
      PlannedFile("c", ["A"]),
      PlannedFile("d", ["B"], destination: "c"), PlannedFile("e", ["C"], destination: "e\u{301}"),
      PlannedFile("f", ["C"], destination: "\u{e9}"),
    ]
    #expect(try makePlan(files).filesByPackPath == [2, 3, 4, 1, 0, 5])
    let slice = try makePlan(files).thinned(for: DeviceClass.all[0])
    #expect(slice.filesByPackPath == [2, 3, 4, 1, 0, 5] && slice.device == DeviceClass.all[0])
    files = ["a", "b", "c", "d"].enumerated().map { PlannedFile($1, [["A", "B"][$0 % 2]]) }
    let plan = try makePlan(files)
    var tree = plan.tree
    tree.isInPackOrder = true
    let ordered = PackPlan(grouping: tree, of: plan.manifest)
    #expect(ordered.filesByPackPath == [0, 1, 2, 3])
    #expect(ordered.thinned(for: DeviceClass.all[0]).filesByPackPath == [0, 1, 2, 3])
    #expect(ordered.packs.map(\.files).sorted { $0[0] < $1[0] } == [[0, 2], [1, 3]])
  }

  @Test func `a tag or a rule is the place`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "A"), .init("2", 9, "B")]).plan
    #expect(
      plan.place(ofTags: ["B"]).position?.line == 5 && plan.place(ofTags: ["B", "A"]).position?.line == 5)
    #expect(plan.place(ofTags: ["C"]) == plan.manifest.text.place(at: plan.manifest.rulesOffset))
    let input = PackCheck.Input(of: plan)
    #expect(input.place(ofTags: ["C", "A"]).position?.line == 4 && input.place() == plan.place(ofTags: []))
    #expect(input.place(ofTags: ["A", "B"]).position?.line == 4)
  }
}

/// Tests which findings a manifest accepts.
@Suite struct FindingAcceptanceTests {
  private func manifest() throws -> Manifest {
    let text = """
      {"bundleIdentifier": "a.b", "root": "Assets", "resources": [{"path": "a", "tags": ["A"]}], "accept": [
      {"check": "empty-file", "reason": "whole"},
      {"check": "empty-file", "path": "a/*", "reason": "some"},
      {"check": "pack-size", "path": "Manifest.json", "reason": "manifest"},
      {"check": "empty-file", "path": "**/x", "reason": "x"},
      {"check": "unlikely-asset", "path": "b/*", "reason": "b"},
      {"check": "unlikely-asset", "path": "a/*", "reason": "a"},
      {"check": "unlikely-asset", "reason": "whole"}
      ]}
      """
    return try #require(readManifest(text).manifest)
  }

  private func reason(_ check: Check, _ path: String, notes: String...) throws -> String? {
    let lines = notes.map { Diagnostic.AttachedLine("note", at: Place($0)) }
    let finding = Diagnostic(check, message: "", at: Place(path), notes: lines + [.init("without a place")])
    return Acceptances(of: try manifest()).acceptance(of: finding)?.reason
  }

  @Test func `the first element that matches a place counts`() throws {
    #expect(try reason(.emptyFile, "Assets/a/1") == "whole" && reason(.emptyFile, "elsewhere") == "whole")
    #expect(try reason(.unlikelyAsset, "Assets/a/1") == "a" && reason(.unlikelyAsset, "Assets/b/1") == "b")
    #expect(
      try reason(.unlikelyAsset, "Assets/c/1") == "whole" && reason(.unlikelyAsset, "Assets/a") == "whole")
    #expect(try reason(.unlikelyAsset, "Assets/c/1", notes: "Assets/a/2") == "a")
    #expect(try reason(.unlikelyAsset, "Assets/a/1", notes: "Assets/c/2", "Assets/b/1") == "b")
    #expect(try reason(.packSize, "Manifest.json") == "manifest" && reason(.packSize, "Assets/a/1") == nil)
    #expect(try reason(.packSize, "Assets/Manifest.json") == "manifest")
    #expect(try reason(.packCount, "Manifest.json") == nil)
  }

  @Test func `elements that accept nothing are unused`() throws {
    let manifest = try manifest()
    let found = [
      Diagnostic(.unlikelyAsset, message: "", at: Place("Assets/a/1")),
      Diagnostic(.packSize, message: "", at: Place("x")),
    ]
    let unused = manifest.unusedAcceptances(in: found, of: [.unlikelyAsset, .packSize])
    #expect(unused.map(\.place.position?.line) == [4, 6, 8])
    #expect(
      unused.map(\.namedValues) == [
        #""pack-size" "Manifest.json""#, #""unlikely-asset" "b/*""#, "\"unlikely-asset\"",
      ])
    #expect(manifest.unusedAcceptances(in: [], of: []) == [])
    let all = manifest.unusedAcceptances(in: [], of: [.emptyFile])
    #expect(all.map(\.place.position?.line) == [2, 3, 5] && all.areAll { $0.check == .unusedAccept })
    #expect(
      try #require(readManifest(#"{"bundleIdentifier": "a.b", "resources": []}"#).manifest?.accepts).isEmpty)
  }

  @Test func `a policy has the settings of the manifest`() throws {
    let manifest = try manifest()
    let finding = Diagnostic(.unlikelyAsset, message: "", at: Place("Assets/b/1"))
    #expect(Policy().adding(manifest).judge(finding)?.acceptance?.reason == "b")
    #expect(Policy().adding(nil).judge(finding)?.acceptance == nil)
  }
}

/// Tests that files are opened one after another.
@Suite struct AssetOpenerTests {
  @Test func `files of the same folder and of others`() throws {
    let site = try ScanSite("a/1", "a/2", "b/1", "a/b/1", "top", "e\u{301}/1", "\u{e9}/1")
    let root = try Folder(site.folder.path("Assets"))
    var opener = AssetOpener()
    for path in ["a/1", "a/2", "b/1", "a/b/1", "a/1", "top", "a/2", "e\u{301}/1", "\u{e9}/1", "e\u{301}/1"] {
      let bytes = try opener.open(path, below: root).bytes(count: 99, at: 0)
      #expect(bytes == Array(path.utf8), "\(path)")
    }
    #expect(throws: SystemError.self) { _ = try opener.open("a/3", below: root) }
    #expect(throws: SystemError.self) { _ = try opener.open("c/1", below: root) }
    let path = try opener.open("a/b/1", below: root).path
    #expect(path == site.folder.path("Assets/a/b/1"))
    // The folder stays open, so a file is found after the folder was renamed.
    _ = try opener.open("a/1", below: root)
    try FileOperations.rename(site.folder.path("Assets/a"), to: site.folder.path("Assets/moved"))
    #expect(try opener.open("a/2", below: root).bytes(count: 9, at: 0) == Array("a/2".utf8))
  }
}
