import Foundation
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Hosted packs on a real web server.
@Suite(.mostlyWaits, .serialized) struct WebServerTests {
  static let isPossible = ["nginx", "curl", "python3"].allSatisfy { isInstalled($0) }

  @Test(.enabled(if: isPossible, "needs nginx and curl: bash .ci/setup --acceptance"))
  func `a pack is fetched by its URL in ranges`() throws {
    let site = try XcodeSite("Level 1/map ü.json", "b")
    try site.site.write("Level 1/big", Sample.noise(2_500_000))
    let server = try WebServer(root: site.folder.path("out"))
    defer { withExtendedLifetime(server) {} }
    let prefix = PackLocation.prefix(try PackURLPrefix("http://127.0.0.1:\(server.port)/"))
    try site.build(
      [.path("Level 1", "Level 1 & ü"), .path("b", "B")], XcodeSite.settings(.hosted, prefix))
    let resources = try site.resources()
    #expect(resources.count == 2)
    for resource in resources {
      let url = try #require(resource["URL"] as? String)
      let key = try #require(resource["bundleKey"] as? String)
      let name = try #require(url.removingPercentEncoding?.split(separator: "/").last.map(String.init))
      let original = try site.folder.read("out/\(name)")
      var fetched = Data()
      // The test downloads the pack in parts with range requests, as devices do.
      while fetched.count < original.count {
        let range = "\(fetched.count)-\(fetched.count + 999_999)"
        let target = site.folder.path("part")
        let result = try run("curl", ["-sS", "-g", "-r", range, "-o", target, "-w", "%{http_code}", url])
        #expect(result.output == "206", "\(result.errors)")
        let part = try site.folder.read("part")
        if part.isEmpty { break }
        fetched += part
      }
      #expect(fetched == original)
      try site.folder.write("fetched/\(key)", fetched)
      try FileOperations.makeFolder(site.folder.path("unpacked/\(key)"))
      try run(
        "python3",
        ["-m", "zipfile", "-e", site.folder.path("fetched/\(key)"), site.folder.path("unpacked/\(key)")])
      let files = try site.folder.files(below: "unpacked/\(key)")
      let size: Int = files.reduce(0) { $1.key.hasPrefix("META-INF/") ? $0 : $0 + $1.value.count }
      #expect(resource["uncompressedSize"] as? Int == size)
      for (path, content) in files where path != "Info.plist" && !path.hasPrefix("META-INF/") {
        #expect(try site.folder.read("Assets/\(path)") == content, "\(path)")
      }
    }
  }
}

/// Debian's nginx, which serves one folder on its own port.
private final class WebServer {
  let port: Int
  private let process: TestProcess
  private let folder: TemporaryFolder

  init(root: String) throws {
    folder = try TemporaryFolder()
    // The script finds a free port. It is unlikely that another program on this machine uses the port before
    // the server starts.
    let search = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
    port =
      Int(try run("python3", ["-c", search]).output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    let user = getuid() == 0 ? "user root;" : ""
    try folder.write(
      "nginx.conf",
      """
      daemon off; master_process off; \(user) pid \(folder.path("pid")); error_log \(folder.path("log"));
      events {}
      http {
        access_log off; client_body_temp_path \(folder.path("a")); proxy_temp_path \(folder.path("b"));
        fastcgi_temp_path \(folder.path("c")); uwsgi_temp_path \(folder.path("d")); scgi_temp_path \(folder.path("e"));
        server { listen 127.0.0.1:\(port); root \(root); }
      }
      """)
    let process = try TestProcess(
      "nginx", ["-e", folder.path("log"), "-c", folder.path("nginx.conf"), "-p", folder.path])
    self.process = process
    let url = "http://127.0.0.1:\(port)/"
    try blockUntil("nginx responds") {
      try run("curl", ["-s", "-o", "/dev/null", url]).status == 0 || !process.isRunning
    }
    if !process.isRunning {
      throw SiteFailure(description: "nginx: \(String(decoding: try folder.read("log"), as: UTF8.self))")
    }
  }
}
