import Formats
import Inspect
import Model
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

/// Runs the printed configurations in the servers for which they are written.
@Suite(.mostlyWaits, .serialized) struct HostingConfigTests {
  /// Returns a port that is free now.
  private func freePort() throws -> UInt16 { try ListeningSocket(.loopback, port: 0).port }

  private func config(
    _ site: BuiltSite, _ port: UInt16, user: HostingConfig.User? = nil
  ) throws -> HostingConfig {
    let folder = String(decoding: try FileOperations.realPath(of: site.path), as: UTF8.self)
    return try HostingConfig(
      folder: folder, layout: .packtool, address: .loopback, port: Int(port), user: user)
  }

  /// Runs a server while a test sends requests to it.
  private func serving(
    _ words: [String], _ port: UInt16, environment: [String: String] = [:], _ body: () throws -> Void
  ) throws {
    let process = try TestProcess(words[0], Array(words.dropFirst()), environment: environment)
    defer {
      process.signal(SIGTERM)
      process.waitForEnd()
    }
    try blockUntil("the server takes connections") { (try? TCPClient(port)) != nil || !process.isRunning }
    try body()
  }

  private func get(_ port: UInt16, _ path: String, _ headers: String...) throws -> Answer {
    let client = try TCPClient(port)
    let lines = ["GET /\(path) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"] + headers
    client.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    return try #require(Answer(client.readAll()))
  }

  /// Checks the responses that every server must send for the folder.
  private func check(_ site: BuiltSite, _ port: UInt16, _ headers: String...) throws {
    let token = headers.first ?? "X-None: 0"
    let pack = try site.pack("A")
    let bytes = Array(try site.site.folder.read("out/\(pack.archive.path)"))
    let path = ServedSite.encoded(pack.archive.path)
    let whole = try get(port, path, token)
    #expect(whole.status == 200 && whole.body == bytes && whole["Content-Type"] == "application/zip")
    #expect(whole["Cache-Control"] == "public, max-age=31536000, immutable" && whole["ETag"] != nil)
    let part = try get(port, path, token, "Range: bytes=10-19")
    #expect(part.status == 206 && part.body == Array(bytes[10..<20]))
    let index = try get(port, "index.json", token)
    #expect(index["Cache-Control"] == "no-cache" && index["Content-Type"] == "application/json")
    #expect(try get(port, "index.json", token, "If-None-Match: \(index["ETag"] ?? "")").status == 304)
    for other in [
      "", "packs", "packs/", ".packtool/record", "Manifest.json", "packs/../../Manifest.json", "index.jsonx",
    ] {
      #expect([400, 403, 404].contains(try get(port, other, token).status), "\(other)")
    }
  }

  /// Makes a login.
  ///
  /// The hash of the password is made as the comment in the configuration describes.
  private func user(in site: BuiltSite, _ config: (HostingConfig.User) throws -> HostingConfig) throws
    -> HostingConfig
  {
    try site.site.folder.write("password", "secret\n")
    let made = try config(HostingConfig.User(name: "dev", passwordFile: site.site.folder.path("password")))
    let command = try #require(made.text(for: .nginx).text.firstMatch(of: #/printf .*/#))
    #expect(try run("sh", ["-ec", String(command.output)]).status == 0)
    return made
  }

  private static let token = "Authorization: Basic \(Data("dev:secret".utf8).base64EncodedString())"

