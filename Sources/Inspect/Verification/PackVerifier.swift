import Archiving
import Formats
import Model
import Pipeline
import System

/// Verifies packs of a built folder on several threads.
struct PackVerifier: Sendable {
  private struct Examination: Sendable {
    var kind: FileStatus.Kind?
    var size: Int64 = 0
    /// The digest of the archive; nil if it was not computed.
    var digest: Digest?
    var faults = PackFaults()
  }

  let folder: BuiltFolder
  let index: PublishedIndex
  /// Makes the receiver for a pack's files.
  ///
  /// The argument is the pack's position in the index.
  var receiver: (@Sendable (Int) -> any FileReceiver)?

  /// Returns all findings about some packs, including findings about secret keys among their files.
  ///
  /// No setting permits a secret key, so a build never writes a secret key into a pack. A manifest can permit
  /// other forbidden files, but a built folder does not show which files its manifest permitted. So this
  /// function checks only for keys.
  func findingsWithKeys(on packs: [Int], jobs: Int) throws(SystemError) -> [Diagnostic] {
    guard let contents = folder.contents else { return try findings(on: packs, jobs: jobs) }
    let found = Monitor<[Int: [Diagnostic]]>([:])
    var verifier = self
    verifier.receiver = { pack in
      let archivePath = joined(folder.path, index.packs[pack].archive.path)
      return KeyReceiver(ExpectedFiles(ofPack: pack, in: contents), at: archivePath) { finding in
        found.change { $0[pack, default: []].append(finding) }
      }
    }
    let faults = try verifier.findings(on: packs, jobs: jobs)
    let keys = found.change { $0 }
    return faults + FindingList(packs.flatMap { keys[$0] ?? [] }).findings
  }

  /// Returns all findings about some packs, in the order of the packs.
  ///
  /// The packs are given by their positions in the index.
  func findings(on packs: [Int], jobs: Int) throws(SystemError) -> [Diagnostic] {
    // Start with the largest pack. The last pack of each thread is then small, so all threads finish at about
    // the same time.
    let ordered = packs.sorted {
      (-index.packs[$0].archive.file.size, $0) < (-index.packs[$1].archive.file.size, $1)
    }
    let work = ordered.flatMap { [(pack: $0, isDigest: true), (pack: $0, isDigest: false)] }
    let examinations = try onThreads(jobs, each: work) { pack, isDigest throws(SystemError) in
      isDigest ? try examination(of: pack) : Examination(faults: try inspect(pack))
    }
    var whole: [Int: Examination] = [:]
    for (place, pack) in ordered.enumerated() {
      whole[pack] = examinations[2 * place]
      whole[pack]?.faults = examinations[2 * place + 1].faults
    }
    return FindingList(
      packs.lazy.compactMap { finding(index.packs[$0], examination: whole[$0] ?? Examination()) }
    )
    .findings
  }

  private func examination(of pack: Int) throws(SystemError) -> Examination {
    let published = index.packs[pack].archive
    guard let status = try FileOperations.statusIfThere(path(of: published)) else { return Examination() }
    var examination = Examination(kind: status.kind, size: status.size)
    // A file with the wrong size also has the wrong digest. The file is not read, because a hostile file can
    // have any size.
    if status.kind == .file, status.size == published.file.size {
      examination.digest = try InputFile(path(of: published)).digest()
    }
    return examination
  }

  private func path(of published: PublishedFile) -> String { joined(folder.path, published.path) }

  private func inspect(_ pack: Int) throws(SystemError) -> PackFaults {
    let published = index.packs[pack].archive
    let (path, format) = (self.path(of: published), Container(ofArchive: published.path).format)
    guard let contents = folder.contents, let status = try FileOperations.statusIfThere(path),
      status.kind == (format == nil ? .folder : .file)
    else { return PackFaults() }
    let expected = ExpectedFiles(ofPack: pack, in: contents)
    return try PackContentVerifier(expected, at: path, format: format, receiver: receiver?(pack)).faults
  }

