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
    #expect(try fault("404::x").hits(":x", number: 1) && !fault("404::x").hits("x", number: 1))
    #expect(try fault("404:x").hits("a/b/x", number: 1) && !fault("404:/x").hits("a/b/x", number: 1))
    #expect(try fault("404:*").text == "404:*" && fault("404:*").cut == nil)
  }

  @Test func `patterns that match nothing are reported`() throws {
    let built = try BuiltSite()
    let table = try #require(try BuiltTable(built.path).table)
    #expect(try fault("404:*.zip").hitsAny(of: table) && fault("503:1/20").hitsAny(of: table))
    #expect(try !fault("404:*zzz*").hitsAny(of: table))
  }

  @Test func `cuts have sizes`() throws {
    #expect(try fault("cut:100:*").cut == 100)
    #expect(try fault("cut:64 kB:a:b").cut == 64_000)
    #expect(try fault("cut:0:*").cut == 0)
    let cut = try fault("cut:1:*.zip")
    #expect(cut.kind == .cut(1) && cut.hits("a.zip", number: 1) && !cut.hits("a.json", number: 1))
    #expect(try fault("cut:9223372036854775807:*").cut == .max)
  }

  @Test(arguments: [("1/20", 5), ("1/1", 100), ("3/4", 75), ("20/100", 20)])
  func `shares are exact`(share: String, count: Int) throws {
    let fault = try fault("503:\(share)")
    #expect((1...100).filter { fault.hits("x", number: $0) }.count == count)
    #expect(try !Fault("503:\(share):*.zip").hits("index.json", number: 20))
    #expect(try Fault("503:\(share):*.zip").hits("a.zip", number: 20))
    #expect(fault.cut == nil)
  }

  @Test func `failures are spread evenly`() throws {
    let fault = try fault("503:2/5")
    #expect((0..<10).filter { fault.hits("x", number: $0) } == [0, 3, 5, 8])
    #expect(fault.kind == .unavailable(2, of: 5))
    #expect(try self.fault("503:1/1000000").kind == .unavailable(1, of: 1_000_000))
  }

  @Test(arguments: [
    ("", #"404 503 1 20 """#),
    ("404", #"404 503 1 20 "404""#),
    ("500:x", #"404 503 1 20 "500:x""#),
    ("404:[", #""[" "*Castle*""#),
    ("404:../x", #""../x" "*Castle*""#),
    ("cut:x:*", #""x" 65536 "64 kB""#),
    ("cut:-1:*", #""-1" 65536 "64 kB""#),
    ("503:0/20", #""0/20" 1 1 20"#),
    ("503:2/1", #""2/1" 1 1 20"#),
    ("503:1/0", #""1/0" 1 1 20"#),
    ("503:1//20", #""1//20" 1 1 20"#),
    ("503:/1/20", #""/1/20" 1 1 20"#),
    ("503:1", #""1" 1 1 20"#),
    ("503:1/2/3", #""1/2/3" 1 1 20"#),
    ("503:-1/20", #""-1/20" 1 1 20"#),
    ("503:1/1000001", #""1/1000001" 1 1 20"#),
    ("cut:1", #"404 503 1 20 "cut:1""#),
    (
      "503:1/9999999999999999999",
      #""1/9999999999999999999" 1 1 20"#
    ),
  ])
  func `others are refused`(text: String, facts: String) {
    let mistake = #expect(throws: Fault.Mistake.self) { try Fault(text) }
    #expect(mistake.map { values(in: $0.message) } == facts)
  }
}
