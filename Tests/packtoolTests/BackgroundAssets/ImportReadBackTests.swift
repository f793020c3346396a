import Foundation
import Support
import Testing
@testable import packtool

/// Tests that `packtool import` of Background Assets manifests reads and checks the manifest that it writes.
@Suite struct ImportReadBackTests {
  /// Makes a folder with manifests for `ba-package`, by their file names, and with files.
  ///
  /// The content of each file is its path.
  private static func site(
    _ manifests: KeyValuePairs<String, String>, files: String...
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in manifests { try folder.write(name, text) }
    for file in files { try folder.write(file, "content of \(file)") }
    return folder
  }

  private static func pack(
    _ id: String, _ selectors: String..., policy: String = #""onDemand": {}"#, more: String = ""
  ) -> String {
    """
    {"assetPackID": "\(id)", "downloadPolicy": {\(policy)},
      "fileSelectors": [\(selectors.joined(separator: ", "))]\(more)}
    """
  }

  private static let atInstallation =
    #""essential": {"installationEventTypes": ["firstInstallation"]}"#

  private static func importing(_ folder: TemporaryFolder, _ names: String...) -> ToolRun {
    ToolRun(
      ["import"] + names.map(folder.path) + [
        "--root", folder.path, "-o", folder.path("Manifest.json"), "--id-map", folder.path("ids.json"),
      ])
  }

