package import Findings
import Formats
import PackKit
import System

/// The packs that a built folder says are published in another folder.
struct PacksElsewhere: Sendable {
  /// The name of the list; nil if the folder has none for its index.
  private(set) var name: String?
  /// The paths of the archives, relative to the folder.
  private(set) var paths: Set<String> = []
  private(set) var diagnostics: [Diagnostic] = []

  /// Reads the list that belongs to a folder's index.
  init(of folder: BuiltFolder, _ index: PublishedIndex) throws(SystemError) {
    var bytes = ByteBuffer()
    bytes.append(index.text.bytes[...])
    let name = ElsewhereFormat.name(forIndex: bytes)
    let path = joined(folder.path, name)
    switch try FileContents(of: path, limit: IndexFormat.longest) {
    case .bytes(let bytes):
      self.name = name
      read(SourceText(path: path, bytes: bytes))
    case .missing: break
    case .noFile: report("\(quoted(path)) is no file; build again", at: Place(path))
    case .tooLong:
      report("the list is longer than \(ByteSize.exact(IndexFormat.longest)); build again", at: Place(path))
    }
  }

  /// Reads a list from its text.
  init(_ text: SourceText) { read(text) }

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
    diagnostics.append(Diagnostic(.damagedIndex, message, at: place))
  }
}

extension BuiltFolder {
  /// The index of packs that were taken over from another release and have no archive here, with a note on each.
  func elsewhere(
    _ list: PacksElsewhere, of index: PublishedIndex
  ) throws(SystemError) -> (packs: Set<Int>, notes: [Diagnostic]) {
    var packs: Set<Int> = []
    var notes = FindingList()
    for (number, pack) in index.packs.enumerated() where list.paths.contains(pack.archive.path) {
      let path = joined(path, pack.archive.path)
      if try FileOperations.exists(path, following: false) { continue }
      packs.insert(number)
      let message =
        "the pack of \(setNotation(pack.tags)) is published elsewhere; it was taken over, not written here"
      notes.add(Diagnostic(.publishedElsewhere, message, at: Place(path)))
    }
    return (packs, notes.findings)
  }
}

extension BuiltFolder {
  /// Findings about the index and the list of files, and about figures in which they disagree.
  package var allFindings: [Diagnostic] {
    diagnostics + (index.map { IndexConsistency($0, contents).diagnostics } ?? [])
  }
}
