import CLinux
import Glibc

/// A new file being written front to back, with the SHA-256 of all that is in it.
package struct OutputFile: ~Copyable, Sendable {
  /// The file's path, for messages.
  package let path: String
  private let use: Use
  /// -1 once it is closed.
  private var descriptor: Int32
  private var pending = WriteBuffer()
  private var way: Way
  private var flushed: Int64 = 0
  private var digest = SHA256()
  /// Bytes from the front that the digest has seen; nil while it follows each write.
  private var digestPausedAt: Int64?

  /// When a file is read next.
  package enum Use: Sendable, CaseIterable {
    case soon
    /// Long after it was written, as packs are: memory is not to be filled with it.
    case later
  }

  /// How bytes get to the disk.
  private enum Way {
    /// As soon as there are enough of them the file system is asked.
    case undecided
    case direct(WriteBehind)
    /// Through the memory that keeps files.
    case cached

    var isCached: Bool { if case .cached = self { true } else { false } }
  }

  /// Bytes from the front that are on their way to the disk, if not there.
  private var sentOff: Int64 = 0

  /// Bytes after which the disk is set to work, so that the sync at the end finds little left to wait for.
  private static let sendOffLimit: Int64 = 1 << 23

  /// Bytes that are gathered before one write: more where the disk takes them at once, from a place that it can.
  private var pendingLimit: Int {
    way.isCached ? 1 << 18 : 1 << 20 - Int(flushed % Int64(DirectWriting.alignment))
  }

  /// Creates a file, which must not be there yet.
  package init(creating path: String, use: Use = .soon) throws(SystemError) {
    self.path = path
    self.use = use
    way = use == .later ? .undecided : .cached
    descriptor = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
    if descriptor < 0 { throw SystemError("create", path) }
  }

  deinit {
    if case .direct(let writer) = way { try? writer.end() }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Bytes written so far.
  package var size: Int64 { flushed + Int64(pending.count) }

  package mutating func write(_ bytes: RawSpan) throws(SystemError) {
    if digestPausedAt == nil { digest.update(bytes) }
    try gather(bytes)
  }

  /// The same for bytes that are to be in another digest, too.
  package mutating func write(_ bytes: RawSpan, addingTo other: inout SHA256) throws(SystemError) {
    if digestPausedAt == nil { SHA256.update(&digest, &other, with: bytes) } else { other.update(bytes) }
    try gather(bytes)
  }

  /// Lets the digest wait: what is written from here on may still be changed by `patch`.
  package mutating func pauseDigest() throws(SystemError) {
    // What the digest catches up on is to be read back from memory.
    try endDirectWriting()
    digestPausedAt = digestPausedAt ?? size
  }

  /// Writes over bytes that were written since the digest paused.
  package mutating func patch(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    precondition(digestPausedAt.map { $0 <= offset } ?? false)
    try flush()
    try write(bytes, at: offset)
  }

  /// Lets the digest catch up, from the file itself.
  package mutating func resumeDigest() throws(SystemError) {
    guard var position = digestPausedAt else { return }
    try flush()
    var buffer = ByteBuffer()
    while position < flushed {
      let count = Int(min(flushed - position, 1 << 20))
      let failed = buffer.append(atMost: count) { space in
        let got = retrying { pread(descriptor, space.baseAddress, space.count, off_t(position)) }
        return got > 0 ? got : nil
      }
      if failed { throw SystemError("read back", path) }
      position += Int64(buffer.count)
      buffer.withBytes { digest.update($0) }
      buffer.clear()
    }
    digestPausedAt = nil
    if use == .later { way = .undecided }
  }

  /// Brings all to the file, gives it a time, in seconds since 1970, and tells its size and digest.
  ///
  /// What is published, as all that has a time is, may be read by others whoever builds it.
  package consuming func finish(
    modified: Int64? = nil, isPublished: Bool = false
  ) throws(SystemError) -> WrittenFile {
    try resumeDigest()
    try flush()
    if isPublished || modified != nil, fchmod(descriptor, 0o644) != 0 {
      throw SystemError("set the mode of", path)
    }
    if let modified {
      let time = timespec(tv_sec: time_t(modified), tv_nsec: 0)
      if futimens(descriptor, [time, time]) != 0 { throw SystemError("set the time of", path) }
    }
    // Some file systems tell only here that there was no room.
    let isClosed = isClosing(descriptor)
    descriptor = -1
    if !isClosed { throw SystemError("close", path) }
    return WrittenFile(size: flushed, digest: digest.finish())
  }

  private mutating func gather(_ bytes: RawSpan) throws(SystemError) {
    var rest = bytes
    while !way.isCached && pending.count + rest.byteCount >= pendingLimit {
      let room = pendingLimit - pending.count
      pending.append(rest.extracting(first: room))
      rest = rest.extracting(droppingFirst: room)
      try flushWhole()
    }
    if pending.count + rest.byteCount > pendingLimit { try flush() }
    if rest.byteCount < pendingLimit {
      pending.append(rest)
    } else {
      try write(rest, at: flushed)
      flushed += Int64(rest.byteCount)
    }
    if way.isCached && flushed - sentOff > Self.sendOffLimit { try sendOff() }
  }

  private mutating func sendOff() throws(SystemError) {
    let write: UInt32 = 2  // SYNC_FILE_RANGE_WRITE
    let code = retrying { sync_file_range(descriptor, off_t(sentOff), off_t(flushed - sentOff), write) }
    if code != 0 && !isUnsupported(errno) { throw SystemError("write", path) }
    // What was sent the time before has come there by now, or stays: nothing waits for it. Written packs are next read
    // by an upload; the memory they would fill serves those better that are read now, and on virtual machines, whose
    // hosts give memory page by page, filling new memory takes longer than compressing: 1.2 GB 3.4 s, not 0.4 s.
    let arrived = min(sentOff, digestPausedAt ?? sentOff)
    if use == .later && arrived > 0 { _ = posix_fadvise(descriptor, 0, off_t(arrived), POSIX_FADV_DONTNEED) }
    sentOff = flushed
  }

  /// Writes as many bytes as are gathered for one write.
  private mutating func flushWhole() throws(SystemError) {
    if case .undecided = way, flushed % Int64(DirectWriting.alignment) == 0 {
      way = WriteBehind(descriptor, path: path).map { .direct($0) } ?? .cached
    }
    guard case .direct(let writer) = way else { return try writePending() }
    let offset = flushed
    flushed += Int64(pending.count)
    try writer.write(&pending, at: offset)
  }

  private mutating func flush() throws(SystemError) {
    try endDirectWriting()
    try writePending()
  }

  private mutating func writePending() throws(SystemError) {
    if pending.count == 0 { return }
    try pending.withBytes { bytes throws(SystemError) in try write(bytes, at: flushed) }
    flushed += Int64(pending.count)
    pending.clear()
  }

  private mutating func endDirectWriting() throws(SystemError) {
    defer { way = .cached }
    guard case .direct(let writer) = way else { return }
    sentOff = flushed
    try writer.end()
  }

  private func write(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    try Interruption.check()
    if !writeAll(bytes, to: descriptor, at: offset) { throw SystemError("write", path) }
  }
}

/// What a finished file is known by.
package struct WrittenFile: Sendable, Hashable {
  /// Bytes.
  package let size: Int64
  /// The SHA-256 of the file.
  package let digest: Digest

  package init(size: Int64, digest: Digest) {
    self.size = size
    self.digest = digest
  }
}
