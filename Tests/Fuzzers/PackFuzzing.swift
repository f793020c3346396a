@testable import Archiving
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System

/// Verifies an archive.
///
/// In the input, the list of files that the archive should contain comes before the archive. The first byte
/// selects the container: an archive format, or a folder with one file "f". The second byte is the number of
/// files. Each file has the length of its name in one byte, the name, and the size in eight bytes, with the
/// lowest byte first. The rest is the archive, or the contents of the file.
struct PackFuzzing {
  private static let digest = SHA256.digest(of: [UInt8]().span.bytes)
  /// The format of the archive; nil for a folder.
  private let format: ArchiveReader.Format?
  private var contents = PublishedContents()
  private let archive: [UInt8]

  /// Reads the parts of an input.
  ///
  /// Returns nil if the input is too short.
  init?(_ input: [UInt8]) {
    var rest = input[...]
    guard let form = rest.popFirst(), let count = rest.popFirst() else { return nil }
    format = [.zip, .tar(.gzip), .tar(.zstandard), nil][Int(form) % 4]
    for _ in 0..<count {
      guard let length = rest.popFirst(), rest.count >= Int(length) + 8 else { return nil }
      let name = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      let size = rest.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      // Sizes in the list of files cannot be negative.
      contents.append(path: name, size: Int64(size & UInt64(Int64.max)), digest: Self.digest, packIndex: 0)
    }
    contents.group(into: 1)
    archive = Array(rest)
  }

  func run() throws {
    let file = try ScratchFile(archive)
    let folder = "\(ScratchFile.folder)/folder"
    if format == nil {
      try FileOperations.makeFolder(folder)
      try FileOperations.rename(file.path, to: "\(folder)/f")
    }
    _ = try PackContentVerifier(
      ExpectedFiles(ofPack: 0, in: contents), at: format == nil ? folder : file.path, format: format)
  }
}
