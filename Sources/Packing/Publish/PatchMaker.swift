import Archiving
import Formats
import Model
import Pipeline
import System

/// Makes the patches of a build from earlier releases.
///
/// The new contents of a file become a Zstandard frame that uses the old contents as its prefix. All threads
/// make frames, beginning with the largest files. When all frames have been made, the patches are assembled.
struct PatchMaker: Sendable {
  private let build: StagedPacks
  private let baselines: [PatchBaseline]
  private let root: Folder
  private let readCounter: ReadCounter
  /// The patches of the previous build.
  private let known: PatchRecord
  private let folder: String
  /// The limit for the memory that all threads together use for old contents, windows and tables.
  private let memory = MemoryBudget(of: 160 << 20)

  /// Whether a patch is small enough: less than 80 % of the size of the download that it replaces.
  static func isWorthwhile(_ size: Int64, insteadOf whole: Int64) -> Bool { size * 5 < whole * 4 }

  /// Identifies a frame by its new contents and its prefix.
  ///
  /// `from` is nil for a frame without a prefix.
  private struct FrameKey: Hashable {
    let digest: Digest
    let from: Digest?

    init(of digest: Digest, from: Digest?) {
      self.digest = digest
      self.from = from
    }
  }

  /// The job to make the frames of new contents, with the old contents that can be the prefix.
  private struct FrameJob: Sendable {
    /// The index, in the tree, of a file that has these contents.
    let file: Int
    let digest: Digest
    let size: Int64
    /// The compressed size in bytes inside the pack's archive; nil if the file is not compressed separately.
    let packedSize: Int64?
    var sources: Set<Digest> = []
    /// Whether a patch needs a frame of this file without old contents.
    var isWhole = false
  }

  /// The frames that all threads have made, or the reason why the threads stopped.
  private struct FrameResult: Sendable {
    var frames: [FrameKey: SpooledBytes] = [:]
    var findings: [Diagnostic] = []
    var failure: (any Error)?
  }

  /// The recipe of a patch whose frames have not been made yet.
  private struct Draft: Sendable {
    /// The release that the patch starts from.
    let old: PatchBaseline
    /// The index of the pack in the plan.
    let pack: Int
    let recipe: PatchRecipe
  }

  /// Prepares the patches of a staged build from earlier releases, which are in byte order of their digests.
  ///
  /// Files are read below `root`.
  init(
    for build: StagedPacks, from baselines: [PatchBaseline], known: PatchRecord, root: Folder,
    readCounter: ReadCounter
  ) {
    self.build = build
    self.baselines = baselines
    self.root = root
    self.readCounter = readCounter
    self.known = known
    folder = joined(build.output.stagingPath, "patches")
  }

  private var plan: PackPlan { build.plan }
  private var packs: [FinishedPack] { build.packs }

  /// Makes all patches that the output folder does not have yet.
  ///
  /// If there are findings, no patch may be published.
  func make() throws -> (StagedPatches, [Diagnostic]) {
    var patches = StagedPatches(record: PatchRecord(build.settings.patchMaker))
    let drafts = baselines.flatMap { baseline in self.drafts(from: baseline, record: &patches.record) }
    var findings: [Diagnostic] = []
    if !drafts.isEmpty {
      try FileOperations.makeFolder(folder)
      let sources = try unpackSources(of: drafts, findings: &findings)
      if !findings.isEmpty { return (patches, findings) }
      let frames = try makeFrames(for: drafts, sources: sources, findings: &findings)
      if !findings.isEmpty { return (patches, findings) }
      let made = try onThreads(build.jobs, each: drafts) { try self.assemblePatch(from: $0, frames: frames) }
      for (draft, patch) in zip(drafts, made) {
        if let patch { patches.staged.append(patch) }
        let pair = PatchRecord.Pair(
          from: draft.old.digest, pack: draft.recipe.pack, contents: draft.recipe.digest)
        patches.record.add(pair, patch: patch?.published)
      }
    }
    let contentsOfPacks = plan.packs.enumerated().map { ($1.identity.identifier, packs[$0].digest) }
    patches.sets = baselines.map { baseline in
      PatchSet(
        from: baseline.digest, packs: patches.record.patches(of: contentsOfPacks, from: baseline) ?? [])
    }
    return (patches, [])
  }

