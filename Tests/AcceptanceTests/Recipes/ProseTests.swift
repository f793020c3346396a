import Foundation
import Support
import Testing

/// Tests the prose check that `.ci/run` starts, in a temporary repository.
@Suite struct ProseTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(".ci/prose", Data(contentsOf: URL(fileURLWithPath: "\(packageFolder)/.ci/prose")))
  }

  private func prose(_ flags: String...) throws -> ProgramResult {
    try Support.run("python3", [folder.path(".ci/prose")] + flags)
  }

  @Test func `marks are found in every kind of text`() throws {
    try folder.write(
      "README.md",
      """
      # What a heading asks

      The reader is
      told. What has changed is packed. What is a pack? `beside` "beside"

      ```
      beside
      ```

      <!-- table -->
      beside
      <!-- /table -->
      """)
    try folder.write(
      "Sources/A/A.swift",
      """
      /// Whether a file is there.
      /// Of two files the first.
      let a = "the file \\(b ? "is no pack" : "is a pack at once") \\(c)"  // beside `beside`
      let beside = "beside"
      """)
    try folder.write("Tests/A/B.swift", "/// A mend.\nlet text = \"the file is told\"\n")
    try folder.write("Manifest.schema.json", "{\n  \"description\": \"The most bytes of a pack.\"\n}\n")
    let list = try prose("--list").output.split(separator: "\n").map {
      String($0.prefix(while: { $0 != ">" }).dropLast(2))
    }
    #expect(
      list == [
        "Manifest.schema.json:2: schema: the most bytes",
        "README.md:3: pages: is told",
        "README.md:4: pages: ^What",
        "Sources/A/A.swift:2: comments: ^Of",
        "Sources/A/A.swift:3: comments: beside",
        "Sources/A/A.swift:3: strings: at once",
        "Sources/A/A.swift:3: strings: is no",
        "Tests/A/B.swift:1: comments: mend",
      ])
    let selected = try prose("--list", "strings: at once").output
    #expect(selected.hasSuffix("at once -> immediately, atomically, or together\n"))
  }

  @Test func `a new line with a mark fails`() throws {
    try folder.write("README.md", "The first is packed anew.\n\nThe second is not.\n")
    #expect(try prose().status == 1)
    #expect(try prose("--allow").status == 0)
    #expect(try prose().status == 0)

    // If a line is in the list of kept lines, the line may move to another place. But it must not occur
    // twice, and its words must not change.
    try folder.write("README.md", "The second is not.\n")
    try folder.write("CHANGELOG.md", "The first is packed anew.\n")
    #expect(try prose().status == 0)
    try folder.write("SECURITY.md", "The first is packed anew.\n")
    let twice = try prose()
    #expect(twice.status == 1 && twice.errors.contains("SECURITY.md:1: anew -> again\n"))

    // A removed line stays in the list of kept lines until the list is updated.
    try folder.write("SECURITY.md", "The first is packed again.\n")
    try folder.write("CHANGELOG.md", "The first is packed again.\n")
    #expect(try prose().output.contains("1 kept lines are gone"))
    #expect(try prose("--update").status == 0)
    #expect(try folder.read(".ci/prose.allowed").isEmpty)
    try folder.write("CHANGELOG.md", "The first is packed anew.\n")
    #expect(try prose().status == 1)
    #expect(try prose("--update").status == 0)
    #expect(try folder.read(".ci/prose.allowed").isEmpty)
  }
}
