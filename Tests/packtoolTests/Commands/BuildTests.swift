import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `packtool build` as a script uses it.
@Suite struct BuildTests {
  private static let manifest = """
    {
      "bundleIdentifier": "com.example.test",
      "root": "Assets",
      "resources": [
        { "path": "a", "tags": ["A"] },
        { "glob": "b/*.txt", "tags": ["B"], "destination": "texts" },
        { "path": "shared", "tags": ["A", "B"] }
      ],
      "initialInstallTags": ["A"]
    }
    """

  /// Makes a small project: two levels, a shared file, a compressible file, an incompressible file, and a
  /// file with a deep path.
  private func project(
    _ files: [String] = ["a/1.json", "a/2/deep.json", "b/x.txt", "b/y.txt", "shared/é.png"]
  ) throws
    -> TemporaryFolder
  {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest)
    for name in files {
      let byte = UInt8(truncatingIfNeeded: name.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
      var data = Data(repeating: byte, count: 20_000)
      if name.hasSuffix(".png") {
        for index in data.indices { data[index] = UInt8((index * index / 7) & 255) }
      }
      try folder.write("Assets/\(name)", data)
    }
    return folder
  }

  /// Returns the files of a build without the build cache.
  private func published(_ folder: TemporaryFolder, _ output: String) throws -> [String: Data] {
    try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  @Test(arguments: Container.allCases)
  func `bytes depend on nothing but the input`(container: Container) throws {
    let first = try project()
    let second = try project(["shared/é.png", "b/y.txt", "b/x.txt", "a/2/deep.json", "a/1.json"])
    let manifest = Self.manifest.replacingOccurrences(
      of: "\"root\"", with: "\"container\": \"\(container.rawValue)\", \"root\"")
    for folder in [first, second] { try folder.write("Manifest.json", manifest) }
    try run("touch", ["-d", "2001-02-03", second.path("Assets/a/1.json")])
    let program = try packtoolProgram()
    let one = try run(
      program, ["build", "-o", "out", "--jobs", "1"], in: first.path,
      environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C"])
    let other = try run(
      program, ["build", second.path, "-o", second.path("out"), "--jobs", "7"], in: "/",
      environment: ["TZ": "America/New_York", "LC_ALL": "C.UTF-8"])
    #expect(one.status == 0 && other.status == 0)
    let files = try published(first, "out")
    #expect(files.count == (container == .folder ? 7 : 5))
    #expect(try published(second, "out") == files)
  }

  @Test func `nothing is written where there are errors`() throws {
    let folder = try project()
    try folder.write("Assets/a/program", Data([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]))
    let failed = runTool("build", folder.path, "-o", folder.path("out/deep"))
    #expect(failed.status == .inputHasErrors)
    #expect(failed.errors.reports("executable-content", naming: "a/program"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func `an error leaves the old build as it was`() throws {
    let folder = try project()
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let before = try folder.files(below: "out")
    try folder.write("Manifest.json", Self.manifest.replacingOccurrences(of: "[\"A\"]\n", with: "[\"C\"]\n"))
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .inputHasErrors)
    #expect(try folder.files(below: "out") == before)
  }

  @Test func `the same input is not written again`() throws {
    let folder = try project()
    // Give the files old times. A build reads new files again, because the times in a file system are not
    // exact.
    for file in try folder.files(below: "Assets").keys {
      try run("touch", ["-d", "2020-01-01 00:00:00.5", folder.path("Assets/\(file)")])
    }
    Thread.sleep(forTimeInterval: 0.05)
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let before = try run("find", ["out", "-printf", "%p %i %T@ %C@\\n"], in: folder.path).output
    let again = runTool("build", folder.path, "-o", folder.path("out"), "--explain")
    #expect(again.errors.contains("kept 3 packs: nothing changed"))
    let each = runTool("build", folder.path, "-o", folder.path("out"), "--explain", "--verbose")
    #expect(each.errors.contains("kept {\"A\"}: nothing changed\nkept {\"A\", \"B\"}: nothing changed"))
    #expect(try run("find", ["out", "-printf", "%p %i %T@ %C@\\n"], in: folder.path).output == before)
  }

  @Test func `what may have changed in the same tick is compared by its contents`() throws {
    let folder = try project()
    for file in try folder.files(below: "Assets").keys {
      try run("touch", ["-d", "2020-01-01 00:00:00.5", folder.path("Assets/\(file)")])
    }
    Thread.sleep(forTimeInterval: 0.05)
    // A file with a time in the future counts as newer than every build.
    try run("touch", ["-d", "2100-01-01 00:00:00.5", folder.path("Assets/a/1.json")])
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let again = runTool("build", folder.path, "-o", folder.path("out"), "--explain")
    #expect(again.errors.contains("kept 3 packs: 1 of them with the same contents, other times"))
    let each = runTool("build", folder.path, "-o", folder.path("out"), "--verbose")
    #expect(each.errors.contains("kept {\"A\"}: same contents, other times\n"))
    #expect(each.errors.contains("kept {\"A\", \"B\"}: nothing changed\n"))
  }

  @Test(arguments: sample(2, of: ["store", "fast", "default", "best"]))
  func `a changed pack is what a fresh build would make`(compression: String) throws {
    let folder = try project()
    // The file is larger than a block, because the test must cover copies in several blocks.
    try folder.write("Assets/a/large.bin", Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 5000) }))
    for file in try folder.files(below: "Assets").keys {
      try run("touch", ["-d", "2020-01-01 00:00:00.5", folder.path("Assets/\(file)")])
    }
    Thread.sleep(forTimeInterval: 0.05)
    let flags = ["--compression", compression]
    let program = try packtoolProgram()
    try run(program, ["build", "-o", "out"] + flags, in: folder.path)
    try folder.write("Assets/a/1.json", "{\"changed\": true}")
    let second = try run(program, ["build", "-o", "out", "--explain"] + flags, in: folder.path)
    #expect(
      second.errors.contains("wrote {\"A\"}: \"a/1.json\" changed\nkept 2 packs: nothing changed"))
    try run(program, ["build", "-o", "fresh", "--no-cache"] + flags, in: folder.path)
    #expect(try published(folder, "out") == published(folder, "fresh"))
  }

  @Test func `a damaged record is only slow`() throws {
    let folder = try project()
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let before = try published(folder, "out")
    var record = try folder.read("out/.packtool/record")
    for index in stride(from: 0, to: record.count, by: 97) { record[index] ^= 0x55 }
    for length in [0, 3, record.count / 2, record.count] {
      try folder.write("out/.packtool/record", record.prefix(length))
      #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
      #expect(try published(folder, "out") == before)
    }
  }

  @Test func `old packs go unless they are kept`() throws {
    let folder = try project()
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let first = Set(try published(folder, "out").keys)
    try folder.write("Assets/a/1.json", "changed")
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "--keep-old").status == .done)
    #expect(Set(try published(folder, "out").keys).isSuperset(of: first))
    try folder.write("out/packs/notes.txt", "not packtool's")
    try folder.write("Assets/a/1.json", "changed again")
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let last = try published(folder, "out").keys
    #expect(last.count == 6 && last.contains("packs/notes.txt"))
  }

  @Test(arguments: Container.allCases)
  func `a damaged pack is made again`(container: Container) throws {
    let folder = try project()
    try folder.write(
      "Manifest.json",
      Self.manifest.replacingOccurrences(
        of: "\"root\"", with: "\"container\": \"\(container.rawValue)\", \"root\""))
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let before = try published(folder, "out")
    let name = try #require(before.keys.filter { $0.hasPrefix("packs/") }.sorted().first)
    try folder.write("out/\(name)", try folder.read("out/\(name)") + Data([0]))
    if container == .folder { try folder.write("out/\(name).extra", "not in the index") }
    let again = runTool("build", folder.path, "-o", folder.path("out"), "--explain")
    #expect(again.errors.contains("the archive is missing or was changed"))
    #expect(try published(folder, "out") == before)
  }

  @Test func `packs of another app are not replaced`() throws {
    let folder = try project()
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let before = try published(folder, "out")
    try folder.write(
      "Manifest.json", Self.manifest.replacingOccurrences(of: "example.test", with: "example.other"))
    let run = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("foreign-output"))
    #expect(try published(folder, "out") == before)
  }

  @Test func `removed packs are counted`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.write("Assets/\(name)", name) }
    func build(_ tags: String...) throws -> String {
      let rules = tags.map { "{\"path\": \"\($0)\", \"tags\": [\"\($0)\"]}" }.joined(separator: ",")
      try folder.writeManifest(rules: rules, app: "com.example.test", root: "Assets")
      return runTool("build", folder.path, "-o", folder.path("out")).output
    }
    #expect(try !build("a", "b").contains("removed"))
    #expect(try build("a").contains("removed 1 pack that the new index does not list\n"))
  }

  @Test(arguments: ["validate", "plan", "build", "report"]) func `pointers are one error of each command`(
    command: String
  ) throws {
    let folder = try TemporaryFolder()
    let pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 12\n"
    for name in ["a", "b", "c"] { try folder.write("Assets/\(name)", pointer) }
    try folder.writeManifest([.glob("*", "A")], root: "Assets")
    let output = ["build", "report"].contains(command) ? ["-o", folder.path("out")] : []
    let run = runTool(words: [command, folder.path] + output)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.split(separator: "\n").count { $0.reports("lfs-pointer") } == 1, "\(run.errors)")
    #expect(run.errors.reports("lfs-pointer", naming: "3"), "\(run.errors)")
  }

  @Test func `the manifest and staged copies are no assets`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.json", ".packtool-0123456789abcdef"] { try folder.write(name, "{}") }
    try folder.writeManifest([.glob("**", "A")])
    #expect(runTool("plan", folder.path, "--format", "json").output.contains("\"fileCount\": 1,"))
  }

  @Test(arguments: [
    ("https://x.y/packs", #""/""#), ("x.y/", ""),
    ("http://cdn.example.com/", #""https://""#), ("http://192.168.1.2/", nil),
    ("http://localhost:8080/", nil), ("https://x.y/?f=", nil),
  ])
  func `doubtful prefixes are reported`(prefix: String, facts: String?) throws {
    let folder = try project()
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), "--layout", "hosted", "--url-prefix", prefix)
    #expect(run.status == (facts == "" ? .inputHasErrors : .done))
    #expect(run.errors.reports("doubtful-url-prefix") == (facts != nil), "\(run.errors)")
    if let facts {
      #expect(run.errors.hasFacts("[doubtful-url-prefix] \(facts)") && run.errors.contains("\"\(prefix)com."))
    }
  }

  @Test func `a prefix of another scheme is refused`() throws {
    let folder = try project()
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), "--layout", "hosted", "--url-prefix", "ftp://x.y/")
    #expect(run.status == .usage)
    #expect(
      run.errors.refuses(naming: "ftp://x.y/", "ftp:", "https://"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func `a file in place of the output folder is named`() throws {
    let folder = try project()
    try folder.write("out", "a file")
    let run = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("foreign-output"))
  }

  /// Files that a build wrote are never packed again, in any layout.
  @Test(arguments: ["packtool", "xcode", "hosted"])
  func `an older output below the root is passed over`(layout: String) throws {
    let folder = try project(["a/1.json", "b/x.txt", "shared/é.png"])
    let before = runTool("plan", folder.path, "--format", "json").output
    let prefix = ["--url-prefix", "https://example.com/"]
    let words = ["build", folder.path, "-o", folder.path("Assets/a/old"), "--layout", layout]
    let build = runTool(words: words + (layout == "hosted" ? prefix : []))
    #expect(build.status == .done, "\(build.errors)")
    #expect(runTool("plan", folder.path, "--format", "json").output == before)
  }

  /// A finding that protects files of other programs stays an error, even if a flag or the manifest sets
  /// another severity.
  @Test(arguments: ["warning", "note", "ignore"])
  func `no severity lets a build replace another programs index`(level: String) throws {
    let folder = try project()
    try folder.write("out/index.json", "{\"name\": \"a web site\"}")
    let flag = runTool(
      "build", folder.path, "-o", folder.path("out"), "--severity", "foreign-output=\(level)")
    #expect(flag.status == .usage)
    #expect(
      flag.errors.refuses(naming: "foreign-output"))
    let manifest = String(decoding: try folder.read("Manifest.json"), as: UTF8.self)
    for id in ["foreign-output", "output-is-root", "unsafe-output"] {
      try folder.write(
        "Manifest.json",
        manifest.replacing("{", with: "{\"severity\": {\"\(id)\": \"\(level)\"},", maxReplacements: 1))
      let run = runTool("build", folder.path, "-o", folder.path("out"))
      #expect(run.status == .inputHasErrors)
      #expect(run.errors.reports("foreign-output"))
      #expect(
        run.errors.reports("invalid-value", naming: id))
    }
    #expect(try folder.read("out/index.json") == Data("{\"name\": \"a web site\"}".utf8))
  }

  @Test(arguments: ["about.html", "packs/wolves.json", "packs"])
  func `another programs index is not touched`(other: String) throws {
    let folder = try project()
    try folder.write("out/index.json", "{\"name\": \"a web site\"}")
    try folder.write("out/\(other)", "mine")
    let before = try folder.files(below: "out")
    let run = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("foreign-output"))
    #expect(try folder.files(below: "out") == before)
  }

  @Test func `a build whose index is damaged is built anew`() throws {
    let folder = try project()
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let before = try published(folder, "out")
    for marks in [[".packtool"], []] {
      for mark in marks { try FileManager.default.removeItem(atPath: folder.path("out/\(mark)")) }
      try folder.write("out/index.json", "{")
      #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
      #expect(try published(folder, "out") == before)
    }
  }

  @Test(arguments: [
    ("86400", packtool.ExitStatus.done), ("", .done), ("yesterday", .usage), ("-1", .usage),
    ("99999999999999999999", .usage), ("253402300800", .usage),
  ])
  func `entry times come from the environment`(value: String, status: packtool.ExitStatus) throws {
    let folder = try project()
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), environment: ["SOURCE_DATE_EPOCH": value])
    #expect(run.status == status)
    if status == .usage {
      #expect(run.errors.refuses(naming: "1970", "0", "253402300799"))
    }
  }

  @Test(arguments: ["json", "sarif", "junit"])
  func `a document stands alone on standard error`(format: String) throws {
    let folder = try project()
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), "--diagnostics", format, "--verbose", "--explain",
      "--timings")
    #expect(run.status == .done)
    #expect(run.errors == runTool("validate", folder.path, "--diagnostics", format).errors)
  }
}
