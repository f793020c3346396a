@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests lists of files that are not in the format of a list, and the receivers of a pack's files.
@Suite struct PackReceiverTests {
  /// Returns the place and the values of the first finding about a list.
  private func finding(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("list.json", text)
    let result = try ContentsReader.read(InputFile(folder.path("list.json")), packs: ["p"])
    #expect(result.contents == nil)
    let first = try #require(result.diagnostics.first)
    return "\(first.place.position.map { "\($0.line):\($0.column)" } ?? "") \(first.namedValues)"
  }

  @Test(arguments: [
    ("[1]", #"1:1 "{" "[""#), (#"{"files": {}}"#, #"1:11 "[" "{""#), (#"{"files": [1]}"#, #"1:12 "{" "1""#),
    (#"{"files": [{"path": 1}]}"#, #"1:21 "1""#), (#"{"files": [{"path" 1}]}"#, #"1:20 ":" "1""#),
    (#"{"files": [] "x": 1}"#, #"1:14 "," "}""#), (#"{"files": [], "formatVersion": 1} 2"#, #"1:35 "2""#),
    (#"{"files": [], "files": []}"#, #"1:15 "files""#), (#"{"formatVersion": 1}"#, #"1:1 "files""#),
    (#"{"files": []}"#, #"1:1 "formatVersion""#), ("", #"1:1 "{""#),
  ])
  func `mistakes in the structure of a list have a place`(text: String, expected: String) throws {
    #expect(try finding(text) == expected)
  }

  private static let digest = "sha256:\(String(repeating: "0a", count: 32))"

  @Test func `files are sorted and occur once in a pack`() throws {
    func list(_ paths: String...) -> String {
      let files = paths.map { path in
        #"{"path": "\#(path)", "size": 1, "digest": "\#(Self.digest)", "pack": "p"}"#
      }
      return #"{"files": [\#(files.joined(separator: ", "))], "formatVersion": 1}"#
    }
    #expect(try finding(list("b", "a")).hasSuffix(#" "a" "b""#))
    #expect(try finding(list("a", "a")) == #" "a" "p""#)
    let folder = try TemporaryFolder()
    try folder.write("list.json", list("a", "a0", "b"))
    #expect(try ContentsReader.read(InputFile(folder.path("list.json")), packs: ["p"]).contents?.count == 3)
  }

  /// A receiver whose call fails.
  private final class FailingReceiver: FileReceiver {
    enum Call: CaseIterable { case begin, append, end }
    private let failing: Call
    private(set) var calls: [Call] = []

    init(_ failing: Call) { self.failing = failing }

    private func record(_ call: Call) throws(SystemError) {
      calls.append(call)
      if call == failing { throw SystemError(during: "write", path: "receiver", code: 28) }
    }

    func begin(fileAt index: Int) throws(SystemError) { try record(.begin) }
    func append(_ block: RawSpan) throws(SystemError) { try record(.append) }
    func end() throws(SystemError) { try record(.end) }
  }

  /// A receiver that keeps the files.
  private final class KeepingReceiver: FileReceiver {
    private(set) var files: [Int: Int] = [:]
    private(set) var ended: [Int] = []
    private var current = -1

    func begin(fileAt index: Int) { (current, files[index]) = (index, 0) }
    func append(_ block: RawSpan) { files[current, default: 0] += block.byteCount }
    func end() { ended.append(current) }
  }

  @Test(arguments: [Container.zip, .tarGzip, .tarZstandard, .folder])
  func `failures of a receiver end the verification`(container: Container) throws {
    let site = try ScanSite()
    let sizes = [3_000_000, 10, 0]
    for (number, size) in sizes.enumerated() { try site.write("a/\(number)", Sample.noise(size)) }
    let built = try site.build([.path("a", "A")], .test(container))
    let path = site.folder.path("out/\(try #require(built.packs.first).archive.path)")
    let contents = try #require(try BuiltFolder(site.folder.path("out")).contents)
    let expected = ExpectedFiles(ofPack: 0, in: contents)
    let keeping = KeepingReceiver()
    #expect(
      try PackContentVerifier(expected, at: path, format: container.format, receiver: keeping).faults.isEmpty)
    #expect(keeping.files == [0: 3_000_000, 1: 10, 2: 0] && keeping.ended.sorted() == [0, 1, 2])
    for call in FailingReceiver.Call.allCases {
      let receiver = FailingReceiver(call)
      var reason: SystemError?
      do throws(SystemError) {
        _ = try PackContentVerifier(expected, at: path, format: container.format, receiver: receiver).faults
      } catch {
        reason = error
      }
      #expect(reason?.path == "receiver", "\(call)")
      #expect(receiver.calls.last == call && receiver.calls.count { $0 == call } == 1, "\(receiver.calls)")
    }
  }

  /// A symlink to itself is not a missing file, so reading fails.
  @Test func `a list of files that cannot be opened is a failure`() throws {
    let site = try ScanSite("a/1")
    try site.build([.path("a", "A")])
    let list = try #require(try BuiltFolder(site.folder.path("out")).index).contents.path
    try FileOperations.removeFile(site.folder.path("out/\(list)"))
    try site.folder.link("out/\(list)", to: lastName(of: list))
    #expect(throws: SystemError.self) { _ = try BuiltFolder(site.folder.path("out")) }
  }

  @Test func `old contents that were truncated are a failure`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let path = try #require(try site.patches()[["A"]]).path
    let patch = try PatchFile(site.site.folder.path("out/\(path)"))
    let file = try #require(patch.recipe.files.first { if case .patch = $0.method { true } else { false } })
    let spool = try Spool(in: site.site.folder.path)
    try spool.append(([1, 2, 3] as [UInt8]).span.bytes)
    let short = SpooledBytes(0..<10, of: try spool.finish())
    #expect(throws: SystemError.self) { _ = try patch.fault(in: file, from: short) }
    #expect(spool.size == 3 && short.size == 10)
  }
}
