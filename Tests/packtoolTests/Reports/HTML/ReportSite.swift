import Foundation
import Support
import Testing
@testable import packtool

/// A folder with reports.
///
/// The reports are made once for all tests that open them.
struct ReportSite: Sendable {
  let folder: TemporaryFolder

  static let shared = Result { try ReportSite() }

  private init() throws {
    folder = try TemporaryFolder()
    try writeReleases()
    try LargeGame.write(to: folder)
    try writeHostileGame()
    try report(
      "examples.html", "\(packageFolder)/Examples/GreatGame", "--scenario",
      "\(packageFolder)/Examples/GreatGame/Scenarios/early.json")
    try report("plain.html", folder.path("2"))
    try report(
      "update.html", folder.path("built2"), "--baseline", folder.path("built0"), "--baseline",
      folder.path("built1"),
      "--scenario", folder.path("scenario.json"))
    try report(
      "game.html", folder.path("game2"), "--baseline", folder.path("game0"), "--baseline",
      folder.path("game1"))
    try report("devices.html", "\(packageFolder)/Examples/Devices")
    try report("hostile.html", folder.path("hostile"))
  }

  private func report(_ name: String, _ words: String...) throws {
    let run = runTool(words: ["report", "-o", folder.path(name), "-q"] + words)
    // Some of the hostile names cause errors. The report shows these errors.
    try #require(run.status == (name == "hostile.html" ? .inputHasErrors : .done), "\(run.errors)")
  }

  private func manifest(_ rules: [(String, [String])], _ more: String) throws -> String {
    let resources = rules.map { ["path": $0.0, "tags": $0.1] as [String: Any] }
    let text = try JSONSerialization.data(withJSONObject: resources)
    return
      "{\"bundleIdentifier\": \"com.example.game\", \"root\": \"Assets\", \"resources\": \(String(decoding: text, as: UTF8.self)), \(more)}"
  }

  /// Writes and builds three releases of a small game.
  private func writeReleases() throws {
    for release in 0..<3 {
      var rules: [(String, [String])] = [
        ("shared", ["Level 1", "Level 2"]), ("intro", ["Intro", "lang-en"]),
      ]
      for level in 1...3 + release { rules.append(("levels/\(level)", ["Level \(level)"])) }
      try folder.write(
        "\(release)/Manifest.json",
        manifest(
          rules,
          "\"initialInstallTags\": [\"Intro\", \"Level 1\"], \"prefetchTagOrder\": [\"Level 2\"], \"appBundle\": {\"size\": 30000000}"
        ))
      for level in 1...3 + release {
        try folder.write(
          "\(release)/Assets/levels/\(level)/map.json",
          Sample.text(20_000 + level + (level == 1 ? release : 0)))
        try folder.write(
          "\(release)/Assets/levels/\(level)/music.ogg",
          Sample.noise(90_000 + level * 1000, seed: UInt64(level)))
      }
      try folder.write("\(release)/Assets/shared/hero.png", Sample.noise(60_000, seed: 99))
      try folder.write("\(release)/Assets/intro/intro.mp4", Sample.noise(150_000, seed: 98))
      try folder.write("\(release)/Assets/icons/icon.png", Sample.noise(3000, seed: 97))
      let run = runTool("build", folder.path("\(release)"), "-o", folder.path("built\(release)"), "-q")
      try #require(run.status == .done, "\(run.errors)")
    }
    try folder.write(
      "scenario.json",
      """
      {"link": "3G", "steps": [{"install": true}, {"begin": ["Level 1"], "as": "a"}, {"await": "a"}, {"play": "5 s"},
       {"begin": ["Level 3"], "as": "b"}, {"await": "b"}, {"space": "400 kB"}, {"end": "a"}, {"quit": true}]}
      """)
  }

  /// File names that could be interpreted as something else, for example as markup.
  static let hostileNames: [String] = [
    "<script>alert(1)<", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "'><script>",
    "&lt;b&gt;",
    "&#60;script&#62;", "&amp;", "--><script>alert(1)<", "<!--", "]]>", "<style>*{display:none}", "<",
    "<title>x<",
    "<textarea>", "<plaintext>", "<base href=x>", "<meta http-equiv=refresh content=0>", "<iframe src=x>",
    "javascript:alert(1)", "data:text,x", "a\u{202e}gnp.exe", "a\u{202d}b", "a\u{2066}b\u{2069}",
    "\u{200f}rtl",
    "\u{061c}alm", "\u{feff}bom", "zero\u{200b}width", "line\nbreak", "tab\tname", "bell\u{7}",
    "esc\u{1b}[31mred",
    "c1\u{9b}31m", "del\u{7f}", "ls\u{2028}x", "ps\u{2029}x", "nel\u{85}x", "quote\"quote", "apostrophe'",
    "back`tick",
    "${7*7}", "{{7*7}}", "%3Cscript%3E", "\\u003cscript\\u003e", "=cmd()", "@import", "日本語",
    "é\u{301}\u{302}\u{303}",
    "👩‍🚀🏳️‍🌈", " leading and trailing ", "style=color:red",
  ]

  private func writeHostileGame() throws {
    for (number, name) in Self.hostileNames.enumerated() {
      try folder.write("hostile/Assets/f/\(name)", String(repeating: "x", count: 1000 + number))
    }
    let tags = Self.hostileNames.filter {
      !$0.contains(where: \.isNewline) && !$0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    }
    var rules = [("f", ["Tag <b>&\"'"])]
    for (number, tag) in tags.prefix(20).enumerated() {
      try folder.write("hostile/Assets/t\(number)/file", String(repeating: "y", count: 3000 + number))
      rules.append(("t\(number)", ["t \(tag)", "Tag <b>&\"'"]))
    }
    try folder.write(
      "hostile/Manifest.json",
      manifest(
        rules,
        "\"initialInstallTags\": [\"Tag <b>&\\\"'\"], \"severity\": {\"similar-tag\": \"ignore\", \"redundant-tag\": \"ignore\"}"
      ))
  }
}
