import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests inputs for which the running time once grew faster than the size of the input.
///
/// An input of twice the size must take about twice the time.
@Suite(.enabled(if: Measured.isPossible, "\(Measured.hindrance)"), .noHang)
struct GrowthTests {
  /// A kind of input that can be made in any size.
  ///
  /// Its minimum size is so large that processing it takes longer than starting the program.
  struct Series: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let size: Int
    let words: [String]
    let make: @Sendable (TemporaryFolder, Int) throws -> Void
  }

  private static func manifest(_ rules: [String], more: String = "") -> String {
    #"{"bundleIdentifier": "a.b", "root": "Assets", "resources": [\#(rules.joined(separator: ","))]\#(more)}"#
  }

  private static func project(_ settings: String, in folder: TemporaryFolder) throws {
    var project = TestProject()
    project.setSettings(settings)
    project.add("a.png", tags: "A")
    try folder.write("App.xcodeproj/project.pbxproj", project.text)
    try folder.write("a.png", "a")
  }

  /// Returns globs that match no file.
  ///
  /// The globs contain every kind of component and apply to any folder.
  private static func globs(_ size: Int) -> [String] {
    let forms = ["**/*q%05d*.da?", "**/*x%05d*", "**/name%05d.png", "**/[a-z]?%05d/**", "?%05d*.dat"]
    return (0..<size).map { String(format: forms[$0 % forms.count], $0) }
  }

  /// Writes ten files for each glob, with a hundred files in each folder.
  private static func writeFiles(_ size: Int, in folder: TemporaryFolder) throws {
    try folder.python(
      """
      import os
      for number in range(\(10 * size)):
        if number % 100 == 0: os.makedirs("Assets/%d" % (number // 100))
        open("Assets/%d/file%07d.dat" % (number // 100, number), "w").close()
      """)
  }

  private static let all: [Series] = [
    Series(
      testDescription: "references to settings in one another", size: 20_000,
      words: ["validate", "App.xcodeproj"]
    ) { folder, size in
      let text = String(repeating: "$(", count: size)
      try project("PRODUCT_BUNDLE_IDENTIFIER = \"\(text)\";", in: folder)
    },
    Series(
      testDescription: "findings of one line as SARIF", size: 20_000,
      words: ["validate", "--diagnostics", "sarif"]
    ) { folder, size in
      try folder.write("Assets/a", "a")
      let tags = (0..<size).map { "\"t\($0)\"" }.joined(separator: ",")
      try folder.write(
        "Manifest.json",
        manifest([#"{"path": "a", "tags": ["A"]}"#], more: #", "prefetchTagOrder": [\#(tags)]"#))
    },
    Series(testDescription: "folders in one another", size: 1000, words: ["validate"]) { folder, size in
      try folder.python(
        """
        import os
        os.makedirs("Assets/a")
        open("Assets/a/1", "w").close()
        os.chdir("Assets")
        for level in range(\(size)):
          os.mkdir("d")
          os.chdir("d")
        """)
      try folder.write("Manifest.json", manifest([#"{"path": "a", "tags": ["A"]}"#]))
    },
    Series(testDescription: "globs for any depth", size: 100, words: ["validate"]) { folder, size in
      try folder.python(
        """
        import os
        os.mkdir("Assets")
        os.chdir("Assets")
        for level in range(100):
          os.mkdir("a")
          os.chdir("a")
        open("x", "w").close()
        """)
      let glob = String(repeating: "{**,*}/", count: 8) + String(repeating: "**/a/", count: size) + "x"
      try folder.write("Manifest.json", manifest([#"{"glob": "\#(glob)", "tags": ["A"]}"#]))
    },
    Series(
      testDescription: "globs, and files below any of which each might be", size: 1000,
      words: ["validate"]
    ) { folder, size in
      try writeFiles(size, in: folder)
      try folder.write(
        "Manifest.json", manifest(globs(size).map { #"{"glob": "\#($0)", "tags": ["A"]}"# }))
    },
    Series(
      testDescription: "excludes, and files each of which one might be for", size: 1000,
      words: ["validate"]
    ) { folder, size in
      try writeFiles(size, in: folder)
      let excludes = globs(size).map { "\"\($0)\"" }.joined(separator: ",")
      try folder.write(
        "Manifest.json",
        manifest([#"{"glob": "**", "tags": ["A"]}"#], more: #", "exclude": [\#(excludes)]"#))
    },
    Series(
      testDescription: "scenes of a trace that load one file", size: 4_000,
      words: ["suggest", "trace", "trace"]
    ) { folder, size in
      try folder.write("Assets/a", "a")
      try folder.write("Manifest.json", manifest([#"{"path": "a", "tags": ["A"]}"#]))
      try folder.write("trace", (0..<size).map { "\($0) scene\($0) a\n" }.joined())
    },
    Series(testDescription: "budgets of packs", size: 20_000, words: ["validate"]) { folder, size in
      for file in 0..<300 { try folder.write("Assets/\(file)", "a") }
      let rules = (0..<300).map { #"{"path": "\#($0)", "tags": ["T\#($0)"]}"# }
      let packs = (0..<size).map { #""none\#($0)": 5"# }.joined(separator: ",")
      try folder.write("Manifest.json", manifest(rules, more: #", "budgets": {"packs": {\#(packs)}}"#))
    },
    Series(
      testDescription: "requests for one list of tags in code", size: 4000,
      words: ["validate", "--sources", "Code"]
    ) { folder, size in
      try folder.write("Assets/a", "a")
      try folder.write("Manifest.json", manifest([#"{"path": "a", "tags": ["A"]}"#]))
      let list = (0..<size).map { "t = [\"none\($0)\"]\n" }.joined()
      try folder.write(
        "Code/a.swift", list + String(repeating: "NSBundleResourceRequest(tags: t)\n", count: size))
    },
  ]

  @Test(arguments: sample(4, of: all)) func `twice the input takes twice the time`(series: Series) throws {
    let folders = [try TemporaryFolder(), try TemporaryFolder()]
    defer { for folder in folders { _ = try? run("rm", ["-rf", folder.path]) } }
    for (factor, folder) in zip(1..., folders) { try series.make(folder, factor * series.size) }

    // If the time really grows too fast, it does so in every attempt. A busy machine or a cold file system
    // cache rarely causes this more than once.
    var grows = true
    for _ in 1...4 where grows {
      let times = try folders.map { folder in
        let run = try Measured(try packtoolProgram(), series.words, in: folder)
        #expect([0, 1].contains(run.result.status), "\(run.result.errors.prefix(500))")
        #expect(run.memory <= 256)
        return run.seconds
      }
      // Half a second is allowed for the start of the program and for the noise of a shared machine.
      grows = times[1] >= min(2.9 * times[0] + 0.5, 20)
    }
    #expect(!grows)
  }
}
