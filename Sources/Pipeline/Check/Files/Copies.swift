import Formats
import System

/// Files that have the same content and are in different packs.
struct Copies: Comparable {
  /// One of the files.
  struct File: Sendable {
    let path: String
    let size: Int64
    /// The number of the file's pack.
    let pack: Int
    /// The tags of the file's pack.
    let tags: [String]
    let place: Place
  }

  /// The size in bytes of the smallest files that are compared.
  static let minFileSize: Int64 = 1 << 14

  /// The files, sorted by path.
  private let files: [File]
  /// The number of bytes that would be saved if only one of the files remained.
  let waste: Int64

  private static let maxNamed = 8

  init(_ files: [File]) {
    self.files = files.sorted { $0.path.precedesInBytes($1.path) }
    waste = self.files.dropFirst().saturatingSum { $0.size }
  }

  static func < (first: Copies, second: Copies) -> Bool {
    (first.waste, second.files[0].path) < (second.waste, first.files[0].path)
  }

  static func == (first: Copies, second: Copies) -> Bool { first.files[0].path == second.files[0].path }

  var place: Place { files[0].place }

  var notes: [Diagnostic.AttachedLine] {
    let others = files.dropFirst()
    let shown = others.count > Self.maxNamed ? Self.maxNamed - 1 : others.count
    let named = others.prefix(shown).map {
      Diagnostic.AttachedLine(
        "this file in the pack of \(setNotation($0.tags)) has the same content", at: $0.place)
    }
    let more = others.count - shown
    return named + (more > 0 ? [.init("and \(counted(more, of: "more file", plural: "more files"))")] : [])
  }

  var finding: Diagnostic {
    let tags = Dictionary(files.map { ($0.pack, $0.tags) }) { first, _ in first }
    let sets = tags.values.sorted { $0.lexicographicallyPrecedes($1) { $0.precedesInBytes($1) } }
    let union = Set(sets.joined()).sorted()
    let packs =
      sets.count > 3
      ? counted(sets.count, of: "pack") : "the packs of \(sets.map(setNotation).joined(separator: " and "))"
    return Diagnostic(
      .duplicateContent,
      message:
        "\(packs) contain the content of this file in \(counted(files.count, of: "file")), which wastes "
        + "\(ByteSize.exact(waste)); one file with the tags \(setNotation(union)) would be in one shared "
        + "pack",
      at: place, notes: notes)
  }
}

extension [Copies] {
  /// Returns a finding for each group that wastes many bytes.
  ///
  /// If all other groups together waste many bytes, there is also one finding about them. `total` is the size
  /// of all packs.
  func findings(total: Int64) -> [Diagnostic] {
    let least = Swift.max(Copies.minFileSize, total / 1000)
    let large = filter { $0.waste >= least }
    let rest = filter { $0.waste < least }
    let waste = rest.saturatingSum { $0.waste }
    guard waste > 0, waste >= total / 100, let first = rest.max() else { return large.map(\.finding) }
    let message =
      "\(counted(rest.count, of: "group")) of equal files in different packs waste \(ByteSize.exact(waste)) "
      + "in total; the group of this file wastes the most, \(ByteSize.exact(first.waste))"
    return large.map(\.finding) + [
      Diagnostic(.duplicateContent, message: message, at: first.place, notes: first.notes)
    ]
  }
}
