package import Findings
package import Formats
import PackKit
package import System

/// A trace of a run of the app: lines of seconds, scene and path, divided by tabs or spaces.
package struct LoadTrace: Sendable {
  /// One line.
  package struct Load: Sendable {
    /// Seconds since the first load of the trace.
    package let time: Double
    package let scene: String
    /// The path as it was written.
    package let path: String
  }

  /// The loads in the order of their times.
  package private(set) var loads: [Load] = []
  /// The mistakes in lines, which are left out.
  package var findings: [Diagnostic] { found.findings }
  private var found = FindingList()
  /// The text that was read; nil if there is none.
  package private(set) var text: SourceText?

  /// The largest size of a trace in bytes.
  package static let longestTrace = 256 << 20

  /// Reads a file of lines.
  package init(path: String) throws(SystemError) {
    switch try FileContents(of: path, limit: Self.longestTrace) {
    case .bytes(let bytes): read(SourceText(path: path, bytes: bytes))
    case .missing: refuse(path, "the trace does not exist")
    case .noFile: refuse(path, "a trace is a file; write what a program prints to one")
    case .tooLong: refuse(path, "the trace is longer than \(grouped(Self.longestTrace)) bytes")
    }
  }

  /// Reads a trace from its text.
  package init(text: SourceText) { read(text) }

  private mutating func refuse(_ path: String, _ message: String) {
    found.add(Diagnostic(.traceSyntax, message, at: Place(path)))
  }

  private mutating func read(_ text: SourceText) {
    self.text = text
    var start = 0
    for line in text.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, at: start)
      start += line.count + 1
    }
    guard let first = loads.map(\.time).min() else {
      return refuse(text.path, "the trace has no line of seconds, scene and path")
    }
    // Lines of one time stay in their order.
    loads = loads.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map { _, load in
      Load(time: load.time - first, scene: load.scene, path: load.path)
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>, at offset: Int) {
    let text = String(decoding: line, as: UTF8.self)
    if text.allSatisfy(\.isWhitespace) || text.hasPrefix("#") { return }
    let divider: Unicode.Scalar = text.unicodeScalars.contains("\t") ? "\t" : " "
    let parts = text.unicodeScalars.split(separator: divider, maxSplits: 2).map(String.init)
    guard parts.count == 3, let time = Self.seconds(parts[0]) else {
      let place = self.text?.place(at: offset) ?? Place("")
      found.add(
        Diagnostic(
          .traceSyntax, "\(quoted(text)) is no line of seconds, scene and path", at: place, severity: .warning
        ))
      return
    }
    loads.append(Load(time: time, scene: parts[1], path: parts[2]))
  }

  /// A number such as `12` or `1700000000.25`; nil for any other text.
  private static func seconds(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    return isPlain && text.utf8.count <= 32 ? Double(text) : nil
  }
}
