import Inspect
import Model
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

@Suite struct ResponderTests {
  private let site: BuiltSite
  private let table: ServedTable
  private var responder = Responder(hosts: HostNames(.loopback))

  init() throws {
    site = try BuiltSite()
    table = try #require(try BuiltTable(site.path).table)
  }

  private func request(
    _ target: String, method: String = "GET", _ change: (inout Request) -> Void = { _ in }
  ) -> Request {
    var request = Request(method, target: Array(target.utf8))
    request.hosts = ["localhost"]
    change(&request)
    return request
  }

  /// Returns a header of the response that a responder makes.
  private func header(_ name: String, of request: Request, by responder: Responder? = nil) -> String? {
    let responder = responder ?? self.responder
    let headers = responder.headers(of: responder.response(to: request, from: table))
    return headers.first { $0.name == name }?.value
  }

  private func status(_ request: Request) -> Int { responder.response(to: request, from: table).status }

  @Test func `only what the index names`() throws {
    for path in table.paths {
      #expect(status(request("/" + ServedSite.encoded(path))) == 200, "\(path)")
    }
    #expect(table.paths.count == site.index.packs.count + 2)
    for target in [
      "/index.json/", "/./index.json", "/packs/../index.json", "/packs", "/packs/", "//index.json",
      "/Index.json",
      "/.packtool/record", "/.packtool/lock", "/%2e%2e/Manifest.json", "/index.json%2F",
    ] {
      #expect(status(request(target)) == 404, "\(target)")
    }
  }

  @Test func `conditions`() throws {
    let tag = try #require(table.index.entityTag)
    for header in [
      tag, "\"x\", \(tag)", "W/\(tag)", "*", " \(tag) ,\"x\"", "\t\(tag)\t", "\"x\",\t W/\(tag) \t",
    ] {
      #expect(status(request("/index.json") { $0.ifNoneMatch = [header] }) == 304, "\(header)")
    }
    #expect(status(request("/index.json") { $0.ifNoneMatch = ["\"x\"", "abc"] }) == 200)
    for other in ["W/W/\(tag)", "w/\(tag)", "\(tag)x", "x\(tag)", "", "W/", "**"] {
      #expect(status(request("/index.json") { $0.ifNoneMatch = [other] }) == 200, "\(other)")
    }
    #expect(status(request("/index.json") { $0.ifNoneMatch = ["\"x\"", tag] }) == 304)
    // A range contains bytes of the file itself, even if the client accepts compressed responses.
    let part = request("/index.json") { ($0.ranges, $0.acceptedCodings) = (["bytes=0-1"], ["gzip"]) }
    #expect(status(part) == 206 && header("Content-Encoding", of: part) == nil)
    #expect(header("Content-Range", of: part) == "bytes 0-1/\(table.index.size)")
    #expect(status(request("/index.json") { $0.ranges = ["bytes=0-1"] }) == 206)
    #expect(status(request("/index.json") { ($0.ranges, $0.ifRange) = (["bytes=0-1"], tag) }) == 206)
    for other in ["\"x\"", "W/\(tag)", "Sun, 22 Nov 2026 22:11:47 GMT", ""] {
      #expect(status(request("/index.json") { ($0.ranges, $0.ifRange) = (["bytes=0-1"], other) }) == 200)
    }
    #expect(status(request("/index.json", method: "HEAD") { $0.ranges = ["bytes=0-1"] }) == 200)
  }

