@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests `packtool fmt`, which gives all manifests the same style.
@Suite struct FormatTests {
  private let odd = """
    {"bundleIdentifier":"a.b",   "resources": [
        {"path":"Castle","tags":["Castle",
          "Level 1"]}]}
    """
  private let usual = """
    {
      "bundleIdentifier": "a.b",
      "resources": [
        { "path": "Castle", "tags": ["Castle", "Level 1"] }
      ]
    }

    """

  private func site(_ manifest: String? = nil, _ name: String = "Manifest.json") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(name, manifest ?? odd)
    return folder
  }

  @Test(arguments: ["\n", "\r\n"]) func `line ends stay`(end: String) throws {
    let text = (odd + " // comment\n\n").replacingOccurrences(of: "\n", with: end)
    let folder = try site(text, "Manifest.jsonc")
    #expect(runTool("fmt", folder.path).status == .done)
    let styled = usual.dropLast() + " // comment\n"
    #expect(
      try String(decoding: folder.read("Manifest.jsonc"), as: UTF8.self)
        == styled.replacingOccurrences(of: "\n", with: end))
    #expect(runTool("fmt", folder.path, "--check").status == .done)
  }

  @Test func `the manifest of a folder is written once`() throws {
    let folder = try site()
    #expect(chmod(folder.path("Manifest.json"), 0o640) == 0)
    let first = runTool("fmt", folder.path)
    #expect(first.status == .done && first.errors == "")
    #expect(first.output == "formatted \(folder.path)/Manifest.json\n")
    #expect(try folder.read("Manifest.json") == Data(usual.utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("Manifest.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try folder.files().count == 1)
    let second = runTool("fmt", folder.path)
    #expect(second.output == "" && second.errors == "" && second.status == .done)
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.path("Manifest.json"))[.systemFileNumber]
        as? Int
        == attributes[.systemFileNumber] as? Int)
  }

  @Test func `check writes nothing`() throws {
    let folder = try site()
    let run = runTool("fmt", "--check", folder.path)
    #expect(run.status == .inputHasErrors && run.output == "")
    let place = "\(folder.path)/Manifest.json:1:2: error: "
    #expect(run.errors.hasPrefix(place) && run.errors.reports("other-style"), "\(run.errors)")
    #expect(try folder.read("Manifest.json") == Data(odd.utf8))
    #expect(runTool("fmt", "--check", folder.path, "--severity", "other-style=warning").status == .done)
    try folder.write("Manifest.json", usual)
    #expect(runTool("fmt", "--check", folder.path).status == .done)
  }

  @Test func `diff is what patch takes`() throws {
    let folder = try site()
    let run = runTool("fmt", "--diff", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(try folder.read("Manifest.json") == Data(odd.utf8))
    try folder.write("diff", run.output)
    #expect(try Support.run("patch", ["-s", folder.path("Manifest.json"), folder.path("diff")]).status == 0)
    #expect(try folder.read("Manifest.json") == Data(usual.utf8))
    try folder.write("Manifest.json", odd)
    let colored = runTool("fmt", "--diff", "--color", "always", folder.path)
    #expect(colored.output.contains("\u{1b}[1;32m+  \"bundleIdentifier\": \"a.b\",\u{1b}[0m\n"))
  }

  @Test func `comments and a mark are kept`() throws {
    let folder = try site("\u{feff}{ // all\n\"a\":1, } // end", "Manifest.jsonc")
    #expect(runTool("fmt", folder.path).status == .done)
    #expect(try folder.read("Manifest.jsonc") == Data("\u{feff}{ // all\n  \"a\": 1\n} // end\n".utf8))
  }

  @Test func `what cannot be read stays`() throws {
    let folder = try site("{ \"a\": [1, 2,] // c\n}")
    let run = runTool("fmt", folder.path)
    #expect(run.status == .inputHasErrors && run.output == "")
    #expect(run.errors.reports("json-syntax") && run.errors.contains("2 errors"), "\(run.errors)")
    #expect(runTool("fmt", folder.path("none")).errors.refuses(naming: folder.path("none")))
    #expect(runTool("fmt", "App.xcodeproj").status == .usage)
    // A manifest is formatted even if it has other mistakes.
    try folder.write("Manifest.json", "{\"unknown\":1}")
    #expect(runTool("fmt", folder.path).status == .done)
  }

  @Test func `several manifests and programs are served`() throws {
    let (first, second) = (try site(), try site(usual))
    let run = runTool("fmt", first.path, second.path, "--check", "--format", "json")
    let report = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let manifests = try #require(report["manifests"] as? [[String: Any]])
    #expect(manifests.map { $0["changed"] as? Bool } == [true, false])
    #expect(report["status"] as? String == "refused")
  }

  @Test func `a link stays one`() throws {
    let folder = try site(odd, "real.json")
    try folder.link("Manifest.json", to: "real.json")
    #expect(runTool("fmt", folder.path).status == .done)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("Manifest.json")) == "real.json")
    #expect(try folder.read("real.json") == Data(usual.utf8))
  }

  /// The temporary files of a killed run are removed by the next run, even if the next run writes nothing.
  ///
  /// With `--check`, they are not removed.
  @Test func `leftovers of killed runs go`() throws {
    let folder = try site(usual)
    try folder.write(".packtool-1f", odd)
    #expect(runTool("fmt", folder.path, "--check").status == .done)
    #expect(try folder.files().count == 2)
    #expect(runTool("fmt", folder.path).status == .done)
    #expect(try folder.files().keys.sorted() == ["Manifest.json"])
  }

  @Test func `a read only manifest is refused`() throws {
    let folder = try site(odd)
    #expect(chmod(folder.path("Manifest.json"), 0o444) == 0)
    let run = runTool("fmt", folder.path)
    #expect(run.status == .machineFailed && run.errors.refuses(naming: folder.path("Manifest.json")))
    #expect(try folder.read("Manifest.json") == Data(odd.utf8))
  }

  @Test(.enabled(if: isWhole, "32 MB in the nightly run")) func `too long is an error`() throws {
    let folder = try site("[" + String(repeating: " ", count: JSONStyle.maxTextSize) + "]")
    let run = runTool("fmt", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.hasFacts("33,554,432 bytes 32 MiB"),
      "\(run.errors.suffix(300))")
  }

  /// All manifests of the repository, including the inputs with which the fuzzers begin.
  private static let files: [String] = {
    let folders = ["Examples", "Tests/Fuzzers/Corpora", "Tests/Fixtures"]
    return folders.flatMap { folder -> [String] in
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(packageFolder)/\(folder)")) ?? []
      return paths.filter { $0.hasSuffix(".json") || $0.hasSuffix(".jsonc") || folder.hasSuffix("Corpora") }
        .map { "\(packageFolder)/\(folder)/\($0)" }
    }.sorted()
  }()

  @Test func `what is read is the same afterwards`() throws {
    var read = 0
    for path in Self.files {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      let before = SourceText(path: "Manifest.jsonc", bytes: Array(data))
      guard JSONReader.read(before).diagnostics.isEmpty else { continue }
      read += 1
      let edited = EditedText(before, edits: try #require(JSONStyle.edits(of: before)))
      let after = SourceText(path: "Manifest.jsonc", bytes: edited.bytes)
      #expect(JSONStyle.edits(of: after) == [], "\(path)")
      let values = [before, after].map { JSONReader.read($0).value.map { JSONText.read($0).text } }
      #expect(values[0] != nil && values[0] == values[1], "\(path)")
      let findings = [before, after].map { ManifestReader(text: $0).diagnostics.map(\.message) }
      #expect(findings[0].sorted() == findings[1].sorted(), "\(path)")
    }
    #expect(read > 30)
  }

  /// The repository's own manifests have the style of `fmt`.
  @Test func `examples have it`() {
    let manifests = Self.files.filter { $0.contains("/Examples/") && $0.hasSuffix("Manifest.json") }
    #expect(manifests.count > 4)
    let run = runTool(words: ["fmt", "--check"] + manifests)
    #expect(run.status == .done, "\(run.errors)")
  }

  @Test func `init and import write it`() throws {
    let folder = try TemporaryFolder()
    for level in 1...9 { try folder.writeSparse("Levels/\(level)/map", size: 2_000_000) }
    for name in 0..<6 {
      try folder.writeSparse("\(String(repeating: "long", count: 8)) \(name)/a", size: 2_000_000)
    }
    #expect(runTool("init", folder.path).status == .done)
    #expect(runTool("fmt", "--check", folder.path).status == .done)
    let manifest = folder.path("Imported.json")
    #expect(
      runTool("import", "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj", "-o", manifest).status == .done)
    #expect(runTool("fmt", "--check", manifest).status == .done)
  }

  @Test func `files that packtool writes or plays are not formatted`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path(".", "T")], root: "A")
    try folder.write("A/x", "asset")
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    try folder.write("scenario.json", #"{"link":"LTE","steps":[{"install":true}]}"#)
    try folder.write("package.json", #"{"name":"game","version":"1.0"}"#)
    try folder.write("A.xcassets/Contents.json", #"{"info":{"author":"xcode","version":1}}"#)
    try folder.write("state.json", #"{"resources":[{"type":"bucket"}]}"#)
    try folder.write("list.json", "[ 1,2 ]")
    let lists = try folder.files(below: "out").keys.filter { $0.hasPrefix("contents.") }
    #expect(lists.count == 1)
    let others = ["package.json", "A.xcassets/Contents.json", "state.json", "list.json"]
    for path in ["out/index.json", "scenario.json"] + others + lists.map({ "out/\($0)" }) {
      let bytes = try folder.read(path)
      for flags in [[], ["--check"]] {
        let run = runTool(words: ["fmt", folder.path, folder.path(path)] + flags)
        #expect(run.status == .usage && run.errors.refuses(naming: folder.path(path)), "\(run.errors)")
      }
      #expect(try folder.read(path) == bytes)
    }
  }
}
