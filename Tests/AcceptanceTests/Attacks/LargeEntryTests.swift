import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Entries near the size above which a zip needs 64-bit fields.
@Suite(.enabled(if: isLongRun, "writes 4 GiB; set PACKTOOL_LONG_TESTS to run it"), .noHang)
struct LargeEntryTests {
  /// If the first entry has the first of these sizes, Debian's unzip reports a zip bomb for the next entry.
  ///
  /// No other reader does this.
  @Test(arguments: [4_294_967_294, 4_294_967_295, 4_294_967_296])
  func `a stored file of 4 gi b is read by others`(size: Int64) throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("Assets/a", size: size)
    try folder.write("Assets/b", "behind it")
    try folder.writeManifest([.glob("*", "A")], root: "Assets", members: #""compression": "store""#)
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status == .done)
    // The check is less strict than in other tests, because the pack is larger than any store accepts.
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done, "\(run.errors)")
    let read = try folder.python(
      """
      import glob, zipfile
      with zipfile.ZipFile(glob.glob("out/packs/*.zip")[0]) as z:
        print([(e.filename, e.file_size) for e in z.infolist()], z.testzip(), z.read("b").decode())
      """)
    #expect(read == "[('a', \(size)), ('b', 9)] None behind it\n")
    if isInstalled("7zz") {
      let test = try Support.run("sh", ["-c", "7zz t out/packs/*.zip"], in: folder.path)
      #expect(test.status == 0, "\(test.output)\(test.errors)")
    }
  }
}
