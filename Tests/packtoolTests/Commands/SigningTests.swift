import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `build --sign`, and the commands that read a signed release.
@Suite struct SigningTests {
  /// A key that `minisign -G -W` made.
  static let key = """
    untrusted comment: minisign encrypted secret key
    RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYYUXU/5wM4YgFXkgutshaXvuBmImoXJMlSiKXczfWn7ArgLzgxpn1lxR3LP6Dx448TkaqUnySns4XchEbBCpJsKlkkAU2d36AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
    """
  static let publicKey = "RWRhhRdT/nAzhlxR3LP6Dx448TkaqUnySns4XchEbBCpJsKlkkAU2d36"
  /// The key above, encrypted with the password "secret".
  ///
  /// The encryption uses the lowest amount of work that libsodium allows.
  static let encryptedKey = """
    untrusted comment: minisign encrypted secret key
    RWRTY0IyAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AgAAAAAAAAAAAAAEAAAAAv4mDf7efkJ9TSd1upiiK4QPv1vi8ydY5KBRbN8YEttTU7qI/H7NwzpdNrgcogyBXwLJnyiYIxbDAEnvXZGszxWZ1FnKqTcAPIn6HZEdzxQdZQq+btQc5X1WjIUjAK/ZomtgqOKZxnwU=
    """
  static let otherKey = "RWR6g9IYjjJkGGvBRfvA0AcHmaM6eISRnAzM5ooeOQVNWg6IL+6f3yzc"

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A"), .path("b", "B")], root: "Assets")
    for name in ["a", "b"] { try folder.write("Assets/\(name)/1", "the file \(name)") }
    try folder.write("secret.key", Self.key)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("secret.key"))
    try folder.write("public.key", "untrusted comment: minisign public key\n\(Self.publicKey)\n")
    return folder
  }

  @discardableResult
  private func build(
    _ folder: TemporaryFolder, into output: String = "out", _ flags: String..., signs: Bool = true,
    environment: [String: String] = [:], status: packtool.ExitStatus = .done,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    let key = signs ? ["--sign", folder.path("secret.key")] : []
    let words = ["build", folder.path, "-o", folder.path(output)] + key + flags
    let run = runTool(words: words, environment: environment)
    #expect(run.status == status, "\(run.errors)", sourceLocation: sourceLocation)
    return run.errors
  }

  private func change(_ folder: TemporaryFolder, _ content: String) throws {
    try folder.write("Assets/a/1", content)
  }

  private func index(_ folder: TemporaryFolder, _ output: String = "out") throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: folder.read("\(output)/index.json"))
    return try #require(object as? [String: Any])
  }

  private func release(_ folder: TemporaryFolder, _ output: String = "out") throws -> Int? {
    try index(folder, output)["release"] as? Int
  }

  private func verify(_ folder: TemporaryFolder, _ flags: String...) -> String {
    let run = runTool(words: ["verify", folder.path("out")] + flags)
    #expect((run.status == .done) == !run.errors.contains("error:"), "\(run.errors)")
    return run.errors
  }

  /// The key and the password are never written to a disk.
  @Test func `a key can come from a pipe`() throws {
    let folder = try project()
    let command = "\(try packtoolProgram()) build . -o out -q --sign <(sleep 0.2; cat secret.key)"
    let built = try Support.run("bash", ["-c", command], in: folder.path)
    #expect(built.status == 0 && built.errors == "", "\(built.errors)")
    #expect(verify(folder, "--public-key", folder.path("public.key")) == "")
  }

  /// Writes a string to a fifo when a reader opens the fifo.
  private func writePipe(_ path: String, _ text: String) throws {
    try #require(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      let file = FileHandle(forWritingAtPath: path)
      try? file?.write(contentsOf: Data(text.utf8))
      try? file?.close()
    }
    writer.start()
  }

  @Test(
    .noHang, arguments: [("secret\n", true), ("secret\r\nmore", true), ("other\n", false), ("\n", false)])
  func `a password can come from a pipe`(text: String, isRight: Bool) throws {
    let folder = try project()
    try folder.write("encrypted.key", Self.encryptedKey)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("encrypted.key"))
    try writePipe(folder.path("pipe"), text)
    let run = ToolRun([
      "build", folder.path, "-o", folder.path("out"), "--sign", folder.path("encrypted.key"),
      "--sign-password", folder.path("pipe"), "--depfile", folder.path("d"),
    ])
    #expect(run.status == (isRight ? .done : .usage), "\(run.all)")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/index.json")) == isRight)
    guard isRight else { return }
    #expect(run.findings("readable-secret").isEmpty)
    #expect(verify(folder, "--public-key", Self.publicKey) == "")
    // The pipe is not in the depfile, because a pipe has no time that make could compare.
    let names = String(decoding: try folder.read("d"), as: UTF8.self)
    #expect(names.contains(folder.path("encrypted.key")) && !names.contains(folder.path("pipe")), "\(names)")
  }

  @Test func `a key that everybody can read is a warning`() throws {
    let folder = try project()
    for (mode, count) in [(0o644, 1), (0o640, 0), (0o600, 0)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path("secret.key"))
      let words = ["build", folder.path, "-o", folder.path("out"), "--sign", folder.path("secret.key")]
      let run = runTool(words: words)
      #expect(run.errors.components(separatedBy: "[readable-secret]").count - 1 == count, "\(run.errors)")
      #expect(runTool(words: words + ["--strict"]).status == (count == 0 ? .done : .inputHasErrors))
    }
  }

  /// A command that reports an error must not end with success.
  @Test(arguments: [
    ["merge", "part", "-o", "merged", "--sign", "secret.key"],
    ["serve", "out", "--config", "nginx", "--user", "me:secret.key", "--insecure"],
    ["serve", "out", "--config", "nginx", "--cert", "public.key", "--key", "secret.key"],
  ])
  func `a secret that everybody can read is a warning, and with --strict an error`(line: [String]) throws {
    let folder = try project()
    build(folder, signs: false)
    build(folder, into: "part", "--shard", "1/1", signs: false)
    let names = ["part", "merged", "secret.key", "public.key", "out"]
    let words = line.map { word in
      names.contains(word)
        ? folder.path(word) : word.replacingOccurrences(of: "me:", with: "me:\(folder.path)/")
    }
    for (mode, count) in [(0o600, 0), (0o644, 1)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder.path("secret.key"))
      let run = ToolRun(words)
      #expect(run.status == .done && run.findings("readable-secret").count == count, "\(run.all)")
      let strict = ToolRun(words + ["--strict"])
      #expect(strict.status == (count == 0 ? .done : .inputHasErrors), "\(strict.all)")
    }
  }

  /// After a key or an old pack was replaced, make must run the signing build again.
  @Test func `the depfile lists keys and old packs`() throws {
    let folder = try project()
    build(folder, into: "old")
    try change(folder, String(repeating: "changed", count: 100))
    for other in ["base", "onto"] { build(folder, into: other) }
    try folder.write("password", "not needed\n")
    build(
      folder, "--patch-from", folder.path("old"), "--depfile", folder.path("d"), "--baseline",
      folder.path("base"), "--onto", folder.path("onto/index.json"), "--sign-password",
      folder.path("password"))
    let names = String(decoding: try folder.read("d"), as: UTF8.self).split(separator: "\n")
      .filter { $0.hasSuffix(":") }.map { String($0.dropLast()) }
    let packs = try folder.files(below: "old/packs").keys.map { folder.path("old/packs/\($0)") }
    #expect(packs.count == 2)
    let indexes = ["old", "base", "onto"].map { folder.path("\($0)/index.json") }
    for path in packs + [folder.path("secret.key"), folder.path("password")] + indexes {
      #expect(names.contains(path), "\(path)")
    }
    // If a missing baseline were in the depfile, every run of make would start a build.
    let none = folder.path("none/index.json")
    build(folder, "--depfile", folder.path("d"), "--baseline", folder.path("none"), "--baseline-optional")
    #expect(!String(decoding: try folder.read("d"), as: UTF8.self).contains(none))
  }

  @Test func `the same build has the same number and signature, another a higher one`() throws {
    let folder = try project()
    build(folder)
    #expect(try release(folder) == 1)
    let first = try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool/") }
    #expect(first["index.json.minisig"] != nil)
    for flags in [[], ["--no-cache"], ["--release", "1"]] {
      let words = ["build", folder.path, "-o", folder.path("out"), "--sign", folder.path("secret.key")]
      #expect(runTool(words: words + flags).status == .done)
      let again = try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool/") }
      #expect(again == first, "\(flags)")
    }
    build(folder, into: "elsewhere")
    #expect(try folder.read("elsewhere/index.json.minisig") == first["index.json.minisig"])

    try change(folder, "changed")
    build(folder)
    #expect(try release(folder) == 2)
    build(folder, "--release", "7")
    #expect(try release(folder) == 7)
    #expect(verify(folder, "--public-key", Self.publicKey, "--strict").isEmpty)
  }

  @Test func `a number rises over the folder and all releases that it is compared with`() throws {
    let folder = try project()
    build(folder, into: "old", "--release", "5")
    build(folder, into: "out", "--baseline", folder.path("old"))
    #expect(try release(folder) == 6)
    build(folder, into: "out", "--baseline", folder.path("out"))
    #expect(try release(folder) == 6, "a copy of itself is no release before it")
    try change(folder, "changed")
    build(folder, into: "patched", "--patch-from", folder.path("old"))
    #expect(try release(folder, "patched") == 6)
    build(folder, into: "onto", "--onto", folder.path("old"))
    #expect(try release(folder, "onto") == 6)

    let before = try folder.files(below: "out")
    for number in ["5", "6"] {
      let errors = build(folder, into: "out", "--release", number, status: .inputHasErrors)
      #expect(
        errors.reports("stale-release", naming: number, "6", "--release"))
    }
    for flags in [["--baseline", folder.path("old")], ["--patch-from", folder.path("old")]] {
      let words = ["build", folder.path, "-o", folder.path("new"), "--sign", folder.path("secret.key")]
      let run = runTool(words: words + flags + ["--release", "5"])
      #expect(run.status == .inputHasErrors && run.errors.reports("stale-release"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    }
    #expect(
      try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool/") }
        == before.filter { !$0.key.hasPrefix(".packtool/") })
  }

  /// Changes the release in a folder to the highest possible number.
  ///
  /// Anyone who can write to a cache can do this.
  private func forge(_ folder: TemporaryFolder, _ output: String, keepsSignature: Bool) throws {
    let text = String(decoding: try folder.read("\(output)/index.json"), as: UTF8.self)
    try folder.write(
      "\(output)/index.json", text.replacing("\"release\": 1,", with: "\"release\": 9007199254740990,"))
    if !keepsSignature {
      try FileManager.default.removeItem(atPath: folder.path("\(output)/index.json.minisig"))
    }
  }

  @Test(arguments: ["--baseline", "--patch-from", "--onto"], [true, false])
  func `a number of an earlier release counts only with its signature`(
    flag: String, keepsSignature: Bool
  ) throws {
    let folder = try project()
    build(folder, into: "base")
    try forge(folder, "base", keepsSignature: keepsSignature)
    try change(folder, "changed")
    let errors = build(folder, flag, folder.path("base"), status: .inputHasErrors)
    #expect(
      errors.reports("doubtful-release-number", at: "base/index.json")
        && errors.reports("doubtful-release-number"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    build(folder, flag, folder.path("base"), "--release", "7")
    #expect(try release(folder) == 7)
  }

  @Test func `a forged number in the output folder does not count`() throws {
    let folder = try project()
    for keepsSignature in [true, false] {
      build(folder, into: "out")
      try forge(folder, "out", keepsSignature: keepsSignature)
      // The packs are the same as before, so that only the number differs.
      if keepsSignature {
        build(folder)
        #expect(try release(folder) == 1)
      } else {
        #expect(build(folder, status: .inputHasErrors).contains("[doubtful-release-number]"))
        build(folder, "--release", "2")
        #expect(try release(folder) == 2)
      }
    }
  }

  @Test func `numbers that are far apart need a number`() throws {
    let folder = try project()
    build(folder, into: "old", "--release", "5")
    build(folder, "--release", "1000006")
    try change(folder, "changed")
    let errors = build(folder, "--baseline", folder.path("old"), status: .inputHasErrors)
    #expect(
      errors.reports("doubtful-release-number", naming: "1,000,006")
        && errors.reports("doubtful-release-number"), "\(errors)")
    build(folder, "--baseline", folder.path("old"), "--release", "1000007")
    #expect(try release(folder) == 1_000_007)
  }

  @Test func `a build that was killed between signature and index is done again`() throws {
    let folder = try project()
    build(folder)
    #expect(try Support.run("cp", ["-R", folder.path("out"), folder.path("killed")]).status == 0)
    try change(folder, "changed")
    build(folder)
    try folder.write("killed/index.json.minisig", folder.read("out/index.json.minisig"))
    build(folder, into: "killed")
    for name in ["index.json", "index.json.minisig"] {
      #expect(try folder.read("killed/\(name)") == folder.read("out/\(name)"))
    }
  }

  @Test func `a build without a key leaves a signed release alone`() throws {
    let folder = try project()
    build(folder)
    let errors = build(folder, signs: false, status: .inputHasErrors)
    #expect(errors.reports("unsigned-release", naming: "1", folder.path("out")))
    try FileManager.default.removeItem(atPath: folder.path("out/index.json.minisig"))
    build(folder, signs: false)
    #expect(try release(folder) == nil)
  }

  @Test func `a release expires when the user says, by no clock unless asked`() throws {
    let folder = try project()
    func expiry(_ text: String, _ environment: [String: String] = [:]) throws -> String? {
      build(folder, "--expires", text, environment: environment)
      return try index(folder)["expires"] as? String
    }
    #expect(try expiry("2031-02-28") == "2031-02-28T00:00:00Z")
    #expect(try expiry("2031-02-28T12:30:01Z") == "2031-02-28T12:30:01Z")
    #expect(try expiry("36 h", ["SOURCE_DATE_EPOCH": "4102444800"]) == "2100-01-02T12:00:00Z")
    let text = try #require(try expiry("90 days"))
    let date = try #require(ISO8601DateFormatter().date(from: text))
    #expect(abs(date.timeIntervalSinceNow - 90 * 86_400) < 3_600)
    for past in ["2020-01-01", "2020-01-01T00:00:00Z"] {
      #expect(build(folder, "--expires", past, status: .usage).refuses(naming: "--expires"))
      let late = build(
        folder, "--expires", past, environment: ["SOURCE_DATE_EPOCH": "1577836800"], status: .usage)
      #expect(late.contains("SOURCE_DATE_EPOCH is 2020-01-01T00:00:00Z"), "\(late)")
    }
    for wrong in ["soon", "2031-02-30", "2031-02-28T25:00:00Z", "0 days", "99999999 days"] {
      let errors = build(folder, "--expires", wrong, status: .usage)
      #expect(errors.refuses(naming: "--expires", "2027"), "\(errors)")
    }
  }

  /// The release has not expired according to SOURCE_DATE_EPOCH, but it has expired according to the clock.
  ///
  /// No client would accept it.
  @Test(arguments: ["1 h", "1 days", "2020-01-01", "2020-01-01T00:00:00Z"])
  func `a release that is past when it is made is an error`(expires: String) throws {
    let folder = try project()
    let environment = ["SOURCE_DATE_EPOCH": "1577836799"]
    build(folder, into: "part", "--shard", "1/1", signs: false)
    let flags = ["--sign", folder.path("secret.key"), "--expires", expires]
    for words in [["build", folder.path], ["merge", folder.path("part")]] {
      let output = folder.path("out-\(words[0])")
      let run = ToolRun(words + ["-o", output] + flags, environment: environment)
      let found = run.findings("expired-release")
      #expect(run.status == .inputHasErrors && found.map(\.severity) == ["error"], "\(run.all)")
      #expect(found.first?.file == "\(output)/index.json" && found.first?.message.names("--expires") == true)
      #expect(!FileManager.default.fileExists(atPath: output))
      // If a user builds an old release again, the bytes are the same.
      let lowered = ToolRun(
        words + ["-o", output, "--severity", "expired-release=warning"] + flags, environment: environment)
      #expect(lowered.status == .done && lowered.findings("expired-release").map(\.severity) == ["warning"])
      let verified = ToolRun(["verify", output])
      #expect(verified.status == .done && verified.findings("expired-release").map(\.severity) == ["warning"])
    }
  }

  @Test func `verify finds every wrong signature`() throws {
    let folder = try project()
    build(folder)
    let (old, oldIndex) = (try folder.read("out/index.json.minisig"), try folder.read("out/index.json"))
    try change(folder, "changed")
    build(folder)
    let right = String(decoding: try folder.read("out/index.json.minisig"), as: UTF8.self)
    func finding(_ signature: String?, _ flags: String...) throws -> String {
      try? FileManager.default.removeItem(atPath: folder.path("out/index.json.minisig"))
      if let signature { try folder.write("out/index.json.minisig", signature) }
      return runTool(words: ["verify", folder.path("out")] + flags).errors
    }
    let lines = right.split(separator: "\n").map(String.init)
    #expect(try finding(right).isEmpty)
    #expect(try finding(nil).reports("damaged-signature"))
    #expect(try finding(String(decoding: old, as: UTF8.self)).reports("damaged-signature"))
    #expect(try finding("x").reports("damaged-signature"))
    #expect(try finding(right.replacing("\nRWRh", with: "\nRURh")).reports("damaged-signature"))
    #expect(try finding(right, "--public-key", Self.otherKey).reports("damaged-signature"))
    #expect(try finding(right, "--public-key", Self.otherKey, "--public-key", Self.publicKey).isEmpty)
    #expect(try finding(right, "--public-key", folder.path("public.key")).isEmpty)
    #expect(
      try finding(String(repeating: "x", count: 20_000)).reports("damaged-signature", naming: "16,384 bytes"))
    // These files can be distinguished from the correct file only with the key.
    let changes = [
      lines[1].replacing("A", with: "B"), lines[2].replacing("file:", with: "the file:"),
      lines[3].replacing("A", with: "B"),
    ]
    for (place, change) in changes.enumerated() {
      var wrong = lines
      wrong[place + 1] = change
      let text = wrong.joined(separator: "\n") + "\n"
      #expect(try finding(text, "--public-key", Self.publicKey).contains("[damaged-signature]"), "\(change)")
    }
    try folder.write("out/index.json.minisig", old)
    try folder.write("out/index.json", oldIndex)
    #expect(
      runTool(words: ["verify", folder.path("out"), "--public-key", Self.publicKey]).errors
        .contains("[damaged-signature]") == false, "an older release has its own signature")
  }

  @Test func `an unsigned release is none by a key`() throws {
    let folder = try project()
    build(folder, signs: false)
    #expect(verify(folder).isEmpty)
    #expect(verify(folder, "--public-key", Self.publicKey).reports("damaged-signature"))
    #expect(
      runTool(words: ["verify", folder.path("out"), "--public-key", "RWx"]).errors.refuses(naming: "RWx"))
    #expect(
      runTool(words: ["verify", folder.path("out"), "--public-key", folder.path("secret.key")]).errors
        .refuses(naming: folder.path("secret.key")))
  }

  @Test func `parts are signed where they are merged`() throws {
    let folder = try project()
    build(folder, into: "whole")
    for part in ["1/2", "2/2"] {
      build(folder, into: "part\(part.prefix(1))", "--shard", part, signs: false)
      let errors = build(folder, into: "no", "--shard", part, status: .usage)
      #expect(errors.refuses(naming: "--sign", "--shard", "merge"))
    }
    let words = ["merge", folder.path("part1"), folder.path("part2"), "-o", folder.path("out")]
    let key = ["--sign", folder.path("secret.key")]
    for _ in 0..<2 { #expect(runTool(words: words + key).status == .done) }
    #expect(try folder.read("out/index.json.minisig") == folder.read("whole/index.json.minisig"))
    #expect(runTool(words: words).errors.reports("unsigned-release"))
    #expect(runTool(words: words + key + ["--release", "1"]).status == .done)
    #expect(
      runTool(words: words + key + ["--expires", "2031-01-01", "--release", "1"]).errors
        .contains("[stale-release]"))
  }

  @Test func `flags that say nothing are mistakes`() throws {
    let folder = try project()
    for flags in [["--release", "2"], ["--expires", "2031-01-01"], ["--set", "sign.password=x"]] {
      let run = runTool(words: ["build", folder.path, "-o", folder.path("out")] + flags)
      #expect(
        run.status == .usage && run.errors.refuses(naming: "--sign"), "\(run.errors)")
    }
    let hosted = build(folder, "--layout", "hosted", "--url-prefix", "https://a.b/", status: .usage)
    #expect(hosted.refuses(naming: "--sign", "packtool"))
    for (text, value) in [
      ("nonsense", "minisign"),
      (Self.key.replacing("RWQAAEIy", with: "RWRTY0Iy"), "--set sign.password=FILE"),
      (Self.key.replacing("YYUXU/5wM4YgFXk", with: "YYUXU/5wM4YgFXl"), "secret.key"),
    ] {
      try folder.write("secret.key", text)
      #expect(build(folder, status: .usage).refuses(naming: folder.path("secret.key"), value))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  /// The key asks scrypt for 2^63 bytes, or for 0 bytes, which is treated as the minimum.
  @Test(arguments: ["f39/f39/f39/f39/f39/fw", "AAAAAAAAAAAAAAAAAAAAAA"])
  func `an encrypted key takes no more memory than there is`(limits: String) throws {
    let folder = try project()
    try folder.write("password", "secret\n")
    let head = "RWRTY0Iy" + String(repeating: "A", count: 43)
    let line = Self.key.split(separator: "\n")[1]
    let text = head + limits.prefix(21) + line.dropFirst(head.count + 21)
    try folder.write("secret.key", "untrusted comment: x\n\(text)\n")
    let errors = build(folder, "--sign-password", folder.path("password"), status: .usage)
    #expect(errors.refuses(naming: folder.path("secret.key")), "\(errors)")
  }

  @Test func `inspect and diff show the numbers`() throws {
    let folder = try project()
    build(folder, into: "old")
    build(folder, into: "out", "--release", "1200", "--expires", "2031-01-01")
    let inspected = runTool(words: ["inspect", folder.path("out")]).output
    #expect(inspected.contains("\nrelease 1,200, expires 2031-01-01T00:00:00Z\n"))
    let json = runTool(words: ["inspect", folder.path("out"), "--format", "json"]).output
    #expect(json.contains("\"expires\": \"2031-01-01T00:00:00Z\"") && json.contains("\"release\": 1200"))
    let diff = runTool(words: ["diff", folder.path("old"), folder.path("out")]).output
    #expect(diff.contains("/old (release 1) to ") && diff.contains("/out (release 1,200)\n"))
    let changes = runTool(words: ["diff", folder.path("old"), folder.path("out"), "--format", "json"]).output
    #expect(changes.contains("\"newRelease\": 1200") && changes.contains("\"oldRelease\": 1"))
  }

  @Test(arguments: [
    ("\"release\": 1,", "\"release\": 0,"), ("\"release\": 1,", "\"release\": \"1\","),
    ("\"release\": 1,", "\"release\": 9007199254740993,"), ("\"release\": 1,", "\"release\": -1,"),
    ("\"expires\": \"2031", "\"expires\": \"31"),
    ("\"expires\": \"2031-01-01T00:00:00Z\"", "\"expires\": 2031"),
  ])
  func `an index with a wrong number is damaged`(old: String, new: String) throws {
    let folder = try project()
    build(folder, "--expires", "2031-01-01")
    let text = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    #expect(text.contains(old))
    try folder.write("out/index.json", text.replacing(old, with: new))
    #expect(verify(folder).contains("[damaged-index]"))
    // Whatever files exist, the next build makes a correct release.
    let run = runTool(
      words: ["build", folder.path, "-o", folder.path("out"), "--sign", folder.path("secret.key")])
    #expect([.done, .inputHasErrors].contains(run.status), "\(run.errors)")
  }
}
