import Foundation
import Support
import Testing

@testable import packtool

/// Tests tags that are in an earlier release but not in the current release.
@Suite struct RemovedTagTests {
  private struct Found: Decodable {
    struct Finding: Decodable {
      let id: String
      let severity: String
      let message: String
      let file: String
      let line: Int?
    }
    let diagnostics: [Finding]
  }

  private struct Report: Decodable {
    let removedTags: [String]
  }

  private static let files = ["A/a": "first", "Music/m": "song", "Night+Stars/n": "sky"]

  private func warnings(_ words: String..., in folder: TemporaryFolder) throws -> [Found.Finding] {
    let path = folder.path("found.json")
    let run = runTool(words: words + ["--diagnostics", "json=\(path)"])
    #expect(run.status == .done, "\(run.errors)")
    let found = try JSONDecoder().decode(Found.self, from: Data(try folder.read("found.json")))
    return found.diagnostics.filter { $0.id == "removed-tag" }
  }

  /// The files of the first tag are now in another folder with another tag.
  ///
  /// The second tag is spelled differently, and the third tag is removed.
  @Test func `each command with a baseline warns`() throws {
    let site = try TwoReleases(Self.files, ["A/a": "first", "Tunes/t": "song", "Nigth/n": "other"])
    let (new, old, folder) = (site.new, site.old, site.folder)
    let all = [
      try warnings("validate", new, "--baseline", old, in: folder),
      try warnings("plan", new, "--baseline", old, in: folder),
      try warnings("build", new, "-o", folder.path("out"), "--baseline", old, in: folder),
      try warnings("report", new, "-o", folder.path("r.html"), "--baseline", old, in: folder),
      try warnings("report", folder.path("out"), "-o", folder.path("r.html"), "--baseline", old, in: folder),
    ]
    for found in all {
      #expect(found.map(\.severity) == ["warning", "warning", "warning"])
      func message(on tag: String) -> String? {
        found.first { $0.message.names("\(tag)") }?.message
      }
      // The new name of a tag is certain if the new tag has the same contents or a similar spelling.
      #expect(message(on: "Music")?.names("\"Tunes\"") == true)
      #expect(message(on: "Night")?.names("\"Nigth\"") == true)
      #expect(message(on: "Stars").map { $0.names("\"Tunes\"") || $0.names("\"Nigth\"") } == false)
    }
    // In a manifest, there are places for the findings. An index has no places.
    #expect(all[0].areAll { $0.file.hasSuffix("new/Manifest.json") && $0.line != nil })
    #expect(all[4].areAll { $0.file.hasSuffix("out/index.json") })
    #expect(runTool("validate", new, "--baseline", old, "--strict").status == .inputHasErrors)
    #expect(try warnings("validate", new, in: folder).isEmpty)
    #expect(try warnings("validate", old, "--baseline", old, in: folder).isEmpty)
  }

  @Test func `they are in the first line`() throws {
    let site = try TwoReleases(Self.files, ["A/a": "first"])
    let names = "\"Music\", \"Night\" and \"Stars\""
    for form in ["text", "markdown"] {
      for releases in [[site.old, site.new], [site.old, site.old, site.new]] {
        let run = runTool(words: ["diff"] + releases + ["--format", form])
        #expect(run.output.prefix { $0 != "\n" }.hasSuffix("removed tags: \(names)"), "\(run.output)")
        let none = runTool(words: ["diff"] + releases.map { _ in site.old } + ["--format", form])
        #expect(!none.output.contains("removed tags"))
      }
    }
    let page = site.folder.path("r.html")
    #expect(runTool("report", site.new, "-o", page, "--baseline", site.old).status == .done)
    let html = String(decoding: try site.folder.read("r.html"), as: UTF8.self)
    let summary = try #require(html.range(of: "<ul class=\"heads\">"))
    let first = html[summary.upperBound...].split(separator: "<li").dropFirst().first
    #expect(first?.contains("Removed tags: ") == true, "\(html[summary.upperBound...].prefix(300))")
  }

  @Test func `programs get their names`() throws {
    let site = try TwoReleases(Self.files, ["A/a": "first"])
    func tags(_ releases: String...) throws -> [String] {
      let run = runTool(words: ["diff"] + releases + ["--format", "json"])
      let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
      return report.removedTags
    }
    #expect(try tags(site.old, site.new) == ["Music", "Night", "Stars"])
    #expect(try tags(site.new, site.old, site.new) == ["Music", "Night", "Stars"])
    #expect(try tags(site.new, site.old) == [])
  }

  /// If two new tags have the contents of the old tag, neither of them is certain.
  @Test func `a guess must be sure`() throws {
    let site = try TwoReleases(
      ["A/a": "first", "Music/m": "song"], ["A/a": "first", "X/m": "song", "Y/m": "song"])
    let found = try warnings("validate", site.new, "--baseline", site.old, in: site.folder)
    #expect(found.map { $0.message.names("\"X\"") || $0.message.names("\"Y\"") } == [false])
  }
}
