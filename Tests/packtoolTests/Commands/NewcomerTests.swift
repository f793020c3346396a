import Foundation
import Support
import Testing

@testable import packtool

/// Tests what people meet in their first minutes with a game of their own: arguments that name something
/// else, long lists, and the files that a build leaves.
@Suite struct NewcomerTests {
  private static let rules: [TestRule] = [.path("Castle", "Castle"), .path("Forest", "Forest")]

  private func game(_ members: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let members = ([#""container": "zip""#] + members).joined(separator: ", ")
    try folder.writeManifest(Self.rules, root: "Assets", members: members)
    for file in ["Castle/map", "Forest/map"] { try folder.write("Assets/\(file)", file) }
    return folder
  }

  @Test func `many untagged files are listed by folder`() throws {
    let folder = try game(#""untagged": "warn""#)
    for number in 10..<40 { try folder.write("Assets/Art/gui/\(number).png", "x") }
    for number in 10..<15 { try folder.write("Assets/Art/fonts/\(number).ttf", "x") }
    let errors = runTool("validate", folder.path).errors
    let lines = errors.split(separator: "\n").filter { $0.contains("Art/") }
    #expect(lines.count == 3, "\(errors)")
    #expect(errors.contains(" 30 files "), "\(errors)")
    // Programs get every file.
    let json = runTool("validate", folder.path, "--diagnostics", "json").errors
    #expect(json.components(separatedBy: "\"untagged-file\"").count > 35)
    #expect(runTool("validate", folder.path, "--verbose").errors.contains("Art/gui/39.png"))
  }

  @Test func `the top of a plan limits tags, too`() throws {
    let folder = try game()
    let output = runTool("plan", folder.path, "--top", "1").output
    #expect(output.contains("  and 1 more tag\n"), "\(output)")
    #expect(!output.contains("Forest"), "\(output)")
  }

  @Test func `a pack is explained by the name of its file`() throws {
    let folder = try game()
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(out)/packs")
    for name in names {
      for word in [name, "packs/\(name)"] {
        let run = runTool("explain", word, folder.path)
        #expect(run.status == .done && run.output.hasPrefix("pack {"), "\(run.errors)")
      }
    }
  }

  @Test(arguments: ["verify", "plan", "report"])
  func `a shard is not a whole build`(command: String) throws {
    let folder = try game()
    let (shard, page) = (folder.path("parts/1"), folder.path("report.html"))
    #expect(runTool("build", folder.path, "-o", shard, "--shard", "1/2").status == .done)
    for source in [shard, folder.path("nowhere")] {
      let run = runTool(words: [command, source] + (command == "report" ? ["-o", page] : []))
      #expect(run.status == .inputHasErrors)
      #expect(source != shard || run.errors.refuses(naming: "packtool merge"), "\(run.errors)")
      #expect(!run.output.contains("wrote"))
      #expect(!FileManager.default.fileExists(atPath: page))
    }
  }

  @Test func `names of a log are percent-encoded`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a b", "Level 1"), .path("c%20d", "C")], root: "Assets")
    for file in ["a b/ä.map", "c%20d"] { try folder.write("Assets/\(file)", file) }
    for (word, start) in [
      ("a%20b/%C3%A4.map", "a b/ä.map"), ("Level%201", "tag \"Level 1\""), ("c%20d", "c%20d"),
      ("a%20b", "a b"),
    ] {
      let run = runTool("explain", word, folder.path)
      #expect(run.status == .done && run.output.contains(start), "\(word): \(run.output)\(run.errors)")
    }
    #expect(runTool("explain", "a%20c/x", folder.path).errors.refuses())
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: "\(out)/packs").first { $0.contains(" ") })
    #expect(name.contains("Level 1"))
    let encoded = "\(out)/packs/\(name.replacing(" ", with: "%20"))"
    #expect(runTool("inspect", encoded).output.contains("a b/ä.map"))
    #expect(runTool("inspect", encoded + "x").errors.refuses(naming: encoded + "x"))
  }

  @Test func `a build into a folder without its flag suggests the flag`() throws {
    let folder = try game()
    let out = folder.path("out")
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    for name in [out, folder.path("empty"), folder.path("new")] {
      let run = runTool("build", name)
      let lines = run.errors.split(separator: "\n").filter { $0.contains("error:") }
      #expect(run.status == .usage && lines.count == 1, "\(run.errors)")
      #expect(run.errors.contains("\"-o \(name)\""), "\(run.errors)")
    }
    for words in [
      ["build", folder.path, "--threads", "3"], ["build", folder.path("new"), "--threads", "3"],
    ] {
      let lines = runTool(words: words).errors.split(separator: "\n").filter { $0.contains("error:") }
      #expect(lines.count == 1 && lines[0].contains("--jobs"), "\(lines)")
    }
  }

