import Formats
import Inspect
import Model
import Packing
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

/// Tests downloads with programs from other projects.
@Suite(.mostlyWaits, .serialized) struct ClientTests {
  private static let size = 3_000_000

  /// Returns a site with a large pack, the pack's URL, and the pack's bytes.
  private func larger() throws -> (site: ServedSite, url: String, bytes: [UInt8]) {
    let site = try ServedSite()
    try site.built.site.write("a/large.bin", Sample.noise(Self.size))
    try site.rebuild()
    let path = try #require(site.release.table.paths.first { $0.contains(".A-") })
    return (site, site.server.urls[0] + ServedSite.encoded(path), try site.published(path))
  }

  private func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(.enabled(if: isInstalled("curl"), "needs curl")) func `curl fetches and resumes`() throws {
    let (site, url, bytes) = try larger()
    let folder = try TemporaryFolder()
    let file = folder.path("x")
    #expect(try run("curl", ["-sf", "-o", file, url]).status == 0)
    #expect(try read(file) == bytes)
    try folder.write("x", Data(bytes.prefix(1000)))
    #expect(try run("curl", ["-sf", "-C", "-", "-o", file, url]).status == 0)
    #expect(try read(file) == bytes)
    let etag = folder.path("etag")
    let conditional = [
      "-sf", "--etag-save", etag, "--etag-compare", etag, "-w", "%{http_code}", "-o", "/dev/null", url,
    ]
    #expect(try run("curl", conditional).output == "200")
    #expect(try run("curl", conditional).output == "304")
    _ = site
  }

  @Test(.enabled(if: isInstalled("wget"), "needs wget")) func `wget fetches and resumes`() throws {
    let (site, url, bytes) = try larger()
    let folder = try TemporaryFolder()
    try folder.write("x", Data(bytes.prefix(70_000)))
    let result = try run(
      "wget", ["-q", "-c", "-O", folder.path("x"), url], environment: ["no_proxy": "127.0.0.1"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try read(folder.path("x")) == bytes)
    _ = site
  }

  @Test(.enabled(if: isInstalled("aria2c"), "needs aria2")) func `aria fetches sixteen ranges at once`()
    throws
  {
    let (site, url, bytes) = try larger()
    let folder = try TemporaryFolder()
    let result = try run(
      "aria2c",
      [
        "-q", "-x16", "-s16", "-k1M", "--min-split-size=1M", "--no-proxy=127.0.0.1", "-d", folder.path, "-o",
        "x", url,
      ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(try read(folder.path("x")) == bytes)
    _ = site
  }

  @Test(.enabled(if: isInstalled("python3"), "needs python3")) func `Python reads several on one connection`()
    throws
  {
    let (site, url, bytes) = try larger()
    let script = """
      import hashlib, http.client, sys, urllib.parse
      url = urllib.parse.urlsplit(sys.argv[1])
      connection = http.client.HTTPConnection(url.netloc)
      def get(**headers):
        connection.request("GET", url.path, headers={key.replace("_", "-"): value for key, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
      status, whole, headers = get()
      assert status == 200 and int(headers["Content-Length"]) == len(whole), status
      socket = connection.sock
      parts = b"".join(get(Range=f"bytes={start}-{start + 99999}")[1] for start in range(0, len(whole), 100000))
      assert parts == whole and connection.sock is socket
      assert get(If_None_Match=headers["ETag"])[0] == 304
      assert get(Range="bytes=0-9", If_Range=headers["ETag"])[0] == 206
      print(hashlib.sha256(whole).hexdigest())
      """
    let result = try run("python3", ["-c", script, url])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.trimmingCharacters(in: .newlines) == TestDigest.hex(of: bytes))
    _ = site
  }

  @Test(
    .enabled(
      if: isInstalled("chromium") && isInstalled("chromedriver"), "needs chromium and chromedriver"))
  func `chromium fetches and shows the gauge`() throws {
    let (site, url, bytes) = try larger()
    let result = try run(
      "python3", ["\(packageFolder)/Tests/Fixtures/Browser/fetch.py", site.server.urls[0], url])
    #expect(result.status == 0, "\(result.errors)")
    let value = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.output)")
    #expect(value["whole"] as? String == TestDigest.hex(of: bytes))
    #expect(value["joined"] as? String == TestDigest.hex(of: bytes))
    #expect(value["statuses"] as? [Int] == [200, 206, 206, 200])
    #expect(value["state"] as? String == "live")
    #expect((value["fetched"] as? [String])?.first == ByteSize.text(Int64(bytes.count)))
    #expect((value["console"] as? [String]) == [])
  }

  @Test(.enabled(if: isInstalled("curl") && isInstalled("openssl"), "needs curl and openssl"))
  func `certificates make HTTPS`() throws {
    let folder = try TemporaryFolder()
    let made = try run(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
      ], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    var settings = PackServer.Settings()
    let texts = try ["cert.pem", "key.pem"].map { String(decoding: try folder.read($0), as: UTF8.self) }
    settings.certificate = CertificateText(chain: texts[0], key: texts[1])
    let site = try ServedSite(.zip, settings)
    #expect(site.server.urls[0].hasPrefix("https://"))
    let pack = try site.built.pack("C")
    let fetched = try run(
      "curl", ["-sf", "--noproxy", "*", "--cacert", "cert.pem", "-o", "x", site.url(of: pack)],
      in: folder.path)
    #expect(fetched.status == 0, "\(fetched.errors)")
    #expect(try read(folder.path("x")) == site.published(pack.archive.path))
    settings.certificate = CertificateText(chain: "none", key: "none")
    #expect(throws: PackServer.Failure.self) { try PackServer(site.release, settings: settings) }
  }
}
