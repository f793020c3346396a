import Support
import Testing

@testable import Serving

/// Tests how the server reads the headers of a request.
@Suite struct RequestHeaderTests {
  private func request(_ headers: KeyValuePairs<String, String>) -> Request {
    request(headers.map { (Array($0.key.utf8), Array($0.value.utf8)) })
  }

  private func request(_ headers: [([UInt8], [UInt8])]) -> Request {
    var request = Request("GET", target: Array("/".utf8))
    for (name, value) in headers {
      name.withUnsafeBytes { name in
        value.withUnsafeBytes { value in request.readHeader(name, value: value) }
      }
    }
    return request
  }

  @Test func `each header has its place`() {
    let all = request([
      "hOST": "a", "Range": "b", "range": "c", "If-Range": "d", "Accept-Encoding": "e",
      "ACCEPT-ENCODING": "f",
      "If-None-Match": "g", "if-none-match": "h", "Origin": "i", "Sec-Fetch-Site": "j", "X-Host": "k",
      "Hos": "l", "Hosts": "m",
    ])
    #expect(all.hosts == ["a"] && all.ranges == ["b", "c"] && all.ifRange == "d")
    #expect(all.acceptedCodings == ["e", "f"] && all.ifNoneMatch == ["g", "h"])
    #expect(all.origin == "i" && all.fetchSite == "j")
    #expect(all.credentials == nil && all.authorizations == 0 && !all.hasBody && !all.isMalformed)
    #expect(all.method == "GET" && all.target == [0x2f] && all.number == 1)
  }

  /// Two headers of these kinds contradict each other, so neither counts.
  @Test func `headers that are sent twice`() {
    let twice = request(["If-Range": "a", "if-range": "b", "Origin": "c", "origin": "d"])
    #expect(twice.ifRange == "" && twice.origin == "")
    #expect(request(["Host": "a", "Host": "b"]).hosts == ["a", "b"])
    let login = "Basic YTpi"
    let one = request(["Authorization": login])
    #expect(one.credentials?.name == "a" && one.credentials?.password == "b" && one.authorizations == 1)
    #expect(request(["Authorization": login, "authorization": login]).credentials == nil)
    #expect(request(["Authorization": "x", "Authorization": login]).credentials == nil)
  }

  @Test(arguments: [
    ("Content-Length", "0", false), ("content-length", "44", true), ("Content-Length", "00", true),
    ("Content-Length", "", true), ("Transfer-Encoding", "chunked", true), ("Transfer-Encoding", "", true),
    ("Content-Type", "a", false),
  ])
  func `some headers announce a body`(name: String, value: String, expected: Bool) {
    #expect(request([name: value]).hasBody == expected)
    #expect(!request([name: value]).isMalformed)
  }

  /// Other programs could read such a name in another way.
  @Test func `names have only visible characters of ASCII`() {
    for byte in UInt8.min...UInt8.max {
      let name = Array("X".utf8) + [byte]
      #expect(request([(name, [])]).isMalformed == !(0x21...0x7e).contains(byte), "\(byte)")
      #expect(request([(Array("X".utf8), [byte])]).isMalformed == (byte == 0), "\(byte)")
    }
  }

  @Test(arguments: [
    ("Basic YTpi", "a", "b"), ("bASIC YTpi", "a", "b"), ("Basic   YTpi", "a", "b"), ("Basic Og==", "", ""),
    ("Basic YTpiOmM=", "a", "b:c"),
  ])
  func `a login has a name and a password`(header: String, name: String, password: String) throws {
    let credentials = try #require(Credentials(authorization: header))
    #expect(credentials.name == name && credentials.password == password)
  }

  @Test(arguments: [
    "", "Basic", "Basic ", "Basic YQ==", "Basic YTpi YTpi", "Basic YTpi ", "Basic YTp", "Digest YTpi", "YTpi",
    "BasicYTpi", "Basic /zph",
  ])
  func `others are no logins`(header: String) { #expect(Credentials(authorization: header) == nil) }

  @Test func `both the name and the password must be right`() {
    let login = Login(name: "a", password: "b")
    #expect(login.name == "a")
    #expect(login.accepts(Credentials(name: "a", password: "b")))
    for (name, password) in [("a", "a"), ("b", "b"), ("b", "a"), ("", ""), ("A", "b"), ("a", "b ")] {
      #expect(!login.accepts(Credentials(name: name, password: password)), "\(name) \(password)")
    }
  }
}
