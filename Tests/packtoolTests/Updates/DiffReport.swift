@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// The output of `diff --format json` for two releases, read as a script would read it.
struct DiffReport: Decodable {
  struct Pack: Decodable, Equatable {
    let id: String
    let tags: [String]
    let status: String
    let size: Int
    let oldSize: Int
    let addedFiles: Int
    let removedFiles: Int
    let changedFiles: Int
    let download: Int
    let files: [File]

    /// The current size, the previous size, and the download in bytes.
    var sizes: [Int] { [size, oldSize, download] }
    /// The numbers of files that were added, removed and changed.
    var counts: [Int] { [addedFiles, removedFiles, changedFiles] }
  }
  struct File: Decodable, Equatable {
    let path: String
    let change: String
    var size: Int?
    var oldSize: Int?
    var movedFrom: String?
    var movedTo: String?
    var sameContentAs: String?
  }
  struct Count: Decodable, Equatable {
    let packs: Int
    let size: Int
  }
  struct Summary: Decodable, Equatable {
    let unchanged: Count
    let changed: Count
    let added: Count
    let removed: Count
    let downloadByPacks: Int
    let downloadByFiles: Int
    let downloadByContent: Int
  }
  struct Download: Decodable, Equatable {
    var has: String?
    let packs: Int
    let downloadByPacks: Int
    let downloadByFiles: Int
    let downloadByContent: Int
  }
  struct Move: Decodable, Equatable {
    let path: String
    let size: Int
    let from: String
    let to: String
    let isChanged: Bool
  }
  struct Remark: Decodable, Equatable {
    let kind: String
    let message: String
    var tags: [String]?
    var files: [String]?
    var proposedTag: String?
    var saving: Int?
  }

  let formatVersion: Int
  let packs: [Pack]
  let summary: Summary
  let deliveries: [String: Download]
  let tags: [String: Download]
  let users: [Download]
  let movedFiles: [Move]
  let remarks: [Remark]

  /// Compares two releases with `diff`.
  init(_ old: String, _ new: String, _ flags: String...) throws {
    let run = runTool(words: ["diff", old, new, "--format", "json"] + flags)
    try #require(run.status == .done, "\(run.errors)")
    self = try JSONDecoder().decode(DiffReport.self, from: Data(run.output.utf8))
  }

  /// Returns the pack with the given tags.
  func pack(_ tags: String...) throws -> Pack { try #require(packs.first { $0.tags == tags }) }

  /// The number of bytes of an update, counted in three ways.
  var totals: [Int] { [summary.downloadByPacks, summary.downloadByFiles, summary.downloadByContent] }
}

extension DiffReport.Download {
  var totals: [Int] { [downloadByPacks, downloadByFiles, downloadByContent] }
}

/// Two releases of a small game, in the temporary folder of a test.
struct TwoReleases {
  let folder: TemporaryFolder
  var old: String { folder.path("old") }
  var new: String { folder.path("new") }

  /// Makes the releases.
  ///
  /// Each dictionary contains the files of a release, by their paths. The first component of a path consists
  /// of the file's tags, joined with "+".
  init(_ old: [String: String], _ new: [String: String], initial: String = "A") throws {
    folder = try TemporaryFolder()
    try write("old", old, initial: initial)
    try write("new", new, initial: initial)
  }

  /// Writes one release.
  func write(_ name: String, _ files: [String: String], initial: String = "A", members: String = "") throws {
    let folders = Set(files.keys.compactMap { $0.split(separator: "/").first.map(String.init) }).sorted()
    let rules = folders.map { folder in
      let tags = folder.split(separator: "+").map { "\"\($0)\"" }.joined(separator: ", ")
      return "{ \"path\": \"\(folder)\", \"tags\": [\(tags)], \"destination\": \".\" }"
    }
    try folder.write(
      "\(name)/Manifest.json",
      """
      {
        "bundleIdentifier": "com.example.test", "root": "Assets",
        "resources": [\(rules.joined(separator: ",\n"))],
        "initialInstallTags": ["\(initial)"], "severity": { "path-in-two-packs": "ignore" }\(members)
      }
      """)
    for (path, content) in files { try folder.write("\(name)/Assets/\(path)", content) }
  }

  func report(_ flags: String...) throws -> DiffReport {
    let run = runTool(words: ["diff", old, new, "--format", "json"] + flags)
    try #require(run.status == .done, "\(run.errors)")
    return try JSONDecoder().decode(DiffReport.self, from: Data(run.output.utf8))
  }
}
