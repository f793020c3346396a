import Findings
import PackKit
import System

/// The packs that a build was about to publish, for the next one: after a build that was killed, nothing else says
/// that they were made by packtool.
struct PublishedNote {
  private static let name = "publishing"
  private static let longest = 64 << 20

  /// The paths of the packs, relative to the output folder.
  let paths: [String]

  init(paths: [String]) { self.paths = paths }

  /// The note in a folder; none where it is missing or no note.
  init(in output: OutputFolder) throws(SystemError) {
    let path = joined(output.recordFolder, Self.name)
    guard case .bytes(let bytes) = try FileContents(of: path, limit: Self.longest) else {
      paths = []
      return
    }
    paths = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).filter { line in
      line == joined(output.layout.packsFolder, lastName(of: line))
        && output.layout.mayBePack(lastName(of: line))
    }
  }

  /// Removes the note from a folder in which nothing was published.
  static func remove(from output: OutputFolder) throws(SystemError) {
    try FileOperations.removeFile(joined(output.recordFolder, name))
  }

  /// Adds the paths to the note, which keeps those of builds that did not end as long as they are there.
  func write(to output: OutputFolder) throws(SystemError) {
    var lines = ByteBuffer()
    var known = Set(paths)
    for path in try PublishedNote(in: output).paths where try output.exists(joined(output.path, path)) {
      known.insert(path)
    }
    for path in known.sorted() { lines.append("\(path)\n") }
    try FileOperations.replace(joined(output.recordFolder, Self.name), by: lines)
  }
}