  @Test func `an ID lockfile is replaced only where --force says so`() throws {
    let folder = try Self.site(["m.json": Self.pack("p", #"{"file": "a"}"#)], files: "a")
    try folder.write("ids.json", #"{"Level 1": "my-old-id"}"#)
    let words = [
      "import", folder.path("m.json"), "--root", folder.path, "-o", folder.path("Manifest.json"), "--id-map",
      folder.path("ids.json"),
    ]
    let run = runTool(words: words)
    #expect(
      run.status == .inputHasErrors && run.errors.reports("existing-file", at: "ids.json"), "\(run.errors)")
    #expect(try String(decoding: folder.read("ids.json"), as: UTF8.self).contains("my-old-id"))
    #expect(runTool(words: words + ["--force"]).status == .done)
    #expect(try String(decoding: folder.read("ids.json"), as: UTF8.self).contains("\"p\""))
  }

  /// One pack selects a folder, and another pack selects a file in this folder.
  @Test func `packs that share files are named`() throws {
    let folder = try Self.site(
      [
        "m.json": Self.pack("all", #"{"directory": "a"}"#, policy: Self.atInstallation),
        "n.json": Self.pack("extra", #"{"file": "a/x.bin"}"#),
      ], files: "a/x.bin", "a/y.bin")
    let run = Self.importing(folder, "m.json", "n.json")
    #expect(run.status == .done)
    let finding = try #require(run.findings("shared-file").first)
    #expect(run.findings("shared-file").count == 1 && finding.severity == "warning")
    for name in ["\"all\"", "\"extra\"", "\"a/x.bin\""] { #expect(finding.message.contains(name)) }
    #expect(finding.file == folder.path("n.json"))
  }

  /// If two packs select the same path, they become one rule with two tags.
  @Test(arguments: [
    ("{\"file\": \"a/x\"}", "{\"file\": \"a/x\"}"), ("{\"directory\": \"a\"}", "{\"directory\": \"a/\"}"),
  ])
  func `one rule for one path`(first: String, second: String) throws {
    let folder = try Self.site(
      ["m.json": Self.pack("one", first), "n.json": Self.pack("two", second)], files: "a/x")
    let run = Self.importing(folder, "m.json", "n.json")
    #expect(run.status == .done && run.findings("shared-file").count == 1)
    let rules = try run.rules(in: folder)
    #expect(rules.map { $0["tags"] as? [String] } == [["one", "two"]])
    #expect(runTool("validate", folder.path).status == .done)
  }

  @Test func `one selector twice is one rule`() throws {
    let folder = try Self.site(
      ["m.json": Self.pack("one", #"{"file": "a/x"}"#, #"{"file": "a/x"}"#)], files: "a/x")
    let run = Self.importing(folder, "m.json")
    #expect(run.status == .done && run.findings("shared-file").isEmpty)
    #expect(try run.rules(in: folder).map { $0["tags"] as? [String] } == [["one"]])
  }

  /// If packs are for different platforms, there is one warning.
  ///
  /// The warning must not contain contradictory advice.
  @Test func `platforms that differ`() throws {
    let folder = try Self.site(
      [
        "m.json": Self.pack("one", #"{"file": "a/x"}"#, more: #", "platforms": ["iOS"]"#),
        "n.json": Self.pack("two", #"{"file": "a/y"}"#, more: #", "platforms": ["macOS"]"#),
      ], files: "a/x", "a/y")
    let found = Self.importing(folder, "m.json", "n.json").findings("uncarried-setting")
      .filter { $0.message.contains("platforms") }
    let finding = try #require(found.first)
    #expect(found.count == 1 && finding.severity == "warning")
    #expect(finding.message.names("one", "two"))
    #expect(!finding.message.contains("--platforms"))
  }

  /// Mistakes that `validate` would find in the new manifest.
  ///
  /// Each case has the check and the file in which the wrong selector is.
  @Test(arguments: [
    // A file that does not exist.
    ("no-match", #"{"file": "a/none"}"#, #"{"file": "a/y"}"#, "m.json"),
    // A path that differs only in letter case. A Mac treats it as the same file.
    ("no-match", #"{"file": "A/X"}"#, #"{"file": "a/y"}"#, "m.json"),
    // One file at two paths.
    (
      "two-destinations", #"{"file": "a/x"}"#, #"{"fileSource": "a/x", "fileDestination": "b"}"#, "n.json"
    ),
  ])
  func `mistakes end the import`(check: String, first: String, second: String, file: String) throws {
    let folder = try Self.site(
      ["m.json": Self.pack("one", first), "n.json": Self.pack("two", second)], files: "a/x", "a/y")
    let run = Self.importing(folder, "m.json", "n.json")
    #expect(run.status == .inputHasErrors)
    #expect(run.findings(check).map(\.file) == [folder.path(file)], "\(run.all)")
    #expect(run.findings(check).areAll { $0.line == 2 })
    #expect(!FileManager.default.fileExists(atPath: folder.path("Manifest.json")))
  }

  @Test func `ids that differ by case are refused`() throws {
    let folder = try Self.site(
      ["m.json": Self.pack("A", #"{"file": "a/x"}"#), "n.json": Self.pack("a", #"{"file": "a/y"}"#)],
      files: "a/x", "a/y")
    let run = Self.importing(folder, "m.json", "n.json")
    #expect(run.status == .inputHasErrors)
    #expect(run.findings("identifier-collision").map(\.file) == [folder.path("n.json")])
  }

  /// The selector of an adapter pack is for a file, but its path is a folder.
  @Test(arguments: [(#"{"file": "a"}"#, 1), (#"{"directory": "a/x"}"#, 1), (#"{"directory": "a"}"#, 0)])
  func `selectors of another kind`(selector: String, count: Int) throws {
    let folder = try Self.site(["m.json": Self.pack("one", selector)], files: "a/x")
    let run = Self.importing(folder, "m.json")
    #expect(run.status == .done && run.findings("wrong-selector").count == count)
  }

  @Test func `updates alone are noted`() throws {
    let folder = try Self.site(
      [
        "m.json": Self.pack(
          "one", #"{"file": "a/x"}"#,
          policy: #""prefetch": {"installationEventTypes": ["subsequentUpdate"]}"#)
      ], files: "a/x")
    let found = Self.importing(folder, "m.json").findings("uncarried-setting")
    #expect(
      found.contains { $0.message.names("subsequentUpdate") && $0.message.contains("\"one\"") })
  }

  /// Imports a project into a manifest next to the project.
  private static func importing(
    _ project: TestProject, _ files: String..., prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws -> (run: ToolRun, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write("App.xcodeproj/project.pbxproj", project.text)
    for file in files { try folder.write(file, "content of \(file)") }
    try prepare(folder)
    let words = ["import", folder.path("App.xcodeproj"), "-o", folder.path("Manifest.json")]
    return (ToolRun(words), folder)
  }

  @Test func `a project is imported without its missing files, which are warned about`() throws {
    var project = TestProject()
    for file in ["a.bin", "gone.bin"] { project.add(file, tags: "x") }
    let (run, folder) = try Self.importing(project, "a.bin")
    #expect(run.status == .done, "\(run.all)")
    #expect(run.findings("missing-resource").count == 1 && run.findings("no-match").isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.path("Manifest.json")))
  }

  @Test func `a project of which no file is there is imported`() throws {
    var project = TestProject()
    for file in ["a.bin", "b.bin"] { project.add(file, tags: "x") }
    let (run, _) = try Self.importing(project)
    #expect(run.status == .done && run.findings("missing-resource").count == 1, "\(run.all)")
    #expect(run.findings("no-match").isEmpty)
  }

  @Test func `a project whose manifest validate refuses is not imported`() throws {
    var project = TestProject()
    project.add("a.bin", tags: "x")
    let pointer = PointerKind.lfsPointer(to: Data("a".utf8))
    let (run, folder) = try Self.importing(project) { try $0.write("a.bin", pointer) }
    #expect(run.status == .inputHasErrors, "\(run.all)")
    #expect(run.findings("lfs-pointer").map(\.severity) == ["error"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("Manifest.json")))
    let words = ["import", folder.path("App.xcodeproj"), "-o", folder.path("Manifest.json"), "--pointers"]
    #expect(runTool(words: words).status == .done)
    #expect(runTool("validate", folder.path, "--pointers").status == .done)
  }

  /// Tests random manifests.
  ///
  /// If `import` accepts a manifest, `validate` and `build` accept the result. If no packs share a file,
  /// every pack keeps its files. If `import` does not accept a manifest, it reports an error.
  @Test func `random manifests`() throws {
    var random = SeededRandom(seed: 20_26)
    var accepted = 0
    var refused = 0
    var shared = 0
    for number in 0..<120 {
      let manifests = RandomManifests(&random)
      let folder = try TemporaryFolder()
      for file in RandomManifests.files { try folder.write(file, "content of \(file)") }
      for (name, text) in manifests.texts { try folder.write(name, text) }
      let names = manifests.texts.keys.sorted()
      let run = ToolRun(
        ["import"] + names.map(folder.path) + [
          "--root", folder.path, "-o", folder.path("Manifest.json"), "--id-map", folder.path("ids.json"),
        ])
      let context = "\(number): \(manifests.texts) \(run.all)"
      guard run.status == .done else {
        refused += 1
        #expect(run.status == .inputHasErrors && run.all.contains { $0.severity == "error" }, "\(context)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("Manifest.json")))
        continue
      }
      accepted += 1
      let checked = runTool("validate", folder.path)
      #expect(checked.status == .done, "\(context) \(checked.errors)")
      let built = runTool(
        words: [
          "build", folder.path, "-o", folder.path("out"), "--layout", "background-assets", "--id-map",
          folder.path("ids.json"), "--bundle-version", manifests.hasLanguages ? "27" : "26",
        ])
      #expect(built.status == .done, "\(context) \(built.errors)")
      #expect(runTool("verify", folder.path("out")).status == .done, "\(context)")
      if manifests.sharesFiles { shared += 1 }
      #expect(manifests.sharesFiles == !run.findings("shared-file").isEmpty, "\(context)")
      guard !manifests.sharesFiles else { continue }
      for (id, files) in manifests.files {
        let packed = try folder.files(below: "out/packs/\(id)").keys.sorted()
        #expect(packed == files.sorted(), "\(context)")
      }
    }
    #expect(accepted >= 30 && refused >= 20 && shared >= 10, "\(accepted) \(refused) \(shared)")
  }
}

/// Random manifests for `ba-package`, with the packs that they describe.
private struct RandomManifests {
  static let files = ["a/1", "a/2", "a/b/3", "c/4", "c/5.ogg", "c/6.ogg", "d"]

  /// The manifests by their file names.
  private(set) var texts: [String: String] = [:]
  /// For each pack id, the paths of the pack's files inside the pack.
  private(set) var files: [String: Set<String>] = [:]
  private(set) var hasLanguages = false
  /// Whether two packs select the same file.
  private(set) var sharesFiles = false

  /// Selectors for random manifests.
  ///
  /// Each has the files that it selects, with their paths inside the pack.
  private static let selectors: [(text: String, files: [String: String])] = [
    (#"{"file": "a/1"}"#, ["a/1": "a/1"]), (#"{"file": "./a/2"}"#, ["a/2": "a/2"]),
    (#"{"file": "d"}"#, ["d": "d"]), (#"{"directory": "a/b"}"#, ["a/b/3": "a/b/3"]),
    (#"{"directory": "a"}"#, ["a/1": "a/1", "a/2": "a/2", "a/b/3": "a/b/3"]),
    (#"{"filePattern": "c/*.ogg"}"#, ["c/5.ogg": "c/5.ogg", "c/6.ogg": "c/6.ogg"]),
    (#"{"fileSource": "c/4", "fileDestination": "e/4"}"#, ["c/4": "e/4"]),
    (
      #"{"directorySource": "a", "directoryDestination": "f"}"#,
      ["a/1": "f/1", "a/2": "f/2", "a/b/3": "f/b/3"]
    ),
  ]
  private static let mistakes = [
    #"{"file": "none"}"#, #"{"file": "A/1"}"#, #"{"directory": "../x"}"#, #"{"filePattern": "c/*.png"}"#,
  ]

  init(_ random: inout SeededRandom) {
    var owners: [String: Set<String>] = [:]
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let isTwin = number > 0 && Int.random(in: 0..<12, using: &random) == 0
      let id = isTwin ? "PACK-0" : "pack-\(number)"
      var chosen = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        Self.selectors.randomElement(using: &random) ?? Self.selectors[0]
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        chosen.append((Self.mistakes.randomElement(using: &random) ?? "", [:]))
      }
      for selector in chosen {
        for (file, place) in selector.files {
          files[id, default: []].insert(place)
          owners[file, default: []].insert(id)
        }
      }
      let policy = [
        #""onDemand": {}"#, #""essential": {"installationEventTypes": ["firstInstallation"]}"#,
        #""prefetch": {"installationEventTypes": ["subsequentUpdate", "firstInstallation"]}"#,
      ].randomElement(using: &random)
      let language =
        Int.random(in: 0..<6, using: &random) == 0 ? ["de", "pt-BR"].randomElement(using: &random) : nil
      if language != nil { hasLanguages = true }
      let platforms = ["[]", #"["iOS"]"#, #"["iOS", "macOS"]"#].randomElement(using: &random) ?? "[]"
      texts["m\(number).json"] = """
        {"assetPackID": "\(id)", "downloadPolicy": {\(policy ?? "")}, "platforms": \(platforms),
          "fileSelectors": [\(chosen.map(\.text).joined(separator: ", "))]\(language.map { ", \"language\": \"\($0)\"" } ?? "")}
        """
    }
    sharesFiles = owners.values.contains { $0.count > 1 }
  }
}

extension ToolRun {
  fileprivate func rules(in folder: TemporaryFolder) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: folder.read("Manifest.json"))
    return try #require((object as? [String: Any])?["resources"] as? [[String: Any]])
  }
}