  private func finding(_ pack: PublishedIndex.Pack, examination: Examination) -> Diagnostic? {
    let place = Place(path(of: pack.archive))
    let subject = "the pack of \(setNotation(pack.tags))"
    let hint = "copy the pack again, or build again"
    let expected = pack.archive.file
    let isFolder = Container(ofArchive: pack.archive.path) == .folder
    func damage(_ text: String) -> Diagnostic {
      Diagnostic(
        .damagedPack, message: "\(subject) \(text); \(hint)", at: place, notes: examination.faults.notes)
    }
    guard let kind = examination.kind else {
      return Diagnostic(.missingPack, message: "\(subject) is missing; \(hint)", at: place)
    }
    if kind != (isFolder ? .folder : .file) { return damage("is not a \(isFolder ? "folder" : "file")") }
    if isFolder { return examination.faults.isEmpty ? nil : damage("differs from the contents list") }
    if examination.size != expected.size {
      return damage(
        "has \(ByteSize.exact(examination.size)), but the index says \(ByteSize.number(expected.size))")
    }
    if let digest = examination.digest, digest != expected.digest {
      return damage("has the digest \(digest.prefixed), but the index says \(expected.digest.prefixed)")
    }
    if examination.faults.isEmpty { return nil }
    if examination.faults.isNonCanonical {
      return damage("has the digest in the index, but its archive is not byte for byte what packtool writes")
    }
    let message = "\(subject) has the digest in the index, but differs from the contents list"
    return Diagnostic(.wrongContents, message: message, at: place, notes: examination.faults.notes)
  }
}

/// Looks for secret keys in the files of a pack that is being verified.
private final class KeyReceiver: FileReceiver {
  private let files: ExpectedFiles
  /// The path of the pack.
  private let path: String
  private let report: (Diagnostic) -> Void
  private var content = StreamedContent()
  private var fileIndex = 0
  private var size: Int64 = 0

  init(_ files: ExpectedFiles, at path: String, report: @escaping (Diagnostic) -> Void) {
    (self.files, self.path, self.report) = (files, path, report)
  }

  func begin(fileAt index: Int) throws(SystemError) {
    (self.fileIndex, size) = (index, 0)
    // If the previous file could not be read to its end, `content` still contains the first bytes of that
    // file.
    content = StreamedContent()
  }

  func append(_ block: RawSpan) throws(SystemError) {
    size += Int64(block.byteCount)
    content.append(block)
  }

  func end() throws(SystemError) {
    guard let found = content.finish(size: size), found.check == .secretKey else { return }
    let file = String(decoding: files.path(at: fileIndex), as: UTF8.self)
    if let finding = found.finding(about: file, at: Place(path), under: .refused) { report(finding) }
  }
}

/// Checks a built folder's patches against its index, and against earlier releases if the user specifies
/// them.
struct PatchVerification: Sendable {
  private let folder: BuiltFolder
  private let index: PublishedIndex
  private let baselines: [PatchBaseline]
  /// The memory that all threads together may use for old contents and decompression windows.
  private let memory = MemoryBudget(of: 160 << 20)
  private(set) var diagnostics: [Diagnostic] = []

  /// A patch that is in a list of patches.
  private struct ListedPatch: Sendable {
    /// The digest of the earlier release's `index.json`.
    let from: Digest
    let pack: PatchSet.Pack
  }

  init(_ folder: BuiltFolder, index: PublishedIndex, from old: [String], jobs: Int) throws(SystemError) {
    self.folder = folder
    self.index = index
    baselines = try old.map { path throws(SystemError) in try PatchBaseline(path) }
    diagnostics = baselines.flatMap(\.diagnostics)
    for old in baselines
    where old.diagnostics.isEmpty && !index.patches.contains(where: { $0.from == old.digest }) {
      let message =
        "the index lists no patches from \(quoted(old.path)); build with \"--patch-from\" and this release"
      diagnostics.append(Diagnostic(.damagedPatch, message: message, at: Place(folder.indexPath)))
    }
    for (from, list) in index.patches where !folder.patches.contains(where: { $0.from == from }) {
      if folder.diagnostics.contains(where: { $0.check == .damagedPatch }) { break }
      let path = joined(folder.path, list.path)
      diagnostics.append(damage(path, message: "the list of patches from release \(from.short) is missing"))
    }
    let listed = folder.patches.flatMap { set in
      set.packs.map { ListedPatch(from: set.from, pack: $0) }
    }
    let largestFirst = listed.sorted {
      (-$0.pack.patch.file.size, $0.pack.patch.path) < (-$1.pack.patch.file.size, $1.pack.patch.path)
    }
    let found = try onThreads(jobs, each: largestFirst) {
      [self] patch throws(SystemError) in try findings(on: patch)
    }
    diagnostics += FindingList(found.joined()).findings
  }