  /// Returns the recipes for the packs whose patches must be made.
  ///
  /// Patches that the previous build made are added to the new record.
  private func drafts(from old: PatchBaseline, record: inout PatchRecord) -> [Draft] {
    var drafts: [Draft] = []
    for (number, pack) in plan.packs.enumerated() where !old.hasPack(packs[number].digest) {
      let pair = PatchRecord.Pair(
        from: old.digest, pack: pack.identity.identifier, contents: packs[number].digest)
      if let patch = known.patches[pair] {
        record.add(pair, patch: patch)
      } else if let draft = draft(ofPack: number, from: old) {
        drafts.append(draft)
      } else {
        record.addUnavailable(pair)
      }
    }
    return drafts
  }

  /// Returns the recipe for a pack's patch; nil if no patch can be made.
  private func draft(ofPack number: Int, from baseline: PatchBaseline) -> Draft? {
    let pack = plan.packs[number]
    let isPreferredPack = baseline.packs(withAll: pack.tags)
    var sources: [Digest: PatchRecipe.Method] = [:]
    let files = zip(pack.files, packs[number].files).map { fileIndex, packed in
      let file = plan.tree.files[fileIndex]
      let path = Array(file.packPath.utf8)
      let method =
        sources[packed.digest]
        ?? (baseline.has(packed.digest)
          ? .same
          : baseline.source(for: path[...], size: file.size, preferringPacks: isPreferredPack).map {
            .patch(from: $0)
          }
            ?? .whole)
      sources[packed.digest] = method
      return PatchRecipe.File(path: path, size: file.size, digest: packed.digest, method: method)
    }
    let lacksFile = zip(pack.files, files).contains { fileIndex, file in
      file.method != .same && plan.tree.files[fileIndex].pointer != nil
    }
    if lacksFile { return nil }
    let recipe = PatchRecipe(pack: pack.identity.identifier, digest: packs[number].digest, files: files)
    return Draft(old: baseline, pack: number, recipe: recipe)
  }

  private func unpackSources(
    of drafts: [Draft], findings: inout [Diagnostic]
  ) throws(SystemError) -> [Digest: SpooledBytes] {
    var sources: [Digest: SpooledBytes] = [:]
    for baseline in baselines {
      var wantedDigests: Set<Digest> = []
      for draft in drafts where draft.old.digest == baseline.digest {
        for case .patch(let from) in draft.recipe.files.lazy.map(\.method) where sources[from] == nil {
          wantedDigests.insert(from)
        }
      }
      let (found, diagnostics) = try baseline.unpack(contents: wantedDigests, into: folder, jobs: build.jobs)
      sources.merge(found) { first, _ in first }
      findings += diagnostics
    }
    return sources
  }

  private func makeFrames(
    for drafts: [Draft], sources: [Digest: SpooledBytes], findings: inout [Diagnostic]
  ) throws -> [FrameKey: SpooledBytes] {
    let queue = Monitor(jobs(for: drafts))
    let result = Monitor(FrameResult())
    onThreads(build.jobs) { _ in
      do {
        let spool = try Spool(in: self.folder)
        var frames: [FrameKey: Range<Int64>] = [:]
        while let job = queue.change({ $0.popLast() }) {
          if let finding = try self.make(job, sources: sources, spool: spool, frames: &frames) {
            result.change { $0.findings.append(finding) }
          }
        }
        let file = try spool.finish()
        result.change { result in
          for (key, range) in frames { result.frames[key] = SpooledBytes(range, of: file) }
        }
      } catch {
        queue.change { $0 = [] }
        result.change { $0.failure = $0.failure ?? error }
      }
    }
    let made = result.change { $0 }
    if let failure = made.failure { throw failure }
    findings += made.findings
    return made.frames
  }

