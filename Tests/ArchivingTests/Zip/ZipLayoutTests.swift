@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// What of a zip is compared with the form that packtool writes, beside what libarchive checks.
@Suite struct ZipLayoutTests {
  /// The reason why an archive of one empty file breaks the form after a change of its bytes.
  private func reason(_ change: (inout Data) -> Void) throws -> String? {
    let folder = try TemporaryFolder()
    var zip = try ZipWriter(in: folder)
    try zip.add("empty", [], .stored)
    _ = try zip.finish()
    var data = try folder.read("test.zip")
    change(&data)
    try folder.write("test.zip", data)
    var layout = ZipLayout(try InputFile(folder.path("test.zip")))
    do throws(FormMistake) {
      try layout.check(count: 1) { _ in (Array("empty".utf8)[...], 0) }
      return nil
    } catch {
      return error.reason
    }
  }

  /// libarchive reads nothing of an empty file, so it compares no checksum; unzip, 7zz and Python do.
  @Test func `the checksum of an empty file is 0`() throws {
    #expect(try reason { _ in } == nil)
    let changed = try reason { data in
      let directory = data.count - 22 - 46 - 5
      // In both headers, which therefore agree.
      for place in [14, directory + 16] { data[place] = 1 }
    }
    #expect(changed == "it is empty, but its checksum is not 0")
  }
}
