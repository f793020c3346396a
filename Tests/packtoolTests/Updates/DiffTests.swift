import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `packtool diff` in the way that scripts use it.
@Suite struct DiffTests {
  @Test func `every kind of change is counted`() throws {
    let site = try TwoReleases(
      [
        "A/same": "1234567890", "A/changed": "before", "A/gone": "gone away",
        "B/static": "12345", "C/old": "content that stays",
      ],
      ["A/same": "1234567890", "A/changed": "after it", "A/new": "new", "B/static": "12345", "D/x": "12"])
    let report = try site.report()
    #expect(report.formatVersion == 1)
    #expect(report.packs.map(\.id) == report.packs.map(\.id).sorted())
    let changed = try report.pack("A")
    #expect(changed.sizes == [21, 25, 21])
    #expect(changed.counts == [1, 1, 1])
    #expect(
      changed.files == [
        .init(path: "changed", change: "changed", size: 8, oldSize: 6),
        .init(path: "gone", change: "removed", oldSize: 9), .init(path: "new", change: "added", size: 3),
      ])
    let removed = try report.pack("C")
    #expect(removed.sizes == [18, 18, 0] && removed.counts == [0, 1, 0])
    #expect(
      report.summary
        == DiffReport.Summary(
          unchanged: .init(packs: 1, size: 5), changed: .init(packs: 1, size: 21),
          added: .init(packs: 1, size: 2), removed: .init(packs: 1, size: 18),
          downloadByPacks: 23, downloadByFiles: 13, downloadByContent: 13))
  }

  /// GitHub accepts 65,536 characters.
  ///
  /// A longer comment is shortened. It states how many rows are left out.
  @Test func `a comment has room on Git hub`() throws {
    let tags = (0..<400).map { "\($0) " + String(repeating: "ü_", count: 80) }
    let files = { (text: String) in
      Dictionary(uniqueKeysWithValues: tags.map { ("\($0)/x", text) })
    }
    let site = try TwoReleases(files("before"), files("after it"), initial: tags[0])
    let comment = runTool("diff", site.old, site.new, "--format", "markdown").output
    #expect(comment.unicodeScalars.count < 65_536 && comment.hasSuffix("\n<!-- packtool diff -->\n"))
    let rows = comment.split(separator: "\n").count { $0.hasPrefix("| ") && $0.contains("| changed, ") }
    let more = try #require(comment.firstMatch(of: #/And ([0-9]+) more packs\./#))
    #expect(rows > 50 && rows + (Int(more.1) ?? 0) == 400, "\(rows)")
  }

  /// Contents that are anywhere in the older release do not have to be downloaded.
  ///
  /// Contents that occur twice are downloaded only once.
  @Test func `contents are counted once`() throws {
    let site = try TwoReleases(
      ["A/x": "xxxx", "B/y": "yyyyyyyy"],
      ["A/x": "xxxx", "A/y": "yyyyyyyy", "B/y": "yyyyyyyy", "C/z": "zz", "D/z": "zz", "D/x": "xxxx"])
    #expect(try site.report().totals == [20, 16, 2])
  }

  @Test func `files that moved between packs say why`() throws {
    let site = try TwoReleases(
      ["A/x": "xxxx", "A/y": "yyyyyyyy", "B/z": "zz"], ["A/x": "xxxx", "A+B/y": "yyyyyyyy", "B/z": "zz"])
    let report = try site.report()
    let (from, to) = (try report.pack("A"), try report.pack("A", "B"))
    #expect(report.movedFiles == [.init(path: "y", size: 8, from: from.id, to: to.id, isChanged: false)])
    #expect(from.files == [.init(path: "y", change: "removed", oldSize: 8, movedTo: to.id)])
    #expect(to.files == [.init(path: "y", change: "added", size: 8, movedFrom: from.id)])
    #expect(
      report.remarks.map(\.message) == [
        "1 file, \"y\", moved from {\"A\"} to {\"A\", \"B\"} because the tag \"B\" was added: devices "
          + "download 8 bytes again that did not change"
      ])
    let text = runTool("diff", site.old, site.new).output
    #expect(text.contains("  moved to {\"A\", \"B\"}  \"y\"  8 bytes\n"))
    #expect(text.contains("  moved here from {\"A\"}  \"y\"  8 bytes\n"))
  }

  @Test func `same content under another name is seen`() throws {
    let site = try TwoReleases(
      ["A/x": "xxxx", "A/before": "renamed content"], ["A/x": "xxxx", "A/after": "renamed content"])
    let report = try site.report()
    #expect(report.totals == [19, 15, 0])
    #expect(try report.pack("A").files.map(\.sameContentAs) == ["before", nil])
    #expect(report.remarks.map(\.kind) == ["sameContent"])
  }

  @Test func `removed files alone are remarked on`() throws {
    let site = try TwoReleases(["A/x": "xxxx", "A/y": "y"], ["A/x": "xxxx"])
    #expect(
      try site.report().remarks.map(\.message) == [
        "the pack of {\"A\"} with 4 bytes is downloaded again only because 1 file was removed, \"y\": keep it until "
          + "the pack changes for another reason"
      ])
  }

  /// A pack that did not change moves to the initial install.
  ///
  /// For users who have only the initial install, this pack is new.
  @Test func `users download what they lack`() throws {
    let files = ["A/x": "xxxx", "B/y": "yyyyyyyy", "B/x": "xxxx", "C/z": "zz"]
    let site = try TwoReleases(files, [:])
    try site.write("new", files, initial: "B")
    let report = try site.report("--having", "C", "--having", "A")
    #expect(report.users.map(\.totals) == [[0, 0, 0], [12, 12, 8], [12, 12, 8]])
    #expect(report.remarks.map(\.kind) == ["delivery", "delivery"])
    #expect(report.totals == [0, 0, 0])
  }

  @Test func `an unknown tag of a user is guessed`() throws {
    let site = try TwoReleases(["A/x": "x", "Forest/y": "y"], ["A/x": "x"])
    let run = runTool("diff", site.old, site.new, "--having", "Forst")
    #expect(run.status == .usage)
    #expect(
      run.errors.refuses(naming: "--having", "Forst", "Forest"))
  }

  /// If only the container or the compression differs but the contents are the same, nothing is downloaded
  /// for the update.
  @Test(arguments: ["tar.gz", "tar.zst", "folder"])
  func `another container costs nothing`(container: String) throws {
    let files = ["A/x": String(repeating: "text ", count: 2000), "B/y": "yyyyyyyy"]
    let site = try TwoReleases(files, [:])
    try site.write("new", files, members: ", \"container\": \"\(container)\"")
    for name in ["old", "new"] {
      let built = site.folder.path("\(name)-built")
      #expect(runTool("build", site.folder.path(name), "-o", built).status == .done)
    }
    let report = try DiffReport(site.folder.path("old-built"), site.folder.path("new-built"))
    #expect(report.totals == [0, 0, 0])
    #expect(report.packs.areAll { $0.status == "unchanged" && $0.download == 0 && $0.files.isEmpty })
    #expect(
      report.remarks.map(\.message) == [
        "2 packs have other archives although the content did not change, for example because of another "
          + "container, compression or version of packtool; devices download nothing because of this"
      ])
  }

  /// A built folder, its index and its manifest can all be used for the same release.
  @Test func `every form of a release is the same`() throws {
    let site = try TwoReleases(["A/x": "xxxx", "A+B/é": "ü"], ["A/x": "other", "A+B/é": "ü"])
    let expected = try site.report()
    for name in ["old", "new"] {
      let built = site.folder.path("\(name)-built")
      #expect(runTool("build", site.folder.path(name), "-o", built).status == .done)
    }
    try FileManager.default.copyItem(
      atPath: site.folder.path("new-built/index.json"), toPath: site.folder.path("new-built/release-2.json"))
    for (old, new) in [
      ("old-built", "new-built"), ("old-built/index.json", "new-built/release-2.json"),
      ("old/Manifest.json", "new-built/"), ("old-built", "new/Manifest.json"),
    ] {
      let report = try DiffReport(site.folder.path(old), site.folder.path(new))
      #expect(report.packs == expected.packs)
      #expect(report.summary == expected.summary)
    }
  }

  @Test func `an index without its list of files is refused`() throws {
    let site = try TwoReleases(["A/x": "xxxx"], ["A/x": "other"])
    #expect(runTool("build", site.old, "-o", site.folder.path("built")).status == .done)
    try FileManager.default.copyItem(
      atPath: site.folder.path("built/index.json"), toPath: site.folder.path("index.json"))
    let run = runTool("diff", site.folder.path("index.json"), site.new)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("damaged-index"))
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ("missing", "[missing-index]"),
    ("empty", "[missing-index]"),
    ("other.json", #"[missing-index] "packs" "resources""#),
    ("broken.json", "[json-syntax]"), ("broken/index.json", "[damaged-index]"),
  ])
  func `what is no release is named`(name: String, facts: String) throws {
    let site = try TwoReleases(["A/x": "x"], ["A/x": "x"])
    try site.folder.write("empty/notes.txt", "")
    try site.folder.write("other.json", "{\"name\": \"a web site\"}")
    try site.folder.write("broken.json", "{\"packs\": [")
    try site.folder.write("broken/index.json", "{\"packs\": [")
    let run = runTool("diff", site.old, site.folder.path(name))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.hasFacts(facts), "\(run.errors)")
  }

  @Test func `mistakes of a manifest are reported`() throws {
    let site = try TwoReleases(["A/x": "x"], ["A/x": "x"], initial: "Z")
    let run = runTool("diff", site.old, site.new, "--diagnostics", "json")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.components(separatedBy: "\"unknown-tag\"").count == 3)
  }

  @Test func `another bundle identifier is another app`() throws {
    let site = try TwoReleases(["A/x": "x"], ["A/x": "x"])
    let manifest = String(decoding: try site.folder.read("new/Manifest.json"), as: UTF8.self)
    try site.folder.write("new/Manifest.json", manifest.replacing("example.test", with: "example.other"))
    let report = try site.report()
    #expect(report.packs.map(\.status).sorted() == ["added", "removed"])
    #expect(report.remarks.first?.kind == "bundleIdentifier")
  }

  /// If a file was removed from the pack, the pack must be downloaded again, regardless of the tags of new
  /// and changed files.
  @Test(arguments: 1...20) func `what is proposed saves what it says`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (old, new) = (["A/base": "x"], ["A/base": "x"])
    for number in 0..<12 {
      let text = String(repeating: "x", count: Int.random(in: 1...200, using: &random)) + "\(number)"
      let name = "\(["A", "B", "C"][number % 3])/\(number)"
      switch Int.random(in: 0...9, using: &random) {
      case 0: old[name] = text
      case 1: new[name] = text
      case 2: (old[name], new[name]) = (text, "y")
      default: (old[name], new[name]) = (text, text)
      }
    }
    for remark in try TwoReleases(old, new).report().remarks where remark.kind == "ownTag" {
      let tag = try #require(remark.tags?.first)
      // If these files had the proposed tag, the other files of the pack would be the same as before.
      let rest = { (files: [String: String]) in
        files.filter {
          $0.key.hasPrefix("\(tag)/") && !(remark.files ?? []).contains(String($0.key.dropFirst(2)))
        }
      }
      #expect(rest(old) == rest(new), "\(remark.message)")
    }
  }

  @Test func `markdown is for pull requests`() throws {
    let site = try TwoReleases(
      ["A/x": "x", "B|_b/y": "yyyyyyyy"], ["A/x": "x", "B|_b/y": "yyyyyyyy", "B|_b/new": "12"])
    let run = runTool("diff", site.old, site.new, "--format", "markdown")
    #expect(
      run.output == """
        ### App update: 10 bytes to download

        |  | before | after | change |
        | --- | --: | --: | --: |
        | initial install | 1 byte | 1 byte | ±0 |
        | prefetch | 0 bytes | 0 bytes | ±0 |
        | on demand | 8 bytes | 10 bytes | **+2 bytes (+25.0 %)** |
        | all packs | 9 bytes | 11 bytes | **+2 bytes (+22.2 %)** |
        | packs | 2 | 2 | ±0 |
        | untagged | 0 bytes | 0 bytes | ±0 |

        No limit is exceeded; the nearest is number of packs, 2 of 1,000.

        | a user who has | downloads | new and changed files | new contents |
        | --- | --: | --: | --: |
        | everything | 10 bytes | 2 bytes | 2 bytes |
        | the initial install only | 0 bytes | 0 bytes | 0 bytes |

        downloads are uncompressed sizes, because "\(site.new)" is not built; to see compressed sizes, compare built folders.

        Packs: 1 unchanged (1 byte), 1 changed (10 bytes), 0 added (0 bytes), 0 removed (0 bytes).

        | pack |  | files | downloads | new and changed files |
        | --- | --- | --- | --: | --: |
        | B\\|\\_b | changed, on demand | 1 added | 10 bytes | 2 bytes |

        - the pack of {"B\\|\\_b"} is downloaded again for 1 new file, "new": add the tag \
        "B\\|\\_b update" to it, and this update downloads 2 bytes instead of 10

        <!-- packtool diff -->

        """)
  }

  /// The releases are built.
  ///
  /// They have many changed packs, a budget and a limit. The totals are compressed sizes, and long lists are
  /// folded.
  @Test func `comments fold what is long`() throws {
    let many = Dictionary(
      uniqueKeysWithValues: (0..<12).map { ("T\($0)/file", String(repeating: "\($0) ", count: 900)) })
    let site = try TwoReleases(many, many.mapValues { $0 + "!" }, initial: "T0")
    try site.write(
      "new", many.mapValues { $0 + "!" }, initial: "T0",
      members: ", \"limits\": {\"packCount\": 12}, \"budgets\": {\"updateSize\": \"1 kB\"}")
    let comment = runTool("diff", site.old, site.new, "--format", "markdown").output
    #expect(comment.contains("| number of packs | 12 | 12 | 0 |\n"))
    #expect(comment.contains("| budget: update | 23.4 kB | 1.00 kB | ⚠️ **22.4 kB too much** |\n"))
    #expect(comment.contains("\n<details><summary>7 more packs that differ</summary>\n\n| pack |"))
    #expect(comment.hasSuffix("\n</details>\n\n<!-- packtool diff -->\n"))
    for name in ["old", "new"] {
      try site.write(name, many.mapValues { $0 + name }, initial: "T0")
      let run = runTool("build", site.folder.path(name), "-o", site.folder.path("built-\(name)"), "-q")
      try #require(run.status == .done, "\(run.errors)")
    }
    let built = runTool(
      "diff", site.folder.path("built-old"), site.folder.path("built-new"), "--format", "markdown"
    ).output
    #expect(built.contains("|  | before | after | change | compressed before | after | change |\n"))
    #expect(built.contains("| a user who has | downloads | uncompressed |") && !built.contains("not built"))
  }
}
