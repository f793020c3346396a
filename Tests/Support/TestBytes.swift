import Foundation
package import System

/// Sorts of content that compress in different ways.
package enum Content: String, CaseIterable, Sendable {
  case zeros
  case text
  case random
  /// Text, then random bytes: deflate changes its mind in the middle.
  case half

  /// Bytes of this sort, the same for the same seed.
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

/// A small generator with a seed, so that a failure comes again.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Random bytes; beyond 64 KiB, further than deflate looks back, they come again.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min((count + 7) & ~7, 1 << 16))
    bytes.withUnsafeMutableBytes { buffer in
      for offset in stride(from: 0, to: buffer.count, by: 8) {
        buffer.storeBytes(of: next(), toByteOffset: offset, as: UInt64.self)
      }
    }
    return bytes.repeated(upTo: count)
  }

  /// Random words; beyond 64 KiB they come again.
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

/// The SHA-256 of an array.
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
  /// The content of a file as an array.
  package func bytes(of relative: String) throws -> [UInt8] { Array(try read(relative)) }

  /// Runs a Python script in the folder and returns its output.
  @discardableResult
  package func python(_ script: String, _ arguments: [String] = []) throws -> String {
    let result = try run(pythonProgram, ["-c", script] + arguments, in: path)
    guard result.status == 0 else { throw ScriptFailure(description: result.output + result.errors) }
    return result.output
  }
}

/// Lets no file of this process grow beyond a size; writes fail with "File too large".
package func limitFileSize(to size: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(size))
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

/// The most memory in bytes that this process has had.
package func largestMemory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss << 10
}

/// Whether something can be done any number of times in the memory that it takes to do it a few times; to be asked in a
/// process of its own, since other tests take memory too.
package func givesMemoryBack(_ body: () throws -> Void) rethrows -> Bool {
  for _ in 0..<20 { try body() }
  let before = largestMemory()
  for _ in 0..<200 { try body() }
  return largestMemory() - before < 3_000_000
}

/// What a script said that failed.
package struct ScriptFailure: Error, CustomStringConvertible {
  package let description: String
}

/// The system's Python where there is one: those of version managers take long to start.
package let pythonProgram = isInstalled("/usr/bin/python3") ? "/usr/bin/python3" : "python3"

/// Hex digits of several lines as one.
package func joinedHex(_ lines: String) -> String { lines.filter { !$0.isWhitespace } }
