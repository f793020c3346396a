import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests how make and ninja read the output of `--depfile`, with any names of files and folders.
@Suite struct DepfileTests {
  private func project(_ files: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A")], root: "Assets")
    for file in ["a/1"] + files { try folder.write("Assets/\(file)", "content") }
    return folder
  }

  private func build(_ folder: TemporaryFolder, _ flags: String...) throws -> ProgramResult {
    try run(
      try packtoolProgram(), ["build", "-o", "out", "--depfile", "out.d", "-q"] + flags, in: folder.path)
  }

  @Test(.enabled(if: isInstalled("make"))) func `a folders name runs no program`() throws {
    let folder = try project("a/x:", "z=\nSHELL=Assets/a/x/y", "z=/y")
    try folder.write("Assets/a/x:", "#!/bin/sh\nid > PWNED\n")
    try run("chmod", ["+x", "Assets/a/x:"], in: folder.path)
    try folder.write(
      "Makefile", "out/index.json:\n\t\(try packtoolProgram()) build -o out --depfile out.d\n-include out.d\n"
    )
    #expect(try build(folder).status == 0)
    try folder.write("Manifest.json", try folder.read("Manifest.json") + Data("\n".utf8))
    #expect(try run("make", ["-s"], in: folder.path).status == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("PWNED")))
  }

  private static let unsayable = [
    "a\nb", "a\rb", "a\tb", "a\u{1b}b", "a\u{7f}", "a\u{85}b", "a=b", "a%b", "a;b", "a|b", "a&b", "a*b",
    "a?b", "a<b",
    "a>b", "a^b", "a`b", "a'b", "a\"b", "a\\#b", "a\\:b", "a\\$b", "[a]\\", "[!a]b", "[a-c]",
  ]

  @Test(arguments: sample(5, of: unsayable))
  func `a name that a depfile cannot contain is left out and reported`(name: String)
    throws
  {
    // Folders without tags are scanned as well. The file in the folder shows that the contents of such a
    // folder are in the depfile.
    let folder = try project("\(name)/x/y", "later")
    let result = try build(folder)
    #expect(result.status == 0)
    #expect(result.errors.reports("unsayable-name"))
    let depfile = String(decoding: try folder.read("out.d"), as: UTF8.self)
    let names = depfile.split(separator: "\n").filter { $0.hasSuffix(":") }
    let expected = ["Assets/a", "Assets/a/1", "Assets", "Manifest.json"].map { "\($0):" }
    #expect(Set(names.map(String.init)).isSuperset(of: expected))
    #expect(!depfile.contains("x/y"))
    if isInstalled("make") { try expectQuietMake(in: folder) }
    let strict = try build(folder, "--strict", "--no-cache")
    #expect(strict.status == 1)
    #expect(strict.errors.contains("error: "))
    let unasked = try run(try packtoolProgram(), ["validate", "--strict"], in: folder.path)
    #expect(unasked.status == 0)
  }

