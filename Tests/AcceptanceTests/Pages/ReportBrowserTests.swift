import Formats
@testable import packtool
import Foundation
import Support
import Testing

/// Tests reports as people open them: with and without scripts and styles, and with the restrictions of
/// Jenkins.
@Suite(
  .mostlyWaits, .serialized,
  .enabled(if: Browser.isInstalled, "no chromium and chromedriver here: .ci/setup --acceptance installs them")
)
struct ReportBrowserTests {
  private static let pages = [
    "examples.html", "plain.html", "update.html", "game.html", "devices.html", "hostile.html",
  ]

  private func site() throws -> ReportSite { try ReportSite.shared.get() }

  /// A script that finds the elements which every page has in every mode: sections with headings, drawn and
  /// coloured rectangles, and text.
  private static let look = """
    var rects = Array.from(document.querySelectorAll('#map rect')).filter(function (rect) {
      var box = rect.getBoundingClientRect(); return box.width > 2 && box.height > 2 });
    return { headings: Array.from(document.querySelectorAll('section h2')).map(function (h) { return h.innerText }),
      rects: rects.length, fills: Array.from(new Set(rects.map(function (rect) { return getComputedStyle(rect).fill }))),
      text: document.body.innerText, controls: document.querySelectorAll('input').length,
      elements: Array.from(new Set(Array.from(document.querySelectorAll('*')).map(function (e) { return e.tagName.toLowerCase() }))) }
    """