  @Test func `each refusal has its status`() {
    for target in ["/%zz", "/%00", "/%ff", "/a#b"] { #expect(status(request(target)) == 400, "\(target)") }
    let beyond = request("/index.json") { $0.ranges = ["bytes=9999999-"] }
    #expect(status(beyond) == 416)
    #expect(header("Content-Range", of: beyond) == "bytes */\(table.index.size)")
  }

  @Test func `hosts`() {
    #expect(status(request("/") { $0.hosts = ["evil.com"] }) == 421)
    #expect(status(request("/") { $0.hosts = [] }) == 400)
    #expect(status(request("/") { $0.hosts = ["localhost", "evil.com"] }) == 400)
    #expect(status(request("http://evil.com/index.json")) == 421)
    #expect(status(request("http://localhost:1/index.json")) == 200)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "get", ""]) func `methods`(method: String)
  {
    let request = request("/index.json", method: method)
    #expect(status(request) == 405 && header("Allow", of: request) == "GET, HEAD")
  }

  @Test func `bodies end the connection`() {
    let response = responder.response(to: request("/index.json") { $0.hasBody = true }, from: table)
    #expect(response.status == 400 && response.closes)
    let malformed = responder.response(to: request("/index.json") { $0.isMalformed = true }, from: table)
    #expect(malformed.status == 400 && malformed.closes)
    #expect(!responder.response(to: request("/index.json"), from: table).closes)
    #expect(!responder.response(to: request("/nothing"), from: table).closes)
  }

  @Test func `login`() {
    var closed = responder
    closed.login = Login(name: "dev", password: "secret")
    func status(_ credentials: Credentials?) -> Int {
      closed.response(to: request("/index.json") { $0.credentials = credentials }, from: table).status
    }
    #expect(status(nil) == 401)
    #expect(status(Credentials(name: "dev", password: "")) == 401)
    #expect(status(Credentials(name: "", password: "secret")) == 401)
    #expect(status(Credentials(name: "dev", password: "secret")) == 200)
    #expect(closed.response(to: request("/"), from: table).status == 401)
    #expect(closed.response(to: request("/.packtool/events"), from: table).status == 401)
  }

  @Test func `caching`() throws {
    let pack = try #require(site.index.packs.first)
    let request = request("/" + ServedSite.encoded(pack.archive.path))
    #expect(header("Cache-Control", of: request) == "public, max-age=31536000, immutable")
    #expect(header("ETag", of: request) == "\"\(pack.archive.file.digest.hex)\"")
    #expect(header("Content-Type", of: request) == "application/zip")
    let index = self.request("/index.json")
    #expect(header("Cache-Control", of: index) == "no-cache")
    #expect(header("Content-Type", of: index) == "application/json")
    #expect(header("ETag", of: index) == "\"\(try InputFile("\(site.path)/index.json").digest().hex)\"")
  }

  /// Shared caches must not store files for which a password is necessary.
  @Test func `files behind a password are private`() throws {
    var closed = responder
    closed.login = Login(name: "dev", password: "secret")
    let pack = try #require(site.index.packs.first)
    func caching(_ path: String) -> String? {
      let request = request(path) { $0.credentials = Credentials(name: "dev", password: "secret") }
      return header("Cache-Control", of: request, by: closed)
    }
    #expect(caching("/" + ServedSite.encoded(pack.archive.path)) == "private, max-age=31536000, immutable")
    #expect(caching("/index.json") == "no-cache")
  }

  @Test func `all headers of a file are those that it needs`() throws {
    func names(_ request: Request, _ responder: Responder) -> [String] {
      responder.headers(of: responder.response(to: request, from: table)).map(\.name).sorted()
    }
    let pack = request("/" + ServedSite.encoded(try #require(site.index.packs.first).archive.path))
    let plain = ["Accept-Ranges", "Cache-Control", "Content-Type", "ETag", "X-Content-Type-Options"]
    #expect(names(pack, responder) == (plain + ["Cross-Origin-Resource-Policy"]).sorted())
    // Text files can be sent compressed. The response must contain this information for caches.
    let index = request("/index.json") { $0.acceptedCodings = ["gzip"] }
    let coded = plain + ["Content-Encoding", "Cross-Origin-Resource-Policy", "Vary"]
    #expect(names(index, responder) == coded.sorted())
    #expect(header("Vary", of: request("/index.json")) == "Accept-Encoding")
    #expect(header("Content-Encoding", of: request("/index.json")) == nil)
    var open = responder
    open.allowedOrigin = "*"
    let shared = plain + ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"]
    #expect(names(pack, open) == shared.sorted())
    #expect(names(request("/nothing"), responder).contains("Accept-Ranges") == false)
    #expect(header("Connection", of: request("/index.json") { $0.isMalformed = true }) == "close")
    #expect(header("Connection", of: request("/index.json")) == nil)
  }

  @Test func `only pages that may read answers may listen`() {
    var open = responder
    open.allowedOrigin = "http://localhost:3000"
    for (origin, site, isTaken, isTakenByOpen) in [
      (nil, nil, true, true), ("http://localhost", nil, true, true), ("https://localhost", nil, true, true),
      ("http://localhost:3000", nil, false, true), ("http://evil.com", nil, false, false),
      (nil, "none", true, true), (nil, "same-origin", true, true), (nil, "cross-site", false, false),
      ("http://localhost", "same-site", false, false), ("http://localhost:3000", "cross-site", false, true),
    ] as [(String?, String?, Bool, Bool)] {
      let request = request("/.packtool/events") { ($0.origin, $0.fetchSite) = (origin, site) }
      #expect(status(request) == (isTaken ? 200 : 403), "\(origin ?? "-") \(site ?? "-")")
      let status = open.response(to: request, from: table).status
      #expect(status == (isTakenByOpen ? 200 : 403), "\(origin ?? "-") \(site ?? "-")")
    }
  }

  @Test func `other sites may read only where allowed`() {
    let index = request("/index.json")
    #expect(header("Access-Control-Allow-Origin", of: index) == nil)
    #expect(header("Cross-Origin-Resource-Policy", of: index) == "same-origin")
    var open = responder
    open.allowedOrigin = "http://localhost:3000"
    #expect(header("Access-Control-Allow-Origin", of: index, by: open) == "http://localhost:3000")
    let asked = request("/index.json", method: "OPTIONS")
    #expect(open.response(to: asked, from: table).status == 204)
    #expect(header("Access-Control-Allow-Methods", of: asked, by: open) == "GET, HEAD")
    #expect(header("Access-Control-Allow-Headers", of: asked, by: open) == "*, Authorization")
    // A browser sends this request without a password, but only to a name of this server.
    open.login = Login(name: "dev", password: "secret")
    #expect(open.response(to: asked, from: table).status == 204)
    #expect(open.response(to: index, from: table).status == 401)
    #expect(header("WWW-Authenticate", of: index, by: open)?.hasPrefix("Basic realm=") == true)
    let foreign = request("/index.json", method: "OPTIONS") { $0.hosts = ["evil.com"] }
    #expect(open.response(to: foreign, from: table).status == 421)
    #expect(header("Access-Control-Expose-Headers", of: index, by: open) != nil)
    #expect(header("X-Content-Type-Options", of: index) == "nosniff")
    #expect(header("Accept-Ranges", of: index) == "bytes")
  }

  @Test func `faults`() throws {
    var failing = responder
    failing.faults = [try Fault("404:contents.*"), try Fault("cut:7:*.zip"), try Fault("503:1/20")]
    let pack = "/" + ServedSite.encoded(try #require(site.index.packs.first).archive.path)
    #expect(failing.response(to: request("/\(site.index.contents.path)"), from: table).status == 404)
    #expect(failing.response(to: request(pack), from: table).cut == 7)
    let twentieth = request("/index.json") { $0.number = 20 }
    #expect(failing.response(to: twentieth, from: table).status == 503)
    #expect(header("Retry-After", of: twentieth, by: failing) == "1")
    #expect(failing.response(to: request("/"), from: table).status == 200)
    // If several cuts match a request, the connection ends at the cut with the fewest bytes.
    for texts in [["cut:7:*.zip", "cut:3:*.zip"], ["cut:3:*.zip", "cut:7:*.zip"]] {
      failing.faults = try texts.map { try Fault($0) }
      #expect(failing.response(to: request(pack), from: table).cut == 3)
    }
    #expect(responder.response(to: request(pack), from: table).cut == nil)
  }
}
