import Foundation
import Support
import System
import Testing

@testable import packtool

/// Compares signed builds with minisign itself, and kills builds at every call that changes a file.
@Suite struct SignedFaultTests {
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A"), .path("b", "B")], root: "Assets")
    for name in ["a", "b"] { try folder.write("Assets/\(name)/1", "the file \(name)") }
    return folder
  }

  private func build(_ folder: TemporaryFolder, _ flags: String...) {
    let words = ["build", folder.path, "-o", folder.path("out"), "--sign", folder.path("secret.key")] + flags
    let run = runTool(words: words)
    #expect(run.status == .done, "\(run.errors)")
  }

  /// Returns a signed build whose files are older than its build cache, and the command to build it again in
  /// another process.
  private func signedBuild() throws -> (
    shim: FaultShim, program: String, folder: TemporaryFolder, arguments: [String]
  ) {
    let folder = try project()
    try folder.write("secret.key", Self.secretKey)
    build(folder)
    usleep(60_000)
    let arguments = ["build", "-o", "out", "-j", "1", "--sign", folder.path("secret.key")]
    return (try #require(FaultShim.shared), try packtoolProgram(), folder, arguments)
  }

  private func isSigned(_ folder: TemporaryFolder) throws -> Bool {
    let words = ["-V", "-p", folder.path("public.key"), "-m", folder.path("out/index.json")]
    return try run("minisign", words).status == 0
  }

  private func makeKeys(_ folder: TemporaryFolder, _ flags: String..., input: String = "") throws {
    let words = flags + ["-f", "-p", folder.path("public.key"), "-s", folder.path("secret.key")]
    try folder.write("input", input)
    let shell = "minisign -G \"$@\" < \"\(folder.path("input"))\""
    let made = try run("sh", ["-c", shell, "sh"] + words)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test(.enabled(if: isInstalled("minisign"), "needs minisign")) func `minisign takes the signature`() throws
  {
    let folder = try project()
    try makeKeys(folder, "-W")
    for round in 1...3 {
      try folder.write("Assets/a/1", "round \(round)")
      build(folder)
      #expect(try isSigned(folder))
    }
    let words = ["verify", folder.path("out"), "--strict", "--public-key", folder.path("public.key")]
    #expect(runTool(words: words).status == .done)
    // A signature that minisign made is accepted in the same way as packtool's own signature.
    let sign = ["-S", "-l", "-s", folder.path("secret.key"), "-m", folder.path("out/index.json")]
    #expect(try run("minisign", sign).status == 0)
    #expect(runTool(words: words).status == .done)
    #expect(try run("minisign", sign.filter { $0 != "-l" }).status == 0)
    #expect(runTool(words: words).errors.reports("damaged-signature"))
    try makeKeys(folder, "-W")
    #expect(try !isSigned(folder))
    #expect(runTool(words: words).errors.contains("[damaged-signature]"))
  }

  @Test(
    .enabled(
      if: isInstalled("minisign") && !isSanitized, "needs minisign, and 1 GiB of memory for a password")
  ) func `the key may be encrypted`() throws {
    let folder = try project()
    try makeKeys(folder, input: "correct horse é\ncorrect horse é\n")
    try folder.write("password", "correct horse é\nand a line of no meaning\n")
    build(folder, "--sign-password", folder.path("password"))
    #expect(try isSigned(folder))
    try folder.write("password", "correct horse e\n")
    let words = ["build", folder.path, "-o", folder.path("out"), "--sign", folder.path("secret.key")]
    let wrong = runTool(words: words + ["--sign-password", folder.path("password")])
    #expect(wrong.status == .usage && wrong.errors.refuses(naming: folder.path("secret.key")))
  }

  @Test func `a served signature is that of the index`() throws {
    let folder = try project()
    try folder.write("secret.key", Self.secretKey)
    build(folder)
    let server = try RunningServer([folder.path("out")], in: folder)
    for round in 1...3 {
      let index = try run("curl", ["-sS", "\(server.url)index.json"]).output
      let signature = try run("curl", ["-sSi", "\(server.url)index.json.minisig"]).output
      let digest = sha256(Array(index.utf8)).hex
      #expect(signature.contains("sha256:\(digest)\n"), "\(round)")
      #expect(signature.lowercased().contains("cache-control: no-cache"))
      try folder.write("Assets/a/1", "round \(round)")
      build(folder)
    }
  }

  /// After each call, the folder contains one of two releases.
  ///
  /// Between two renames, one release has the signature of the other release.
  @Test(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
  func `a killed build leaves one release, and the next build repairs the folder`() throws {
    let (shim, program, folder, arguments) = try signedBuild()
    var round = 0
    func change() throws {
      round += 1
      try? FileManager.default.removeItem(atPath: folder.path("Assets/a/1"))
      try folder.write("Assets/a/1", "round \(round + 1_000)")
    }
    try change()
    let calls = try shim.calls(of: program, arguments, in: folder.path)
    let signature = try #require(
      calls.firstIndex { $0.hasSuffix("/index.json.minisig") && $0.hasPrefix("rename") })
    let index = try #require(calls.firstIndex { $0.hasSuffix("/index.json") && $0.hasPrefix("rename") })
    #expect(index == signature + 1, "nothing is done between the two")
    for number in max(0, signature - 4)..<min(calls.count, index + 6) {
      try change()
      let before = try folder.read("out/index.json")
      let (_, call) = try shim.run(program, arguments, in: folder.path, call: number + 1, .kill)
      let context: Comment = "call \(number + 1): \(call)"
      let isNext = number > index
      #expect(try (folder.read("out/index.json") == before) != isNext, context)
      let verified = runTool("verify", folder.path("out"), "--public-key", Self.publicKey)
      #expect(verified.errors.contains("error:") == (number == index), "\(context) \(verified.errors)")
      if number == index { #expect(verified.errors.reports("damaged-signature"), context) }
      build(folder)
      let mended = runTool("verify", folder.path("out"), "--public-key", Self.publicKey, "--strict")
      #expect(mended.status == .done, "\(context) \(mended.errors)")
    }
  }

  /// If a call fails before the last rename, the old signature also remains.
  @Test(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
  func `a rename that fails puts the old signature back`() throws {
    let (shim, program, folder, arguments) = try signedBuild()
    try folder.write("Assets/a/1", "changed")
    let calls = try shim.calls(of: program, arguments, in: folder.path)
    let index = try #require(calls.firstIndex { $0.hasSuffix("/index.json") && $0.hasPrefix("rename") })
    let before = try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool/") }
    usleep(60_000)
    try folder.write("Assets/a/1", "changed!")
    let (run, call) = try shim.run(program, arguments, in: folder.path, call: index + 1, .denied)
    #expect(run.status == 3 && call.hasSuffix("/index.json"), "\(call) \(run.errors)")
    #expect(try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool/") } == before)
  }

  private static let secretKey = """
    untrusted comment: a secret key for these tests alone
    RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYYUXU/5wM4YgFXkgutshaXvuBmImoXJMlSiKXczfWn7ArgLzgxpn1lxR3LP6Dx448TkaqUnySns4XchEbBCpJsKlkkAU2d36AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
    """
  private static let publicKey = "RWRhhRdT/nAzhlxR3LP6Dx448TkaqUnySns4XchEbBCpJsKlkkAU2d36"
}
