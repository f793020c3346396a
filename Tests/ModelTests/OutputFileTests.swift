@testable import Formats
@testable import Model
@testable import System
import Foundation
import Support
import Testing

/// Tests which files outputs replace, and what is written.
@Suite struct OutputFileTests {
  private static let texts: [(name: String, kind: RecognizedFileKind)] = [
    ("Manifest.json", .manifest), ("Manifest.jsonc", .manifest), ("project.pbxproj", .project),
    ("contents.xcworkspacedata", .project),
  ]

  private func bytes(_ text: String) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(text)
    return buffer
  }

  @Test func `only a manifest replaces a manifest`() throws {
    let folder = try TemporaryFolder()
    for (name, kind) in Self.texts {
      try folder.write(name, "no JSON")
      #expect(try RecognizedFileKind(at: folder.path(name)) == kind)
      for output in [OutputKind.manifest, .product] {
        let refusal = try output.refusal(at: folder.path(name))
        #expect((refusal == nil) == (output == .manifest && kind == .manifest), "\(name)")
        #expect(refusal?.contains(kind.words) != false)
      }
    }
    try folder.write("s", #"{"steps": []}"#)
    #expect(try OutputKind.manifest.refusal(at: folder.path("s"))?.names(folder.path("s")) == true)
  }

  /// Only the first 8 KiB are examined.
  @Test(arguments: [(0, true), (1, true), (8_191, true), (8_192, false), (20_000, false)])
  func `a file with a zero byte near its start is not replaced`(place: Int, isRefused: Bool) throws {
    let folder = try TemporaryFolder()
    var data = Data(repeating: 1, count: 20_001)
    #expect(try OutputKind.product.refusal(at: folder.path("x")) == nil)
    try folder.write("x", data)
    #expect(try OutputKind.product.refusal(at: folder.path("x")) == nil)
    data[place] = 0
    try folder.write("x", data)
    #expect((try OutputKind.product.refusal(at: folder.path("x")) != nil) == isRefused)
    if isRefused {
      #expect(throws: ReplacedInput.self) {
        try OutputFiles.write(bytes("new"), to: folder.path("x"), as: .product)
      }
      #expect(try folder.read("x") == data)
    } else {
      #expect(try OutputFiles.write(bytes("new"), to: folder.path("x"), as: .product) == [])
      #expect(try folder.read("x") == Data("new".utf8))
    }
  }

  /// Writing to a folder fails later, with the error of the system.
  @Test func `a folder is not examined`() throws {
    let folder = try TemporaryFolder()
    #expect(try OutputKind.product.refusal(at: folder.path) == nil)
    #expect(throws: (any Error).self) { try OutputFiles.write(bytes(""), to: folder.path, as: .product) }
  }

  @Test(arguments: ["", "\u{feff}"]) func `an edited text keeps its byte order mark`(mark: String) throws {
    let folder = try TemporaryFolder()
    for content in ["", "a", "[1, 22]"] {
      try folder.write("x", mark + content)
      let text = SourceText(path: folder.path("x"), bytes: Array((mark + content).utf8))
      let edited = EditedText(text, edits: [TextEdit(0..<0, replacement: "0")])
      #expect(try edited.write() == [])
      #expect(try folder.read("x") == Data((mark + "0" + content).utf8))
    }
  }

  @Test(arguments: ["", "[1, 23]", "x[1, 22]", "[1, 22]x", "[1, 22]xxxx", "\u{feff}[1, 22]x", "1, 22]"])
  func `a text that changed meanwhile is not written`(content: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("x", content)
    let text = SourceText(path: folder.path("x"), bytes: Array("[1, 22]".utf8))
    let edited = EditedText(text, edits: [TextEdit(1..<2, replacement: "")])
    #expect(throws: ChangedText.self) { try edited.write() }
    #expect(try folder.read("x") == Data(content.utf8))
    let missing = SourceText(path: folder.path("y"), bytes: [])
    #expect(throws: ChangedText.self) { try EditedText(missing, edits: []).write() }
  }

  @Test func `JSON is read up to its limit`() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", #""sha256:""#)
    #expect(try JSONValue(of: folder.path("x"), limit: 9)?.string == "sha256:")
    #expect(try JSONValue(of: folder.path("x"), limit: 8) == nil)
    #expect(try JSONValue(outputPath: folder.path("x"), limit: 9)?.string == "sha256:")
    #expect(try JSONValue(outputPath: folder.path("x"), limit: 8) == nil)
    #expect(try JSONValue(of: folder.path("y"), limit: 9) == nil)
    try folder.write("x", "[")
    #expect(try JSONValue(of: folder.path("x"), limit: 9) == nil)
  }

  @Test(
    arguments: [
      (#"{"resources": 1}"#, .manifest), (#"{"assetPackID": 1}"#, nil),
      (#"{"fileSelectors": 1, "assetPackID": 1}"#, .manifest), (#"{"steps": 1}"#, .scenario),
      (#"{"formatVersion": 1, "packs": 1, "tags": 1}"#, .index), (#"{"formatVersion": 1, "tags": 1}"#, nil),
      (#"{"formatVersion": 1, "packs": 1}"#, nil), (#"{"formatVersion": 1, "files": 1}"#, .contents),
      (#"{"formatVersion": 1, "files": 1, "a": 1}"#, nil), (#"{"files": 1}"#, nil),
      (#"{"objects": 1, "rootObject": 1}"#, .project), (#"{"objects": 1}"#, nil), ("{}", nil), ("", nil),
      ("\u{feff} \n\t\r{\"steps\": 1}", .scenario), ("// c\n{\"steps\": 1}", .scenario),
      ("x{\"steps\": 1}", nil), ("// !$*UTF8*$!", .project), (" // !$*UTF8*$!", nil),
      (#"{"resources" "bundleIdentifier""#, .manifest), (#"{"resources""#, nil),
      (#"{"bundleIdentifier""#, nil), (#"["resources", "bundleIdentifier""#, nil),
    ] as [(String, RecognizedFileKind?)]) func `a file is recognized by its content`(
      content: String, kind: RecognizedFileKind?
    ) throws
  {
    let folder = try TemporaryFolder()
    try folder.write("x", content)
    #expect(try RecognizedFileKind(at: folder.path("x")) == kind)
    #expect(try RecognizedFileKind(at: folder.path("y")) == nil)
    #expect(try RecognizedFileKind(at: folder.path) == nil)
  }

  @Test func `only files are recognized`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json/x", "")
    #expect(try RecognizedFileKind(at: folder.path("Manifest.json")) == nil)
  }

  /// In a text that is not JSON, the keys of a manifest are looked for in the first 64 KiB.
  @Test(arguments: [(65_536, true), (65_537, false), (100_000, false)])
  func `a broken manifest has its keys near its start`(size: Int, isManifest: Bool) throws {
    let folder = try TemporaryFolder()
    let (front, end) = (#"{"resources" "#, #""bundleIdentifier""#)
    try folder.write(
      "x", front + String(repeating: " ", count: size - front.utf8.count - end.utf8.count) + end)
    #expect((try RecognizedFileKind(at: folder.path("x")) == .manifest) == isManifest)
  }
}

/// Tests that measurements are between the same measurements by the caller.
@Suite struct TimingTests {
  private struct Failure: Error {}

  @Test func `phases are measured and added up`() throws {
    let timings = Timings()
    let start = (elapsed: ThisProcess.seconds, processor: ThisProcess.processorSeconds)
    #expect(timings.measure(.scan, bytes: 5) { 7 } == 7)
    #expect(throws: Failure.self) { try timings.measure(.scan, bytes: 6) { throw Failure() } }
    timings.measure(.plan) {}
    let elapsed = ThisProcess.seconds - start.elapsed
    let processor = ThisProcess.processorSeconds - start.processor
    let all = timings.all
    #expect(all.keys.count == 2 && all[.scan]?.bytes == 11 && all[.plan]?.bytes == 0)
    let seconds = all.values.map(\.seconds)
    #expect(seconds.allSatisfy { $0 >= 0 } && seconds.reduce(0, +) <= elapsed + 1e-6)
    let processorSeconds = all.values.map(\.processorSeconds)
    #expect(processorSeconds.allSatisfy { $0 >= 0 } && processorSeconds.reduce(0, +) <= processor + 1e-6)
    timings.add(.scan, entry: .init(seconds: 1_000, processorSeconds: 2_000, bytes: 3))
    let sum = try #require(timings.all[.scan])
    #expect(sum.bytes == 14 && sum.seconds >= 1_000 && sum.seconds < 2_000 && sum.processorSeconds >= 2_000)
  }

  @Test func `laps are measured on their thread`() {
    var clock = LapClock(isRunning: true)
    let start = ThisProcess.threadSeconds
    clock.skip()
    clock.lap(.read, bytes: 3)
    clock.lap(.hash, bytes: 4)
    clock.skip()
    clock.lap(.read, bytes: 5)
    let used = ThisProcess.threadSeconds - start
    #expect(clock.entries.mapValues(\.bytes) == [.read: 8, .hash: 4])
    let seconds = clock.entries.values.map(\.processorSeconds)
    #expect(seconds.allSatisfy { $0 >= 0 } && seconds.reduce(0, +) <= used + 1e-6)
    #expect(clock.entries.values.allSatisfy { $0.seconds == 0 })
    var stopped = LapClock()
    stopped.skip()
    stopped.lap(.read, bytes: 3)
    #expect(stopped.entries.isEmpty)
  }

  @Test func `four phases are parts of packing`() {
    #expect(Timings.Phase.allCases.filter(\.isPartOfPacking) == [.read, .hash, .compress, .write])
  }
}