  @Test func `a truncated pack is one error with advice`() throws {
    let folder = try game()
    for container in ["zip", "tar.gz", "tar.zst"] {
      let members = "\"container\": \"\(container)\""
      try folder.writeManifest(Self.rules, root: "Assets", members: members)
      let out = folder.path("out")
      #expect(runTool("build", folder.path, "-o", out).status == .done)
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(out)/packs").sorted()
      let pack = try folder.read("out/packs/\(names[0])")
      try folder.write("cut.\(container)", pack.prefix(pack.count / 2))
      let run = runTool("inspect", folder.path("cut.\(container)"))
      #expect(run.status == .inputHasErrors)
      #expect(!run.output.contains("0 files"), "\(run.output)")
      let lines = run.errors.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains("truncated") && lines[0].contains("; copy"), "\(lines)")
      let json = runTool("inspect", folder.path("cut.\(container)"), "--format", "json")
      #expect(json.output.contains("\"damage\""))
    }
  }

  @Test func `a built folder reports equal files like its manifest`() throws {
    let folder = try game()
    let twin = Sample.noise(40_000, seed: 1)
    for level in ["Castle", "Forest"] { try folder.write("Assets/\(level)/twin", twin) }
    let (out, path) = (folder.path("out"), folder.path("report.html"))
    #expect(runTool("build", folder.path, "-o", out, "-q").status == .done)
    let messages = try [[folder.path], [folder.path, "--built", out], [out]].map { words in
      let found = ToolRun(["report"] + words + ["-o", path]).findings("duplicate-content")
      let page = String(decoding: try folder.read("report.html"), as: UTF8.self)
      #expect(page.contains("duplicate-content"))
      return found.map(\.message)
    }
    #expect(messages[0].count == 1 && messages[1] == messages[0] && messages[2] == messages[0])
  }

  @Test func `a page for the wrong device is a wrong command line`() throws {
    let folder = try game()
    let (out, page) = (folder.path("out"), folder.path("report.html"))
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    for words in [
      ["report", out, "-o", page, "--device", "iPhone17,1"], ["diff", out, out, "--device", "iPhone17,1"],
      ["plan", out, "--device", "iPhone17,1"], ["plan", out, "--pointers"],
      ["report", out, "-o", page, "--pointers"], ["verify", out, "--ledger", folder.path("no.json")],
    ] {
      #expect(runTool(words: words).status == .usage, "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: page))
  }

  /// The kernel's words alone would name neither the folder that refuses nor the remedy.
  @Test(.enabled(if: canBeNobody)) func `an output folder that cannot be made names its parent`() throws {
    let folder = try game()
    let parent = folder.path("closed")
    try FileManager.default.createDirectory(
      atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
    let run = try asNobody(in: folder) {
      runTool("build", folder.path, "-o", "\(parent)/out", "--jobs", "1")
    }
    #expect(run.status == .machineFailed)
    #expect(
      run.errors.hasFacts(#""\#(parent)/out" "\#(parent)""#) && run.errors.hasSuffix(" -o\n"), "\(run.errors)"
    )
    let odd = runTool("build", folder.path, "-o", "/proc/none/out")
    #expect(odd.errors.hasFacts(#""/proc/none" "/proc""#) && odd.errors.hasSuffix(" -o\n"), "\(odd.errors)")
  }

  @Test func `the root is named in place of its manifest`() throws {
    let folder = try game()
    let run = runTool("build", folder.path("Assets"), "-o", folder.path("out"))
    #expect(run.errors.reports("missing-manifest", naming: folder.path("Assets")), "\(run.errors)")
    let here = try Support.run(try packtoolProgram(), ["plan", "Assets"], in: folder.path)
    #expect(here.errors.reports("missing-manifest", naming: "Assets", "Manifest.json"), "\(here.errors)")
    #expect(!here.errors.contains("init"))
  }

  /// If no file has variants, all devices get the same bytes, so no device is named.
  @Test func `a size on all devices names no device`() throws {
    let folder = try game(#""limits": {"packSize": 5}"#, #""devices": "all""#)
    let errors = runTool("validate", folder.path).errors
    #expect(errors.findings.contains { $0.facts.contains("pack-size") }, "\(errors)")
    #expect(!errors.contains("device"), "\(errors)")
  }

  @Test func `a built folder is inspected in the order of its plan`() throws {
    let folder = try game(#""prefetchTagOrder": ["Forest"]"#)
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    let lines = runTool("inspect", out).output.split(separator: "\n").dropFirst()
    #expect(lines.map { $0.split(separator: " ").first } == ["Forest", "Castle"])
  }

  @Test func `git ignores the build cache and nothing else`() throws {
    let folder = try game()
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    #expect(try folder.read("out/.packtool/.gitignore") == Data("*\n".utf8))
    #expect(!FileManager.default.fileExists(atPath: "\(out)/.gitignore"))
    #expect(runTool("verify", out).errors.findings.isEmpty)
    // A build that writes nothing leaves nothing.
    try folder.write("Assets/Castle/map", "changed")
    try folder.writeManifest([.path("nowhere", "A")])
    #expect(runTool("build", folder.path, "-o", folder.path("other")).status == .inputHasErrors)
    #expect(!FileManager.default.fileExists(atPath: folder.path("other")))
  }

  @Test(arguments: ["Assets/out", "Assets/Castle/deep/out"])
  func `an output inside the assets is a warning`(output: String) throws {
    let folder = try game()
    for _ in 1...2 {
      let run = runTool("build", folder.path, "-o", folder.path(output))
      #expect(run.status == .done)
      #expect(run.errors.reports("output-in-root", at: folder.path(output)), "\(run.errors)")
    }
    let outside = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(!outside.errors.reports("output-in-root"))
    // If the manifest is in its root, the root is the folder of the project.
    try folder.writeManifest([.path("Assets/Castle", "Castle")])
    let next = runTool("build", folder.path, "-o", folder.path("out2"))
    #expect(!next.errors.reports("output-in-root"))
  }
}
