import Archiving
import Synchronization

/// The writing of all packs of a plan: what its writers share.
final class PackJob: Sendable {
  let plan: PackPlan
  let settings: PackSettings
  let buffers = BufferPool()
  private let progress: (@Sendable (Int64) -> Void)?
  private let found = Mutex<[Diagnostic]>([])

  /// The writing of a plan's packs; `progress` is told, from any thread, how many bytes more were packed.
  init(_ plan: PackPlan, _ settings: PackSettings, progress: (@Sendable (Int64) -> Void)?) {
    self.plan = plan
    self.settings = settings
    self.progress = progress
  }

  /// What was wrong with files while they were packed; with any of it, nothing may be published.
  var diagnostics: [Diagnostic] { found.withLock { $0 } }

  /// The files of a pack in its order.
  func files(of pack: AssetPack) -> [AssetFile] { pack.files.map { plan.tree.files[$0] } }

  /// Reads part of a file; false, with a finding, where the file is no longer the one that was scanned.
  func read(_ file: AssetFile, _ range: Range<Int64>, into buffer: inout ByteBuffer) throws(SystemError)
    -> Bool
  {
    do throws(SystemError) {
      let input = try plan.tree.root.openFile(Array(file.path.utf8))
      let before = buffer.count
      try input.read(Int(range.upperBound - range.lowerBound), at: range.lowerBound, into: &buffer)
      // Looked at after reading: a change in the meantime shows in the time.
      let status = try input.status()
      let isWhole = Int64(buffer.count - before) == range.upperBound - range.lowerBound
      guard isWhole && status.size == file.size && FileStamp(status).isSameContent(as: file.stamp) else {
        report(.fileChanged, file, "changed while it was packed; build again once it rests")
        return false
      }
    } catch {
      if error.isMissing {
        report(.fileChanged, file, "went away while it was packed; build again once it rests")
      } else if error.isDenied {
        report(.unreadableFile, file, "may not be read")
      } else {
        throw error
      }
      return false
    }
    progress?(range.upperBound - range.lowerBound)
    return true
  }

  /// Reads part of a file for a judgement only; false where it is not there.
  func readSample(
    _ file: AssetFile, _ range: Range<Int64>, into buffer: inout ByteBuffer
  ) throws(SystemError) -> Bool {
    let before = buffer.count
    let input = try plan.tree.root.openFile(Array(file.path.utf8))
    try input.read(range.count, at: range.lowerBound, into: &buffer)
    return buffer.count - before == range.count
  }

  private func report(_ check: Check, _ file: AssetFile, _ message: String) {
    let place = Place(joined(plan.manifest.rootPath, file.path))
    let finding = Diagnostic(check, "the file \(quoted(file.path)) \(message)", at: place)
    found.withLock { if !$0.contains(finding) { $0.append(finding) } }
  }
}

extension FileStamp {
  fileprivate func isSameContent(as other: FileStamp) -> Bool {
    modified == other.modified && identity == other.identity
  }
}

/// Buffers that go from worker to worker, kept for use again.
final class BufferPool: Sendable {
  private let free = Mutex<[ByteBuffer]>([])

  func take() -> ByteBuffer { free.withLock { $0.popLast() } ?? ByteBuffer() }

  func give(_ buffer: consuming ByteBuffer) {
    buffer.clear()
    let buffer = buffer
    free.withLock { $0.append(buffer) }
  }
}

/// One worker's own tools.
struct Workbench: ~Copyable {
  /// For the content of one file.
  var source = ByteBuffer()
  /// For what is thrown away.
  private var scratch = ByteBuffer()
  var digest = SHA256()
  private let level: Int
  private var deflater: Deflater
  private var trialDeflater: Deflater

  init(_ settings: PackSettings) {
    level = settings.deflateLevel
    deflater = Deflater(level: level)
    trialDeflater = Deflater(level: 1)
  }

  /// Appends the deflated bytes; nil, and nothing is appended, where that would save less than a 64th.
  mutating func deflate(_ bytes: RawSpan, into output: inout ByteBuffer) -> Int? {
    let limit = bytes.byteCount - max(bytes.byteCount / 64, 1)
    guard limit > 0, isWorthDeflating(bytes) else { return nil }
    return deflater.compress(bytes, limit: limit, into: &output)
  }

  /// Appends the deflated bytes, however long they get, for a stream of several blocks.
  mutating func deflateBlock(_ bytes: RawSpan, isLast: Bool, into output: inout ByteBuffer) {
    let start = output.count
    _ = deflater.compress(bytes, limit: deflater.bound(for: bytes.byteCount), into: &output)
    if !isLast { output.reopenDeflateStream(from: start) }
  }

  /// Whether samples of some bytes get smaller: what is compressed already does not.
  mutating func isWorthDeflating(_ bytes: RawSpan) -> Bool {
    let sample = 4096
    if bytes.byteCount < 8 * sample { return true }
    var size = 0
    let step = (bytes.byteCount - sample) / 3
    for index in 0...3 {
      scratch.clear()
      let part = bytes.extracting(index * step..<index * step + sample)
      size += trialDeflater.compress(part, limit: sample, into: &scratch) ?? sample
    }
    return size < 4 * sample * 63 / 64
  }
}
