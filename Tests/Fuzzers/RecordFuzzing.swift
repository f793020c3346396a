@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Glibc

/// A small project that is built again and again by a record that was tampered with.
///
/// Where the first byte is even, the rest is the record; else the rest changes the true one: each three bytes say
/// where, in two, and what stands there then. The checksum is always right.
struct RecordFuzzing {
  private let output: OutputFolder
  private let project: String
  /// What the last build that nobody tampered with has left.
  private var record: [UInt8] = []

  init() throws {
    project = "\(ScratchFile.folder)/project"
    output = OutputFolder("\(project)/out")
    for name in ["a/1", "a/2", "b/3"] {
      try write(String(repeating: name, count: 200), to: "Assets/\(name)")
    }
    try write(Self.manifest, to: "Manifest.json")
    // Younger files would be read again, whatever the record says.
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
    // Who can forge the checksum can make a build fail, but not crash.
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
