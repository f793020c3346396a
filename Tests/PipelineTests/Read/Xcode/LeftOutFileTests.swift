import Formats
import Model
import Pipeline
import System
import Testing

import Support

/// Tests the settings that exclude files from a build.
///
/// The settings must have the same effect as in Apple's swift-build.
struct LeftOutFileTests {
  /// The tagged paths that are packed, and those that are left out.
  ///
  /// The project is in the folder `nd`.
  private struct Outcome: Equatable {
    let packed: [String]
    let leftOut: [String]

    init(packed: [String], leftOut: [String]) {
      self.packed = packed
      self.leftOut = leftOut
    }

    init(of folder: TemporaryFolder, _ choice: ProjectChoice = ProjectChoice()) throws {
      let importer = try XcodeImporter(argument: folder.path("nd/App.xcodeproj"), choice: choice)
      let plan = try Preparation(
        Preparation.Request(argument: folder.path("nd/App.xcodeproj"), project: choice, jobs: 1)
      ).plan
      packed =
        plan.map { plan in plan.packs.flatMap { $0.files.map { plan.tree.files[$0].packPath } }.sorted() }
        ?? []
      leftOut = importer.diagnostics.filter { $0.check.id == "filtered-file" && $0.severity == .note }
        .compactMap { $0.message.split(separator: "\"").first.map(String.init) }.sorted()
    }
  }

  private func site(_ project: TestProject, _ files: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("nd/App.xcodeproj/project.pbxproj", project.text)
    for file in files { try folder.write("nd/\(file)", file) }
    return folder
  }

  @Test(arguments: [
    ("*/sub/*", "sub/d.dat"), ("*/sub/d.dat", "sub/d.dat"), ("$(SRCROOT)/sub/*", "sub/d.dat"),
    ("$(PROJECT_DIR)/a.dat", "a.dat"), ("${SOURCE_ROOT}/*", "a.dat b.dat c.txt"), ("nd/a.dat", "a.dat"),
    ("nd/*", "a.dat b.dat c.txt"), ("*/nd/*", "a.dat b.dat c.txt"),
    ("*/*.txt", "c.txt"), ("sub/*", "sub/d.dat"), ("b*", "b.dat"), ("[ab].dat", "a.dat b.dat"),
    ("?.txt", "c.txt"),
    // A pattern with an empty component matches nothing, and neither does a pattern with another number of
    // components than the path.
    ("sub/", ""), ("nd//a.dat", ""), ("/a.dat", ""), ("/*/a.dat", ""), ("./a.dat", ""),
    ("$(SRCROOT)/*.txt/*", ""),
    ("*", "a.dat b.dat c.txt sub/d.dat"), ("/*", ""), ("[a.dat", ""),
  ])
  func `patterns are compared with absolute paths`(pattern: String, leftOut: String) throws {
    let files = ["a.dat", "b.dat", "c.txt", "sub/d.dat"]
    let left = leftOut.split(separator: " ").map(String.init)
    for isIncluded in [false, true] {
      var project = TestProject()
      let included = isIncluded ? "INCLUDED_SOURCE_FILE_NAMES = \"\(pattern)\";" : ""
      project.setSettings(
        "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; EXCLUDED_SOURCE_FILE_NAMES = \"\(isIncluded ? "*" : pattern)\"; \(included)"
      )
      for file in files { project.add(file, tags: "x") }
      let others = files.filter { !left.contains($0) }
      let names = { (paths: [String]) in paths.map { lastName(of: $0) } }
      let outcome = try Outcome(of: site(project, files))
      #expect(outcome.packed == names(isIncluded ? left : others))
      #expect(outcome.leftOut == (isIncluded ? others : left))
    }
  }

