import Foundation
import Support
import Testing

@testable import packtool

/// What `plan` and `explain` say of bytes that other tags of their files bring along, to the byte.
@Suite struct DraggedInReportTests {
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

  @Test func `plan says it below the download`() throws {
    #expect(
      try output("plan").replacing(/\n +/, with: " ").contains(
        " 2 of these packs, with 1,201,045 bytes (1.20 MB), also have tags that are in no list: \"lang-el\" (1.20 MB), "
          + "\"lang-ro\" (700 bytes); they come along because of \"theme-animals\"\n"))
  }

  @Test func `plan says it to programs`() throws {
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

  @Test func `explain says it of both sides`() throws {
    #expect(
      try output("explain", "theme-animals").contains(
        "  drags into the initial install 2 packs with 1,201,045 bytes (1.20 MB), beside tags that no list names: \"lang-el\" "
          + "and \"lang-ro\"; without it on their files 1,201,045 bytes (1.20 MB) less\n"))
    #expect(
      try output("explain", "lang-ro").contains(
        "  no list names it, but 1 pack with 700 bytes comes with the initial install, by \"theme-animals\"\n"
      ))
    #expect(
      try output("explain", "animals/cat_el.ogg").contains(
        "    no list names \"lang-el\": it comes along only by its other tags\n"))
    #expect(!(try output("explain", "food/pie_el.ogg").contains("comes along")))
  }

  @Test func `explain says it to programs`() throws {
    let output = try output("explain", "lang-el", "--format=json")
    #expect(output.contains("\"draggedIn\": ["))
    #expect(output.contains("\"size\": 1200345"))
    #expect(output.contains("\"unlistedTags\": ["))
  }
}
