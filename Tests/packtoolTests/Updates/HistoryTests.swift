import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `packtool diff` with several releases.
@Suite struct HistoryTests {
  private struct Report: Decodable {
    struct Update: Decodable {
      let old: String
      let new: String
      let summary: DiffReport.Summary
    }
    struct Pack: Decodable, Equatable {
      let tags: [String]
      let updates: Int
      let changes: Int
      let download: Int
      let fileBytes: Int
    }
    struct File: Decodable, Equatable {
      let path: String
      let changes: Int
      let size: Int
    }
    struct Tag: Decodable, Equatable {
      let tag: String
      let updates: Int
      let downloadByPacks: Int
      let downloadByContent: Int
    }
    struct Proposal: Decodable, Equatable {
      let tags: [String]
      let proposedTag: String
      let files: [String]
      let changes: Int
      let download: Int
      let possible: Int
      let saving: Int
    }
    let releases: [String]
    let updates: [Update]
    let packs: [Pack]
    let files: [File]
    let tags: [Tag]
    let proposals: [Proposal]
    let download: Int
    let saving: Int
  }

  /// Makes four releases.
  ///
  /// In level A, a text file changes in each update, an image changes twice, and the other files never
  /// change. B is added in a later release.
  private func site() throws -> TwoReleases {
    let rest = ["A/rest": String(repeating: "r", count: 1000), "A/more": String(repeating: "m", count: 500)]
    let site = try TwoReleases([:], [:])
    let releases: [[String: String]] = [
      ["A/text": "one", "A/image": "picture 1"], ["A/text": "two!", "A/image": "picture 1"],
      ["A/text": "three", "A/image": "picture 2", "B/new": "1234"],
      ["A/text": "four", "A/image": "picture 3", "B/new": "1234"],
    ]
    for (number, files) in releases.enumerated() {
      try site.write("\(number)", files.merging(rest) { $1 })
    }
    return site
  }

  private func report(_ site: TwoReleases) throws -> Report {
    let run = runTool(words: ["diff"] + (0..<4).map { site.folder.path("\($0)") } + ["--format", "json"])
    try #require(run.status == .done, "\(run.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
  }

  @Test func `every update is counted`() throws {
    let site = try site()
    let report = try report(site)
    #expect(report.releases == (0..<4).map { site.folder.path("\($0)") })
    #expect(report.updates.map(\.new) == Array(report.releases.dropFirst()))
    #expect(report.updates.map(\.summary.downloadByPacks) == [1513, 1514 + 4, 1513])
    #expect(report.updates.map(\.summary.downloadByFiles) == [4, 14 + 4, 13])
    #expect(
      report.packs == [
        .init(tags: ["A"], updates: 3, changes: 3, download: 4540, fileBytes: 31),
        .init(tags: ["B"], updates: 1, changes: 0, download: 0, fileBytes: 0),
      ])
    #expect(
      report.files == [.init(path: "text", changes: 3, size: 13), .init(path: "image", changes: 2, size: 18)])
    #expect(
      report.tags == [
        .init(tag: "A", updates: 3, downloadByPacks: 4540, downloadByContent: 31),
        .init(tag: "B", updates: 1, downloadByPacks: 4, downloadByContent: 4),
      ])
  }

  /// If the text file and the image were in a separate pack, the three updates would have had 13, 14 and 13
  /// bytes.
  ///
  /// If only the text file were in a separate pack, the other files would have been downloaded twice more
  /// because of the image.
  @Test func `files that change often get their own pack`() throws {
    let report = try report(site())
    #expect(report.download == 4544 && report.saving == 4500)
    #expect(
      report.proposals == [
        .init(
          tags: ["A"], proposedTag: "A volatile", files: ["image", "text"], changes: 3, download: 4540,
          possible: 40, saving: 4500)
      ])
  }

  /// The downloads of users with certain tags can be counted only for a single update.
  ///
  /// For several updates, there is a table of all tags instead.
  @Test func `users go with two releases`() throws {
    let site = try site()
    let run = runTool(words: ["diff"] + (0..<3).map { site.folder.path("\($0)") } + ["--having", "A"])
    #expect(run.status == .usage)
    #expect(run.errors.refuses(naming: "--having"))
  }

  @Test func `text and Markdown contain the same facts`() throws {
    let site = try site()
    let names = (0..<4).map { site.folder.path("\($0)") }
    let proposal =
      "- the pack of {\"A\"} changed in 3 updates, and devices downloaded 4,540 bytes in all; if \"image\" and "
      + "\"text\" had a tag of their own in addition to \"A\", such as \"A volatile\", the download would have been "
      + "40 bytes, 4,500 bytes less\n"
    let text = runTool(words: ["diff"] + names).output
    #expect(text.hasPrefix("com.example.test: 3 updates\n"))
    #expect(text.contains("\n{\"A\"}                3 of 3   4.54 kB               31 bytes\n"))
    #expect(text.hasSuffix("\n" + proposal))
    let markdown = runTool(words: ["diff", "--format", "markdown"] + names).output
    #expect(markdown.hasPrefix("### 3 updates: 4.54 kB downloaded\n"))
    #expect(markdown.contains("| image | 2 | 18 bytes |\n"))
    #expect(markdown.hasSuffix("\n\(proposal)\n<!-- packtool diff -->\n"))
  }
}
