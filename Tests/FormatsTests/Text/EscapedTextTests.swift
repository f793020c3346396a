@testable import Formats
import Testing

/// Tests the escaped strings that an HTML page shows.
@Suite struct EscapedTextTests {
  /// A string of more than 2,000 bytes is shortened, but keeps its beginning and its end.
  ///
  /// Each end has as many whole characters as fit into 998 bytes.
  @Test(arguments: [
    ("a", 2000, 2000, 0), ("a", 2001, 998, 998), ("é", 1000, 1000, 0), ("é", 1001, 499, 499),
    ("<", 500, 500, 0), ("<", 501, 249, 249), ("\u{1f600}", 501, 249, 249),
  ])
  func `a long text loses its middle`(character: String, count: Int, front: Int, back: Int) {
    let shown = character == "<" ? "&lt;" : character
    let text = HTMLForm.escaped(String(repeating: character, count: count))
    let end = back == 0 ? "" : "…" + String(repeating: shown, count: back)
    #expect(text == String(repeating: shown, count: front) + end)
  }
}
