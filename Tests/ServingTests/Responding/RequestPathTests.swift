import Testing

@testable import Serving

@Suite struct RequestPathTests {
  @Test(arguments: [
    ("/index.json", "index.json"), ("/a%20b%2Bc", "a b+c"), ("/a+b", "a+b"), ("/x?y=/z#", "x"),
    ("/%2e%2E/etc", "../etc"), ("//x", "/x"), ("/%C3%A9", "é"), ("/", ""),
  ])
  func `is decoded once`(target: String, path: String) throws {
    #expect(try RequestPath(target.utf8).text == path)
  }

  @Test func `bytes count`() throws {
    #expect(try RequestPath("/e%CC%81".utf8) != RequestPath("/%C3%A9".utf8))
    #expect(try RequestPath("/%252e".utf8).text == "%2e")
  }

  @Test(arguments: [
    ("", RequestPath.Mistake.notAPath), ("index.json", .notAPath), ("*", .notAPath), ("/a#b", .notAPath),
    ("/%", .brokenEscape), ("/%4", .brokenEscape), ("/%zz", .brokenEscape), ("/%+1", .brokenEscape),
    ("a/", .notAPath), ("/%1f", .hasControlCharacter), ("/%7F", .hasControlCharacter),
    ("/%00", .hasControlCharacter), ("/a%0d%0aX", .hasControlCharacter), ("/%ff", .notText),
    ("/%C0%AE%C0%AE", .notText),
  ])
  func `others are refused`(target: String, mistake: RequestPath.Mistake) {
    #expect(throws: mistake) { try RequestPath(target.utf8) }
  }

  @Test func `targets may be UR ls`() {
    #expect(RequestTarget(Array("http://a:1/b".utf8)).authority == "a:1")
    #expect(RequestTarget(Array("HTTPS://a".utf8)).path.elementsEqual("/".utf8))
    #expect(RequestTarget(Array("http:/a".utf8)).authority == nil)
    #expect(RequestTarget(Array("/a".utf8)).path.elementsEqual("/a".utf8))
    #expect(RequestTarget(Array("http://".utf8)).authority == nil)
  }

  @Test(arguments: [
    ("http://a:1/b?c", "a:1", "/b?c"), ("http://a?b/c", "a", "/?b/c"), ("https://a", "a", "/"),
    ("hTTp://a//b", "a", "//b"), ("http:///b", "", "/b"),
  ])
  func `a URL has a host and a path`(target: String, authority: String, path: String) {
    let target = RequestTarget(Array(target.utf8))
    #expect(target.authority == authority && target.path.elementsEqual(path.utf8))
  }
}
