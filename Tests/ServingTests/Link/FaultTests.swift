import Support
import Testing

@testable import Serving

@Suite struct FaultTests {
  private func fault(_ text: String) throws -> Fault { try Fault(text) }

  @Test func `patterns are globs`() throws {
    let named = try fault("404:*Castle*")
    #expect(named.kind == .missing && named.hits("packs/a.Castle-1.zip", number: 1))
    #expect(!named.hits("packs/a.Forest-1.zip", number: 1))
    #expect(try fault("404:/packs/*").hits("packs/x", number: 1))
    #expect(try !fault("404:packs/*").hits("index.json", number: 1))
    #expect(try fault("404:**/{a,b}:c").hits("x/b:c", number: 1))
  }

  @Test func `patterns that hit nothing are told`() throws {
    let built = try BuiltSite()
    let table = try #require(try BuiltTable(built.path).table)
    #expect(try fault("404:*.zip").hitsAny(of: table) && fault("503:1/20").hitsAny(of: table))
    #expect(try !fault("404:*zzz*").hitsAny(of: table))
  }

  @Test func `cuts have sizes`() throws {
    #expect(try fault("cut:100:*").cut == 100)
    #expect(try fault("cut:64 kB:a:b").cut == 64_000)
    #expect(try fault("cut:0:*").cut == 0)
  }

  @Test(arguments: [("1/20", 5), ("1/1", 100), ("3/4", 75), ("20/100", 20)])
  func `shares are exact`(share: String, count: Int) throws {
    let fault = try fault("503:\(share)")
    #expect((1...100).filter { fault.hits("x", number: $0) }.count == count)
    #expect(try !Fault("503:\(share):*.zip").hits("index.json", number: 20))
  }

  @Test(arguments: [
    ("", "takes 404:PATTERN, cut:BYTES:PATTERN or 503:1/20, not \"\""),
    ("404", "takes 404:PATTERN, cut:BYTES:PATTERN or 503:1/20, not \"404\""),
    ("500:x", "takes 404:PATTERN, cut:BYTES:PATTERN or 503:1/20, not \"500:x\""),
    ("404:[", "has the pattern \"[\", which is no glob such as \"*Castle*\""),
    ("404:../x", "has the pattern \"../x\", which is no glob such as \"*Castle*\""),
    ("cut:x:*", "has \"x\" for a size; expected bytes, such as 65536 or \"64 kB\""),
    ("cut:-1:*", "has \"-1\" for a size; expected bytes, such as 65536 or \"64 kB\""),
    ("503:0/20", "has \"0/20\" for a share; expected a fraction up to 1, such as 1/20"),
    ("503:2/1", "has \"2/1\" for a share; expected a fraction up to 1, such as 1/20"),
    ("503:1/0", "has \"1/0\" for a share; expected a fraction up to 1, such as 1/20"),
    (
      "503:1/9999999999999999999",
      "has \"1/9999999999999999999\" for a share; expected a fraction up to 1, such as 1/20"
    ),
  ])
  func `others are refused`(text: String, message: String) {
    let mistake = #expect(throws: Fault.Mistake.self) { try Fault(text) }
    #expect(mistake?.message == message)
  }
}
