@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Glibc

/// Builds a small project repeatedly, each time with a changed build record.
///
/// If the first byte is even, the rest of the input is the record. If it is odd, the rest changes the correct
/// record: of each three bytes, the first two are the offset, and the third is the new byte. The checksum is
/// always correct.
struct RecordFuzzing {
  private let output: OutputFolder
  private let project: String
  /// The record of the latest build that used no changed record.
  private var record: [UInt8] = []

  init() throws {
    project = "\(ScratchFile.folder)/project"
    output = OutputFolder("\(project)/out")
    for name in ["a/1", "a/2", "b/3"] {
      try write(String(repeating: name, count: 200), to: "Assets/\(name)")
    }
    try write(Self.manifest, to: "Manifest.json")
    // Files that are younger than this would be read again even if the record contains them.
    usleep(60_000)
    try buildAnew()
  }

  mutating func run(_ input: [UInt8]) throws {
    guard let first = input.first else { return }
    var bytes = first % 2 == 0 ? Array(input.dropFirst()) : Array(record.dropLast(4))
    if first % 2 == 1, !bytes.isEmpty {
      for start in stride(from: 1, to: input.count - 2, by: 3) {
        bytes[(Int(input[start]) << 8 | Int(input[start + 1])) % bytes.count] = input[start + 2]
      }
    }
    var checksum = Checksum()
    checksum.update(bytes.span.bytes)
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: checksum.value >> shift))
    }
    guard (try? RecordReader(BinaryReader(bytes))) != nil else { return }
    let path = "\(output.recordFolder)/record"
    try FileOperations.remove(path)
    try write(bytes, toNew: path)
    // A forged record with a correct checksum can make a build fail, but must not cause a crash.
    _ = try? build()
    try buildAnew()
  }

  private mutating func buildAnew() throws {
    try FileOperations.remove(output.path)
    try build()
    record = try InputFile("\(output.recordFolder)/record").contents(limit: 1 << 20) ?? []
  }

  private func build() throws {
    let request = BuildRequest(
      Preparation.Request(argument: project, jobs: 1), output: output.path, entryTime: 0)
    _ = try request.run(Policy())
  }

  private func write(_ text: String, to path: String) throws {
    let path = "\(project)/\(path)"
    if let folder = FileOperations.parent(of: path) { try FileOperations.makeFolder(folder) }
    try write(Array(text.utf8), toNew: path)
  }

  private func write(_ bytes: [UInt8], toNew path: String) throws {
    var file = try OutputFile(creating: path)
    try file.write(bytes.span.bytes)
    _ = try file.finish()
  }

  private static let manifest = """
    {"bundleIdentifier": "com.example.fuzz", "root": "Assets", "resources": [
      {"path": "a", "tags": ["A"]}, {"path": "b", "tags": ["B"]}]}
    """
}
