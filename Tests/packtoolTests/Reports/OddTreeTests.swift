import Foundation
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Support
import Testing

/// Tests a run of `validate` with every kind of odd file.
@Suite struct OddTreeTests {
  /// The part of the second folder's path that is in a message.
  private static let tooLong =
    "odd/g" + OddTree.longFolder.dropFirst() + "/g" + OddTree.longFolder.prefix(39) + "…"

  private static let expected = [
    #".hero.png.icloud: warning [icloud-placeholder] ".hero.png.icloud" "hero.png""#,
    #"code/game: error [executable-content] "odd/code/game""#,
    #"code/game.exe: error [executable-content] "odd/code/game.exe""#,
    #"code/libgame.so: error [executable-content] "odd/code/libgame.so""#,
    #"empty.txt: note [empty-file] "odd/empty.txt""#,
    "\(tooLong.dropFirst(4)): error [invalid-name] 65,539 bytes 65,535",
    #"lfs.png: error [lfs-pointer] "odd/lfs.png" "git lfs pull""#,
    #"links/chain to nothing: error [dangling-link] "odd/links/chain to nothing" "nothing" "odd/no such file""#,
    #"links/far: error [link-loop] "odd/links/far" 40"#,
    #"links/inner: error [link-loop] "odd/links/inner""#,
    #"links/loop 1: error [link-loop] "odd/links/loop 1" "odd/links/loop 2" "odd/links/loop 1""#,
    #"links/loop 2: error [link-loop] "odd/links/loop 2" "odd/links/loop 1" "odd/links/loop 2""#,
    #"links/nothing: error [dangling-link] "odd/links/nothing" "../no such file" "odd/no such file""#,
    #"links/outside: error [link-escapes-root] "odd/links/outside" "/etc""#,
    #"links/parent: error [link-loop] "odd/links/parent""#,
    #"links/self: error [link-loop] "odd/links/self" "odd/links/self""#,
    #"links/up: error [link-escapes-root] "odd/links/up" "\#(TemporaryFolder.parent)""#,
    #"names/back\\slash.txt: error [invalid-name] "odd/names/back\\slash.txt""#,
    #"names/bell\u{7}.txt: error [invalid-name] "odd/names/bell\u{7}.txt""#,
    #"names/c1\u{9b}31m.txt: error [invalid-name] "odd/names/c1\u{9b}31m.txt""#,
    #"names/caf\xe9: error [invalid-name] "odd/names/caf\xe9""#,
    #"names/caf\xe9.txt: error [invalid-name] "odd/names/caf\xe9.txt""#,
    "names/caf\u{e9}.txt: error [path-clash] \"odd/names/cafe\u{301}.txt\" \"odd/names/caf\u{e9}.txt\" \"Odd\"",
    #"names/case.txt: error [path-clash] "odd/names/Case.txt" "odd/names/case.txt" "Odd""#,
    #"names/new\nline.txt: error [invalid-name] "odd/names/new\nline.txt""#,
    #"names/quote".txt: warning [unportable-name] 1 "odd/names/quote\".txt" "ignore""#,
    #"names/tab\there: error [invalid-name] "odd/names/tab\there""#,
    #"no rights: error [unreadable-file] "odd/no rights""#,
    #"no rights.txt: error [unreadable-file] "odd/no rights.txt""#,
    #"special/fifo: error [special-file] "odd/special/fifo""#,
    #"special/socket: error [special-file] "odd/special/socket""#,
  ]

  @Test(.noHang) func `every problem is one clear line`() throws {
    let tree = try OddTree()
    let run = runTool("validate", tree.folder.path)
    let isRoot = OddTree.runsAsRoot
    let expected = Self.expected.filter { !isRoot || !$0.hasPrefix("no rights") }
    let lines = run.errors.split(separator: "\n").map(String.init)
    let facts = run.errors.findings.map(\.facts)
    #expect(facts.map { $0.replacing("\(tree.folder.path)/root/odd/", with: "") } == expected)
    #expect(facts.count == lines.count - 1, "\(lines)")
    #expect(lines.last == "packtool: \(isRoot ? 26 : 28) errors, 2 warnings, 1 note")
    #expect(run.status == .inputHasErrors)
    #expect(run.output == "")
  }
}
