import Foundation
import Support
import Testing
@testable import packtool

/// Tests that results in JSON have exactly the fields that are in the page on formats and in the output of
/// `packtool schema`.
@Suite struct ResultSchemaTests {
  /// Checks each output against its schema.
  ///
  /// The schema must list every field of the output.
  private static let script = """
    import json, sys, jsonschema
    def closed(part):
        if isinstance(part, list): return [closed(each) for each in part]
        if not isinstance(part, dict): return part
        more = {"additionalProperties": False} if part.get("type") == "object" and "properties" in part else {}
        return {**{key: closed(value) for key, value in part.items()}, **more}
    for name in sys.argv[1:]:
        kind, number = name.split(" ")
        document = json.load(open(name, encoding="utf-8"))
        if number == "schema":
            jsonschema.Draft202012Validator.check_schema(document)
            continue
        schema = closed(json.load(open(f"{kind} schema", encoding="utf-8")))
        for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
            best = jsonschema.exceptions.best_match([error])
            print(f"{name}: {best.json_path}: {best.message[-300:]}")
    """

  private static let python = Python(with: "jsonschema")
  private static let examples = "\(packageFolder)/Examples"

  /// Makes a game with all features: shared files, variants, templates, and files without tags.
  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (version, text) in [("1", "one"), ("2", "two"), ("3", "three")] {
      for path in ["a", "shared", "Levels/1/map", "Levels/2/map", "c", "c2"] {
        try folder.write("\(version)/Assets/\(path)", String(repeating: "\(path) \(text) ", count: 99))
      }
      for path in ["same", "untagged/x", "out/y", "d", "rest"] {
        try folder.write("\(version)/Assets/\(path)", path)
      }
      // In later versions, a file has an additional tag, so it moves to another pack. Another file has the
      // previous content of the moved file.
      let more = version == "1" ? "" : #", "C""#
      if version != "1" { try folder.write("\(version)/Assets/copy", "same") }
      try folder.write(
        "\(version)/Manifest.json",
        """
        {"bundleIdentifier": "com.example.site", "root": "Assets",
         "resources": [
          {"path": "a", "tags": ["A"]}, {"path": "shared", "tags": ["A", "C"]}, {"path": "d", "tags": ["D"\(more)]},
          {"glob": "Levels/*/map", "tags": ["Level $1"]}, {"path": "Levels/1", "tags": ["Level 1"]}, {"glob": "{c,c2,same,copy}", "tags": ["C"]},
          {"path": "untagged/x/", "tags": ["U"]}, {"glob": "{a,d}", "tags": ["A"], "except": ["d"]},
          {"path": ".", "tags": ["R"], "otherwise": true, "except": ["untagged/**"]}],
         "exclude": ["out/**"], "initialInstallTags": ["A"], "prefetchTagOrder": ["Level 1"],
         "accept": [{"check": "duplicate-content", "reason": "meant"}]}
        """)
    }
    return folder
  }

  @Test(.enabled(if: python != nil)) func `every field is listed`() throws {
    let folder = try site()
    var texts: [(name: String, text: String)] = []
    let names = ResultFields.page.names
    #expect(names.count > 15)
    for name in names where name != "serve" {
      texts.append(("\(name) schema", runTool("schema", name).output))
    }
    func add(_ name: String, _ output: String) { texts.append(("\(name) \(texts.count)", output)) }
    func json(_ words: String...) {
      add(words[0], runTool(words: words + ["--format", "json"]).output)
    }
    let (one, two, three) = (folder.path("1"), folder.path("2"), folder.path("3"))
    let (old, new) = (folder.path("old"), folder.path("new"))
    for (manifest, output, more) in [(one, old, []), (two, new, ["--patch-from", old])] {
      add("build", runTool(words: ["build", manifest, "-o", output, "--result", "-", "-q"] + more).output)
    }
    add(
      "build", runTool("build", two, "-o", folder.path("onto"), "--onto", old, "--result", "-", "-q").output)
    json("plan", one, "--built", old, "--untagged", "--merge", "2")
    json("plan", new)
    json("plan", "\(Self.examples)/Devices", "--devices", "--device", "iPhone17,1")
    json("plan", folder.path)
    json("diff", old, new)
    json("diff", one, two, "--having", "A")
    json("diff", one, two, three)
    json("diff", folder.path, one)
    for word in ["a", "Levels", "A", "Level 1", "untagged/x", "out/y", "out"] {
      json("explain", word, one, "--built", old)
    }
    json("explain", "com.example.site.asset-pack-7fc56270e7a70fa81a5935b72eacbe29", one)
    for word in ["Art", "Textures", "Textures/Large"] { json("explain", word, "\(Self.examples)/Devices") }
    for path in [old, one, folder.path] { json("verify", path) }
    json("unpack", new, "--all", "-o", folder.path("unpacked"))
    json("fmt", one, "--check")
    json("validate", one, "\(Self.examples)/GreatGame")
    json("init", "\(one)/Assets", "--dry-run")
    json("import", "\(Self.examples)/Xcode")
    json("import", folder.path)
    let game = "\(Self.examples)/GreatGame"
    let runs = try (1...4).map { run in
      try folder.write("run\(run).log", "0.5 menu a\n9 level Levels/\(run % 2 + 1)/map\n20 end c\n")
      return folder.path("run\(run).log")
    }
    add("suggest", runTool(words: ["suggest"] + runs + [one, "--format", "json"]).output)
    json("simulate", "\(game)/Scenarios/late.json", game, "--advise")
    json("simulate", "--players", "linear", game)
    json("simulate", folder.path("none.json"), game)
    json("checks")
    json("devices")
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(new)/packs") {
      json("inspect", "\(new)/packs/\(name)")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(new)/patches") {
      json("inspect", "\(new)/patches/\(name)")
    }
    json("inspect", new)
    let apple = folder.path("apple")
    _ = runTool("build", one, "-o", apple, "--layout", "xcode", "-q")
    json("inspect", apple)
    json("inspect", "\(apple)/OnDemandResources.plist")
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(apple)/OnDemandResources") {
      json("inspect", "\(apple)/OnDemandResources/\(name)")
    }
    add("diagnostics", runTool("validate", try RichRun().folder.path, "--diagnostics", "json").errors)
    add("diagnostics", runTool("validate", game, "--diagnostics", "json").errors)
    let result = try #require(Self.python).run(Self.script, over: texts)
    #expect(result.errors == "")
    let mistakes = result.output.split(separator: "\n").map { String($0.suffix(300)) }
    #expect(mistakes == [])
  }

  @Test func `unknown names are refused`() {
    let run = runTool("schema", "plam")
    #expect(
      run.status == .usage && run.errors.refuses(naming: "plam", "plan"))
  }
}