  /// Returns the contents for which frames must be made, in ascending order of size.
  private func jobs(for drafts: [Draft]) -> [FrameJob] {
    var jobs: [Digest: FrameJob] = [:]
    let isCompressed = build.settings.compression != .store
    for draft in drafts {
      let numbers = plan.packs[draft.pack].files
      for (place, file) in draft.recipe.files.enumerated() where file.method != .same {
        var job =
          jobs[file.digest]
          ?? FrameJob(
            file: numbers[place], digest: file.digest, size: file.size,
            packedSize: isCompressed ? packs[draft.pack].files[place].packedSize : nil)
        if case .patch(let from) = file.method { job.sources.insert(from) } else { job.isWhole = true }
        jobs[file.digest] = job
      }
    }
    return jobs.values.sorted { ($0.size, $0.file) < ($1.size, $1.file) }
  }

  /// Makes the frames of a file.
  ///
  /// Returns a finding if the file has changed since it was packed.
  private func make(
    _ job: FrameJob, sources: [Digest: SpooledBytes], spool: Spool,
    frames: inout [FrameKey: Range<Int64>]
  ) throws(SystemError) -> Diagnostic? {
    do throws(SystemError) {
      var doubtful: [(key: FrameKey, range: Range<Int64>)] = []
      for from in job.sources {
        guard let source = sources[from] else { continue }
        let range = try makeFrame(of: job, source: source, spool: spool)
        let key = FrameKey(of: job.digest, from: from)
        // A frame without old contents is not made: no such frame could be smaller than this small frame with
        // old contents.
        if let packed = job.packedSize, Int64(range.count) < packed / 3 {
          frames[key] = range
        } else {
          doubtful.append((key, range))
        }
      }
      guard job.isWhole || !doubtful.isEmpty else { return nil }
      let whole = try makeFrame(of: job, source: nil, spool: spool)
      frames[FrameKey(of: job.digest, from: nil)] = whole
      for (key, range) in doubtful where Self.isWorthwhile(Int64(range.count), insteadOf: Int64(whole.count))
      {
        frames[key] = range
      }
      return nil
    } catch {
      guard error.isMissing || error.isNoFile || error.code == SystemError.truncated else { throw error }
      let file = plan.tree.files[job.file]
      return plan.finding(
        .fileChanged, file: file,
        statement: "changed while packtool was packing it; build again when no program writes to the file")
    }
  }

  private func makeFrame(
    of job: FrameJob, source: SpooledBytes?, spool: Spool
  ) throws(SystemError) -> Range<Int64> {
    let isCompressed = job.packedSize.map { $0 > job.size / 100 * 97 } ?? false
    let settings = ZstandardSettings(
      patching: job.size, from: source?.size, content: isCompressed ? .compressed : .compressible)
    return try memory.use(byteCount: (source?.size ?? 0) + settings.memory(for: job.size)) {
      () throws(SystemError) in
      try makeFrame(of: job, from: source, with: settings, in: spool)
    }
  }

  private func makeFrame(
    of job: FrameJob, from source: SpooledBytes?, with settings: ZstandardSettings, in spool: Spool
  ) throws(SystemError) -> Range<Int64> {
    let start = spool.size
    var prefix = ByteBuffer(capacity: Int(source?.size ?? 0))
    try source?.read(0..<(source?.size ?? 0), into: &prefix)
    let input = try root.openFile(Array(plan.tree.files[job.file].path.utf8))
    var position: Int64 = 0
    var digest = SHA256()
    try patchFrame(ofSize: job.size, settings: settings, prefix: prefix, pathInMessages: input.path) {
      buffer throws(SystemError) in
      try Interruption.check()
      try input.read(Int(min(1 << 20, job.size - position)), at: position, into: &buffer)
      if buffer.isEmpty { throw SystemError(during: "read", path: input.path, code: SystemError.truncated) }
      buffer.withBytes { digest.update($0) }
      position += Int64(buffer.count)
    } write: { bytes throws(SystemError) in
      try spool.append(bytes)
    }
    readCounter.addRead(job.size)
    if digest.finish() != job.digest {
      throw SystemError(during: "read", path: input.path, code: SystemError.truncated)
    }
    return start..<spool.size
  }

