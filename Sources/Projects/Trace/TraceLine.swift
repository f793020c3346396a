import System

/// A line of a log of what an app loads, in any of the forms that tools and apps write.
enum TraceLine {
  /// The scene is nil where the line names none, the time where it has none.
  case load(time: Double?, scene: String?, path: String)
  /// A scene begins.
  case mark(time: Double, scene: String)
  /// A line of a tool that is no load.
  case other

  /// Nil for a line in none of the forms.
  init?(_ line: ArraySlice<UInt8>) {
    if line.first == UInt8(ascii: "#") || line.allSatisfy({ $0 == space || $0 == tab }) {
      self = .other
      return
    }
    let parsed =
      line.contains(tab)
      ? Self.plain(line, divider: tab)
      : Self.scene(line) ?? Self.strace(line) ?? Self.fatrace(line) ?? Self.inotify(line)
        ?? Self.fileUsage(line) ?? Self.plain(line, divider: space)
    guard let parsed else { return nil }
    self = parsed
  }

  /// Seconds, scene and path, as an app's own log has them.
  private static func plain(_ line: ArraySlice<UInt8>, divider: UInt8) -> TraceLine? {
    let parts = line.split(separator: divider, maxSplits: 2)
    guard parts.count == 3, let time = seconds(parts[0]) else { return nil }
    return .load(time: time, scene: text(parts[1]), path: text(parts[2].drop { $0 == divider }))
  }

  /// `6.1 INFO scene=level1 loaded Levels/1/map.json`; without a path, the scene begins.
  private static func scene(_ line: ArraySlice<UInt8>) -> TraceLine? {
    guard let place = line.firstRange(of: sceneMark), let time = seconds(firstWord(line)) else { return nil }
    let scene = line[place.upperBound...].prefix { $0 != space }
    guard !scene.isEmpty else { return nil }
    guard let loaded = line[scene.endIndex...].firstRange(of: loadedMark) else {
      return .mark(time: time, scene: text(scene))
    }
    return .load(time: time, scene: text(scene), path: text(line[loaded.upperBound...]))
  }

  /// `4211  1767600000.2 openat(AT_FDCWD</srv>, "a", O_RDONLY) = 5</srv/a>`, by strace with `-ttt` or `-tt`.
  private static func strace(_ line: ArraySlice<UInt8>) -> TraceLine? {
    var words = line.split(separator: space, maxSplits: 2)
    guard words.count > 1, var time = words.first.flatMap(seconds) else { return nil }
    if let later = seconds(words[1]) {
      guard words.count == 3 else { return nil }
      time = later
      words.removeFirst()
    }
    let call = words[1]
    if call.starts(with: Array("+++ ".utf8)) || call.starts(with: Array("--- ".utf8)) { return .other }
    let name = call.prefix { $0 != UInt8(ascii: "(") && $0 != space }
    let isResumed = name.elementsEqual("<...".utf8)
    guard isResumed || (call.dropFirst(name.count).first == UInt8(ascii: "(") && isName(name)) else {
      return nil
    }
    guard line.firstRange(of: Array("open".utf8)) != nil, line.firstRange(of: folderMark) == nil,
      let result = line.lastIndex(of: UInt8(ascii: "=")),
      line[result...].dropFirst(2).first != UInt8(ascii: "-")
    else { return .other }
    let descriptor = line[result...]
    if let start = descriptor.firstIndex(of: UInt8(ascii: "<")), descriptor.last == UInt8(ascii: ">") {
      return .load(time: time, scene: nil, path: unescaped(descriptor[(start + 1)...].dropLast()))
    }
    let quote = UInt8(ascii: "\"")
    guard let start = line.firstIndex(of: quote), let end = line[(start + 1)...].firstIndex(of: quote) else {
      return .other
    }
    return .load(time: time, scene: nil, path: unescaped(line[(start + 1)..<end]))
  }

