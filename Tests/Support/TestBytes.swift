import Foundation
package import System

/// Kinds of content that can be compressed more or less well.
package enum Content: String, CaseIterable, Sendable {
  case zeros
  case text
  case random
  /// Text, then random bytes, so that deflate must change its method in the middle.
  case half

  /// Returns bytes of this kind.
  ///
  /// They are always the same for the same seed.
  package func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    switch self {
    case .zeros: return Array(repeating: 0, count: count)
    case .text: return random.text(count)
    case .random: return random.bytes(count)
    case .half: return random.text(count / 2) + random.bytes(count - count / 2)
    }
  }
}

/// A small random number generator with a seed.
///
/// With a fixed seed, failures are reproducible.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns random bytes.
  ///
  /// The bytes are repeated after 64 KiB. This distance is larger than the window of deflate.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min((count + 7) & ~7, 1 << 16))
    bytes.withUnsafeMutableBytes { buffer in
      for offset in stride(from: 0, to: buffer.count, by: 8) {
        buffer.storeBytes(of: next(), toByteOffset: offset, as: UInt64.self)
      }
    }
    return bytes.repeated(upTo: count)
  }

  /// Returns random words.
  ///
  /// The words are repeated after 64 KiB.
  package mutating func text(_ count: Int) -> [UInt8] {
    let words = "the level has 3 doors, a key and {\"x\": 17, \"y\": -4} tiles\n".split(separator: " ")
    let spaced = words.map { Array("\($0) ".utf8) }
    var text: [UInt8] = []
    text.reserveCapacity(1 << 16 + 16)
    while text.count < min(count, 1 << 16) { text += spaced[Int(next() % UInt64(spaced.count))] }
    return text.repeated(upTo: count)
  }
}

extension [UInt8] {
  fileprivate func repeated(upTo count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    while result.count < count { result += prefix(count - result.count) }
    return result
  }
}

/// Returns the SHA-256 of an array.
package func sha256(_ bytes: [UInt8]) -> Digest { SHA256.digest(of: bytes.span.bytes) }

extension OutputFile {
  package mutating func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes.span.bytes) }
}

extension ByteBuffer {
  package init(_ bytes: [UInt8]) {
    self.init()
    append(bytes.span.bytes)
  }
}

extension Checksum {
  package init(of bytes: [UInt8]) {
    self.init()
    update(bytes.span.bytes)
  }
}

extension TemporaryFolder {
  /// Returns the content of a file as an array.
  package func bytes(of relative: String) throws -> [UInt8] { Array(try read(relative)) }

  /// Runs a Python script in the folder and returns its output.
  @discardableResult
  package func python(_ script: String, _ arguments: [String] = []) throws -> String {
    let result = try run(pythonProgram, ["-c", script] + arguments, in: path)
    guard result.status == 0 else { throw ScriptFailure(description: result.output + result.errors) }
    return result.output
  }
}

/// Limits the size of all files that this process writes.
///
/// Writes beyond the limit fail with "File too large".
package func limitFileSize(to size: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(size))
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

/// Returns the maximum memory in bytes that this process has used.
package func largestMemory() -> Int {
  #if os(Linux)
    // The resource usage of a new process begins with the maximum of the process that started it. The status
    // file has only the memory that this process has used.
    let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(descriptor, &text, text.count)
    let lines = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split { $0 == " " || $0 == "\t" }
    if let words, words.count > 1, let kibibytes = Int(words[1]) { return kibibytes << 10 }
  #endif
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss << 10
}

/// Returns whether an action can be repeated any number of times without using more memory than a few
/// repetitions.
///
/// This function must run in a separate process, because other tests use memory at the same time.
package func givesMemoryBack(_ body: () throws -> Void) rethrows -> Bool {
  for _ in 0..<20 { try body() }
  let before = largestMemory()
  for _ in 0..<200 { try body() }
  return largestMemory() - before < 3_000_000
}

/// The output of a script that failed.
package struct ScriptFailure: Error, CustomStringConvertible {
  package let description: String
}

/// The program for Python scripts.
///
/// The system's Python is preferred, because the Pythons of version managers start slowly.
package let pythonProgram = isInstalled("/usr/bin/python3") ? "/usr/bin/python3" : "python3"

/// Joins the hex digits of several lines.
package func joinedHex(_ lines: String) -> String { lines.filter { !$0.isWhitespace } }
