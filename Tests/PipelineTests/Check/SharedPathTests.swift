@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests paths in different packs, for packs whose files devices put into one folder.
@Suite struct SharedPathTests {
  private func findings(
    _ files: [PlannedFile], mayHaveClashes: Bool = true, hasDestinations: Bool = true,
    change: (inout Manifest) -> Void = { _ in }
  ) throws -> [Diagnostic] {
    var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: "game")
    manifest.layoutRules.sharesPaths = true
    if hasDestinations {
      let text =
        #"{"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["A"], "destination": "x"}]}"#
      manifest.rules = try #require(readManifest(text).manifest).rules
    }
    change(&manifest)
    let plan = try makePlan(files, manifest)
    var tree = plan.tree
    tree.mayHaveClashes = mayHaveClashes
    let input = FileCheck.Input(plan: PackPlan(grouping: tree, of: manifest))
    return FileCheck.pathsInTwoPacks.find(input)
  }

  private func lines(_ files: [PlannedFile]) throws -> [String] {
    try findings(files).map { "\($0.place.path) \($0.namedValues)" }
  }

  @Test func `one path in two packs is an error`() throws {
    let found = try findings([
      PlannedFile("a/x", ["A"], destination: "d/x"), PlannedFile("b/x", ["B"], destination: "d/x"),
      PlannedFile("c", ["C"]),
    ])
    #expect(found.map(\.facts) == [#"error [path-in-two-packs] "b/x" "a/x" "d/x" "B" "A" "packPrefix""#])
    #expect(found.map(\.place) == [Place("game/b/x")] && found.map(\.severityRule) == [.cannotBeLowered])
    #expect(
      try lines([PlannedFile("x", ["B"]), PlannedFile("X", ["A"])]) == [
        #"game/x "x" "X" "x" "X" "B" "A" "packPrefix""#
      ])
    // Each other file clashes with the first one.
    #expect(
      try lines(["A", "B", "C"].map { PlannedFile($0, [$0], destination: "d") }) == [
        #"game/B "B" "A" "d" "B" "A" "packPrefix""#, #"game/C "C" "A" "d" "C" "A" "packPrefix""#,
      ])
  }

  @Test func `one path in one pack is another check's`() throws {
    #expect(try lines([PlannedFile("x", ["A"]), PlannedFile("X", ["A"])]) == [])
    #expect(try lines([PlannedFile("x", ["A"]), PlannedFile("x/y", ["A"])]) == [])
    #expect(try lines([PlannedFile("x", ["A"]), PlannedFile("y", ["B"])]) == [])
  }

  @Test func `a file is not where another pack has a folder`() throws {
    #expect(
      try lines([PlannedFile("D", ["A"]), PlannedFile("d/x/y", ["B"]), PlannedFile("d/z", ["A"])]) == [
        #"game/d/x/y "d/x/y" "B" "A" "D" "packPrefix""#
      ])
    let both = try lines([PlannedFile("d", ["A"]), PlannedFile("d/x", ["B"]), PlannedFile("d/x/y", ["C"])])
    #expect(
      both == [
        #"game/d/x "d/x" "B" "A" "d" "packPrefix""#, #"game/d/x/y "d/x/y" "C" "A" "d" "packPrefix""#,
        #"game/d/x/y "d/x/y" "C" "B" "d/x" "packPrefix""#,
      ])
  }

  /// A device gets the packs of one language, and packs without a language.
  @Test func `packs of two languages do not meet`() throws {
    func found(_ files: [PlannedFile], writes: Bool = true) throws -> [String] {
      try findings(files) { manifest in
        manifest.layoutRules.writesLanguages = writes
        manifest.languages = ["German": Located("de", at: 0), "French": Located("fr", at: 0)]
      }.map(\.place.path)
    }
    let voices = [
      PlannedFile("de/x", ["German"], destination: "x"), PlannedFile("fr/x", ["French"], destination: "x"),
    ]
    #expect(try found(voices) == [] && found(voices, writes: false) == ["game/fr/x"])
    let plain = PlannedFile("x", ["Plain"])
    #expect(try found([plain] + voices) == ["game/de/x", "game/fr/x"])
    let more = PlannedFile("more/x", ["German", "More"], destination: "x")
    #expect(try found(voices + [more]) == ["game/more/x"])
    let folders = [
      PlannedFile("de", ["German"], destination: "x"), PlannedFile("fr/y", ["French"], destination: "x/y"),
      PlannedFile("z", ["Plain"], destination: "x/z"),
    ]
    #expect(try found(Array(folders.prefix(2))) == [])
    // Devices with German get both packs.
    #expect(try found([folders[0], folders[2]]) == ["game/z"])
    let all = [PlannedFile("x", ["Plain"])] + [PlannedFile("fr/y", ["French"], destination: "x/y")]
    #expect(try found(all) == ["game/fr/y"])
  }

  @Test func `without destinations and similar names nothing clashes`() throws {
    let files = [PlannedFile("x", ["A"]), PlannedFile("X", ["B"])]
    #expect(try findings(files, mayHaveClashes: false, hasDestinations: false) == [])
    #expect(try findings(files, mayHaveClashes: true, hasDestinations: false).count == 1)
    #expect(try findings(files, mayHaveClashes: false, hasDestinations: true).count == 1)
  }

  @Test func `packs with folders of their own do not share paths`() throws {
    let files = [
      PlannedFile("a/x", ["A"], destination: "d/x"), PlannedFile("b/x", ["B"], destination: "d/x"),
      PlannedFile("c/x", ["A"], destination: "e"),
    ]
    // All files of this test have the identity of one file.
    #expect(try findings(files) { $0.layoutRules.sharesPaths = false } == [])
    #expect(
      try findings(files) {
        $0.layoutRules.sharesPaths = false
        $0.hasPackPrefix = true
      } == [])
  }
}
