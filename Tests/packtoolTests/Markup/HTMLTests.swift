@testable import Formats
import System
import Testing

struct HTMLTests {
  @Test func `literals are markup and texts are not`() {
    let name = "<script>alert('1')</script> & \"so on\""
    let html: HTML = "<td title=\"\(name)\">\(name)</td>"
    let text = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;so on&quot;"
    #expect(Self.text(html) == "<td title=\"\(text)\">\(text)</td>")
  }

  @Test func `pieces are not escaped twice`() {
    let cells = ["a<", "b"].map { cell -> HTML in "<td>\(cell)</td>" }
    let row: HTML = "<tr>\(cells)</tr>"
    #expect(Self.text(row + "<hr>") == "<tr><td>a&lt;</td><td>b</td></tr><hr>")
  }

  @Test(arguments: [
    ("\u{202e}gnp.exe", "\\u{202e}gnp.exe"), ("a\nb\tc\0", "a\\nb\\tc\\u{0}"),
    ("\u{85}\u{9b}\u{7f}", "\\u{85}\\u{9b}\\u{7f}"),
    ("\u{feff}\u{2028}", "\\u{feff}\\u{2028}"), ("\u{ffff}", "\\u{ffff}"), ("日本 é 👩‍🚀", "日本 é 👩‍🚀"),
  ])
  func `controls and hidden characters are shown`(text: String, shown: String) {
    #expect(Self.text("\(text)") == shown)
  }

  @Test func `long texts lose their middle`() {
    let path = "front/" + String(repeating: "<&日", count: 5000) + "/end.png"
    let text = Self.text("\(path)")
    #expect(text.utf8.count <= 2000)
    #expect(text.hasPrefix("front/&lt;") && text.hasSuffix("/end.png") && text.contains("…"))
    #expect(!text.contains("<"))
    #expect(Self.text("\(path, upTo: 40)").utf8.count <= 40)
  }

  @Test(arguments: [
    (0.0, "0"), (1.25, "1.3"), (-0.05, "-0.1"), (1000, "1000"), (.nan, "0"), (.infinity, "0"), (1e300, "0"),
  ])
  func `coordinates have one decimal`(number: Double, text: String) {
    #expect(Self.text("\(number)") == text)
  }

  // The digest is the output of `printf hello | openssl dgst -sha256 -binary | base64`.
  @Test func `policy allows the style and the script`() {
    let page = Self.text(HTML.page(title: "t<", style: "hello", script: "", body: "<p>"))
    #expect(page.contains("style-src 'sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='"))
    #expect(page.contains("script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"))
    #expect(page.contains("<title>t&lt;</title>") && page.contains("<style>hello</style>"))
  }

  static func text(_ html: HTML) -> String { String(decoding: html.bytes.array(), as: UTF8.self) }
}
