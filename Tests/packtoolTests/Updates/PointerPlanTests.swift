import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Compares the output of commands for pointers with the output of the same commands for the files.
@Suite struct PointerPlanTests {
  /// Makes a folder `data` with files, and a folder `pointers` with a pointer for each file.
  private func folder(_ kind: PointerKind) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["data", "pointers"] {
      try folder.writeManifest(
        [.path("a", "A"), .path("b", "B"), .path("both", "A", "B")], to: "\(name)/Manifest.json",
        root: "Assets", members: #""initialInstallTags": ["A"]"#,
        #""budgets": { "growth": "5 %", "packs": { "B": 1000 } }"#)
      for (path, content) in Self.contents { try folder.write("\(name)/Assets/\(path)", content) }
    }
    try kind.replaceFiles(below: "pointers/Assets", in: folder)
    return folder
  }

  private static let contents: [(String, Data)] = [
    ("a/1.txt", Sample.text(1000)), ("a/2.png", Sample.noise(30_000)), ("a/empty", Data()),
    ("b/large.bin", Sample.text(5_000_000)), ("b/same.png", Sample.noise(30_000)),
    ("both/x.tar.gz", Sample.noise(700)), ("untagged.txt", Sample.text(500)),
  ]

  private func output(_ words: [String], in name: String, of folder: TemporaryFolder) throws -> String {
    let run = runTool(words: words.map { $0.replacing("DIR", with: folder.path(name)) })
    // The positions of line breaks depend on the length of the folder's path.
    let texts = [run.output, run.errors].map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing(
        folder.path(name), with: "DIR")
    }
    return texts.joined(separator: "\n--\n")
  }

  @Test(
    arguments: PointerKind.allCases,
    [
      ["plan", "DIR"], ["plan", "DIR", "--format", "json"], ["validate", "DIR", "--submission"],
      ["explain", "a/2.png", "DIR"], ["explain", "B", "DIR", "--format", "json"], ["explain", "both", "DIR"],
    ]) func `commands say the same as of the files`(kind: PointerKind, words: [String]) throws
  {
    let folder = try folder(kind)
    let expected = try output(words, in: "data", of: folder)
    #expect(expected.contains("A"), "\(expected)")
    #expect(try output(words + ["--pointers"], in: "pointers", of: folder) == expected)
    #expect(try output(words, in: "pointers", of: folder) != expected, "the flag makes the difference")
  }

  @Test(arguments: PointerKind.allCases) func `updates cost the same as of the files`(kind: PointerKind)
    throws
  {
    let folder = try folder(kind)
    let built = runTool(
      "build", folder.path("data"), "-o", folder.path("out"), "--severity", "pack-budget=note")
    #expect(built.status == .done, "\(built.errors)")
    let same = runTool(
      "diff", folder.path("out"), folder.path("pointers"), "--pointers", "--severity", "pack-budget=note")
    #expect(same.status == .done, "\(same.errors)")
    let rows = same.output.split(separator: "\n").map { $0.split(separator: " ").prefix(2) }
    for row in [["unchanged", "3"], ["changed", "0"], ["added", "0"], ["removed", "0"]] {
      #expect(rows.contains { $0.elementsEqual(row) { $0 == $1 } }, "\(same.output)")
    }

    try folder.write("data/Assets/a/1.txt", Sample.text(999))
    try folder.write("data/Assets/both/new", Sample.noise(99_000, seed: 9))
    for path in ["a/1.txt", "both/new"] {
      try kind.replace("pointers/Assets/\(path)", folder.read("data/Assets/\(path)"), in: folder)
    }
    for command in [
      ["diff", folder.path("out"), "DIR"], ["validate", "DIR", "--baseline", folder.path("out")],
    ] {
      let expected = try output(command, in: "data", of: folder)
      #expect(try output(command + ["--pointers"], in: "pointers", of: folder) == expected)
    }
  }

  /// One run reports all mistakes.
  ///
  /// So if a build is refused, even the packs that it would have written are inspected.
  @Test(arguments: PointerKind.allCases) func `a build without contents still reports other contents`(
    kind: PointerKind
  ) throws {
    let folder = try folder(kind)
    try folder.write("pointers/Assets/b/tool", Data("\u{7F}ELF\u{2}\u{1}\u{1}".utf8) + Data(count: 57))
    let run = runTool(
      "build", folder.path("pointers"), "-o", folder.path("out"), "--pointers", "--severity",
      "pack-budget=note")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("missing-content"), "\(run.errors)")
    #expect(run.errors.reports("executable-content", naming: "b/tool"), "\(run.errors)")
  }
}
