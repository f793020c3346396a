@testable import Formats
@testable import Play
import Foundation
import Support
import Testing

/// Tests the lines that tools and apps print when an app loads files.
@Suite struct TraceLineTests {
  private func text(_ line: String) -> String {
    switch TraceLine(Array(line.utf8)[...]) {
    case .load(let time, let scene, let path)?:
      "\(time.map { "\($0)" } ?? "-") \(scene ?? "-") \(String(decoding: path, as: UTF8.self))"
    case .mark(let time, let scene)?: "\(time) begins \(scene)"
    case .other?: "other"
    case nil: "none"
    }
  }

  @Test(arguments: [
    ("12.5 menu UI/title.png", "12.5 menu UI/title.png"), ("12\tthe menu\ta b.png", "12.0 the menu a b.png"),
    ("# a comment", "other"), ("   ", "other"), ("1 menu", "none"), ("1e5 a b", "none"), ("-1 a b", "none"),
    ("1.000000000000000000000000000000 a b", "1.0 a b"), ("1.0000000000000000000000000000000 a b", "none"),
    ("Assets/UI OPEN title 1.png", "none"),
    ("6.1 INFO scene=level1 loaded Levels/1/map 1.json", "6.1 level1 Levels/1/map 1.json"),
    ("3.0 INFO scene=menu player pressed start", "3.0 begins menu"), ("3 scene=menu", "3.0 begins menu"),
    (#"42  17.5 openat(AT_FDCWD</srv>, "a", O_RDONLY) = 5</srv/a b>"#, "17.5 - /srv/a b"),
    (#"17.5 open("Assets/a", O_RDONLY) = 5"#, "17.5 - Assets/a"),
    (#"42  12:00:01.5 openat(AT_FDCWD, "a", O_RDONLY) = 5</srv/a>"#, "43201.5 - /srv/a"),
    (#"42  17.5 <... openat resumed>) = 5</srv/Bl\303\244tter>"#, "17.5 - /srv/Blätter"),
    (#"42  17.5 openat(AT_FDCWD, "a", O_RDONLY) = -1 ENOENT (No such file)"#, "other"),
    (#"42  17.5 openat(AT_FDCWD, "a", O_RDONLY <unfinished ...>"#, "other"),
    (#"42  17.5 openat(AT_FDCWD, "a", O_RDONLY|O_DIRECTORY) = 5</srv/a>"#, "other"),
    ("42  17.5 +++ exited with 0 +++", "other"),
    ("17.5 my game(42): RO srv/a b", "17.5 my game(42): RO srv/a b"),
    ("17.5 my game(42): ro /srv/a", "17.5 my game(42): ro /srv/a"),
    ("17.5 my game(42): O  /srv/a", "17.5 - /srv/a"), ("17.5 game(42): RO", "other"),
    ("42  17.5 nothing", "42.0 17.5 nothing"), ("42  17.5 Open(1) = 2", "42.0 17.5 Open(1) = 2"),
    (#"17.5 close(5</srv/a>) = 0"#, "other"),
    (#"17.5 open("a\\\"b\7", O_RDONLY) = 5</a\\\"b\101>"#, #"17.5 - /a\"bA"#),
    (#"17.5 open("a") = 5"#, "17.5 - a"), ("17.5 open() = 5", "other"),
    ("12:00:01.5  pread  F=5  /srv/a    0.000021   Game.7", "other"),
    ("12:60  open  F=5  /a  0.1  G", "none"),
    ("1:2:3 menu a", "other"), ("1:2:3 Menu a", "3723.0 Menu a"), (".5 menu a", "0.5 menu a"),
    ("5. menu a", "5.0 menu a"), ("1:2 m a", "none"),
    ("Assets/UI/ ACCESS a", "- - Assets/UI/a"), ("Assets/UI/ OPE a", "none"),
    ("Assets/UI/ OPEN", "- - Assets/UI/"),
    ("17.5 my game(42): RO /srv/a b", "17.5 - /srv/a b"), ("17.5 game(42): RO /srv/a", "17.5 - /srv/a"),
    (#"17.5 write(1, "game(42): RO /srv/a", 19) = 19"#, "other"), ("17.5 game(42): CW /srv/a", "other"),
    ("Assets/UI/ OPEN title 1.png", "- - Assets/UI/title 1.png"), ("Assets/UI/ CREATE title.png", "other"),
    ("Assets/UI/ CLOSE_NOWRITE,CLOSE title.png", "other"),
    ("17 OPEN Assets/UI/title.png", "17.0 - Assets/UI/title.png"),
    ("12:00:01.5  open  F=5  (R_____)  /srv/a b.png    0.000021   Great Game.7", "43201.5 - /srv/a b.png"),
    ("12:00:01.5  open  [  2]  (R_____)  /srv/a    0.000021   Game.7", "other"),
    ("12:00:01.5  stat64  /srv/a    0.000021   Game.7", "other"),
  ])
  func `line is read`(line: String, expected: String) { #expect(text(line) == expected) }

  /// The page shows a line of each program.
  @Test func `the lines on the page are read`() throws {
    let page = try String(
      contentsOfFile: "\(packageFolder)/Sources/packtool/packtool.docc/Suggesting.md", encoding: .utf8)
    let rows = try #require(page.firstRange(of: "| from | lines |")).upperBound
    let lines = page[rows...].split(separator: "\n\n")[0].split(separator: "\n").dropFirst()
    #expect(lines.count >= 6)
    for line in lines {
      let example = try #require(line.split(separator: "|").last?.split(separator: "`").dropFirst().first)
      let read = text(String(example))
      #expect(read != "other" && read != "none", "\(example)")
    }
  }

  @Test func `marks give loads their scenes`() {
    let log = """
      20 scene=cave
      42  10.5 openat(AT_FDCWD</>, "x", O_RDONLY) = 5</a>
      42  20.5 openat(AT_FDCWD</>, "x", O_RDONLY) = 5</b>
      42  9.5 openat(AT_FDCWD</>, "x", O_RDONLY) = 5</c>
      """
    let trace = LoadTrace(text: SourceText(path: "log", bytes: Array(log.utf8)))
    #expect(
      trace.loads.map { "\($0.time) \($0.scene ?? "-") \(String(decoding: $0.path, as: UTF8.self))" } == [
        "0.0 start /c", "1.0 start /a", "11.0 cave /b",
      ])
    #expect(trace.hasScenes && trace.findings.isEmpty)
  }
}
