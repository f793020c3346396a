import Foundation
import Support
import Testing

/// Tests that all users can read a build, whatever the umask of the user who builds is.
@Suite struct PermissionTests {
  /// Runs packtool in a process with a strict umask.
  private func packtool(_ words: [String], in folder: TemporaryFolder) throws {
    let run = try Support.run(
      "sh", ["-c", "umask 077; exec \"$0\" \"$@\"", packtoolProgram()] + words, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private static let layouts: [(flags: [String], files: Int)] = [
    ([], 4), (["--layout", "xcode", "--embed-packs", "--content-hash", "modtime"], 6),
    (["--layout", "background-assets", "--platforms", "iOS"], 7),
  ]

  @Test(arguments: layouts.indices, [true, false])
  func `all users can read what was published`(number: Int, isMerged: Bool) throws {
    let (flags, files) = Self.layouts[number]
    // Packs of this layout are not built in shards.
    if isMerged && flags.contains("background-assets") { return }
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A"), .path("b", "B")], root: "Assets")
    for name in ["a/1", "a/2/3", "b/4"] { try folder.write("Assets/\(name)", name) }
    if isMerged {
      try packtool(["build", "-o", "shard", "--shard", "1/1"] + flags, in: folder)
      try packtool(["merge", "shard", "-o", "out"], in: folder)
    } else {
      try packtool(["build", "-o", "out"] + flags, in: folder)
    }
    func find(_ conditions: String...) throws -> [Substring] {
      let cache = ["out", "shard", "-path", "*/.packtool", "-prune", "-o", "-mindepth", "1"]
      return try Support.run("find", cache + conditions + ["-print"], in: folder.path).output.split(
        separator: "\n")
    }
    #expect(try find("-type", "f", "-perm", "-go=r").count >= files)
    #expect(try find("-type", "f", "!", "-perm", "644") == [])
    // The folders in packs have the same permissions on every machine. Other folders belong to the user.
    #expect(try find("-type", "d", "-path", "*/*/*", "!", "-perm", "755") == [])
  }
}
