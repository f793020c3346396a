import Foundation
@testable import PackKit
import Support
@testable import System
import Testing
@testable import packtool

/// One run over every kind of odd file.
@Suite struct OddTreeTests {
  /// The second folder's path as far as a message shows it.
  private static let tooLong =
    "odd/g" + OddTree.longFolder.dropFirst() + "/g" + OddTree.longFolder.prefix(39) + "…"

  private static let codeEnd = "the store refuses packs with machine code, leave it out [executable-content]"

  private static let expected = [
    ".hero.png.icloud: warning: \".hero.png.icloud\" is iCloud's placeholder for \"hero.png\"; let the Mac download "
      + "the file [icloud-placeholder]",
    "code/game: error: the file \"odd/code/game\" is a Mach-O binary; \(codeEnd)",
    "code/game.exe: error: the file \"odd/code/game.exe\" is a Windows binary (PE); \(codeEnd)",
    "code/libgame.so: error: the file \"odd/code/libgame.so\" is an ELF binary; \(codeEnd)",
    "empty.txt: note: the file \"odd/empty.txt\" is empty [empty-file]",
    "\(tooLong.dropFirst(4)): error: a path is 65,539 bytes long; an archive holds at most 65,535 [invalid-name]",
    "lfs.png: error: the file \"odd/lfs.png\" is a git-LFS pointer, not the file itself; run \"git lfs pull\" "
      + "[lfs-pointer]",
    "links/chain to nothing: error: the link \"odd/links/chain to nothing\" leads to \"odd/no such file\", which does "
      + "not exist [dangling-link]",
    "links/far: error: the link \"odd/links/far\" leads through more than 40 links, which no system follows "
      + "[link-loop]",
    "links/inner: error: the link \"odd/links/inner\" leads to a folder that it is in [link-loop]",
    "links/loop 1: error: links go round in a circle: \"odd/links/loop 1\" to \"odd/links/loop 2\" to "
      + "\"odd/links/loop 1\" [link-loop]",
    "links/loop 2: error: links go round in a circle: \"odd/links/loop 2\" to \"odd/links/loop 1\" to "
      + "\"odd/links/loop 2\" [link-loop]",
    "links/nothing: error: the link \"odd/links/nothing\" leads to \"odd/no such file\", which does not exist "
      + "[dangling-link]",
    "links/outside: error: the link \"odd/links/outside\" leads out of the root folder, to \"/etc\" "
      + "[link-escapes-root]",
    "links/parent: error: the link \"odd/links/parent\" leads to a folder that it is in [link-loop]",
    "links/self: error: links go round in a circle: \"odd/links/self\" to \"odd/links/self\" [link-loop]",
    "links/up: error: the link \"odd/links/up\" leads out of the root folder, to \"/tmp\" [link-escapes-root]",
    "names/back\\\\slash.txt: error: the name \"odd/names/back\\\\slash.txt\" has a backslash, which some readers of "
      + "packs take for a slash [invalid-name]",
    "names/bell\\u{7}.txt: error: the name \"odd/names/bell\\u{7}.txt\" has a control character [invalid-name]",
    "names/c1\\u{9b}31m.txt: error: the name \"odd/names/c1\\u{9b}31m.txt\" has a control character [invalid-name]",
    "names/caf\\xe9: error: the name \"odd/names/caf\\xe9\" is not UTF-8 [invalid-name]",
    "names/caf\\xe9.txt: error: the name \"odd/names/caf\\xe9.txt\" is not UTF-8 [invalid-name]",
    "names/caf\u{e9}.txt: error: the files \"odd/names/cafe\u{301}.txt\" and \"odd/names/caf\u{e9}.txt\" land at places "
      + "that differ only in Unicode form, which most devices take for one, in the pack of {\"Odd\"} [path-clash]",
    "names/case.txt: error: the files \"odd/names/Case.txt\" and \"odd/names/case.txt\" land at places that differ only "
      + "in case, which most devices take for one, in the pack of {\"Odd\"} [path-clash]",
    "names/new\\nline.txt: error: the name \"odd/names/new\\nline.txt\" has a control character [invalid-name]",
    "names/quote\".txt: warning: Windows cannot store 1 name: \"odd/names/quote\\\".txt\"; rename the files and tags, or "
      + "set the severity of this check to \"ignore\" if nobody unpacks these packs on Windows [unportable-name]",
    "names/tab\\there: error: the name \"odd/names/tab\\there\" has a control character [invalid-name]",
    "no rights: error: the folder \"odd/no rights\" cannot be read: permission denied [unreadable-file]",
    "no rights.txt: error: the file \"odd/no rights.txt\" cannot be read: permission denied [unreadable-file]",
    "special/fifo: error: \"odd/special/fifo\" is a fifo, which has no content to pack [special-file]",
    "special/socket: error: \"odd/special/socket\" is a socket, which has no content to pack [special-file]",
  ]

  @Test(.noHang) func everyProblemIsOneClearLine() throws {
    let tree = try OddTree()
    let run = runTool("validate", tree.folder.path)
    let isRoot = OddTree.runsAsRoot
    let expected = Self.expected.filter { !isRoot || !$0.hasPrefix("no rights") }
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.dropLast().map { $0.replacing("\(tree.folder.path)/root/odd/", with: "") } == expected)
    #expect(lines.last == "packtool: \(isRoot ? 26 : 28) errors, 2 warnings, 1 note")
    #expect(run.status == .inputHasErrors)
    #expect(run.output == "")
  }
}
