import CLibrary

/// A new file that is written front to back while its SHA-256 is computed.
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
  /// Whether the file has all its bytes already, so that those written are only counted and digested.
  private var isCloned = false
  /// How many bytes from the front the digest has covered; nil while it follows each write.
  private var digestPausedAt: Int64?

  /// When a file will be read next.
  package enum Use: Sendable, CaseIterable {
    case soon
    /// Long after it was written, as packs are: it is to be kept out of the page cache.
    case later
  }

  /// How bytes get to the disk.
  private enum Way {
    /// The file system is asked once there are enough bytes.
    case undecided
    case direct(WriteBehind)
    /// Through the page cache.
    case cached

    var isCached: Bool { if case .cached = self { true } else { false } }
  }

  /// How many bytes from the front are on the disk or on their way to it.
  private var sentOff: Int64 = 0

  /// Bytes after which writing to the disk is started, so that the final sync has little left to wait for.
  private static let sendOffLimit: Int64 = 1 << 23

  /// Bytes that are gathered before one write: more for direct writes, which need aligned offsets.
  private var pendingLimit: Int {
    way.isCached ? 1 << 18 : 1 << 20 - Int(flushed % Int64(Platform.alignment))
  }

  /// Creates a file; an existing one is an error.
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

  /// Makes the new file share another's blocks until either is written; false where the file system cannot.
  package mutating func clone(_ input: borrowing InputFile) -> Bool {
    isCloned = Platform.clone(descriptor, from: input.descriptor) == 0
    return isCloned
  }

  /// Bytes written so far.
  package var size: Int64 { flushed + Int64(pending.count) }

  package mutating func write(_ bytes: RawSpan) throws(SystemError) {
    if digestPausedAt == nil { digest.update(bytes) }
    try gather(bytes)
  }

  package mutating func write(_ buffer: borrowing ByteBuffer) throws(SystemError) {
    try buffer.withBytes { bytes throws(SystemError) in try write(bytes) }
  }

  /// The same, adding the bytes to another digest, too.
  package mutating func write(_ bytes: RawSpan, addingTo other: inout SHA256) throws(SystemError) {
    if digestPausedAt == nil { SHA256.update(&digest, &other, with: bytes) } else { other.update(bytes) }
    try gather(bytes)
  }

  /// Pauses the digest: bytes that are written from here on may still be changed by `patch`.
  package mutating func pauseDigest() throws(SystemError) {
    // The digest reads these bytes back later, which should come from the page cache.
    try endDirectWriting()
    digestPausedAt = digestPausedAt ?? size
  }

  /// Overwrites bytes that were written since the digest paused.
  package mutating func patch(_ bytes: RawSpan, at offset: Int64) throws(SystemError) {
    precondition(digestPausedAt.map { $0 <= offset } ?? false)
    try flush()
    try write(bytes, at: offset)
  }

  /// Resumes the digest, which reads the bytes since its pause back from the file.
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

  /// Writes the remaining bytes, sets the modification time, in seconds since 1970, and returns the size and
  /// digest.
  ///
  /// A published file, and any that is given a time, is readable by all users whatever the umask.
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
    // Some file systems report a full disk only here.
    try System.finish(&descriptor, of: path)
    return WrittenFile(size: flushed, digest: digest.finish())
  }

  private mutating func gather(_ bytes: RawSpan) throws(SystemError) {
    if isCloned {
      flushed += Int64(bytes.byteCount)
      return
    }
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
    let code = Platform.startWriting(descriptor, from: sentOff, flushed - sentOff)
    if code != 0 && !isUnsupported(errno) { throw SystemError("write", path) }
    // What the previous call sent is on the disk by now and leaves the page cache, or else stays, since nothing
    // waits for it. Written packs are next read by an upload, so the page cache serves source files better; and on
    // virtual machines, whose hosts provide memory page by page, filling new memory takes longer than compressing:
    // 3.4 s for 1.2 GB, not 0.4 s.
    let arrived = min(sentOff, digestPausedAt ?? sentOff)
    if use == .later && arrived > 0 { Platform.dropCache(descriptor, arrived) }
    sentOff = flushed
  }

  /// Writes a full buffer, directly if the file system supports that.
  private mutating func flushWhole() throws(SystemError) {
    if case .undecided = way, flushed % Int64(Platform.alignment) == 0 {
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

/// The size and digest of a finished file.
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

/// Writes to a file with O_DIRECT on a thread of its own, so that the producer waits only when the disk is slower.
final class WriteBehind: Sendable {
  private struct State {
    /// The buffer that the thread is writing, or has written.
    var buffer = WriteBuffer()
    var offset: Int64 = 0
    var isWriting = false
    var failure: SystemError?
    var isEnding = false
  }

  private let state = Monitor(State())
  private let thread: Threads
  private let descriptor: Int32

  /// Starts the thread for an open file; nil if the system cannot write directly, or no thread can be
  /// started.
  init?(_ descriptor: Int32, path: String) {
    if !Platform.beginDirectWriting(descriptor) { return nil }
    self.descriptor = descriptor
    thread = Threads(0..<1) { [state] _ in
      while let (buffer, offset) = Self.next(of: state) {
        let result = Result { () throws(SystemError) in
          try Self.write(buffer, at: offset, to: descriptor, path: path)
        }
        state.change {
          $0.isWriting = false
          if case .failure(let error) = result { $0.failure = error }
        }
      }
    }
    if !thread.areRunning {
      Platform.endDirectWriting(descriptor)
      return nil
    }
  }

  /// Hands a buffer to the thread once the previous one is written, and replaces it by an empty one.
  func write(_ buffer: inout WriteBuffer, at offset: Int64) throws(SystemError) {
    try waitForLast()
    buffer = state.change { state in
      defer {
        state.buffer = buffer
        state.offset = offset
        state.isWriting = true
      }
      return state.buffer
    }
    buffer.clear()
  }

  /// Ends the thread after its last write; the file is back to writing through the page cache then.
  func end() throws(SystemError) {
    state.change { $0.isEnding = true }
    thread.join()
    Platform.endDirectWriting(descriptor)
    try waitForLast()
  }

  private func waitForLast() throws(SystemError) {
    if let failure = state.wait(until: { !$0.isWriting }, { $0.failure }) { throw failure }
  }

  private static func next(of state: Monitor<State>) -> (WriteBuffer, Int64)? {
    state.wait(until: { $0.isWriting || $0.isEnding }) { state in
      state.isWriting ? (state.buffer, state.offset) : nil
    }
  }

  private static func write(
    _ buffer: WriteBuffer, at offset: Int64, to descriptor: Int32, path: String
  ) throws(SystemError) {
    try Interruption.check()
    let isWritten = buffer.withBytes { bytes in
      if writeAll(bytes, to: descriptor, at: offset) { return true }
      // A file system that reports O_DIRECT but refuses a write gets the bytes through the page cache.
      guard errno == EINVAL else { return false }
      Platform.endDirectWriting(descriptor)
      return writeAll(bytes, to: descriptor, at: offset)
    }
    if !isWritten { throw SystemError("write", path) }
  }
}

/// Up to a mebibyte to be written, in memory aligned for O_DIRECT; used by one thread at a time.
final class WriteBuffer: @unchecked Sendable {
  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 20, alignment: Platform.alignment)
  private(set) var count = 0

  deinit { memory.deallocate() }

  func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try body(UnsafeRawBufferPointer(rebasing: memory[..<count]).bytes)
  }

  func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: $0) }
    count += bytes.byteCount
  }

  func clear() { count = 0 }
}
