import Foundation
import Support
@testable import System
import Testing

@Suite struct FileContentsTests {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func contents(_ path: String, limit: Int) throws -> FileContents {
    try FileContents(of: temporary.path(path), limit: limit)
  }

  @Test func `a file is read whole, up to a limit`() throws {
    try temporary.write("a", "abc")
    #expect(try contents("a", limit: 3) == .bytes(Array("abc".utf8)))
    #expect(try contents("a", limit: 2) == .tooLong)
  }

  @Test func `a path that is not a file differs from a missing path`() throws {
    try temporary.write("folder/a", "")
    #expect(mkfifo(temporary.path("fifo"), 0o644) == 0)
    #expect(try contents("folder", limit: 9) == .noFile)
    #expect(try contents("fifo", limit: 9) == .noFile)
    #expect(try contents("b", limit: 9) == .missing)
    #expect(try contents("folder/a/b", limit: 9) == .missing)
  }

  @Test func `what cannot be looked at is an error`() throws {
    try temporary.link("loop", to: "loop")
    let error = #expect(throws: SystemError.self) { try contents("loop", limit: 9) }
    #expect(error?.isLink == true)
  }
}
