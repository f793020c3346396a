import Foundation
@testable import Model
@testable import Pipeline
import Support

/// A folder `odd` with every kind of file that a pack should not or cannot contain, and files that only look
/// like such files.
final class OddTree {
  let folder: TemporaryFolder

  /// Whether this user can read every file.
  static let runsAsRoot = geteuid() == 0

  /// A name with the maximum length that file systems accept.
  static let longName = String(repeating: "n", count: 251) + ".txt"
  /// A folder's name with the maximum length that file systems accept.
  static let longFolder = String(repeating: "f", count: 255)

  /// The file that could not be made, and the system's error number.
  private struct Failure: Error {
    let action: String
    let code: Int32
  }

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("odd", "Odd")], app: "com.example.odd", root: "root", members: #""appBundle": { "size": 1 }"#)
    try writeContents()
    try writeNames()
    try writeLinks()
    try writeSpecialFiles()
    try makeFolders(named: "d", deep: 1000, holding: "bottom.txt")
    // The path of this file is longer than PATH_MAX, and longer than a path in an archive can be.
    try makeFolders(named: Self.longFolder, deep: 20, holding: "far.txt")
    try makeFolders(named: "g" + Self.longFolder.dropFirst(), deep: 300, holding: "too far.txt")
    try folder.write("root/odd/no rights/secret.txt", "x")
    try folder.write("root/odd/no rights.txt", "secret")
    for name in ["no rights", "no rights.txt"] { try check(chmod(folder.path("root/odd/\(name)"), 0), name) }
  }

  deinit {
    // Foundation cannot remove files whose paths are longer than PATH_MAX.
    _ = try? run("/bin/chmod", ["u+rwx", folder.path("root/odd/no rights")])
    _ = try? run("/bin/rm", ["-rf", folder.path])
  }

  private func check(_ result: Int32, _ action: String) throws {
    if result != 0 { throw Failure(action: action, code: errno) }
  }

  private func writeContents() throws {
    let machO: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe] + Array(repeating: 0, count: 28)
    let elf: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + Array(repeating: 0, count: 56)
    let windows = Array("MZ".utf8) + Array(repeating: 0, count: 58) + [64, 0, 0, 0, 0x50, 0x45, 0, 0]
    try folder.write("root/odd/code/game", Data(machO))
    try folder.write("root/odd/code/game.exe", Data(windows))
    try folder.write("root/odd/code/libgame.so", Data(elf))
    try folder.write("root/odd/code/game.sh", "#!/bin/sh\n")
    try folder.write("root/odd/empty.txt", "")
    try folder.write("root/odd/.hero.png.icloud", "bplist00")
    try folder.write("root/odd/lfs.png", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    try folder.write("root/odd/fine.txt", "fine")
  }

  private func writeNames() throws {
    for name in ["Case.txt", "case.txt", "caf\u{e9}.txt", "cafe\u{301}.txt", Self.longName] {
      try folder.write("root/odd/names/\(name)", name)
    }
    for name in [
      "new\nline.txt", "bell\u{7}.txt", "quote\".txt", "back\\slash.txt", "tab\there", "c1\u{9b}31m.txt",
    ] {
      try folder.write("root/odd/names/\(name)", name)
    }
    let latin1 = Array("\(folder.path)/root/odd/names/caf".utf8) + [0xe9]
    try make(latin1 + Array(".txt".utf8))
    try check(
      (latin1.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { mkdir($0.baseAddress!, 0o755) },
      "mkdir")
    try make(latin1 + Array("/inside.txt".utf8))
  }

  /// Makes a file whose path can contain any bytes.
  private func make(_ path: [UInt8]) throws {
    let file = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      open($0.baseAddress!, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    }
    try check(file < 0 ? -1 : 0, "make a file")
    close(file)
  }

  private func writeLinks() throws {
    let links = [
      "self": "self", "loop 1": "loop 2", "loop 2": "loop 1", "parent": "..", "inner": "../links",
      "nothing": "../no such file", "chain to nothing": "nothing", "outside": "/etc", "up": "../../../..",
      "file": "../fine.txt", "absolute": folder.path("root/odd/fine.txt"),
    ]
    for (name, target) in links { try folder.link("root/odd/links/\(name)", to: target) }
    // The chain has as many symlinks as the kernel follows. A symlink that leads to the first symlink of the
    // chain is one symlink too many.
    for number in 1...40 {
      try folder.link("root/chain/\(number)", to: number == 40 ? "../odd/fine.txt" : "\(number + 1)")
    }
    try folder.link("root/odd/links/not too far", to: "../../chain/2")
    try folder.link("root/odd/links/far", to: "../../chain/1")
  }

  private func writeSpecialFiles() throws {
    try folder.write("root/odd/special/file", "x")
    try check(mkfifo(folder.path("root/odd/special/fifo"), 0o644), "mkfifo")
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(folder.path("root/odd/special/socket").utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try check(result, "bind")
  }

  /// Makes nested folders, and a file in the last folder.
  ///
  /// Each folder is made separately, because no call accepts such a long path.
  private func makeFolders(named name: String, deep count: Int, holding file: String) throws {
    var parent = open(folder.path("root/odd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(parent) }
    for _ in 0..<count {
      try check(mkdirat(parent, name, 0o755), "mkdirat")
      let next = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      try check(next < 0 ? -1 : 0, "openat")
      close(parent)
      parent = next
    }
    let last = openat(parent, file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    try check(last < 0 ? -1 : 0, "make \(file)")
    _ = write(last, "x", 1)
    close(last)
  }
}
