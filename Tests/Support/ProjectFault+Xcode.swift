import Formats
import Foundation

/// Faults of Xcode projects.
extension ProjectFault {
  static let ofProjects: [ProjectFault] = [
    xcode(.projectSyntax) { project, _ in project.edit = { String($0.dropLast(60)) } },
    xcode(.damagedProject, weight: 2) { _, app in app.addBuildFile(of: "NOBODY", tags: "Castle") },
    xcode(.unknownTarget) { project, _ in project.flags += ["--target", "Nobody"] },
    xcode(.severalTargets) { _, app in
      app.objects["APP2"] = app.objects["APP"]?.replacingOccurrences(of: "name = App;", with: "name = Other;")
      app.objects["PROJECT"] = app.objects["PROJECT"]?.replacingOccurrences(
        of: "( APP, )", with: "( APP, APP2, )")
    },
    xcode(.unknownConfiguration) { project, _ in project.flags += ["--configuration", "Nobody"] },
    ProjectFault(.untaggedProject, company: .none) { project, _ in
      var app = TestProject()
      app.add("castle.bin", tags: nil)
      project.use(app)
    },
    ProjectFault(.missingResource, company: .none) { project, _ in
      var app = TestProject()
      for name in ["gone 1.bin", "gone 2.bin"] { app.add(name, tags: "Castle") }
      project.use(app)
    },
    xcode(.outsideProject) { _, app in app.add("../outside.bin", tags: "Castle") },
    settings(
      .conditionalSetting, "\"ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS[sdk=macosx*]\" = Castle;",
      weight: 2),
    settings(.unresolvedSetting, "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"Castle $(NOBODY)\";"),
    settings(.cutOffSetting, "ASSET_PACK_MANIFEST_URL_PREFIX = \"https:\";"),
    settings(.invalidURLPrefix, "ASSET_PACK_MANIFEST_URL_PREFIX = \"ftp://example.com/p/\";"),
    xcode(.unreadSettings) { _, app in
      app.objects["REL"]? += " baseConfigurationReference = XCC;"
      app.objects["XCC"] = "isa = PBXFileReference; path = None.xcconfig; sourceTree = \"<group>\";"
    },
    settings(.uncarriedSetting, "ASSET_PACK_FOLDER_PATH = Packs;"),
    settings(.unsupportedSetting, "WRAP_ASSET_PACKS_IN_SEPARATE_DIRECTORIES = YES;"),
    settings(.disabledResources, "ENABLE_ON_DEMAND_RESOURCES = NO;", weight: 2),
    xcode(.uncompiledCatalog) { project, app in
      project.files["Art.xcassets/Contents.json"] = Data("{}".utf8)
      project.files["Art.xcassets/Hero.imageset/Contents.json"] = Data("{ \"images\": [] }".utf8)
      app.add("Art.xcassets", tags: "Castle")
    },
    xcode(.builtResource) { project, app in
      project.files["scene.storyboard"] = Data("x".utf8)
      app.add("scene.storyboard", tags: "Castle")
    },
    xcode(.otherSpelling, weight: 2) { project, app in
      project.files["hero.bin"] = Data("hero".utf8)
      app.add("Hero.bin", tags: "Castle")
    },
    xcode(.repeatedFile) { _, app in app.addBuildFile(of: "F0", tags: "Forest") },
    xcode(.filteredFile, weight: 2) { project, app in
      project.files["left.bin"] = Data("left".utf8)
      app.add("left.bin", tags: "Castle")
      app.addSetting("EXCLUDED_SOURCE_FILE_NAMES = left.bin;")
    },
    xcode(.droppedTag, weight: 2) { _, app in
      app.objects["DROP"] = "isa = PBXFileReference; path = Shader.metal; sourceTree = \"<group>\";"
      app.addChild("DROP")
      app.objects["BDROP"] =
        "isa = PBXBuildFile; fileRef = DROP; settings = {ASSET_TAGS = (Castle); };"
      app.objects["SRC"] = "isa = PBXSourcesBuildPhase; files = ( BDROP, );"
    },
    xcode(.mixedCatalogs) { project, app in
      for (name, tags) in [("Tagged", "Castle"), ("Plain", nil)] as [(String, String?)] {
        project.files["\(name).xcassets/Contents.json"] = Data("{}".utf8)
        project.files["\(name).xcassets/\(name).imageset/Contents.json"] = Data("{ \"images\": [] }".utf8)
        app.add("\(name).xcassets", tags: tags)
      }
    },
    xcode(.ownManifest, weight: 2) { project, app in
      project.files["AssetPackManifest.plist"] = Data("x".utf8)
      app.add("AssetPackManifest.plist", tags: nil)
    },
  ]

  /// Creates a fault of an Xcode project with two tagged files.
  private static func xcode(
    _ check: Check, weight: Int = 1,
    _ make: @escaping @Sendable (inout RandomProject, inout TestProject) -> Void
  ) -> ProjectFault {
    ProjectFault(check, company: .projects, weight: weight) { project, dice in
      var app = TestProject()
      if let known = project.project { app = known } else { app = project.makeApp(&dice) }
      make(&project, &app)
      project.use(app)
    }
  }

  /// Creates a fault of a build setting.
  private static func settings(_ check: Check, _ text: String, weight: Int = 1) -> ProjectFault {
    xcode(check, weight: weight) { _, app in app.addSetting(text) }
  }
}

extension TestProject {
  /// Adds a build setting to the settings of the target.
  fileprivate mutating func addSetting(_ text: String) {
    objects["REL"] = objects["REL"]?.replacingOccurrences(
      of: "buildSettings = {", with: "buildSettings = { \(text)")
  }
}

extension RandomProject {
  /// Uses an Xcode project instead of the manifest.
  fileprivate mutating func use(_ app: TestProject) { project = app }

  /// Returns an Xcode project with two tagged files.
  fileprivate mutating func makeApp(_ dice: inout Dice) -> TestProject {
    var app = TestProject()
    app.setSettings("PRODUCT_BUNDLE_IDENTIFIER = com.example.random;")
    for tag in ["Castle", "Forest"] {
      files["\(tag).bin"] = Sample.noise(1 + dice.below(2000), seed: dice.next())
      app.add("\(tag).bin", tags: tag)
    }
    return app
  }
}
