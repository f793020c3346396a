import Formats
import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `packtool init`, which writes a manifest for a folder of assets.
@Suite struct InitTests {
  /// Makes files, each with a given size.
  ///
  /// The default size is 2 MB.
  private func tree(_ files: String..., size: Int64 = 2_000_000) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for file in files { try folder.writeSparse(file, size: size) }
    return folder
  }

  /// Returns the proposed rules as they are in the manifest, and the manifest's other lines.
  private func proposed(in folder: TemporaryFolder) throws -> [String] {
    let run = runTool("init", "--dry-run", folder.path, "--bundle-identifier", "a.b")
    #expect(run.status == .done, "\(run.errors)")
    return run.output.split(separator: "\n").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
    }
    .filter {
      $0.count > 1 && !$0.hasPrefix("\"$schema")
        && !$0.hasPrefix("\"bundle") && $0 != "\"resources\": ["
    }
  }

  /// Findings refer to places in the manifest, so the manifest is printed before the findings.
  @Test func `findings follow the manifest`() throws {
    let folder = try tree("Music/a.ogg", "Sfx/a.wav", size: 70_000_000)
    for words in [["--dry-run"], []] {
      let run = runTool(words: ["init", folder.path] + words)
      let said =
        words.isEmpty
        ? run.errors : String(run.errors[try #require(run.errors.range(of: "next:")).lowerBound...])
      #expect(
        said.contains("[tag-size]") && said.hasSuffix("packtool: 0 errors, 2 warnings, 1 note\n"),
        "\(run.errors)")
    }
  }

  @Test func `the schema is named where it is not there`() throws {
    let folder = try tree("Music/a.ogg")
    let line = "packtool schema > \(folder.path("Manifest.schema.json"))"
    // Long paths can cause line breaks, so only the words are compared.
    let words = runTool("init", "--dry-run", folder.path).errors.split { $0.isWhitespace }.map(String.init)
    #expect(line.split(separator: " ").allSatisfy { words.contains(String($0)) })
    try folder.write("Manifest.schema.json", "{}")
    #expect(!runTool("init", "--dry-run", folder.path).errors.contains("packtool schema"))
  }

  @Test func `files outside of the root are counted`() throws {
    let folder = try tree("Levels/1/map", "Levels/2/map")
    try folder.write("docs/a.txt", "ab")
    let errors = runTool("init", "--dry-run", folder.path).errors
    #expect(
      errors.contains("\nroot: Levels; outside the root, never packed: 1 file, 2 bytes\n"), "\(errors)")
  }

  @Test func `numbers languages and shared folders get tags`() throws {
    let folder = try tree(
      "Levels/1/map", "Levels/2/map", "Levels/10/map", "Levels/Shared/tiles", "Voices/en/a", "Voices/fr/a",
      "Voices/pt_BR/a", "Music/a.ogg", "UI/button.png", "Sfx/a.wav")
    #expect(
      try proposed(in: folder) == [
        #"{ "glob": "Levels/[0-9]*/**", "tagTemplates": ["Level $1$2"] }"#,
        #"{ "path": "Levels/Shared", "tags": ["Shared"] }"#, #"{ "path": "Music", "tags": ["Music"] }"#,
        #"{ "path": "Sfx", "tags": ["Sfx"] }"#,
        #"{ "glob": "Voices/*/**", "tagTemplates": ["Language $1"] }"#,
        #"{ "path": "UI", "tags": ["UI"] }"#,
        #""initialInstallTags": ["Level 1", "Language en", "Shared", "UI"]"#,
        #""prefetchTagOrder": ["Level 2", "Level 10"]"#,
      ])
  }

  @Test func `folders of one kind get their names`() throws {
    let folder = try tree(
      "tracks/lake/track.xml", "tracks/lake/a.png", "tracks/hill/track.xml", "tracks/cave/track.xml",
      "karts/tux/tux.kart", "karts/gnu/gnu.kart", "karts/ant/ant.kart", "music/a", "icon.png")
    #expect(
      try proposed(in: folder) == [
        #"{ "glob": "karts/*/**", "tagTemplates": ["Kart $1"] }"#, #"{ "path": "music", "tags": ["Music"] }"#,
        #"{ "glob": "tracks/*/**", "tagTemplates": ["Track $1"] }"#,
        #""initialInstallTags": ["Kart ant", "Track cave"]"#,
      ])
  }

  @Test func `projects of Xcode have languages by suffix`() throws {
    let folder = try tree(
      "fr.lproj/a", "en.lproj/a", "Base.lproj/a", "Movies/intro.mp4", "level_01/a", "level_02/a")
    #expect(
      try proposed(in: folder).prefix(3) == [
        #"{ "glob": "[a-z]*.lproj/**", "tagTemplates": ["Language $1$2"] }"#,
        #"{ "path": "Movies", "tags": ["Movies"] }"#, #"{ "path": "level_01", "tags": ["Level 01"] }"#,
      ])
  }

  @Test func `names end in languages`() throws {
    let folder = try tree(
      "Animals/frog_desc_fr.ogg", "Animals/frog_desc_en.ogg", "Animals/frog_desc_pt_BR.ogg",
      "Plants/tree_desc_fr.ogg", "Plants/tree_desc_en.ogg", "Plants/tree_desc_pt_BR.ogg", "Plants/hero_is.ogg"
    )
    #expect(
      try proposed(in: folder) == [
        // The other file in the folder is large, so it has a tag, too.
        #"{ "path": "Plants", "tags": ["Plants"], "except": ["**/*_desc_*.ogg"] }"#,
        #"{ "glob": "**/*_desc_*.ogg", "tagTemplates": ["Language $3"] }"#,
        #""initialInstallTags": ["Language en"]"#,
      ])
    #expect(runTool("init", folder.path).status == .done)
    let plan = runTool("plan", "--format", "json", folder.path)
    #expect(plan.status == .done && plan.output.contains("\"Language pt_BR\""), "\(plan.errors)")
  }

  @Test func `two letters are a language where all are`() throws {
    let folder = try tree(
      "Speech/a_fr.ogg", "Speech/a_de.ogg", "Speech/b_fr.ogg", "Speech/b_de.ogg", "Music/c.ogg")
    #expect(
      try proposed(in: folder).contains(#"{ "glob": "Speech/{a,b}_*.ogg", "tagTemplates": ["Language $1"] }"#)
    )
    // Other words are left out by name. A glob for two letters would need a template such as "Language $3$4".
    for other in ["zz", "long"] {
      try folder.writeSparse("Speech/a_b_\(other).ogg", size: 1)
      let text = try proposed(in: folder).joined(separator: " ")
      #expect(
        text.contains(#""glob": "Speech/{a,b}_*.ogg""#) && text.contains(#"["Language $1"]"#)
          && text.contains(#""except": ["Speech/a_b_\#(other).ogg"]"#), "\(text)")
      try FileManager.default.removeItem(atPath: folder.path("Speech/a_b_\(other).ogg"))
    }
  }

  /// `init` runs in the folder of the assets, so the name of the folder is not in the argument.
  @Test(arguments: [("levels", "Level"), ("game", "Part"), ("data", "Part")])
  func `no name comes from the current folder's dot`(name: String, noun: String) throws {
    let folder = try tree(
      "\(name)/desert/a.xml", "\(name)/forest/a.xml", "\(name)/ice/a.xml", "\(name)/city/a.xml")
    let run = try Support.run(try packtoolProgram(), ["init", "--dry-run"], in: folder.path(name))
    #expect(run.output.contains(#""tagTemplates": ["\#(noun) $1"]"#), "\(run.output)\(run.errors)")
  }

  @Test func `folders with the same subfolders get one rule`() throws {
    let folder = try TemporaryFolder()
    for level in ["aztec", "barrel", "cave", "elk", "share"] {
      for medium in ["images", "script", "sound"] {
        try folder.writeSparse("\(medium)/\(level)/x", size: 500_000)
      }
    }
    try folder.writeSparse("images/menu/x", size: 500_000)
    try folder.writeSparse("music/a.ogg", size: 2_000_000)
    #expect(
      try proposed(in: folder) == [
        #"{ "glob": "{images,script,sound}/*/**", "tagTemplates": ["Level $1"] }"#,
        #"{ "path": "music", "tags": ["Music"] }"#, #""initialInstallTags": ["Level share"]"#,
      ])
  }

  @Test func `the assets of a project are found and in order`() throws {
    let folder = try tree(
      "game/assets/levels/01_forest/map", "game/assets/levels/02_cave/map",
      "game/assets/levels/10_castle/map",
      "game/assets/music/a.ogg", "build/obj/big.o", "node_modules/x/y.js", ".vscode/z", "docs/manual.pdf")
    try folder.write("src/main.c", "")
    #expect(
      try proposed(in: folder) == [
        #""root": "game/assets""#, #"{ "glob": "levels/*/**", "tagTemplates": ["Level $1"] }"#,
        #"{ "path": "music", "tags": ["Music"] }"#, #""initialInstallTags": ["Level 01_forest"]"#,
        #""prefetchTagOrder": ["Level 02_cave", "Level 10_castle"]"#,
      ])
  }

  @Test func `products of builds and caches are no packs`() throws {
    let folder = try tree("art/a.png", "music/a.ogg", "node_modules/x/y.js", ".vscode/z", "build/obj/big.o")
    try folder.write("Makefile", "")
    let lines = try proposed(in: folder)
    #expect(
      lines == [
        #"{ "path": "art", "tags": ["Art"] }"#, #"{ "path": "music", "tags": ["Music"] }"#,
        #""exclude": [".vscode", "build", "node_modules"]"#, #""initialInstallTags": ["Art"]"#,
      ], "\(lines)")
    #expect(runTool("init", folder.path).status == .done)
    #expect(!runTool("validate", folder.path).errors.contains("unused-exclude"))
  }

  /// A file with the tag of its folder would bring the files of all languages.
  @Test func `a language does not overlap with its folder`() throws {
    let folder = try TemporaryFolder()
    for language in ["de", "en", "fr", "pt_BR"] {
      try folder.writeSparse("Locale/game_\(language).qm", size: 900_000)
      try folder.write("Locale/\(language).txt", "x")
    }
    try folder.writeSparse("Music/a.ogg", size: 2_000_000)
    #expect(runTool("init", folder.path).status == .done)
    let plan = runTool("plan", folder.path, "--format", "json").output
    let packs = try #require(
      (JSONSerialization.jsonObject(with: Data(plan.utf8)) as? [String: Any])?["packs"] as? [[String: Any]])
    let tags = packs.compactMap { $0["tags"] as? [String] }
    #expect(tags.count == 5 && tags.areAll { $0.count == 1 }, "\(tags)")
  }

  @Test func `a new proposal keeps the identifier`() throws {
    let folder = try tree("Music/a")
    #expect(runTool("init", folder.path, "--bundle-identifier", "org.mine.game").status == .done)
    #expect(runTool("init", folder.path, "--force").status == .done)
    let text = try String(decoding: folder.read("Manifest.json"), as: UTF8.self)
    #expect(text.contains(#""bundleIdentifier": "org.mine.game""#), "\(text)")
  }

  /// A folder that could stay in the app has a tag, because it would look forgotten.
  @Test func `a proposal has no findings about itself`() throws {
    let folder = try tree("Art/a", "Music/b", "Sound/c", "icons/d")
    #expect(runTool("init", folder.path).status == .done)
    for words in [["validate", "--strict"], ["plan"]] {
      let run = runTool(words: [words[0], folder.path] + words.dropFirst())
      #expect(run.status == .done && !run.errors.contains("untagged-folder"), "\(run.errors)")
    }
    let text = try String(decoding: folder.read("Manifest.json"), as: UTF8.self)
    #expect(!text.contains("accept"), "\(text)")
  }

  @Test func `words that look like languages are none`() throws {
    let folder = try tree("Art/this_is.png", "Art/hero_no.png", "Art/go_to.png", "Sfx/a.wav")
    #expect(try proposed(in: folder).areAll { !$0.contains("Language") })
  }

  @Test func `catalogs are one thing`() throws {
    let folder = try tree(
      "Hero.xcassets/Idle.spriteatlas/a.png", "Hero.xcassets/Run.spriteatlas/b.png",
      "Hero.xcassets/Jump.spriteatlas/b.png", "Images.xcassets/AppIcon.appiconset/a.png", "Levels/Level1/a",
      "Levels/Level2/a")
    #expect(
      try proposed(in: folder).prefix(2) == [
        #"{ "path": "Hero.xcassets", "tags": ["Hero"] }"#,
        #"{ "glob": "Levels/Level*/**", "tagTemplates": ["Level $1"] }"#,
      ])
  }

  /// If another rule takes precedence over a tag's only rule, the list must not contain the tag.
  ///
  /// Otherwise, the manifest would have an error.
  @Test func `lists name only tags of rules`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] {
      for end in ["", "_de", "_en", "_fr", "_en.yaml"] {
        try folder.writeSparse("scenarios/\(name)\(end)", size: 600_000)
      }
    }
    let run = runTool("init", folder.path, "--bundle-identifier", "a.b")
    #expect(run.status == .done, "\(run.errors)")
    #expect(runTool("validate", folder.path).status == .done)
  }

  @Test(arguments: [
    ["as_book", "as_mine", "as_tree", "as_windmill0"], ["no_way", "is_it", "it_is"], ["no", "is", "it"],
  ]) func `words are no languages`(names: [String]) throws {
    let folder = try TemporaryFolder()
    for name in names { try folder.writeSparse("Things/\(name)/a", size: 2_000_000) }
    #expect(try proposed(in: folder).areAll { !$0.contains("Language") })
  }

  @Test func `no initial install is said`() throws {
    let folder = try tree("Music/a")
    try folder.write("notes.txt", "x")
    let run = runTool("init", folder.path, "--bundle-identifier", "a.b")
    #expect(run.output.contains("initial install: no tags; add the tags that the first screen needs\n"))
  }

  @Test(arguments: [
    ("ProjectSettings/ProjectVersion.txt", "Library/cache", "Unity"),
    ("project.godot", ".godot/cache", "Godot"),
    ("Game.uproject", "DerivedDataCache/cache", "Unreal"),
  ]) func `caches of engines are left out`(mark: String, cache: String, engine: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(mark, "x")
    for path in [cache, "Levels/1/a", "Levels/2/a"] { try folder.writeSparse(path, size: 2_000_000) }
    let run = runTool("init", folder.path, "--bundle-identifier", "a.b")
    #expect(run.output.contains("a project of \(engine): "), "\(run.output)")
    let plan = runTool("plan", folder.path, "--untagged")
    #expect(plan.status == .done && !plan.output.contains("cache"), "\(plan.output)")
  }

  @Test func `the root stays above a catalog`() throws {
    let folder = try tree(
      "App/Art.xcassets/Hero/a.imageset/a.png", "App/Art.xcassets/Enemy/b.imageset/b.png", "App/info.txt")
    #expect(try proposed(in: folder).areAll { !$0.contains("\"root\"") || !$0.contains("xcassets") })
  }

  @Test func `the root is below folders that hold little else`() throws {
    let folder = try tree(
      "usr/share/games/x/Levels/1/a", "usr/share/games/x/Levels/2/a", "usr/share/games/x/Music/a")
    try folder.write("usr/share/doc/x/copyright", "c")
    #expect(try proposed(in: folder).first == #""root": "usr/share/games/x""#)
  }

  @Test func `what would be an error is left out`() throws {
    let folder = try tree("Music/a.ogg", "Music/[b].ogg", "Levels/1/map", "Levels/2/map")
    try folder.link("Music/[x]", to: "nowhere")
    try folder.link("Levels/1/out", to: "/etc/passwd")
    try FileManager.default.copyItem(atPath: "/bin/true", toPath: folder.path("Levels/2/tool"))
    let run = runTool("init", folder.path)
    #expect(run.status == .done, "\(run.errors)")
    #expect(
      run.output.contains(#"excluded with "exclude", because packtool would report errors: "#),
      "\(run.output)")
    let text = try String(decoding: folder.read("Manifest.json"), as: UTF8.self)
    for glob in ["Music/[[]x]", "Levels/1/out", "Levels/2/tool"] { #expect(text.contains("\"\(glob)\"")) }
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
  }

  @Test func `any names make a manifest`() throws {
    let folder = try tree(
      "a*[b]{c}/1/x", "a*[b]{c}/2/x", "$1/x", "ü/1/x", "ü/2/x", "e\u{301} \"q\"/x", "-/x", " /x", "{/x")
    let run = runTool("init", folder.path)
    #expect(run.status == .done, "\(run.errors)")
    #expect(runTool("validate", folder.path).status == .done)
  }

  @Test func `files without folders have one tag`() throws {
    let folder = try tree("a.png", "b.png", size: 10)
    #expect(
      try proposed(in: folder) == [
        #"{ "path": ".", "tags": ["Assets"] }"#, #""initialInstallTags": ["Assets"]"#,
      ])
  }

  /// If the folder is below the current folder, the manifest is written to the current folder.
  ///
  /// Next to the assets, a glob could match the manifest.
  @Test func `a folder below is the root`() throws {
    let folder = try tree(
      "Assets/Music/a", "Assets/Levels/1/a", "Assets/Levels/2/a", "Other/usr/x/Levels/1/a",
      "Other/usr/x/Levels/2/a",
      "Other/usr/x/Music/a")
    for (argument, root) in [("./Assets/", "Assets"), ("Other", "Other/usr/x")] {
      let run = try run(packtoolProgram(), ["init", argument], in: folder.path)
      #expect(run.status == 0 && run.output.hasPrefix("wrote Manifest.json: "), "\(run.errors)")
      #expect(
        run.output.contains("\n  packtool plan  ") && run.output.contains("\n  packtool build -o packs  "))
      let text = try String(decoding: folder.read("Manifest.json"), as: UTF8.self)
      #expect(text.contains("\"root\": \"\(root)\""))
      #expect(runTool("build", folder.path, "-o", folder.path("packs-\(argument.count)")).status == .done)
      try FileManager.default.removeItem(atPath: folder.path("Manifest.json"))
    }
    // If a manifest exists in the folder of the assets, no second manifest is written above it.
    try folder.write("Assets/Manifest.json", "{}")
    let refused = try run(packtoolProgram(), ["init", "Assets"], in: folder.path)
    #expect(
      refused.status == 1
        && refused.errors.reports("existing-file", at: "Assets/Manifest.json"))
  }

  @Test func `a manifest is kept`() throws {
    let folder = try tree("Music/a")
    #expect(runTool("init", folder.path).status == .done)
    let text = try folder.read("Manifest.json")
    try folder.write("Manifest.json", "mine")
    let refused = runTool("init", folder.path)
    #expect(refused.status == .inputHasErrors)
    #expect(refused.errors.reports("existing-file"))
    #expect(try folder.read("Manifest.json") == Data("mine".utf8))
    #expect(runTool("init", "--force", folder.path).status == .done)
    #expect(try folder.read("Manifest.json") == text)
    try folder.write("Manifest.jsonc", "{}")
    #expect(runTool("init", "--force", folder.path).status == .inputHasErrors)
  }

  @Test func `without files there is nothing to propose`() throws {
    let folder = try TemporaryFolder()
    #expect(runTool("init", folder.path).errors.refuses(naming: folder.path))
    #expect(runTool("init", folder.path("none")).errors.refuses(naming: folder.path("none")))
    #expect(runTool("init", folder.path, "--bundle-identifier", "a b").status == .usage)
  }

  @Test func `JSON has the manifest and its reasons`() throws {
    let folder = try tree("Music/a", "Fonts/b")
    let run = runTool("init", "-n", "--format", "json", folder.path)
    let document = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let rules = try #require(document["rules"] as? [[String: Any]])
    #expect(rules.map { $0["path"] as? String } == ["Music"])
    #expect((document["kept"] as? [[String: Any]])?.first?["path"] as? String == "Fonts")
    #expect((document["manifest"] as? [String: Any])?["resources"] != nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("Manifest.json")))
  }

  /// `link/..` is the parent folder of the symlink's target, not the folder that contains the symlink.
  @Test(arguments: ["link/..", "link/../../other"]) func `a folder behind a link is the one that counts`(
    word: String
  ) throws {
    let folder = try tree("other/Deep/y", "other/z/z", "game/Assets/a/x")
    try folder.link("game/link", to: "../other/Deep")
    try folder.write(
      "game/Manifest.json", #"{"bundleIdentifier": "a.b", "resources": [{"path": "Assets", "tags": ["A"]}]}"#)
    let before = try folder.read("game/Manifest.json")
    let result = try run(packtoolProgram(), ["init", "--force", word], in: folder.path("game"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try folder.read("game/Manifest.json") == before)
    #expect(runTool("validate", folder.path("other")).status == .done)
  }

  /// If the argument is a symlink to a folder, the manifest is written into the target folder.
  @Test(arguments: [("inside", "game/Manifest.json"), ("outside", "other/Manifest.json")])
  func `a link to a folder stands for the folder`(link: String, manifest: String) throws {
    let folder = try tree("other/Deep/y", "other/z/z", "game/Assets/a/x")
    try folder.link("game/outside", to: "../other")
    try folder.link("game/inside", to: "Assets")
    let result = try run(packtoolProgram(), ["init", link], in: folder.path("game"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try folder.files().keys.filter { $0.hasSuffix("Manifest.json") } == [manifest])
    #expect(runTool("validate", folderPath(of: folder.path(manifest))).status == .done)
  }
}
