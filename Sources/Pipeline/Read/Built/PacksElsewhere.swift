package import Formats
import Model
package import System

/// The packs of a built folder that are published in another folder.
package struct PacksElsewhere: Sendable {
  /// The name of the file that lists these packs; nil if the folder has no such list for its index.
  package private(set) var name: String?
  /// The paths of the archives, relative to the folder.
  package private(set) var paths: Set<String> = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// Reads the list that belongs to a folder's index.
  package init(of folder: BuiltFolder, index: PublishedIndex) throws(SystemError) {
    var bytes = ByteBuffer()
    bytes.append(index.text.bytes[...])
    let name = ElsewhereFormat.name(forIndex: bytes)
    let path = joined(folder.path, name)
    switch try FileContents(of: path, limit: IndexFormat.maxSize) {
    case .bytes(let bytes):
      self.name = name
      read(SourceText(path: path, bytes: bytes))
    case .missing: break
    case .noFile: report("\(quoted(path)) is not a file; build again", at: Place(path))
    case .tooLong:
      report("the list is longer than \(ByteSize.exact(IndexFormat.maxSize)); build again", at: Place(path))
    }
  }

  /// Reads a list from its text.
  package init(_ text: SourceText) { read(text) }

  private mutating func read(_ text: SourceText) {
    let (value, mistakes) = JSONReader.read(text)
    diagnostics += mistakes.map { $0.of(.damagedIndex) }
    guard let value, mistakes.isEmpty else { return }
    let list = value.member("packs")?.elements?.map(\.string) ?? [nil]
    guard let version = value.member("formatVersion")?.wholeNumber, list.allSatisfy({ $0 != nil }) else {
      let message =
        "a list of packs in other folders needs \"formatVersion\" and \"packs\", an array of paths"
      return report("\(message); build again", at: text.place(at: value.offset))
    }
    guard version == IndexFormat.version else {
      return report(versionMistake(version), at: text.place(at: value.offset))
    }
    paths = Set(list.compactMap(\.self))
  }

  private mutating func report(_ message: String, at place: Place) {
    diagnostics.append(Diagnostic(.damagedIndex, message: message, at: place))
  }
}
