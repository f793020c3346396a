package import Formats
import Model
package import System

/// An earlier release from which patches start.
///
/// It contains the packs of this release, and provides the old contents of its files.
package struct PatchBaseline: Sendable {
  /// The folder as the user typed it.
  package let path: String
  /// The path of the release's index.
  package let indexPath: String
  /// The digest of the release's index.
  package let digest: Digest
  /// Findings about the folder.
  ///
  /// If there are errors, no patch can start from this release.
  package let diagnostics: [Diagnostic]
  /// The index; nil if it cannot be read.
  package let index: PublishedIndex?
  /// The digest of the index at the time of reading, even if the index is damaged.
  private let indexDigest: Digest?
  private let contents: PublishedContents
  private let isHere: [Bool]
  private let packDigests: Set<Digest>
  private let packOfFile: [Int32]
  private let filesByDigest: [Digest: Int]
  private let filesByPath: [ArraySlice<UInt8>: SameNameFiles]
  private let filesByName: [ArraySlice<UInt8>: SameNameFiles]
  /// The old files, grouped by file name extension and sorted by size.
  private let filesByExtension: [ArraySlice<UInt8>: [Int]]

  /// The maximum size in bytes of the old contents for a frame.
  ///
  /// There is a maximum because the old contents are in memory while the frame is compressed.
  static let maxSourceSize: Int64 = 128 << 20

  /// Reads a built folder, and checks that its packs exist without reading them.
  package init(_ argument: String) throws(SystemError) {
    let folder = try BuiltFolder(argument)
    path = folder.path
    indexPath = folder.indexPath
    index = folder.index
    indexDigest = folder.indexDigest
    contents = folder.contents ?? PublishedContents()
    digest = folder.index?.digest ?? .zero
    // Errors about patches in the earlier release's folder are ignored, because these patches are not used.
    var found = folder.diagnostics.filter { $0.check.severity == .error && $0.check != .damagedPatch }
    if let refusal = folder.refusal(
      "and packtool makes patches only from releases in the layout \"packtool\"")
    {
      found.append(refusal)
    }
    var isHere: [Bool] = []
    if let index = folder.index {
      let list = try PacksElsewhere(of: folder, index: index)
      found += list.diagnostics
      for pack in index.packs {
        let archivePath = joined(folder.path, pack.archive.path)
        isHere.append(!list.paths.contains(pack.archive.path))
        if isHere.last == true { found += try Self.findings(on: pack, archivePath: archivePath) }
      }
    }
    self.isHere = isHere
    diagnostics = found
    packDigests = Set(folder.index?.packs.map(\.digest) ?? [])
    var owners = [Int32](repeating: 0, count: contents.count)
    for pack in isHere.indices where folder.contents != nil {
      for file in contents.files(of: pack) { owners[Int(file)] = Int32(pack) }
    }
    packOfFile = owners
    let contents = contents
    let usable = contents.indices.filter { isHere[Int(owners[$0])] }
    filesByDigest = Dictionary(usable.map { (contents.digest(at: $0), $0) }) { first, _ in first }
    let sources = usable.filter { 1...Self.maxSourceSize ~= contents.size(at: $0) }
    filesByPath = Dictionary(grouping: sources) { contents.path(at: $0) }.mapValues {
      SameNameFiles($0, in: contents)
    }
    filesByName = Dictionary(grouping: sources) { fileName(contents.path(at: $0)) }
      .mapValues { SameNameFiles($0, in: contents) }
    filesByExtension = Dictionary(grouping: sources) { fileExtension(contents.path(at: $0)) }
      .mapValues { $0.sorted { (contents.size(at: $0), $0) < (contents.size(at: $1), $1) } }
  }

  /// The paths of the packs that are in the folder.
  package var packPaths: [String] {
    zip(index?.packs ?? [], isHere).filter(\.1).map { joined(path, $0.0.archive.path) }
  }

  /// Returns findings about a pack that does not exist, is a folder instead of an archive, or is an archive
  /// instead of a folder.
  private static func findings(on pack: PublishedIndex.Pack, archivePath: String) throws(SystemError)
    -> [Diagnostic]
  {
    let expected: FileStatus.Kind = Container(ofArchive: pack.archive.path) == .folder ? .folder : .file
    let kind = try FileOperations.statusIfThere(archivePath)?.kind
    if kind == expected { return [] }
    let what = kind == nil ? "is missing" : "is not a \(expected == .folder ? "folder" : "file")"
    let message =
      "the pack of \(setNotation(pack.tags)) \(what), so no patch can be made from it; copy the release again"
    return [Diagnostic(kind == nil ? .missingPack : .damagedPack, message: message, at: Place(archivePath))]
  }

  /// Whether another release has been published into the folder since it was read.
  package var hasChanged: Bool {
    get throws(SystemError) { try BuiltFolder.digest(ofIndexAt: indexPath) != indexDigest }
  }

  /// Whether the release has a pack with these contents.
  ///
  /// A device does not have to download such a pack again.
  package func hasPack(_ contents: Digest) -> Bool { packDigests.contains(contents) }

  /// Whether a device that has all packs of the release has a file with these contents.
  package func has(_ contents: Digest) -> Bool { filesByDigest[contents] != nil }

  /// Returns, for each pack in the index, whether it has all of these tags.
  ///
  /// If a device needs the pack with exactly these tags, it also has every pack for which the result is true.
  package func packs(withAll tags: [String]) -> [Bool] {
    let tags = Set(tags)
    return (index?.packs ?? []).map { tags.isSubset(of: $0.tags) }
  }

  /// Returns the digest of the old file that is the best starting point for a new file; nil if no old file is
  /// similar.
  ///
  /// Files in packs for which `isPreferredPack` is true come before files in other packs. In each of these
  /// two groups, a file with the same path is preferred, then a file with the same name, then the most
  /// similar file.
  package func source(for path: ArraySlice<UInt8>, size: Int64, preferringPacks isPreferredPack: [Bool])
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

  /// Unpacks old contents into new files in a folder, and verifies every file of the packs that contain them.
  ///
  /// The result contains the position of each file's contents, and findings about damaged packs.
  package func unpack(
    contents digests: Set<Digest>, into staging: String, jobs: Int
  ) throws(SystemError) -> (sources: [Digest: SpooledBytes], diagnostics: [Diagnostic]) {
    guard let index else { return ([:], []) }
    var filesOfPack: [Int: Set<Int>] = [:]
    for digest in digests {
      guard let file = filesByDigest[digest] else { continue }
      filesOfPack[Int(packOfFile[file]), default: []].insert(file)
    }
    let largestFirst = filesOfPack.keys.sorted { (-index.packs[$0].size, $0) < (-index.packs[$1].size, $1) }
    let results = try onThreads(jobs, each: largestFirst) {
      [filesOfPack] pack throws(SystemError) -> ([Digest: SpooledBytes], Diagnostic?) in
      let spool = try Spool(in: staging)
      let archive = joined(path, index.packs[pack].archive.path)
      let wanted = filesOfPack[pack] ?? []
      let places = contents.files(of: pack).enumerated().compactMap { place, file in
        wanted.contains(Int(file)) ? (place, contents.digest(at: Int(file))) : nil
      }
      let receiver = SourceReceiver(spool, wanted: Dictionary(uniqueKeysWithValues: places))
      let expected = ExpectedFiles(ofPack: pack, in: contents)
      let format = Container(ofArchive: archive).format
      let faults: PackFaults
      do throws(SystemError) {
        faults = try PackContentVerifier(expected, at: archive, format: format, receiver: receiver).faults
      } catch {
        guard error.isMissing || error.isNoFile else { throw error }
        let message =
          "the pack of \(setNotation(index.packs[pack].tags)) was removed while patches were made from it; "
          + "start again when no program changes the release"
        return ([:], Diagnostic(.fileChanged, message: message, at: Place(archive)))
      }
      if !faults.isEmpty {
        let message =
          "the pack of \(setNotation(index.packs[pack].tags)) is damaged, so no patch can be made from it"
        return ([:], Diagnostic(.damagedPack, message: message, at: Place(archive), notes: faults.notes))
      }
      return (try receiver.finish(), nil)
    }
    var sources: [Digest: SpooledBytes] = [:]
    for (found, _) in results { sources.merge(found) { first, _ in first } }
    return (sources, results.compactMap(\.1))
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

/// Receives the files of an old pack and keeps the files that are needed as sources.
private final class SourceReceiver: FileReceiver {
  private let spool: Spool
  private let wanted: [Int: Digest]
  private var current: (digest: Digest, start: Int64)?
  private var ranges: [Digest: Range<Int64>] = [:]

  init(_ spool: Spool, wanted: [Int: Digest]) {
    self.spool = spool
    self.wanted = wanted
  }

  func begin(fileAt index: Int) throws(SystemError) { current = wanted[index].map { ($0, spool.size) } }

  func append(_ block: RawSpan) throws(SystemError) { if current != nil { try spool.append(block) } }

  func end() throws(SystemError) {
    if let current { ranges[current.digest] = current.start..<spool.size }
    current = nil
  }

  func finish() throws(SystemError) -> [Digest: SpooledBytes] {
    let file = try spool.finish()
    return ranges.mapValues { SpooledBytes($0, of: file) }
  }
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
