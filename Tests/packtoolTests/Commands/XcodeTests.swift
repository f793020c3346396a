import Foundation
import Support
import Testing
@testable import packtool

/// Tests imports of Xcode projects, and builds in Xcode's layouts, in the way that scripts use them.
@Suite struct XcodeTests {
  static let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"

  @Test func `a project one level below is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Demo/Demo.xcodeproj/project.pbxproj", "")
    try folder.write("_Pods.xcodeproj/project.pbxproj", "")
    let run = runTool("import", folder.path)
    #expect(
      run.errors.reports("missing-manifest", naming: "\(folder.path)/Demo/Demo.xcodeproj"),
      "\(run.errors)")
  }

  @Test func `a folder with a project is guessed`() {
    let folder = "\(packageFolder)/Examples/Xcode"
    let run = runTool("validate", folder)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("missing-manifest", naming: "\(folder)/Lanterns.xcodeproj")
    )
  }

  @Test func `import takes the only project of a folder`() throws {
    let folder = "\(packageFolder)/Examples/Xcode"
    let run = runTool("import", folder)
    #expect(run.status == .done, "\(run.errors)")
    #expect(run.output == runTool("import", Self.project).output)
    #expect(run.output.contains("com.example.lanterns"))
  }

  @Test func `of several projects import takes none`() throws {
    let folder = try TemporaryFolder()
    for name in ["A", "B"] { try folder.write("\(name).xcodeproj/project.pbxproj", "{}") }
    let run = runTool("import", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports(
        "missing-manifest", naming: "2", "\(folder.path)/A.xcodeproj", "\(folder.path)/B.xcodeproj"),
      "\(run.errors)")
  }

  /// The untagged files include storyboards and resources, but neither a Makefile nor a project file.
  @Test func `untagged are resources of the target`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: "\(packageFolder)/Examples/Xcode", toPath: folder.path("App"))
    let before = runTool("plan", folder.path("App/Lanterns.xcodeproj"), "--untagged").output
    try folder.write("App/Makefile.old", "all:")
    try folder.write("App/build/packs/x.assetpack/x", "x")
    #expect(runTool("plan", folder.path("App/Lanterns.xcodeproj"), "--untagged").output == before)
    #expect(!before.contains("Makefile") && !before.contains("pbxproj"), "\(before)")
    let explained = runTool("explain", "Makefile", folder.path("App/Lanterns.xcodeproj"))
    #expect(
      explained.output
        == "file \"Makefile\": not among the target's resources, so it is neither in a pack nor copied into the app\n"
    )
  }

  /// The files of each pack of the example, by the pack's tags.
  private static let packs: [String: [String]] = [
    "Village": ["Maps/Tiles/grass.png", "Maps/Tiles/water.png", "Maps/harbour.json", "Maps/village.json"],
    "Festival": [
      "Assets.xcassets/Festival/Contents.json", "Assets.xcassets/Festival/river.imageset/Contents.json",
      "Assets.xcassets/Festival/river.imageset/river.png", "chime.wav", "drum.wav",
    ],
    "Festival+Village": [
      "Assets.xcassets/Festival/lantern.imageset/Contents.json",
      "Assets.xcassets/Festival/lantern.imageset/lantern.png",
    ],
    "Chapter 1": ["1.json"], "Chapter 2": ["2.json"],
    "Chapter 1+Chapter 2": ["de.lproj/Story.strings", "en.lproj/Story.strings"],
  ]

  /// Returns the files of each pack in a build with Xcode's layout.
  private func packs(_ folder: TemporaryFolder, _ output: String) throws -> [String: [String]] {
    var packs: [String: [String]] = [:]
    for path in try folder.files(below: "\(output)/OnDemandResources").keys {
      let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
      let tags = parts[0].dropFirst("com.example.lanterns.".count).dropLast("-.assetpack".count + 32)
      if parts[1] != "Info.plist" { packs[String(tags), default: []].append(parts[1]) }
    }
    return packs.mapValues { $0.sorted() }
  }

  @Test func `the example is built straight`() throws {
    let folder = try TemporaryFolder()
    let run = runTool("build", Self.project, "-o", folder.path("out"), "--layout", "xcode")
    #expect(run.status == .done)
    #expect(run.errors.reports("uncompiled-catalog", naming: "2", "Lanterns/Assets.xcassets"))
    #expect(try packs(folder, "out") == Self.packs)
    #expect(runTool("verify", folder.path("out")).status == .done)
  }

  /// Makes a copy of the example in which the list of the initial install is in a settings file.
  private func exampleWithSettingsFile(_ settings: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: "\(packageFolder)/Examples/Xcode", toPath: folder.path("App"))
    let list = #"ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "Village \"Chapter 1\"";"#
    let project = try String(contentsOfFile: Self.project + "/project.pbxproj", encoding: .utf8)
    #expect(project.contains(list))
    try folder.write(
      "App/Lanterns.xcodeproj/project.pbxproj",
      project.replacingOccurrences(of: list, with: "").replacingOccurrences(
        of: "isa = XCBuildConfiguration;",
        with: "isa = XCBuildConfiguration; baseConfigurationReference = AA;"
      ).replacingOccurrences(
        of: "objects = {\n",
        with: "objects = {\nAA = {isa = PBXFileReference; path = App.xcconfig; sourceTree = SOURCE_ROOT; };\n"
      ))
    try folder.write("App/App.xcconfig", settings)
    return folder
  }

  @Test func `settings in a file are followed`() throws {
    let list = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS ="
    let folder = try exampleWithSettingsFile("#include? \"Local.xcconfig\"\n#include \"Tags\"\n")
    try folder.write("App/Tags.xcconfig", "\(list) Village \"Chapter 1\" // what level 1 needs\n")
    let run = runTool(
      "build", folder.path("App/Lanterns.xcodeproj"), "-o", folder.path("out"), "--layout", "xcode",
      "--depfile",
      folder.path("out.d"))
    #expect(run.status == .done)
    #expect(
      runTool("build", Self.project, "-o", folder.path("straight"), "--layout", "xcode", "--quiet").status
        == .done)
    #expect(
      try folder.read("straight/OnDemandResources.plist") == folder.read("out/OnDemandResources.plist"))
    let depfile = try String(contentsOfFile: folder.path("out.d"), encoding: .utf8)
    let dependencies = depfile.split(separator: "\n").filter { $0.hasSuffix(":") }
    for path in [
      "App.xcconfig", "Tags.xcconfig", "Lanterns.xcodeproj/project.pbxproj",
      "Lanterns/Assets.xcassets/Contents.json",
      "Lanterns/Assets.xcassets/AppIcon.appiconset/Contents.json",
      "Lanterns/Assets.xcassets/Festival/Contents.json",
    ] {
      #expect(dependencies.count { $0 == folder.path("App/\(path)") + ":" } == 1, "\(path)")
    }
    #expect(!depfile.contains("Local.xcconfig"))
  }

  @Test(arguments: ["text", "github"]) func `a mistake in a settings file is shown there`(form: String) throws
  {
    let folder = try exampleWithSettingsFile("\n  ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = Vilage\n")
    let run = runTool("validate", folder.path("App/Lanterns.xcodeproj"), "--diagnostics", form)
    #expect(run.status == .done)
    let file = folder.path("App/App.xcconfig")
    let message = #"no resource has the tag "Vilage", which is in ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"#
    #expect(
      (run.errors + run.output).contains(
        form == "text"
          ? """
          \(file):2:3: warning: \(message) [unknown-tag]
              ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = Vilage
              ^
          """
          : "::warning file=\(file),line=2,col=3,title=unknown-tag::\(message)\n")
    )
  }

  @Test func `the example is imported and built`() throws {
    let folder = try TemporaryFolder()
    let manifest = folder.path("deep/Manifest.json")
    #expect(runTool("import", Self.project, "-o", manifest, "--quiet").status == .done)
    let plan = runTool("plan", manifest)
    #expect(plan.status == .done)
    #expect(plan.output.hasPrefix("com.example.lanterns: 6 packs, 15 files"))
    #expect(runTool("build", manifest, "-o", folder.path("out"), "--layout", "xcode").status == .done)
    #expect(try packs(folder, "out") == Self.packs)
    let straight = runTool(
      "build", Self.project, "-o", folder.path("straight"), "--layout", "xcode", "--embed-packs")
    #expect(straight.status == .done)
    #expect(
      try folder.read("straight/OnDemandResources.plist") == folder.read("out/OnDemandResources.plist"))
  }

  @Test func `the manifest is one that a person would write`() throws {
    let run = runTool("import", Self.project)
    #expect(run.status == .done)
    #expect(
      run.output == """
        {
          "$schema": "../../Manifest.schema.json",
          "bundleIdentifier": "com.example.lanterns",
          "resources": [
            { "path": "Content/Chapters/1.json", "tags": ["Chapter 1"], "destination": "1.json" },
            { "path": "Content/Chapters/2.json", "tags": ["Chapter 2"], "destination": "2.json" },
            { "path": "Lanterns/Assets.xcassets/Festival", "tags": ["Festival"], "destination": "Assets.xcassets/Festival" },
            {
              "path": "Lanterns/Assets.xcassets/Festival/lantern.imageset",
              "tags": ["Village"],
              "destination": "Assets.xcassets/Festival/lantern.imageset"
            },
            { "path": "Lanterns/Maps", "tags": ["Village"], "destination": "Maps" },
            { "path": "Lanterns/Sounds/chime.wav", "tags": ["Festival"], "destination": "chime.wav" },
            { "path": "Lanterns/Sounds/drum.wav", "tags": ["Festival"], "destination": "drum.wav" },
            {
              "path": "Lanterns/de.lproj/Story.strings",
              "tags": ["Chapter 1", "Chapter 2"],
              "destination": "de.lproj/Story.strings"
            },
            {
              "path": "Lanterns/en.lproj/Story.strings",
              "tags": ["Chapter 1", "Chapter 2"],
              "destination": "en.lproj/Story.strings"
            }
          ],
          "initialInstallTags": ["Village", "Chapter 1"],
          "prefetchTagOrder": ["Festival", "Chapter 2"]
        }

        """)
  }

  @Test func `a configuration has settings of its own`() throws {
    let run = runTool("import", Self.project, "--target", "Lanterns", "--configuration", "Debug")
    #expect(run.output.contains("\"bundleIdentifier\": \"com.example.lanterns.debug\""))
    #expect(!run.output.contains("prefetchTagOrder"))
    #expect(runTool("plan", Self.project, "--configuration", "Debug").output.contains("lanterns.debug"))
    let wrong = runTool("import", Self.project, "--target", "Lantern")
    #expect(wrong.status == .inputHasErrors && wrong.output == "")
    #expect(wrong.errors.reports("unknown-target", naming: "Lanterns"))
  }

  @Test(arguments: [
    (["--layout", "hosted"], #""hosted""#),
    (["--set", "layout.urlPrefix=https://x/"], #""--set layout.urlPrefix" "xcode" "hosted""#),
    (["--set", "layout.contentHash=sha256"], #""--set layout.contentHash""#),
    (
      ["--layout", "hosted", "--set", "layout.urlPrefix=x", "--set", "layout.embedPacks=true"],
      #""layout.embedPacks" "xcode""#
    ),
    (
      ["--layout", "hosted", "--set", "layout.urlPrefix=x", "--set", "compression=best"],
      #""compression" "hosted""#
    ),
  ])
  func `flags that do not go together are refused`(flags: [String], facts: String) throws {
    let folder = try TemporaryFolder()
    let run = runTool(words: ["build", Self.project, "-o", folder.path("out")] + flags)
    #expect(run.status == .usage)
    #expect(run.errors.hasFacts(facts))
    #expect(try folder.files().isEmpty)
  }
}
