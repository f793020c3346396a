import Formats
import Model
import System

/// Reads the list of all files of a built folder in one pass.
///
/// Unknown keys are ignored.
struct ContentsReader: ~Copyable {
  private let packs: [ArraySlice<UInt8>: Int]
  private let path: String
  private var stream: JSONStream
  private var contents = PublishedContents()
  private var findings = FindingList()
  /// The path of the previous file.
  private var lastPath: ArraySlice<UInt8> = []
  /// The identifier and number of the previous file's pack.
  ///
  /// The next file is usually in the same pack.
  private var lastPack: (name: ArraySlice<UInt8>, number: Int) = ([], 0)

  /// The result of reading a list.
  struct Result {
    /// The list; nil if there are findings.
    let contents: PublishedContents?
    let diagnostics: [Diagnostic]
    /// The size and digest of the file; nil if the file was not read to the end.
    let file: WrittenFile?
  }

  /// Reads the list of a build whose packs have these identifiers.
  static func read(_ file: consuming InputFile, packs: [String]) throws(SystemError) -> Result {
    var reader = ContentsReader(file, packs: packs)
    var written: WrittenFile?
    do throws(JSONStream.Failure) {
      try reader.readDocument()
      written = try reader.stream.finish()
    } catch {
      switch error {
      case .machine(let error): throw error
      case .mistake(let message, let place): reader.report(message, at: place)
      }
    }
    reader.group(into: packs)
    let isWhole = reader.findings.isEmpty
    return Result(
      contents: isWhole ? reader.contents : nil, diagnostics: reader.findings.findings, file: written)
  }

  private init(_ file: consuming InputFile, packs: [String]) {
    path = file.path
    stream = JSONStream(file)
    let names = packs.map { Array($0.utf8)[...] }
    self.packs = Dictionary(zip(names, 0...)) { first, _ in first }
  }

  private mutating func readDocument() throws(JSONStream.Failure) {
    var seen: Set<String> = []
    try stream.pass(UInt8(ascii: "{"))
    while try stream.hasNext(closing: UInt8(ascii: "}"), at: seen.isEmpty ? .first : .later) {
      let place = stream.place
      let key = String(decoding: try stream.readKey(), as: UTF8.self)
      guard seen.insert(key).inserted else { throw repeated(key, at: place) }
      switch key {
      case "files": try readFiles()
      case "formatVersion": try readVersion()
      default: try stream.skipValue()
      }
    }
    if try stream.skipSpace() != nil {
      throw stream.mistake("expected the end of the file, found \(try stream.found())")
    }
    for key in ["files", "formatVersion"] where !seen.contains(key) {
      report("the key \(quoted(key)) is missing", at: Place.Position(line: 1, column: 1))
    }
  }

  private mutating func readVersion() throws(JSONStream.Failure) {
    _ = try stream.skipSpace()
    let place = stream.place
    let version = try stream.readWholeNumber("the version of the format")
    if version == IndexFormat.version { return }
    // The format of another version can be different, so the message about the version is the only message.
    findings.removeAll()
    throw stream.mistake(versionMistake(version), at: place)
  }

  private mutating func readFiles() throws(JSONStream.Failure) {
    try stream.pass(UInt8(ascii: "["))
    var next = JSONItemPosition.first
    while try stream.hasNext(closing: UInt8(ascii: "]"), at: next) {
      next = .later
      try readFile()
      if contents.count == Int(Int32.max) {
        throw stream.mistake(
          "there are more files than packtool can read")
      }
    }
  }

  /// The keys of a file.
  private struct Keys: OptionSet {
    let rawValue: UInt8

