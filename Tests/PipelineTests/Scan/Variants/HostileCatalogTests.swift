@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests catalogs with a `Contents.json` that Xcode would not write.
///
/// Every device gets all files of such a catalog, and the scan reads no files outside of it.
@Suite struct HostileCatalogTests {
  private let site: VariantSite
  private let set = "C.xcassets/Hero.imageset"

  init() throws {
    site = try VariantSite()
    for name in ["2.png", "3.png"] { try site.site.write("\(set)/\(name)") }
    try site.site.write("secret.png")
  }

  private func contents(_ text: String) throws -> (files: [String], findings: [String]) {
    try site.site.write("\(set)/Contents.json", text)
    let (plan, findings) = try site.plan()
    return (try plan.files(for: newPhone), site.lines(findings))
  }

  @Test(arguments: [
    "", "{", "[]", "null", #"{"images": 3}"#, #"{"images": [1, null, "2.png", [], {"filename": 4}, {}]}"#,
    #"{"images": {"filename": "2.png"}}"#, #"{"images": [{"filename": ""}]}"#,
    #"{"images": [{"filename": "../../secret.png", "scale": "2x"}, {"filename": "../Hero.imageset/2.png", "idiom": "tv"}]}"#,
    #"{"images": [{"filename": "/etc/passwd", "idiom": "tv"}, {"filename": ".", "idiom": "tv"}, {"filename": "..", "idiom": "tv"}]}"#,
    #"{"images": [{"filename": "2.png\u0000", "idiom": "tv"}]}"#,
  ]) func `everything stays`(text: String) throws {
    #expect(try contents(text).files.count == 4)
  }

  @Test func `many wrong entries are bounded`() throws {
    let wrong = #"{"filename": "2.png", "scale": "9x"}, {"filename": "no", "scale": "3x"}"#
    let list = Array(repeating: wrong, count: sample(4_000, of: 20_000)).joined(separator: ",")
    let (files, findings) = try contents(#"{"images": [\#(list)]}"#)
    #expect(files.count == 4)
    #expect(findings.count == 1001)
    #expect(findings.last?.contains(",000") == true)
  }

  /// A small `Contents.json` must not make packtool count the files of a large folder a million times.
  @Test(arguments: [(64, 0), (65, 1)]) func `a folder is named only so often`(times: Int, findings: Int)
    throws
  {
    let site = try VariantSite("\(set)/X.mipmapset/0", "\(set)/X.mipmapset/1")
    let entries = (1...times).map { #"{"filename": "X.mipmapset", "locale": "\#($0)"}"# }
    try site.site.write("\(set)/Contents.json", #"{"textures": [\#(entries.joined(separator: ","))]}"#)
    let (plan, found) = try site.plan(#"{"glob": "**/X.mipmapset/*", "tags": ["A"]}"#)
    #expect(try plan.files(for: newPhone).count == 2)
    #expect(
      site.lines(found)
        == Array(
          repeating:
            "Assets/\(set)/Contents.json: warning [unknown-trait] 64", count: findings))
  }

  /// All devices get the file with the unknown trait, so no device lacks the asset.
  @Test func `an unknown trait hides what it may explain`() throws {
    let wide = #"{"filename": "2.png", "display-gamut": "display-P3", "memory": "2GB"}"#
    func checks(_ other: String) throws -> [String] {
      let (_, findings) = try contents(#"{"images": [\#(wide), {"filename": "3.png"\#(other)}]}"#)
      return findings.compactMap { $0.firstMatch(of: /\[([a-z-]+)\]/).map { String($0.output.1) } }
    }
    #expect(try checks(#", "display-gamut": "SRGB""#) == ["unknown-trait"])
    #expect(try checks(#", "display-gamut": "display-P3", "memory": "3GB""#).contains("gamut-fallback"))
    #expect(try checks("") == [])
  }

  @Test func `invalid JSON is reported`() throws {
    let (files, findings) = try contents("{\n \"images\": nonsense }")
    #expect(files.count == 4)
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("Assets/\(set)/Contents.json:2:12: warning [unknown-trait]") == true)
  }

  @Test(arguments: [
    (#""scale": "2""#, #"31: warning [unknown-trait] "2""#),
    (#""scale": 2"#, "31: warning [unknown-trait]"),
    (#""idiom": "ipda""#, #"31: warning [unknown-trait] "ipda" "ipad""#),
    (#""memory": "0GB""#, #"32: warning [unknown-trait] "0GB""#),
    (#""memory": "-1GB""#, #"32: warning [unknown-trait] "-1GB""#),
    (#""memory": "99999999999999999999GB""#, #"32: warning [unknown-trait] "99999999999999999999GB""#),
    (
      #""display-gamut": "display-p3""#,
      #"39: warning [unknown-trait] "display-p3" "display-P3""#
    ),
    (
      #""graphics-feature-set": "metal9v9""#,
      #"46: warning [unknown-trait] "metal9v9""#
    ),
  ]) func `unknown traits`(member: String, start: String) throws {
    let (files, findings) = try contents(#"{"images": [{"filename": "2.png", \#(member)}]}"#)
    #expect(files.count == 4)
    let finding = try #require(findings.first)
    let place = "Assets/\(set)/Contents.json:1:"
    let number = try #require(finding.dropFirst(place.count).firstMatch(of: /^\d+/))
    #expect(finding.hasPrefix(place))
    #expect(finding.dropFirst(place.count + number.output.count).hasPrefix(start.drop { $0.isNumber }))
  }

  @Test func `a misspelt key is guessed`() throws {
    let (_, findings) = try contents(#"{"images": [{"filename": "2.png", "scael": "2x", "resizing": {}}]}"#)
    #expect(
      findings == [
        #"Assets/\#(set)/Contents.json:1:35: warning [unknown-trait] "scael" "scale""#
      ])
  }

  @Test func `a contents that is too long is not read`() throws {
    try site.site.folder.writeSparse("Assets/\(set)/Contents.json", size: Int64(CatalogContents.maxSize) + 1)
    let (plan, findings) = try site.plan()
    #expect(try plan.files(for: newPhone).count == 4)
    #expect(
      site.lines(findings) == [
        "Assets/\(set)/Contents.json: warning [unknown-trait] 16,777,216 bytes"
      ])
  }

  /// The scan does not block on a FIFO with this name, and does not read it.
  @Test func `a FIFO is no contents`() throws {
    try site.site.python("import os; os.mkfifo('\(set)/Contents.json')")
    #expect(try site.plan(#"{"glob": "**/*.png", "tags": ["A"]}"#).plan.files(for: newPhone).count == 3)
  }
}
