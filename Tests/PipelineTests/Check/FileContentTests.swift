@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the kinds of files that packtool recognizes by their first bytes.
@Suite struct FileContentTests {
  /// The finding for each sample, by the name of the file.
  ///
  /// One run inspects a folder with all samples.
  private static let findings = Result { () throws -> [String: Diagnostic] in
    let folder = try TemporaryFolder()
    let samples = FileSample.executables + FileSample.data + FileSample.tiny + [.webAssembly, .lfsPointer]
    for sample in samples { try folder.write("a/\(sample.name)", Data(sample.bytes)) }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    let named = prepared.findings.map { (URL(fileURLWithPath: $0.place.path).lastPathComponent, $0) }
    return try Dictionary(named) { first, second in throw TwoFindings(first: first, second: second) }
  }

  private struct TwoFindings: Error {
    let first: Diagnostic
    let second: Diagnostic
  }

  @Test(arguments: FileSample.executables) func `machine code is refused`(sample: FileSample) throws {
    let finding = try #require(try Self.findings.get()[sample.name])
    #expect(finding.check.id == "executable-content")
    #expect(finding.severity == .error)
    let kind = try #require(sample.kind)
    #expect(finding.names("\"a/\(sample.name)\"", kind))
  }

  @Test(arguments: FileSample.data + FileSample.tiny) func `data is allowed`(sample: FileSample) throws {
    #expect(try Self.findings.get()[sample.name] == nil)
  }

  @Test func `web assembly is a note`() throws {
    let finding = try #require(try Self.findings.get()["wasm"])
    #expect(finding.check.id == "executable-content")
    #expect(finding.severity == .note)
    #expect(finding.names("\"a/wasm\"", "WebAssembly"))
  }

  @Test func `lfs pointer is an error`() throws {
    let finding = try #require(try Self.findings.get()["lfs pointer"])
    #expect(finding.check.id == "lfs-pointer")
    #expect(finding.severity == .error)
    #expect(finding.namedValues == #""a/lfs pointer" "git lfs pull""#)
  }

  /// A pointer has only a few lines.
  ///
  /// A large file that begins like a pointer is not a pointer.
  @Test func `long text is no pointer`() throws {
    let folder = try TemporaryFolder()
    let start = Data(FileSample.lfsPointer.bytes)
    try folder.write("a/short", start + Data(repeating: 0x0a, count: 1023 - start.count))
    try folder.write("a/long", start + Data(repeating: 0x0a, count: 1024 - start.count))
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(prepared.findings.map(\.place.path) == ["\(folder.path)/a/short"])
  }

  @Test func `placeholders of i cloud`() throws {
    let folder = try TemporaryFolder()
    for name in [".hero.png.icloud", "weather.icloud", ".icloud.png"] {
      try folder.write("a/\(name)", "bplist00")
    }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(
      prepared.lines == [
        #"a/.hero.png.icloud: warning [icloud-placeholder] ".hero.png.icloud" "hero.png""#
      ])
  }

  @Test func `empty files`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/empty", "")
    try folder.write("a/full", "x")
    try folder.write("untagged", "")
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(prepared.lines == [#"a/empty: note [empty-file] "a/empty""#])
  }

  @Test func `many empty files are one finding`() throws {
    let folder = try TemporaryFolder()
    for number in 1...7 { try folder.write("a/\(number)", "") }
    let accept = #""accept": [{ "check": "empty-file", "path": "a/[12]", "reason": "marks" }]"#
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#, members: accept)
    #expect(
      prepared.lines == [
        #"a/1: note [empty-file] "a/1""#,
        #"a/2: note [empty-file] "a/2""#,
        #"a/3: note [empty-file] 5 "a/3" "a/4" "a/5" 2"#,
      ])
  }

  /// Files that are not packed are not inspected, because the store does not get them.
  @Test func `files without a tag are not looked at`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/text", "x")
    try folder.write("bin/tool", Data(FileSample.executables[0].bytes))
    try folder.write("a/tool.dylib", Data(FileSample.executables[0].bytes))
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a", "tags": ["T"]}"#, members: #""exclude": ["**/*.dylib"]"#)
    #expect(prepared.lines == [])
  }

  /// A symlink is packed as the content of its target.
  @Test func `links are followed to their content`() throws {
    let folder = try TemporaryFolder()
    try folder.write("bin/tool", Data(FileSample.executables[0].bytes))
    try folder.link("a/tool", to: "../bin/tool")
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(prepared.lines.count == 1)
    #expect(prepared.lines.first == #"a/tool: error [executable-content] "a/tool""#)
  }
}
