@testable import Formats
@testable import Pipeline
import Foundation
import Support

extension CheckStage {
  /// Writes a property list as XML, so that variants can change its text.
  fileprivate func writeAsXML(_ path: String) throws {
    let value = try PropertyListSerialization.propertyList(from: folder.read(path), format: nil)
    let text = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
    try folder.write(path, text)
  }
}

/// Variants of Xcode projects, and of exports in Xcode's layouts.
extension CheckVariant {
  /// Texts that look like property lists or projects, but are not.
  private static let projects: [String] = {
    let head = "<?xml version=\"1.0\"?><plist>"
    let elements = [
      "<array><array/>", "<dict><key>a</key></dict>", "<dict><string/></dict>",
      "<dict><key>a</key><key>b</key></dict>",
      "<integer>x</integer>", "<integer>99999999999999999999</integer>", "<real>x</real>", "<date>x</date>",
      "<data>!</data>", "<true>x</true>", "<x/>", "<dict/><dict/>", "text", "<string>&amp</string>",
      "<string>&#xd800;</string>", "<dict", "<!-- ", "</dict>", "<array></dict></array>", "<key>a</key>",
      String(repeating: "<array>", count: 600),
    ]
    return elements.map { "\(head)\($0)</plist>" } + [
      head, "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"b\">]><plist/>",
      "<?xml version=\"1.0\" encoding=\"utf-7\"?><plist/>", "<?xml version=\"1.0\"?><plist></plist>",
      "bplist00", "bplist00\(String(repeating: "x", count: 40))", "{", "{ a = 1; } b", "{ a = <x>; }",
      "{ a = <00",
      "{ a = /* b", "<<<<<<< HEAD\n{}", "{ a = ; }", "{ a = /* c */; }", "( )", "{}", "[1]", "{\"a\": 1",
      String(repeating: "( ", count: 600), "{ objects = ( ); }", "{ objects = { }; }",
      "{ objects = { A = x; }; rootObject = A; }", "{ objects = { A = { }; A = { }; }; rootObject = B; }",
    ]
  }()

