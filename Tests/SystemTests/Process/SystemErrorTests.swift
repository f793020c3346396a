@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

@Suite struct SystemErrorTests {
  @Test(arguments: [
    (
      SystemError(during: "open", path: "a b.txt", code: ENOENT),
      "cannot open \"a b.txt\": no such file or directory"
    ),
    (
      SystemError(during: "write", path: "out/index.json", code: ENOSPC),
      "cannot write \"out/index.json\": no space left on device"
    ),
    (SystemError(during: "rename to", path: "x", code: EACCES), "cannot rename to \"x\": permission denied"),
  ])
  func `an error says what was tried on which file and why it failed`(error: SystemError, text: String) {
    #expect(error.description == text)
    #expect("\(error)" == text)
  }

  @Test func `the kernel's number is taken where none is given`() {
    errno = EROFS
    #expect(SystemError(during: "write", path: "x").code == EROFS)
    #expect(SystemError(during: "write", path: "x").reason == "read-only file system")
  }

  @Test(arguments: [
    (ENOENT, "missing"), (ENOTDIR, "missing"), (EACCES, "denied"), (EPERM, "denied"), (EEXIST, "existing"),
    (ENOTEMPTY, "existing"), (EPIPE, "closed pipe"), (ELOOP, "link"), (EIO, ""), (ENOSPC, ""), (EINTR, ""),
  ])
  func `errors are of one kind`(code: Int32, kind: String) {
    let error = SystemError(during: "open", path: "x", code: code)
    #expect(error.isMissing == (kind == "missing"))
    #expect(error.isDenied == (kind == "denied"))
    #expect(error.isExisting == (kind == "existing"))
    #expect(error.isClosedPipe == (kind == "closed pipe"))
    #expect(error.isLink == (kind == "link"))
  }

  @Test func `a call that a signal interrupted is made again`() {
    var calls = 0
    let result = retrying {
      calls += 1
      errno = calls < 3 ? EINTR : ENOENT
      return Int32(-1)
    }
    #expect(result == -1)
    #expect(calls == 3)
    #expect(retrying { Int32(7) } == 7)
  }

  @Test func `an archive's error is worded alike`() {
    let error = ArchiveError(action: "write", path: "a.tar.gz", reason: "Can't do it")
    #expect(error.description == "cannot write \"a.tar.gz\": Can't do it")
  }
}
