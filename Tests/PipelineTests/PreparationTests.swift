@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how a request changes a manifest, and which findings a preparation has.
@Suite struct PreparationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Assets/a/1", "1")
    try folder.write("Assets/b/22", "22")
    try folder.write("Assets/rest", "333")
  }

  private func prepare(
    members: String = #""untagged": "allow""#, root: String = "Assets",
    change: (inout Preparation.Request) -> Void = { _ in }
  ) throws -> Preparation {
    try folder.writeManifest([.path("a", "A"), .path("b", "B")], root: root, members: members)
    var request = Preparation.Request(argument: folder.path, jobs: 1)
    change(&request)
    return try Preparation(request)
  }

  @Test func `a request overrides the manifest`() throws {
    let members = """
      "limits": "app-store", "budgets": {"packs": {"A": 5, "B": 6}},
      "severity": {"empty-file": "error", "tag-size": "ignore"}
      """
    let plain = try prepare(members: members)
    #expect(plain.manifest?.limits.profile.name == "app-store" && plain.acceptsPointers == false)
    #expect(plain.manifest?.severities == ["empty-file": .error, "tag-size": .ignore])
    let changed = try prepare(members: members) { request in
      request.profile = .backgroundAssets
      request.severities = ["empty-file": .note, "placeholder": .warning]
      request.budgets.packs = [(name: "B", budget: Budget(7))]
      request.acceptsPointers = true
      request.layoutRules.code = .accepted
    }
    let manifest = try #require(changed.manifest)
    #expect(manifest.limits.profile.name == "background-assets" && changed.acceptsPointers)
    #expect(manifest.severities == ["empty-file": .note, "placeholder": .warning, "tag-size": .ignore])
    #expect(manifest.budgets.packs.map(\.name) == ["A", "B"])
    #expect(manifest.budgets.packs.map(\.budget.value) == [5, 7])
    #expect(plain.manifest?.budgets.packs.map(\.budget.value) == [5, 6])
    guard case .accepted? = manifest.layoutRules.code else {
      Issue.record("the request does not decide the code")
      return
    }
  }

  @Test func `packs share paths unless they have folders of their own`() throws {
    func shares(_ members: String, _ change: (inout Preparation.Request) -> Void) throws -> Bool? {
      try prepare(members: members, change: change).manifest?.layoutRules.sharesPaths
    }
    #expect(try shares(#""packPrefix": false"#) { $0.layoutRules.sharesPaths = true } == true)
    #expect(try shares(#""packPrefix": true"#) { $0.layoutRules.sharesPaths = true } == false)
    #expect(try shares(#""packPrefix": false"#) { $0.profile = .appStore } == false)
    // The profile decides if the layout does not.
    #expect(LimitProfile.backgroundAssets.sharesPaths)
    #expect(try shares(#""packPrefix": false"#) { $0.profile = .backgroundAssets } == true)
    #expect(try shares(#""packPrefix": true"#) { $0.profile = .backgroundAssets } == false)
  }

  @Test func `untagged files are findings on request`() throws {
    func found(
      _ members: String = #""untagged": "allow""#, _ change: (inout Preparation.Request) -> Void = { _ in }
    ) throws -> [String] {
      let prepared = try prepare(members: members, change: change)
      let all = try prepared.planFindings(jobs: 1).filter { $0.check == .untaggedFile }
      #expect(prepared.plan?.tree.untagged == FileCount(files: 1, size: 3))
      return all.map(\.facts)
    }
    let warning = [#"warning [untagged-file] "rest""#]
    #expect(try found() == [] && found { $0.reportsUntagged = true } == warning)
    #expect(try found { $0.severities = ["untagged-file": .ignore] } == [])
    #expect(try found { $0.severities = ["untagged-file": .error] } == warning)
    #expect(try found { $0.severities = ["empty-file": .error] } == [])
    #expect(
      try found {
        $0.severities = ["untagged-file": .ignore]
        $0.reportsUntagged = true
      } == warning)
    #expect(try found(#""untagged": "warn""#) == warning)
    let error = [#"error [untagged-file] "rest""#]
    #expect(try found(#""untagged": "error""#) == error)
    #expect(try found(#""untagged": "error""#) { $0.reportsUntagged = true } == error)
    #expect(try found(#""severity": {"untagged-file": "note"}"#) == warning)
    let listed = try prepare { $0.listsUntagged = true }
    #expect(listed.plan?.tree.untaggedFiles.map(\.path) == ["rest"])
    #expect(try prepare().plan?.tree.untaggedFiles.isEmpty == true)
  }

  @Test func `the caller can inspect the contents itself`() throws {
    try folder.write("Assets/a/program", Data([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]))
    let own = try prepare()
    #expect(own.contentDiagnostics.map(\.check) == [.executableContent])
    #expect(own.diagnostics.map(\.check) == [.executableContent] && own.scanDiagnostics == [])
    let other = try prepare { $0.inspector = .caller }
    #expect(other.diagnostics == [] && other.readCounter.count.read == 0)
    #expect(try other.contentFindings(jobs: 1).map(\.check) == [.executableContent])
    #expect(other.readCounter.count.read == 8)
  }

  @Test func `a part of a release ignores files without tags`() throws {
    let part = try prepare(members: #""untagged": "error", "tags": ["A", "B", "C"]"#) { $0.scope = .packs }
    #expect(part.plan?.tree.untagged == FileCount() && part.plan?.packs.count == 2)
    let found = try part.planFindings(jobs: 1)
    #expect(
      !found.contains { [.untaggedFile, .ungivenTag, .appBundleSize].contains($0.check) }, "\(found.rendered)"
    )
    let whole = try prepare(members: #""untagged": "error", "tags": ["A", "B", "C"]"#)
    let checks = try whole.planFindings(jobs: 1).map(\.check)
    #expect(checks.contains(.untaggedFile) && checks.contains(.ungivenTag))
  }

  @Test func `without a plan there are no findings about it`() throws {
    let accept = #""accept": [{"check": "empty-file", "reason": "x"}]"#
    let missing = try prepare(members: accept, root: "Missing")
    #expect(missing.plan == nil && missing.slice == nil && missing.root == nil && missing.devices.isEmpty)
    #expect(missing.diagnostics.map(\.check) == [.invalidPath] && missing.manifest != nil)
    #expect(try missing.planFindings(jobs: 1) == [] && missing.contentFindings(jobs: 1) == [])
    #expect(missing.unusedAcceptances(in: []) == [])
    #expect(try prepare(members: accept).unusedAcceptances(in: []).map(\.check) == [.unusedAccept])
    let wrong = try prepare(members: accept, root: "/absolute")
    #expect(wrong.plan == nil && wrong.diagnostics.map(\.check) == [.invalidPath])
    try folder.write("Manifest.json", "{")
    let broken = try Preparation(Preparation.Request(argument: folder.path, jobs: 1))
    #expect(broken.manifest == nil && broken.plan == nil && broken.text != nil)
    #expect(broken.diagnostics.map(\.check) == [.jsonSyntax])
  }

  @Test func `a device class gets its slice`() throws {
    let device = try #require(DeviceClass.named(newPhone))
    let all = try prepare()
    #expect(all.devices.isEmpty && all.slice?.device == nil && all.plan?.packs.count == 2)
    let one = try prepare { $0.device = device }
    #expect(one.devices == [device] && one.slice?.device == device && one.plan?.device == nil)
    let listed = try prepare(members: #""devices": "all""#)
    #expect(listed.devices == DeviceClass.all)
    // Without a list, limits are checked for each device class only if there are variants.
    try folder.write("Assets/a/x.png", "")
    try folder.write("Assets/a/x@2x.png", "")
    let variants = try prepare(members: #""variantSuffixes": true"#)
    #expect(variants.devices.count > 40 && variants.plan?.tree.variants.isEmpty == false)
    #expect(try prepare().devices.isEmpty)
  }

  @Test func `the root is in the checkout or in a requested folder`() throws {
    func found(root: String, requested: String? = nil) throws -> Preparation {
      var scope = RunScope()
      scope.root = requested.map { folder.path($0) }
      return try RunScope.$current.withValue(scope) { try prepare(root: root) }
    }
    // There is no checkout.
    #expect(try found(root: "Assets").diagnostics == [])
    let outside = try found(root: "../Assets-elsewhere", requested: "Assets")
    #expect(outside.diagnostics.map(\.check) == [.invalidPath])
    try folder.link("link", to: "/usr")
    let other = try found(root: "link", requested: "Assets")
    #expect(other.plan == nil && other.diagnostics.map(\.check) == [.invalidPath])
    #expect(other.diagnostics.first?.names("\"--root\"", "\"/usr\"") == true)
    #expect(
      other.diagnostics.first?.place == other.manifest?.text.place(at: other.manifest?.root.offset ?? 0))
    #expect(try found(root: "Assets", requested: "Assets").diagnostics == [])
    try folder.write(".git/HEAD", "")
    let stray = try found(root: "link")
    #expect(stray.plan == nil && stray.diagnostics.map(\.check) == [.invalidPath])
    #expect(stray.diagnostics.first?.names("\"--root DIR\"", quoted(folder.path)) == true)
    #expect(try found(root: "Assets").plan != nil)
  }

  @Test func `packs are combined before they are planned`() throws {
    let merged = try prepare(members: #""merge": 1"#)
    #expect(merged.plan?.packs.map(\.tags) == [["A", "B"]] && merged.diagnostics == [])
    let groups = try prepare(members: #""merge": [["A", "C"], ["B", "A"]]"#)
    #expect(groups.plan?.packs.map(\.tags) == [["A", "B"]])
    #expect(groups.diagnostics.map(\.checkAndValues) == [#"[unknown-pack] "C""#])
    let kept = try prepare(members: #""merge": 2"#)
    #expect(kept.plan?.packs.count == 2)
  }
}

/// Tests a manifest that `import` writes and reads again.
@Suite struct ReadBackTests {
  @Test func `findings point to the original`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Assets/a/1", "1")
    try folder.write("Assets/b/1", String(repeating: "x", count: 20_000))
    try folder.write("Assets/c/1", String(repeating: "x", count: 20_000))
    try folder.writeManifest(
      [.path("a", "A"), .path("bb", "B"), .path("b", "B"), .path("c", "C")], to: "Original.json",
      root: "Assets")
    let original = try #require(try ManifestReader(argument: folder.path("Original.json")).manifest)
    let bytes = original.formatted(root: "Assets").array()
    let request = Preparation.Request(argument: "unused", jobs: 1)
    let read = try ReadBack(
      of: bytes, savedAt: folder.path("New.json"), writtenFrom: original, request: request)
    #expect(read.text.path == folder.path("New.json") && read.text.bytes == bytes)
    let rule = try #require(read.findings.first { $0.check == .noMatch })
    #expect(rule.place == original.text.place(at: original.rules[1].text.offset))
    #expect(rule.place.path == folder.path("Original.json") && rule.place.position?.line == 6)
    #expect(read.findings.allSatisfy { $0.fix == nil && $0.check != .duplicateContent })
    #expect(read.prepared.plan?.packs.map(\.tags).sorted { $0[0] < $1[0] } == [["A"], ["B"], ["C"]])
    #expect(read.prepared.path == folder.path("Original.json"))
  }
}
