package import Findings
package import Formats
import PackKit
package import System

/// A log of a run of the app: lines of seconds, scene and path, or what a tool that watches it prints.
package struct LoadTrace: Sendable {
  /// One line.
  package struct Load: Sendable {
    /// Seconds since the first load of the trace.
    package let time: Double
    package let scene: String
    /// The path as it was written.
    package let path: String
    /// How many lines before it begin a scene.
    package var marks = 0
  }

  /// The loads in the order of their times.
  package private(set) var loads: [Load] = []
  /// Whether the log says which scenes there are.
  package private(set) var hasScenes = false
  /// Where loads come from before a scene begins.
  package static let firstScene = "start"
  private var marks: [(time: Double, place: Int, scene: String)] = []
  private var isWithoutScene: [Bool] = []
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
    sort(from: first)
  }

  /// Puts loads in the order of their times, those of one time in that of their lines, and gives them their scenes.
  private mutating func sort(from first: Double) {
    let order = loads.indices.sorted { (loads[$0].time, $0) < (loads[$1].time, $1) }
    marks.sort { ($0.time, $0.place) < ($1.time, $1.place) }
    var next = 0
    var scene = Self.firstScene
    loads = order.map { place in
      let load = loads[place]
      while next < marks.count, (marks[next].time, marks[next].place) <= (load.time, place) {
        scene = marks[next].scene
        next += 1
      }
      return Load(
        time: load.time - first, scene: isWithoutScene[place] ? scene : load.scene, path: load.path,
        marks: next)
    }
    (marks, isWithoutScene) = ([], [])
  }

  private mutating func read(_ line: ArraySlice<UInt8>, at offset: Int) {
    switch TraceLine(line) {
    case .load(let time, let scene, let path)?:
      // A log without times has its order alone.
      loads.append(Load(time: time ?? loads.last?.time ?? 0, scene: scene ?? "", path: path))
      isWithoutScene.append(scene == nil)
      hasScenes = hasScenes || scene != nil
    case .mark(let time, let scene)?:
      marks.append((time, loads.count, scene))
      hasScenes = true
    case .other?: break
    case nil:
      let place = self.text?.place(at: offset) ?? Place("")
      let text = quoted(String(decoding: line, as: UTF8.self))
      found.add(
        Diagnostic(
          .traceSyntax, "\(text) is no line of seconds, scene and path", at: place, severity: .warning))
    }
  }
}
