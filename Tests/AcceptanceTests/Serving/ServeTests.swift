import Foundation
import Support
import Testing

@testable import packtool

/// Tests the `serve` command from the user's point of view.
@Suite(.mostlyWaits, .serialized, .enabled(if: isInstalled("curl"), "needs curl")) struct ServeTests {
  private func fetch(_ url: String, _ more: String...) throws -> ProgramResult {
    try run("curl", ["-s", "--noproxy", "*"] + more + [url])
  }

  /// Makes a built folder in one of the layouts.
  private func built(_ layout: String, _ more: String...) throws -> TemporaryFolder {
    let site = try AssetSite()
    try #require(
      runTool(words: ["build", site.folder.path, "-o", site.folder.path("out"), "--layout", layout] + more)
        .status
        == .done)
    return site.folder
  }

  @Test func `packtool layout`() throws {
    let folder = try built("packtool")
    let server = try RunningServer([folder.path("out"), "--log", folder.path("log")], in: folder)
    #expect(
      server.lines.count == 2 && server.lines[0].contains("\": layout packtool, 3 packs, "), "\(server.lines)"
    )
    #expect(
      try fetch(server.url + "index.json").output
        == String(decoding: folder.read("out/index.json"), as: UTF8.self))
    let pack = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs")).first {
        $0.contains("Musik")
      })
    #expect(
      try fetch("\(server.url)packs/\(pack)", "-r", "0-3", "-w", "%{http_code}").output.hasSuffix("206"))
    #expect(server.end() == 0)
    let lines = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n")
    let entries = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(entries.map { $0["status"] as? Int } == [200, 206])
    let last = try #require(entries.last)
    #expect(last["request"] as? String == "GET /packs/\(pack)" && last["range"] as? String == "bytes=0-3")
    #expect(last["bytes"] as? Int == 4 && last["tags"] as? [String] == ["Musik"])
    #expect((last["pack"] as? String)?.hasPrefix("com.example.game.asset-pack-") == true)
    #expect((last["milliseconds"] as? Double ?? -1) >= 0 && last["time"] is String)
  }

  @Test func `hosted layout`() throws {
    let folder = try built("hosted", "--url-prefix", "http://example.com/odr/")
    let server = try RunningServer([folder.path("out")], in: folder)
    #expect(server.lines.dropFirst(2) == ["ASSET_PACK_MANIFEST_URL_PREFIX = \(server.url)"])
    #expect(
      server.said.contains(
        "the URLs of the packs begin with \"http://example.com/odr/\"; to download packs from this server, build with --set layout.urlPrefix=\(server.url)"
      ))
    let packs = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).filter {
      $0.hasSuffix(".assetpack")
    }
    #expect(packs.count == 3)
    for pack in packs {
      let name = pack.replacingOccurrences(of: " ", with: "%20")
      for path in [name, "odr/\(name)"] {
        let answer = try fetch(server.url + path, "-o", folder.path("x"), "-w", "%{http_code}").output
        #expect(try answer == "200" && folder.read("x") == folder.read("out/\(pack)"), "\(path)")
      }
    }
    #expect(try fetch(server.url + "AssetPackManifest.plist", "-I").output.contains("no-cache"))
    let page = try fetch(server.url).output
    #expect(page.contains("<td>Level 1</td>") && page.contains("<td>Boss</td>"))
  }

  @Test func `background assets layout`() throws {
    let folder = try built("background-assets")
    let ids = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/packs")).sorted()
    let script = String(decoding: try folder.read("out/package.sh"), as: UTF8.self)
    let archive = try #require(script.firstMatch(of: /\[ -e (archives\/[^ ]+)/)?.1)
    let archived = try #require(ids.first { archive.hasPrefix("archives/\($0).") })
    let server = try RunningServer([folder.path("out")], in: folder)
    #expect(try fetch("\(server.url)\(archive)", "-f").status != 0)
    // The test writes the archive, as `ba-package` does while the server runs.
    try folder.write("out/\(archive)", "archive")
    #expect(try fetch("\(server.url)\(archive)").output == "archive")
    #expect(
      try fetch("\(server.url)tags.json").output
        == String(decoding: folder.read("out/tags.json"), as: UTF8.self))
    for id in ids {
      #expect(try fetch("\(server.url)manifests/\(id).json", "-f").status == 0)
      for file in try folder.files(below: "out/packs/\(id)").keys {
        let path = "packs/\(id)/\(file)".addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
        let status = try fetch(server.url + path, "-o", "/dev/null", "-w", "%{http_code}").output
        // If a pack has an archive, its files are not served individually.
        #expect(status == (id == archived ? "404" : "200"), "\(path)")
      }
    }
  }

  /// Tests packs on the developer's own server while releases change.
  ///
  /// Requests use the paths that devices request from Apple's ba-serve.
  @Test func `self hosted packs`() throws {
    let site = try AssetSite()
    let folder = site.folder
    func build(_ output: String) throws {
      let built = runTool(
        "build", folder.path, "-o", folder.path(output), "--layout", "background-assets", "--self-hosted",
        "--url-prefix", "https://cdn.example.com/1/", "--ledger", folder.path("ledger.json"), "-q")
      #expect(built.status == .done, "\(built.errors)")
      let script = String(decoding: try folder.read("\(output)/package.sh"), as: UTF8.self)
      for archive in script.matches(of: /\[ -e (archives\/[^ ]+)/) {
        try folder.write("\(output)/\(archive.1)", "archive \(archive.1)")
      }
    }
    try build("one")
    try folder.link("current", to: "one")
    let id = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("one/packs")).sorted().last)
    let server = try RunningServer([folder.path("current"), "--log", folder.path("log")], in: folder)
    func version(_ id: String) throws -> Int? {
      let text = try fetch("\(server.url)manifest?platform=iOS").output
      let manifest = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Any]]]
      return manifest?["assetPacks"]?.first { $0["id"] as? String == id }?["version"] as? Int
    }
    #expect(try version(id) == 1)
    let whole = try fetch("\(server.url)assets/\(id)").output
    #expect(whole.hasPrefix("archive archives/\(id)."))
    // The path of the server's own URL leads to the same pack.
    #expect(try fetch("\(server.url)1/\(id)").output == whole)
    #expect(try fetch("\(server.url)assets/\(id)", "-r", "8-15").output == "archives")
    #expect(try fetch("\(server.url)assets/none", "-f").status != 0)
    // Another release replaces the current release: the symlink that is served is replaced with a rename.
    try FileManager.default.removeItem(atPath: folder.path("Assets/c/1"))
    try folder.write("Assets/c/1", "changed")
    try build("two")
    try FileManager.default.removeItem(atPath: folder.path("current"))
    try folder.link("current", to: "two")
    #expect(try version(id) == 2)
    #expect(try fetch("\(server.url)assets/\(id)").output != whole)
    server.end()
    let log = String(decoding: try folder.read("log"), as: UTF8.self).split(separator: "\n")
    let bytes = try log.compactMap { line -> Int? in
      let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return entry["pack"] as? String == id ? entry["bytes"] as? Int : nil
    }
    #expect(bytes.count == 4 && bytes[2] == 8, "\(log)")
  }

  @Test func `serve reports a new build`() throws {
    let site = try AssetSite()
    let words = ["build", site.folder.path, "-o", site.folder.path("out")]
    #expect(runTool(words: words).status == .done)
    let server = try RunningServer([site.folder.path("out")], in: site.folder)
    try site.folder.write("Assets/c/2", "more")
    #expect(runTool(words: words).status == .done)
    #expect(
      try fetch(server.url + "index.json").output
        == String(decoding: site.folder.read("out/index.json"), as: UTF8.self))
    #expect(server.said.contains("serving a new build: layout packtool, 3 packs, "), "\(server.said)")
  }

  @Test(arguments: [
    (["--cert", "x"], "\"--cert\" and \"--key\" must be used together"),
    (
      ["--host", "0.0.0.0", "--user", "a:b"],
      "the password would be sent over the network unencrypted; add --cert and --key, or --insecure"
    ),
    (
      ["--host", "example.com"],
      "needs an address of this machine, such as 127.0.0.1, ::1 or 0.0.0.0, not \"example.com\""
    ),
    (
      ["--link", "Edgy"],
      "contains the network profile \"Edgy\", which does not exist; did you mean \"Edge\"?"
    ),
    (
      ["--link", "none"], "does not accept \"none\"; to simulate a missing network, stop the server"
    ),
    (["--fail", "500"], "accepts 404:PATTERN, cut:BYTES:PATTERN or 503:1/20, not \"500\""),
    (["--allow-origin", "*"], "needs one origin, such as http://localhost:3000, not \"*\""),
    (["--name", "a:80"], "needs a host name without a port, such as build-server.local, not \"a:80\""),
    (["--user", "name"], "needs NAME:FILE, a user name and a file with the password, not \"name\""),
    (["--port", "65536"], "needs a number from 0 to 65535, not \"65536\""),
  ])
  func `mistakes`(words: [String], message: String) {
    let run = runTool(words: ["serve", "nowhere"] + words)
    #expect(run.status == .usage && run.errors.contains(message), "\(run.errors)")
  }

  @Test func `files of the command line are looked at`() throws {
    let folder = try built("packtool")
    try folder.write("empty", "\n")
    let out = folder.path("out")
    let empty = runTool("serve", out, "--user", "a:\(folder.path("empty"))")
    #expect(empty.status == .usage && empty.errors.contains("is empty, but must contain the password"))
    #expect(runTool("serve", out, "--user", "a:\(folder.path("none"))").status == .usage)
    #expect(runTool("serve", folder.path("none")).errors.contains("[missing-index]"))
    #expect(runTool("serve", out, "--log", folder.path).status == .machineFailed)
    let xcode = try built("xcode")
    #expect(runTool("serve", xcode.path("out")).errors.contains("build with --layout hosted"))
  }

  @Test(arguments: ["nginx", "caddy", "apache"]) func `configurations are printed`(server: String) throws {
    let folder = try built("packtool")
    let run = runTool(
      "serve", folder.path("out"), "--config", server, "--port", "8080", "--name", "packs.example.com")
    #expect(run.status == .done && run.output.contains("8080") && run.output.contains(folder.path("out")))
    #expect(run.output.contains("^/index\\.json(") && run.output.contains("immutable"))
  }
}
