import Formats
import Model
import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests that strings from outside stay plain strings in scripts, command lines, URLs and code.
@Suite struct CodeTextTests {
  private static let texts = [
    "plain", "", " ", "a b", "'", "''", "a';touch PWNED;'", "$(touch PWNED)", "`touch PWNED`", "a\nb", "a\\",
    "\"$HOME\"", "-n", "~", "*", "#x", "a=b", "é日本👩‍👩‍👧", "!!", "{a,b}", "a;b&c|d>e<f", "\u{1b}[31m", "\r\n\t",
  ]

  @Test func `a shell reads each text as one word`() throws {
    let script: ShellText = "printf '%s\\0' \(ShellText.words(Self.texts))"
    let folder = try TemporaryFolder()
    let result = try run("sh", ["-c", script.text], in: folder.path)
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.components(separatedBy: "\0").dropLast() == Self.texts[...])
    #expect(try folder.files(below: "").isEmpty)
  }

  @Test(arguments: [
    "", "javascript:alert(1)//", "file:///srv/packs/", "ftp://x.y/", "https:x.y/", "https://", "https:///a/",
    "https://x.y/a b/", "https://x.y/a\nb/", "https://x.y/\"/", "https://x.y/<b>/", "https://x.y/ü/",
    "https://x.y/%zz/", "https://x.y/#a/", "https://me:secret@x.y/", "https://me@x.y/",
    "https://x.y:65536/",
    "https://x.y:0/", "https://x.y:8a/", "https://x y/", "https://x'y/",
  ])
  func `prefixes that begin no URL are refused`(prefix: String) throws {
    #expect(throws: PackURLPrefix.Mistake.self) { try PackURLPrefix(prefix) }
    if prefix.isEmpty { return }
    let folder = try TemporaryFolder()
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), "--layout", "hosted", "--url-prefix", prefix)
    #expect(
      run.status == .usage && run.errors.refuses(naming: "--url-prefix"), "\(run.errors)"
    )
  }

  @Test(arguments: [
    "https://x.y/", "http://127.0.0.1:8080/", "https://[::1]:1/", "HTTPS://X.Y:65535/a%20b/?f=", "x.y/",
    "https://x.y/a'b;c$(d)&e=f,g!*+~@:/",
  ])
  func `other prefixes are taken`(prefix: String) throws {
    #expect(try PackURLPrefix(prefix).text == prefix)
  }

  @Test func `nothing in a URL prefix runs`() throws {
    let site = try AssetSite()
    let prefix = "https://x/x';touch${IFS}PWNED;'$(touch${IFS}PWNED)/".replacing(#/[{}]/#, with: "")
    let built = site.build(
      "--self-hosted", "--ledger", site.folder.path("ledger.json"), "--url-prefix", prefix)
    #expect(built.status == .done, "\(built.errors)")
    let result = try run(
      "sh", [site.folder.path("out/package.sh"), "upload"], in: site.folder.path,
      environment: ["UPLOAD": "printf %s\\n", "PATH": "/usr/bin:/bin"])
    #expect(result.output.split(separator: "\n").last == "\(prefix)download-manifest.json")
    #expect(try !site.folder.files(below: "").keys.contains { $0.hasSuffix("PWNED") })
    let query = site.build(
      "--self-hosted", "--ledger", site.folder.path("ledger.json"), "--url-prefix", "https://x.y/?f=")
    #expect(query.status == .usage)
  }

  /// Tests the command lines that `init` prints for users to copy.
  @Test func `the next commands name the folder`() throws {
    let folder = try TemporaryFolder()
    let name = "a b';touch PWNED;'"
    try folder.write("\(name)/L/x.bin", "x")
    let output = try run(packtoolProgram(), ["init", name], in: folder.path).output
    let next = try #require(output.range(of: "next:\n"))
    let lines = output[next.upperBound...].split(separator: "\n").filter { $0.hasPrefix("  packtool ") }
    #expect(lines.count >= 4)
    for line in lines where !line.contains(" > ") && !line.contains("TRACE") {
      // In the line, the purpose of the command comes after the command.
      let script = "packtool() { printf '%s\\0' \"$@\"; }\n\(line)"
      let result = try run("sh", ["-c", script], in: folder.path)
      #expect(
        result.output.components(separatedBy: "\0").contains { $0.hasPrefix(name) || $0 == "." }
          || !line.contains("touch"))
      #expect(result.status == 0)
    }
    #expect(try !folder.files(below: "").keys.contains("PWNED"))
  }
}