  @Test func `pages are whole in every mode`() throws {
    let site = try site()
    let modes = ["plain", "unscripted", "unstyled", "jenkins"]
    let visits = Self.pages.flatMap { page in
      modes.map { Browser.Visit(page: page, mode: $0, script: Self.look) }
    }
    let results = try Browser.visit(visits, in: site.folder)
    for (visit, result) in zip(visits, results) {
      let (value, name) = (result.value, "\(visit.page) \(visit.mode)")
      let headings = value["headings"].list.map(\.text)
      #expect(
        headings.starts(with: ["What matters", "Limits", "Sizes of packs and files"]), "\(name) \(headings)")
      #expect(
        headings.contains("Cost of the update") == ["update.html", "game.html"].contains(visit.page))
      #expect(headings.contains("Downloads of devices") == (visit.page == "devices.html"))
      #expect(
        headings.contains("Waits of players") == ["update.html", "examples.html"].contains(visit.page))
      #expect(value["rects"].number ?? 0 > 10, "\(name)")
      #expect(!value["fills"].list.isEmpty && !value["fills"].list.contains(.text("none")), "\(name)")
      #expect((value["controls"].number ?? 0 > 0) == ["plain", "unstyled"].contains(visit.mode), "\(name)")
      #expect(value["text"].text.contains("Largest files"))
      // The browser requests nothing except the page itself.
      #expect(
        result.served == ["/\(visit.mode)/\(visit.page)"] && result.requests == result.served, "\(name)")
      #expect(result.console.allSatisfy { Self.isExpected($0, in: visit.mode) }, "\(name) \(result.console)")
      #expect(result.console.isEmpty == (visit.mode == "plain"), "\(name)")
    }
  }

  /// Whether a console message only reports that the server forbids scripts or styles, which is expected in
  /// this mode.
  private static func isExpected(_ message: String, in mode: String) -> Bool {
    switch mode {
    case "unscripted":
      message.contains("Executing inline script violates") && message.contains("script-src 'none'")
    case "unstyled":
      message.contains("Applying inline style violates") && message.contains("style-src 'none'")
    case "jenkins":
      message.contains("Applying inline style violates") || message.contains("Blocked script execution")
        || message.contains("Executing inline script violates")
    default: false
    }
  }

  /// Zooming shows a single pack, packed areas show another picture, and sorting changes the order.
  ///
  /// Each change can be undone.
  @Test func `pictures can be worked with`() throws {
    let site = try site()
    let shown = """
      return [Array.from(document.querySelectorAll('#map g.f')).filter(function (g) { return g.getClientRects().length > 0 }).length,
        document.querySelector('#map g.k > rect').getAttribute('width')]
      """
    let pack = "#map g.k[role=button]"
    let sort = "#packs thead th:nth-child(3) button"
    let rows =
      "return Array.from(document.querySelectorAll('#packs tbody tr')).map(function (r) { return +r.cells[2].dataset.v })"
    let visits: [Browser.Visit] = [
      .init(page: "update.html", script: shown),
      .init(page: "update.html", actions: [["key", pack, "Enter"]], script: shown),
      .init(
        page: "update.html",
        actions: [
          ["key", pack, "Enter"], ["key", "input[type=search]", "Escape"],
          ["key", "input[type=search]", "Escape"],
        ], script: shown),
      .init(page: "update.html", actions: [["click", "#find button"]], script: shown),
      .init(page: "update.html", actions: [["click", sort]], script: rows),
      .init(page: "update.html", actions: [["click", sort], ["click", sort]], script: rows),
      .init(page: "update.html", width: 400, script: "return document.documentElement.scrollWidth"),
    ]
    let values = try Browser.visit(visits, in: site.folder).map(\.value)
    #expect(values[1].list[0].number ?? 0 > 0 && values[1].list[0].number! < values[0].list[0].number!)
    #expect(values[2] == values[0])
    #expect(values[3].list[0] == values[0].list[0] && values[3].list[1] != values[0].list[1])
    let counts = values[4].list.compactMap(\.number)
    #expect(counts == counts.sorted(by: >) && counts.count > 5)
    #expect(values[5].list.compactMap(\.number) == counts.sorted())
    #expect(values[6].number == 400)
  }

  /// The contrast between text and background must be at least 4.5, in light and in dark mode.
  @Test(arguments: [false, true]) func `text can be read`(isDark: Bool) throws {
    let script = """
      function parts(color) { return color.match(/[0-9.]+/g).slice(0, 3).map(Number) }
      function light(color) { var c = parts(color).map(function (v) { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4) });
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] }
      function contrast(a, b) { var x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05) }
      var ground = getComputedStyle(document.body).backgroundColor, low = [];
      ['body', 'a', '.note', 'caption', 'thead th', '.warning strong', 'code', 'footer', '.matrix td', 'button', '.s0', '.s3'].forEach(function (s) {
        Array.from(document.querySelectorAll(s)).slice(0, 5).forEach(function (e) { var c = contrast(getComputedStyle(e).color, ground); if (c < 4.5) low.push(s + ' ' + c) }) });
      var labels = Array.from(document.querySelectorAll('#map text.l'));
      labels.forEach(function (t) { var c = contrast(getComputedStyle(t).fill, getComputedStyle(t.parentNode.querySelector('rect')).fill); if (c < 4.5) low.push('label ' + c) });
      return [low, labels.length]
      """
    let result = try Browser.visit(
      [.init(page: "update.html", dark: isDark, script: script)], in: try site().folder)[0]
    #expect(result.value.list[0].list == [] && result.value.list[1].number ?? 0 > 3)
  }

  /// Fifty names with markup, scripts or commands must appear as text, and must not add elements to the page.
  @Test func `hostile names stay text`() throws {
    let site = try site()
    #expect(ReportSite.hostileNames.count == 50)
    let script = """
      var allowed = 'html head meta title style body header h1 p nav ul li a main section h2 h3 strong div svg g rect text table caption thead tbody tr th td code br small span abbr footer script input output button line label template'.split(' ');
      return { others: Array.from(document.querySelectorAll('*')).map(function (e) { return e.tagName.toLowerCase() }).filter(function (t) { return allowed.indexOf(t) < 0 }),
        handlers: Array.from(document.querySelectorAll('*')).filter(function (e) { return Array.from(e.attributes).some(function (a) { return /^on/.test(a.name) }) }).length,
        scripts: document.querySelectorAll('script').length,
        files: Array.from(document.querySelectorAll('tr.file th')).map(function (e) { return e.textContent }),
        packs: Array.from(document.querySelectorAll('#packs tbody th')).map(function (e) { return e.textContent }),
        findings: document.querySelector('#findings').textContent,
        titles: Array.from(document.querySelectorAll('#map g.f > title')).map(function (e) { return e.textContent.split('\\n')[0] }) }
      """
    let value = try Browser.visit([.init(page: "hostile.html", script: script)], in: site.folder)[0].value
    #expect(value["others"].list == [] && value["handlers"].number == 0 && value["scripts"].number == 1)
    let files = Set(value["files"].list.map(\.text))
    let titles = Set(value["titles"].list.map(\.text))
    for name in ReportSite.hostileNames {
      // If a name is never packed, it appears in a finding. There, backslashes and quotes are also escaped.
      if name.unicodeScalars.contains(where: { $0.value < 32 || (127...159).contains($0.value) || $0 == "\\" }
      ) {
        #expect(value["findings"].text.contains("f/\(escaped(name))"), "\(name.debugDescription)")
        continue
      }
      let shown =
        "f/" + name.unicodeScalars.map { $0.isHiddenForTests ? $0.escapeForTests : String($0) }.joined()
      #expect(files.contains(shown), "\(name.debugDescription)")
      #expect(titles.contains(shown), "\(name.debugDescription)")
    }
    #expect(value["packs"].list.contains(.text("Tag <b>&\"'")))
  }
}

extension Unicode.Scalar {
  /// Whether the character is hidden, according to the test's own list: control characters, direction marks,
  /// line separators and the byte order mark.
  fileprivate var isHiddenForTests: Bool {
    value < 32 || (127...159).contains(value)
      || [0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].contains(value)
      || (0x202a...0x202e).contains(value) || (0x2066...0x2069).contains(value)
  }

  fileprivate var escapeForTests: String {
    switch value {
    case 10: "\\n"
    case 9: "\\t"
    case 13: "\\r"
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}