    static let path = Keys(rawValue: 1 << 0)
    static let size = Keys(rawValue: 1 << 1)
    static let digest = Keys(rawValue: 1 << 2)
    static let pack = Keys(rawValue: 1 << 3)
    static let packed = Keys(rawValue: 1 << 4)
    /// The keys that every file has.
    static let needed: Keys = [.path, .size, .digest, .pack]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init?(_ name: ArraySlice<UInt8>) {
      switch name.count {
      case 4 where name.elementsEqual("path".utf8): self = .path
      case 4 where name.elementsEqual("size".utf8): self = .size
      case 4 where name.elementsEqual("pack".utf8): self = .pack
      case 6 where name.elementsEqual("digest".utf8): self = .digest
      case 6 where name.elementsEqual("packed".utf8): self = .packed
      default: return nil
      }
    }
  }

  private mutating func readFile() throws(JSONStream.Failure) {
    try stream.pass(UInt8(ascii: "{"))
    let start = stream.place
    var seen: Keys = []
    var next = JSONItemPosition.first
    var path: ArraySlice<UInt8>?
    var digest: Digest?
    var pack: Int?
    var size: Int64 = 0
    var packed: Int64?
    while try stream.hasNext(closing: UInt8(ascii: "}"), at: next) {
      next = .later
      let place = stream.place
      let name = try stream.readKey()
      let key = Keys(name)
      if let key, !seen.insert(key).inserted {
        throw repeated(String(decoding: name, as: UTF8.self), at: place)
      }
      switch key {
      case .path: path = try readPath()
      case .size: size = try readSize()
      case .digest: digest = try readDigest()
      case .pack: pack = try readPack()
      case .packed: packed = try readSize()
      default: try stream.skipValue()
      }
    }
    if !seen.isSuperset(of: .needed) {
      return report("a file needs \"path\", \"size\", \"digest\" and \"pack\"", at: start)
    }
    if let path, let digest, let pack {
      contents.append(path: path, size: size, compressedSize: packed, digest: digest, packIndex: pack)
    }
  }

  private mutating func readPath() throws(JSONStream.Failure) -> ArraySlice<UInt8>? {
    _ = try stream.skipSpace()
    let place = stream.place
    let path = try stream.readString("a path")
    guard PublishedPath.isInPack(path.span) else {
      report("\(quoted(bytes: path)) is not a path inside a pack", at: place)
      return nil
    }
    if path.lexicographicallyPrecedes(lastPath) {
      report(
        "\(quoted(bytes: path)) is after \(quoted(bytes: lastPath)); files must be sorted by path", at: place)
    }
    lastPath = path
    return path
  }

  private mutating func readDigest() throws(JSONStream.Failure) -> Digest? {
    _ = try stream.skipSpace()
    let place = stream.place
    let text = try stream.readString("a digest")
    if let digest = Digest(prefixed: text) { return digest }
    report("\(quoted(bytes: text)) is not a digest; expected \(digestForm)", at: place)
    return nil
  }

  private mutating func readSize() throws(JSONStream.Failure) -> Int64 {
    _ = try stream.skipSpace()
    let place = stream.place
    let size = try stream.readWholeNumber("a file's size")
    if size > ByteSize.largestExact { report(excessMessage(size), at: place) }
    return size
  }

  private mutating func readPack() throws(JSONStream.Failure) -> Int? {
    _ = try stream.skipSpace()
    let place = stream.place
    let name = try stream.readString("a pack's identifier")
    if name == lastPack.name { return lastPack.number }
    guard let pack = packs[name] else {
      report("the pack \(quoted(bytes: name)) is not in the index", at: place)
      return nil
    }
    lastPack = (name, pack)
    return pack
  }

  private mutating func group(into packs: [String]) {
    contents.group(into: packs.count)
    guard findings.isEmpty, let (pack, path) = contents.repeatedPath else { return }
    let message = "\(quoted(bytes: path)) is twice in the pack \(quoted(packs[pack]))"
    findings.add(Diagnostic(.damagedIndex, message: message, at: Place(self.path)))
  }

  private func repeated(_ key: String, at place: Place.Position) -> JSONStream.Failure {
    stream.mistake("the key \(quoted(key)) is listed twice", at: place)
  }

  private mutating func report(_ message: String, at place: Place.Position) {
    findings.add(Diagnostic(.damagedIndex, message: message, at: Place(path, position: place)))
  }
}
