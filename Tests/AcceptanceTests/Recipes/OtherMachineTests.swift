import Foundation
import Support
import Testing

/// Whether a disk image can be mounted in a separate mount namespace.
private let canMountImages: Bool = {
  let script = """
    d=$(mktemp -d); trap 'rm -rf $d' EXIT; truncate -s 8M $d/i; mkfs.ext4 -q -F $d/i; mkdir $d/m
    mount -o loop $d/i $d/m && umount $d/m
    """
  return (try? run("unshare", ["--mount", "bash", "-ec", script]).status) == 0
}()

/// Tests a folder that was moved to another machine, on which inodes, devices and times are different.
@Suite struct OtherMachineTests {
  @Test(.enabled(if: canMountImages, "needs the right to mount a loop device"))
  func `a project and its output on another file system keep every pack`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B")], to: "p/Manifest.json", app: "com.example.app", root: "Assets")
    for number in 0..<20 {
      try folder.write("p/Assets/\(number % 2 == 0 ? "a" : "b")/\(number)", "file \(number)")
    }
    let script = """
      '\(try packtoolProgram())' build p -o p/out
      truncate -s 16M disk.ext4; mkfs.ext4 -q -F -I 256 disk.ext4; mkdir disk; mount -o loop disk.ext4 disk
      trap 'umount disk' EXIT
      cp -r p disk/; sleep 0.2
      '\(try packtoolProgram())' build disk/p -o disk/p/out --explain
      '\(try packtoolProgram())' build disk/p -o disk/p/out --explain
      """
    let result = try run("unshare", ["--mount", "bash", "-ec", script], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("kept 2 packs: same contents, other times\n"), "\(result.errors)")
    #expect(result.errors.contains("kept 2 packs: nothing changed\n"), "\(result.errors)")
  }
}
