import Foundation
import Support
import Testing

@testable import packtool

/// Tests the exact numbers of bytes that `plan` and `explain` report as downloaded because of other tags of
/// the same files.
@Suite struct PulledInReportTests {
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Assets/animals/cat.png", String(repeating: "c", count: 5000))
    try folder.write("Assets/animals/cat_el.ogg", String(repeating: "e", count: 1_200_345))
    try folder.write("Assets/animals/cat_ro.ogg", String(repeating: "r", count: 700))
    try folder.write("Assets/food/pie_el.ogg", String(repeating: "p", count: 40))
    try folder.writeManifest(
      [.path("animals", "theme-animals"), .glob("**/*_el.ogg", "lang-el"), .glob("**/*_ro.ogg", "lang-ro")],
      root: "Assets", members: #""initialInstallTags": ["theme-animals"]"#)
    return folder
  }

  private func output(_ words: String...) throws -> String {
    let folder = try project()
    defer { withExtendedLifetime(folder) {} }
    let run = runTool(
      words: [words[0]] + words.dropFirst().filter { !$0.hasPrefix("-") } + [folder.path]
        + words.filter { $0.hasPrefix("-") })
    #expect(run.status == .done, "\(run.errors)")
    return run.output
  }

  /// Returns the names and numbers of each statement in a text.
  ///
  /// A statement can continue on an indented line.
  private func facts(_ text: String) -> [String] {
    text.replacing(/\n {4}(?=\S)/, with: " ").split(separator: "\n").map { values(in: String($0)) }
  }

  @Test func `plan shows pulled-in packs below the download`() throws {
    let facts = facts(try output("plan"))
    #expect(
      facts.contains(
        #"2 1,201,045 bytes 1.20 MB "lang-el" 1.20 MB "lang-ro" 700 bytes "theme-animals""#), "\(facts)")
  }

  /// A tag that is in no list can have packs in the initial install.
  ///
  /// The output must not look as if these packs were on demand.
  @Test(arguments: ["text", "markdown"])
  func `a plan does not call the packs of a tag on demand that come earlier`(
    form: String
  ) throws {
    let folder = try project()
    let report = folder.path("r.html")
    let run = runTool("plan", folder.path, "--format", form)
    #expect(runTool("report", folder.path, "-o", report).status == .done)
    // The table of tags is the last table.
    let tags = run.output.split(separator: "\n").filter { $0.contains(/^[ |]*(?:- +)?lang-/) }.suffix(2)
    #expect(tags.count == 2, "\(run.output)")
    // One of the first tag's two packs is pulled in, and so is the second tag's only pack.
    #expect(tags.first?.contains(/on demand, 1 of 2 packs pulled in/) == true, "\(tags)")
    #expect(tags.last?.contains(/initial install, pulled in/) == true, "\(tags)")
    #expect(tags.last?.contains("on demand") == false)
    let page = String(decoding: try folder.read("r.html"), as: UTF8.self)
    #expect(page.contains("on demand, 1 of 2 packs pulled in") && page.contains("initial install, pulled in"))
    // The JSON contains the delivery mode of the tag itself.
    let json = runTool("plan", folder.path, "--format", "json").output
    struct Plan: Decodable {
      struct Tag: Decodable { let delivery: String }
      let tags: [String: Tag]
    }
    let plan = try JSONDecoder().decode(Plan.self, from: Data(json.utf8))
    #expect(plan.tags["lang-ro"]?.delivery == "onDemand" && plan.tags["lang-el"]?.delivery == "onDemand")
  }

  @Test func `the JSON of plan contains pulled-in packs`() throws {
    struct Plan: Decodable {
      struct Delivery: Decodable {
        struct Dragged: Decodable {
          let packs: [String]
          let size: Int
          let tags: [String: Int]
          let savings: [String: Int]
        }
        let draggedIn: Dragged?
      }
      let initialInstall: Delivery
      let prefetch: Delivery
    }
    let plan = try JSONDecoder().decode(Plan.self, from: Data(try output("plan", "--format=json").utf8))
    #expect(plan.initialInstall.draggedIn?.packs.count == 2)
    #expect(plan.initialInstall.draggedIn?.size == 1_201_045)
    #expect(plan.initialInstall.draggedIn?.tags == ["lang-el": 1_200_345, "lang-ro": 700])
    #expect(plan.initialInstall.draggedIn?.savings == ["theme-animals": 1_201_045])
    #expect(plan.prefetch.draggedIn == nil)
  }

  @Test func `explain shows what a tag pulls in and which tags pull it in`() throws {
    let listed = facts(try output("explain", "theme-animals"))
    #expect(
      listed.contains(#"2 1,201,045 bytes 1.20 MB "lang-el" "lang-ro" 1,201,045 bytes 1.20 MB"#), "\(listed)")
    let unlisted = facts(try output("explain", "lang-ro"))
    #expect(unlisted.contains(#"1 700 bytes "theme-animals""#), "\(unlisted)")
    #expect(unlisted.first?.hasPrefix(#""lang-ro" 1 1 700 bytes"#) == true, "\(unlisted)")
    // For a file, tags that are in no list are shown in addition to the line with all tags.
    #expect(try output("explain", "animals/cat_el.ogg", "--format=json").contains("unlistedTags"))
    let alone = try output("explain", "food/pie_el.ogg", "--format=json")
    #expect(!alone.contains("unlistedTags"))
  }

  @Test func `the JSON of explain contains pulled-in packs`() throws {
    struct Facts: Decodable {
      struct Dragged: Decodable, Equatable {
        let delivery: String
        let packs: Int
        let size: Int
        let tags: [String]
        let saving: Int?
      }
      struct Pack: Decodable {
        let tags: [String]
        let unlistedTags: [String]?
      }
      let delivery: String
      let draggedIn: [Dragged]?
      let packs: [Pack]
    }
    func explained(_ tag: String) throws -> Facts {
      struct Answer: Decodable { let subjects: [Facts] }
      let text = try output("explain", tag, "--format=json")
      return try #require(try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).subjects.first)
    }
    let unlisted = try explained("lang-el")
    #expect(unlisted.delivery == "onDemand")
    #expect(
      unlisted.draggedIn == [
        .init(delivery: "initialInstall", packs: 1, size: 1_200_345, tags: ["theme-animals"], saving: nil)
      ])
    #expect(
      Dictionary(uniqueKeysWithValues: unlisted.packs.map { ($0.tags, $0.unlistedTags) }) == [
        ["lang-el", "theme-animals"]: ["lang-el"], ["lang-el"]: nil,
      ])
    #expect(
      try explained("theme-animals").draggedIn == [
        .init(
          delivery: "initialInstall", packs: 2, size: 1_201_045, tags: ["lang-el", "lang-ro"],
          saving: 1_201_045)
      ])
  }
}