  @Test(arguments: ["a'b", "a=b", "a)", "a:", "a "]) func `a tagged file is reported too`(name: String) throws
  {
    let folder = try project("a/\(name)")
    let result = try build(folder)
    #expect(result.status == 0)
    let lines = result.errors.split(separator: "\n").filter { $0.reports("unsayable-name") }
    #expect(
      lines.count == 1 && lines[0].hasPrefix("Assets/a/\(name): warning: \"Assets/a/"), "\(result.errors)")
  }

  @Test func `files below a name that a depfile cannot contain are reported once`() throws {
    let folder = try project("a=b/1/x", "a=b/2/y", "a=b/3=/z")
    #expect(try build(folder).errors.split(separator: "\n").count { $0.reports("unsayable-name") } == 1)
  }

  @Test func `a target without a form makes an empty depfile`() throws {
    let folder = try project()
    let result = try run(
      try packtoolProgram(), ["build", "-o", "o=1/packs", "--depfile", "out.d", "-q"], in: folder.path)
    #expect(result.status == 0)
    #expect(result.errors.reports("unsayable-name", at: "o=1", naming: "\"o=1\"", "\"=\""))
    #expect(try folder.read("out.d").isEmpty)
  }

  /// Expects that make reads the depfile and finds that the target is up to date.
  private func expectQuietMake(in folder: TemporaryFolder) throws {
    try folder.write("Makefile", "out/index.json:\n\techo built\n-include out.d\n")
    try run("touch", ["out/index.json"], in: folder.path)
    let result = try run("make", [], in: folder.path)
    #expect(result.errors.isEmpty && result.output.contains("up to date"), "\(result.errors)\(result.output)")
  }

  @Test(.enabled(if: isInstalled("ninja"), "ninja is not installed"))
  func `ninja starts packtool only after a change`() throws {
    let names = [
      "with space", "#hash", "$dollar", "co:lon", "(1) x", "back\\slash", "[2]", "é", "+,@!~{}", "old (2)",
    ]
    let folder = try project()
    for name in names { try folder.write("Assets/a/\(name)/file", "content") }
    for name in names.dropLast() where !name.contains("\\") { try folder.write("Assets/a/\(name).png", name) }
    try folder.write(
      "build.ninja",
      """
      rule pack
        command = \(try packtoolProgram()) build -q -o out --depfile out.d && touch out/index.json
        depfile = out.d
      build out/index.json: pack
      """ + "\n")
    func ninja() throws -> String { try run("ninja", [], in: folder.path).output }
    // A backslash in the path of a packed file is an error. In other paths, a backslash is a normal
    // character.
    try FileManager.default.moveItem(
      atPath: folder.path("Assets/a/back\\slash"), toPath: folder.path("Assets/back\\slash"))
    #expect(try ninja().contains("[1/1]"))
    #expect(try ninja().contains("no work to do"))
    for name in names.dropLast() where !name.contains("\\") {
      Thread.sleep(forTimeInterval: 0.02)
      try folder.write("Assets/a/\(name).png", "changed")
      #expect(try ninja().contains("[1/1]"), "\(name)")
      #expect(try ninja().contains("no work to do"), "\(name)")
    }
    Thread.sleep(forTimeInterval: 0.02)
    try folder.write("Assets/back\\slash/new", "")
    #expect(try ninja().contains("[1/1]"))
  }

  @Test(
    .enabled(if: isInstalled("make")),
    arguments: sample(
      5,
      of: ["a b", "a#b", "a$b", "a:b", "a[b]", "a[b", "~a", "a (1).png", "a(b", "a!", "@a", "a,b", "a{b}"]))
  func `make reads names of every kind`(name: String) throws {
    let folder = try project("a/\(name)")
    try expectOneBuild(in: folder)
    Thread.sleep(forTimeInterval: 0.02)
    try folder.write("Assets/a/\(name)", "changed")
    try expectOneBuild(in: folder)
    try folder.write("Assets/a/other", "")
    try FileManager.default.removeItem(atPath: folder.path("Assets/a/\(name)"))
    #expect(try make(in: folder).contains("wrote out"))
  }

  /// Folders without tags are scanned as well, so they are in the depfile.
  @Test(
    .enabled(if: isInstalled("make")), arguments: ["a\\", "a\\b", "a\\ b", "a (1)", "a:", "a ", "a\\\\b"])
  func `make reads backslashes`(name: String) throws {
    let folder = try project("\(name)/x")
    try expectOneBuild(in: folder)
    Thread.sleep(forTimeInterval: 0.02)
    try folder.write("Assets/\(name)/y", "new")
    try expectOneBuild(in: folder)
  }

  /// Expects that make starts packtool now, and does not start it again afterwards.
  private func expectOneBuild(
    in folder: TemporaryFolder, at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try make(in: folder).contains("wrote out"), sourceLocation: location)
    #expect(try make(in: folder).contains("up to date"), sourceLocation: location)
  }

  /// Runs make, and returns its output.
  ///
  /// make starts packtool if the dependencies have changed.
  private func make(in folder: TemporaryFolder) throws -> String {
    try folder.write(
      "Makefile", "out/index.json:\n\t$(PACKTOOL) build -o out --depfile out.d\n\t@touch $@\n-include out.d\n"
    )
    let result = try run("make", ["PACKTOOL=\(try packtoolProgram()) "], in: folder.path)
    return result.errors.contains("make:") ? result.errors : result.output
  }

  @Test(.enabled(if: isInstalled("make"))) func `make starts packtool only after a change`() throws {
    let folder = try project("a/with space.json", "a/$dollar#hash.json")
    try folder.write(
      "Makefile",
      """
      out/index.json: Manifest.json
      \t$(PACKTOOL) build -o out --depfile out.d
      \t@touch $@
      -include out.d
      """)
    let make = ["PACKTOOL=\(try packtoolProgram()) "]
    #expect(try run("make", make, in: folder.path).status == 0)
    #expect(try run("make", make, in: folder.path).output.contains("up to date"))
    Thread.sleep(forTimeInterval: 0.02)
    try folder.write("Assets/a/with space.json", "changed")
    #expect(try run("make", make, in: folder.path).output.contains("wrote out"))
    #expect(try run("make", make, in: folder.path).output.contains("up to date"))
    try FileManager.default.removeItem(atPath: folder.path("Assets/a/$dollar#hash.json"))
    #expect(try run("make", make, in: folder.path).output.contains("wrote out"))
  }
}
