@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests symlinks that are packed as their targets, and symlinks that cause errors.
@Suite struct ScanLinkTests {
  @Test func `a link is packed as what it points to`() throws {
    let site = try ScanSite("b/file", "b/c/deep", "d")
    try site.link("a/file", to: "../b/file")
    try site.link("a/folder", to: "../b")
    try site.link("a/chain", to: "chain 2")
    try site.link("a/chain 2", to: "folder/../d")
    try site.link("a/dots", to: ".././b/./c/../c/deep")
    let scan = try site.scan(.path("a", "A"))
    #expect(
      scan.files == [
        "a/chain [A]", "a/chain 2 [A]", "a/dots [A]", "a/file [A]", "a/folder/c/deep [A]",
        "a/folder/file [A]",
      ])
    #expect(scan.findings == [])
    #expect(scan.untagged.files == 3, "the files themselves")
    let tree = try #require(scan.tree)
    #expect(tree.files.map { $0.size } == [1, 1, 8, 6, 8, 6])
  }

  @Test func `absolute links into the root are as good as others`() throws {
    let site = try ScanSite("b/file", "d")
    try site.link("a/file", to: "SITE/Assets/b/file")
    try site.link("a/folder", to: "SITE/Assets/b/")
    try site.link("a/round", to: "SITE/../../..//SITE/Assets/./d")
    try site.folder.link("Way", to: "Assets/b")
    try site.link("a/way", to: "SITE/Way/file")
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.paths == ["a/file", "a/folder/file", "a/round", "a/way"])
    #expect(scan.findings == [])
  }

  @Test func `a rule for a link, or for what lies behind one, is a rule`() throws {
    let site = try ScanSite("b/1", "b/c/2")
    try site.link("file", to: "b/1")
    try site.link("folder", to: "b")
    try site.link("other", to: "folder")
    let scan = try site.scan(
      .path("file", "File"), .path("folder", "Folder"), .path("other/c", "Behind"), .glob("f*/*/2", "Glob"))
    #expect(
      scan.files == ["file [File]", "folder/1 [Folder]", "folder/c/2 [Folder, Glob]", "other/c/2 [Behind]"])
    #expect(scan.findings == [])
    #expect(scan.untagged.files == 2)
  }

  @Test func `files behind links come in order inside their packs`() throws {
    let site = try ScanSite("a.txt", "b/x", "a0")
    try site.link("a", to: "b")
    let manifest = try site.manifest([.path(".", "A")])
    let plan = PackPlan(grouping: try #require(try site.scan(.path(".", "A")).tree), of: manifest)
    let places = try #require(plan.packs.first).files.map { plan.tree.files[$0].packPath }
    #expect(places == ["a.txt", "a/x", "a0", "b/x"])
  }

  @Test(arguments: [
    ("../outside", "/outside"), ("../Assets2", "/Assets2"), ("..", ""), ("SITE", ""),
    ("SITE/outside", "/outside"),
    ("up/outside", "/outside"), ("up", ""),
  ])
  func `a link out of the root is an error`(target: String, shown: String) throws {
    let site = try ScanSite("a/1")
    try site.folder.write("outside", "secret")
    try site.folder.write("Assets2/x", "named like the root")
    try site.link("up", to: "..")
    try site.link("link", to: target)
    let scan = try AssetScan(
      of: site.manifest([.path("link", "A"), .path("a", "B")]), leavingOut: nil, jobs: 2)
    #expect(scan.tree?.files.map(\.path) == ["a/1"])
    #expect(scan.diagnostics.map(\.check) == [.linkEscapesRoot])
    #expect(scan.diagnostics.map(\.namedValues) == ["\"link\" \"\(site.folder.path + shown)\""])
    #expect(scan.diagnostics.first?.place == Place(site.folder.path("Assets/link")))
  }

  @Test func `links to the system's places are out of the root`() throws {
    let site = try ScanSite()
    try site.link("a/etc", to: "/etc")
    try site.link("a/null", to: "/dev/null")
    try site.link("a/top", to: "/")
    #expect(
      try site.scan(.path("a", "A")).findings == [
        #"Assets/a/etc: error [link-escapes-root] "a/etc" "/etc""#,
        #"Assets/a/null: error [link-escapes-root] "a/null" "/dev/null""#,
        #"Assets/a/top: error [link-escapes-root] "a/top" "/""#,
      ])
  }

  @Test(arguments: [
    ("nowhere", "a/nowhere"), ("../b/no", "b/no"), ("no/../1", "a/no"), ("../file/x", "file/x"),
    ("../file/", "file/."),
    ("../file/../file", "file/.."), ("second", "a/nowhere"),
    (String(repeating: "n", count: 300), "a/" + String(repeating: "n", count: 300)),
    ("/no/such/place", "/no"),
  ])
  func `a link to nothing is an error`(target: String, shown: String) throws {
    let site = try ScanSite("file", "b/1")
    try site.link("a/link", to: target)
    try site.link("a/second", to: "nowhere")
    let scan = try site.scan(.path("a/link", "A"))
    #expect(
      scan.findings == [
        #"Assets/a/link: error [dangling-link] "a/link" \#(quoted(target)) \#(quoted(shown))"#
      ])
    #expect(scan.files == [])
  }

  /// The text of a symlink is what a listing of the folder shows.
  @Test func `a link through a missing folder names its own text`() throws {
    let site = try ScanSite("a/1")
    try site.link("a/font", to: "../../fonts/truetype/bold.ttf")
    try site.link("a/deep", to: "../b/c/d")
    try site.link("top", to: "nowhere")
    let scan = try site.scan(.path("a", "A"), .path("top", "A"))
    #expect(
      scan.findings == [
        #"Assets/a/deep: error [dangling-link] "a/deep" "../b/c/d" "b""#,
        #"Assets/a/font: error [dangling-link] "a/font" "../../fonts/truetype/bold.ttf" "fonts""#,
        #"Assets/top: error [dangling-link] "top" "nowhere""#,
      ])
  }

  @Test func `links that nobody means are passed over`() throws {
    let site = try ScanSite("a/1.png", "b/2.png")
    try site.link("a/dangling", to: "nowhere")
    try site.link("a/outside", to: "/etc")
    try site.link("a/loop", to: "loop")
    try site.link("a/up", to: "..")
    try site.link("untagged/dangling", to: "nowhere")
    #expect(mkfifo(site.folder.path("Assets/a/fifo"), 0o644) == 0)
    let scan = try site.scan(.glob("**/*.png", "A"), .path("b", "B"))
    #expect(scan.files == ["a/1.png [A]", "b/2.png [A, B]"])
    #expect(scan.findings == [])
  }

  @Test func `a glob that matches a link's own name means it`() throws {
    let site = try ScanSite("a/1.png")
    try site.link("a/2.png", to: "nowhere.png")
    try site.link("a/3.png", to: "/etc/passwd")
    let scan = try site.scan(.glob("**/*.png", "A"))
    #expect(scan.files == ["a/1.png [A]"])
    #expect(
      scan.findings == [
        #"Assets/a/2.png: error [dangling-link] "a/2.png" "nowhere.png" "a/nowhere.png""#,
        #"Assets/a/3.png: error [link-escapes-root] "a/3.png" "/etc/passwd""#,
      ])
  }

  @Test func `a link to a folder is entered only where a rule may match below it`() throws {
    let site = try ScanSite("b/1.png", "b/2.txt")
    try site.link("a", to: "b")
    let scan = try site.scan(.glob("?/*.png", "A"))
    #expect(scan.files == ["a/1.png [A]", "b/1.png [A]"])
    #expect(scan.untagged.files == 1, "a file counts where it stands")
    #expect(try site.scan(.glob("b/*", "A")).files == ["b/1.png [A]", "b/2.txt [A]"])
  }

  @Test func `a link among names of any bytes leads where the kernel leads`() throws {
    let site = try ScanSite("x")
    try site.python(
      """
      import os
      os.makedirs(b'b\\xff/c')
      open(b'b\\xff/1', 'w').write('1')
      os.mkdir('a')
      os.symlink(b'../b\\xff/1', 'a/file')
      os.symlink(b'../b\\xff/c/..', 'a/folder')
      """)
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.files == ["a/file [A]", "a/folder/1 [A]"])
    #expect(scan.findings == [])
  }

  /// Bazel lays out the inputs of an action as symlinks to files outside the root.
  @Test func `followed symlinks lead to files and folders anywhere`() throws {
    let site = try ScanSite()
    try site.folder.write("elsewhere/1", "1234")
    try site.folder.write("elsewhere/more/2", "12345")
    try site.folder.write("store/3", "123")
    try site.folder.link("elsewhere/more/3", to: "../../store/3")
    try site.link("a/1", to: "SITE/elsewhere/1")
    try site.link("b", to: "../elsewhere/more")
    // An untagged file outside the root is counted, because it is counted nowhere else.
    try site.link("c", to: "../elsewhere/1")
    try site.link("d", to: "c")
    let scan = try following { try site.scan(.path("a", "A"), .path("b", "B")) }
    #expect(scan.files == ["a/1 [A]", "b/2 [B]", "b/3 [B]"])
    #expect(scan.findings == [])
    #expect(scan.tree?.files.map { $0.size } == [4, 5, 3])
    #expect(scan.untagged.files == 2 && scan.untagged.size == 8)
    #expect(try site.scan(.path("a", "A"), .path("b", "B")).findings.count == 2)
  }

  @Test func `symlinks in a followed folder are still checked`() throws {
    let site = try ScanSite("a/1")
    try site.folder.write("elsewhere/sub/file", "")
    try site.folder.link("elsewhere/sub/up", to: "..")
    try site.folder.link("elsewhere/loop", to: "loop")
    try site.folder.link("elsewhere/nothing", to: "missing")
    try site.folder.link("elsewhere/device", to: "/dev/null")
    #expect(mkfifo(site.folder.path("elsewhere/fifo"), 0o644) == 0)
    try site.link("b", to: "../elsewhere")
    let scan = try following { try site.scan(.path("b", "B")) }
    #expect(scan.files == ["b/sub/file [B]"])
    let facts = scan.findings.map { $0.replacingOccurrences(of: site.folder.path, with: "SITE") }
    #expect(
      facts.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "Assets/b/device: error [special-file]", "Assets/b/fifo: error [special-file]",
        "Assets/b/loop: error [link-loop]", "Assets/b/nothing: error [dangling-link]",
        "Assets/b/sub/up: error [link-loop]",
      ], "\(facts)")
  }

  /// The output folder can be the root itself, and a path can leave the output folder again.
  @Test func `a link is outside the output folder if its target is`() throws {
    let site = try ScanSite("a/1", "b/1", "out/packs/2", "out/3")
    try site.link("a/round", to: "../out/packs/../packs/2")
    try site.link("a/back", to: "../out/packs/../3")
    try site.link("a/through", to: "../out/packs/../../b/1")
    let scan = try site.scan(.path("a", "A"), output: "Assets/out")
    #expect(scan.files == ["a/1 [A]", "a/through [A]"] && scan.findings == [])
    // This path leaves the root and enters it again.
    try site.link("a/again", to: "../../Assets/b/1")
    let root = try site.scan(.path("a", "A"), output: "Assets")
    #expect(root.paths == ["a/1", "a/again", "a/back", "a/round", "a/through"] && root.findings == [])
  }

  private func following<Value>(_ body: () throws -> Value) rethrows -> Value {
    var scope = RunScope()
    scope.followsSymlinks = true
    return try RunScope.$current.withValue(scope, operation: body)
  }
}
