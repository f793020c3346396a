import Model
import Support
import Testing

@testable import Serving

@Suite struct ResponseTests {
  private let folder: TemporaryFolder
  private let file: ServedFile

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("a", "12345")
    var draft = try TableDraft(.packtool, in: folder.path)
    file = try #require(try draft.add(fileAt: "a", caching: .immutable))
  }

  /// Returns a response with the whole file, with a change.
  private func response(
    _ status: Int, _ range: Range<Int64> = 0..<5, _ change: (inout Response) -> Void = { _ in }
  ) -> Response {
    var response = Response(status, body: .file(file, range))
    change(&response)
    return response
  }

  /// All requests for a whole file get the same headers and bytes.
  @Test func `connections share whole files only`() {
    #expect(response(200).isWholeFile && response(304).isWholeFile)
    for status in [201, 206, 305, 404] { #expect(!response(status).isWholeFile, "\(status)") }
    for range in [0..<4, 1..<5, 5..<5] as [Range<Int64>] { #expect(!response(200, range).isWholeFile) }
    #expect(!response(200) { $0.cut = 5 }.isWholeFile && !response(304) { $0.closes = true }.isWholeFile)
    #expect(!response(206) { $0.cut = 5 }.isWholeFile && !response(206) { $0.closes = true }.isWholeFile)
    #expect(!Response(200).isWholeFile && !Response(200, body: .text("12345")).isWholeFile)
    #expect(!Response(200, body: .gauge).isWholeFile)
  }

  @Test func `the length is that of the body`() {
    #expect(response(200).length == 5 && response(206, 1..<3).length == 2)
    #expect(Response(204).length == 0 && Response(200, body: .text("é")).length == 2)
    #expect(Response(200, body: .gauge).length == nil && Response(200, body: .events).length == nil)
  }

  @Test func `a refusal says why`() throws {
    let refusal = Response.refusal(404, reason: "no", headers: [ResponseHeader("A", value: "b")])
    #expect(refusal.status == 404 && refusal.length == 3 && !refusal.closes && refusal.cut == nil)
    #expect(
      refusal.ownHeaders == [
        ResponseHeader("A", value: "b"), ResponseHeader("Content-Type", value: "text/plain; charset=utf-8"),
        ResponseHeader("Cache-Control", value: "no-store"),
      ])
    guard case .text("no\n") = refusal.body else {
      Issue.record("\(refusal.body)")
      return
    }
    #expect(
      Response.own("a/b", body: .gauge).ownHeaders == [
        ResponseHeader("Content-Type", value: "a/b"), ResponseHeader("Cache-Control", value: "no-store"),
      ])
  }
}