  /// `1767600000.2 greatgame(4211): RO /srv/a`, by fatrace with `-tt` or `-t`.
  private static func fatrace(_ line: ArraySlice<UInt8>) -> TraceLine? {
    guard let time = seconds(firstWord(line)), let end = line.firstRange(of: Array("): ".utf8)) else {
      return nil
    }
    let rest = line[end.upperBound...].split(separator: space, maxSplits: 1)
    guard rest.count == 2, isEvents(rest[0]), rest[1].drop(while: { $0 == space }).first == slash else {
      return nil
    }
    return load(rest[0], ["R", "O"], time, text(rest[1].drop { $0 == space }))
  }

  /// `Assets/UI/ OPEN title.png`, by inotifywait with its own form, or with `--format "%T %e %w%f"`.
  private static func inotify(_ line: ArraySlice<UInt8>) -> TraceLine? {
    let words = line.split(separator: space, maxSplits: 2)
    guard words.count > 1, isEvents(words[1]) else { return nil }
    let isOpen = ["OPEN", "ACCESS"].map { Array($0.utf8) }
    guard words[1].split(separator: UInt8(ascii: ",")).allSatisfy({ $0.count > 3 }) else { return nil }
    let rest = words.count == 3 ? text(words[2]) : ""
    let time = seconds(words[0])
    if time == nil && words[0].last != slash { return nil }
    guard words[1].split(separator: UInt8(ascii: ",")).contains(where: { isOpen.contains(Array($0)) }) else {
      return .other
    }
    return .load(time: time, scene: nil, path: time == nil ? text(words[0]) + rest : rest)
  }

  /// `12:00:01.25  open  F=5  (R_____)  /srv/a  0.00002  greatgame.123`, by fs_usage with `-w -f filesys`.
  private static func fileUsage(_ line: ArraySlice<UInt8>) -> TraceLine? {
    let words = line.split(separator: space, maxSplits: 2)
    guard words.count == 3, words[0].contains(UInt8(ascii: ":")), let time = seconds(words[0]),
      isName(words[1])
    else {
      return nil
    }
    guard words[1].starts(with: "open".utf8), !words[2].contains(UInt8(ascii: "[")),
      let start = words[2].firstIndex(of: slash)
    else { return .other }
    let path = words[2][start...]
    return .load(
      time: time, scene: nil,
      path: text(path.firstRange(of: [space, space]).map { path[..<$0.lowerBound] } ?? path))
  }

  private static func load(
    _ events: ArraySlice<UInt8>, _ wanted: Set<Character>, _ time: Double, _ path: String
  ) -> TraceLine {
    text(events).contains(where: wanted.contains) ? .load(time: time, scene: nil, path: path) : .other
  }
}

private let (space, tab, slash) = (UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "/"))
private let sceneMark = Array(" scene=".utf8)
private let loadedMark = Array(" loaded ".utf8)
private let folderMark = Array("O_DIRECTORY".utf8)

private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

private func firstWord(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> { line.prefix { $0 != space } }

private func isEvents(_ word: ArraySlice<UInt8>) -> Bool {
  word.allSatisfy { (0x41...0x5a).contains($0) || "_,<>+".utf8.contains($0) }
}

private func isName(_ word: ArraySlice<UInt8>) -> Bool {
  !word.isEmpty && word.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
}

/// A number such as `12` or `1700000000.25`, or a time of day such as `12:00:01.25`; nil for any other text.
private func seconds(_ word: ArraySlice<UInt8>) -> Double? {
  guard let first = word.first, (0x30...0x39).contains(first) || first == UInt8(ascii: "."), word.count <= 32
  else {
    return nil
  }
  let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
  if parts.count != 1 && parts.count != 3 { return nil }
  var sum = 0.0
  for part in parts {
    guard part.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let number = Double(text(part))
    else { return nil }
    sum = sum * 60 + number
  }
  return sum
}

/// A path of strace, in which bytes beyond ASCII are backslashes with octal numbers.
private func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
  let backslash = UInt8(ascii: "\\")
  guard bytes.contains(backslash) else { return text(bytes) }
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
  return text(result[...])
}
