import Foundation
import Support
import Testing
@testable import packtool

/// Tests `--format json`: each command writes one document to standard output.
@Suite struct ResultFormTests {
  private static let manifest =
    #"{"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["T", "U"]}], "appBundle": {"size": 1}}"#

  /// Makes a folder with a manifest, a file and the packs.
  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest)
    try folder.write("a", "four")
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    return folder
  }

  private func json(_ words: [String], status: packtool.ExitStatus = .done) throws -> [String: Any] {
    let run = runTool(words: words + ["--format", "json"])
    #expect(run.status == status, "\(words): \(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let document = try #require(object as? [String: Any], "\(words)")
    #expect(document["formatVersion"] as? Int == 1)
    return document
  }

  private let noFindings = ["errors": 0, "warnings": 0, "notes": 0]

  @Test func `validate`() throws {
    let folder = try site()
    let document = try json(["validate", folder.path])
    #expect(document["status"] as? String == "accepted")
    #expect(document["summary"] as? [String: Int] == ["errors": 0, "warnings": 0, "notes": 1])
    let manifests = try #require(document["manifests"] as? [[String: Any]])
    #expect(manifests.count == 1)
    #expect(manifests[0]["path"] as? String == folder.path("Manifest.json"))
    #expect(manifests[0]["packs"] as? Int == 1 && manifests[0]["fileCount"] as? Int == 1)
    #expect(manifests[0]["size"] as? Int == 4 && manifests[0]["status"] as? String == "accepted")
  }

  @Test func `validate refuses`() throws {
    let folder = try site()
    try folder.write("Manifest.json", "{")
    let document = try json(["validate", folder.path], status: .inputHasErrors)
    #expect(document["status"] as? String == "refused")
    #expect((document["diagnostics"] as? [[String: Any]])?.first?["id"] as? String == "json-syntax")
    #expect((document["manifests"] as? [[String: Any]])?.first?["packs"] == nil)
  }

  @Test func `verify`() throws {
    let folder = try site()
    let whole = try json(["verify", folder.path("out"), "-q"])
    #expect(whole["status"] as? String == "accepted" && whole["path"] as? String == folder.path("out"))
    #expect(whole["packs"] as? Int == 1 && whole["fileCount"] as? Int == 1 && whole["size"] as? Int == 4)
    #expect(whole["summary"] as? [String: Int] == noFindings)
    try FileManager.default.removeItem(atPath: folder.path("out/packs"))
    let damaged = try json(["verify", folder.path("out")], status: .inputHasErrors)
    #expect(damaged["status"] as? String == "refused")
    #expect((damaged["diagnostics"] as? [[String: Any]])?.first?["id"] as? String == "missing-pack")
  }

  @Test func `verify of an export`() throws {
    let folder = try site()
    let output = folder.path("xcode")
    #expect(runTool("build", folder.path, "-o", output, "--layout", "xcode").status == .done)
    let document = try json(["verify", output])
    #expect(
      document["packs"] as? Int == 1 && document["fileCount"] as? Int == 1 && document["size"] as? Int == 4)
  }

  @Test func `unpack`() throws {
    let folder = try site()
    let words = ["unpack", folder.path("out"), "--tag", "T", "-o", folder.path("un")]
    let document = try json(words)
    #expect(document["status"] as? String == "written" && document["output"] as? String == folder.path("un"))
    #expect((document["packs"] as? [String])?.count == 1)
    #expect(document["fileCount"] as? Int == 1 && document["size"] as? Int == 4)
    let again = try json(words, status: .inputHasErrors)
    #expect(again["status"] as? String == "refused" && again["packs"] as? [String] == [])
    #expect((again["diagnostics"] as? [[String: Any]])?.first?["id"] as? String == "existing-file")
  }

  @Test func `checks`() throws {
    let all = try #require(try json(["checks"])["checks"] as? [[String: Any]])
    #expect(all.count > 70)
    #expect(Set(all.flatMap(\.keys)).count == 7)
    let one = try #require(try json(["checks", "pack-size"])["checks"] as? [[String: Any]])
    #expect(one.count == 1 && one[0]["id"] as? String == "pack-size")
    #expect(one[0]["severity"] as? String == "warning" && one[0]["isErrorInSubmission"] as? Bool == true)
    #expect(one[0]["canBeLowered"] as? Bool == true)
  }

  @Test func `importing`() throws {
    let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"
    let printed = try json(["import", project])
    #expect(printed["status"] as? String == "printed" && printed["output"] is NSNull)
    let manifest = try #require(printed["manifest"] as? [String: Any])
    #expect((manifest["resources"] as? [Any])?.count == printed["rules"] as? Int)
    let folder = try TemporaryFolder()
    let written = try json(["import", project, "-o", folder.path("Manifest.json")])
    #expect(written["status"] as? String == "written" && written["manifest"] == nil)
    #expect(written["output"] as? String == folder.path("Manifest.json"))
    #expect(
      written["rules"] as? Int == printed["rules"] as? Int
        && written["tags"] as? Int == printed["tags"] as? Int)
    let refused = try json(["import", folder.path("No.xcodeproj")], status: .inputHasErrors)
    #expect(refused["status"] as? String == "refused")
  }

  /// If there is no result, the document contains the reason for this.
  @Test(arguments: [
    ["diff", "nowhere", "nowhere"], ["explain", "x", "nowhere.json"], ["inspect", "nowhere"],
    ["plan", "nowhere"],
    ["simulate", "--players", "linear", "nowhere"],
  ])
  func `refusals`(words: [String]) throws {
    let document = try json(words, status: .inputHasErrors)
    let findings = try #require(document["diagnostics"] as? [[String: Any]])
    #expect(findings.contains { $0["severity"] as? String == "error" })
    if words[0] != "plan" { #expect(document["status"] as? String == "refused") }
  }

  @Test func `a damaged pack says so`() throws {
    let folder = try site()
    let pack = try #require(try folder.files(below: "out/packs").keys.first)
    var bytes = try folder.read("out/packs/\(pack)")
    // This is the first byte after the header of an entry whose name has one letter.
    bytes[31] ^= 1
    try folder.write("pack.zip", bytes)
    let document = try json(["inspect", folder.path("pack.zip")], status: .inputHasErrors)
    #expect((document["damage"] as? [String])?.isEmpty == false)
  }
}
