import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests an index with sizes that no file can have.
///
/// Every command must report a finding and must not crash.
@Suite struct HostileSizeTests {
  private static let commands: [[String]] = [
    ["inspect"], ["inspect", "--format", "json"], ["verify"], ["verify", "--diagnostics", "json"],
    ["diff", "--format", "text"], ["diff", "--format", "markdown"], ["diff", "--format", "json"],
  ]

  private func site() throws -> TwoReleases {
    let old = ["A/x": String(repeating: "x", count: 777), "B/y": "y"]
    let site = try TwoReleases(old, old.merging(["A/z": "z"]) { first, _ in first })
    for name in ["old", "new"] {
      let built = runTool("build", site.folder.path(name), "-o", site.folder.path("built-\(name)"))
      try #require(built.status == .done)
    }
    return site
  }

  private func run(_ words: [String], _ site: TwoReleases) -> ToolResult {
    let old = words[0] == "diff" ? [site.folder.path("built-old")] : []
    return runTool(words: [words[0]] + old + [site.folder.path("built-new")] + words.dropFirst())
  }

  private func replace(_ pattern: String, by text: String, in name: String, _ site: TwoReleases) throws {
    let path = "built-new/\(name)"
    let old = String(decoding: try site.folder.read(path), as: UTF8.self)
    let new = old.replacingOccurrences(of: pattern, with: text, options: .regularExpression)
    try #require(new != old)
    try site.folder.write(path, Data(new.utf8))
  }

  @Test(arguments: sample(1, of: [9_007_199_254_740_993, 99_999_999_999_999_999, Int64.max]), commands)
  func `a size over 2^53 is reported as too large`(size: Int64, words: [String]) throws {
    let site = try site()
    try replace("\"size\": [0-9]+", by: "\"size\": \(size)", in: "index.json", site)
    let run = run(words, site)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.contains("9,007,199,254,740,992"))
  }

  @Test(arguments: sample(3, of: commands)) func `sizes up to 2^53 do not overflow a sum`(words: [String])
    throws
  {
    let site = try site()
    try replace("\"size\": [0-9]+", by: "\"size\": 9007199254740992", in: "index.json", site)
    let run = run(words, site)
    #expect(run.status == (words[0] == "inspect" ? .done : .inputHasErrors))
  }

  @Test(arguments: sample(1, of: [99_999_999_999_999_999, Int64.max]))
  func `a size over 2^53 in the list of files is reported as too large`(size: Int64) throws {
    let site = try site()
    let list = try FileManager.default.contentsOfDirectory(atPath: site.folder.path("built-new")).first {
      $0.hasPrefix("contents.")
    }
    try replace("\"size\": [0-9]+", by: "\"size\": \(size)", in: #require(list), site)
    for words in Self.commands where words[0] != "inspect" {
      let run = run(words, site)
      #expect(run.status == .inputHasErrors && run.errors.contains("exceeds 2^53"))
    }
  }

  /// Each file has the maximum size.
  ///
  /// The total size is therefore too large for a simple calculation of percentages.
  @Test(.enabled(if: isInstalled("python3"))) func `84,000 files of 1 TiB are a sum`() throws {
    let folder = try TemporaryFolder()
    try folder.python(
      """
      import os
      for number in range(84_000):
        if number % 1000 == 0: os.makedirs("Assets/%d" % (number // 1000))
        with open("Assets/%d/%d" % (number // 1000, number), "w") as file: file.truncate(1 << 40)
      """)
    try folder.writeManifest([.glob("**", "A")], root: "Assets")
    let run = runTool("plan", folder.path)
    #expect(
      run.output.hasPrefix("com.example.game: 1 pack, 84,000 files, 92,35"),
      "\(run.output.prefix(500))\(run.errors.prefix(500))")
    #expect(run.status == .done)
  }

  /// Sparse files of any size, if the file system in shared memory supports them.
  @Test(arguments: ["100P", "9223372036854775807"]) func `sparse files end in findings`(size: String) throws {
    let shared = "/dev/shm/packtool-sparse-\(ProcessInfo.processInfo.processIdentifier)-\(size)"
    defer { try? FileManager.default.removeItem(atPath: shared) }
    guard
      (try? FileManager.default.createDirectory(atPath: "\(shared)/Assets", withIntermediateDirectories: true))
        != nil
    else { return }
    for name in ["Assets/tagged", "Assets/other", "Assets/third", "size.json"] {
      let made = try Support.run("truncate", ["-s", size, name], in: shared)
      if made.status != 0 { return }
    }
    let manifest =
      "{\"bundleIdentifier\": \"a\", \"root\": \"Assets\", \"resources\": [{\"path\": \"tagged\", \"tags\": [\"A\"]}]}"
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: "\(shared)/Manifest.json"))
    for words in [["plan", shared], ["plan", shared, "--format", "json"], ["validate", shared]] {
      let run = runTool(words: words)
      #expect(run.status == .inputHasErrors)
      #expect(run.errors.hasFacts("1 TiB") && run.errors.hasFacts("9,007,199,254,740,992"))
    }
    for words in [["validate", "\(shared)/size.json"], ["verify", "\(shared)/size.json"]] {
      #expect(runTool(words: words).status == .inputHasErrors)
    }
  }
}
