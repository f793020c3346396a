@testable import Archiving
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System

/// An archive, with the list of files that it should hold in front of it.
///
/// The first byte chooses the container, which may be a folder with one file "f", and the second how many files there
/// are; each is the length of its name in one byte, the name, and its size in eight bytes, the lowest first. The
/// archive, or the file, is all that follows.
struct PackFuzzing {
  private static let digest = SHA256.digest(of: [UInt8]().span.bytes)
  /// Nil for a folder.
  private let format: ArchiveReader.Format?
  private var contents = PublishedContents()
  private let archive: [UInt8]

  /// Nil where the input is too short to be one.
  init?(_ input: [UInt8]) {
    var rest = input[...]
    guard let form = rest.popFirst(), let count = rest.popFirst() else { return nil }
    format = [.zip, .tarGzip, .tarZstandard, nil][Int(form) % 4]
    for _ in 0..<count {
      guard let length = rest.popFirst(), rest.count >= Int(length) + 8 else { return nil }
      let name = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      let size = rest.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(8)
      // The list of files has no negative sizes.
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
