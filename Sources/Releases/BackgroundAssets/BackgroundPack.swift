import Findings
import Formats
import PackKit
import System

/// One pack of a build for Background Assets: its folder and its manifest, against what `tags.json` says.
struct BackgroundPack: Sendable {
  let id: String
  /// When devices download it; on demand if the manifest cannot be read.
  private(set) var delivery = Delivery.onDemand
  /// The files in its folder.
  private(set) var files: [PackListing.File] = []
  /// The path of its archive, relative to the build's folder; nil if that cannot be known.
  private(set) var archivePath: String?
  /// The size of the archive that `ba-package` made; nil without one.
  private(set) var archiveSize: Int64?
  /// All findings.
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  let path: String
  private let manifestPath: String

  /// The size of the files in bytes.
  var size: Int64 { files.saturatingSum { $0.size } }

  init(
    _ pack: PublishedTags.Pack, _ text: SourceText, in folder: String, room: NameRoom
  ) throws(SystemError) {
    id = pack.id
    path = joined(folder, PublishedNames.folderPath(ofPack: id))
    manifestPath = joined(folder, PublishedNames.manifestPath(ofPack: id))
    try readFiles(pack, room)
    try readManifest(pack.digest)
    if let archivePath, let status = try FileOperations.statusIfThere(joined(folder, archivePath)),
      status.kind == .file
    {
      archiveSize = status.size
    }
  }

  private mutating func readFiles(_ pack: PublishedTags.Pack, _ room: NameRoom) throws(SystemError) {
    guard try FileOperations.statusIfThere(path, following: false)?.kind == .folder else {
      return report(.missingPack, "the pack of \(setNotation(pack.tags)) is not there; build again", at: path)
    }
    let listing = try PackListing(path, room: room)
    files = listing.files
    for reason in listing.damage { report(.damagedPack, reason, at: path) }
    if !listing.damage.isEmpty { return }
    if size != pack.size {
      let message =
        "the pack of \(setNotation(pack.tags)) has \(counted(size, "byte")) and \"tags.json\" says \(grouped(pack.size)); "
        + "build again"
      return report(.damagedPack, message, at: path)
    }
    var digest = ContentsDigest()
    for file in files { digest.add(file.path, size: file.size, file.digest) }
    let found = digest.finish()
    if let expected = pack.digest, found != expected {
      let message =
        "the pack of \(setNotation(pack.tags)) holds other files than \"tags.json\" says: they were changed "
        + "since; build again"
      report(.damagedPack, message, at: path)
    }
  }

  private mutating func readManifest(_ contents: Digest?) throws(SystemError) {
    guard case .bytes(let bytes) = try FileContents(of: manifestPath, limit: BackgroundManifestReader.longest)
    else {
      return report(
        .damagedIndex, "the manifest \(quoted(manifestPath)) is missing; build again", at: manifestPath)
    }
    archivePath = contents.map { PublishedNames.archivePath(ofPack: id, $0, manifest: bytes) }
    let reader = BackgroundManifestReader(text: SourceText(path: manifestPath, bytes: bytes))
    findings.add(reader.diagnostics.map { $0.check.isManifestError ? $0.of(.damagedIndex) : $0 })
    guard let manifest = reader.manifest else { return }
    delivery = manifest.policy.delivery
    if manifest.id != id {
      report(.wrongContents, "the manifest is of the pack \(quoted(manifest.id))", at: manifestPath)
    }
    if let root = manifest.sourceRoot, root != PublishedNames.sourceRoot(ofPack: id) {
      report(.wrongContents, "the source root \(quoted(root)) is not the pack's folder", at: manifestPath)
    }
    compare(manifest)
  }

  /// Compares the selectors with the files of the folder.
  private mutating func compare(_ manifest: BackgroundManifest) {
    var named: Set<ByteKey> = []
    for selector in manifest.selectors {
      switch selector {
      case .file(let path): named.insert(ByteKey(path))
      case .fileSource(let path, let destination) where path == destination: named.insert(ByteKey(path))
      default:
        let message =
          "the manifest has a selector that is no file under its own path, as packtool writes them"
        return report(.wrongContents, message, at: manifestPath)
      }
    }
    for file in files where named.remove(ByteKey(file.path)) == nil {
      report(.wrongContents, "the manifest does not select the file \(quoted(file.path))", at: manifestPath)
    }
    for key in named.map(\.text).sorted() {
      report(
        .wrongContents, "the manifest selects \(quoted(key)), which the pack does not have", at: manifestPath)
    }
  }

  private mutating func report(_ check: Check, _ message: String, at path: String) {
    findings.add(Diagnostic(check, message, at: Place(path)))
  }
}

/// Finds paths that two packs have, whose files devices put into one folder.
struct SharedNames {
  let findings: [Diagnostic]

  init(_ packs: [BackgroundPack]) {
    var first: [String: (id: String, path: String)] = [:]
    var found: [Diagnostic] = []
    for pack in packs {
      for file in pack.files {
        let key = file.path.lowercased()
        guard let other = first[key], other.id != pack.id else {
          first[key] = (pack.id, file.path)
          continue
        }
        let message =
          "the packs \(quoted(other.id)) and \(quoted(pack.id)) both have \(quoted(file.path)); all packs share one folder on "
          + "a device"
        found.append(
          Diagnostic(.pathInTwoPacks, message, at: Place(joined(pack.path, file.path)), severity: .error))
      }
    }
    findings = found
  }
}
