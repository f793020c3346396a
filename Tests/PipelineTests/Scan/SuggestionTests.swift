import Formats
import Foundation
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the suggestions for a path or glob that matches nothing.
@Suite struct SuggestionTests {
  private func site() throws -> ScanSite { try ScanSite("images/x/c.png", "images/y/d.png", "Levels/1/map") }

  /// Returns the findings about a pattern: first as an exclude, then as a rule.
  private func findings(_ pattern: String, in site: ScanSite) throws -> (
    exclude: Diagnostic?, rule: Diagnostic?
  ) {
    let rule: TestRule = Glob.isPlain(pattern) ? .path(pattern, "A") : .glob(pattern, "A")
    func first(_ check: Check, _ manifest: Manifest) throws -> Diagnostic? {
      try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics.first { $0.check == check }
    }
    return (
      try first(.unusedExclude, site.manifest([.path(".", "A")], exclude: [pattern])),
      try first(.noMatch, site.manifest([rule, .path("Levels", "B")]))
    )
  }

  /// Each case has a pattern with wrong components and the expected suggestion.
  ///
  /// The suggestion is nil if no file is similar.
  @Test(arguments: [
    ("Images/X", "images/x"), ("Images/X/C.png", "images/x/c.png"), ("Images/X/*.png", "images/x/*.png"),
    ("Imagse/x", "images/x"), ("LEVELS/1/MAP", "Levels/1/map"), ("Images/*/C.PNG", "images/*/c.png"),
    ("Images/Q", nil), ("Imagse/q/*.png", nil), ("Imagse/x/*.jpg", nil), ("Images/x/*.jpg", nil),
    ("images/Q", nil), ("Levls/1/music", nil),
  ])
  func `a suggestion corrects each part or is none`(pattern: String, meant: String?) throws {
    let site = try site()
    let (exclude, rule) = try findings(pattern, in: site)
    for finding in [exclude, rule] {
      let finding = try #require(finding, "\(pattern)")
      let suggested = finding.message.matches(of: /(?:did you mean|;) "([^"]*)"(?:\?| would match)/)
        .map { String($0.1) }
      #expect(suggested == (meant.map { [$0] } ?? []), "\(finding.message)")
      #expect(
        finding.fix?.replacement == meant.map { "\"\($0)\"" } || finding.fix == nil, "\(finding.message)")
    }
  }

  @Test func `a rule whose folder is emptied by an exclude names the exclude`() throws {
    let site = try ScanSite("a/1.psd", "a/b/2.psd", "c/.DS_Store", "d/x")
    let scan = try site.scan(.path("a", "A"), .path("c", "C"), .path("d", "D"), exclude: ["**/*.psd"])
    #expect(
      scan.findings == [
        #"Manifest.json: error [no-match] "a" "a/1.psd" "**/*.psd""#, #"Manifest.json: error [no-match] "c""#,
      ])
  }
}