  private func findings(on listed: ListedPatch) throws(SystemError) -> [Diagnostic] {
    let file = listed.pack.patch
    let path = joined(folder.path, file.path)
    guard let pack = index.packs.first(where: { $0.id == listed.pack.id }) else {
      return [
        damage(
          path,
          message: "a patch is for \(quoted(listed.pack.id)), which is not a pack of the index")
      ]
    }
    let subject = "the patch of \(setNotation(pack.tags)) from release \(listed.from.short)"
    let named = PublishedNames.patchPath(
      ofPack: pack.id, fromIndex: listed.from, patchDigest: file.file.digest)
    if listed.pack.digest != pack.digest || file.path != named {
      return [damage(path, message: "the name of \(subject) does not match the pack that the patch makes")]
    }
    guard let status = try FileOperations.statusIfThere(path), status.kind == .file else {
      return [damage(path, message: "\(subject) is missing")]
    }
    guard status.size == file.file.size, try InputFile(path).digest() == file.file.digest else {
      return [damage(path, message: "\(subject) has a different size or digest than its list says")]
    }
    let patch: PatchFile
    do throws(ArchiveFormatError) {
      patch = try PatchFile(path)
    } catch {
      if let cause = error.cause { throw cause }
      return [damage(path, message: "\(subject) is damaged: \(error.reason)")]
    }
    if patch.recipe.pack != pack.id || patch.recipe.digest != pack.digest {
      return [damage(path, message: "\(subject) makes a different pack")]
    }
    if try !patch.hasRightChecksums() {
      return [damage(path, message: "\(subject) has an entry with a wrong checksum")]
    }
    return try faults(in: patch, from: listed.from).map {
      damage(
        path,
        message:
          "\(subject) is damaged: \($0)")
    }
  }

  /// Returns the faults of a patch.
  ///
  /// The patch is applied to the old contents, as far as they are available.
  private func faults(in patch: PatchFile, from digest: Digest) throws(SystemError) -> [String] {
    let old = baselines.first { $0.digest == digest && $0.diagnostics.isEmpty }
    let wantedDigests = Set(patch.recipe.files.compactMap { $0.method == .same ? nil : $0.source })
    let temporary = ThisProcess.environment.value(of: .temporaryFolder) ?? "/tmp"
    let (sources, found) = try old?.unpack(contents: wantedDigests, into: temporary, jobs: 1) ?? ([:], [])
    var faults = found.map(\.message)
    for file in patch.recipe.files {
      let name = quoted(bytes: file.path)
      if let old, let from = file.source, !old.has(from) {
        faults.append("\(name) needs the content \(from.prefixed), which no pack of \(quoted(old.path)) has")
      }
      switch file.method {
      case .same: continue
      case .patch(let from):
        guard let source = sources[from] else { continue }
        try fault(of: patch, in: file, from: source).map { faults.append("\(name) \($0)") }
      case .whole: try fault(of: patch, in: file, from: nil).map { faults.append("\(name) \($0)") }
      }
    }
    return faults
  }

  /// Returns the fault of a file in a patch.
  ///
  /// The function waits until there is enough memory to make the file.
  private func fault(
    of patch: PatchFile, in file: PatchRecipe.File, from source: SpooledBytes?
  ) throws(SystemError) -> String? {
    let need = (source?.size ?? 0).saturatingSum(with: min(file.size, 128 << 20))
    return try memory.use(byteCount: need) { () throws(SystemError) in try patch.fault(in: file, from: source)
    }
  }

  private func damage(_ path: String, message: String) -> Diagnostic {
    Diagnostic(.damagedPatch, message: "\(message); build again with \"--patch-from\"", at: Place(path))
  }
}
