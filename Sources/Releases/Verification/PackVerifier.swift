import Published
import Findings
import PackKit
import Projects
import System

/// Verifies packs of a built folder on several threads.
struct PackVerifier: Sendable {
  private struct Sight: Sendable {
    var kind: FileStatus.Kind?
    var size: Int64 = 0
    /// The digest of the archive; nil if it was not computed.
    var digest: Digest?
    var faults = PackFaults()
  }

  let folder: BuiltFolder
  let index: PublishedIndex
  /// Makes the receiver of a pack's files, by the pack's position in the index.
  var receiver: (@Sendable (Int) -> any FileReceiver)?

  /// All findings about some packs, by their positions in the index and in their order.
  func findings(on packs: [Int], jobs: Int) throws(SystemError) -> [Diagnostic] {
    // The largest first, so that no thread is left with a large one at the end.
    let ordered = packs.sorted {
      (-index.packs[$0].archive.file.size, $0) < (-index.packs[$1].archive.file.size, $1)
    }
    let work = ordered.flatMap { [(pack: $0, isDigest: true), (pack: $0, isDigest: false)] }
    let sights = try onThreads(jobs, each: work) { pack, isDigest throws(SystemError) in
      isDigest ? try sight(of: pack) : Sight(faults: try inspect(pack))
    }
    var whole: [Int: Sight] = [:]
    for (place, pack) in ordered.enumerated() {
      whole[pack] = sights[2 * place]
      whole[pack]?.faults = sights[2 * place + 1].faults
    }
    return FindingList(packs.lazy.compactMap { finding(index.packs[$0], whole[$0] ?? Sight()) }).findings
  }

  private func sight(of pack: Int) throws(SystemError) -> Sight {
    let published = index.packs[pack].archive
    guard let status = try FileOperations.statusIfThere(path(of: published)) else { return Sight() }
    var sight = Sight(kind: status.kind, size: status.size)
    // The size is wrong already, and a hostile file could be of any length.
    if status.kind == .file, status.size == published.file.size {
      sight.digest = try InputFile(path(of: published)).digest()
    }
    return sight
  }

  private func path(of published: PublishedFile) -> String { joined(folder.path, published.path) }

  private func inspect(_ pack: Int) throws(SystemError) -> PackFaults {
    let published = index.packs[pack].archive
    let (path, format) = (self.path(of: published), Container(ofArchive: published.path).format)
    guard let contents = folder.contents, let status = try FileOperations.statusIfThere(path),
      status.kind == (format == nil ? .folder : .file)
    else { return PackFaults() }
    let expected = ExpectedFiles(of: pack, in: contents)
    return try PackInspection(expected, at: path, format, receiver: receiver?(pack)).faults
  }

  private func finding(_ pack: PublishedIndex.Pack, _ sight: Sight) -> Diagnostic? {
    let place = Place(path(of: pack.archive))
    let subject = "the pack of \(setNotation(pack.tags))"
    let hint = "copy it again or build again"
    let expected = pack.archive.file
    let isFolder = Container(ofArchive: pack.archive.path) == .folder
    func damage(_ text: String) -> Diagnostic {
      Diagnostic(.damagedPack, "\(subject) \(text); \(hint)", at: place, notes: sight.faults.notes)
    }
    guard let kind = sight.kind else {
      return Diagnostic(.missingPack, "\(subject) is not there; \(hint)", at: place)
    }
    if kind != (isFolder ? .folder : .file) { return damage("is no \(isFolder ? "folder" : "file")") }
    if isFolder { return sight.faults.isEmpty ? nil : damage("holds other files than the list says") }
    if sight.size != expected.size {
      return damage("has \(ByteSize.exact(sight.size)) and the index says \(ByteSize.number(expected.size))")
    }
    if let digest = sight.digest, digest != expected.digest {
      return damage("has the digest \(digest.prefixed) and the index says \(expected.digest.prefixed)")
    }
    if sight.faults.isEmpty { return nil }
    if sight.faults.breaksForm {
      return damage("is the file that the index names, but not as packtool writes one of these files")
    }
    let message = "\(subject) is the file that the index names, but not what the list of files says"
    return Diagnostic(.wrongContents, message, at: place, notes: sight.faults.notes)
  }
}