  @Test(.enabled(if: isInstalled("nginx") && isInstalled("openssl"), "needs nginx")) func `nginx`() throws {
    let site = try BuiltSite()
    func serving(_ config: HostingConfig, _ body: () throws -> Void) throws {
      let folder = site.site.folder
      // These settings apply to the whole server. They are needed because, by default, nginx writes its
      // temporary files to folders that only root can write to.
      let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
        "\($0)_temp_path \(folder.path("tmp-\($0)"));"
      }.joined(separator: " ")
      // If root starts nginx, its workers run as nobody, who cannot access the test's folder.
      let account = geteuid() == 0 ? "user root;" : ""
      try folder.write(
        "nginx.conf",
        """
        \(account) daemon off; pid \(folder.path("pid")); error_log \(folder.path("errors"));
        events { } http { access_log off; \(temporary)
        \(config.text(for: .nginx).text) }
        """)
      let path = folder.path("nginx.conf")
      let test = try run("nginx", ["-t", "-c", path, "-e", folder.path("errors")])
      #expect(test.status == 0, "\(test.errors)")
      try self.serving(["nginx", "-c", path, "-e", folder.path("errors")], UInt16(config.port), body)
    }
    let open = try freePort()
    try serving(try config(site, open)) { try check(site, open) }
    let closed = try freePort()
    try serving(try user(in: site) { try config(site, closed, user: $0) }) {
      #expect(try get(closed, "index.json").status == 401)
      try check(site, closed, Self.token)
    }
  }

  @Test(.enabled(if: isInstalled("caddy"), "needs caddy")) func `caddy`() throws {
    let site = try BuiltSite()
    let home = [
      "HOME": site.site.folder.path, "XDG_DATA_HOME": site.site.folder.path,
      "XDG_CONFIG_HOME": site.site.folder.path,
    ]
    func serving(_ config: HostingConfig, hash: String = "", _ body: () throws -> Void) throws {
      try site.site.folder.write("Caddyfile", "{\n\tadmin off\n}\n\(config.text(for: .caddy).text)")
      let words = ["caddy", "run", "--adapter", "caddyfile", "--config", site.site.folder.path("Caddyfile")]
      try self.serving(
        words, UInt16(config.port), environment: home.merging(["PACKTOOL_PASSWORD_HASH": hash]) { $1 }, body)
    }
    let open = try freePort()
    try serving(try config(site, open)) { try check(site, open) }
    let closed = try freePort()
    let hash = try run("caddy", ["hash-password", "--plaintext", "secret"], environment: home).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let user = HostingConfig.User(name: "dev", passwordFile: "/password")
    try serving(try config(site, closed, user: user), hash: hash) {
      #expect(try get(closed, "index.json").status == 401)
      try check(site, closed, Self.token)
    }
  }

  @Test(.enabled(if: isInstalled("apache2"), "needs apache2-bin")) func `apache`() throws {
    let site = try BuiltSite()
    func serving(_ config: HostingConfig, _ body: () throws -> Void) throws {
      let folder = site.site.folder
      let modules = [
        "mpm_event", "authz_core", "authn_core", "headers", "mime", "auth_basic", "authn_file", "authz_user",
        "filter",
        "deflate",
      ].map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so\n" }.joined()
      // Apache refuses to run its workers as root. Other users cannot access the test's folder.
      let account = geteuid() == 0 ? "User nobody\nGroup nogroup\n" : ""
      try folder.write(
        "apache.conf",
        """
        ServerRoot \(folder.path)
        PidFile \(folder.path("pid"))
        ErrorLog \(folder.path("errors"))
        DefaultRuntimeDir \(folder.path)
        TypesConfig /dev/null
        \(modules)\(account)\(config.text(for: .apache).text)
        """)
      if geteuid() == 0 { chmod(folder.path, 0o755) }
      let path = folder.path("apache.conf")
      let test = try run("apache2", ["-t", "-f", path])
      #expect(test.status == 0, "\(test.errors)\(test.output)")
      try self.serving(["apache2", "-f", path, "-DFOREGROUND"], UInt16(config.port), body)
    }
    let open = try freePort()
    try serving(try config(site, open)) { try check(site, open) }
    let closed = try freePort()
    try serving(try user(in: site) { try config(site, closed, user: $0) }) {
      #expect(try get(closed, "index.json").status == 401)
      try check(site, closed, Self.token)
    }
  }

  @Test(arguments: ["/a\"b", "/a$b", "/a\nb", "/a{b", "/a%b", ""]) func `other paths are refused`(
    path: String
  ) {
    #expect(throws: HostingConfig.Mistake.self) {
      try HostingConfig(folder: path, layout: .packtool, address: .loopback, port: 1)
    }
  }

  /// The files in the table of `serve` must be the same as the files that the rules for other servers allow.
  @Test func `rules take what the table has`() throws {
    let site = try BuiltSite()
    let table = try #require(try BuiltTable(site.path).table)
    for path in table.paths {
      let file = try #require(table[RequestPath(decoded: path)])
      let rule = try #require(
        try table.layout.rules.first { try Regex($0.pattern.description).wholeMatch(in: "/\(path)") != nil })
      #expect(rule.caching == file.caching, "\(path)")
    }
  }
}
