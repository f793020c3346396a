@testable import Formats
@testable import Pipeline
import Support
import Testing

/// Tests which tags the code of an app requests, and which tags it possibly requests.
@Suite struct TagRequestTests {
  private func requests(_ code: String, _ language: CodeLanguage = .swift) -> TagRequests {
    TagRequests(in: CodeTokens(SourceText(path: "code", bytes: Array(code.utf8)), language: language))
  }

  /// The result of a function call is not known before the app runs, but an argument of the call may be the
  /// tag.
  @Test func `strings in calls within a request are possible tags`() {
    let found = requests(#"let a = NSBundleResourceRequest(tags: [name(of: "Level 1"), "Menu"])"#)
    #expect(found.tags.map(\.value) == ["Menu"])
    #expect(found.possible == ["Level 1"])
    #expect(found.computed.count == 1)
  }

  @Test func `names stand for the strings that they were given`() {
    let found = requests(
      """
      let menu = ["Menu", "Title"]
      let request = NSBundleResourceRequest(tags: [menu, other])
      """)
    #expect(found.tags.map(\.value) == ["Menu", "Title"])
    // A name without a known string is treated as a tag that is made at run time only if the request contains
    // no known name.
    #expect(found.possible.isEmpty)
    let unknown = requests("let request = NSBundleResourceRequest(tags: [other])")
    #expect(unknown.tags.isEmpty && unknown.computed.count == 1)
    let plain = requests(#"let request = NSBundleResourceRequest(tags: ["A", "B"])"#)
    #expect(plain.tags.map(\.value) == ["A", "B"] && plain.computed.isEmpty && plain.possible.isEmpty)
    #expect(plain.tags.map(\.offset) == [45, 50])
  }
}