  @Test func `an unclosed bracket stands for itself`() throws {
    var project = TestProject()
    project.setSettings(
      "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; EXCLUDED_SOURCE_FILE_NAMES = \"[a*\";")
    for file in ["[a.dat", "a.dat"] { project.add(file, tags: "x") }
    #expect(
      try Outcome(of: site(project, ["[a.dat", "a.dat"])) == Outcome(packed: ["a.dat"], leftOut: ["[a.dat"]))
  }

  @Test(arguments: [
    (#""\"App/Preview Content\"""#, "App/Preview Content/p.dat"),
    ("\"$(SRCROOT)/App/Preview\\\\ Content/\"", "App/Preview Content/p.dat"),
    ("App/q.dat", "App/q.dat"), ("App", "App/q.dat"), ("\"App/None App/*\"", "App/q.dat"),
    ("../nd/App", "App/q.dat"), ("./App/./q.dat", "App/q.dat"), ("App/None/../q.dat", "App/q.dat"),
    ("../other/App", ""),
  ])
  func `assets for development are left out`(setting: String, leftOut: String) throws {
    let files = ["App/Preview Content/In/r.dat", "App/Preview Content/p.dat", "App/q.dat"]
    let left = leftOut.isEmpty ? [] : [leftOut]
    for isSynchronized in [false, true] {
      var project = TestProject()
      project.setSettings(
        "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; DEVELOPMENT_ASSET_PATHS = \(setting);")
      if isSynchronized {
        project.synchronize("App", tags: files.map { ($0.replacing("App/", with: ""), "x") })
      } else {
        for file in files { project.add(file, tags: "x") }
      }
      let outcome = try Outcome(of: site(project, files))
      #expect(outcome.leftOut == left)
      #expect(outcome.packed == files.filter { !left.contains($0) }.map { lastName(of: $0) }.sorted())
    }
  }

  @Test(arguments: [
    ("YES", "en, Base", ["de.lproj/x.txt", "fr.lproj/x.txt"]), ("YES", "en, de, fr", ["Base.lproj/x.txt"]),
    ("YES", "", []),
    ("NO", "en", []),
  ])
  func `only languages of the project are built`(setting: String, regions: String, leftOut: [String]) throws {
    let files = ["Base", "de", "en", "fr", "mul"].map { "\($0).lproj/x.txt" } + ["y.txt"]
    for isLocalized in [false, true] {
      var project = TestProject()
      project.objects["PROJECT"]! += " knownRegions = ( \(regions) );"
      project.setSettings(
        "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; BUILD_ONLY_KNOWN_LOCALIZATIONS = \(setting);")
      if isLocalized {
        project.synchronize("App", tags: [("/Localized: x.txt", "x"), ("y.txt", "x")])
      } else {
        for file in files { project.add(file, tags: "x") }
      }
      let prefix = isLocalized ? "App/" : ""
      let outcome = try Outcome(of: site(project, files.map { prefix + $0 }))
      #expect(outcome.leftOut == leftOut.map { prefix + $0 })
      #expect(outcome.packed == files.filter { !leftOut.contains($0) })
    }
  }

  @Test func `a catalog that is left out gives no tags, and nothing stays in the app`() throws {
    for isSynchronized in [false, true] {
      for isTagged in [false, true] {
        var project = TestProject()
        project.setSettings(
          "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; DEVELOPMENT_ASSET_PATHS = App/Preview; EXCLUDED_SOURCE_FILE_NAMES = \"*.psd\";"
        )
        if isSynchronized {
          project.synchronize("App", tags: [("a.dat", "x")])
        } else {
          project.add("App/a.dat", tags: "x")
          project.add("App/Preview/P.xcassets", tags: nil)
          project.add("App/b.psd", tags: nil)
        }
        let folder = try site(project, ["App/a.dat", "App/b.psd", "App/Preview/P.xcassets/d.dataset/d.bin"])
        let tags = isTagged ? #""on-demand-resource-tags": ["IN"]"# : ""
        try folder.write(
          "nd/App/Preview/P.xcassets/d.dataset/Contents.json", #"{"properties": {\#(tags)}}"#)
        let outcome = try Outcome(of: folder)
        #expect(outcome.packed == ["a.dat"])
        #expect(outcome.leftOut == (isTagged ? ["App/Preview/P.xcassets"] : []))
        let bundled = try #require(
          XcodeImporter(argument: folder.path("nd/App.xcodeproj"), choice: ProjectChoice()).manifest?
            .bundledFiles)
        #expect(bundled.map(\.path).filter { $0.hasSuffix(".psd") } == [])
      }
    }
  }

  @Test func `no message names a folder of the machine`() throws {
    var project = TestProject()
    project.setSettings(
      "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; EXCLUDED_SOURCE_FILE_NAMES = \"$(SRCROOT)/a*\"; ASSET_PACK_MANIFEST_URL_PREFIX = \"$(SRCROOT)/\";"
    )
    for file in ["a.dat", "b.dat"] { project.add(file, tags: "x") }
    let folder = try site(project, ["a.dat", "b.dat"])
    let importer = try XcodeImporter(argument: folder.path("nd/App.xcodeproj"), choice: ProjectChoice())
    #expect(importer.manifest?.packURLPrefix == "./")
  }
}
