import Model
import System

/// The choice of the old file from which the patch for a new file starts.
///
/// The choice compares only the paths and sizes of files.
struct SourceSearch: Sendable {
  private let contents: PublishedContents
  private let packOfFile: [Int32]
  private let filesByPath: [ArraySlice<UInt8>: SameNameFiles]
  private let filesByName: [ArraySlice<UInt8>: SameNameFiles]
  /// The old files, grouped by file name extension and sorted by size.
  private let filesByExtension: [ArraySlice<UInt8>: [Int]]

  /// The maximum size in bytes of the old contents for a frame.
  ///
  /// There is a maximum because the old contents are in memory while the frame is compressed.
  private static let maxSourceSize: Int64 = 128 << 20

  /// Creates a search among the files of a release whose packs are in its folder.
  init(in contents: PublishedContents, usableFiles: [Int], packOfFile: [Int32]) {
    self.contents = contents
    self.packOfFile = packOfFile
    let sources = usableFiles.filter { 1...Self.maxSourceSize ~= contents.size(at: $0) }
    filesByPath = Dictionary(grouping: sources) { contents.path(at: $0) }.mapValues {
      SameNameFiles($0, in: contents)
    }
    filesByName = Dictionary(grouping: sources) { fileName(contents.path(at: $0)) }
      .mapValues { SameNameFiles($0, in: contents) }
    filesByExtension = Dictionary(grouping: sources) { fileExtension(contents.path(at: $0)) }
      .mapValues { $0.sorted { (contents.size(at: $0), $0) < (contents.size(at: $1), $1) } }
  }

  /// Returns the digest of the old file that is the best starting point for a new file; nil if no old file is
  /// similar.
  ///
  /// Files in packs for which `isPreferredPack` is true come before files in other packs. In each of these
  /// two groups, a file with the same path is preferred, then a file with the same name, then the most
  /// similar file.
  func source(for path: ArraySlice<UInt8>, size: Int64, preferringPacks isPreferredPack: [Bool])
    -> Digest?
  {
    for isPreferred in [true, false] {
      func best(_ files: [Int]) -> Int? {
        files.filter { isPreferredPack[Int(packOfFile[$0])] == isPreferred }
          .max { similarity($0, path: path, size: size) < similarity($1, path: path, size: size) }
      }
      func best(_ namesakes: SameNameFiles?) -> Int? {
        namesakes.flatMap {
          best(
            $0.candidates(for: path, size: size, in: contents) {
              isPreferredPack[Int(packOfFile[$0])] == isPreferred
            })
        }
      }
      let found =
        best(filesByPath[path]) ?? best(filesByName[fileName(path)])
        ?? best(similarFiles(to: path, size: size))
      if let found { return contents.digest(at: found) }
    }
    return nil
  }

  /// The similarity of the paths and sizes of two files.
  ///
  /// A greater value means that the files are more similar.
  private struct Likeness: Comparable {
    /// The number of bytes that are equal at the beginning and at the end of both paths.
    let sharedBytes: Int
    /// The difference of the sizes in bytes.
    let sizeDifference: Int64
    /// The index of the file.
    ///
    /// If two files are equally similar, the file with the lower index is chosen.
    let file: Int

    static func < (first: Likeness, second: Likeness) -> Bool {
      (first.sharedBytes, -first.sizeDifference, -first.file)
        < (second.sharedBytes, -second.sizeDifference, -second.file)
    }
  }

  private func similarity(_ file: Int, path: ArraySlice<UInt8>, size: Int64) -> Likeness {
    Likeness(
      sharedBytes: sharedEnds(contents.path(at: file), path),
      sizeDifference: abs(contents.size(at: file) - size),
      file: file)
  }