  /// Writes a patch from finished frames.
  ///
  /// Returns nil if the patch is not much smaller than the pack.
  private func assemblePatch(
    from draft: Draft, frames: [FrameKey: SpooledBytes]
  ) throws(SystemError) -> (path: String, published: PublishedFile)? {
    var used: [Digest: SpooledBytes] = [:]
    let files = draft.recipe.files.map { file in
      var method = file.method
      if case .patch(let from) = method {
        used[file.digest] = frames[FrameKey(of: file.digest, from: from)]
        if used[file.digest] == nil { method = .whole }
      }
      if method == .whole { used[file.digest] = frames[FrameKey(of: file.digest, from: nil)] }
      return PatchRecipe.File(path: file.path, size: file.size, digest: file.digest, method: method)
    }
    let recipe = PatchRecipe(pack: draft.recipe.pack, digest: draft.recipe.digest, files: files)
    let head = recipe.bytes()
    // Each entry has two headers, and each header contains a name of 64 bytes.
    let size = Int64(head.count) + used.values.saturatingSum { $0.size + 204 } + 200
    if !Self.isWorthwhile(size, insteadOf: packs[draft.pack].archive.size) { return nil }
    let staged = joined(folder, "\(draft.old.digest.short).\(draft.pack).zip")
    var zip = ZipWriter(
      try OutputFile(creating: staged, nextRead: .later),
      modified: ZipTime(secondsSince1970: build.settings.modified))
    try zip.append(stored: PatchRecipe.name, bytes: head)
    for digest in recipe.entries {
      if let frame = used[digest] { try zip.append(stored: digest.hex, bytes: frame) }
    }
    let written = try zip.finish()
    try FileOperations.sync(staged)
    let path = PublishedNames.patchPath(
      ofPack: recipe.pack, fromIndex: draft.old.digest, patchDigest: written.digest)
    return (staged, PublishedFile(path: path, file: written))
  }
}

extension ZipWriter {
  fileprivate mutating func append(stored name: String, bytes: SpooledBytes) throws(SystemError) {
    var buffer = ByteBuffer()
    if bytes.size <= 1 << 20 {
      try bytes.read(0..<bytes.size, into: &buffer)
      return try append(stored: name, bytes: buffer)
    }
    var checksum = Checksum()
    try beginEntry(name: name, method: .stored, size: bytes.size)
    for start in stride(from: 0, to: bytes.size, by: 1 << 20) {
      buffer.clear()
      try bytes.read(start..<min(bytes.size, start + 1 << 20), into: &buffer)
      try buffer.withBytes { block throws(SystemError) in
        checksum.update(block)
        try append(block: block)
      }
    }
    try endEntry(checksum: checksum)
  }
}

extension ZstandardSettings {
  /// The kind of contents of a file.
  enum Content {
    case compressible
    /// Bytes that the format of the file has already compressed.
    case compressed
  }

  /// Creates the settings for compressing a file with old contents as its prefix, or without a prefix.
  ///
  /// The prefix can only be used if the file fits into the window.
  init(patching size: Int64, from source: Int64?, content: Content) {
    let bits = Int64.bitWidth - max(size - 1, 1).leadingZeroBitCount
    let windowLog = min(max(bits, 10), source == nil ? 23 : 27)
    let level =
      switch size {
      // A compressed file either matches the old file in whole blocks or does not match at all, so a low
      // level is enough.
      case _ where content == .compressed: source == nil ? 1 : 3
      // In a measurement with 43 updates of nine games, higher levels made patches less than 2 % smaller and
      // took six times as long.
      case ..<(1 << 15): 12
      case ..<(1 << 18): 9
      case ..<(1 << 21): 6
      default: 5
      }
    self.init(level: level, windowLog: windowLog, findsLongMatches: source != nil && size > 1 << 20)
  }

  /// Returns the approximate memory in bytes that is needed to make a frame of a file.
  func memory(for size: Int64) -> Int64 {
    let window = min(size, 1 << Int64(windowLog))
    return window + min(size * 16, 1 << 26) + 1 << 20
  }
}

extension PackSettings {
  /// The versions and settings that patches depend on.
  ///
  /// The settings at the end decide how large the packs are.
  var patchMaker: String {
    let versions = libraryVersions.map { "\($0.name) \($0.version)" }
    let choices = [container.rawValue, compression.rawValue, "\(modified)"]
    return (["packtool \(packtoolVersion)"] + versions + choices).joined(separator: ", ")
  }
}
