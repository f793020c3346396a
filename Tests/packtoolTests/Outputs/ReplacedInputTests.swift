import Model
import Pipeline
import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests that no output replaces a manifest, a scenario, an index or a project, regardless of the flag that
/// contains the path.
@Suite struct ReplacedInputTests {
  /// A file of each kind.
  ///
  /// The names of the files do not show the kind.
  private static let samples: [(kind: RecognizedFileKind, text: String)] = [
    (.manifest, #"{"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["A"]}]}"#),
    (.manifest, "// a comment\n{\"bundleIdentifier\": \"a.b\", \"resources\": [,]}"),
    (.manifest, #"{"assetPackID": "a", "fileSelectors": []}"#),
    (.scenario, #"{"link": "3G", "steps": [{"install": true}]}"#),
    (.index, #"{"formatVersion": 1, "packs": [], "tags": {}}"#),
    (.contents, #"{"formatVersion": 1, "files": []}"#),
    (.project, "// !$*UTF8*$!\n{ archiveVersion = 1; objects = {}; }\n"),
    (.project, #"{"archiveVersion": "1", "objects": {}, "rootObject": "A"}"#),
  ]

  /// A text about a manifest is not a manifest.
  @Test(arguments: [
    "the keys \"resources\" and \"bundleIdentifier\" {", "[\"resources\", \"bundleIdentifier\"", "",
  ]) func `a file that only mentions keys is replaced`(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("sample", text)
    #expect(try RecognizedFileKind(at: folder.path("sample")) == nil)
    for (kind, text) in Self.samples {
      try folder.write("sample", text)
      #expect(try RecognizedFileKind(at: folder.path("sample")) == kind)
    }
  }

  @Test func `every flag that names an output leaves them alone`() throws {
    #expect(Set(Self.samples.map(\.kind)) == Set(RecognizedFileKind.allCases))
    let folder = try CommandLines.checkout()
    let others = ["repo/Manifest.json", "repo/s.json", "repo/built/index.json"]
    var tried: Set<String> = []
    for command in CommandGroup.all.commands {
      for flag in command.description.flags {
        let value: String
        switch flag.kind {
        case .file(.output, _), .file(.lockfile, _), .file(.manifest, _): value = "repo/sample"
        case .form(let forms): value = "\(forms[0])=repo/sample"
        case .file(.input, _), .text, .folder, .path, .choice, .number, .named, .setting: continue
        }
        if CommandLines.arguments[command.name] == nil { continue }
        tried.insert(flag.name)
        let line = try CommandLines.line(of: command, flag, naming: value)
        let isManifest = flag.kind == .file(.manifest)
        for (kind, text) in Self.samples where !(isManifest && kind == .manifest) {
          try folder.write("repo/sample", text)
          let run = runTool(words: CommandLines.words(line, in: folder))
          #expect(run.status == .usage, "\(line): \(run.errors)")
          #expect(run.errors.refuses(naming: folder.path("repo/sample")), "\(line): \(run.errors)")
          #expect(try folder.read("repo/sample") == Data(text.utf8), "\(line)")
        }
        for other in others {
          let before = try folder.read(other)
          let words = CommandLines.words(line.map { $0.replacing("repo/sample", with: other) }, in: folder)
          if isManifest && other == "repo/Manifest.json" { continue }
          #expect(runTool(words: words).status == .usage, "\(words)")
          #expect(try folder.read(other) == before)
        }
      }
    }
    #expect(
      tried.isSuperset(of: [
        "--depfile", "--result", "--missing", "--diagnostics", "--id-map", "--set layout.ledger",
        "--output", "--swift", "--log",
      ]), "\(tried)")
  }

  @Test func `a file that becomes a manifest during the run is kept`() throws {
    let folder = try TemporaryFolder()
    for (kind, text) in Self.samples {
      try folder.write("sample", text)
      var bytes = ByteBuffer()
      bytes.append("report")
      #expect(throws: ReplacedInput.self) {
        try OutputFiles.write(bytes, to: folder.path("sample"), as: .product)
      }
      #expect(try folder.read("sample") == Data(text.utf8), "\(kind)")
    }
  }

  @Test func `what it wrote itself is replaced`() throws {
    let folder = try CommandLines.checkout()
    let words = CommandLines.words(
      [
        "build", "repo", "-o", "repo/out", "-q", "--depfile", "repo/d.d",
        "--result",
        "repo/r.json", "--diagnostics", "sarif=repo/f.sarif", "--diagnostics", "json=repo/f.json",
      ], in: folder)
    for _ in 0..<2 {
      let run = runTool(words: words)
      #expect(run.status == .done, "\(run.errors)")
    }
  }

  /// Even commands that do not read a manifest must recognize that an output would be among assets.
  @Test(arguments: [
    ["verify", "repo/built"], ["diff", "repo/built", "repo/built"], ["inspect", "repo/built"],
    ["plan", "repo/built"], ["merge", "repo/shard", "-o", "repo/out"],
    ["fmt", "--check", "repo/Manifest.json"],
  ])
  func `no output replaces an asset or a file that is no text`(words: [String]) throws {
    let folder = try CommandLines.checkout()
    for (path, bytes) in [("repo/A/a", Data("a".utf8)), ("repo/binary", Data([0x50, 0x4b, 3, 4, 0, 0]))] {
      try folder.write(path, bytes)
      let run = runTool(words: CommandLines.words(words + ["--findings", path], in: folder))
      #expect(run.status == .usage, "\(run.errors)")
      #expect(run.errors.refuses(naming: "--findings", folder.path(path)), "\(run.errors)")
      #expect(try folder.read(path) == bytes)
    }
    try folder.write("repo/notes.txt", "other text")
    let run = runTool(words: CommandLines.words(words + ["--findings", "repo/notes.txt"], in: folder))
    #expect(run.status != .usage, "\(run.errors)")
  }
}