  /// Returns files with the same extension and a similar size whose names share more than half of their
  /// bytes.
  ///
  /// The function compares only names and sizes. A release can have 100,000 files, and reading all of them
  /// would be slow.
  private func similarFiles(to path: ArraySlice<UInt8>, size: Int64) -> [Int] {
    guard let files = filesByExtension[fileExtension(path)] else { return [] }
    let middle = files.indices.partitioningIndex { contents.size(at: files[$0]) >= size }
    let name = fileName(path)
    return files[max(0, middle - 32)..<min(files.count, middle + 32)].filter { file in
      let own = fileName(contents.path(at: file))
      let ratio = (contents.size(at: file), size)
      return ratio.0 <= ratio.1 * 4 && ratio.1 <= ratio.0 * 4
        && sharedEnds(own, name) * 2 > max(own.count, name.count)
    }
  }
}

/// Old files that have the same file name.
///
/// They are candidates for the source of a new file. If there are few files, all of them are compared. If
/// there are many files, only the nearest files in three orders are compared: by the beginning of the path,
/// by the end of the path, and by size. Otherwise, if every folder contained a file with this name, the time
/// would grow with the square of the number of files.
struct SameNameFiles: Sendable {
  private let files: [Int]
  /// The files sorted by path; empty if all files are compared.
  private let byPath: [Int]
  private let byEnd: [Int]
  private let bySize: [Int]

  /// If there are at most this many files, all of them are compared.
  private static let maxLinearSearch = 64
  /// The number of candidates to find in each direction of an order, and the number of files to examine for
  /// this.
  private static let maxCandidates = 8
  private static let maxSkipped = 64

  init(_ files: [Int], in contents: PublishedContents) {
    self.files = files
    let isMany = files.count > Self.maxLinearSearch
    byPath = isMany ? files.sorted { contents.path(at: $0).precedes(contents.path(at: $1)) } : []
    byEnd =
      isMany
      ? files.sorted { contents.path(at: $0).reversed().precedes(contents.path(at: $1).reversed()) } : []
    bySize = isMany ? files.sorted { (contents.size(at: $0), $0) < (contents.size(at: $1), $1) } : []
  }

  /// Returns the files that might be most similar, among those for which `isIncluded` is true.
  func candidates(
    for path: ArraySlice<UInt8>, size: Int64, in contents: PublishedContents, where isIncluded: (Int) -> Bool
  ) -> [Int] {
    if byPath.isEmpty { return files.filter(isIncluded) }
    return neighbours(in: byPath, where: isIncluded) { !contents.path(at: $0).precedes(path) }
      + neighbours(in: byEnd, where: isIncluded) {
        !contents.path(at: $0).reversed().precedes(path.reversed())
      }
      + neighbours(in: bySize, where: isIncluded) { contents.size(at: $0) >= size }
  }

  /// Returns files that are near the first file in `order` for which `isBehind` is true.
  ///
  /// `isBehind` must also be true for all files after this file.
  private func neighbours(
    in order: [Int], where isIncluded: (Int) -> Bool, from isBehind: (Int) -> Bool
  ) -> [Int] {
    let middle = order.indices.partitioningIndex { isBehind(order[$0]) }
    let behind = order[middle...].prefix(Self.maxSkipped).lazy.filter(isIncluded).prefix(Self.maxCandidates)
    let before = order[..<middle].suffix(Self.maxSkipped).reversed().lazy.filter(isIncluded).prefix(
      Self.maxCandidates)
    return Array(behind) + Array(before)
  }
}

extension Collection<UInt8> {
  fileprivate func precedes(_ other: some Collection<UInt8>) -> Bool { lexicographicallyPrecedes(other) }
}

private func fileName(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  path.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path
}

private func fileExtension(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let name = fileName(path)
  return name.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] } ?? []
}

/// Returns the number of bytes that are equal at the beginning of two paths, plus the number of remaining
/// bytes that are equal at the end.
private func sharedEnds(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
  let front = zip(first, second).prefix { $0 == $1 }.count
  let back = zip(first.dropFirst(front).reversed(), second.dropFirst(front).reversed()).prefix { $0 == $1 }
  return front + back.reduce(0) { count, _ in count + 1 }
}
