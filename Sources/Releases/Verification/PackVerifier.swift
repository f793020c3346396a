import Published
import Findings
import PackKit
import Projects
import System

/// Verifies packs of a built folder on several threads.
final class PackVerifier: Sendable {
  /// A unit of work: computing a pack's digest, or inspecting its contents.
  private enum Work: Sendable {
    case digest(Int)
    case files(Int)
  }

  private struct Sight: Sendable {
    var kind: FileStatus.Kind?
    var size: Int64 = 0
    /// The digest of the archive; nil if it was not computed.
    var digest: Digest?
    var faults = PackFaults()
  }

  private let folder: BuiltFolder
  private let index: PublishedIndex
  private let packs: [Int]
  private let receiver: (@Sendable (Int) -> any FileReceiver)?
  /// The results by the pack's position in the index.
  private let sights: Monitor<[Sight]>

  /// A verifier of packs, by their position in the index; `receiver` makes the receiver of a pack's files.
  init(
    _ folder: BuiltFolder, _ index: PublishedIndex, packs: [Int],
    receiver: (@Sendable (Int) -> any FileReceiver)? = nil
  ) {
    self.folder = folder
    self.index = index
    self.packs = packs
    self.receiver = receiver
    sights = Monitor(index.packs.map { _ in Sight() })
  }

  /// All findings about the packs, in their order.
  func findings(jobs: Int) throws(SystemError) -> [Diagnostic] {
    // The largest first, so that no thread is left with a large one at the end.
    let ordered = packs.sorted {
      (-index.packs[$0].archive.file.size, $0) < (-index.packs[$1].archive.file.size, $1)
    }
    let work = ordered.flatMap { [Work.digest($0), .files($0)] }
    try onThreads(jobs, each: work) { work throws(SystemError) in try self.carryOut(work) }
    let sights = sights.change { $0 }
    return FindingList(packs.lazy.compactMap { self.finding(self.index.packs[$0], sights[$0]) }).findings
  }

  private func carryOut(_ work: Work) throws(SystemError) {
    switch work {
    case .digest(let pack):
      let published = index.packs[pack].archive
      guard let status = try FileOperations.statusIfThere(path(of: published)) else { return }
      sights.change { ($0[pack].kind, $0[pack].size) = (status.kind, status.size) }
      // The size is wrong already, and a hostile file could be of any length.
      guard status.kind == .file, status.size == published.file.size else { return }
      let digest = try InputFile(path(of: published)).digest()
      sights.change { $0[pack].digest = digest }
    case .files(let pack):
      let faults = try inspect(pack)
      sights.change { $0[pack].faults = faults }
    }
  }

  private func path(of published: PublishedFile) -> String { joined(folder.path, published.path) }

  private func inspect(_ pack: Int) throws(SystemError) -> PackFaults {
    let published = index.packs[pack].archive
    guard let contents = folder.contents, let status = try FileOperations.statusIfThere(path(of: published))
    else { return PackFaults() }
    var inspection = PackInspection(ExpectedFiles(of: pack, in: contents), receiver: receiver?(pack))
    if let format = Container(ofArchive: published.path).format {
      guard status.kind == .file else { return PackFaults() }
      try inspection.inspect(archive: path(of: published), format)
    } else {
      guard status.kind == .folder else { return PackFaults() }
      try inspection.inspect(folder: path(of: published))
    }
    inspection.finish()
    return inspection.faults
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