  static let ofProjects: [CheckSample.Provoke] = [
    { stage in
      for text in projects {
        try stage.folder.write("App.xcodeproj/project.pbxproj", text)
        stage.run("validate SITE/App.xcodeproj")
      }
      var project = TestProject()
      project.objects["MAIN"] = "isa = PBXGroup; children = ( MAIN, GONE, ); sourceTree = \"<group>\";"
      project.addBuildFile(of: "GONE", tags: "x")
      try stage.folder.write("App.xcodeproj/project.pbxproj", project.text)
      stage.run("validate SITE/App.xcodeproj")
      for (key, old, new) in [
        ("APP", "LIST", "GONE"), ("APP", "RES, SRC", "GONE, SRC"), ("PROJECT", "APP, );", "APP, GONE, );"),
        ("RES", "files", "file"), ("PLIST", "PREL", "GONE"),
      ] {
        var project = TestProject()
        project.add("a.txt", tags: "A")
        project.objects["RES"] = "isa = PBXResourcesBuildPhase; files = ( B0, GONE, );"
        project.objects[key] = project.objects[key]?.replacing(old, with: new)
        try stage.folder.write("App.xcodeproj/project.pbxproj", project.text)
        stage.run("validate SITE/App.xcodeproj")
      }
      try FileManager.default.createDirectory(
        atPath: stage.folder.path("Dir.xcodeproj/project.pbxproj"), withIntermediateDirectories: true)
      stage.run("validate SITE/Dir.xcodeproj")
      for name in [
        "project.yml", "Project.swift", "Package.swift", "x.csproj", "build.settings", "text.json",
        "other.txt",
      ] {
        try stage.folder.write("other/\(name)", "[]")
        stage.run("import SITE/other/\(name)")
      }
      stage.run("import SITE/other")
      stage.run("import SITE/None.xcodeproj")
      stage.run("import SITE")
      try stage.folder.write("Empty.xcworkspace/contents.xcworkspacedata", "<Workspace></Workspace>")
      stage.run("import SITE/Empty.xcworkspace")
      for path in ["SITE/none", "SITE/other"] { stage.run("validate \(path)") }
    },
    { stage in
      var project = TestProject()
      project.add("a.txt", tags: "A")
      project.setSettings("PRODUCT_BUNDLE_IDENTIFIER = a.b;")
      project.objects["CONF"] = "isa = PBXFileReference; path = App.xcconfig; sourceTree = \"<group>\";"
      project.addChild("CONF")
      project.objects["REL"]? += " baseConfigurationReference = CONF;"
      try stage.folder.write("App.xcodeproj/project.pbxproj", project.text)
      try stage.folder.write("a.txt", "a")
      try stage.folder.write("words", "some words\n")
      try FileManager.default.createDirectory(
        atPath: stage.folder.path("folder.xcconfig"), withIntermediateDirectories: true)
      try stage.run(
        "validate SITE/App.xcodeproj", with: "App.xcconfig",
        as: [
          "A = 1\n= 2", "A = 1\n#import \"x\"", "A = 1\n#include x", "A = 1\n#include \"x\" y",
          "A[x] = 1\nB = 2",
          "A[sdk = 1", "A", "#include \"words.\"\nA = 1", "A = 1\n#include \"folder.xcconfig\"", "A = \0",
          "words",
          "#include \"App.xcconfig\"\nA = 1", "#include \"<DEVELOPER_DIR>/x\"\nA = 1",
          "#include \"none\"\nA = 1",
          "#include \"../../x\"\nA = 1", "#include \"/etc/hostname\"\nA = 1", "A = https://x",
          "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = B C\nON_DEMAND_RESOURCES_PREFETCH_ORDER = \"A B\" A",
        ])
    },
    { stage in
      var project = TestProject()
      for suffix in [
        "png", "plist", "strings", "stringsdict", "xib", "storyboard", "xcdatamodeld", "xcmappingmodel",
        "mlmodel",
        "atlas", "dae", "scn", "metal", "reality", "rcproject", "intentdefinition", "rkassets", "skybox",
        "referenceobject", "aimodel", "skatlas", "icon", "iconset", "xcstickers", "cl", "instrpkg",
        "xcstrings",
      ] {
        project.add("a.\(suffix)", tags: "x")
        try stage.folder.write("a.\(suffix)", suffix)
      }
      project.add("gone.txt", tags: "x")
      project.add("Case.txt", tags: "x")
      try stage.folder.write("case.txt", "x")
      project.add("C.xcassets", tags: "x")
      let sets = [
        "{\"properties\": {\"on-demand-resource-tags\": [\"A\"]}}",
        "{\"properties\": {\"on-demand-resource-tags\": \"A\"}}",
        "{\"properties\": {\"on-demand-resource-tags\": [1]}}", "{\"on-demand-resource-tags\": [\"A\"]}",
        "{\"properties\": {\"on-demand-resources-tags\": [\"A\"]}}", "nonsense",
        "{\"images\": [{\"filename\": \"i\", \"idiom\": \"fridge\", \"scale\": 3}]}",
      ]
      for (number, text) in sets.enumerated() {
        try stage.folder.write("C.xcassets/S\(number).imageset/Contents.json", text)
      }
      try stage.folder.write("C.xcassets/T.imageset/Contents.json/x", "")
      try stage.folder.write(
        "C.xcassets/Contents.json", "{\"properties\": {\"on-demand-resource-tags\": [\"A\"]}}")
      project.add("/etc/hostname", tags: "x", sourceTree: "<absolute>")
      project.add("sdk.txt", tags: "x", sourceTree: "SDKROOT")
      project.setSettings(
        "PRODUCT_BUNDLE_IDENTIFIER = com.example.app; EXCLUDED_SOURCE_FILE_NAMES = \"*.dae\"; "
          + "DEVELOPMENT_ASSET_PATHS = a.scn; ASSET_PACK_MANIFEST_URL_PREFIX = \"https://a.b/\"; "
          + "EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE = YES; ENABLE_ON_DEMAND_RESOURCES = NO;")
      project.objects["SRC"] = "isa = PBXSourcesBuildPhase; files = ( SB, );"
      project.objects["SB"] = "isa = PBXBuildFile; fileRef = F0; settings = {ASSET_TAGS = (y); };"
      project.objects["LOOSE"] = "isa = PBXBuildFile; fileRef = F1; settings = {ASSET_TAGS = (z); };"
      try stage.folder.write("App.xcodeproj/project.pbxproj", project.text)
      for flags in ["", " --target None", " --configuration None", " --sdk macosx", " --root SITE/none"] {
        stage.run("validate SITE/App.xcodeproj\(flags)")
      }
      stage.run("import SITE/App.xcodeproj")
      for product in ["framework", "application.watchapp", "application.messages", "tool"] {
        var project = TestProject()
        project.add("a.txt", tags: "A")
        project.objects["APP"] = project.objects["APP"]?.replacing(
          "product-type.application", with: "product-type.\(product)")
        try stage.folder.write("Other.xcodeproj/project.pbxproj", project.text)
        stage.run("validate SITE/Other.xcodeproj")
        stage.run("validate SITE/Other.xcodeproj --target App")
      }
      var synchronized = TestProject()
      synchronized.synchronize(
        "Sync", tags: [("gone.txt", "A"), ("code.swift", "B"), ("C.xcassets/x", "C"), ("there", "D")])
      try stage.folder.write("Sync/code.swift", "")
      try stage.folder.write("Sync/there", "")
      try stage.folder.write("Sync/C.xcassets/x/y", "")
      synchronized.setSettings("PRODUCT_BUNDLE_IDENTIFIER = a.b; SDKROOT = macosx;")
      for text in [
        synchronized.text,
        synchronized.text.replacing("exceptions = ( EX, )", with: "exceptions = ( EX, GONE, )"),
      ] {
        try stage.folder.write("Sync.xcodeproj/project.pbxproj", text)
        stage.run("validate SITE/Sync.xcodeproj")
      }
    },
    { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out --layout hosted --url-prefix https://a.b/p/")
      stage.run("build SITE/game -o SITE/x --layout xcode")
      try stage.writeAsXML("out/AssetPackManifest.plist")
      try stage.writeAsXML("x/OnDemandResources.plist")
      let digest =
        try String(decoding: stage.folder.read("out/AssetPackManifest.plist"), as: UTF8.self)
        .firstMatch(of: /sha256:[0-9a-f]{8}/).map { String($0.output) } ?? ""
      try stage.run(
        "verify SITE/out", changing: "out/AssetPackManifest.plist",
        [
          Change("<key>resources</key>", "<key>resource</key>"),
          Change("<key>bundleKey</key>", "<key>key</key>"),
          Change("asset-pack", "asset-pock"), Change("https://a.b/p/", "ftp://a.b/"),
          Change("<key>URL</key>", "<key>url</key>"),
          Change("https://a.b/p/", ""),
          Change(
            "<key>uncompressedSize</key>\n\t\t\t<integer>", "<key>uncompressedSize</key>\n\t\t\t<integer>9"),
          Change("<key>hash</key>", "<key>hesh</key>"), Change(digest, "sha256:00000000"),
          Change("assetpack</", "pack</"),
          Change("<plist", "<list"),
        ])
      try stage.run(
        "verify SITE/x", changing: "x/OnDemandResources.plist",
        [
          Change("NSBundleResourceRequestTags", "Tags"), Change("NSBundleResourceRequestAssetPacks", "Packs"),
          Change("<key>A</key>", "<key>C</key>"), Change("asset-pack", "asset-pock"),
          Change("<string>a", "<string>z"),
        ])
      let info = try stage.first(below: "x/OnDemandResources")
      let pack = info.split(separator: "/").dropLast().joined(separator: "/")
      if stage.exists("\(pack)/Info.plist") {
        try stage.writeAsXML("\(pack)/Info.plist")
        try stage.run(
          "verify SITE/x", changing: "\(pack)/Info.plist",
          [
            Change("CFBundleIdentifier", "Identifier"), Change("com.example.game", "com.example.gama"),
            Change("<plist", "<list"), Change("asset-pack-", "other-"),
          ])
      }
      for name in ["AssetPackManifest.plist", "AssetPackManifestTemplate.plist", "OnDemandResources.plist"]
      where stage.exists("x/\(name)") {
        let text = try stage.folder.read("x/\(name)")
        try FileManager.default.removeItem(atPath: stage.folder.path("x/\(name)"))
        stage.run("verify SITE/x")
        try stage.folder.write("x/\(name)", text)
      }
      for app in ["One.app", "Two.app"] { try stage.folder.write("apps/\(app)/OnDemandResources.plist", "x") }
      for path in ["SITE/apps", "SITE/none", "SITE/game", "SITE/secret.key"] {
        stage.run("verify \(path)")
        stage.run("inspect \(path)")
      }
    },
  ]
}
