@testable import Formats
import Support
import Testing

/// Tests reading projects in the OpenStep format: the values, and the places of mistakes.
@Suite(.noHang) struct OpenStepReaderTests {
  private static func read(_ text: String) -> (tree: PlistTree?, diagnostics: [Diagnostic]) {
    OpenStepReader.read(SourceText(path: "a", bytes: Array(text.utf8)))
  }

  @Test(arguments: [
    ("{a = b;}", 3), ("(a, b)", 3), ("( a , b , )", 3), ("()", 1), ("{}", 1), ("a", 1), ("\"a\\\"b\"", 1),
    ("{a=(1,2);\"b c\"={};}", 7), ("// x\n(a, /* b */ c) // d", 3), ("(a /* , b */\n,c)", 3),
    ("{a = b; /* ; */ }", 3), ("<0fbc>", 1), ("(a\u{2028},b)", 3),
  ])
  func `a text has its values`(text: String, count: Int) {
    let read = Self.read(text)
    #expect(read.diagnostics.isEmpty)
    #expect(read.tree?.records.count == count)
  }

  /// For each mistake: its column, and the expected and the actual text in the message.
  @Test(arguments: [
    ("{a = b}", #"7 ";" "}" "a""#), ("{a = b c = d;}", #"8 ";" "c" "a""#), ("(a b)", #"4 "," "b""#),
    ("(a;)", #"3 "," ";""#), ("{a = b, c = d;}", #"7 ";" "," "a""#), ("{a b;}", #"4 "=" "b" "a""#),
    ("(a, /* x", #"5 "*/""#), ("{a = b; /* x", #"9 "*/" "a""#), ("/* x", #"1 "*/""#), ("(a) b", #"5 "b""#),
    ("", "1 "), ("// x", "5 "),
  ])
  func `a mistake has its place`(text: String, expected: String) {
    let read = Self.read(text)
    #expect(read.tree == nil)
    #expect(
      read.diagnostics.map { "\($0.place.position?.column ?? 0) \($0.namedValues)" } == [expected])
    #expect(read.diagnostics.areAll { $0.check == .projectSyntax })
  }
}
