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
  private let sourceSearch: SourceSearch

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
    sourceSearch = SourceSearch(in: contents, usableFiles: usable, packOfFile: owners)
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
  /// `SourceSearch` says which file is the best one.
  package func source(for path: ArraySlice<UInt8>, size: Int64, preferringPacks isPreferredPack: [Bool])
    -> Digest?
  {
    sourceSearch.source(for: path, size: size, preferringPacks: isPreferredPack)
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
