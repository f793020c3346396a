import Findings
import Formats
import System

/// A log of a run of the app: lines of seconds, scene and path, or what a tool that watches it prints.
package struct LoadTrace {
  struct Load {
    /// Seconds since the first load of the trace.
    var time: Double
    /// The scene of the line, or of the last mark before it.
    var scene: String?
    /// The path as it was written.
    let path: ArraySlice<UInt8>
    /// How many marks of scenes come before it.
    var marks = 0
  }

  /// The loads in the order of their times.
  private(set) var loads: [Load] = []
  /// Whether the log says which scenes there are.
  private(set) var hasScenes = false
  private var marks: [(time: Double, place: Int, scene: String)] = []
  /// The mistakes in lines, which are left out.
  var findings: [Diagnostic] { found.findings }
  private var found = FindingList()

  /// The largest size of a trace in bytes.
  package static let longestTrace = 256 << 20
  /// Where loads come from before a scene begins.
  private static let firstScene = "start"

  init(path: String) throws(SystemError) {
    switch try FileContents(of: path, limit: Self.longestTrace) {
    case .bytes(let bytes): read(SourceText(path: path, bytes: bytes))
    case .missing: refuse(path, "the trace does not exist")
    case .noFile: refuse(path, "a trace is a file; write what a program prints to one")
    case .tooLong: refuse(path, "the trace is longer than \(grouped(Self.longestTrace)) bytes")
    }
  }

  init(text: SourceText) { read(text) }

  private mutating func read(_ text: SourceText) {
    var rest = text.bytes[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, of: text)
    }
    if loads.isEmpty {
      refuse(text.path, "the trace has no line of seconds, scene and path")
    } else {
      sort()
    }
  }

  private mutating func refuse(_ path: String, _ message: String) {
    found.add(Diagnostic(.traceSyntax, message, at: Place(path)))
  }

  private mutating func read(_ line: ArraySlice<UInt8>, of text: SourceText) {
    switch TraceLine(line) {
    case .load(let time, let scene, let path)?:
      // A log without times has its order alone.
      loads.append(Load(time: time ?? loads.last?.time ?? 0, scene: scene, path: path))
      hasScenes = hasScenes || scene != nil
    case .mark(let time, let scene)?:
      marks.append((time, loads.count, scene))
      hasScenes = true
    case .other?: break
    case nil:
      let message = "\(quoted(String(decoding: line, as: UTF8.self))) is no line of seconds, scene and path"
      found.add(
        Diagnostic(.traceSyntax, message, at: text.place(at: line.startIndex), severity: .warning))
    }
  }

  /// Puts loads in the order of their times, those of one time in that of their lines, and gives them their scenes.
  private mutating func sort() {
    let order = loads.indices.sorted { (loads[$0].time, $0) < (loads[$1].time, $1) }
    marks.sort { ($0.time, $0.place) < ($1.time, $1.place) }
    let first = loads[order[0]].time
    var next = 0
    loads = order.map { place in
      var load = loads[place]
      while next < marks.count, (marks[next].time, marks[next].place) <= (load.time, place) { next += 1 }
      load.scene = load.scene ?? (next == 0 ? Self.firstScene : marks[next - 1].scene)
      load.marks = next
      load.time -= first
      return load
    }
    marks = []
  }
}
