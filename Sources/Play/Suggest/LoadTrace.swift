import Formats
import System

/// A log of one run of the app.
///
/// The log is the output of a tracing tool, or an app's own log, whose lines have seconds, a scene and a
/// path.
package struct LoadTrace {
  struct Load {
    /// The number of seconds since the first load of the trace.
    var time: Double
    /// The scene in the line or, if the line has none, the scene of the last mark before the line.
    var scene: String?
    let path: ArraySlice<UInt8>
    /// The number of scene marks before this load.
    var marks = 0
  }

  private(set) var loads: [Load] = []
  private(set) var hasScenes = false
  private var marks: [Mark] = []

  /// A line that marks the start of a scene.
  private struct Mark {
    let time: Double
    /// The number of loads before the mark.
    let place: Int
    let scene: String
  }
  var findings: [Diagnostic] { found.findings }
  private var found = FindingList()

  /// The maximum size of a trace in bytes.
  package static let maxTraceSize = 256 << 20
  /// The name of the scene before the first mark.
  private static let firstScene = "start"

  init(path: String) throws(SystemError) {
    switch try FileContents(of: path, limit: Self.maxTraceSize) {
    case .bytes(let bytes): read(SourceText(path: path, bytes: bytes))
    case .missing: refuse(path, message: "the trace does not exist")
    case .noFile:
      refuse(
        path, message: "a trace must be a file; write the output of the app to a file, and pass the file")
    case .tooLong: refuse(path, message: "the trace is larger than \(grouped(Self.maxTraceSize)) bytes")
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
      refuse(text.path, message: "the trace has no line that contains seconds, a scene and a path")
    } else {
      sort()
    }
  }

  private mutating func refuse(_ path: String, message: String) {
    found.add(Diagnostic(.traceSyntax, message: message, at: Place(path)))
  }

  private mutating func read(_ line: ArraySlice<UInt8>, of text: SourceText) {
    switch TraceLine(line) {
    case .load(let time, let scene, let path)?:
      // If a log has no times, it shows only the order of the loads.
      loads.append(Load(time: time ?? loads.last?.time ?? 0, scene: scene, path: path))
      hasScenes = hasScenes || scene != nil
    case .mark(let time, let scene)?:
      marks.append(Mark(time: time, place: loads.count, scene: scene))
      hasScenes = true
    case .other?: break
    case nil:
      let message =
        "\(quoted(String(decoding: line, as: UTF8.self))) is not a line that contains seconds, a scene and "
        + "a path"
      found.add(
        Diagnostic(.traceSyntax, message: message, at: text.place(at: line.startIndex), severity: .warning))
    }
  }

  /// Sorts loads by time and, if times are equal, by line.
  ///
  /// Assigns a scene to each load.
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

/// A line of a log that records what an app loads.
///
/// The line can have the format of one of several tracing tools, or of an app's own log.
enum TraceLine {
  /// A load. `scene` is nil if the line does not contain a scene, and `time` is nil if the line does not
  /// contain a time.
  case load(time: Double?, scene: String?, path: ArraySlice<UInt8>)
  case mark(time: Double, scene: String)
  case other

  /// Parses a line.
  ///
  /// Returns nil if the line does not have a known format.
  init?(_ line: ArraySlice<UInt8>) {
    if line.first == UInt8(ascii: "#") || line.allSatisfy({ $0 == space || $0 == tab }) {
      self = .other
      return
    }
    let parsed: TraceLine?
    if line.contains(tab) {
      parsed = Self.plain(line.split(separator: tab, maxSplits: 2))
    } else {
      let words = line.split(separator: space, maxSplits: 2)
      let time = seconds(words[0])
      parsed =
        time.flatMap {
          Self.scene(line, time: $0) ?? Self.fatrace(line, time: $0)
            ?? Self.strace(line, words: words, first: $0)
        }
        ?? Self.inotify(words, time: time) ?? time.flatMap { Self.fileUsage(words, time: $0) }
        ?? Self.plain(words)
    }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Parses a line with seconds, scene and path, as in an app's own log.
  private static func plain(_ words: [ArraySlice<UInt8>]) -> TraceLine? {
    guard words.count == 3, let time = seconds(words[0]) else { return nil }
    return .load(time: time, scene: text(words[1]), path: words[2].drop { $0 == space || $0 == tab })
  }

  /// Parses a line such as `6.1 INFO scene=level1 loaded Levels/1/map.json`.
  ///
  /// If such a line has no path, it marks the start of a scene.
  private static func scene(_ line: ArraySlice<UInt8>, time: Double) -> TraceLine? {
    guard let start = line.end(of: sceneWord) else { return nil }
    let scene = line[start...].prefix { $0 != space }
    guard !scene.isEmpty else { return nil }
    guard let path = line[scene.endIndex...].end(of: loadedWord) else {
      return .mark(time: time, scene: text(scene))
    }
    return .load(time: time, scene: text(scene), path: line[path...])
  }

  /// Parses `4211  1767600000.2 openat(AT_FDCWD</srv>, "a", O_RDONLY) = 5</srv/a>`, from strace with `-ttt`
  /// or `-tt`.
  private static func strace(
    _ line: ArraySlice<UInt8>, words: [ArraySlice<UInt8>], first: Double
  ) -> TraceLine? {
    guard words.count > 1 else { return nil }
    // If strace follows several processes, the process ID is before the time.
    let later = seconds(words[1])
    guard let call = later == nil ? words[1] : words.dropFirst(2).first else { return nil }
    if call.starts(with: "+++ ".utf8) || call.starts(with: "--- ".utf8) { return .other }
    let name = call.prefix { $0 != UInt8(ascii: "(") && $0 != space }
    let isCall = call.dropFirst(name.count).first == UInt8(ascii: "(") && isName(name)
    guard isCall || name.elementsEqual("<...".utf8) else { return nil }
    guard line.end(of: openWord) != nil, line.end(of: folderWord) == nil,
      let equals = line.lastIndex(of: UInt8(ascii: "=")),
      line[equals...].dropFirst(2).first != UInt8(ascii: "-")
    else { return .other }
    let time = later ?? first
    if let start = line[equals...].firstIndex(of: UInt8(ascii: "<")), line.last == UInt8(ascii: ">") {
      return .load(time: time, scene: nil, path: unescaped(line[(start + 1)...].dropLast()))
    }
    let parts = line.split(separator: UInt8(ascii: "\""), maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count < 3 ? .other : .load(time: time, scene: nil, path: unescaped(parts[1]))
  }

  /// Parses `1767600000.2 greatgame(4211): RO /srv/a`, from fatrace with `-tt` or `-t`.
  ///
  /// The beginning of such a line looks like a system call in strace's output.
  private static func fatrace(_ line: ArraySlice<UInt8>, time: Double) -> TraceLine? {
    guard let start = line.end(of: processEnd) else { return nil }
    let process = line[..<(start - processEnd.count)]
    // strace quotes the texts that a program writes, and such a text can look like fatrace's output.
    if process.contains(UInt8(ascii: "\"")) { return nil }
    let words = line[start...].split(separator: space, maxSplits: 1)
    guard words.count == 2, isEvents(words[0]) else { return nil }
    let path = words[1].drop { $0 == space }
    guard path.first == slash else { return nil }
    let isLoad = words[0].contains { $0 == UInt8(ascii: "R") || $0 == UInt8(ascii: "O") }
    return isLoad ? .load(time: time, scene: nil, path: path) : .other
  }

  /// Parses `Assets/UI/ OPEN title.png`, from inotifywait in its default format or with `--format "%T %e
  /// %w%f"`.
  private static func inotify(_ words: [ArraySlice<UInt8>], time: Double?) -> TraceLine? {
    guard words.count > 1, isEvents(words[1]), time != nil || words[0].last == slash else { return nil }
    let events = words[1].split(separator: UInt8(ascii: ","))
    guard events.allSatisfy({ $0.count > 3 }) else { return nil }
    guard events.contains(where: { $0.elementsEqual("OPEN".utf8) || $0.elementsEqual("ACCESS".utf8) }) else {
      return .other
    }
    let name = words.dropFirst(2).first ?? []
    return .load(time: time, scene: nil, path: time == nil ? words[0] + name : name)
  }

  /// Parses `12:00:01.25  open  F=5  (R_____)  /srv/a  0.00002  greatgame.123`, from fs_usage with `-w -f
  /// filesys`.
  private static func fileUsage(_ words: [ArraySlice<UInt8>], time: Double) -> TraceLine? {
    guard words.count == 3, words[0].contains(UInt8(ascii: ":")), isName(words[1]) else { return nil }
    guard words[1].starts(with: "open".utf8), !words[2].contains(UInt8(ascii: "[")),
      let start = words[2].firstIndex(of: slash)
    else { return .other }
    let path = words[2][start...]
    return .load(
      time: time, scene: nil, path: path.end(of: [space, space]).map { path[..<($0 - 2)] } ?? path)
  }
}

private let (space, tab, slash) = (UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "/"))
private let sceneWord = Array(" scene=".utf8)
private let loadedWord = Array(" loaded ".utf8)
private let openWord = Array("open".utf8)
private let folderWord = Array("O_DIRECTORY".utf8)
private let processEnd = Array("): ".utf8)

extension ArraySlice<UInt8> {
  fileprivate func end(of word: [UInt8]) -> Int? {
    var rest = self
    while let start = rest.firstIndex(of: word[0]) {
      if rest[start...].starts(with: word) { return start + word.count }
      rest = rest[(start + 1)...]
    }
    return nil
  }
}

private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isEvents(_ word: ArraySlice<UInt8>) -> Bool {
  word.allSatisfy { (0x41...0x5a).contains($0) || "_,<>+".utf8.contains($0) }
}

private func isName(_ word: ArraySlice<UInt8>) -> Bool {
  !word.isEmpty && word.allSatisfy { (0x61...0x7a).contains($0) || isDigit($0) || $0 == 0x5f }
}

/// Parses a number such as `12` or `1700000000.25`, or a time of day such as `12:00:01.25`; nil for any other
/// string.
private func seconds(_ word: ArraySlice<UInt8>) -> Double? {
  guard let first = word.first, isDigit(first) || first == UInt8(ascii: "."), word.count <= 32 else {
    return nil
  }
  let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
  if parts.count != 1 && parts.count != 3 { return nil }
  var sum = 0.0
  for part in parts {
    guard part.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }), let number = Double(text(part)) else {
      return nil
    }
    sum = sum * 60 + number
  }
  return sum
}

/// Decodes a path in strace's output.
///
/// strace writes non-ASCII bytes as backslashes with octal numbers.
private func unescaped(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let backslash = UInt8(ascii: "\\")
  guard bytes.contains(backslash) else { return bytes }
  var result: [UInt8] = []
  var rest = bytes
  while let byte = rest.popFirst() {
    let digits = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
    if byte == backslash, !digits.isEmpty {
      result.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
      rest = rest.dropFirst(digits.count)
    } else if byte == backslash, let next = rest.popFirst() {
      result.append(next)
    } else {
      result.append(byte)
    }
  }
  return result[...]
}
